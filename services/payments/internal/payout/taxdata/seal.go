package taxdata

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"talkoot.fi/kit/session"
)

// purpose is what the keys here are derived for, so that a secret which seals other things too opens none of these.
const purpose = "tax data of creators"

// Seals seal data by AES-256-GCM: the first key seals, all open.
type Seals []seal

type seal struct {
	id   string // names the key in rows; it tells nothing of it
	aead cipher.AEAD
}

// NewSeals derives keys from secrets, the one in use first.
func NewSeals(secrets ...[]byte) (all Seals, err error) {
	for _, secret := range secrets {
		key := session.Derive(secret, purpose)
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, fmt.Errorf("make the seal of tax data: %w", err)
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, fmt.Errorf("make the seal of tax data: %w", err)
		}
		all = append(all, seal{hex.EncodeToString(session.Derive(key, "id")[:6]), aead})
	}
	if len(all) == 0 {
		return nil, errors.New("there is no key for tax data")
	}
	return all, nil
}

// errNoKey means that the key by which a row is sealed is not among ours.
var errNoKey = errors.New("its key is not among those of SEALING_KEY")

// sealed encrypts the data of an account's version; they open in that row alone.
func (s Seals) sealed(userID, version int64, d Data) (keyID string, box []byte, err error) {
	plain, err := json.Marshal(d)
	if err != nil {
		return "", nil, errors.New("encode tax data") // the cause may quote them
	}
	nonce := make([]byte, s[0].aead.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return "", nil, fmt.Errorf("read nonce: %w", err)
	}
	return s[0].id, s[0].aead.Seal(nonce, nonce, plain, rowOf(userID, version)), nil
}

// opened decrypts a row's data. Error: errNoKey.
func (s Seals) opened(userID, version int64, keyID string, box []byte) (d Data, err error) {
	for _, one := range s {
		if one.id != keyID {
			continue
		}
		size := one.aead.NonceSize()
		if len(box) < size {
			return d, fmt.Errorf("the tax data of account %d are too short", userID)
		}
		plain, err := one.aead.Open(nil, box[:size], box[size:], rowOf(userID, version))
		if err != nil {
			return d, fmt.Errorf("open the tax data of account %d, version %d: %w", userID, version, err)
		}
		if json.Unmarshal(plain, &d) != nil {
			return Data{}, fmt.Errorf("decode the tax data of account %d", userID) // the cause may quote them
		}
		return d, nil
	}
	return d, fmt.Errorf("open the tax data of account %d: %w", userID, errNoKey)
}

func rowOf(userID, version int64) []byte { return fmt.Appendf(nil, "%d:%d", userID, version) }
