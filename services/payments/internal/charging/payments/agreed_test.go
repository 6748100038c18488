package payments_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/servicetoken"

	"talkoot.fi/payments/internal/api/internalapi"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
)

// agree is the content service's word that money of a pledge goes back; it gives what was begun, -1 for a refusal.
func agree(t *testing.T, w *paymentstest.World, id, pledge string, minor int64, reason refunds.Reason) int64 {
	t.Helper()
	status, body := w.Tell("/internal/payments/refund", fmt.Sprintf(`{"refund_id":%q,"pledge_id":%q,"amount_minor":%d,"currency":"EUR","reason":%q}`,
		id, pledge, minor, reason), servicetoken.Payments)
	var answer struct {
		BegunMinor int64 `json:"begun_minor"`
	}
	if status != http.StatusOK {
		return -1
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.BegunMinor
}

func sumOf(w *paymentstest.World, pledge string) int {
	return w.Count(`refunds r JOIN payments p ON p.id = r.payment_id CROSS JOIN LATERAL generate_series(1, r.amount_minor) WHERE p.subject_id = '` + pledge + `'`)
}

func TestRefundAgreed_SeveralPartsOnceEach_NeverMoreThanIsLeft(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, id, _ := w.Paid()
	all := w.Payment(pledge).AmountMinor
	w.Refund(id, 500, refunds.Requested)
	first, second, third := ids.New(), ids.New(), ids.New()
	for range 2 { // a word is delivered at least once, and begins one refund
		if got := agree(t, w, first, pledge, 1000, refunds.Claim); got != 1000 {
			t.Errorf("the first came to %d", got)
		}
		w.Settle()
		if got := agree(t, w, second, pledge, all, refunds.ByCreator); got != all-1500 {
			t.Errorf("the second came to %d, want what was left: %d", got, all-1500)
		}
		if got := agree(t, w, third, pledge, 100, refunds.Claim); got != 0 {
			t.Errorf("nothing is left, and it came to %d", got)
		}
		w.Settle()
	}
	if got := sumOf(w, pledge); int64(got) != all {
		t.Errorf("%d of %d went back", got, all)
	}
	w.WantHeard(pledge, "started", "succeeded", "refunded", "refunded", "refunded")
	if got := lastReason(w, pledge); got != contentclient.PaymentEventRefundReasonByCreator {
		t.Errorf("the last is told with %q", got)
	}
	if got := agree(t, w, ids.New(), ids.New(), 100, refunds.Claim); got != -1 {
		t.Errorf("a pledge that nobody knows gives back %d", got)
	}
	w.Audit()
}

func TestRefundAgreed_TwoAtOnceTakeNoMoreThanIsLeft(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, _ := w.Paid()
	all := w.Payment(pledge).AmountMinor
	same := ids.New()
	var wait sync.WaitGroup
	for i := range 6 {
		id := ids.New()
		if i%2 == 0 {
			id = same
		}
		wait.Go(func() { agree(t, w, id, pledge, all/2+1, refunds.Claim) })
	}
	wait.Wait()
	w.Settle()
	if got := sumOf(w, pledge); int64(got) != all {
		t.Errorf("%d of %d went back", got, all)
	}
	w.WantStatus(pledge, "refunded")
	w.Audit()
}

func TestRefundAgreed_WhatABankHasWaitsForItsDecision(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, dispute := w.Disputed()
	if got := agree(t, w, ids.New(), pledge, 1000, refunds.Claim); got != 1000 {
		t.Errorf("came to %d", got)
	}
	w.Settle()
	w.WantStatus(pledge, "disputed")
	w.Decide(dispute, "won")
	w.Settle()
	if last := w.Content.Heard(pledge); last[len(last)-1].Type != contentclient.PaymentRefunded {
		t.Errorf("the last word is %s", last[len(last)-1].Type)
	}
	w.Audit()
}

func TestRefundAgreed_KilledAnywhereIsTakenUp(t *testing.T) {
	t.Parallel()
	killer := &paymentstest.Killer{After: true}
	w := paymentstest.New(t, func(c *app.Config) { c.Tracer = killer })
	for statement := 1; ; statement++ {
		pledge, _, _ := w.Paid()
		id := ids.New()
		killed := killer.Kill(t.Context(), statement, func(ctx context.Context) {
			_, _ = w.App.Payments.RefundAgreed(ctx, payments.Agreed{ID: id, PledgeID: pledge, Minor: 700, Currency: "EUR", Reason: refunds.Claim})
		})
		w.Bury()
		agree(t, w, id, pledge, 700, refunds.Claim)
		w.Settle()
		if got := sumOf(w, pledge); got != 700 {
			t.Errorf("killed at statement %d: %d went back", statement, got)
		}
		if !killed {
			if statement < 5 {
				t.Errorf("it was over after %d statements", statement)
			}
			break
		}
	}
	w.Audit()
}

// What goes back because of changes is told apart from the rest, once for each change, whatever else goes back.
func TestRefundAgreed_OfChangesIsToldApart(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, id, _ := w.Paid()
	first, second := ids.New(), ids.New()
	for range 2 {
		agree(t, w, first, pledge, 1000, refunds.Changed)
		w.Settle()
		w.Refund(id, 500, refunds.Requested)
		w.Settle()
		agree(t, w, second, pledge, 200, refunds.Changed)
		w.Settle()
	}
	var told []int64
	for _, e := range w.Content.Heard(pledge) {
		if e.Type == contentclient.PaymentRefunded {
			told = append(told, *e.AmountRefundedMinor, *e.AmountChangedMinor)
		}
	}
	if want := []int64{1000, 1000, 1500, 1000, 1700, 1200, 2200, 1200}; !slices.Equal(told, want) {
		t.Errorf("told of %v, want %v", told, want)
	}
	w.Audit()
}

// agreeOver is agree about a pledge with further charges, the newest first.
func agreeOver(t *testing.T, w *paymentstest.World, id, pledge string, further []string, minor int64) int64 {
	t.Helper()
	ids, err := json.Marshal(further)
	if err != nil {
		t.Fatal(err)
	}
	status, body := w.Tell("/internal/payments/refund", fmt.Sprintf(
		`{"refund_id":%q,"pledge_id":%q,"further_ids":%s,"amount_minor":%d,"currency":"EUR","reason":"changed"}`, id, pledge, ids, minor), servicetoken.Payments)
	var answer internalapi.AgreedRefundAnswer
	if status != http.StatusOK || json.Unmarshal(body, &answer) != nil {
		return -1
	}
	of := int64(0) // which charges give is said of each, also when it is asked again
	for _, c := range answer.Charges {
		if of += c.BegunMinor; w.Count(`refunds r JOIN payments p ON p.id = r.payment_id WHERE r.request_key = '`+id+`' AND p.subject_id = '`+c.SubjectID+
			fmt.Sprintf(`' AND r.amount_minor = %d`, c.BegunMinor)) != 1 {
			t.Errorf("%s does not give %d", c.SubjectID, c.BegunMinor)
		}
	}
	if of != answer.BegunMinor {
		t.Errorf("the charges give %d, %d were begun", of, answer.BegunMinor)
	}
	return answer.BegunMinor
}

// further pays a further charge of a pledge, and gives its subject and its payment.
func further(t *testing.T, w *paymentstest.World, pledge string, minor int64) (subject, id string) {
	t.Helper()
	subject = w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.AmountMinor, o.PledgeID = minor, &pledge })
	a := w.MustSetup(subject)
	if got := w.Confirm(a, "pm_card_visa"); got.Status != "succeeded" {
		t.Fatalf("paying further gave %+v", got)
	}
	w.Settle()
	id = a.Payment.ID
	if w.Count(`payments WHERE id = '`+id+`' AND further_of = '`+pledge+`'`) != 1 {
		t.Error("the payment does not know whose further charge it is")
	}
	return subject, id
}

func TestRefundAgreed_OfAPledgeWithFurtherCharges_TheNewestGivesFirst(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, _ := w.Paid()
	second, _ := further(t, w, pledge, 2000)
	third, _ := further(t, w, pledge, 1000)
	all := []string{third, second}
	less, rest, none := ids.New(), ids.New(), ids.New()
	for range 2 { // a word is delivered at least once
		if got := agreeOver(t, w, less, pledge, all, 2500); got != 2500 {
			t.Errorf("came to %d", got)
		}
		w.Settle()
		if a, b, c := sumOf(w, pledge), sumOf(w, second), sumOf(w, third); a != 0 || b != 1500 || c != 1000 {
			t.Errorf("of the charges %d, %d and %d went back", a, b, c)
		}
	}
	if got := agreeOver(t, w, rest, pledge, all, 9999); got != 5500 {
		t.Errorf("the rest came to %d", got)
	}
	if got := agreeOver(t, w, none, pledge, all, 100); got != 0 {
		t.Errorf("nothing is left, and it came to %d", got)
	}
	w.Settle()
	for _, subject := range []string{pledge, second, third} {
		w.WantStatus(subject, "refunded")
	}
	w.Audit()
}

func TestMoveToBacker_TakesFurtherChargesAlong(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, id, _ := w.Paid()
	_, more := further(t, w, pledge, 2000)
	_, other, _ := w.Paid()
	w.Exec(`UPDATE payments SET backer_user_id = 21`)
	if err := w.App.Payments.MoveToBacker(t.Context(), 21, 22, []string{pledge}); err != nil {
		t.Fatal(err)
	}
	if n := w.Count(`payments WHERE backer_user_id = 22 AND id IN (?, ?)`, id, more); n != 2 || w.Count(`payments WHERE backer_user_id = 21 AND id = ?`, other) != 1 {
		t.Errorf("%d moved", n)
	}
}

func TestRefundAgreed_WhatOneChargeHasBegunBeforeTheServiceDied_CountsWhenItIsToldAgain(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, _ := w.Paid()
	second, _ := further(t, w, pledge, 2000)
	id := ids.New()
	if got := agree(t, w, id, second, 2000, refunds.Changed); got != 2000 { // all that a killed first try came to
		t.Fatalf("came to %d", got)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if got := agreeOver(t, w, id, pledge, []string{second}, 3000); got != 3000 {
				t.Errorf("came to %d", got)
			}
		})
	}
	wait.Wait()
	w.Settle()
	if a, b := sumOf(w, pledge), sumOf(w, second); a != 1000 || b != 2000 {
		t.Errorf("of the charges %d and %d went back", a, b)
	}
	w.Audit()
}
