// Package idem makes a request with an idempotency key take effect once: the key, a hash of the request and the id of
// what it makes are written in the same transaction as the effect.
//
// It owns the table of DDL, which each service puts into its own migrations. What belongs to a scope (the caller and
// the call), what is hashed and how long keys are kept is the caller's decision.
package idem

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
)

// DDL is the table for a service's migrations.
const DDL = `
CREATE TABLE idempotency_keys (
    scope        text        NOT NULL,
    key          text        NOT NULL,
    request_hash bytea       NOT NULL,
    made         text        NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (scope, key),
    CONSTRAINT idempotency_keys_key_length CHECK (length(key) BETWEEN 1 AND 255)
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);
`

// MaxKeyLen is the longest key in characters.
const MaxKeyLen = 255

// ErrMismatch means that the key was used before for another request.
var ErrMismatch = apperr.New(apperr.IdempotencyMismatch)

// Key says which request this is.
type Key struct {
	// Scope keeps the keys of different callers and calls apart; see Scope.
	Scope string
	// Key is the client's own, 1 to 255 characters.
	Key string
	// Hash is that of everything that decides the effect; see Hash.
	Hash []byte
}

// Check validates the client's key. Error: InvalidFields for one that is empty or too long.
func (k Key) Check() error {
	const path = "Idempotency-Key"
	switch n := len([]rune(k.Key)); {
	case n == 0:
		return apperr.New(apperr.InvalidFields).WithField(path, apperr.RuleRequired)
	case n > MaxKeyLen:
		return apperr.New(apperr.InvalidFields).WithField(path, apperr.RuleMaxLength, apperr.Params{"max": MaxKeyLen})
	}
	return nil
}

// Scope is made of a call and its caller: a person, or an anonymous caller's address. Different callers can use the
// same key, so guessing somebody else's key neither reveals nor blocks anything. The caller is hashed.
func Scope(call, caller string) string {
	sum := sha256.Sum256([]byte(caller))
	return call + ":" + hex.EncodeToString(sum[:16])
}

// ClaimSQL claims a key in a statement whose CTE "made" makes something and returns its id. If the key is claimed
// already the whole statement fails, and Find returns what it made. With an empty @key nothing is claimed.
const ClaimSQL = `INSERT INTO idempotency_keys (scope, key, request_hash, made)
	SELECT @key_scope, @key, @key_hash, made.id FROM made WHERE @key <> ''`

// Claim claims a key for an effect in the caller's transaction; made is the id of what the effect makes. If the same
// request has claimed it before, it returns the id from then and true, and the caller skips the effect. A transaction
// with the same key waits until the first one ends, and gets the key if that is rolled back.
//
// If the effect fails the transaction must roll back, which frees the key. Errors: ErrMismatch, InvalidFields for a
// key that is empty or too long, and those of the database.
func Claim(ctx context.Context, tx *gorm.DB, key Key, made string) (before string, repeated bool, err error) {
	if err := key.Check(); err != nil {
		return "", false, err
	}
	// Waits for a concurrent transaction with the same key (unique index); DO NOTHING keeps this transaction usable.
	insert := tx.WithContext(ctx).Exec(`INSERT INTO idempotency_keys (scope, key, request_hash, made) VALUES (?, ?, ?, ?)
		ON CONFLICT (scope, key) DO NOTHING`, key.Scope, key.Key, key.Hash, made)
	if insert.Error != nil {
		return "", false, fmt.Errorf("claim the idempotency key: %w", insert.Error)
	}
	if insert.RowsAffected > 0 {
		return "", false, nil
	}
	before, repeated, err = Find(ctx, tx, key)
	if err == nil && !repeated {
		err = errors.New("the claimed idempotency key is not there")
	}
	return before, repeated, err
}

// Find returns what the earlier request with this key has made; false if the key is not claimed. Errors: ErrMismatch,
// and those of the database.
func Find(ctx context.Context, db *gorm.DB, key Key) (made string, found bool, err error) {
	var rows []struct {
		RequestHash []byte
		Made        string
	}
	err = db.WithContext(ctx).Raw(`SELECT request_hash, made FROM idempotency_keys WHERE scope = ? AND key = ?`, key.Scope, key.Key).Scan(&rows).Error
	switch {
	case err != nil:
		return "", false, fmt.Errorf("read the idempotency key: %w", err)
	case len(rows) == 0:
		return "", false, nil
	case !bytes.Equal(rows[0].RequestHash, key.Hash):
		return "", false, ErrMismatch
	}
	return rows[0].Made, true, nil
}

// Prune removes keys older than before and returns how many. A removed key can be used again.
func Prune(ctx context.Context, db *gorm.DB, before time.Time) (int64, error) {
	n, err := dbx.Prune(ctx, db, `idempotency_keys`, `created_at < ?`, before)
	if err != nil {
		return n, fmt.Errorf("prune idempotency keys: %w", err)
	}
	return n, nil
}

// Hash is the hash of a request's parts: path, body and whatever else decides the effect. Parts are hashed with their
// lengths.
func Hash(parts ...[]byte) []byte {
	sum := sha256.New()
	for _, part := range parts {
		_ = binary.Write(sum, binary.BigEndian, uint64(len(part))) // a hash's Write never fails
		sum.Write(part)
	}
	return sum.Sum(nil)
}
