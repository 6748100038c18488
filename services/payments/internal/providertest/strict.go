// Package providertest has a second payment provider, small and strict, that differs from the first wherever the core
// must not care: its idempotency keys have another alphabet and a repeat answers 409 instead of the first answer; its
// hooks have neither ids nor signatures; a payment is one object, for forms and pages alike; it has no disputes. It
// proves that the core knows no provider, and shows what an adapter has to do. It lives in memory, in tests only.
package providertest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"sync"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// Name of the provider.
const Name = "strict"

// Fee that it keeps of each payment, in minor units.
const Fee = 35

// Strict is the provider's server and the adapter to it in one. Its fields are for tests to look at and to break.
type Strict struct {
	Now func() time.Time
	// Called is its name, where there are two.
	Called string

	mu       sync.Mutex
	payments []*Payment
	refunds  []*Refund
	keys     map[string]string // idempotency key → id of what it made
	lines    []provider.Line
	hooks    []url.Values
	// Of payments that are repeated.
	customers []string
	gone      map[string]bool // customers that were deleted
	cards     []*Card
	setups    []*Setup
	// LoseAnswers is how many of the next creations take effect without an answer.
	LoseAnswers int
	// LoseCalls is how many of the next creations never reach it.
	LoseCalls int
	// AfterBegun is called when Begun has found nothing, before it says so.
	AfterBegun func()
	// TooEarly counts the refunds that were refused because of RefundsAfter.
	TooEarly int
	// Conflicts counts the repeats that were answered 409.
	Conflicts int
	// Short has refunds accepted but not taken from the balance yet.
	Short bool
	// RefundsAfter is how old a payment has to be before it can be refunded.
	RefundsAfter time.Duration
}

// Payment is the provider's own object.
type Payment struct {
	ID, Status string // CREATED, SUCCEEDED, FAILED, CANCELED
	Page       bool
	Wallet     string // the campaign's, where its money is
	Tag        provider.Tag
	Amount     money.Amount
	Created    time.Time
	Paid       time.Time
	// Of one whose card is kept: a decline is not final there.
	Customer string
	Card     string          // that paid it
	Declined provider.Remedy // by the last card
	Declines int
	// AskedUntil is how long its payer has their bank's question before them; zero without one.
	AskedUntil time.Time
	Debit      bool // it is on its way until its bank decides
}

// Refund is the provider's own object.
type Refund struct {
	ID, Payment, Status, Ours string
	Amount                    money.Amount
	Taken                     bool
	Happened                  time.Time
	Returned                  *time.Time
}

// New makes one.
func New(now func() time.Time) *Strict {
	return &Strict{Now: now, keys: map[string]string{}, gone: map[string]bool{}}
}

var _ provider.Provider = (*Strict)(nil)

// keyAlphabet is all that the provider takes as an idempotency key.
var keyAlphabet = regexp.MustCompile(`^[A-Za-z0-9-]{16,36}$`)

var (
	errConflict = errors.New("409 idempotency key was used")
	errLost     = errors.New("connection lost")
)

// once runs a creation under a key, as the provider's server does.
func (s *Strict) once(key string, make func() string) (string, error) {
	if !keyAlphabet.MatchString(key) {
		return "", fmt.Errorf("400 key %q: %w", key, provider.ErrRefused)
	}
	if s.LoseCalls > 0 {
		s.LoseCalls--
		return "", errLost
	}
	if _, used := s.keys[key]; used {
		s.Conflicts++
		return "", errConflict
	}
	id := make()
	s.keys[key] = id
	if s.LoseAnswers > 0 {
		s.LoseAnswers--
		return "", errLost
	}
	return id, nil
}

// create is the adapter's half of it: our keys are put into the provider's alphabet, and after a conflict what the key
// made is asked for.
func (s *Strict) create(key string, make func() string) (string, error) {
	theirs := keyOf(key)
	id, err := s.once(theirs, make)
	switch {
	case errors.Is(err, errConflict):
		return s.keys[theirs], nil
	case errors.Is(err, errLost):
		return "", apperr.New(apperr.ProviderUnavailable).Wrap(err)
	}
	return id, err
}

func keyOf(ours string) string {
	sum := sha256.Sum256([]byte(ours))
	return hex.EncodeToString(sum[:])[:32]
}

// knows reports whether a key was used.
func (s *Strict) knows(ours string) bool { return s.keys[keyOf(ours)] != "" }

// Name of the provider.
func (s *Strict) Name() string { return cmp.Or(s.Called, Name) }

// Traits of the provider.
func (s *Strict) Traits() provider.Traits {
	return provider.Traits{Recurring: true, PageLife: 15 * time.Minute, KeyLife: 24 * time.Hour}
}

// Health is always good.
func (s *Strict) Health() float64 { return 0 }

// Begin makes a payment.
func (s *Strict) Begin(_ context.Context, o provider.Order) (provider.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	card := s.card(o.Instrument)
	if o.Instrument != "" && card == nil && !s.knows(o.Key) {
		return provider.Snapshot{}, provider.ErrInstrumentGone
	}
	if s.gone[o.Payer] && !s.knows(o.Key) {
		return provider.Snapshot{}, provider.ErrNotFound
	}
	id, err := s.create(o.Key, func() string {
		p := &Payment{ID: fmt.Sprintf("payin_%d", len(s.payments)+1), Status: "CREATED", Page: o.Method == provider.MethodPage,
			Wallet: "wallet-" + o.Tag.Campaign, Tag: o.Tag, Amount: o.Amount, Created: s.Now(), Customer: o.Payer}
		s.payments = append(s.payments, p)
		s.hook("PAYIN_NORMAL_CREATED", p.ID)
		if card != nil {
			s.charge(p, card)
		}
		return p.ID
	})
	if err != nil {
		return provider.Snapshot{}, err
	}
	return s.look(id)
}

// Look reads a payment.
func (s *Strict) Look(_ context.Context, ref provider.Ref) (provider.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.look(ref.Object)
}

func (s *Strict) find(id string) *Payment {
	for _, p := range s.payments {
		if p.ID == id {
			return p
		}
	}
	return nil
}

func (s *Strict) look(id string) (provider.Snapshot, error) {
	p := s.find(id)
	if p == nil {
		return provider.Snapshot{}, provider.ErrNotFound
	}
	return s.snapshot(p), nil
}

func (s *Strict) snapshot(p *Payment) provider.Snapshot {
	out := provider.Snapshot{
		Ref: provider.Ref{Method: provider.MethodCard, Object: p.ID, Money: p.ID}, State: provider.Open, Amount: p.Amount,
		Tag: p.Tag, Created: p.Created,
		Next: provider.NextSecret(p.ID + "-secret"), Received: money.New(0, p.Amount.Currency),
	}
	if p.Page {
		out.Ref.Method, out.Next = provider.MethodPage, provider.Redirect("https://strict.example/"+p.ID)
	}
	if p.Status == "CREATED" && !p.AskedUntil.IsZero() {
		out.State, out.Next = provider.NeedsPayer, provider.Redirect("https://bank.example/"+p.ID)
	}
	if p.Debit {
		out.Ref.Method, out.State, out.Next = provider.MethodDebit, provider.Processing, nil
	}
	if p.Status != "CREATED" {
		out.Next = nil
	}
	switch p.Status {
	case "SUCCEEDED":
		fee := money.New(Fee, p.Amount.Currency)
		out.State, out.Received = provider.Succeeded, p.Amount
		out.Charge = &provider.Charge{Ref: p.ID, Place: p.Wallet, Label: "Bank ···· 1234", Fee: &fee, Happened: p.Paid}
		if card := s.card(p.Card); card != nil {
			kept := card.kept()
			out.Charge.Instrument, out.Charge.Label = &kept, kept.Label
		}
		for _, r := range s.refunds {
			out.Charge.Refunded = out.Charge.Refunded || r.Payment == p.ID
		}
	case "FAILED": // final there: another try needs another payment
		out.State, out.FailureCode = provider.Ended, "insufficient_funds"
	case "CANCELED":
		out.State = provider.Ended
	}
	if p.Declined != provider.RemedyNone {
		out.FailureCode, out.Remedy = failureCodes[p.Declined], p.Declined
		out.LastDecline = fmt.Sprintf("%s_decline_%d", p.ID, p.Declines)
	}
	return out
}

// End cancels an unpaid payment.
func (s *Strict) End(_ context.Context, ref provider.Ref) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch p := s.find(ref.Object); {
	case p == nil:
		return provider.ErrNotFound
	case p.Status != "CREATED":
		return provider.ErrState
	default:
		p.Status = "CANCELED"
	}
	return nil
}

// Refund gives money back.
func (s *Strict) Refund(_ context.Context, o provider.RefundOrder) (provider.Refund, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.find(o.Money)
	if p == nil || p.Status != "SUCCEEDED" {
		return provider.Refund{}, provider.ErrFinal
	}
	if ripe := p.Paid.Add(s.RefundsAfter); s.Now().Before(ripe) {
		s.TooEarly++
		return provider.Refund{}, &provider.NotYetError{After: ripe, Err: errors.New("001405 too young")}
	}
	id, err := s.create(o.Key, func() string {
		r := &Refund{ID: fmt.Sprintf("refund_%d", len(s.refunds)+1), Payment: o.Money, Status: "CREATED", Ours: o.ID,
			Amount: o.Amount, Happened: s.Now()}
		s.refunds = append(s.refunds, r)
		if !s.Short {
			s.takeRefund(r)
		}
		return r.ID
	})
	if err != nil {
		return provider.Refund{}, err
	}
	i := slices.IndexFunc(s.refunds, func(r *Refund) bool { return r.ID == id })
	return refundOf(s.refunds[i]), nil
}

func (s *Strict) takeRefund(r *Refund) {
	r.Taken, r.Happened, r.Status = true, s.Now(), "SUCCEEDED"
	s.line(provider.Line{Kind: provider.LineRefund, Place: s.find(r.Payment).Wallet, Source: r.ID, Money: r.Payment,
		Amount: money.New(-r.Amount.Minor, r.Amount.Currency)})
	s.hook("PAYIN_REFUND_SUCCEEDED", r.ID)
}

func refundOf(r *Refund) provider.Refund {
	state := provider.RefundPending
	switch r.Status {
	case "SUCCEEDED":
		state = provider.RefundSucceeded
	case "FAILED":
		state = provider.RefundFailed
	}
	return provider.Refund{
		Ref: r.ID, Money: r.Payment, ID: r.Ours, State: state, Amount: r.Amount, Taken: r.Taken, Happened: r.Happened,
		Returned: r.Returned,
	}
}
