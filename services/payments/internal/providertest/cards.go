package providertest

import (
	"errors"
	"fmt"
	"sync"
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
		"a card is kept without a charge":                           (*cardTest).setups,
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
	id, err := c.Provider.NewCustomer(c.Context(), provider.CustomerOrder{Key: "customer:" + key, ID: ids.New()})
	if err != nil || id == "" {
		c.Fatalf("customer %q, %v", id, err)
	}
	return id
}

func (c *cardTest) order(key, card string) provider.Order {
	return provider.Order{Key: key, Method: provider.Form, Amount: fifty, Title: "Ahven", Customer: c.customer, Card: card,
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
	return c.Provider.ChargeCard(c.Context(), provider.ChargeOrder{Key: key, Ref: ref, Card: card})
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
		c.Change(snap.Charge.Card.Ref, does)
	}
	return snap.Charge.Card.Ref
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
	if snap.State != provider.Succeeded || snap.Received != fifty || snap.Charge == nil || snap.Charge.Card == nil {
		c.Fatalf("not paid by a card that is kept: %+v", snap)
	}
	if card := *snap.Charge.Card; card.Ref == "" || card.Customer != c.customer || card.Label != snap.Charge.Label ||
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

func (c *cardTest) customers() {
	if c.newCustomer("other") == c.customer {
		c.Error("another key gave the same customer")
	}
	o := provider.CustomerOrder{Key: "customer:lost", ID: ids.New()}
	c.LoseAnswer()
	if _, err := c.Provider.NewCustomer(c.Context(), o); err == nil {
		c.Fatal("the lost answer was no error")
	}
	first, err := c.Provider.NewCustomer(c.Context(), o)
	if err != nil {
		c.Fatal(err)
	}
	if again, err := c.Provider.NewCustomer(c.Context(), o); err != nil || again != first {
		c.Errorf("the key gave %s, then %s (%v)", first, again, err)
	}
}

func (c *cardTest) keeping() {
	card := c.kept(provider.RemedyNone)
	seen, err := c.Provider.Card(c.Context(), card)
	if err != nil || seen.Ref != card || seen.Customer != c.customer {
		c.Errorf("%+v, %v", seen, err)
	}
	o := c.order("pledge", "")
	o.Customer = ""
	form := c.mustBegin(o)
	c.Pay(form.Ref, provider.RemedyNone)
	if snap := c.look(form.Ref); snap.State != provider.Succeeded || snap.Charge.Card != nil {
		c.Errorf("a payment without a customer: %+v", snap)
	}
}

func (c *cardTest) begin() {
	card := c.kept(provider.RemedyNone)
	o := c.order("month", card)
	first := c.mustBegin(o)
	c.wantPaid(first)
	if first.Charge.Card.Ref != card || first.Charge.Fee == nil || first.Tag != o.Tag {
		c.Errorf("%+v, charge %+v", first, first.Charge)
	}
	if again := c.mustBegin(o); again.Ref != first.Ref || again.State != provider.Succeeded {
		c.Errorf("the same key gave %+v", again)
	}
	o = c.order("lost", card)
	c.LoseAnswer()
	if _, err := c.Provider.Begin(c.Context(), o); err == nil {
		c.Fatal("the lost answer was no error")
	}
	c.wantPaid(c.mustBegin(o))
	c.wantCharges(3)
}

func (c *cardTest) declines() {
	for _, remedy := range []provider.Remedy{provider.RemedyLater, provider.RemedyCard, provider.RemedyPayer} {
		card := c.kept(remedy)
		o := c.order(c.key("month"), card)
		c.LoseAnswer()
		if _, err := c.Provider.Begin(c.Context(), o); err == nil {
			c.Fatal("the lost answer was no error")
		}
		begun := c.mustBegin(o)
		c.wantDeclined(begun, remedy)
		c.wantDeclined(c.look(begun.Ref), remedy)
		if fresh := c.declined(card); fresh.Ref == begun.Ref || fresh.Ref.Object == "" {
			c.Errorf("another key gave %+v", fresh.Ref)
		} else {
			c.wantDeclined(fresh, remedy)
		}
	}
	c.wantCharges(3)
}

func (c *cardTest) tries() {
	card := c.kept(provider.RemedyLater)
	month := c.declined(card)
	second := c.mustCharge("try:2", month.Ref, card)
	c.wantDeclined(second, provider.RemedyLater)
	if second.LastDecline == month.LastDecline || second.Ref != month.Ref {
		c.Errorf("another try was not one: %+v", second)
	}
	c.Change(card, provider.RemedyNone)
	if again := c.mustCharge("try:2", month.Ref, card); again.State != provider.Open ||
		again.LastDecline != second.LastDecline {
		c.Errorf("the same key tried again: %+v", again)
	}
	c.LoseAnswer()
	if _, err := c.charge("try:3", month.Ref, card); err == nil {
		c.Fatal("the lost answer was no error")
	}
	for range 2 {
		c.wantPaid(c.mustCharge("try:3", month.Ref, card))
	}
	c.wantPaid(c.mustCharge("try:2", month.Ref, card)) // as it is now
	c.wantCharges(2)
}

func (c *cardTest) nextTry() {
	month := c.declined(c.kept(provider.RemedyCard))
	other := c.kept(provider.RemedyNone)
	snap := c.mustCharge("try:2", month.Ref, other)
	c.wantPaid(snap)
	if snap.Ref != month.Ref || snap.Charge.Card.Ref != other || snap.Remedy != provider.RemedyNone || snap.FailureCode != "" {
		c.Errorf("%+v", snap)
	}
	c.wantCharges(3)
}

func (c *cardTest) states() {
	card := c.kept(provider.RemedyNone)
	paid := c.mustBegin(c.order("month", card))
	if _, err := c.charge("late", paid.Ref, card); !errors.Is(err, provider.ErrState) {
		c.Errorf("of what is paid: %v", err)
	}
	c.Change(card, provider.RemedyLater)
	ended := c.declined(card)
	if err := c.Provider.End(c.Context(), ended.Ref); err != nil {
		c.Fatal(err)
	}
	c.Change(card, provider.RemedyNone)
	if _, err := c.charge("ended", ended.Ref, card); !errors.Is(err, provider.ErrState) {
		c.Errorf("of what has ended: %v", err)
	}
	c.wantCharges(2)
}

func (c *cardTest) race() {
	const rounds = 8
	card := c.kept(provider.RemedyNone)
	for range rounds {
		c.Change(card, provider.RemedyLater)
		month := c.declined(card)
		c.Change(card, provider.RemedyNone)
		var both sync.WaitGroup
		both.Go(func() { c.Pay(month.Ref, provider.RemedyNone) })
		both.Go(func() {
			if snap, err := c.charge(c.key("try"), month.Ref, card); err == nil && snap.State != provider.Succeeded ||
				err != nil && !errors.Is(err, provider.ErrState) {
				c.Errorf("charged: %+v, %v", snap, err)
			}
		})
		both.Wait()
		c.wantPaid(c.look(month.Ref))
	}
	c.wantCharges(1 + rounds)
}

func (c *cardTest) recovery() {
	card := c.kept(provider.RemedyPayer)
	asks := c.declined(card)
	c.Confirm(c.look(asks.Ref).Ref, card)
	confirmed := c.look(asks.Ref)
	if c.wantPaid(confirmed); confirmed.Charge.Card.Ref != card {
		c.Errorf("paid by %s", confirmed.Charge.Card.Ref)
	}
	asks = c.declined(card)
	if !c.Pay(c.look(asks.Ref).Ref, provider.RemedyPayer) {
		c.Fatal("the payer cannot confirm")
	}
	c.wantPaid(c.look(asks.Ref))

	lost := c.kept(provider.RemedyCard)
	month := c.declined(lost)
	c.look(month.Ref) // whose secret goes to the payer's browser
	c.Pay(month.Ref, provider.RemedyNone)
	snap := c.look(month.Ref)
	c.wantPaid(snap)
	if snap.Charge.Card.Ref == lost {
		c.Error("the lost card paid")
	}
	next := c.mustBegin(c.order("next", snap.Charge.Card.Ref))
	c.wantPaid(next)

	// Nobody heard of the decline before the payer came.
	month = c.mustBegin(c.order(c.key("month"), ""))
	c.LoseAnswer()
	if _, err := c.charge("unheard", month.Ref, lost); err == nil {
		c.Fatal("the lost answer was no error")
	}
	c.wantDeclined(c.look(month.Ref), provider.RemedyCard)
	c.Pay(month.Ref, provider.RemedyNone)
	c.wantPaid(c.look(month.Ref))

	// Refused again in the form, and the other way round: the kept card once more.
	card = c.kept(provider.RemedyLater)
	month = c.declined(card)
	c.Pay(c.look(month.Ref).Ref, provider.RemedyLater)
	c.Change(card, provider.RemedyNone)
	c.wantPaid(c.mustCharge("after the form", month.Ref, card))
	c.wantCharges(9)
}

func (c *cardTest) expiry() {
	card := c.kept(provider.RemedyNone)
	c.Renew(card, c.Now().Year()-1, 12)
	month := c.declined(card)
	c.wantDeclined(month, provider.RemedyCard)
	c.Renew(card, c.Now().Year()+5, 7)
	seen, err := c.Provider.Card(c.Context(), card)
	if err != nil || seen.ExpYear != c.Now().Year()+5 || seen.ExpMonth != 7 {
		c.Errorf("renewed: %+v, %v", seen, err)
	}
	c.wantPaid(c.mustCharge("renewed", month.Ref, card))
}

func (c *cardTest) forgotten() {
	card, other := c.kept(provider.RemedyLater), c.kept(provider.RemedyNone)
	month := c.declined(card)
	for range 2 {
		if err := c.Provider.ForgetCard(c.Context(), card); err != nil {
			c.Fatal(err)
		}
	}
	if err := c.Provider.ForgetCard(c.Context(), "pm_never"); err != nil {
		c.Error(err)
	}
	if _, err := c.Provider.Card(c.Context(), card); !errors.Is(err, provider.ErrNotFound) {
		c.Errorf("read: %v", err)
	}
	if _, err := c.charge("gone", month.Ref, card); !errors.Is(err, provider.ErrCardGone) {
		c.Errorf("charged: %v", err)
	}
	if _, err := c.Provider.Begin(c.Context(), c.order("gone", card)); !errors.Is(err, provider.ErrCardGone) {
		c.Errorf("begun: %v", err)
	}
	c.wantPaid(c.mustCharge("other", month.Ref, other))
	none := provider.Ref{Method: provider.Form, Object: "pi_none", Money: "pi_none"}
	if _, err := c.charge("none", none, other); !errors.Is(err, provider.ErrNotFound) || errors.Is(err, provider.ErrCardGone) {
		c.Errorf("a payment that is none: %v", err)
	}
	c.wantCharges(3)
}

func (c *cardTest) setups() {
	o := provider.SetupOrder{Key: "setup", Customer: c.customer, Subject: "subscription:1"}
	setup, err := c.Provider.BeginSetup(c.Context(), o)
	if err != nil || setup.State != provider.Open || setup.ClientSecret == "" || setup.Customer != c.customer ||
		setup.Card != nil {
		c.Fatalf("%+v, %v", setup, err)
	}
	c.PaySetup(setup.Ref, provider.RemedyCard)
	seen, err := c.Provider.LookSetup(c.Context(), setup.Ref)
	if err != nil || seen.State != provider.Open || seen.FailureCode == "" {
		c.Errorf("after a decline: %+v, %v", seen, err)
	}
	c.PaySetup(setup.Ref, provider.RemedyNone)
	again, err := c.Provider.BeginSetup(c.Context(), o)
	if err != nil || again.Ref != setup.Ref || again.State != provider.Succeeded || again.Card == nil ||
		again.Card.Customer != c.customer || again.FailureCode != "" {
		c.Fatalf("the same key, after the payer: %+v, %v", again, err)
	}
	c.wantCharges(0)
	c.wantPaid(c.mustBegin(c.order("month", again.Card.Ref)))
	if _, err := c.Provider.LookSetup(c.Context(), "seti_none"); !errors.Is(err, provider.ErrNotFound) {
		c.Errorf("of none: %v", err)
	}
	if err := c.Provider.ForgetCard(c.Context(), again.Card.Ref); err != nil {
		c.Fatal(err)
	}
	if seen, err = c.Provider.LookSetup(c.Context(), setup.Ref); err != nil || seen.State != provider.Succeeded ||
		seen.Card != nil {
		c.Errorf("after the card was forgotten: %+v, %v", seen, err)
	}
}

func (c *cardTest) hooks() {
	card := c.kept(provider.RemedyNone)
	c.Hooks()
	c.Renew(card, c.Now().Year()+6, 3)
	c.wantHook(card)
	if err := c.Provider.ForgetCard(c.Context(), card); err != nil {
		c.Fatal(err)
	}
	c.wantHook(card)
}

func (c *cardTest) wantHook(card string) {
	c.Helper()
	found := false
	for _, d := range c.Hooks() {
		h, err := c.Provider.ReadHook(d)
		if err != nil {
			c.Fatal(err)
		}
		found = found || h.About == provider.AboutCard && h.Object == card
	}
	if !found {
		c.Error("nobody told about the card")
	}
}
