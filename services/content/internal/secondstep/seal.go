package secondstep

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
)

// newSeal is AES-256-GCM.
func newSeal(key []byte) (cipher.AEAD, error) {
	if len(key) != 32 {
		return nil, errors.New("the key of code apps' secrets must have 32 bytes")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make the seal of code apps' secrets: %w", err)
	}
	return cipher.NewGCM(block)
}

// sealed encrypts the secret of a person's app; copied to another person's row it does not open.
func (s *Service) sealed(userID int64, secret string) ([]byte, error) {
	nonce := make([]byte, s.seal.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, fmt.Errorf("read nonce: %w", err)
	}
	return s.seal.Seal(nonce, nonce, []byte(secret), ownerOf(userID)), nil
}

func (s *Service) opened(userID int64, sealed []byte) (string, error) {
	size := s.seal.NonceSize()
	if len(sealed) < size {
		return "", fmt.Errorf("secret of user %d: too short", userID)
	}
	secret, err := s.seal.Open(nil, sealed[:size], sealed[size:], ownerOf(userID))
	if err != nil {
		return "", fmt.Errorf("open the secret of user %d, which another key may have sealed: %w", userID, err)
	}
	return string(secret), nil
}

func ownerOf(userID int64) []byte { return strconv.AppendInt(nil, userID, 10) }
