package payments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

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
		if err == nil && a.Keeps != keeps && a.InstrumentRef == "" {
			if err = s.end(ctx, p, a); err == nil {
				p, err = s.Payment(ctx, p.ID)
			}
			if err == nil {
				continue
			}
		}
		if err == nil && a.InstrumentRef != "" {
			if _, none := s.registrar(ctx, p, provider.MethodCard); none == nil { // there is no form there
				err = apperr.New(apperr.PaymentMethodUnsupported)
			} else if a.ObjectRef != nil { // cards were taken by another one until now
				if err = s.leave(ctx, &p, a); err == nil {
					continue
				}
			}
		}
		if err != nil {
			return Payment{}, Intent{}, err
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

// lookOrMake reads an open attempt's object, or makes the one that its row promises. Errors: those of the provider,
// ErrNotFound included, errGivenUp.
func (s *Service) lookOrMake(ctx context.Context, p *Payment, a attempt) (seen snapshot, err error) {
	switch {
	case a.ObjectRef != nil:
		seen, err = s.look(ctx, a, SignalSetup)
	case a.InstrumentRef != "": // its provider took the cards until now: it is not charged for the form
		seen, err = s.lookForBegun(ctx, p, a)
	default:
		seen, err = s.make(ctx, p, a)
	}
	if err == nil && seen.snap == nil {
		err = fmt.Errorf("attempt %d: %w", a.ID, provider.ErrNotFound)
	}
	return seen, err
}

// make has the provider make what an attempt's row promises, and writes down what it made. It refreshes p, which may
// have been closed meanwhile. A second call while another works brings the same, by the key.
func (s *Service) make(ctx context.Context, p *Payment, a attempt) (snapshot, error) {
	return s.makeBy(ctx, p, a, func(prov Provider, order provider.Order) (provider.Snapshot, error) {
		order.Payer = p.Customer
		if a.Keeps {
			payer, err := s.keeper(ctx, prov, *p)
			if err != nil {
				return provider.Snapshot{}, err
			}
			order.Payer, order.Present = payer, true
		}
		return prov.Begin(ctx, order)
	})
}

// makeBy is make by a call of the caller's, which is given what the row says.
func (s *Service) makeBy(ctx context.Context, p *Payment, a attempt,
	call func(prov Provider, order provider.Order) (provider.Snapshot, error)) (snapshot, error) {
	n, err := s.nextLook(ctx)
	if err != nil {
		return snapshot{}, err
	}
	return s.makeAt(ctx, n, p, a, call)
}

// makeAt is makeBy with the number of its look.
func (s *Service) makeAt(ctx context.Context, n int64, p *Payment, a attempt,
	call func(prov Provider, order provider.Order) (provider.Snapshot, error)) (snapshot, error) {
	prov, err := s.provider(a.Provider)
	if err != nil {
		return snapshot{}, err
	}
	order := provider.Order{
		Key: a.IdempotencyKey, Method: a.Method, Amount: p.Amount, Title: p.Title, Description: p.Description, Language: p.Language,
		Tag: provider.Tag{Payment: p.ID, Attempt: a.IdempotencyKey, Subject: p.Subject.Kind + ":" + p.Subject.ID,
			Campaign: strconv.FormatInt(p.CampaignID, 10)},
	}
	if a.Method == provider.MethodPage || a.InstrumentRef != "" {
		order.ReturnURL = s.publicURL + p.ReturnPath
	}
	if a.Method == provider.MethodPage {
		order.CancelURL, order.ExpiresAt = order.ReturnURL+"&canceled=1", *a.PageExpiresAt
	}
	snap, err := call(prov, order)
	if err != nil {
		return snapshot{}, err
	}
	if snap.IsNew && snap.State == provider.Succeeded { // it is written down with its money, by whoever applies it
		return snapshot{attemptID: a.ID, look: n, snap: &snap}, nil
	}
	if *p, err = s.saveMade(ctx, a, snap); err != nil {
		return snapshot{}, err
	}
	// the key had made it before, or it was charged at once: read it with its refunds, disputes and declines
	if snap.State == provider.Succeeded || snap.LastDecline != "" {
		a.learn(snap.Ref)
		return s.look(ctx, a, SignalSetup)
	}
	return snapshot{attemptID: a.ID, look: n, snap: &snap}, nil
}

// errGivenUp means that an attempt was given up while the provider made it: what was made must not be handed out. The
// comparison with the provider's list ends it.
var errGivenUp = errors.New("attempt was given up meanwhile")

// saveMade writes down what the provider made for an attempt, with the payment locked: when its time is over, the
// worker is to end what was just made. A second writer brings the same and changes nothing. Error: errGivenUp.
func (s *Service) saveMade(ctx context.Context, a attempt, snap provider.Snapshot) (Payment, error) {
	ctx, cancel := detached(ctx, saveTimeout)
	defer cancel()
	givenUp := false
	p, err := s.change(ctx, a.PaymentID, SignalSetup, func(c *change) error {
		now := c.attempt(a.ID)
		if now.Status == AttemptCreating {
			now.Status, now.PageURL = AttemptOpen, provider.AddressOf(snap.Next)
			now.learn(snap.Ref)
			return c.saveAttempt(ctx, now)
		}
		givenUp = !now.is(snap.Ref.Object) || now.Status == AttemptAbandoned
		return nil
	})
	if err == nil && givenUp {
		err = fmt.Errorf("save %s for attempt %d: %w", snap.Ref.Object, a.ID, errGivenUp)
	}
	return p, err
}

// beginning is what an attempt is to begin with.
type beginning struct {
	method     Method
	prefill    bool   // a page is filled in
	instrument string // that was registered; "" when the payer brings one
	callerKey  string // Charge.Key
	keeps      bool   // as of an attempt
	taker      string // the provider; "" asks the router
}

// currentAttempt gives the live attempt of a method, whatever that began with, or begins the next one. It refreshes p.
// Errors: those of lookAtOthers, ErrNotPayable also while money of the payment is held: a person decides whether it is
// paid.
func (s *Service) currentAttempt(ctx context.Context, p *Payment, b beginning) (attempt, error) {
	attempts, err := s.lookAtOthers(ctx, p, b.method)
	if err != nil {
		return attempt{}, err
	}
	if live, err := liveAttempt(attempts, b.method); live != nil || err != nil {
		return *cmp.Or(live, &attempt{}), err
	}
	if b.method == provider.MethodCard {
		b.taker = cmp.Or(b.taker, p.taker)
	}
	var begun attempt
	after, err := s.change(ctx, p.ID, SignalSetup, func(c *change) (err error) {
		begun, err = c.beginAttempt(ctx, b)
		return err
	})
	if err != nil {
		return attempt{}, err
	}
	*p = after
	return begun, nil
}

// liveAttempt finds the attempt of a method that may still be paid; nil without one. Error: ErrNotPayable while money
// is held.
func liveAttempt(attempts []attempt, method Method) (*attempt, error) {
	var live *attempt
	for i, a := range attempts {
		if a.Status == AttemptHeld {
			return nil, ErrNotPayable
		}
		if a.Method == method && a.Status.isLive() {
			live = &attempts[i]
		}
	}
	return live, nil
}

// begunBy finds what a call of a key has begun at the provider; nil without one.
func begunBy(attempts []attempt, callerKey string) *attempt {
	at := slices.IndexFunc(attempts, func(a attempt) bool { return callerKey != "" && a.CallerKey == callerKey && a.ObjectRef != nil })
	if at < 0 {
		return nil
	}
	return &attempts[at]
}

// beginAttempt writes the next attempt of a method, or gives the live one. Errors: ErrPaid, ErrNotPayable also while another method's is
// processing, PaymentMethodUnsupported for a form where there is none, those of Router.
func (c *change) beginAttempt(ctx context.Context, b beginning) (attempt, error) {
	if err := c.payment.payable(c.now); err != nil {
		return attempt{}, err
	}
	if live, err := liveAttempt(c.attempts, b.method); live != nil || err != nil {
		return *cmp.Or(live, &attempt{}), err
	}
	if before := begunBy(c.attempts, b.callerKey); before != nil { // at the same time
		return *before, nil
	}
	if c.payment.Status == StatusProcessing { // a bank has it in hand, for days: a second payment would have to be given back
		return attempt{}, ErrNotPayable
	}
	taker := b.taker
	if taker == "" {
		var err error
		if taker, err = c.svc.route(ctx, c.tx, c.payment, b.method); err != nil {
			return attempt{}, err
		}
	}
	if b.method == provider.MethodCard && b.instrument == "" {
		if _, registers := c.svc.providers[taker].(registrar); registers { // there is no form there
			return attempt{}, apperr.New(apperr.PaymentMethodUnsupported)
		}
	}
	a := attempt{Method: b.method, Provider: taker, Status: AttemptCreating, InstrumentRef: b.instrument, CallerKey: b.callerKey, Keeps: b.keeps}
	var check *time.Time // of a form none: it is not ended before its payment is
	switch {
	case b.instrument != "": // unless its answer comes
		at := c.now.Add(AnswerWithin)
		check = &at
	case b.method == provider.MethodPage:
		prov, err := c.svc.provider(a.Provider)
		if err != nil {
			return attempt{}, err
		}
		expires, at := c.now.Add(prov.Traits().PageLife+pageSlack), c.now.Add(pageSweepAfter)
		a.Prefilled, a.PageExpiresAt, check = b.prefill, &expires, &at
	}
	made, err := c.addAttempt(ctx, a, check)
	if err != nil {
		return attempt{}, err
	}
	return *made, nil
}

// abandon gives an attempt up that nobody can pay: its secret or address was never handed out, or the provider has
// nothing of it. One that has moved since the caller saw it stays: another caller made it and may have handed it out, or is about to
// charge its instrument.
func (s *Service) abandon(ctx context.Context, a attempt) error {
	ctx, cancel := detached(ctx, saveTimeout)
	defer cancel()
	_, err := s.change(ctx, a.PaymentID, SignalSetup, func(c *change) error { return c.abandon(ctx, a) })
	return err
}

func (c *change) abandon(ctx context.Context, a attempt) error {
	now := c.attempt(a.ID)
	if now == nil || !now.Status.isLive() || now.Status != a.Status || a.InstrumentRef != "" && !now.UpdatedAt.Equal(a.UpdatedAt) {
		return nil
	}
	if c.payment.Status == StatusProcessing { // its bank is still deciding, whatever the provider says now
		if was, err := c.wasProcessing(ctx, now); err != nil || was {
			return err
		}
	}
	now.Status = AttemptAbandoned
	return c.saveAttempt(ctx, now)
}

// errRefused is PaymentFailed for a payment that the provider does not accept at all, such as one below its minimum.
func errRefused(err error) error {
	return apperr.New(apperr.PaymentFailed).WithCode("generic").Wrap(err)
}
