package providertest

import (
	"errors"
	"sync"

	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/provider"
)

func (c *cardTest) customers() {
	if c.newCustomer("other") == c.customer {
		c.Error("another key gave the same customer")
	}
	o := provider.PayerOrder{Key: "customer:lost", ID: ids.New()}
	c.LoseAnswer()
	if _, err := c.Provider.NewPayer(c.Context(), o); err == nil {
		c.Fatal("the lost answer was no error")
	}
	first, err := c.Provider.NewPayer(c.Context(), o)
	if err != nil {
		c.Fatal(err)
	}
	if again, err := c.Provider.NewPayer(c.Context(), o); err != nil || again != first {
		c.Errorf("the key gave %s, then %s (%v)", first, again, err)
	}
}

func (c *cardTest) keeping() {
	card := c.kept(provider.RemedyNone)
	seen, err := c.Provider.Instrument(c.Context(), card)
	if err != nil || seen.Ref != card || seen.Payer != c.customer {
		c.Errorf("%+v, %v", seen, err)
	}
	o := c.order("pledge", "")
	o.Payer = ""
	form := c.mustBegin(o)
	c.Pay(form.Ref, provider.RemedyNone)
	if snap := c.look(form.Ref); snap.State != provider.Succeeded || snap.Charge.Instrument != nil {
		c.Errorf("a payment without a customer: %+v", snap)
	}
}

func (c *cardTest) begin() {
	card := c.kept(provider.RemedyNone)
	o := c.order("month", card)
	first := c.mustBegin(o)
	c.wantPaid(first)
	if first.Charge.Instrument.Ref != card || first.Charge.Fee == nil || first.Tag != o.Tag {
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
	if snap.Ref != month.Ref || snap.Charge.Instrument.Ref != other || snap.Remedy != provider.RemedyNone || snap.FailureCode != "" {
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
	if c.wantPaid(confirmed); confirmed.Charge.Instrument.Ref != card {
		c.Errorf("paid by %s", confirmed.Charge.Instrument.Ref)
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
	if snap.Charge.Instrument.Ref == lost {
		c.Error("the lost card paid")
	}
	next := c.mustBegin(c.order("next", snap.Charge.Instrument.Ref))
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
	seen, err := c.Provider.Instrument(c.Context(), card)
	if err != nil || seen.ExpYear != c.Now().Year()+5 || seen.ExpMonth != 7 {
		c.Errorf("renewed: %+v, %v", seen, err)
	}
	c.wantPaid(c.mustCharge("renewed", month.Ref, card))
}

func (c *cardTest) forgotten() {
	card, other := c.kept(provider.RemedyLater), c.kept(provider.RemedyNone)
	month := c.declined(card)
	for range 2 {
		if err := c.Provider.ForgetInstrument(c.Context(), card); err != nil {
			c.Fatal(err)
		}
	}
	if err := c.Provider.ForgetInstrument(c.Context(), "pm_never"); err != nil {
		c.Error(err)
	}
	if _, err := c.Provider.Instrument(c.Context(), card); !errors.Is(err, provider.ErrNotFound) {
		c.Errorf("read: %v", err)
	}
	if _, err := c.charge("gone", month.Ref, card); !errors.Is(err, provider.ErrInstrumentGone) {
		c.Errorf("charged: %v", err)
	}
	if _, err := c.Provider.Begin(c.Context(), c.order("gone", card)); !errors.Is(err, provider.ErrInstrumentGone) {
		c.Errorf("begun: %v", err)
	}
	c.wantPaid(c.mustCharge("other", month.Ref, other))
	none := provider.Ref{Method: provider.MethodCard, Object: "pi_none", Money: "pi_none"}
	if _, err := c.charge("none", none, other); !errors.Is(err, provider.ErrNotFound) || errors.Is(err, provider.ErrInstrumentGone) {
		c.Errorf("a payment that is none: %v", err)
	}
	c.wantCharges(3)
}

func (c *cardTest) forgottenCustomer() {
	first, second := c.kept(provider.RemedyNone), c.kept(provider.RemedyNone)
	month := c.mustBegin(c.order("month", ""))
	paid := c.mustBegin(c.order("paid", first))
	if has, err := c.Provider.HasPayer(c.Context(), c.customer); err != nil || !has {
		c.Errorf("it is there: %t, %v", has, err)
	}
	for range 2 {
		if err := c.Provider.ForgetPayer(c.Context(), c.customer); err != nil {
			c.Fatal(err)
		}
	}
	if has, err := c.Provider.HasPayer(c.Context(), c.customer); err != nil || has {
		c.Errorf("it is there still: %t, %v", has, err)
	}
	if _, err := c.Provider.HasPayer(c.Context(), "cus_never"); !errors.Is(err, provider.ErrNotFound) {
		c.Errorf("one that never was: %v", err)
	}
	if err := c.Provider.ForgetPayer(c.Context(), "cus_never"); err != nil {
		c.Error(err)
	}
	for _, card := range []string{first, second} {
		if _, err := c.Provider.Instrument(c.Context(), card); !errors.Is(err, provider.ErrNotFound) {
			c.Errorf("read: %v", err)
		}
		if err := c.Provider.ForgetInstrument(c.Context(), card); err != nil {
			c.Errorf("forgotten with its customer, and again: %v", err)
		}
	}
	if _, err := c.charge("gone", month.Ref, second); !errors.Is(err, provider.ErrInstrumentGone) {
		c.Errorf("charged: %v", err)
	}
	if snap := c.look(paid.Ref); snap.State != provider.Succeeded {
		c.Errorf("what was paid: %+v", snap)
	}
	if err := c.Provider.End(c.Context(), month.Ref); err != nil {
		c.Errorf("its open payment ends: %v", err)
	}
	if _, err := c.Provider.Begin(c.Context(), c.order("another", "")); !errors.Is(err, provider.ErrNotFound) {
		c.Errorf("begun: %v", err)
	}
	if _, err := c.Provider.BeginSetup(c.Context(), provider.SetupOrder{Kind: provider.KindCard, Key: "setup", Payer: c.customer}); !errors.Is(err, provider.ErrNotFound) {
		c.Errorf("begun to keep a card: %v", err)
	}
	c.wantCharges(3)
}

func (c *cardTest) endedSetups() {
	begin := func(key string) provider.Setup {
		setup, err := c.Provider.BeginSetup(c.Context(), provider.SetupOrder{Kind: provider.KindCard, Key: key, Payer: c.customer, Subject: "subscription:1"})
		if err != nil {
			c.Fatal(err)
		}
		return setup
	}
	unused, used := begin("unused"), begin("used")
	if err := c.Provider.EndSetup(c.Context(), unused.Ref); err != nil {
		c.Fatal(err)
	}
	c.PaySetup(unused.Ref, provider.RemedyNone)
	if seen, err := c.Provider.LookSetup(c.Context(), unused.Ref); err != nil || seen.State != provider.Ended || seen.Instrument != nil {
		c.Errorf("ended: %+v, %v", seen, err)
	}
	c.PaySetup(used.Ref, provider.RemedyNone)
	for _, ref := range []string{unused.Ref, used.Ref} {
		if err := c.Provider.EndSetup(c.Context(), ref); !errors.Is(err, provider.ErrState) {
			c.Errorf("ending what has ended or kept a card: %v", err)
		}
	}
	if seen, err := c.Provider.LookSetup(c.Context(), used.Ref); err != nil || seen.Instrument == nil {
		c.Errorf("used: %+v, %v", seen, err)
	}
	if err := c.Provider.EndSetup(c.Context(), "seti_never"); !errors.Is(err, provider.ErrNotFound) {
		c.Errorf("of none: %v", err)
	}
}

func (c *cardTest) setups() {
	o := provider.SetupOrder{Kind: provider.KindCard, Key: "setup", Payer: c.customer, Subject: "subscription:1"}
	setup, err := c.Provider.BeginSetup(c.Context(), o)
	if err != nil || setup.State != provider.Open || setup.Next == nil || setup.Payer != c.customer ||
		setup.Instrument != nil {
		c.Fatalf("%+v, %v", setup, err)
	}
	c.PaySetup(setup.Ref, provider.RemedyCard)
	seen, err := c.Provider.LookSetup(c.Context(), setup.Ref)
	if err != nil || seen.State != provider.Open || seen.FailureCode == "" {
		c.Errorf("after a decline: %+v, %v", seen, err)
	}
	c.PaySetup(setup.Ref, provider.RemedyNone)
	again, err := c.Provider.BeginSetup(c.Context(), o)
	if err != nil || again.Ref != setup.Ref || again.State != provider.Succeeded || again.Instrument == nil ||
		again.Instrument.Payer != c.customer || again.FailureCode != "" {
		c.Fatalf("the same key, after the payer: %+v, %v", again, err)
	}
	c.wantCharges(0)
	c.wantPaid(c.mustBegin(c.order("month", again.Instrument.Ref)))
	if _, err := c.Provider.LookSetup(c.Context(), "seti_none"); !errors.Is(err, provider.ErrNotFound) {
		c.Errorf("of none: %v", err)
	}
	if err := c.Provider.ForgetInstrument(c.Context(), again.Instrument.Ref); err != nil {
		c.Fatal(err)
	}
	if seen, err = c.Provider.LookSetup(c.Context(), setup.Ref); err != nil || seen.State != provider.Succeeded ||
		seen.Instrument != nil {
		c.Errorf("after the card was forgotten: %+v, %v", seen, err)
	}
}

func (c *cardTest) hooks() {
	card := c.kept(provider.RemedyNone)
	c.Hooks()
	c.Renew(card, c.Now().Year()+6, 3)
	c.wantHook(card)
	if err := c.Provider.ForgetInstrument(c.Context(), card); err != nil {
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
		found = found || h.About == provider.AboutInstrument && h.Object == card
	}
	if !found {
		c.Error("nobody told about the card")
	}
}
