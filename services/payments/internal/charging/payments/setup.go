package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
)

// maxRounds bounds how many attempts one request may go through: each ended at the provider while nobody told us, or
// its key was burned.
const maxRounds = 3

// Intent is what the browser needs to pay: what was begun at the provider, and the payer's next step there.
type Intent struct {
	ID   string
	Next provider.Next
}

// Setup makes the form's payment of a subject, or gives the open one again, however often and by however many callers
// at once it is asked; network is where it is asked from. Errors: NotFound, ErrPaid, ErrNotPayable, TooManyRequests,
// SpendingLimitExceeded (of a pledge whose payment has not begun), Unavailable (content is down and the order unknown), ProviderUnavailable, ConfigurationError, PaymentFailed (the
// provider does not take such a payment), PaymentOpenAtBank (a card of another provider's is being confirmed); of a kept card NotFound.
func (s *Service) Setup(ctx context.Context, sub Subject, network string, card FormCard) (Payment, Intent, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	p, _, err := s.prepare(ctx, sub, network)
	if err == nil && card.Ref != "" {
		err = s.checkKept(ctx, p, card.Ref)
	}
	if err != nil {
		return Payment{}, Intent{}, err
	}
	return s.form(ctx, p, (card.Keep || card.Ref != "") && p.BackerUserID != nil)
}

// form makes the form's object of a payment that may be paid now, or reads the open one; keeps says whether its card is its person's. One
// that was begun the other way is ended first. Errors as Setup.
func (s *Service) form(ctx context.Context, p Payment, keeps bool) (Payment, Intent, error) {
	for range maxRounds {
		a, err := s.currentAttempt(ctx, &p, beginning{method: provider.MethodCard, keeps: keeps})
		if err != nil {
			return Payment{}, Intent{}, err
		}
		isGone, err := s.makeRoom(ctx, &p, a, keeps)
		if err != nil {
			return Payment{}, Intent{}, err
		}
		if isGone {
			continue
		}
		seen, err := s.lookOrMake(ctx, &p, a)
		switch {
		case errors.Is(err, errGivenUp):
			continue
		case errors.Is(err, provider.ErrRefused), a.ObjectRef == nil && a.InstrumentRef == "" && errors.Is(err, provider.ErrNotFound): // such as its customer
			return Payment{}, Intent{}, errors.Join(errRefused(err), s.abandon(ctx, a))
		case errors.Is(err, provider.ErrBurned), errors.Is(err, provider.ErrNotFound):
			if err := s.abandon(ctx, a); err != nil {
				return Payment{}, Intent{}, err
			}
			continue
		case err != nil:
			return Payment{}, Intent{}, err
		}
		if p, err = s.apply(ctx, p, SignalSetup, seen); err != nil {
			return Payment{}, Intent{}, err
		}
		if err := p.payable(s.now()); err != nil {
			return Payment{}, Intent{}, err
		}
		switch seen.snap.State {
		case provider.Ended:
			continue
		case provider.Succeeded: // its money is held
			return Payment{}, Intent{}, ErrNotPayable
		case provider.Open, provider.NeedsPayer, provider.Processing:
		}
		if a.InstrumentRef != "" { // another provider took the cards until now, and a bank asks its payer about this one
			return Payment{}, Intent{}, apperr.New(apperr.PaymentOpenAtBank).WithParams(apperr.Params{"until": p.PayableUntil.UTC()})
		}
		if seen.snap.Next == nil {
			return Payment{}, Intent{}, apperr.New(apperr.ConfigurationError).WithCode("missing_client_secret")
		}
		return p, Intent{ID: seen.snap.Ref.Object, Next: seen.snap.Next}, nil
	}
	return Payment{}, Intent{}, apperr.New(apperr.ProviderUnavailable).Wrap(
		fmt.Errorf("payment %s: %d attempts in a row came to nothing", p.ID, maxRounds))
}

// makeRoom ends an attempt that stands in a form's way, and reports whether it has: a form whose card is kept when this
// one's is not, or the other way about, and a card of a provider that took the cards until now. It refreshes p. Errors:
// PaymentMethodUnsupported where cards are registered and there is no form; those of end and leave.
func (s *Service) makeRoom(ctx context.Context, p *Payment, a attempt, keeps bool) (isGone bool, err error) {
	if a.InstrumentRef == "" {
		if a.Keeps == keeps {
			return false, nil
		}
		if err := s.end(ctx, *p, a); err != nil {
			return false, err
		}
		*p, err = s.Payment(ctx, p.ID)
		return err == nil, err
	}
	if _, none := s.registrar(ctx, *p, provider.MethodCard); none == nil {
		return false, apperr.New(apperr.PaymentMethodUnsupported)
	}
	if a.ObjectRef == nil {
		return false, nil
	}
	err = s.leave(ctx, p, a)
	return err == nil, err
}

// lookAtOthers looks at what is open of the other methods, so that nobody is handed a second way to pay what has just
// been paid the first way, and gives all attempts as they stand then. It refreshes p. Errors: ErrPaid, ErrNotPayable,
// those of the provider.
func (s *Service) lookAtOthers(ctx context.Context, p *Payment, method Method) ([]attempt, error) {
	attempts, err := readAttempts(ctx, s.db, ofPayment, p.ID)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(attempts, func(a attempt) bool { return a.Method != method }) {
		return attempts, p.payable(s.now())
	}
	// Read after its attempts: one that is not open any more may have paid it since the caller looked.
	if *p, err = s.Payment(ctx, p.ID); err != nil {
		return nil, err
	}
	looked := false
	for _, a := range attempts {
		if a.Method == method || a.Status != AttemptOpen {
			continue
		}
		if *p, err = s.lookAndApply(ctx, *p, a, SignalSetup); err != nil {
			return nil, err
		}
		looked = true
	}
	if err := p.payable(s.now()); err != nil || !looked {
		return attempts, err
	}
	return readAttempts(ctx, s.db, ofPayment, p.ID)
}

// errRefused is PaymentFailed for a payment that the provider does not accept at all, such as one below its minimum.
func errRefused(err error) error {
	return apperr.New(apperr.PaymentFailed).WithCode("generic").Wrap(err)
}
