package providertest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"talkoot.fi/payments/internal/provider"
)

// Registering is a Strict that differs more: a card is registered before a payment names it, at an address of the provider's;
// whoever pays has a name there; a payment is one try of one card, whose decline is final; a bank's question is a page, and
// what a payer has before them cannot be ended by us: it ends by itself. A mandate is confirmed on a page, and what it debits is on
// its way for days.
type Registering struct{ *Strict }

// ChallengeLife is how long a payer has for their bank's question.
const ChallengeLife = 15 * time.Minute

var (
	_ provider.Provider      = Registering{}
	_ provider.Registrations = Registering{}
)

// Traits are the strict one's, but nothing is charged while its payer is away.
func (r Registering) Traits() provider.Traits {
	t := r.Strict.Traits()
	t.Recurring = false
	return t
}

// NewPayer makes a payer, who has a name.
func (r Registering) NewPayer(ctx context.Context, o provider.PayerOrder) (string, error) {
	if o.Name == "" || o.Email == "" {
		return "", fmt.Errorf("400 FirstName, Email: %w", provider.ErrFinal)
	}
	return r.Strict.NewPayer(ctx, o)
}

// BeginSetup begins a registration.
func (r Registering) BeginSetup(ctx context.Context, o provider.SetupOrder) (provider.Setup, error) {
	switch {
	case o.Currency == "":
		return provider.Setup{}, fmt.Errorf("400 Currency: %w", provider.ErrFinal)
	case o.Kind == provider.KindMandate && (o.Account == "" || o.ReturnURL == "" || o.Language == ""):
		return provider.Setup{}, fmt.Errorf("400 BankAccountId, Culture, ReturnURL: %w", provider.ErrFinal)
	}
	setup, err := r.Strict.BeginSetup(ctx, o)
	if err != nil {
		return setup, err
	}
	r.mu.Lock()
	r.findSetup(setup.Ref).Mandate = o.Kind == provider.KindMandate
	r.mu.Unlock()
	return r.LookSetup(ctx, setup.Ref)
}

// LookSetup reads one.
func (r Registering) LookSetup(ctx context.Context, ref string) (provider.Setup, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.registration(ref)
}

func (r Registering) registration(ref string) (provider.Setup, error) {
	out, err := r.lookSetup(ref)
	switch {
	case err != nil || out.State != provider.Open:
		out.Next = nil
	case r.findSetup(ref).Mandate:
		out.Next = provider.Redirect("https://strict.example/" + ref)
	default:
		out.Next = provider.Register{URL: "https://tokens.strict.example/", Key: "key-" + ref, Data: "pre-" + ref}
	}
	return out, err
}

// Confirm is the payer at the page of a mandate.
func (r Registering) Confirm(ref string, doesSo bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	setup := r.findSetup(ref)
	switch {
	case setup.Ended || setup.Card != "":
	case doesSo:
		setup.Card = r.newCard(setup.Customer, provider.RemedyNone)
		r.card(setup.Card).Mandate = true
		r.hook("MANDATE_SUBMITTED", ref)
	default:
		setup.Ended, setup.Declined = true, provider.RemedyPayer
		r.hook("MANDATE_FAILED", ref)
	}
}

// Debited is the payer's bank, days later: it pays a debit, or does not.
func (r Registering) Debited(id string, pays bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch p := r.find(id); {
	case p.Status != "CREATED":
	case pays:
		r.pay(p)
	default:
		r.fail(p, provider.RemedyLater)
	}
}

// Tokenise is the payer's browser at the provider's address: what it answers to a card that meets this when it is charged.
func (r Registering) Tokenise(setup string, declines provider.Remedy) string {
	return "data=" + setup + "/" + string(declines)
}

// FinishSetup takes that answer.
func (r Registering) FinishSetup(_ context.Context, ref, answer string) (provider.Setup, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	setup := r.findSetup(ref)
	if setup == nil {
		return provider.Setup{}, provider.ErrNotFound
	}
	declines, isOurs := strings.CutPrefix(answer, "data="+ref+"/")
	switch {
	case setup.Ended:
		return provider.Setup{}, provider.ErrState
	case setup.Card != "": // a repeat
	case !isOurs:
		setup.Ended, setup.Declined = true, provider.RemedyCard
	default:
		setup.Card = r.newCard(setup.Customer, provider.Remedy(declines))
	}
	return r.registration(ref)
}

// Begin makes a page, or charges a registered card of a payer who is there.
func (r Registering) Begin(ctx context.Context, o provider.Order) (provider.Snapshot, error) {
	if o.Method == provider.MethodPage && o.Payer == "" {
		return provider.Snapshot{}, fmt.Errorf("400 AuthorId: %w", provider.ErrFinal)
	}
	if o.Method == provider.MethodPage {
		return r.Strict.Begin(ctx, o)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	card := r.card(o.Instrument)
	switch {
	case r.knows(o.Key):
	case o.Method == provider.MethodCard && (o.Browser == nil || o.ReturnURL == ""):
		return provider.Snapshot{}, fmt.Errorf("400 BrowserInfo, SecureModeReturnURL: %w", provider.ErrFinal)
	case card == nil || card.Customer != o.Payer || card.Mandate != (o.Method == provider.MethodDebit):
		return provider.Snapshot{}, provider.ErrInstrumentGone
	}
	id, err := r.create(o.Key, func() string {
		p := &Payment{ID: fmt.Sprintf("payin_%d", len(r.payments)+1), Status: "CREATED", Wallet: "wallet-" + o.Tag.Campaign, Tag: o.Tag,
			Amount: o.Amount, Created: r.Now(), Customer: o.Payer, Card: card.ID, Debit: card.Mandate}
		r.payments = append(r.payments, p)
		r.hook("PAYIN_NORMAL_CREATED", p.ID)
		switch decline := card.declines(r.Now().Year()*12 + int(r.Now().Month())); {
		case card.Mandate:
		case decline == provider.RemedyNone:
			r.pay(p)
		case decline == provider.RemedyPayer:
			p.AskedUntil = r.Now().Add(ChallengeLife)
		default:
			r.fail(p, decline)
		}
		return p.ID
	})
	if err != nil {
		return provider.Snapshot{}, err
	}
	return r.look(id)
}

// Begun is GET /responses/{key}.
func (r Registering) Begun(_ context.Context, key string) (provider.Snapshot, error) {
	r.mu.Lock()
	id := r.keys[keyOf(key)]
	r.mu.Unlock()
	if id == "" {
		if r.AfterBegun != nil {
			r.AfterBegun()
		}
		return provider.Snapshot{}, provider.ErrNotFound
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.look(id)
}

// End ends nothing but pages.
func (r Registering) End(ctx context.Context, ref provider.Ref) error {
	if ref.Method == provider.MethodPage {
		return r.Strict.End(ctx, ref)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.find(ref.Object) == nil {
		return provider.ErrNotFound
	}
	return provider.ErrState
}

// Answer is the payer at their bank's page.
func (r Registering) Answer(id string, isThem bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch p := r.find(id); {
	case p.Status != "CREATED" || !r.Now().Before(p.AskedUntil):
	case isThem:
		r.pay(p)
	default:
		r.fail(p, provider.RemedyPayer)
	}
}

// fail is a decline that is final.
func (s *Strict) fail(p *Payment, why provider.Remedy) {
	p.Status = "FAILED"
	s.decline(p, why)
}

// Expire ends what payers had too long before them.
func (r Registering) Expire() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.payments {
		if p.Status == "CREATED" && !p.AskedUntil.IsZero() && !r.Now().Before(p.AskedUntil) {
			r.fail(p, provider.RemedyPayer)
		}
	}
}

// Charged lists the cards of all payments, in their order.
func (r Registering) Charged() (cards []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.payments {
		cards = append(cards, cmp.Or(p.Card, "page")+" "+p.Status)
	}
	return slices.Clip(cards)
}
