package endings_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/endings"
)

// sweep goes through all runs that are due, and gives the faults.
func sweep(t *testing.T, s *endings.Service) error {
	t.Helper()
	var faults []error
	for range 100 {
		n, err := s.Sweep(t.Context())
		if faults = append(faults, err); n == 0 {
			return errors.Join(faults...)
		}
	}
	t.Fatal("the runs do not end")
	return nil
}

func TestEnd_OfAMissedGoal_EveryBackerGetsAllThatIsLeftOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	whole, _, _ := w.Paid()
	part, partID, _ := w.Paid()
	w.Refund(partID, 2000, refunds.Requested)
	gone, goneID, _ := w.Paid()
	w.Refund(goneID, 0, refunds.Requested)
	unpaid := w.Pledge()
	w.MustSetup(unpaid)
	w.Settle()
	for range 2 { // the word is delivered at least once
		w.EndCampaign("not_reached", "backers")
		w.Settle()
	}
	for pledge, want := range map[string][]string{
		whole: {"started", "succeeded", "refunded"},
		part:  {"started", "succeeded", "refunded", "refunded"},
		gone:  {"started", "succeeded", "refunded"},
	} {
		w.WantHeard(pledge, want...)
		w.WantStatus(pledge, "refunded")
	}
	for pledge, want := range map[string]contentclient.PaymentEventRefundReason{whole: contentclient.PaymentEventRefundReasonCampaignFailed,
		part: contentclient.PaymentEventRefundReasonCampaignFailed, gone: contentclient.PaymentEventRefundReasonRequested} {
		heard := w.Content.Heard(pledge)
		if last := heard[len(heard)-1]; last.RefundReason == nil || *last.RefundReason != want {
			t.Errorf("the last refund is told with %v, want %s", last.RefundReason, want)
		}
	}
	if n := w.Count("refund_runs WHERE done_at IS NOT NULL"); n != 1 {
		t.Errorf("%d runs are done", n)
	}
	w.Audit()
}

func TestEnd_WhoseMoneyIsTheCreators_SendsNothingBack(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, _ := w.Paid()
	w.EndCampaign("reached", "creator")
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	if n := w.Count("refunds"); n != 0 {
		t.Errorf("%d refunds", n)
	}
	w.EndCampaign("not_reached", "backers") // what was said once counts
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.Audit()
}

// A bank has the money of one pledge; what it gives back later is the backer's too.
func TestEnd_WhatABankGivesBackLater_GoesBackToo(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, dispute := w.Disputed()
	w.EndCampaign("canceled", "backers")
	w.Settle()
	w.WantStatus(pledge, "disputed")
	w.Decide(dispute, "won")
	w.Settle()
	w.WantStatus(pledge, "refunded")
	w.Audit()
}

// A bank has decided before the run that it keeps a pledge's money, so nothing was left to give back. What it returns on appeal is the
// backer's all the same.
func TestEnd_WhatABankReturnsOnAppeal_GoesBackToo(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, dispute := w.Disputed()
	w.Decide(dispute, "lost")
	w.Settle()
	w.EndCampaign("not_reached", "backers")
	w.Settle()
	if n := w.Count("refunds"); n != 0 {
		t.Errorf("%d refunds of what a bank has taken", n)
	}
	w.Decide(dispute, "won")
	w.Settle()
	w.WantStatus(pledge, "refunded")
	w.Audit()
}

// stumbling refuses the refunds of some payments a few times, and may end its caller in the middle.
type stumbling struct {
	endings.Refunder
	mu      sync.Mutex
	refuses map[string]int
	calls   []string
	after   int // calls until cut; 0 for never
	cut     context.CancelFunc
}

var errStumbled = errors.New("stumbled")

func (s *stumbling) Refund(ctx context.Context, id string, w refunds.Wish) (refunds.Refund, bool, error) {
	s.mu.Lock()
	s.calls = append(s.calls, id)
	refused := s.refuses[id] > 0
	s.refuses[id]--
	isCut := s.after > 0 && len(s.calls) == s.after
	s.mu.Unlock()
	if refused {
		return refunds.Refund{}, false, errStumbled
	}
	r, isNew, err := s.Refunder.Refund(ctx, id, w)
	if isCut {
		s.cut()
	}
	return r, isNew, err
}

func TestSweep_OnePledgeThatCannotBeGivenBack_StopsNoOther(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	var ids []string
	for range 3 {
		_, id, _ := w.Paid()
		ids = append(ids, id)
	}
	slices.Sort(ids)
	w.EndCampaign("not_reached", "backers")
	s := &stumbling{Refunder: w.App.Payments, refuses: map[string]int{ids[0]: 1}}
	runs := endings.New(w.App.DB, s, nil, w.Now)
	if err := sweep(t, runs); !errors.Is(err, errStumbled) {
		t.Errorf("the fault is %v", err)
	}
	if n := w.Count("refunds"); n != 2 {
		t.Errorf("%d of two refunds", n)
	}
	w.Pass(11 * time.Minute)
	if err := sweep(t, runs); err != nil || w.Count("refunds") != 3 || w.Count("refund_runs WHERE done_at IS NOT NULL") != 1 {
		t.Errorf("%v, %d of three refunds, %d done", err, w.Count("refunds"), w.Count("refund_runs WHERE done_at IS NOT NULL"))
	}
	w.Settle()
	w.Audit()
}

func TestSweep_ThatIsCutAnywhere_IsTakenUpAndBeginsEachOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	for range 3 {
		w.Paid()
	}
	w.EndCampaign("not_reached", "backers")
	for after := 1; after <= 3; after++ {
		ctx, cancel := context.WithCancel(t.Context())
		runs := endings.New(w.App.DB, &stumbling{Refunder: w.App.Payments, refuses: map[string]int{}, after: after, cut: cancel}, nil, w.Now)
		if _, err := runs.Sweep(ctx); err == nil {
			t.Errorf("cut after %d, it does not say so", after)
		}
		if n := w.Count("refunds"); n != after {
			t.Errorf("cut after %d: %d refunds", after, n)
		}
		w.Pass(3 * time.Minute) // its lease ends
	}
	w.Settle()
	if n := w.Count("refunds"); n != 3 {
		t.Errorf("%d refunds of three pledges", n)
	}
	w.Audit()
}

// Two workers share the runs that are due and none is gone through twice at once.
func TestSweep_OfTwoWorkersTakesARunOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Paid()
	w.EndCampaign("not_reached", "backers")
	s := &stumbling{Refunder: w.App.Payments, refuses: map[string]int{}}
	runs := endings.New(w.App.DB, s, nil, w.Now)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := runs.Sweep(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(s.calls) != 1 {
		t.Errorf("%d calls for one pledge", len(s.calls))
	}
}

func TestStanding_SaysWhatCanStillCome(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	want := func(standing string) {
		t.Helper()
		if got := w.CampaignStanding(); got != standing {
			t.Errorf("it is %q, want %q", got, standing)
		}
	}
	want("")
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	w.Settle()
	want("open")
	w.MustPay(a)
	w.AwaitWebhooks()
	if err := w.App.Webhooks.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	want("untold")
	w.Settle()
	want("")
}

// Fees of cards are not given back, so a campaign's charges do not cover its refunds by themselves: none begins before a person has topped up, who is told what
// is missing, and then they begin by themselves.
func TestEnd_BeginsOnceItIsCovered(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	for range 3 {
		w.Paid()
	}
	w.EndUncovered("not_reached", "backers")
	missing := func() (text string) {
		t.Helper()
		if err := sweep(t, w.App.Endings); err != nil {
			t.Fatal(err)
		}
		w.Scan(&text, `SELECT coalesce(max(detail ->> 'missing'), '') FROM anomalies WHERE kind = 'refunds_uncovered' AND provider = 'stripe' AND resolved_at IS NULL`)
		return text
	}
	fees := 150_00 - w.Sandbox.Snapshot().Net["eur"]
	if got, want := missing(), money.New(fees, money.EUR).String(); fees <= 0 || got != want || w.Count("refunds") != 0 {
		t.Fatalf("%s is said to be missing, want %s; %d refunds have begun", got, want, w.Count("refunds"))
	}
	topUp := func(minor int64) {
		t.Helper()
		if _, err := w.Sandbox.TopUp(minor); err != nil {
			t.Fatal(err)
		}
		w.Pass(10 * time.Minute)
	}
	topUp(fees - 100)
	if got := missing(); got != "1.00 EUR" || w.Count("refunds") != 0 {
		t.Fatalf("%s is said to be missing; %d refunds have begun", got, w.Count("refunds"))
	}
	topUp(100)
	if got := missing(); got != "" || w.Count("refunds") != 3 {
		t.Fatalf("%s is said to be missing; %d refunds have begun", got, w.Count("refunds"))
	}
	w.Settle()
	if n := w.Count("refunds WHERE status = 'succeeded'"); n != 3 || w.Count("anomalies WHERE kind = 'refunds_uncovered' AND resolved_by = 'service'") != 1 {
		t.Errorf("%d are back", n)
	}
	w.Audit()
}

// What is promised to others from the same balance is no cover.
func TestEnd_IsNotCoveredByWhatIsOwedToOthers(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Paid()
	other := w.MustSetup(w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.CampaignID = 8 }))
	w.MustPay(other)
	w.Settle()
	w.Refund(other.Payment.ID, 0, refunds.Requested) // begun, and not sent yet
	w.EndUncovered("not_reached", "backers")
	if err := sweep(t, w.App.Endings); err != nil || w.Count("refunds") != 1 || w.Anomalies("refunds_uncovered") != 1 {
		t.Errorf("%v, %d refunds", err, w.Count("refunds"))
	}
}

// At provider B the campaign's own wallet has to have it.
func TestEnd_AtB_BeginsOnceItsWalletHasIt(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	b.Pay(b.Order(b.Pledge(), paymentstest.PlainCard))
	b.Settle()
	var own string
	b.Scan(&own, `SELECT wallet_ref FROM payees`)
	move := func(from, to string) { // at the provider, and the book does not know
		b.Provide(http.MethodPost, "/transfers", `{"AuthorId":"`+b.Wallet.Owner+`","DebitedWalletId":"`+from+`","CreditedWalletId":"`+to+`",
			"DebitedFunds":{"Currency":"EUR","Amount":1500},"Fees":{"Currency":"EUR","Amount":0},"ScaContext":"USER_NOT_PRESENT"}`, nil)
	}
	move(b.Wallet.ID, own)
	b.EndUncovered("not_reached", "backers")
	if err := sweep(t, b.App.Endings); err != nil || b.Count("refunds") != 0 ||
		b.Count(`anomalies WHERE kind = 'refunds_uncovered' AND detail ->> 'missing' = '15.00 EUR' AND detail ->> 'place' = '`+b.Wallet.ID+`'`) != 1 {
		t.Fatalf("%v, %d refunds", err, b.Count("refunds"))
	}
	move(own, b.Wallet.ID)
	b.Pass(10 * time.Minute)
	if err := sweep(t, b.App.Endings); err != nil || b.Count("refunds") != 1 || b.Anomalies("") != 0 {
		t.Errorf("%v, %d refunds", err, b.Count("refunds"))
	}
}
