package session

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Signer makes access tokens. It is safe for concurrent use.
type Signer struct {
	key   ed25519.PrivateKey
	older []ed25519.PrivateKey
	keyID string
	now   func() time.Time
}

// NewSigner makes a Signer. The key's id is the thumbprint of its public half (RFC 7638), so that it follows from the
// key and changes with it. What keys of before have signed is still good.
func NewSigner(key ed25519.PrivateKey, now func() time.Time, older ...ed25519.PrivateKey) *Signer {
	return &Signer{key: key, older: older, keyID: thumbprint(key.Public().(ed25519.PublicKey)), now: now}
}

// ParseKeys reads private keys, each as ParseKey does: the one in use, and those of before.
func ParseKeys(texts []string) (current ed25519.PrivateKey, older []ed25519.PrivateKey, err error) {
	if len(texts) == 0 {
		return nil, nil, errors.New("signing key: none")
	}
	for i, text := range texts {
		key, err := ParseKey(text)
		if err != nil {
			return nil, nil, err
		}
		if i == 0 {
			current = key
		} else {
			older = append(older, key)
		}
	}
	return current, older, nil
}

// ParseKey reads a private key: PKCS #8 in PEM ("openssl genpkey -algorithm ed25519"), or the 32-byte seed in base64.
// Its error does not contain the key.
func ParseKey(text string) (ed25519.PrivateKey, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "-----BEGIN") {
		block, _ := pem.Decode([]byte(text))
		if block == nil {
			return nil, errors.New("signing key: not PEM")
		}
		parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			return nil, errors.New("signing key: not PKCS #8")
		}
		key, ok := parsed.(ed25519.PrivateKey)
		if !ok {
			return nil, fmt.Errorf("signing key: %T instead of Ed25519", parsed)
		}
		return key, nil
	}
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding, base64.RawStdEncoding, base64.URLEncoding} {
		if seed, err := enc.DecodeString(text); err == nil {
			if len(seed) != ed25519.SeedSize {
				return nil, fmt.Errorf("signing key: a seed of %d bytes instead of %d", len(seed), ed25519.SeedSize)
			}
			return ed25519.NewKeyFromSeed(seed), nil
		}
	}
	return nil, errors.New("signing key: neither PEM nor a base64 seed")
}

// Sign makes a token for the user and session of id, and returns when it expires, in UTC: after Lifetime.
func (s *Signer) Sign(id Identity) (token string, expiresAt time.Time, err error) {
	now := s.now().UTC().Truncate(time.Second)
	expiresAt = now.Add(Lifetime)
	t := jwt.NewWithClaims(jwt.SigningMethodEdDSA, &claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer:    Issuer,
			Audience:  jwt.ClaimStrings{Audience},
			Subject:   strconv.FormatInt(id.UserID, 10),
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(expiresAt),
		},
		SessionID: id.SessionID,
	})
	t.Header["kid"] = s.keyID
	token, err = t.SignedString(s.key)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("sign access token of user %d: %w", id.UserID, err)
	}
	return token, expiresAt, nil
}

// Secret derives a key of 32 bytes for another purpose from the signing key (HKDF); it does not reveal the signing
// key.
func (s *Signer) Secret(purpose string) []byte { return Derive(s.key.Seed(), purpose) }

// Secrets are Secret, and what it was with the keys of before, the latest first.
func (s *Signer) Secrets(purpose string) [][]byte {
	var all [][]byte
	for _, key := range s.all() {
		all = append(all, Derive(key.Seed(), purpose))
	}
	return all
}

// Derive makes a key of 32 bytes for one purpose from a secret (HKDF).
func Derive(from []byte, purpose string) []byte {
	secret, err := hkdf.Key(sha256.New, from, nil, purpose, sha256.Size)
	if err != nil { // only for a length that HKDF cannot give
		panic(err)
	}
	return secret
}

func (s *Signer) all() []ed25519.PrivateKey {
	return slices.Concat([]ed25519.PrivateKey{s.key}, s.older)
}

// Keys are the public keys that verify this signer's tokens, those of before included.
func (s *Signer) Keys() StaticKeys {
	keys := StaticKeys{}
	for _, key := range s.all() {
		public := key.Public().(ed25519.PublicKey) //nolint:forcetypeassert // an Ed25519 key has no other
		keys[thumbprint(public)] = public
	}
	return keys
}

// JWKS is the document that the service publishes.
func (s *Signer) JWKS() (set KeySet) {
	for _, key := range s.all() {
		public := key.Public().(ed25519.PublicKey) //nolint:forcetypeassert // an Ed25519 key has no other
		set.Keys = append(set.Keys, Key{KeyType: "OKP", Curve: "Ed25519", Use: "sig", Algorithm: "EdDSA", KeyID: thumbprint(public),
			X: base64.RawURLEncoding.EncodeToString(public)})
	}
	return set
}

// thumbprint is RFC 7638 for an OKP key (RFC 8037, appendix A.3): the members in alphabetical order, nothing else.
func thumbprint(key ed25519.PublicKey) string {
	x := base64.RawURLEncoding.EncodeToString(key)
	sum := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + x + `"}`))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
