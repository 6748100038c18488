// Package idem makes a request with an idempotency key take effect once: the key, a hash of the request and the name of
// what it makes are written in the transaction of the effect, so there is never one without the other.
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

// ErrMismatch means that the key came before with another request.
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

// Check says what is wrong with the client's key. Error: InvalidFields for one that is empty or too long.
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

// Scope names a call and its caller: a person, or where an anonymous caller is. The same key of two callers is two keys,
// so that who guesses another's gets nothing of theirs and takes nothing from them. The caller is hashed.
func Scope(call, caller string) string {
	sum := sha256.Sum256([]byte(caller))
	return call + ":" + hex.EncodeToString(sum[:16])
}

// ClaimSQL claims a key within a statement that makes something: the id that its part made returns. A key that is claimed already fails the
// whole statement, and Find tells what it made; an empty @key is none.
const ClaimSQL = `INSERT INTO idempotency_keys (scope, key, request_hash, made)
	SELECT @key_scope, @key, @key_hash, made.id FROM made WHERE @key <> ''`

// Claim takes a key for an effect of the caller's transaction, whose outcome is named made (an id). When the same
// request has claimed it before, it returns that one's name and true, and the caller leaves the effect alone. While one
// transaction holds a fresh claim, another with the same key waits for its end, and takes the key itself when the first
// rolled back.
//
// An effect that fails must roll back, which leaves the key free. Errors: ErrMismatch, InvalidFields for a key that is
// empty or too long, and those of the database.
func Claim(ctx context.Context, tx *gorm.DB, key Key, made string) (before string, repeated bool, err error) {
	if err := key.Check(); err != nil {
		return "", false, err
	}
	// Waits for a transaction that holds the same key (unique index); DO NOTHING keeps ours usable.
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

// Find gives what the earlier request with this key has made; false when none has claimed it. Errors: ErrMismatch, and those
// of the database.
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

// Prune removes keys older than before and returns how many. A removed key can be used anew.
func Prune(ctx context.Context, db *gorm.DB, before time.Time) (int64, error) {
	result := db.WithContext(ctx).Exec(`DELETE FROM idempotency_keys WHERE created_at < ?`, before)
	if result.Error != nil {
		return 0, fmt.Errorf("prune idempotency keys: %w", result.Error)
	}
	return result.RowsAffected, nil
}

// Hash is the fingerprint of a request's parts: path, body and whatever else decides the effect. Where one part ends
// and the next begins matters.
func Hash(parts ...[]byte) []byte {
	sum := sha256.New()
	for _, part := range parts {
		_ = binary.Write(sum, binary.BigEndian, uint64(len(part))) // a hash never fails to write
		sum.Write(part)
	}
	return sum.Sum(nil)
}
