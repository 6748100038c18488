package endings_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/endings"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/stripe"
)

// atA says what is in our balance there, and calls out when it is asked.
type atA struct {
	all   int64
	asked func()
}

func (a atA) Name() string { return stripe.Name }

func (a atA) Balance(_ context.Context, _ string) (provider.Held, error) {
	if a.asked != nil {
		a.asked()
	}
	return provider.Held{All: money.New(a.all, money.EUR), Available: money.New(a.all, money.EUR)}, nil
}

// twoFailed is a world in which two campaigns have failed, each with a pledge of 50 euros.
func twoFailed(t *testing.T) (w *paymentstest.World, first string) {
	t.Helper()
	w = paymentstest.New(t)
	_, first, _ = w.Paid()
	other := w.MustSetup(w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.CampaignID = 8 }))
	w.MustPay(other)
	w.Settle()
	w.EndUncovered("not_reached", "backers")
	w.Pass(time.Second)
	err := w.App.Endings.End(t.Context(), endings.Ending{CampaignID: 8, Outcome: endings.NotReached, GoesTo: endings.ToBackers, EndedAt: w.Now(), Accepted: 1,
		AcceptedMinor: 5000, Currency: "EUR"})
	if err != nil {
		t.Fatal(err)
	}
	return w, first
}

// Two campaigns that share a balance are not covered by the same money: what the first has begun to give back, and has not promised to its backers one by one
// yet, is no cover of the second.
func TestEnd_IsNotCoveredByWhatAnotherCampaignIsAboutToGiveBack(t *testing.T) {
	t.Parallel()
	w, first := twoFailed(t)
	s := &stumbling{Refunder: w.App.Payments, refuses: map[string]int{first: 1}}
	runs := endings.New(w.App.DB, s, map[string]endings.Provider{stripe.Name: atA{all: 9999}}, w.Now)
	if err := sweep(t, runs); !errors.Is(err, errStumbled) {
		t.Fatal(err)
	}
	if n := w.Count("refund_runs WHERE covered_at IS NOT NULL"); n != 1 || w.Count("refunds") != 0 || w.Anomalies("refunds_uncovered") != 1 {
		t.Errorf("%d campaigns are covered by the money of one, %d refunds", n, w.Count("refunds"))
	}
}

// Two workers that look at two campaigns at the same moment see the same money: it covers one of them.
func TestEnd_TwoWorkersAtOnce_CoverOneCampaignByTheSameMoney(t *testing.T) {
	t.Parallel()
	w, _ := twoFailed(t)
	var both, all sync.WaitGroup
	both.Add(2)
	var once [2]sync.Once
	for i := range 2 {
		p := atA{all: 9999, asked: func() { once[i].Do(func() { both.Done(); both.Wait() }) }}
		runs := endings.New(w.Another(w.Now, func(*app.Config) {}).DB, w.App.Payments, map[string]endings.Provider{stripe.Name: p}, w.Now)
		all.Go(func() {
			if err := sweep(t, runs); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := w.Count("refund_runs WHERE covered_at IS NOT NULL"); n != 1 || w.Count("refunds") != 1 {
		t.Errorf("%d campaigns are covered by the money of one, %d refunds", n, w.Count("refunds"))
	}
}

// What a backer was promised before is no cover there either.
func TestEnd_AtB_IsNotCoveredByARefundThatHasBegun(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	paid := b.Pay(b.Order(b.Pledge(), paymentstest.PlainCard))
	b.Settle()
	var own string
	b.Scan(&own, `SELECT wallet_ref FROM payees`)
	b.Provide(http.MethodPost, "/transfers", `{"AuthorId":"`+b.Wallet.Owner+`","DebitedWalletId":"`+b.Wallet.ID+`","CreditedWalletId":"`+own+`",
		"DebitedFunds":{"Currency":"EUR","Amount":1500},"Fees":{"Currency":"EUR","Amount":0},"ScaContext":"USER_NOT_PRESENT"}`, nil)
	b.Refund(paid.Payment.ID, 2000, refunds.Requested) // begun, and not sent yet
	b.EndUncovered("not_reached", "backers")
	if err := sweep(t, b.App.Endings); err != nil || b.Count("refunds") != 1 ||
		b.Count(`anomalies WHERE kind = 'refunds_uncovered' AND detail ->> 'missing' = '15.00 EUR'`) != 1 {
		t.Errorf("%v, %d refunds", err, b.Count("refunds"))
	}
}

// What is given back by another way lacks nothing any more.
func TestEnd_WhoseMoneyLeavesAnotherWay_LacksNothing(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	form := w.MustSetup(w.Pledge())
	w.MustPay(form)
	w.Settle()
	w.EndUncovered("not_reached", "backers")
	if err := sweep(t, w.App.Endings); err != nil || w.Anomalies("refunds_uncovered") != 1 {
		t.Fatalf("%v, it is covered", err)
	}
	w.Refund(form.Payment.ID, 0, refunds.Requested)
	w.Pass(10 * time.Minute)
	if err := sweep(t, w.App.Endings); err != nil || w.Anomalies("refunds_uncovered") != 0 || w.Count("refunds") != 1 {
		t.Errorf("%v, %d are open, %d refunds", err, w.Anomalies("refunds_uncovered"), w.Count("refunds"))
	}
}
