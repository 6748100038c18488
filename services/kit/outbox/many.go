package outbox

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/tracing"
)

// AddAll writes messages without streams in the caller's transaction, in one statement and in their order. Those whose dedupe key is there
// already change nothing.
func AddAll(ctx context.Context, tx *gorm.DB, messages []Message) error {
	if len(messages) == 0 {
		return nil
	}
	type row struct {
		Kind    string          `json:"kind"`
		Payload json.RawMessage `json:"payload"`
		Key     string          `json:"key"`
	}
	rows := make([]row, len(messages))
	for i, m := range messages {
		if m.Kind == "" || !json.Valid(m.Payload) || m.Stream != "" {
			return fmt.Errorf("message %d: %w", i, ErrInvalid)
		}
		rows[i] = row{m.Kind, m.Payload, m.DedupeKey}
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("encode messages: %w", err)
	}
	err = tx.WithContext(ctx).Exec(`
		INSERT INTO outbox (kind, payload, dedupe_key, next_attempt_at, traceparent)
		SELECT m ->> 'kind', m -> 'payload', nullif(m ->> 'key', ''), 'epoch', nullif(?, '')
		FROM jsonb_array_elements(CAST(? AS jsonb)) WITH ORDINALITY AS list (m, place)
		ORDER BY place ON CONFLICT (dedupe_key) DO NOTHING`, tracing.Carried(ctx), string(list)).Error
	if err != nil {
		return fmt.Errorf("add %d messages to the outbox: %w", len(rows), err)
	}
	return nil
}
