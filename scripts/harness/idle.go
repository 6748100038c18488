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

// ExpireHolds moves the deadlines of all reservations and of their payments into the past; months that wait for a better card
// go on waiting.
func (r *Harness) ExpireHolds(ctx context.Context) error {
	_, err := r.Content.Exec(ctx, `UPDATE pledges SET reserved_until = now() - interval '1 second'
		WHERE status IN ('created', 'awaiting_payment')`)
	if err != nil {
		return fmt.Errorf("let reservations lapse: %w", err)
	}
	_, err = r.Payments.Exec(ctx, `UPDATE payments SET closes_at = now() - interval '1 second'
		WHERE status IN ('created', 'requires_action') AND closing_at IS NULL AND subject_kind = 'pledge'`)
	if err != nil {
		return fmt.Errorf("let payments lapse: %w", err)
	}
	return nil
}

// MakeDue makes everything due now that waits for its next retry or check: open payments, attempts, refunds, disputes, months,
// webhooks here and at the providers, events, mails, and the pass over the provider's lists, which a worker schedules once a minute.
func (r *Harness) MakeDue(ctx context.Context) error {
	for _, sql := range []string{
		`UPDATE payments SET next_check_at = now() WHERE status IN ('created', 'requires_action', 'processing') AND next_check_at > now()`,
		`UPDATE attempts SET next_check_at = now() WHERE next_check_at > now()`,
		`UPDATE refunds SET next_check_at = now() WHERE next_check_at > now()`,
		`UPDATE disputes SET next_check_at = now() WHERE next_check_at > now()`,
		`UPDATE webhook_events SET next_attempt_at = now() WHERE status = 'received' AND next_attempt_at > now()`,
		// Also what a worker that was killed has had for 15 s of its minute; steps of a living one take less.
		`UPDATE subscriptions SET step_at = now() WHERE step_at > now() AND (faults > 0 OR step_at < now() + interval '45 seconds')`,
		`UPDATE outbox SET next_attempt_at = now() WHERE done_at IS NULL AND next_attempt_at > now()`,
		`DELETE FROM reconcile_runs WHERE name = 'reconcile:recent'`,
	} {
		if _, err := r.Payments.Exec(ctx, sql); err != nil {
			return fmt.Errorf("let pauses end: %w", err)
		}
	}
	if err := r.retryWebhooks(ctx); err != nil {
		return err
	}
	if _, err := r.Content.Exec(ctx, `UPDATE outbox SET next_attempt_at = now() WHERE done_at IS NULL AND next_attempt_at > now()`); err != nil {
		return fmt.Errorf("let pauses end: %w", err)
	}
	return nil
}

// What the platform still has to do by itself, counted by kind. What waits for a backer before a payment page or for a
// bank with a dispute does not count.
const (
	pendingInContent = `
		SELECT 'messages of the content service', count(*) FROM outbox WHERE done_at IS NULL
		UNION ALL SELECT 'lapsed pledges', count(*) FROM pledges WHERE status IN ('created', 'awaiting_payment') AND reserved_until < now()`
	pendingInPayments = `
		SELECT 'stored webhooks', count(*) FROM webhook_events WHERE status = 'received'
		UNION ALL SELECT 'messages of the payment service', count(*) FROM outbox WHERE done_at IS NULL
		UNION ALL SELECT 'lapsed payments', count(*) FROM payments
			WHERE status IN ('created', 'requires_action') AND closing_at IS NULL AND closes_at <= now()
		UNION ALL SELECT 'live attempts of payments that are over', count(*) FROM attempts a JOIN payments p ON p.id = a.payment_id
			WHERE a.status IN ('creating', 'open') AND (p.closing_at IS NOT NULL OR p.status NOT IN ('created', 'requires_action', 'processing'))
		-- also those that a worker has for a minute at most, who may have been killed
		UNION ALL SELECT 'subscriptions to be looked after', count(*) FROM subscriptions
			WHERE step_at <= now() + interval '1 minute' OR faults > 0
		UNION ALL SELECT 'charges without an answer', count(*) FROM subscription_tries WHERE outcome = 'unknown'
		UNION ALL SELECT 'months to be ended', count(*) FROM subscription_periods WHERE is_ending
		UNION ALL SELECT 'pages to be made', count(*) FROM attempts WHERE status = 'creating' AND next_check_at IS NOT NULL
		UNION ALL SELECT 'fees to be learned', count(*) FROM attempts WHERE status IN ('succeeded', 'held') AND next_check_at IS NOT NULL
		UNION ALL SELECT 'refunds to be sent', count(*) FROM refunds r WHERE next_check_at <= now() OR status = 'creating'
			AND NOT EXISTS (SELECT FROM disputes d WHERE d.attempt_id = r.attempt_id AND d.status = 'open')
		UNION ALL SELECT 'disputes to be asked about', count(*) FROM disputes
			WHERE next_check_at <= now() OR status IN ('won', 'closed') AND withdrawn_minor > 0`
)

// settled is nil when no work is pending.
func (r *Harness) settled(ctx context.Context) error {
	waiting, err := r.undelivered(ctx)
	if err == nil && waiting > 0 {
		err = fmt.Errorf("%d webhooks are on their way", waiting)
	}
	if err != nil {
		return err
	}
	// Content first: a release that is delivered between the two queries is seen in the payments database.
	return errors.Join(none(ctx, r.Content, pendingInContent), none(ctx, r.Payments, pendingInPayments))
}

// none is nil when all of a query's numbers are 0.
func none(ctx context.Context, db *pgxpool.Pool, sql string) error {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return fmt.Errorf("look what is on its way: %w", err)
	}
	var what string
	var number int64
	var pending []error
	_, err = pgx.ForEachRow(rows, []any{&what, &number}, func() error {
		if number > 0 {
			pending = append(pending, fmt.Errorf("%d %s", number, what))
		}
		return nil
	})
	return errors.Join(append(pending, err)...)
}

// pushEvery is how often AwaitIdle and AwaitAudit make pending retries due: the platform's own pauses between retries
// grow to hours. It is longer than any try takes, so that nothing is tried twice at once.
const pushEvery = 10 * time.Second

// AwaitIdle waits until no work is pending and also returns nil, for at most limit.
func (r *Harness) AwaitIdle(ctx context.Context, limit time.Duration, also func(context.Context) error) error {
	return r.await(ctx, limit, func(ctx context.Context) error {
		return errors.Join(also(ctx), r.settled(ctx))
	})
}

// AwaitAudit waits until no work is pending and the audit finds nothing, for at most limit. The report is that of the
// last audit; its findings are an error only when the time is up.
func (r *Harness) AwaitAudit(ctx context.Context, limit time.Duration) (report audit.Report, err error) {
	err = r.await(ctx, limit, func(ctx context.Context) error {
		err := r.settled(ctx)
		if err == nil {
			report, err = r.audit(ctx)
		}
		return err
	})
	return report, err
}

// await repeats ask until it returns nil, and meanwhile makes pending retries due.
func (r *Harness) await(ctx context.Context, limit time.Duration, ask func(context.Context) error) error {
	deadline := time.Now().Add(limit)
	push := time.Now().Add(pushEvery)
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 250*time.Millisecond) {
		err := ask(ctx)
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("not at rest after %s: %w", limit, err)
		}
		if time.Now().After(push) {
			push = time.Now().Add(pushEvery)
			if err := r.MakeDue(ctx); err != nil && ctx.Err() != nil {
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
		Content: r.Content, Payments: r.Payments,
		Provider: r.Env["STRIPE_API_URL"], Key: r.Env["STRIPE_SECRET_KEY"],
		Mangopay: audit.Mangopay{URL: r.Env["MANGOPAY_API_URL"], ClientID: r.Env["MANGOPAY_CLIENT_ID"], Key: r.Env["MANGOPAY_API_KEY"]},
	})
	return report, errors.Join(err, report.Err())
}
