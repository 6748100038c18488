//go:build unix

package harness

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"talkoot.fi/scripts/audit"
)

// LetHoldsLapse ends all reservations now, and the grace that the payments behind them have.
func (r *Harness) LetHoldsLapse(ctx context.Context) error {
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

// LetPausesEnd makes everything due now that waits for its next try or its next look: open payments, attempts, refunds,
// disputes, webhooks, events, mails, and the pass over the provider's lists, which a worker schedules once a minute.
func (r *Harness) LetPausesEnd(ctx context.Context) error {
	for _, sql := range []string{
		`UPDATE payments SET next_check_at = now() WHERE status IN ('created', 'requires_action', 'processing') AND next_check_at > now()`,
		`UPDATE attempts SET next_check_at = now() WHERE next_check_at > now()`,
		`UPDATE refunds SET next_check_at = now() WHERE next_check_at > now()`,
		`UPDATE disputes SET next_check_at = now() WHERE next_check_at > now()`,
		`UPDATE webhook_events SET next_attempt_at = now() WHERE status = 'received' AND next_attempt_at > now()`,
		`UPDATE outbox SET next_attempt_at = now() WHERE done_at IS NULL AND next_attempt_at > now()`,
		`DELETE FROM reconcile_runs WHERE name = 'reconcile:recent'`,
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

// What the platform has still to do by itself, counted by kind. A backer before a payment page and a bank with a
// dispute may take their time, so they do not count.
const (
	movingInContent = `
		SELECT 'messages of the content service', count(*) FROM outbox WHERE done_at IS NULL
		UNION ALL SELECT 'lapsed pledges', count(*) FROM pledges WHERE status IN ('created', 'awaiting_payment') AND reserved_until < now()`
	movingInPayments = `
		SELECT 'stored webhooks', count(*) FROM webhook_events WHERE status = 'received'
		UNION ALL SELECT 'messages of the payment service', count(*) FROM outbox WHERE done_at IS NULL
		UNION ALL SELECT 'lapsed payments', count(*) FROM payments
			WHERE status IN ('created', 'requires_action') AND closing_at IS NULL AND closes_at <= now()
		UNION ALL SELECT 'live attempts of payments that are over', count(*) FROM attempts a JOIN payments p ON p.id = a.payment_id
			WHERE a.status IN ('creating', 'open') AND (p.closing_at IS NOT NULL OR p.status NOT IN ('created', 'requires_action', 'processing'))
		UNION ALL SELECT 'pages to be made', count(*) FROM attempts WHERE status = 'creating' AND next_check_at IS NOT NULL
		UNION ALL SELECT 'fees to be learned', count(*) FROM attempts WHERE status IN ('succeeded', 'held') AND next_check_at IS NOT NULL
		UNION ALL SELECT 'refunds to be sent', count(*) FROM refunds r WHERE next_check_at <= now() OR status = 'creating'
			AND NOT EXISTS (SELECT FROM disputes d WHERE d.attempt_id = r.attempt_id AND d.status = 'open')
		UNION ALL SELECT 'disputes to be asked about', count(*) FROM disputes
			WHERE next_check_at <= now() OR status IN ('won', 'closed') AND withdrawn_minor > 0`
)

// settled is nil when nothing is on its way.
func (r *Harness) settled(ctx context.Context) error {
	waiting, err := r.undelivered(ctx)
	if err == nil && waiting > 0 {
		err = fmt.Errorf("%d webhooks are on their way", waiting)
	}
	if err != nil {
		return err
	}
	// In this order, so that a closing which is just being told is seen on one of the two sides.
	return errors.Join(none(ctx, r.Content, movingInContent), none(ctx, r.Payments, movingInPayments))
}

// none is nil when all of a query's numbers are 0.
func none(ctx context.Context, db *pgxpool.Pool, sql string) error {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return fmt.Errorf("look what is on its way: %w", err)
	}
	var what string
	var number int64
	var moving []error
	_, err = pgx.ForEachRow(rows, []any{&what, &number}, func() error {
		if number > 0 {
			moving = append(moving, fmt.Errorf("%d %s", number, what))
		}
		return nil
	})
	return errors.Join(append(moving, err)...)
}

// pushEvery is how often Quiet and Rest make due what waits for its next try after a fault: the platform's own waiting
// times grow to hours. It is longer than any try takes, so that nothing is tried twice at once.
const pushEvery = 10 * time.Second

// Quiet waits until nothing is on its way and also is nil, for at most limit.
func (r *Harness) Quiet(ctx context.Context, limit time.Duration, also func(context.Context) error) error {
	return r.await(ctx, limit, func(ctx context.Context) error {
		if err := r.settled(ctx); err != nil {
			return err
		}
		return also(ctx)
	})
}

// Rest waits until nothing is on its way and the books are in order, for at most limit. The report is that of the last
// audit; its findings are an error only when the time is up.
func (r *Harness) Rest(ctx context.Context, limit time.Duration) (report audit.Report, err error) {
	err = r.await(ctx, limit, func(ctx context.Context) error {
		err := r.settled(ctx)
		if err == nil {
			report, err = r.audit(ctx)
		}
		return err
	})
	return report, err
}

// await calls ask until it returns nil, and meanwhile cuts the pauses between retries short.
func (r *Harness) await(ctx context.Context, limit time.Duration, ask func(context.Context) error) error {
	deadline := time.Now().Add(limit)
	push := time.Now().Add(pushEvery)
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := ask(ctx)
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("not at rest after %s: %w", limit, err)
		}
		if time.Now().After(push) {
			push = time.Now().Add(pushEvery)
			if err := r.LetPausesEnd(ctx); err != nil && ctx.Err() != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		case <-time.After(pause):
		}
	}
}

// audit runs the audit once.
func (r *Harness) audit(ctx context.Context) (audit.Report, error) {
	report, err := audit.Run(ctx, audit.Sources{
		ContentURL: r.Env["CONTENT_DATABASE_URL"], PaymentsURL: r.Env["PAYMENTS_DATABASE_URL"],
		Provider: r.Env["STRIPE_API_URL"], Key: r.Env["STRIPE_SECRET_KEY"],
	})
	return report, errors.Join(err, report.Err())
}
