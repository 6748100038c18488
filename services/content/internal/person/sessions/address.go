package sessions

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/person/profiles"
)

// An address may have several accounts until one of them has confirmed it. All their passwords are hashed with one
// setting, so that a sign-in hashes once, however many there are. That of an address without any is made from the address
// and a secret, so that many who register it at once hash as often as with a taken one.

// errOtherSetting: another account of the address got its first password while this one's was hashed.
var errOtherSetting = errors.New("the passwords of the address have another salt")

// settingFor is the setting of an address, empty if none of its accounts has a password.
func settingFor(ctx context.Context, db *gorm.DB, email string) (setting, error) {
	var hash string
	err := db.WithContext(ctx).Raw(`SELECT password_hash FROM users WHERE lower(email) = lower(?) AND password_hash <> ''
		ORDER BY id + 0 LIMIT 1`, // + 0: else a plan may walk the primary key

		profiles.NormalEmail(email)).Scan(&hash).Error
	if err != nil {
		return "", fmt.Errorf("look up the salt of an address: %w", err)
	}
	return settingOf(hash), nil
}

// firstSetting is the setting for an address that has none.
func (s *Service) firstSetting(email string) setting {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte("salt of " + accountKey(email)))
	return settingWith(mac.Sum(nil)[:saltBytes])
}

// writePassword hashes a password for an account of the address and has it written in a transaction. Errors: those of write;
// ErrBusy.
func (s *Service) writePassword(ctx context.Context, email, password string, write func(tx *gorm.DB, hash string) error) error {
	return s.hasher.withHash(ctx, s.db, s.firstSetting(email), email, password, write)
}

// withHash hashes a password for an account of the address, with the first setting if it has none, and has it written in a
// transaction. Errors: those of write; ErrBusy.
func (h *hasher) withHash(ctx context.Context, db *gorm.DB, first setting, email, password string,
	write func(tx *gorm.DB, hash string) error) error {
	for {
		with, err := settingFor(ctx, db, email)
		if err != nil {
			return err
		}
		if with == "" {
			with = first
		}
		hash, err := h.hash(ctx, with, password)
		if err != nil {
			return err
		}
		err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
			if err := profiles.LockAddress(ctx, tx, email); err != nil {
				return err
			}
			now, err := settingFor(ctx, tx, email)
			if err != nil {
				return err
			}
			if now != "" && now != with {
				return errOtherSetting
			}
			return write(tx, hash)
		})
		if !errors.Is(err, errOtherSetting) {
			return err
		}
	}
}
