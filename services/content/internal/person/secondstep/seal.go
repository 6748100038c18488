package secondstep

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"

	"gorm.io/gorm"
)

// seals keep the secrets of code apps by AES-256-GCM: the first seals, all open.
type seals []cipher.AEAD

func newSeals(keys [][]byte) (all seals, err error) {
	for _, key := range keys {
		if len(key) != 32 {
			return nil, errors.New("the key of code apps' secrets must have 32 bytes")
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, fmt.Errorf("make the seal of code apps' secrets: %w", err)
		}
		seal, err := cipher.NewGCM(block)
		if err != nil {
			return nil, fmt.Errorf("make the seal of code apps' secrets: %w", err)
		}
		all = append(all, seal)
	}
	if len(all) == 0 {
		return nil, errors.New("there is no key for the secrets of code apps")
	}
	return all, nil
}

// sealed encrypts the secret of a person's app; copied to another person's row it does not open.
func (s seals) sealed(userID int64, secret string) ([]byte, error) {
	nonce := make([]byte, s[0].NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, fmt.Errorf("read nonce: %w", err)
	}
	return s[0].Seal(nonce, nonce, []byte(secret), ownerOf(userID)), nil
}

// opened gives the secret, and whether a key of before has sealed it.
func (s seals) opened(userID int64, sealed []byte) (secret string, isOld bool, err error) {
	for i, seal := range s {
		size := seal.NonceSize()
		if len(sealed) < size {
			return "", false, fmt.Errorf("secret of user %d: too short", userID)
		}
		var plain []byte
		if plain, err = seal.Open(nil, sealed[:size], sealed[size:], ownerOf(userID)); err == nil {
			return string(plain), i > 0, nil
		}
	}
	return "", false, fmt.Errorf("open the secret of user %d, which another key may have sealed: %w", userID, err)
}

// Reseal seals by the first key what others of them have sealed, and returns how many secrets that were. Then the others are needed no more. One
// that none opens stops no other, and is in the error.
func Reseal(ctx context.Context, db *gorm.DB, keys [][]byte) (n int, err error) {
	all, err := newSeals(keys)
	if err != nil {
		return 0, err
	}
	var apps []struct {
		UserID int64
		Secret []byte
	}
	if err := db.WithContext(ctx).Raw(`SELECT user_id, secret FROM totp_apps WHERE secret IS NOT NULL ORDER BY user_id`).Scan(&apps).Error; err != nil {
		return 0, fmt.Errorf("read the secrets of code apps: %w", err)
	}
	var faults []error
	for _, app := range apps {
		secret, isOld, err := all.opened(app.UserID, app.Secret)
		if err != nil || !isOld {
			faults = append(faults, err)
			continue
		}
		sealed, err := all.sealed(app.UserID, secret)
		if err != nil {
			return n, err
		}
		written := db.WithContext(ctx).Exec(`UPDATE totp_apps SET secret = ? WHERE user_id = ? AND secret = ?`, sealed, app.UserID, app.Secret)
		if written.Error != nil {
			return n, fmt.Errorf("seal the secret of user %d: %w", app.UserID, written.Error)
		}
		n += int(written.RowsAffected)
	}
	return n, errors.Join(faults...)
}

func ownerOf(userID int64) []byte { return strconv.AppendInt(nil, userID, 10) }
