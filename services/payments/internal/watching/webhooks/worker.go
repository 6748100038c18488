package webhooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/tracing"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/wake"
)

const (
	// lease is how long an event is left to the worker that took it: its timeout and the time to write it down. It is
	// also how long the events of a worker that was killed wait.
	lease        = 20 * time.Second
	claimTimeout = 4 * time.Second
	firstRetry   = 2 * time.Second
	longestRetry = 10 * time.Minute
	maxErrorText = 500
	// markTimeout bounds writing down what came of an event.
	markTimeout = 4 * time.Second
	// retention is how long processed, ignored and refused events are kept.
	retention = 90 * 24 * time.Hour
)

// Drain asks a worker to process the stored events now.
func Drain() jobs.Task[struct{}] {
	return jobs.Define[struct{}]("webhooks:drain", jobs.Options{Queue: jobs.Critical, MaxRetry: jobs.NoRetry,
		Timeout: 5 * time.Second})
}

type stored struct {
	Provider   string
	EventKey   string
	Type       string
	About      provider.About
	ObjectRef  string
	MoneyRef   string
	Attempts   int
	ReceivedAt time.Time
	// Traceparent is the trace of the request that brought it.
	Traceparent string
}

// Run processes stored events until ctx ends, whenever waker or the interval says so; what is at work then is finished,
// within the event's timeout. Several workers may run.
func (s *Service) Run(ctx context.Context, waker *wake.Waker, interval time.Duration) error {
	loop := s.loop()
	defer loop.Wait()
	for waker.Wait(ctx, interval) {
		if _, err := loop.Start(ctx); err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "webhook events wait", "error", err)
		}
	}
	return nil
}

// Drain processes what is stored and due, and returns when that is done.
func (s *Service) Drain(ctx context.Context) error {
	loop := s.loop()
	defer loop.Wait()
	_, err := loop.Start(ctx)
	return err
}

// loop works on stored events. One that cannot be processed is logged and comes again, after growing pauses.
func (s *Service) loop() *jobs.Loop[stored] {
	return jobs.NewLoop(s.concurrency, s.claim, func(ctx context.Context, e stored) {
		if err := s.process(ctx, e); err != nil {
			s.log.ErrorContext(ctx, "event not marked, it comes again", "event_id", e.EventKey, "error", err)
		}
	})
}

// claim leases due events. Index webhook_events_waiting serves it; rows that another worker has locked are passed over.
// A stop does not cut it: rows that were claimed without our hearing of it would wait for the end of their lease.
func (s *Service) claim(ctx context.Context, limit int) ([]stored, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimTimeout)
	defer cancel()
	var events []stored
	now := s.now()
	err := s.db.WithContext(ctx).Raw(`
		WITH due AS MATERIALIZED (SELECT provider, event_key FROM webhook_events WHERE status = 'received' AND next_attempt_at <= ?
			ORDER BY next_attempt_at, event_key LIMIT ? FOR UPDATE SKIP LOCKED)
		UPDATE webhook_events SET attempts = attempts + 1, next_attempt_at = ?
		WHERE `+dbx.CommitAsync+` AND (provider, event_key) IN (SELECT provider, event_key FROM due)
		RETURNING provider, event_key, type, about, object_ref, money_ref, attempts, received_at, coalesce(traceparent, '') AS traceparent`,
		now, limit, now.Add(lease)).Scan(&events).Error
	if err != nil {
		return nil, fmt.Errorf("claim webhook events: %w", err)
	}
	return events, nil
}

// process hands one event on and writes down what came of it, in a time of its own: what took too long has to be
// written down too. Its error is that of the database only.
func (s *Service) process(ctx context.Context, e stored) error {
	fault := s.handle(ctx, e)
	marking, cancel := context.WithTimeout(context.WithoutCancel(ctx), markTimeout)
	defer cancel()
	// Of a provider without event ids another delivery may have come meanwhile: then it waits again, as if it were the
	// first.
	var err error
	if fault == nil {
		err = s.db.WithContext(marking).Exec(`UPDATE webhook_events SET status = ?, processed_at = ?, last_error = ''
			WHERE provider = ? AND event_key = ? AND received_at = ? AND `+dbx.CommitAsync, statusProcessed, s.now(), e.Provider, e.EventKey, e.ReceivedAt).Error
	} else {
		again := min(firstRetry<<min(max(e.Attempts-1, 0), 10), longestRetry)
		level := slog.LevelWarn
		if errors.Is(fault, errOnItsWay) {
			level = slog.LevelDebug
		}
		s.log.Log(ctx, level, "webhook event not processed", "event_id", e.EventKey, "type", e.Type, "attempt", e.Attempts,
			"again_in", again, "error", fault)
		err = s.db.WithContext(marking).Exec(`UPDATE webhook_events SET next_attempt_at = ?, last_error = left(?, ?)
			WHERE provider = ? AND event_key = ? AND received_at = ? AND status = ?`, s.now().Add(again), fault.Error(), maxErrorText, e.Provider,
			e.EventKey, e.ReceivedAt, statusReceived).Error
	}
	if err != nil {
		return fmt.Errorf("mark event %s: %w", e.EventKey, err)
	}
	return nil
}

// handle advances what an event is about, within the event's timeout.
func (s *Service) handle(ctx context.Context, e stored) (err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.timeout)
	defer cancel()
	ctx, end := tracing.Continue(ctx, "webhook "+string(e.About), e.Traceparent)
	defer func() { end(err) }()
	return jobs.Recovered(func() error { return s.advance(ctx, e) })
}

func (s *Service) advance(ctx context.Context, e stored) (err error) {
	if isNews, err := s.isNews(ctx, e); err != nil || !isNews {
		return err
	}
	if may, err := s.mayLook(ctx, e); err != nil || !may {
		return err
	}
	switch e.About {
	case provider.AboutInstrument:
		return s.refreshCard(ctx, e.Provider, e.ObjectRef)
	case provider.AboutPayer:
		return s.customerGone(ctx, e.Provider, e.ObjectRef)
	case provider.AboutPayee, provider.AboutPayeeGone:
		return s.payeeChanged(ctx, e.Provider, e.ObjectRef, e.About == provider.AboutPayeeGone)
	case provider.AboutSent:
		if e.MoneyRef == "" {
			if e.MoneyRef, err = s.moneyOf(ctx, e); err != nil {
				return err
			}
		}
		return s.sent(ctx, e.Provider, cmp.Or(e.MoneyRef, e.ObjectRef))
	case provider.AboutPayment, provider.AboutRefund, provider.AboutDispute, provider.AboutWarning, provider.AboutNothing:
	}
	if e.MoneyRef == "" && (e.About == provider.AboutRefund || e.About == provider.AboutDispute) {
		if e.MoneyRef, err = s.moneyOf(ctx, e); err != nil || e.MoneyRef == "" {
			return err
		}
	}
	if e.MoneyRef == "" && e.About == provider.AboutWarning {
		return nil // of a charge that another system made without an intent
	}
	p, found, err := s.payments.FindByRef(ctx, e.Provider, e.ObjectRef, e.MoneyRef)
	if err != nil {
		return err
	}
	signal, object := payments.SignalWebhook, e.ObjectRef
	switch e.About {
	case provider.AboutRefund:
		signal, object = payments.SignalMoneyWebhook, e.MoneyRef
	case provider.AboutDispute:
		signal, object = payments.SignalDispute, e.MoneyRef
	case provider.AboutWarning:
		signal, object = payments.SignalWarning, e.MoneyRef
	case provider.AboutPayment, provider.AboutInstrument, provider.AboutPayer, provider.AboutPayee, provider.AboutPayeeGone, provider.AboutSent, provider.AboutNothing:
	}
	if found {
		_, err := s.payments.AdvanceFound(ctx, p, signal, object)
		return err
	}
	if e.MoneyRef == "" {
		return nil // a hosted page of another system
	}
	_, err = s.payments.ReconcileByRef(ctx, e.Provider, e.MoneyRef, signal)
	return err
}

// isNews reports whether an event may say something new: that a refund has arrived which we have known to have is nothing to ask about. Of
// thousands that are sent at once that would be most calls.
func (s *Service) isNews(ctx context.Context, e stored) (bool, error) {
	p, on := s.providers[e.Provider]
	if !on || e.Type != p.Traits().SettledHook {
		return true, nil
	}
	known, err := refunds.Statuses(ctx, s.db, e.Provider, []string{e.ObjectRef})
	return known[e.ObjectRef] != refunds.Succeeded, err
}

// moneyOf asks a provider whose hooks say nothing which payment an event's refund or dispute is of; "" of one that it does not have.
func (s *Service) moneyOf(ctx context.Context, e stored) (string, error) {
	p, on := s.providers[e.Provider]
	if !on {
		return "", apperr.New(apperr.ConfigurationError).WithCode("provider_off")
	}
	money, err := p.MoneyOf(ctx, e.About, e.ObjectRef)
	if errors.Is(err, provider.ErrNotFound) {
		return "", nil
	}
	return money, err
}

// Prune removes events that were done with longer than the retention ago.
func (s *Service) Prune(ctx context.Context) error {
	if _, err := dbx.Prune(ctx, s.db, `webhook_events`, `received_at < ? AND status <> 'received'`, s.now().Add(-retention)); err != nil {
		return fmt.Errorf("prune webhook events: %w", err)
	}
	return nil
}
