package providertest

import (
	"context"
	"fmt"
	"slices"

	"talkoot.fi/payments/internal/provider"
)

// Card is the provider's own object.
type Card struct {
	ID, Customer      string
	ExpYear, ExpMonth int
	// Declines is what would help against the decline that a charge without the payer meets; none takes it.
	Declines provider.Remedy
	Gone     bool
	Mandate  bool // to debit an account, instead of a card
}

// Setup is the provider's own object.
type Setup struct {
	ID, Customer, Card string
	Declined           provider.Remedy
	Ended              bool
	Mandate            bool
}

// failureCodes of declines.
var failureCodes = map[provider.Remedy]string{
	provider.RemedyLater: "insufficient_funds", provider.RemedyCard: "card_declined", provider.RemedyPayer: "authentication_failed",
}

func (c *Card) kept() provider.Instrument {
	if c.Mandate {
		return provider.Instrument{Kind: provider.KindMandate, Ref: c.ID, Payer: c.Customer, Label: "FI ···· 1234"}
	}
	return provider.Instrument{Kind: provider.KindCard, Ref: c.ID, Payer: c.Customer, Label: "Visa ···· 4242", ExpYear: c.ExpYear, ExpMonth: c.ExpMonth,
		Fingerprint: "print_" + c.ID}
}

// card is a kept one; nil when it is none.
func (s *Strict) card(id string) *Card {
	for _, c := range s.cards {
		if c.ID == id && !c.Gone {
			return c
		}
	}
	return nil
}

// NewPayer makes a customer.
func (s *Strict) NewPayer(_ context.Context, o provider.PayerOrder) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.create(o.Key, func() string {
		s.customers = append(s.customers, fmt.Sprintf("user_%d", len(s.customers)+1))
		return s.customers[len(s.customers)-1]
	})
}

// HasPayer reads one.
func (s *Strict) HasPayer(_ context.Context, customer string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.customers, customer) {
		return false, provider.ErrNotFound
	}
	return !s.gone[customer], nil
}

// ChargeInstrument tries a payment that waits.
func (s *Strict) ChargeInstrument(_ context.Context, o provider.ChargeOrder) (provider.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, card := s.find(o.Ref.Object), s.card(o.Instrument)
	switch {
	case p == nil:
		return provider.Snapshot{}, provider.ErrNotFound
	case s.knows(o.Key): // tried before
	case p.Status != "CREATED":
		return provider.Snapshot{}, provider.ErrState
	case card == nil:
		return provider.Snapshot{}, provider.ErrInstrumentGone
	}
	id, err := s.create(o.Key, func() string {
		s.charge(p, card)
		return p.ID
	})
	if err != nil {
		return provider.Snapshot{}, err
	}
	return s.look(id)
}

func (s *Strict) charge(p *Payment, card *Card) {
	if decline := card.declines(s.Now().Year()*12 + int(s.Now().Month())); decline != provider.RemedyNone {
		s.decline(p, decline)
		return
	}
	p.Card = card.ID
	s.pay(p)
}

// declines tells what would help in a month; an expired card is declined whatever else it would do.
func (c *Card) declines(month int) provider.Remedy {
	if c.ExpYear*12+c.ExpMonth < month {
		return provider.RemedyCard
	}
	return c.Declines
}

func (s *Strict) decline(p *Payment, remedy provider.Remedy) {
	p.Declined = remedy
	p.Declines++
	s.hook("PAYIN_NORMAL_FAILED", p.ID)
}

// Instrument reads a kept card.
func (s *Strict) Instrument(_ context.Context, card string) (provider.Instrument, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.card(card)
	if c == nil {
		return provider.Instrument{}, provider.ErrNotFound
	}
	return c.kept(), nil
}

// ForgetInstrument ends a kept card.
func (s *Strict) ForgetInstrument(_ context.Context, card string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.card(card); c != nil {
		c.Gone = true
		s.hook("CARD_DEACTIVATED", card)
	}
	return nil
}

// ForgetPayer ends a customer with their cards.
func (s *Strict) ForgetPayer(_ context.Context, customer string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone[customer] = true
	for _, c := range s.cards {
		if c.Customer == customer && !c.Gone {
			c.Gone = true
			s.hook("CARD_DEACTIVATED", c.ID)
		}
	}
	return nil
}

// EndSetup ends one that has kept nothing.
func (s *Strict) EndSetup(_ context.Context, ref string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	setup := s.findSetup(ref)
	switch {
	case setup == nil:
		return provider.ErrNotFound
	case setup.Ended || setup.Card != "":
		return provider.ErrState
	}
	setup.Ended = true
	return nil
}

// BeginSetup begins to keep a card.
func (s *Strict) BeginSetup(_ context.Context, o provider.SetupOrder) (provider.Setup, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone[o.Payer] && !s.knows(o.Key) {
		return provider.Setup{}, provider.ErrNotFound
	}
	id, err := s.create(o.Key, func() string {
		s.setups = append(s.setups, &Setup{ID: fmt.Sprintf("setup_%d", len(s.setups)+1), Customer: o.Payer})
		return s.setups[len(s.setups)-1].ID
	})
	if err != nil {
		return provider.Setup{}, err
	}
	return s.lookSetup(id)
}

// LookSetup reads one.
func (s *Strict) LookSetup(_ context.Context, ref string) (provider.Setup, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lookSetup(ref)
}

func (s *Strict) findSetup(id string) *Setup {
	for _, setup := range s.setups {
		if setup.ID == id {
			return setup
		}
	}
	return nil
}

func (s *Strict) lookSetup(id string) (provider.Setup, error) {
	setup := s.findSetup(id)
	if setup == nil {
		return provider.Setup{}, provider.ErrNotFound
	}
	out := provider.Setup{Ref: id, State: provider.Open, Next: provider.NextSecret(id + "-secret"), Payer: setup.Customer,
		FailureCode: failureCodes[setup.Declined]}
	if setup.Card != "" {
		out.State = provider.Succeeded
	}
	if setup.Ended {
		out.State = provider.Ended
	}
	if card := s.card(setup.Card); card != nil {
		kept := card.kept()
		out.Instrument = &kept
	}
	return out, nil
}

// newCard is what a customer's payment or setup keeps.
func (s *Strict) newCard(customer string, declines provider.Remedy) string {
	c := &Card{ID: fmt.Sprintf("card_%d", len(s.cards)+1), Customer: customer, ExpYear: s.Now().Year() + 3, ExpMonth: 12,
		Declines: declines}
	s.cards = append(s.cards, c)
	return c.ID
}

// PayForm is the payer with a card in the form: one that asks for them takes the payment, and what would help against
// others declines it. A customer's payment keeps the card. It tells whether the payment was open.
func (s *Strict) PayForm(id string, declines provider.Remedy) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.find(id)
	switch {
	case p.Status != "CREATED":
		return false
	case declines == provider.RemedyLater || declines == provider.RemedyCard:
		s.decline(p, declines)
		return true
	}
	if p.Customer != "" {
		p.Card = s.newCard(p.Customer, declines)
	}
	s.pay(p)
	return true
}

// ConfirmKept is the payer confirming a payment with a kept card, in their browser.
func (s *Strict) ConfirmKept(id, card string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.find(id)
	p.Card = card
	s.pay(p)
}

// PaySetup is the payer with a card to be kept.
func (s *Strict) PaySetup(id string, declines provider.Remedy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	setup := s.findSetup(id)
	if setup.Ended {
		return
	}
	if setup.Declined = declines; declines != provider.RemedyLater && declines != provider.RemedyCard {
		setup.Declined, setup.Card = provider.RemedyNone, s.newCard(setup.Customer, declines)
	}
}

// ChangeCard is the bank: how a kept card does from now on.
func (s *Strict) ChangeCard(id string, declines provider.Remedy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.card(id).Declines = declines
}

// RenewCard is the bank: a kept card's new last month.
func (s *Strict) RenewCard(id string, year, month int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.card(id)
	c.ExpYear, c.ExpMonth = year, month
	s.hook("CARD_UPDATED", id)
}
