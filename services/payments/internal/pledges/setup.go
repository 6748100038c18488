package pledges

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/providers/stripe"
)

// maxRounds bounds how many attempts one request may go through: each ended at the provider while nobody told us, or
// its key was burned.
const maxRounds = 3

// saveTimeout bounds writing down what the provider has just made, also when the caller has hung up.
const saveTimeout = 5 * time.Second

// Intent is what the browser needs to pay with the form.
type Intent struct {
	ID           string
	ClientSecret string
}

// Setup makes the payment intent of a pledge, or gives the open one again, however often and by however many callers
// at once it is asked. Errors: NotFound, PledgeAlreadyPaid, PledgeNotPayable, Unavailable (content is down and the
// order unknown), ProviderUnavailable, ConfigurationError, PaymentFailed (the provider does not take such a payment).
func (s *Service) Setup(ctx context.Context, pledgeID string) (Payment, Intent, error) {
	if !s.Stripe.Enabled() {
		return Payment{}, Intent{}, errProviderOff()
	}
	ctx, cancel := context.WithTimeout(ctx, s.CallWait)
	defer cancel()
	p, err := s.ensure(ctx, pledgeID)
	if err != nil {
		return Payment{}, Intent{}, err
	}
	for range maxRounds {
		a, err := s.currentAttempt(ctx, &p, KindIntent)
		if err != nil {
			return Payment{}, Intent{}, err
		}
		asked := s.clock()
		in, err := s.intentOf(ctx, p, a)
		switch {
		case errors.Is(err, errGivenUp):
			continue
		case errors.Is(err, stripe.ErrBurned), errors.Is(err, stripe.ErrNotFound):
			if err := s.abandon(ctx, a); err != nil {
				return Payment{}, Intent{}, err
			}
			continue
		case errors.Is(err, stripe.ErrRefused):
			return Payment{}, Intent{}, errors.Join(errRefused(err), s.abandon(ctx, a))
		case err != nil:
			return Payment{}, Intent{}, err
		}
		seen := sighting{attemptID: a.ID, askedAt: asked, intent: &in}
		if err := s.lookAtRefunds(ctx, &seen, SignalSetup); err != nil {
			return Payment{}, Intent{}, err
		}
		if p, err = s.apply(ctx, p, SignalSetup, []sighting{seen}); err != nil {
			return Payment{}, Intent{}, err
		}
		if err := p.payable(s.clock()); err != nil {
			return Payment{}, Intent{}, err
		}
		if in.Status == stripe.IntentCanceled {
			continue
		}
		if in.ClientSecret == "" {
			return Payment{}, Intent{}, apperr.New(apperr.ConfigurationError).WithCode("missing_client_secret")
		}
		return p, Intent{ID: in.ID, ClientSecret: in.ClientSecret}, nil
	}
	return Payment{}, Intent{}, apperr.New(apperr.ProviderUnavailable).Wrap(fmt.Errorf("payment %s: %d attempts in a row came to nothing", p.ID, maxRounds))
}

// intentOf reads an open attempt's intent, or makes the one that its row promises.
func (s *Service) intentOf(ctx context.Context, p Payment, a attempt) (stripe.Intent, error) {
	if a.ProviderID != nil {
		return s.Stripe.Intent(ctx, *a.ProviderID)
	}
	in, err := s.Stripe.CreateIntent(ctx, stripe.NewIntent{
		Key: a.IdempotencyKey, Amount: p.Amount(), Description: p.Description, TransferGroup: transferGroup(p), Metadata: metadata(p, a),
	})
	if err != nil {
		return stripe.Intent{}, err
	}
	return in, s.saveMade(ctx, a, in.ID, "")
}

// errGivenUp means that an attempt was given up while the provider made it: what was made must not be handed out. The
// comparison with the provider's list ends it.
var errGivenUp = errors.New("attempt was given up meanwhile")

// saveMade writes down what the provider made for an attempt. A second writer brings the same and changes nothing.
// Error: errGivenUp.
func (s *Service) saveMade(ctx context.Context, a attempt, providerID, url string) error {
	ctx, cancel := detached(ctx, saveTimeout)
	defer cancel()
	// A payment that was closed meanwhile keeps next_check_at, so that the worker ends what was just made.
	result := s.DB.WithContext(ctx).Exec(`UPDATE attempts SET status = 'open', provider_id = @provider_id, page_url = @url, updated_at = @now,
		next_check_at = CASE WHEN EXISTS (SELECT 1 FROM payments p WHERE p.id = attempts.payment_id AND p.closing_at IS NULL
			AND p.status IN ('created', 'requires_action', 'processing')) THEN NULL ELSE CAST(@now AS timestamptz) END
		WHERE id = @id AND status = 'creating'`,
		map[string]any{"provider_id": providerID, "url": url, "now": s.clock(), "id": a.ID})
	if result.Error != nil {
		return fmt.Errorf("save what the provider made for attempt %d: %w", a.ID, result.Error)
	}
	if result.RowsAffected > 0 {
		return nil
	}
	now, err := s.attemptByID(ctx, a.ID)
	if err == nil && (now.ProviderID == nil || *now.ProviderID != providerID || now.Status == AttemptAbandoned) {
		err = fmt.Errorf("save %s for attempt %d: %w", providerID, a.ID, errGivenUp)
	}
	return err
}

// currentAttempt gives the live attempt of a kind, or begins the next one. It refreshes p. Errors: PledgeAlreadyPaid,
// PledgeNotPayable.
func (s *Service) currentAttempt(ctx context.Context, p *Payment, kind Kind) (attempt, error) {
	if err := p.payable(s.clock()); err != nil {
		return attempt{}, err
	}
	var live []attempt
	err := s.DB.WithContext(ctx).Raw(`SELECT `+attemptColumns+` FROM attempts
		WHERE payment_id = ? AND kind = ? AND status IN ('creating', 'open')`, p.ID, kind).Scan(&live).Error
	if err != nil {
		return attempt{}, fmt.Errorf("read the live %s of payment %s: %w", kind, p.ID, err)
	}
	if len(live) > 0 {
		return live[0], nil
	}
	var begun attempt
	after, err := s.change(ctx, p.ID, SignalSetup, func(c *change) (err error) {
		begun, err = c.beginAttempt(ctx, kind)
		return err
	})
	if err != nil {
		return attempt{}, err
	}
	*p = after
	return begun, nil
}

// beginAttempt writes the next attempt of a kind, or gives the live one.
func (c *change) beginAttempt(ctx context.Context, kind Kind) (attempt, error) {
	if err := c.payment.payable(c.now); err != nil {
		return attempt{}, err
	}
	number := 1
	for _, a := range c.attempts {
		if a.Kind != kind {
			continue
		}
		if a.Status.isLive() {
			return a, nil
		}
		number = max(number, a.Number+1)
	}
	a := attempt{PaymentID: c.payment.ID, Kind: kind, Number: number, Status: AttemptCreating, ObservedAt: time.Unix(0, 0).UTC()}
	var checkAt *time.Time // an intent that nobody waits for any more is ended with its payment, not before
	switch kind {
	case KindIntent:
		a.IdempotencyKey = fmt.Sprintf("pledge:%s:pi:%d", c.payment.PledgeID, number)
	case KindSession:
		a.IdempotencyKey = fmt.Sprintf("pledge:%s:cs:%d", c.payment.PledgeID, number)
		expires, check := c.now.Add(pageLife), c.now.Add(pageSweepAfter)
		a.PageExpiresAt, checkAt = &expires, &check
	}
	err := c.tx.WithContext(ctx).Raw(`INSERT INTO attempts (payment_id, kind, number, idempotency_key, status, page_expires_at, next_check_at, created_at, updated_at)
		VALUES (@payment, @kind, @number, @key, 'creating', @expires, @check, @now, @now) RETURNING id`, map[string]any{
		"payment": a.PaymentID, "kind": a.Kind, "number": a.Number, "key": a.IdempotencyKey, "expires": a.PageExpiresAt, "check": checkAt, "now": c.now,
	}).Scan(&a.ID).Error
	if err != nil {
		return attempt{}, fmt.Errorf("begin %s %d of payment %s: %w", kind, number, c.payment.ID, err)
	}
	c.attempts = append(c.attempts, a)
	return a, nil
}

// abandon gives an attempt up that nobody can pay: its secret or address was never handed out, or the provider has
// nothing of it. One that has moved since the caller saw it stays: another caller made it and may have handed it out.
func (s *Service) abandon(ctx context.Context, a attempt) error {
	ctx, cancel := detached(ctx, saveTimeout)
	defer cancel()
	_, err := s.change(ctx, a.PaymentID, SignalSetup, func(c *change) error {
		now := c.attempt(a.ID)
		if now == nil || !now.Status.isLive() || now.Status != a.Status {
			return nil
		}
		now.Status = AttemptAbandoned
		return c.saveAttempt(ctx, now)
	})
	return err
}

func metadata(p Payment, a attempt) stripe.Metadata {
	return stripe.Metadata{
		PledgeID: p.PledgeID, PaymentID: p.ID, CampaignID: strconv.FormatInt(p.CampaignID, 10), AttemptKey: a.IdempotencyKey,
	}
}

func transferGroup(p Payment) string { return "campaign:" + strconv.FormatInt(p.CampaignID, 10) }

func errProviderOff() error { return apperr.New(apperr.ConfigurationError).WithCode("provider_off") }

// errRefused is for what our own checks should have caught: the provider does not take such a payment at all.
func errRefused(err error) error {
	return apperr.New(apperr.PaymentFailed).WithCode("generic").Wrap(err)
}
