package session

import (
	"crypto/ed25519"
	"errors"
)

var errUnknownKey = errors.New("unknown signing key")

// PublicKeys verify tokens, by the key id that a token names.
type PublicKeys map[string]ed25519.PublicKey

func (k PublicKeys) find(keyID string) (ed25519.PublicKey, error) {
	key, ok := k[keyID]
	if !ok {
		return nil, errUnknownKey
	}
	return key, nil
}
