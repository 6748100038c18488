package session

import (
	"crypto/ed25519"
	"errors"
)

// KeySet is a JSON Web Key Set (RFC 7517) of Ed25519 keys.
type KeySet struct {
	Keys []Key `json:"keys"`
}

// Key is one public key (RFC 8037).
type Key struct {
	KeyType   string `json:"kty"`
	Curve     string `json:"crv"`
	X         string `json:"x"`
	KeyID     string `json:"kid"`
	Use       string `json:"use"`
	Algorithm string `json:"alg"`
}

// ErrUnknownKey says that no published key has the token's key id.
var ErrUnknownKey = errors.New("unknown signing key")

// StaticKeys are keys known from the start.
type StaticKeys map[string]ed25519.PublicKey

// Key finds a key. Error: ErrUnknownKey.
func (k StaticKeys) Key(keyID string) (ed25519.PublicKey, error) {
	key, ok := k[keyID]
	if !ok {
		return nil, ErrUnknownKey
	}
	return key, nil
}
