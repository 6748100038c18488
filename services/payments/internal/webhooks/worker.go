package webhooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/pledges"
	"talkoot.fi/payments/internal/providers/stripe"
)

const (
	drainBatch       = 16
	drainConcurrency = 8
	eventTimeout     = 30 * time.Second
	// lease is how long an event is left to the worker that took it; longer than its timeout.
	lease        = 45 * time.Second
	firstRetry   = 2 * time.Second
	longestRetry = 10 * time.Minute
	maxErrorText = 500
	// retention of events that are done with.
	retention = 90 * 24 * time.Hour
)

// Drain asks a worker to process the stored events now.
func Drain() jobs.Task[struct{}] {
	return jobs.Define[struct{}]("webhooks:drain", jobs.Options{Queue: jobs.Critical, MaxRetry: jobs.NoRetry, Timeout: time.Minute})
}

// Worker processes stored events.
type Worker struct {
	DB      *gorm.DB
	Pledges *pledges.Service
	Stripe  *stripe.Client
	Now     func() time.Time
	Log     *slog.Logger
}

type stored struct {
	EventID  string
	Type     string
	ObjectID string
	IntentID string
	Attempts int
}

// Drain processes what is stored and due, until nothing is. Several workers may do it at once. An event that cannot be
// processed is logged and comes again, after growing pauses.
func (w *Worker) Drain(ctx context.Context) error {
	for ctx.Err() == nil {
		events, err := w.claim(ctx)
		if err != nil || len(events) == 0 {
			return err
		}
		var group errgroup.Group
		group.SetLimit(drainConcurrency)
		for _, e := range events {
			group.Go(func() error { return w.process(ctx, e) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// claim leases due events. Index webhook_events_waiting serves it; rows that another worker has locked are passed over.
func (w *Worker) claim(ctx context.Context) ([]stored, error) {
	var events []stored
	now := w.Now().UTC()
	err := w.DB.WithContext(ctx).Raw(`UPDATE webhook_events SET attempts = attempts + 1, next_attempt_at = ? WHERE event_id IN (
		SELECT event_id FROM webhook_events WHERE status = 'received' AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?
		FOR UPDATE SKIP LOCKED) RETURNING event_id, type, object_id, intent_id, attempts`, now.Add(lease), now, drainBatch).Scan(&events).Error
	if err != nil {
		return nil, fmt.Errorf("claim webhook events: %w", err)
	}
	return events, nil
}

// process hands one event on and writes down what came of it. Its error is that of the database only.
func (w *Worker) process(ctx context.Context, e stored) error {
	handling, cancel := context.WithTimeout(context.WithoutCancel(ctx), eventTimeout)
	defer cancel()
	fault := w.handle(handling, e)
	var err error
	if fault == nil {
		err = w.DB.WithContext(handling).Exec(`UPDATE webhook_events SET status = ?, processed_at = ?, last_error = '' WHERE event_id = ?`,
			statusProcessed, w.Now().UTC(), e.EventID).Error
	} else {
		again := min(firstRetry<<min(e.Attempts-1, 10), longestRetry)
		w.Log.WarnContext(ctx, "webhook event not processed", "event_id", e.EventID, "type", e.Type, "attempt", e.Attempts, "again_in", again, "error", fault)
		err = w.DB.WithContext(handling).Exec(`UPDATE webhook_events SET next_attempt_at = ?, last_error = left(?, ?) WHERE event_id = ? AND status = ?`,
			w.Now().UTC().Add(again), fault.Error(), maxErrorText, e.EventID, statusReceived).Error
	}
	if err != nil {
		return fmt.Errorf("mark event %s: %w", e.EventID, err)
	}
	return nil
}

func (w *Worker) handle(ctx context.Context, e stored) error {
	paymentID, err := w.Pledges.FindByProviderID(ctx, e.ObjectID, e.IntentID)
	if err != nil {
		return err
	}
	signal := pledges.SignalWebhook
	if subjectOf(e.Type) == subjectMoney {
		signal = pledges.SignalMoneyWebhook
	}
	if paymentID != "" {
		_, err := w.Pledges.Advance(ctx, paymentID, signal)
		return err
	}
	if e.IntentID == "" {
		return nil // a session that is not ours
	}
	in, err := w.Stripe.Intent(ctx, e.IntentID)
	if errors.Is(err, stripe.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return w.Pledges.Adopt(ctx, in, signal)
}

// Prune removes events that were done with longer than the retention ago.
func (w *Worker) Prune(ctx context.Context) error {
	err := w.DB.WithContext(ctx).Exec(`DELETE FROM webhook_events WHERE received_at < ? AND status <> 'received'`, w.Now().UTC().Add(-retention)).Error
	if err != nil {
		return fmt.Errorf("prune webhook events: %w", err)
	}
	return nil
}
