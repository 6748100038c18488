package providertest

import (
	"fmt"
	"testing"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// Cards is a provider with the payers and banks around it, for the rules that every provider keeps when payments are
// repeated. A card is told by what would help against its declines: RemedyNone takes every charge, RemedyPayer those
// that its payer confirms.
type Cards struct {
	Provider provider.Provider
	// Pay is the payer with a new card in the form of an open payment, passing the bank's challenge where there is one. It
	// reports whether the payment was still open.
	Pay func(ref provider.Ref, card provider.Remedy) (wasOpen bool)
	// Confirm is the payer confirming an open payment with a kept card, in their browser.
	Confirm func(ref provider.Ref, card string)
	// PaySetup is the payer with a card to be kept.
	PaySetup func(ref string, card provider.Remedy)
	// Change has a kept card do otherwise from now on, Renew gives it a new last month.
	Change func(card string, to provider.Remedy)
	Renew  func(card string, year, month int)
	// LoseAnswer has the next call that writes take effect without an answer.
	LoseAnswer func()
	// Hooks gives what was sent to our webhook address since the last time.
	Hooks func() []provider.Delivery
	// Now is the provider's clock.
	Now func() time.Time
}

// TestCards holds a provider to the rules; start makes a new one.
func TestCards(t *testing.T, start func(t *testing.T) Cards) {
	for name, rule := range map[string]func(*cardTest){
		"the same key is the same customer":                         (*cardTest).customers,
		"a customer's payment keeps its card and another none":      (*cardTest).keeping,
		"a kept card pays at once and once per key":                 (*cardTest).begin,
		"a decline is a state of the payment":                       (*cardTest).declines,
		"a try is one per key":                                      (*cardTest).tries,
		"a declined payment takes the next try":                     (*cardTest).nextTry,
		"what is paid or ended is not charged":                      (*cardTest).states,
		"form and kept card at once are one charge":                 (*cardTest).race,
		"who was asked for confirms the same payment":               (*cardTest).recovery,
		"a renewed card goes on and an expired one is declined":     (*cardTest).expiry,
		"a forgotten card is charged no more":                       (*cardTest).forgotten,
		"a forgotten customer leaves no card and nothing begins":    (*cardTest).forgottenCustomer,
		"a card is kept without a charge":                           (*cardTest).setups,
		"a keeping that was ended keeps no card":                    (*cardTest).endedSetups,
		"the provider tells when a card is renewed or kept no more": (*cardTest).hooks,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &cardTest{T: t, Cards: start(t)}
			c.customer = c.newCustomer("first")
			rule(c)
		})
	}
}

// cardTest is one customer of a provider.
type cardTest struct {
	*testing.T
	Cards
	customer string
	keys     int
}

var fifty = money.New(5000, money.EUR)

func (c *cardTest) key(what string) string {
	c.keys++
	return fmt.Sprintf("%s:%d", what, c.keys)
}

func (c *cardTest) newCustomer(key string) string {
	c.Helper()
	id, err := c.Provider.NewPayer(c.Context(), provider.PayerOrder{Key: "customer:" + key, ID: ids.New()})
	if err != nil || id == "" {
		c.Fatalf("customer %q, %v", id, err)
	}
	return id
}

func (c *cardTest) order(key, card string) provider.Order {
	return provider.Order{Key: key, Method: provider.MethodCard, Amount: fifty, Title: "Ahven", Payer: c.customer, Instrument: card,
		Tag: provider.Tag{Payment: ids.New(), Attempt: key, Subject: "subscription:1", Campaign: "7"}}
}

func (c *cardTest) mustBegin(o provider.Order) provider.Snapshot {
	c.Helper()
	snap, err := c.Provider.Begin(c.Context(), o)
	if err != nil {
		c.Fatal(err)
	}
	return snap
}

func (c *cardTest) charge(key string, ref provider.Ref, card string) (provider.Snapshot, error) {
	return c.Provider.ChargeInstrument(c.Context(), provider.ChargeOrder{Key: key, Ref: ref, Instrument: card})
}

func (c *cardTest) mustCharge(key string, ref provider.Ref, card string) provider.Snapshot {
	c.Helper()
	snap, err := c.charge(key, ref, card)
	if err != nil {
		c.Fatal(err)
	}
	return snap
}

func (c *cardTest) look(ref provider.Ref) provider.Snapshot {
	c.Helper()
	snap, err := c.Provider.Look(c.Context(), ref)
	if err != nil {
		c.Fatal(err)
	}
	return snap
}

// kept is a card that the customer paid with once.
func (c *cardTest) kept(does provider.Remedy) string {
	c.Helper()
	form := c.mustBegin(c.order(c.key("form"), ""))
	c.Pay(form.Ref, provider.RemedyNone)
	snap := c.look(form.Ref)
	c.wantPaid(snap)
	if does != provider.RemedyNone {
		c.Change(snap.Charge.Instrument.Ref, does)
	}
	return snap.Charge.Instrument.Ref
}

// declined is a month whose first try came to nothing.
func (c *cardTest) declined(card string) provider.Snapshot {
	c.Helper()
	snap := c.mustBegin(c.order(c.key("month"), card))
	if snap.State != provider.Open {
		c.Fatalf("the card was not declined: %+v", snap)
	}
	return snap
}

// wantPaid wants a payment paid by a card that is kept.
func (c *cardTest) wantPaid(snap provider.Snapshot) {
	c.Helper()
	if snap.State != provider.Succeeded || snap.Received != fifty || snap.Charge == nil || snap.Charge.Instrument == nil {
		c.Fatalf("not paid by a card that is kept: %+v", snap)
	}
	if card := *snap.Charge.Instrument; card.Ref == "" || card.Payer != c.customer || card.Label != snap.Charge.Label ||
		card.ExpYear < c.Now().Year() || card.ExpMonth < 1 || card.ExpMonth > 12 {
		c.Errorf("kept %+v", card)
	}
}

func (c *cardTest) wantDeclined(snap provider.Snapshot, remedy provider.Remedy) {
	c.Helper()
	if snap.State != provider.Open || snap.Remedy != remedy || snap.FailureCode == "" || snap.LastDecline == "" ||
		snap.Charge != nil || !snap.Received.IsZero() {
		c.Errorf("declined, remedy %s: %+v", remedy, snap)
	}
}

// wantCharges counts what moved our balance.
func (c *cardTest) wantCharges(want int) {
	c.Helper()
	n := 0
	err := c.Provider.EachLine(c.Context(), c.Now().Add(-time.Hour), c.Now().Add(time.Hour), func(l provider.Line) error {
		if l.Kind == provider.LineCharge {
			n++
		}
		return nil
	})
	if err != nil || n != want {
		c.Errorf("%d charges, want %d (%v)", n, want, err)
	}
}
