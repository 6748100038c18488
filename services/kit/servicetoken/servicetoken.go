// Package servicetoken authenticates calls between the services: short-lived JWTs (HS256), signed with a shared
// secret, that name the caller (iss) and the callee (aud).
//
// Invariants: only HS256 is accepted; a token works for one caller and one callee only; it lives 60 s. Both clocks may
// differ by up to 5 minutes, so a verifier accepts a token from 5 minutes before its making to 5 minutes after its
// end: a leaked token works for at most 11 minutes and only inside the network, which is the price of tolerating wrong
// clocks.
//
// It leaves to others: keeping internal calls off the public address.
package servicetoken

import (
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"talkoot.fi/kit/apperr"
)

const (
	// Lifetime of a token.
	Lifetime = time.Minute
	// Leeway is how far the clocks of two services may differ.
	Leeway = 5 * time.Minute
	// MinSecretBytes is the least length of the shared secret: that of the hash (RFC 7518, section 3.2).
	MinSecretBytes = 32
)

// The services that call each other.
const (
	Content  = "content"
	Payments = "payments"
)

// Signer makes the tokens of one service. It is safe for concurrent use.
type Signer struct {
	secret []byte
	issuer string
	now    func() time.Time
}

// NewSigner makes a Signer for the calling service. Errors: a secret of fewer than 32 bytes.
func NewSigner(secret []byte, issuer string, now func() time.Time) (*Signer, error) {
	if err := checkSecret(secret); err != nil {
		return nil, err
	}
	return &Signer{secret: secret, issuer: issuer, now: now}, nil
}

// Sign makes a token for a call to the service named audience.
func (s *Signer) Sign(audience string) (string, error) {
	now := s.now()
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Issuer:    s.issuer,
		Audience:  jwt.ClaimStrings{audience},
		IssuedAt:  jwt.NewNumericDate(now),
		ExpiresAt: jwt.NewNumericDate(now.Add(Lifetime)),
	}).SignedString(s.secret)
	if err != nil {
		return "", fmt.Errorf("sign service token for %s: %w", audience, err)
	}
	return token, nil
}

// Verifier checks the tokens that one service receives. It is safe for concurrent use.
type Verifier struct {
	secrets jwt.VerificationKeySet
	parser  *jwt.Parser
}

// NewVerifier makes a Verifier for the service named audience, of calls by the service named issuer. While the secret is replaced, other secrets
// are as good: each service has to take both before either signs with the new one. Errors: a secret of fewer than 32 bytes.
func NewVerifier(secret []byte, issuer, audience string, now func() time.Time, others ...[]byte) (*Verifier, error) {
	var all jwt.VerificationKeySet
	for _, one := range append([][]byte{secret}, others...) {
		if err := checkSecret(one); err != nil {
			return nil, err
		}
		all.Keys = append(all.Keys, one)
	}
	return &Verifier{secrets: all, parser: jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithIssuer(issuer),
		jwt.WithAudience(audience),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(),
		jwt.WithLeeway(Leeway),
		jwt.WithTimeFunc(now),
	)}, nil
}

// Verify checks a token. Errors: NotAuthenticated, whatever is wrong with it.
func (v *Verifier) Verify(token string) error {
	var claims jwt.RegisteredClaims
	if _, err := v.parser.ParseWithClaims(token, &claims, func(*jwt.Token) (any, error) { return v.secrets, nil }); err != nil {
		return apperr.New(apperr.NotAuthenticated).Wrap(err)
	}
	// A token that lives longer than ours was not made by this package.
	if claims.IssuedAt == nil || claims.ExpiresAt.Sub(claims.IssuedAt.Time) > Lifetime {
		return apperr.New(apperr.NotAuthenticated).Wrap(errors.New("service token lives too long"))
	}
	return nil
}

func checkSecret(secret []byte) error {
	if len(secret) < MinSecretBytes {
		return fmt.Errorf("service secret has %d bytes, at least %d are needed", len(secret), MinSecretBytes)
	}
	return nil
}
