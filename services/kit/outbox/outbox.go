// Package outbox is the transactional outbox: Add writes a message (an event for the other service, a mail) in the
// transaction that causes it, and a Relay delivers it afterwards.
//
// Delivery is at least once: a crash may repeat a message and never loses one, so receivers ignore repetitions by the
// message's id or dedupe key. No transaction and no row lock is held while a handler runs; a claimed message is leased
// instead, and is due again when the lease ends. Failed messages are retried for ever, with growing pauses; after
// Config.AlarmAfter failures they are logged at level error.
//
// Messages of one stream are delivered in the order of their ids, the next only when the one before is done. Writers
// of a stream must come one after the other, as they do when they lock the row of the entity that the stream is
// about; otherwise a lower id can become visible after a higher one was delivered.
package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/tracing"
)

// DDL is the table for a service's migrations. A new message is due at once, whatever the difference of clocks; hence
// 'epoch'.
const DDL = `
CREATE TABLE outbox (
    id              bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT outbox_pkey PRIMARY KEY,
    kind            text        NOT NULL,
    stream          text,
    payload         jsonb       NOT NULL,
    dedupe_key      text        CONSTRAINT outbox_dedupe_key UNIQUE,
    created_at      timestamptz NOT NULL DEFAULT now(),
    attempts        int         NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT 'epoch',
    last_error      text,
    done_at         timestamptz,
    traceparent     text
);
CREATE INDEX outbox_undone ON outbox (id) WHERE done_at IS NULL;
CREATE INDEX outbox_undone_stream ON outbox (stream, id) WHERE done_at IS NULL AND stream IS NOT NULL;
CREATE INDEX outbox_done ON outbox (done_at) WHERE done_at IS NOT NULL;
`

// Message is one message of the outbox.
type Message struct {
	// ID orders messages and is set by Add.
	ID int64
	// Kind chooses the handler.
	Kind string
	// Stream, when not empty, keeps messages of the same stream in order: "payment:42".
	Stream string
	// Payload is JSON: ids, and values that must be those of this moment, not whole entities.
	Payload json.RawMessage
	// DedupeKey, when not empty, lets a second Add with the same key change nothing while the first is kept.
	DedupeKey string
	// Attempt counts deliveries, this one included; it is set by the Relay.
	Attempt int
	// CreatedAt is set by the database.
	CreatedAt time.Time
	// Traceparent is the trace that the message was added in, and is delivered in; it is set by Add.
	Traceparent string
}

// ErrInvalid is what Add returns for a message without a kind or with a payload that is not JSON.
var ErrInvalid = errors.New("outbox message needs a kind and a JSON payload")

// Add writes a message in the caller's transaction and returns its id. With a dedupe key that is already there it
// changes nothing and returns the id of that message, after waiting for a concurrent transaction that adds it.
func Add(ctx context.Context, tx *gorm.DB, m Message) (int64, error) {
	if m.Kind == "" || !json.Valid(m.Payload) {
		return 0, ErrInvalid
	}
	db := tx.WithContext(ctx)
	var ids []int64
	err := db.Raw(`INSERT INTO outbox (kind, stream, payload, dedupe_key, next_attempt_at, traceparent)
		VALUES (@kind, nullif(@stream, ''), @payload, nullif(@dedupe_key, ''), 'epoch', nullif(@traceparent, ''))
		ON CONFLICT (dedupe_key) DO NOTHING RETURNING id`,
		map[string]any{"kind": m.Kind, "stream": m.Stream, "payload": string(m.Payload), "dedupe_key": m.DedupeKey,
			"traceparent": tracing.Carried(ctx)},
	).Scan(&ids).Error
	if err == nil && len(ids) == 0 {
		err = db.Raw(`SELECT id FROM outbox WHERE dedupe_key = ?`, m.DedupeKey).Scan(&ids).Error
	}
	if err != nil {
		return 0, fmt.Errorf("add %s to the outbox: %w", m.Kind, err)
	}
	if len(ids) == 0 { // the earlier one was pruned between the two statements
		return 0, fmt.Errorf("add %s to the outbox: dedupe key %q was just released", m.Kind, m.DedupeKey)
	}
	return ids[0], nil
}
