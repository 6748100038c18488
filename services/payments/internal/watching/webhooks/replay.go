package webhooks

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/charging/payments"
)

// Replay has a stored event taken up again at once, whether it was processed or not: an event is a hint, and a second look at its object
// changes nothing. Errors: NotFound of one that is not stored any more, or was never ours.
func (s *Service) Replay(ctx context.Context, provider, key string, op payments.Operator) error {
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		done := tx.WithContext(ctx).Exec(`UPDATE webhook_events SET status = ?, next_attempt_at = ? WHERE provider = ? AND event_key = ? AND status IN (?, ?)`,
			statusReceived, s.now(), provider, key, statusReceived, statusProcessed)
		if done.Error != nil {
			return fmt.Errorf("replay an event: %w", done.Error)
		}
		if done.RowsAffected == 0 {
			return apperr.New(apperr.NotFound)
		}
		return s.payments.Keep(ctx, tx, "replay", op, map[string]string{"provider": provider, "event": key})
	})
	if err == nil {
		s.wake()
	}
	return err
}
