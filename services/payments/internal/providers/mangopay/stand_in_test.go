package mangopay

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
	sandbox "talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/standin"
)

// Cards of Mangopay's sandbox.
const (
	frictionless = "4970107111111119"
	challenged   = "4970105181818183"
)

// world is the adapter at the stand-in, with a campaign whose creator is verified, and a payer.
type world struct {
	*Client
	t      *testing.T
	at     *sandbox.Sandbox
	clock  time.Time
	wallet provider.Wallet
	payer  string
	browse provider.Browser
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldAt(t, "http://talkoot.test/hook")
}

// newWorldAt is a world that is told of events at an address; "" of none.
func newWorldAt(t *testing.T, hooks string) *world {
	t.Helper()
	w := &world{t: t, clock: time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC), browse: provider.Browser{IP: "192.0.2.1", Accept: "text/html", UserAgent: "Mozilla",
		Language: "fi", JavaScript: true, ColorDepth: 24, ScreenHeight: 800, ScreenWidth: 1280, TimeZoneOffset: -120}}
	var err error
	w.at, err = sandbox.New(sandbox.Options{ClientID: "talkoot", APIKey: "key", PublicURL: "http://mangopay.test", InMemory: true, ManualDelivery: true,
		Now: func() time.Time { return w.clock }, Random: rand.NewPCG(1, 2), HookURL: hooks})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.at.Close() })
	w.Client = New(Config{ClientID: "talkoot", APIKey: "key", URL: "http://mangopay.test", Transport: mirrored(t, w.at), Pause: time.Millisecond,
		Now: func() time.Time { return w.clock }, Sleep: w.sleep, Log: slog.New(slog.DiscardHandler), Wallet: func(context.Context, string) (provider.Wallet, error) { return w.wallet, nil }})
	var owner, purse struct{ Id string } //nolint:revive // the wire's
	w.must(w.post(t.Context(), "owner", "/sca/users/natural", "owner-of-the-test", map[string]any{"FirstName": "Maija", "LastName": "Meri", "Email": "maija@example.com",
		"UserCategory": "OWNER", "Birthday": 300000000, "Nationality": "FI", "CountryOfResidence": "FI", "TermsAndConditionsAccepted": true}, &owner))
	w.ok(w.at.Enrol(owner.Id, true))
	w.ok(w.at.SetKYC(owner.Id, "REGULAR"))
	w.must(w.post(t.Context(), "wallet", "/wallets", "wallet-of-the-test", map[string]any{"Owners": []string{owner.Id}, "Currency": "EUR", "Description": "Campaign 7"}, &purse))
	w.wallet = provider.Wallet{ID: purse.Id, Owner: owner.Id}
	w.payer = w.newPayer("Aino Aalto")
	return w
}

// sleep moves the clock, and has happen what is due then.
func (w *world) sleep(ctx context.Context, d time.Duration) error {
	w.clock = w.clock.Add(d)
	_, err := w.at.RunDue(ctx)
	return err
}

func (w *world) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) must(_ bool, err error) {
	w.t.Helper()
	w.ok(err)
}

func (w *world) newPayer(name string) string {
	w.t.Helper()
	id, err := w.NewPayer(w.t.Context(), provider.PayerOrder{Key: "customer:" + name, ID: "user:7", Name: name, Email: "aino@example.com"})
	w.ok(err)
	return id
}

// register has a browser register a card of the payer's, and gives the setup as it is then.
func (w *world) register(key, number string) provider.Setup {
	w.t.Helper()
	setup, err := w.BeginSetup(w.t.Context(), provider.SetupOrder{Key: key, Kind: provider.KindCard, Payer: w.payer, Currency: money.EUR, Subject: "pledge:1"})
	w.ok(err)
	if to, is := setup.Next.(provider.Register); !is || to.URL == "" || to.Key == "" || to.Data == "" || setup.State != provider.Open {
		w.t.Fatalf("the browser is to do %#v", setup)
	}
	answer, err := w.at.Tokenise(strings.TrimPrefix(setup.Ref, registrationsAt), sandbox.CardInput{Number: number, Expiry: "1230", CVX: "123"})
	w.ok(err)
	done, err := w.FinishSetup(w.t.Context(), setup.Ref, answer)
	w.ok(err)
	return done
}

func (w *world) card(number string) string {
	w.t.Helper()
	done := w.register("register-"+number, number)
	if done.State != provider.Succeeded || done.Instrument == nil || done.Payer != w.payer {
		w.t.Fatalf("registered %+v", done)
	}
	return done.Instrument.Ref
}

func (w *world) order(key, instrument string, minor int64) provider.Order {
	return provider.Order{Key: key, Method: provider.MethodCard, Amount: money.New(minor, money.EUR), Language: "fi", Payer: w.payer, Instrument: instrument,
		Browser: &w.browse, ReturnURL: "https://talkoot.example/payment-return/?pledge=1",
		Tag: provider.Tag{Payment: "01hzzzzzzzzzzzzzzzzzzzzzzz", Attempt: key, Subject: "pledge:1", Campaign: "7"}}
}

func (w *world) begin(o provider.Order) provider.Snapshot {
	w.t.Helper()
	snap, err := w.Begin(w.t.Context(), o)
	w.ok(err)
	return snap
}

func (w *world) look(ref provider.Ref) provider.Snapshot {
	w.t.Helper()
	snap, err := w.Look(w.t.Context(), ref)
	w.ok(err)
	return snap
}

func TestStandIn_ACardPays_AndIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card := w.card(frictionless)
	o := w.order("payment:1:card:1", card, 4200)
	paid := w.begin(o)
	if paid.State != provider.Succeeded || paid.Received.Minor != 4200 || paid.Charge.Place != w.wallet.ID || paid.Charge.Instrument == nil ||
		paid.Charge.Instrument.Ref != card || paid.Tag != o.Tag || !strings.HasSuffix(paid.Charge.Label, "1119") {
		t.Fatalf("%+v, %+v", paid, paid.Charge)
	}
	if again := w.begin(o); again.Ref != paid.Ref {
		t.Errorf("the same key made %s after %s", again.Ref.Object, paid.Ref.Object)
	}
	if begun, err := w.Begun(t.Context(), o.Key); err != nil || begun.Ref != paid.Ref {
		t.Errorf("begun %+v, %v", begun.Ref, err)
	}
	if _, err := w.Begun(t.Context(), "payment:2:card:1"); !errors.Is(err, provider.ErrNotFound) {
		t.Errorf("a key that nobody used: %v", err)
	}
	if err := w.End(t.Context(), paid.Ref); !errors.Is(err, provider.ErrState) {
		t.Errorf("ended: %v", err)
	}
	w.ok(w.ForgetPayer(t.Context(), w.payer))
	if _, err := w.Instrument(t.Context(), card); !errors.Is(err, provider.ErrNotFound) {
		t.Errorf("the card of a payer who is forgotten: %v", err)
	}
	w.ok(w.ForgetInstrument(t.Context(), card))
}

func TestStandIn_TheBankAsks(t *testing.T) {
	t.Parallel()
	for _, isThem := range []bool{true, false} {
		w := newWorld(t)
		asked := w.begin(w.order("payment:1:card:1", w.card(challenged), 6000))
		if asked.State != provider.NeedsPayer || provider.AddressOf(asked.Next) == "" {
			t.Fatalf("%+v", asked)
		}
		w.ok(w.at.AnswerChallenge(asked.Ref.Object, isThem))
		got := w.look(asked.Ref)
		if isThem && got.State != provider.Succeeded {
			t.Errorf("paid is %+v", got)
		}
		if !isThem && (got.State != provider.Ended || got.FailureCode != "authentication_failed" || got.LastDecline != "") {
			t.Errorf("failed is %+v", got)
		}
	}
}

func TestStandIn_TheBankIsNotAnswered_EndsByItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	asked := w.begin(w.order("payment:1:card:1", w.card(challenged), 6000))
	w.clock = w.clock.Add(16 * time.Minute)
	if _, err := w.at.RunDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := w.look(asked.Ref); got.State != provider.Ended {
		t.Errorf("%+v", got)
	}
}

// Each result of a bank is an end with its reason, and counts as a refused card where it is one.
func TestStandIn_Declined(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card := w.card(frictionless)
	for amount, code := range map[int64]string{33305: "card_declined", 33334: "card_declined", 33391: "processing_error"} {
		snap := w.begin(w.order("payment:1:card:"+time.Duration(amount).String(), card, amount))
		if snap.State == provider.NeedsPayer {
			w.ok(w.at.AnswerChallenge(snap.Ref.Object, true))
			snap = w.look(snap.Ref)
		}
		declines, err := w.Declines(t.Context(), snap.Ref.Money)
		if err != nil || snap.State != provider.Ended || snap.FailureCode != code || (len(declines) == 1) != (code == "card_declined") {
			t.Errorf("%d: %+v, declines %+v, %v", amount, snap, declines, err)
		}
		if len(declines) == 1 && declines[0].Card == "" {
			t.Errorf("%d: nobody knows which card", amount)
		}
	}
}

func TestStandIn_TheNumberIsWrong_TheRegistrationEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if done := w.register("r1", "4970107111111110"); done.State != provider.Ended || done.FailureCode != "card_declined" || done.Instrument != nil {
		t.Errorf("%+v", done)
	}
	setup, err := w.BeginSetup(t.Context(), provider.SetupOrder{Key: "r2", Kind: provider.KindCard, Payer: w.payer, Currency: money.EUR})
	w.ok(err)
	if done, err := w.FinishSetup(t.Context(), setup.Ref, "nonsense"); err != nil || done.State != provider.Ended {
		t.Errorf("%+v, %v", done, err)
	}
}

// Whatever becomes of the answers, a card is charged once.
func TestStandIn_AnswersAreLost_IsChargedOnce(t *testing.T) {
	t.Parallel()
	for effect, times := range map[string]int{standin.CutAfter: 2, standin.CutBefore: 2, "500": 2, "500_after": 2, "429": 2, "401": 1} {
		w := newWorld(t)
		o := w.order("payment:1:card:1", w.card(frictionless), 4200)
		w.ok(w.at.AddFault(sandbox.FaultRule{Kind: effect, Times: times, Method: http.MethodPost, Path: "/payins/card/direct"}))
		snap, err := w.Begin(t.Context(), o)
		for range 5 {
			if err == nil {
				break
			}
			w.clock = w.clock.Add(time.Minute)
			if !errors.Is(err, apperr.New(apperr.ProviderUnavailable)) && !errors.Is(err, provider.ErrBurned) {
				t.Fatalf("%s: %v", effect, err)
			}
			snap, err = w.Begin(t.Context(), o)
		}
		if err != nil || snap.State != provider.Succeeded {
			t.Errorf("%s: %+v, %v", effect, snap, err)
		}
		var wallet struct{ Balance funds }
		w.ok(w.get(t.Context(), "wallet", "/wallets/"+w.wallet.ID+"?ScaContext=USER_NOT_PRESENT", &wallet))
		if wallet.Balance.Amount != 4200 {
			t.Errorf("%s: the wallet has %d", effect, wallet.Balance.Amount)
		}
	}
}

// A mandate is confirmed on its page; what it debits is on its way for days, and can be given back after a week.
func TestStandIn_ADebit(t *testing.T) {
	t.Parallel()
	for name, pays := range map[string]bool{"Successful Saari": true, "Penniless Puro": false} {
		w := newWorld(t)
		w.payer = w.newPayer(name)
		var account struct{ Id string } //nolint:revive // the wire's
		w.must(w.post(t.Context(), "account", "/users/"+w.payer+"/bankaccounts/iban", "account-of-the-test", map[string]any{"OwnerName": name, "IBAN": "FI2112345600000785",
			"OwnerAddress": map[string]any{"AddressLine1": "Katu 1", "City": "Oulu", "PostalCode": "90100", "Country": "FI"}}, &account))
		setup, err := w.BeginSetup(t.Context(), provider.SetupOrder{Key: "mandate:1", Kind: provider.KindMandate, Payer: w.payer, Account: account.Id, Language: "fi",
			Currency: money.EUR, ReturnURL: "https://talkoot.example/payment-return/?pledge=1", Subject: "pledge:1"})
		w.ok(err)
		if setup.State != provider.Open || provider.AddressOf(setup.Next) == "" || setup.Payer != w.payer {
			t.Fatalf("%+v", setup)
		}
		w.ok(w.at.ConfirmMandate(strings.TrimPrefix(setup.Ref, mandatesAt), true))
		setup, err = w.LookSetup(t.Context(), setup.Ref)
		w.ok(err)
		if setup.Instrument == nil || setup.Instrument.Kind != provider.KindMandate || setup.Instrument.Label != "FI ···· 0785" {
			t.Fatalf("%+v, %+v", setup, setup.Instrument)
		}
		o := w.order("payment:1:debit:1", setup.Instrument.Ref, 4200)
		o.Method = provider.MethodDebit
		snap := w.begin(o)
		if snap.State != provider.Processing || snap.Ref.Method != provider.MethodDebit || snap.Next != nil {
			t.Fatalf("%+v", snap)
		}
		for range 8 {
			w.clock = w.clock.Add(24 * time.Hour)
			if _, err := w.at.RunDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			if snap = w.look(snap.Ref); snap.State != provider.Processing {
				break
			}
		}
		if !pays {
			if snap.State != provider.Ended || snap.FailureCode != "insufficient_funds" {
				t.Errorf("%+v", snap)
			}
			continue
		}
		if snap.State != provider.Succeeded || snap.Charge.Label != "FI ···· 0785" {
			t.Fatalf("%+v", snap)
		}
		back := provider.RefundOrder{Key: "refund:1:1", Money: snap.Ref.Money, Amount: money.New(4200, money.EUR), ID: "r1", Payment: "p1"}
		_, err = w.Refund(t.Context(), back)
		var early *provider.NotYetError
		if !errors.As(err, &early) {
			t.Fatalf("refunded in its first week: %v", err)
		}
		w.clock = early.After.Add(time.Minute)
		back.Key = "refund:1:2"
		if r, err := w.Refund(t.Context(), back); err != nil || r.State != provider.RefundSucceeded && r.State != provider.RefundPending || r.ID != "r1" {
			t.Errorf("when its time has come: %+v, %v", r, err)
		}
		if list, err := w.Refunds(t.Context(), snap.Ref.Money); err != nil || len(list) != 1 {
			t.Errorf("refunds %+v, %v", list, err)
		}
		w.ok(w.ForgetInstrument(t.Context(), setup.Instrument.Ref))
		if _, err := w.Instrument(t.Context(), setup.Instrument.Ref); !errors.Is(err, provider.ErrNotFound) {
			t.Errorf("a mandate that was ended: %v", err)
		}
		w.ok(w.ForgetPayer(t.Context(), w.payer))
		if list, err := w.BankAccounts(t.Context(), w.payer); err != nil || len(list) != 0 {
			t.Errorf("accounts of a payer who is forgotten: %+v, %v", list, err)
		}
	}
}

func TestStandIn_ThePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.order("payment:1:page:1", "", 4200)
	o.Method, o.Browser = provider.MethodPage, nil
	snap := w.begin(o)
	if snap.State != provider.Open || provider.AddressOf(snap.Next) == "" || snap.Ref.Method != provider.MethodPage {
		t.Fatalf("%+v", snap)
	}
	if _, err := w.at.PayOnPage(snap.Ref.Object, sandbox.CardInput{Number: frictionless, Expiry: "1230", CVX: "123"}); err != nil {
		t.Fatal(err)
	}
	if snap = w.look(snap.Ref); snap.State != provider.Succeeded || snap.Received.Minor != 4200 {
		t.Errorf("%+v", snap)
	}
}

func TestStandIn_MoneyBack_AndDisputes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card := w.card(frictionless)
	paid := w.begin(w.order("payment:1:card:1", card, 4200))
	part := provider.RefundOrder{Key: "refund:1", Money: paid.Ref.Money, Amount: money.New(1200, money.EUR), ID: "r1", Payment: "p1"}
	for range 2 {
		if r, err := w.Refund(t.Context(), part); err != nil || r.ID != "r1" || r.Amount.Minor != 1200 || r.Money != paid.Ref.Money {
			t.Errorf("%+v, %v", r, err)
		}
	}
	part.Key = "refund:2"
	var early *provider.NotYetError
	if _, err := w.Refund(t.Context(), part); !errors.As(err, &early) || early.After.Before(w.clock) {
		t.Errorf("the same sum on the same day: %v", err)
	}
	part.Key, part.Amount = "refund:3", money.New(9900, money.EUR)
	if _, err := w.Refund(t.Context(), part); !errors.Is(err, provider.ErrFinal) {
		t.Errorf("more than is left: %v", err)
	}
	other := w.begin(w.order("payment:2:card:1", card, 3000))
	id, err := w.at.OpenDispute(sandbox.DisputeOrder{PayIn: other.Ref.Object, Type: "CONTESTABLE", Reason: "FRAUD"})
	w.ok(err)
	list, err := w.Disputes(t.Context(), other.Ref.Money)
	if err != nil || len(list) != 1 || list[0].Ref != id || list[0].State != provider.DisputeOpen || list[0].Amount.Minor != 3000 || list[0].Reason != "fraud" {
		t.Fatalf("%+v, %v", list, err)
	}
	if money, err := w.MoneyOf(t.Context(), provider.AboutDispute, id); err != nil || money != other.Ref.Money {
		t.Errorf("it is of %q, %v", money, err)
	}
	if _, err := w.Refund(t.Context(), provider.RefundOrder{Key: "refund:4", Money: other.Ref.Money, Amount: money.New(3000, money.EUR)}); !errors.Is(err, provider.ErrDisputed) {
		t.Errorf("a refund of what is disputed: %v", err)
	}
}

// passOnly moves the clock, and nothing happens.
func (w *world) passOnly(_ context.Context, d time.Duration) error {
	w.clock = w.clock.Add(d)
	return nil
}
