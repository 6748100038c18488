package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

// StrandedAfter is how long a payment waits where nothing begins any more before its backer is told by mail: who is still on the page is
// offered there what is left.
const StrandedAfter = 2 * time.Minute

// TellStranded tells the content service, once each, of pledges whose payment has begun at one of these providers, where nothing begins any
// more, is not paid, and can be paid another way. Each is asked about first: of one that its provider does not tell of nothing is said, nor
// while a bank asks its payer or a charge may be on its way.
func (s *Service) TellStranded(ctx context.Context, off []string) error {
	if len(off) == 0 {
		return nil
	}
	now := s.now()
	var list []string
	err := s.db.WithContext(ctx).Raw(`SELECT id FROM payments WHERE status IN ('created', 'requires_action') AND closing_at IS NULL
		AND stranded_at IS NULL AND subject_kind = 'pledge' AND provider IN @off AND payable_until > @now AND updated_at <= @idle ORDER BY payable_until, id`,
		map[string]any{"off": off, "now": now, "idle": now.Add(-StrandedAfter)}).Scan(&list).Error
	if err != nil {
		return fmt.Errorf("list stranded payments: %w", err)
	}
	for _, id := range list {
		if err := step(ctx, func(ctx context.Context) error { return s.tellStranded(ctx, id) }); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "a stranded payment is not told of", "payment_id", id, "error", err)
		}
	}
	return nil
}

func (s *Service) tellStranded(ctx context.Context, id string) error {
	p, err := s.Advance(ctx, id, SignalSweep)
	if err != nil || p.Status != StatusCreated || p.payable(s.now()) != nil {
		return err
	}
	if isElsewhere, err := s.isTakenElsewhere(ctx, p); err != nil || !isElsewhere {
		return err
	}
	_, err = s.change(ctx, id, SignalSweep, func(c *change) error {
		mayCome := func(a attempt) bool { return a.Status == AttemptCreating && a.InstrumentRef != "" }
		if c.payment.Status != StatusCreated || c.payment.payable(c.now) != nil || slices.ContainsFunc(c.attempts, mayCome) {
			return nil
		}
		told := c.tx.WithContext(ctx).Exec(`UPDATE payments SET stranded_at = ? WHERE id = ? AND stranded_at IS NULL`, c.now, id)
		if told.Error != nil || told.RowsAffected == 0 {
			return told.Error
		}
		return c.emit(ctx, contentclient.PaymentStranded, c.now, nil)
	})
	return err
}

// isTakenElsewhere reports whether a payment could begin by any method.
func (s *Service) isTakenElsewhere(ctx context.Context, p Payment) (bool, error) {
	for _, method := range provider.Methods {
		switch _, err := s.route(ctx, s.db, p, method); {
		case err == nil:
			return true, nil
		case errors.Is(err, apperr.New(apperr.CampaignOnHold)): // whose pledges are ended
			return false, nil
		case !errors.Is(err, apperr.New(apperr.ConfigurationError)) && !errors.Is(err, apperr.New(apperr.PaymentMethodUnsupported)):
			return false, err
		}
	}
	return false, nil
}

// leave ends a live attempt whose method another provider takes now, and refreshes p. Errors while it cannot be ended, because its payer
// may still pay there: PaymentOpenAtBank of a card that its bank asks about, Unavailable else.
func (s *Service) leave(ctx context.Context, p *Payment, a attempt) (err error) {
	if err := s.end(ctx, *p, a); err != nil {
		return err
	}
	if *p, err = s.Payment(ctx, p.ID); err != nil || p.payable(s.now()) != nil {
		return err
	}
	now, err := s.attemptByID(ctx, a.ID)
	switch {
	case err != nil || !now.Status.isLive():
	case a.InstrumentRef != "":
		err = apperr.New(apperr.PaymentOpenAtBank).WithParams(apperr.Params{"until": p.PayableUntil.UTC()})
	default:
		err = apperr.New(apperr.Unavailable).RetryAfter(AnswerWithin / 8).Wrap(fmt.Errorf("attempt %d may still be paid at %s", a.ID, a.Provider))
	}
	return err
}
