// Package idem makes a request with an idempotency key take effect once: the key, a hash of the request and the
// answer are written in the transaction of the effect, so there is never one without the other.
//
// It owns the table of DDL, which each service puts into its own migrations. What belongs to a scope (the caller and
// the call), what is hashed and how long keys are kept is the caller's decision.
package idem

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
)

// DDL is the table for a service's migrations. An answer without a status exists only inside the transaction that
// is making it.
const DDL = `
CREATE TABLE idempotency_keys (
    scope        text        NOT NULL,
    key          text        NOT NULL,
    request_hash bytea       NOT NULL,
    http_status  int,
    response     jsonb,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (scope, key),
    CONSTRAINT idempotency_keys_key_length CHECK (length(key) BETWEEN 1 AND 255)
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);
`

// MaxKeyLen is the longest key in characters.
const MaxKeyLen = 255

// Errors of Do beside those of the caller's function.
var (
	// ErrMismatch means that the key came before with another request.
	ErrMismatch = apperr.New(apperr.IdempotencyMismatch)
	// ErrUnanswered means that a caller of Do committed although Do returned an error; it is a fault of that caller.
	ErrUnanswered = errors.New("idempotency key was committed without an answer")
)

// Key says which request this is.
type Key struct {
	// Scope keeps the keys of different callers and calls apart: "POST /pledges/ user:42".
	Scope string
	// Key is the client's own, 1 to 255 characters.
	Key string
	// Hash is that of everything that decides the effect; see Hash.
	Hash []byte
}

// Response is the answer that a repeated request gets again. Its JSON keeps its meaning, not its spacing.
type Response struct {
	Status int
	Body   json.RawMessage
}

// Do runs fn once per key and returns its answer; a repetition with the same hash returns the stored answer and true
// without running fn. It needs the caller's transaction, in which fn also works. While one transaction works on a
// key, another with the same key waits for its end: it then replays the answer, or runs fn itself when the first
// rolled back.
//
// Any error means that the caller must roll back, which leaves the key free: failures store nothing. Errors:
// ErrMismatch, InvalidFields for a key that is empty or too long, those of fn, and those of the database.
func Do(ctx context.Context, tx *gorm.DB, key Key, fn func() (Response, error)) (Response, bool, error) {
	if err := checkKey(key.Key); err != nil {
		return Response{}, false, err
	}
	db := tx.WithContext(ctx)
	// Waits for a transaction that holds the same key (unique index); DO NOTHING keeps ours usable.
	insert := db.Exec(`INSERT INTO idempotency_keys (scope, key, request_hash) VALUES (?, ?, ?)
		ON CONFLICT (scope, key) DO NOTHING`, key.Scope, key.Key, key.Hash)
	if insert.Error != nil {
		return Response{}, false, fmt.Errorf("claim the idempotency key: %w", insert.Error)
	}
	if insert.RowsAffected == 0 {
		response, err := stored(db, key)
		return response, err == nil, err
	}
	response, err := fn()
	if err != nil {
		return Response{}, false, err
	}
	if len(response.Body) == 0 {
		response.Body = json.RawMessage("null")
	}
	update := db.Exec(`UPDATE idempotency_keys SET http_status = ?, response = ? WHERE scope = ? AND key = ?`,
		response.Status, string(response.Body), key.Scope, key.Key)
	if update.Error != nil {
		return Response{}, false, fmt.Errorf("store the answer: %w", update.Error)
	}
	return response, false, nil
}

func stored(db *gorm.DB, key Key) (Response, error) {
	var row struct {
		RequestHash []byte
		HTTPStatus  *int
		Response    []byte
	}
	err := db.Raw(`SELECT request_hash, http_status, response FROM idempotency_keys WHERE scope = ? AND key = ?`,
		key.Scope, key.Key).Take(&row).Error
	if err != nil {
		return Response{}, fmt.Errorf("read the stored answer: %w", err)
	}
	if !bytes.Equal(row.RequestHash, key.Hash) {
		return Response{}, ErrMismatch
	}
	if row.HTTPStatus == nil {
		return Response{}, ErrUnanswered
	}
	return Response{Status: *row.HTTPStatus, Body: row.Response}, nil
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

func checkKey(key string) error {
	const path = "Idempotency-Key"
	switch n := len([]rune(key)); {
	case n == 0:
		return apperr.New(apperr.InvalidFields).WithField(path, apperr.RuleRequired)
	case n > MaxKeyLen:
		return apperr.New(apperr.InvalidFields).WithField(path, apperr.RuleMaxLength, apperr.Params{"max": MaxKeyLen})
	}
	return nil
}
