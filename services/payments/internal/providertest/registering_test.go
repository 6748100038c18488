package providertest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providertest"
)

// What a registered card meets when it is charged.
const (
	good     = provider.RemedyNone
	declined = provider.RemedyCard
	asked    = provider.RemedyPayer // its bank asks the payer
)

var aCard = payments.Registration{Kind: provider.KindCard}

// cards is the core with a provider where a card is registered first.
type cards struct {
	*bench
	at providertest.Registering
}

func newCards(t *testing.T) cards {
	t.Helper()
	var at providertest.Registering
	b := newBenchWith(t, func(s *providertest.Strict) provider.Provider {
		at = providertest.Registering{Strict: s}
		return at
	})
	return cards{b, at}
}

// register has the browser register a card, and gives its id.
func (c cards) register(declines provider.Remedy) string {
	c.t.Helper()
	_, setup, err := c.service.Register(c.t.Context(), c.subject, "", aCard)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, is := setup.Next.(provider.Register); !is {
		c.t.Fatalf("the browser is to do %#v", setup.Next)
	}
	done, err := c.service.FinishCard(c.t.Context(), c.subject, setup.Ref, c.at.Tokenise(setup.Ref, declines))
	if err != nil || done.Instrument == nil {
		c.t.Fatalf("registered %+v, %v", done, err)
	}
	return done.Instrument.Ref
}

func (c cards) pay(card string) (payments.Payment, provider.Next, error) {
	p, try, err := c.service.Pay(c.t.Context(), c.subject, "", payments.Charge{Kind: provider.KindCard, Instrument: card,
		Browser: provider.Browser{IP: "192.0.2.1", JavaScript: true}})
	return p, try.Next, err
}

func (c cards) mustPay(card string) (payments.Payment, provider.Next) {
	c.t.Helper()
	p, next, err := c.pay(card)
	if err != nil {
		c.t.Fatal(err)
	}
	return p, next
}

func (c cards) want(status payments.Status, reason string, charged ...string) {
	c.t.Helper()
	p := c.payment()
	if p.Status != status || p.FailureCode != reason {
		c.t.Errorf("the payment is %s after %q", p.Status, p.FailureCode)
	}
	if got := c.at.Charged(); !slices.Equal(got, charged) {
		c.t.Errorf("charged %s, not %s", got, charged)
	}
	c.agree()
}

func TestRegisteredCard_PaysAtOnce(t *testing.T) {
	t.Parallel()
	c := newCards(t)
	card := c.register(good)
	if p, next := c.mustPay(card); p.Status != payments.StatusSucceeded || next != nil {
		t.Errorf("is %s, next %v", p.Status, next)
	}
	if _, _, err := c.pay(card); !errors.Is(err, payments.ErrPaid) {
		t.Errorf("once more: %v", err)
	}
	c.deliver(2)
	c.want(payments.StatusSucceeded, "", "card_1 SUCCEEDED")
	if n := len(c.heard); n != 2 || c.heard[1].Type != contentclient.PaymentSucceeded {
		t.Errorf("heard %+v", c.heard)
	}
}

// While the bank asks, its page is the answer, whatever the next call would pay with; nothing else is charged meanwhile.
func TestRegisteredCard_ItsBankAsks_TheAnswerDecides(t *testing.T) {
	t.Parallel()
	for _, isThem := range []bool{true, false} {
		c := newCards(t)
		first, second := c.register(asked), c.register(good)
		p, next := c.mustPay(first)
		if p.Status != payments.StatusRequiresAction || provider.AddressOf(next) != "https://bank.example/payin_1" {
			t.Fatalf("is %s, next %v", p.Status, next)
		}
		for _, card := range []string{first, second} {
			if _, again := c.mustPay(card); again != next {
				t.Errorf("while the bank asks: %v", again)
			}
		}
		c.at.Answer("payin_1", isThem)
		c.deliver(1)
		if isThem {
			c.want(payments.StatusSucceeded, "", "card_1 SUCCEEDED")
			continue
		}
		c.want(payments.StatusCreated, "authentication_failed", "card_1 FAILED")
		c.mustPay(second)
		c.want(payments.StatusSucceeded, "", "card_1 FAILED", "card_2 SUCCEEDED")
	}
}

// A decline is final there: it keeps its reason, and the next card is another payment of the provider's.
func TestRegisteredCard_Declined_TheNextOnePays(t *testing.T) {
	t.Parallel()
	c := newCards(t)
	p, next := c.mustPay(c.register(declined))
	if p.Status != payments.StatusCreated || p.FailureCode != "card_declined" || next != nil {
		t.Fatalf("is %s after %q, next %v", p.Status, p.FailureCode, next)
	}
	c.mustPay(c.register(good))
	c.deliver(1)
	c.want(payments.StatusSucceeded, "", "card_1 FAILED", "card_2 SUCCEEDED")
}

// Each final decline counts as a card that was refused: ten of them end the payment.
func TestRegisteredCard_DeclinedAgainAndAgain_EndsThePayment(t *testing.T) {
	t.Parallel()
	c := newCards(t)
	var charged []string
	for i := range 10 {
		c.mustPay(c.register(declined))
		charged = append(charged, fmt.Sprintf("card_%d FAILED", i+1))
	}
	if _, _, err := c.service.Register(t.Context(), c.subject, "", aCard); !errors.Is(err, payments.ErrTooManyDeclines) {
		t.Errorf("the eleventh: %v", err)
	}
	c.deliver(1)
	c.want(payments.StatusCanceled, payments.TooManyDeclines, charged...)
}

// The answer never comes: the same call brings what it began, and another card finds it before anything is charged.
func TestRegisteredCard_TheAnswerIsLost_IsChargedOnce(t *testing.T) {
	t.Parallel()
	for _, withOther := range []bool{true, false} {
		c := newCards(t)
		first, second := c.register(good), c.register(good)
		c.at.LoseAnswers = 1
		if _, _, err := c.pay(first); !errors.Is(err, apperr.New(apperr.ProviderUnavailable)) {
			t.Fatalf("the lost answer: %v", err)
		}
		card := first
		if withOther {
			card = second
		}
		if p, _ := c.mustPay(card); p.Status != payments.StatusSucceeded {
			t.Errorf("is %s", p.Status)
		}
		c.deliver(1)
		c.want(payments.StatusSucceeded, "", "card_1 SUCCEEDED")
	}
}

// The answer never comes, and neither does the payer: a worker finds what was begun, and hooks need not tell.
func TestRegisteredCard_TheAnswerIsLostAndThePayerGone_IsFound(t *testing.T) {
	t.Parallel()
	c := newCards(t)
	card := c.register(good)
	c.at.LoseAnswers = 1
	if _, _, err := c.pay(card); err == nil {
		t.Fatal("the lost answer was no error")
	}
	c.at.Hooks()
	c.pass(3 * time.Minute)
	c.deliver(1)
	c.want(payments.StatusSucceeded, "", "card_1 SUCCEEDED")
}

// The call never came there. A card is charged by its payer's call alone: not by a worker, not when the payment is closed, and not in
// place of another card. Until it is certain that it never will come, another one waits.
func TestRegisteredCard_TheCallIsLost_NothingIsChargedWithoutThePayer(t *testing.T) {
	t.Parallel()
	c := newCards(t)
	first, second := c.register(good), c.register(good)
	c.at.LoseCalls = 1
	if _, _, err := c.pay(first); err == nil {
		t.Fatal("the lost call was no error")
	}
	if _, _, err := c.pay(second); !errors.Is(err, apperr.New(apperr.Unavailable)) {
		t.Errorf("another card at once: %v", err)
	}
	c.pass(3 * time.Minute)
	c.deliver(1)
	c.want(payments.StatusCreated, "")
	c.at.LoseCalls = 1
	if _, _, err := c.pay(first); err == nil {
		t.Fatal("the lost call was no error")
	}
	c.pass(3 * time.Minute)
	c.mustPay(second)
	c.want(payments.StatusSucceeded, "", second+" SUCCEEDED")
}

// The payer tries again in the moment in which a worker finds that nothing was begun: it is not given up under them, and charged once.
func TestRegisteredCard_TriedAgainWhileItIsLookedFor_IsChargedOnce(t *testing.T) {
	t.Parallel()
	for _, isLost := range []bool{false, true} {
		c := newCards(t)
		card := c.register(good)
		c.at.LoseCalls = 1
		if _, _, err := c.pay(card); err == nil {
			t.Fatal("the lost call was no error")
		}
		c.pass(3 * time.Minute)
		tried := false
		c.strict.AfterBegun = func() {
			if tried {
				return
			}
			if tried = true; isLost {
				c.at.LoseAnswers = 1
			}
			if _, _, err := c.pay(card); (err != nil) != isLost {
				t.Errorf("the second try: %v", err)
			}
		}
		if err := c.service.Tidy(t.Context()); err != nil {
			t.Fatal(err)
		}
		if p, _, err := c.pay(card); p.Status != payments.StatusSucceeded && !errors.Is(err, payments.ErrPaid) {
			t.Errorf("a third try: is %s, %v", p.Status, err)
		}
		c.deliver(1)
		c.want(payments.StatusSucceeded, "", card+" SUCCEEDED")
	}
}

func TestRegisteredCard_TheCallIsLostAndThePledgeClosed_NothingIsCharged(t *testing.T) {
	t.Parallel()
	c := newCards(t)
	card := c.register(good)
	c.at.LoseCalls = 1
	if _, _, err := c.pay(card); err == nil {
		t.Fatal("the lost call was no error")
	}
	if _, _, err := c.service.CloseSubject(t.Context(), c.subject); err != nil {
		t.Fatal(err)
	}
	c.pass(3 * time.Minute)
	c.deliver(1)
	c.want(payments.StatusCanceled, "")
}

// What a payer has before them cannot be ended there. A closed payment waits for it, and counts what comes.
func TestRegisteredCard_ClosedWhileItsBankAsks_WaitsForTheEnd(t *testing.T) {
	t.Parallel()
	for _, isThem := range []bool{true, false} {
		c := newCards(t)
		c.mustPay(c.register(asked))
		if _, _, err := c.service.CloseSubject(t.Context(), c.subject); err != nil {
			t.Fatal(err)
		}
		c.deliver(1)
		c.want(payments.StatusRequiresAction, "", "card_1 CREATED")
		if isThem {
			c.at.Answer("payin_1", true)
			c.deliver(1)
			c.want(payments.StatusSucceeded, "", "card_1 SUCCEEDED")
			continue
		}
		c.pass(providertest.ChallengeLife)
		c.at.Expire()
		c.at.Hooks()
		c.pass(time.Hour)
		c.deliver(1)
		c.want(payments.StatusCanceled, "", "card_1 FAILED")
	}
}

// An id is no permission: a registration and a card are of whoever registered them.
func TestRegisteredCard_OfSomebodyElse_IsNotThere(t *testing.T) {
	t.Parallel()
	c := newCards(t)
	theirs := c.register(good)
	_, setup, err := c.service.Register(t.Context(), c.subject, "", aCard)
	if err != nil {
		t.Fatal(err)
	}
	c.subject = payments.Subject{Kind: "pledge", ID: ids.New()}
	if _, _, err := c.service.Register(t.Context(), c.subject, "", aCard); err != nil {
		t.Fatal(err)
	}
	if _, err := c.service.FinishCard(t.Context(), c.subject, setup.Ref, c.at.Tokenise(setup.Ref, good)); !errors.Is(err, apperr.New(apperr.NotFound)) {
		t.Errorf("their registration: %v", err)
	}
	for _, card := range []string{theirs, "card_99", ""} {
		if _, _, err := c.pay(card); !errors.Is(err, apperr.New(apperr.NotFound)) {
			t.Errorf("card %q: %v", card, err)
		}
	}
	c.want(payments.StatusCreated, "")
}

// What the card's form says is taken once, and nonsense is a refusal of that registration.
func TestRegisteredCard_NonsenseFromTheBrowser_IsARefusedRegistration(t *testing.T) {
	t.Parallel()
	c := newCards(t)
	for _, answer := range []string{"", "errorCode=02625", "data=setup_9/", strings.Repeat("x", 5000)} {
		_, setup, err := c.service.Register(t.Context(), c.subject, "", aCard)
		if err != nil {
			t.Fatal(err)
		}
		done, err := c.service.FinishCard(t.Context(), c.subject, setup.Ref, answer)
		if err != nil || done.State != provider.Ended || done.FailureCode != "card_declined" || done.Instrument != nil {
			t.Errorf("%.20q: %+v, %v", answer, done, err)
		}
	}
	c.mustPay(c.register(good))
}

// An account has one payer for all that it pays, which stays without the cards that nobody keeps. A payer of one pledge goes with it.
func TestRegisteredCard_PayerOfAnAccountStays_OfAGuestIsForgotten(t *testing.T) {
	t.Parallel()
	for _, hasAccount := range []bool{true, false} {
		c := newCards(t)
		if hasAccount {
			c.backer = new(int64(7))
		}
		c.register(good)
		card := c.register(good)
		c.mustPay(card)
		if err := vault.ForgetPaid(t.Context(), c.db); err != nil {
			t.Fatal(err)
		}
		var forgets []string
		if err := c.db.Raw(`SELECT payload ->> 'ref' FROM outbox WHERE kind = 'provider.forget'`).Scan(&forgets).Error; err != nil {
			t.Fatal(err)
		}
		want := []string{"user_1"}
		if hasAccount {
			want = []string{card} // which nobody keeps
		}
		if !slices.Equal(forgets, want) {
			t.Errorf("account %t: forgotten are %v", hasAccount, forgets)
		}
		if hasAccount {
			c.subject = payments.Subject{Kind: "pledge", ID: ids.New()}
			_, setup, err := c.service.Register(t.Context(), c.subject, "", aCard)
			if err != nil || setup.Payer != "user_1" {
				t.Fatalf("the next pledge is %s's, %v", setup.Payer, err)
			}
			if p, _ := c.mustPay(c.register(good)); p.Status != payments.StatusSucceeded {
				t.Errorf("the next pledge is %s", p.Status)
			}
		}
	}
}

// The cards go to another provider's form while an answer of this one is missing: what it has charged counts, and nothing is charged twice.
func TestRegisteredCard_TheAnswerIsLostAndTheFormIsAnotherProviders_IsChargedOnce(t *testing.T) {
	t.Parallel()
	for _, isCharged := range []bool{true, false} {
		c := newCards(t)
		card := c.register(good)
		if c.at.LoseAnswers = 1; !isCharged {
			c.at.LoseAnswers, c.at.LoseCalls = 0, 1
		}
		if _, _, err := c.pay(card); err == nil {
			t.Fatal("the lost answer was no error")
		}
		c.hasForms = true
		if !isCharged {
			if _, _, err := c.service.Setup(t.Context(), c.subject, "", payments.FormCard{}); !errors.Is(err, apperr.New(apperr.Unavailable)) {
				t.Errorf("while the call may be on its way: %v", err)
			}
			c.pass(3 * time.Minute)
			if in := c.setUp(); c.pages.Payments() != 1 || in.ID == "" {
				t.Errorf("the form is %+v of %d", in, c.pages.Payments())
			}
			c.want(payments.StatusCreated, "")
			continue
		}
		if _, _, err := c.service.Setup(t.Context(), c.subject, "", payments.FormCard{}); !errors.Is(err, payments.ErrPaid) {
			t.Errorf("the form: %v", err)
		}
		c.deliver(1)
		c.want(payments.StatusSucceeded, "", "card_1 SUCCEEDED")
	}
}

// A page there is of a payer, too.
func TestRegisteredCard_APageBesideIt_IsOfTheSamePayer(t *testing.T) {
	t.Parallel()
	c := newCards(t)
	c.register(good)
	if _, err := c.service.Page(t.Context(), c.subject, "", ""); err != nil {
		t.Fatal(err)
	}
	c.pass(20 * time.Second)
	c.deliver(0)
	address, err := c.service.Page(t.Context(), c.subject, "", "")
	if err != nil || address != "https://strict.example/payin_1" {
		t.Fatalf("%q, %v", address, err)
	}
	c.at.Pay("payin_1")
	c.deliver(1)
	c.want(payments.StatusSucceeded, "", "page SUCCEEDED")
	var payers int
	if err := c.db.Raw(`SELECT count(*) FROM payers`).Scan(&payers).Error; err != nil || payers != 1 {
		t.Errorf("%d payers, %v", payers, err)
	}
}

// Cards that are registered are paid by no form, and a provider with a form registers none.
func TestRegisteredCard_AndTheForm_AreNotTheSame(t *testing.T) {
	t.Parallel()
	c := newCards(t)
	if _, _, err := c.service.Setup(t.Context(), c.subject, "", payments.FormCard{}); !errors.Is(err, apperr.New(apperr.PaymentMethodUnsupported)) {
		t.Errorf("a form: %v", err)
	}
	b := newBench(t)
	if _, _, err := b.service.Register(t.Context(), b.subject, "", aCard); !errors.Is(err, apperr.New(apperr.PaymentMethodUnsupported)) {
		t.Errorf("a registration: %v", err)
	}
}
