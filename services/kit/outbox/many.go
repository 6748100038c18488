package outbox

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"
)

// AddAll writes messages without streams and dedupe keys in the caller's transaction, in one statement and in their
// order.
func AddAll(ctx context.Context, tx *gorm.DB, messages []Message) error {
	if len(messages) == 0 {
		return nil
	}
	type row struct {
		Kind    string          `json:"kind"`
		Payload json.RawMessage `json:"payload"`
	}
	rows := make([]row, len(messages))
	for i, m := range messages {
		if m.Kind == "" || !json.Valid(m.Payload) || m.Stream != "" || m.DedupeKey != "" {
			return fmt.Errorf("message %d: %w", i, ErrInvalid)
		}
		rows[i] = row{m.Kind, m.Payload}
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("encode messages: %w", err)
	}
	err = tx.WithContext(ctx).Exec(`
		INSERT INTO outbox (kind, payload, next_attempt_at)
		SELECT m ->> 'kind', m -> 'payload', 'epoch' FROM jsonb_array_elements(CAST(? AS jsonb)) WITH ORDINALITY AS list (m, place)
		ORDER BY place`, string(list)).Error
	if err != nil {
		return fmt.Errorf("add %d messages to the outbox: %w", len(rows), err)
	}
	return nil
}
