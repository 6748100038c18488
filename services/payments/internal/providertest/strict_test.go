package providertest_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/outbox"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/charging/subscriptions"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/events"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providertest"
	"talkoot.fi/payments/internal/watching/anomalies"
	"talkoot.fi/payments/internal/watching/reconcile"
	"talkoot.fi/payments/internal/watching/webhooks"
	"talkoot.fi/payments/migrations"
)

// bench is the core with the strict provider and nothing of the first one. Another strict one may have the pages, or the cards.
type bench struct {
	t        *testing.T
	strict   *providertest.Strict
	main     provider.Provider // what the strict one is here, or another provider
	pages    *providertest.Strict
	hasPages bool
	hasForms bool
	db       *gorm.DB
	service  *payments.Service
	monthly  *subscriptions.Service
	webhooks *webhooks.Service
	passes   *reconcile.Service
	relay    *outbox.Relay
	subject  payments.Subject
	backer   *int64
	mu       sync.Mutex
	clock    time.Time
	heard    []contentclient.PaymentEvent
	rejected contentclient.EventOutcomeOutcome // answer to payment.succeeded, "" for applied
}

func (b *bench) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.clock
}

func (b *bench) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clock = b.clock.Add(d)
}

func (b *bench) route(_ context.Context, _ *gorm.DB, way payments.Way) (string, error) {
	if b.hasPages && way.Method == provider.MethodPage || b.hasForms && way.Method == provider.MethodCard {
		return b.pages.Name(), nil
	}
	return b.main.Name(), nil
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return newBenchWith(t, func(s *providertest.Strict) provider.Provider { return s })
}

// newBenchWith is newBench with the provider that as makes of the strict one.
func newBenchWith(t *testing.T, as func(s *providertest.Strict) provider.Provider) *bench {
	t.Helper()
	b := &bench{t: t, clock: time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC),
		subject: payments.Subject{Kind: "pledge", ID: ids.New()}}
	b.strict = providertest.New(b.now)
	database := dbtest.New(t, migrations.FS)
	db, err := dbx.Open(t.Context(), dbx.Config{URL: database.As("talkoot_payments")}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dbx.Close(db) })
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
	redis, err := jobs.OpenRedis("redis://" + miniredis.RunT(t).Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = redis.Close() })
	server := httptest.NewServer(http.HandlerFunc(b.content))
	t.Cleanup(server.Close)
	client, err := contentclient.NewClient(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	b.pages = providertest.New(b.now)
	b.pages.Called = "pages"
	b.main = as(b.strict)
	providers := map[string]provider.Provider{b.main.Name(): b.main, "pages": b.pages}
	b.service, err = payments.New(payments.Options{
		DB: db, Providers: provider.Parts[payments.Provider](providers), Router: b.route, Content: client, Queue: jobs.NewClient(redis),
		WakeEvents: func() {}, WakeTidy: func() {},
		PublicURL: "https://talkoot.example", Now: b.now, Log: log, PageWait: time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	b.db = db
	b.monthly, err = subscriptions.New(subscriptions.Options{DB: db, Payments: b.service, Providers: provider.Parts[subscriptions.Provider](providers),
		Content: client, WakeEvents: func() {}, WakeSteps: func() {}, Now: b.now, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	b.webhooks = webhooks.New(webhooks.Options{DB: db, Providers: provider.Parts[webhooks.Provider](providers), Payments: b.service, Wake: func() {},
		Now: b.now, Log: log})
	b.passes = reconcile.New(reconcile.Options{DB: db, Payments: b.service, Providers: provider.Parts[reconcile.Provider](providers), Now: b.now, Log: log})
	sender := events.NewSender(client, func(ctx context.Context, paymentID string, outcome events.Outcome) error {
		_, _, err := b.service.Refund(ctx, paymentID, refunds.Wish{Reason: refunds.Reason(outcome)})
		return err
	})
	b.relay, err = outbox.NewRelay(outbox.Config{DB: db, Now: b.now, Log: log,
		Handlers: map[string]outbox.Handler{events.Kind: sender.Handle}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// content stands in for the content service.
func (b *bench) content(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/internal/orders/") {
		subject := contentclient.Pledge
		if strings.HasPrefix(r.URL.Path, "/internal/orders/subscription/") {
			subject = contentclient.Subscription
		}
		_ = json.NewEncoder(w).Encode(contentclient.Order{
			SubjectKind: subject, SubjectID: b.subject.ID, State: contentclient.Payable, AmountMinor: 4200,
			Currency: "EUR", Language: "fi", Name: "Aino Aalto", Email: "aino@example.com", BackerUserID: b.backer,
			CampaignID: 7, CampaignTitle: "Ahven", ReturnPath: "/payment-return/?pledge=" + b.subject.ID,
			PayableUntil: time.Date(2026, 5, 4, 9, 30, 0, 0, time.UTC),
		})
		return
	}
	var e contentclient.PaymentEvent
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.heard = append(b.heard, e)
	answer := contentclient.EventOutcome{Outcome: contentclient.EventOutcomeOutcomeApplied}
	if e.Type == contentclient.PaymentSucceeded && b.rejected != "" {
		answer.Outcome = b.rejected
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// deliver hands all hooks in, each as often as told, and works until nothing is due.
func (b *bench) deliver(times int) {
	b.t.Helper()
	for range 6 {
		for _, p := range []*providertest.Strict{b.strict, b.pages} {
			for _, q := range p.Hooks() {
				for range times {
					request := httptest.NewRequestWithContext(b.t.Context(), http.MethodGet, "/hook?"+q.Encode(), nil)
					if err := b.webhooks.Receive(echo.New().NewContext(request, httptest.NewRecorder()), p.Name()); err != nil {
						b.t.Fatal(err)
					}
				}
			}
		}
		if err := b.webhooks.Drain(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
		if err := b.service.Tidy(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
		if _, err := b.relay.RunOnce(b.t.Context(), 100); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bench) payment() payments.Payment {
	b.t.Helper()
	p, found, err := b.service.PaymentOf(b.t.Context(), b.subject)
	if err != nil || !found {
		b.t.Fatalf("payment: %t, %v", found, err)
	}
	return p
}

func (b *bench) setUp() payments.Intent {
	b.t.Helper()
	_, in, err := b.service.Setup(b.t.Context(), b.subject, "", payments.FormCard{})
	if err != nil {
		b.t.Fatal(err)
	}
	return in
}

// agree compares the book with the provider's lines: nothing may differ.
func (b *bench) agree() {
	b.t.Helper()
	for _, p := range []*providertest.Strict{b.strict, b.pages} {
		found, err := b.passes.Lines(b.t.Context(), p, b.now().Add(-48*time.Hour), b.now().Add(time.Hour))
		if err != nil || found.Differ != 0 {
			list, _ := anomalies.List(b.t.Context(), b.db, false)
			b.t.Errorf("%s: %d differences (%v): %+v", p.Name(), found.Differ, err, list)
		}
	}
}

func (b *bench) balance(account string) int64 {
	b.t.Helper()
	a, err := ledger.Balance(b.t.Context(), b.db, account, money.EUR)
	if err != nil {
		b.t.Fatal(err)
	}
	return a.Minor
}

func TestStrict_PaidByForm_HooksWithoutIdsComeOften_CountsOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.strict.Pay(b.setUp().ID)
	b.deliver(3)
	if p := b.payment(); p.Status != payments.StatusSucceeded || p.Provider != providertest.Name {
		t.Errorf("%+v", p)
	}
	if clearing, funds := b.balance("provider_clearing:strict:wallet-7"), b.balance(
		"backer_funds:strict:7"); clearing != 4200-providertest.Fee || funds != -4200 {
		t.Errorf("clearing %d, funds %d", clearing, funds)
	}
	if n := len(b.heard); n != 2 || b.heard[1].Type != contentclient.PaymentSucceeded ||
		b.heard[1].Provider != providertest.Name {
		t.Errorf("heard %+v", b.heard)
	}
	b.agree()
}

// The answer to a creation is lost, the repeat answers 409: one payment is made, and the browser gets it.
func TestStrict_AnswerLost_RepeatAnswers409_OnePaymentIsMade(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.strict.LoseAnswers = 1
	if _, _, err := b.service.Setup(t.Context(), b.subject, "", payments.FormCard{}); err == nil {
		t.Fatal("the lost answer was no error")
	}
	in := b.setUp()
	if b.strict.Payments() != 1 || b.strict.Conflicts != 1 || in.ID != "payin_1" {
		t.Errorf("%d payments, %d conflicts, handed out %s", b.strict.Payments(), b.strict.Conflicts, in.ID)
	}
}

// A declined payment is over at this provider: the next card is another one, of the same payment of ours.
func TestStrict_Declined_NextTryIsAnotherObject(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.strict.Decline(b.setUp().ID)
	b.deliver(1)
	if p := b.payment(); p.Status != payments.StatusCreated || p.FailureCode != "insufficient_funds" {
		t.Errorf("is %s after %q", p.Status, p.FailureCode)
	}
	next := b.setUp()
	if next.ID != "payin_2" {
		t.Fatalf("handed out %s", next.ID)
	}
	b.strict.Pay(next.ID)
	b.deliver(1)
	if p := b.payment(); p.Status != payments.StatusSucceeded {
		t.Errorf("is %s", p.Status)
	}
	b.agree()
}

// A refund: its answer lost, the balance short, taken later, failed after that, and sent once more.
func TestStrict_RefundTakesEveryTurn_BookAgreesWithTheProvider(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.rejected = contentclient.EventOutcomeOutcomePledgeClosed
	b.strict.Pay(b.setUp().ID)
	b.strict.LoseAnswers, b.strict.Short = 0, true
	b.deliver(1)
	if owed, clearing := b.balance("owed_to_backers:strict"), b.balance("provider_clearing:strict:wallet-7"); owed != -4200 ||
		clearing != 4200-providertest.Fee {
		t.Fatalf("while the balance is short: owed %d, clearing %d", owed, clearing)
	}
	b.agree()
	b.strict.Settle()
	b.deliver(2)
	if p := b.payment(); p.Status != payments.StatusRefunded || b.balance("owed_to_backers:strict") != 0 {
		t.Fatalf("is %s", p.Status)
	}
	b.pass(72 * time.Hour)
	b.strict.FailRefund("refund_1")
	b.deliver(1)
	list, err := anomalies.List(t.Context(), b.db, false)
	if err != nil || len(list) != 1 || list[0].Kind != anomalies.RefundFailed ||
		b.balance("owed_to_backers:strict") != -4200 {
		t.Fatalf("after the failure: %+v (%v), owed %d", list, err, b.balance("owed_to_backers:strict"))
	}
	for range 2 {
		if _, err := b.service.RepeatRefund(t.Context(), list[0].Reference,
			payments.Operator{Actor: "maija", Note: "new card"}); err != nil {
			t.Fatal(err)
		}
	}
	b.deliver(1)
	if owed, funds := b.balance("owed_to_backers:strict"), b.balance("backer_funds:strict:7"); owed != 0 || funds != 0 {
		t.Errorf("at the end owed %d, funds %d", owed, funds)
	}
	if list, _ = anomalies.List(t.Context(), b.db, false); len(list) != 0 {
		t.Errorf("still open: %+v", list)
	}
	b.agree()
}

// A hosted page is the same kind of object here; a hook that nobody sends is made good by the pass over the list.
func TestStrict_PagePaidUnheard_FoundByTheProvidersList(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if _, err := b.service.Page(t.Context(), b.subject, "", ""); err != nil {
		t.Fatal(err)
	}
	b.pass(20 * time.Second)
	b.deliver(0)
	address, err := b.service.Page(t.Context(), b.subject, "", "")
	if err != nil || address != "https://strict.example/payin_1" {
		t.Fatalf("%q, %v", address, err)
	}
	b.strict.Pay("payin_1")
	b.strict.Hooks() // lost
	if _, err := b.passes.Since(t.Context(), b.strict, b.now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if p := b.payment(); p.Status != payments.StatusSucceeded {
		t.Errorf("is %s", p.Status)
	}
	b.agree()
}

// A subject that is given up is closed at this provider too.
func TestStrict_Closed_NobodyCanPay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.setUp()
	if _, _, err := b.service.CloseSubject(t.Context(), b.subject); err != nil {
		t.Fatal(err)
	}
	b.deliver(1)
	snap, err := b.strict.Look(t.Context(), provider.Ref{Object: "payin_1"})
	if err != nil || snap.State != provider.Ended || b.payment().Status != payments.StatusCanceled {
		t.Errorf("at the provider %s (%v), with us %s", snap.State, err, b.payment().Status)
	}
}

// The form is one provider's and the page another's: whichever is paid is where the payment is, and what the other has taken
// besides goes back there.
func TestStrict_FormAndPageAreTwoProviders(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"form", "page", "both"} {
		t.Run(first, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.hasPages = true
			form := b.setUp().ID
			if _, err := b.service.Page(t.Context(), b.subject, "", ""); err != nil {
				t.Fatal(err)
			}
			var attempt int64
			if err := b.db.Raw(`SELECT id FROM attempts WHERE method = 'page'`).Scan(&attempt).Error; err != nil {
				t.Fatal(err)
			}
			if err := b.service.MakePage(t.Context(), attempt); err != nil {
				t.Fatal(err)
			}
			page := b.pages.Newest()
			if page == "" || b.strict.Payments() != 1 || b.pages.Payments() != 1 {
				t.Fatalf("%d forms, %d pages", b.strict.Payments(), b.pages.Payments())
			}
			if first != "page" {
				b.strict.Pay(form)
			}
			if first != "form" {
				b.pages.Pay(page)
			}
			b.deliver(1)
			p := b.payment()
			want := map[string]string{"form": "strict", "page": "pages", "both": "strict"}[first]
			if p.Status != payments.StatusSucceeded || p.Provider != want {
				t.Errorf("is %s at %s", p.Status, p.Provider)
			}
			if funds := b.balance("backer_funds:" + want + ":7"); funds != -4200 {
				t.Errorf("the campaign has %d at %s", -funds, want)
			}
			other := map[string]string{"strict": "pages", "pages": "strict"}[want]
			if funds, owed := b.balance("backer_funds:"+other+":7"), b.balance("owed_to_backers:"+other); funds != 0 || owed != 0 {
				t.Errorf("at %s the campaign has %d, backers are owed %d", other, -funds, -owed)
			}
			b.agree()
		})
	}
}

// A provider that gives a young payment nothing back yet is asked again when it does, once, and nobody is called.
func TestStrict_RefundThatComesTooEarly_IsMadeWhenItsTimeHasCome(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.rejected = contentclient.EventOutcomeOutcomePledgeClosed
	b.strict.RefundsAfter = 7 * 24 * time.Hour
	b.strict.Pay(b.setUp().ID)
	b.deliver(1)
	for range 6 {
		b.pass(24 * time.Hour)
		b.deliver(1)
	}
	if owed := b.balance("owed_to_backers:strict"); owed != -4200 || b.strict.TooEarly != 1 {
		t.Fatalf("owed %d, asked %d times", -owed, b.strict.TooEarly)
	}
	var waits bool
	if err := b.db.Raw(`SELECT deferred_until = next_check_at FROM refunds`).Scan(&waits).Error; err != nil || !waits {
		t.Errorf("it does not say until when it waits, %v", err)
	}
	b.pass(25 * time.Hour)
	b.deliver(1)
	if p := b.payment(); p.Status != payments.StatusRefunded || b.balance("owed_to_backers:strict") != 0 || b.strict.TooEarly != 1 {
		t.Errorf("is %s, asked too early %d times", p.Status, b.strict.TooEarly)
	}
	list, err := anomalies.List(t.Context(), b.db, false)
	if err != nil || len(list) != 0 {
		t.Errorf("anomalies %+v, %v", list, err)
	}
	b.agree()
}
