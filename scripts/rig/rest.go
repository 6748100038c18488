//go:build unix

package rig

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/scripts/books"
)

// LetHoldsLapse lets the time of all reservations be over, and of the payments behind them with their grace.
func (r *Rig) LetHoldsLapse(ctx context.Context) error {
	_, err := r.Content.Exec(ctx, `UPDATE pledges SET reserved_until = now() - interval '1 second'
		WHERE status IN ('created', 'awaiting_payment')`)
	if err != nil {
		return fmt.Errorf("let reservations lapse: %w", err)
	}
	_, err = r.Payments.Exec(ctx, `UPDATE payments SET closes_at = now() - interval '1 second'
		WHERE status IN ('created', 'requires_action') AND closing_at IS NULL`)
	if err != nil {
		return fmt.Errorf("let payments lapse: %w", err)
	}
	return nil
}

// LetPausesEnd makes everything due now that waits for its next try: checks of open payments, events, mails, refunds.
func (r *Rig) LetPausesEnd(ctx context.Context) error {
	for _, sql := range []string{
		`UPDATE payments SET next_check_at = now() WHERE status IN ('created', 'requires_action', 'processing') AND next_check_at > now()`,
		`UPDATE attempts SET next_check_at = now() WHERE next_check_at > now()`,
		`UPDATE refunds SET next_check_at = now() WHERE next_check_at > now()`,
		`UPDATE webhook_events SET next_attempt_at = now() WHERE status = 'received' AND next_attempt_at > now()`,
		`UPDATE outbox SET next_attempt_at = now() WHERE done_at IS NULL AND next_attempt_at > now()`,
	} {
		if _, err := r.Payments.Exec(ctx, sql); err != nil {
			return fmt.Errorf("let pauses end: %w", err)
		}
	}
	if _, err := r.Content.Exec(ctx, `UPDATE outbox SET next_attempt_at = now() WHERE done_at IS NULL AND next_attempt_at > now()`); err != nil {
		return fmt.Errorf("let pauses end: %w", err)
	}
	return nil
}

// pushEvery is how often Rest ends the pauses of what failed while something was broken: the platform's own pauses grow
// to minutes, and no drill has to wait for them. It is longer than any try takes, so that nothing is tried twice at once.
const pushEvery = 10 * time.Second

// Rest waits until nothing is on its way and the books are in order, for at most limit. The report is that of the last
// audit; its findings are an error only when the time is up.
func (r *Rig) Rest(ctx context.Context, limit time.Duration) (books.Report, error) {
	deadline := time.Now().Add(limit)
	push := time.Now().Add(pushEvery)
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		report, err := r.audit(ctx)
		if err == nil {
			return report, nil
		}
		if time.Now().After(deadline) {
			return report, fmt.Errorf("not at rest after %s: %w", limit, err)
		}
		if time.Now().After(push) {
			push = time.Now().Add(pushEvery)
			if err := r.LetPausesEnd(ctx); err != nil && ctx.Err() != nil {
				return report, err
			}
		}
		select {
		case <-ctx.Done():
			return report, errors.Join(context.Cause(ctx), err)
		case <-time.After(pause):
		}
	}
}

// audit looks once.
func (r *Rig) audit(ctx context.Context) (books.Report, error) {
	waiting, err := r.undelivered(ctx)
	if err != nil {
		return books.Report{}, err
	}
	if waiting > 0 {
		return books.Report{}, fmt.Errorf("%d webhooks are on their way", waiting)
	}
	report, err := books.Run(ctx, books.Sources{
		ContentURL: r.Env["CONTENT_DATABASE_URL"], PaymentsURL: r.Env["PAYMENTS_DATABASE_URL"],
		Provider: r.Env["STRIPE_API_URL"], Key: r.Env["STRIPE_SECRET_KEY"],
	})
	return report, errors.Join(err, report.Err())
}
