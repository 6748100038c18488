package desk_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
)

// reported is a payment that its cardholder has reported as fraud, as the desk shows it.
func reported(w *paymentstest.World) (intent string, shown api.DeskWarningCase) {
	w.T.Helper()
	_, payment, intent, _ := w.Warned()
	w.Settle()
	var p api.DeskPayment
	get(w, "payments/"+payment, &p)
	if len(p.Warnings) != 1 {
		w.T.Fatalf("the payment has %+v", p.Warnings)
	}
	return intent, warning(w, p.Warnings[0].WarningID)
}

func warning(w *paymentstest.World, id int64) (shown api.DeskWarningCase) {
	w.T.Helper()
	get(w, fmt.Sprintf("warnings/%d", id), &shown)
	return shown
}

const because = `{"note": "the payer does not know of it"}`

// What was reported waits at the desk with who paid, and the proposal to give it back; pressed twice, also at once, one refund goes out, and no fee is taken.
func TestWarning_IsRefundedFromTheDeskOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appoint(w)
	intent, shown := reported(w)
	if shown.Warning.Status != "open" || shown.Warning.Reason != "unauthorized_use_of_card" || shown.LeftMinor != 5000 || shown.CreatorMinor != 0 ||
		shown.PayerName == nil || !strings.Contains(*shown.PayerName, "Aino") || shown.Warning.AmountMinor != 5000 {
		t.Errorf("it is %+v", shown)
	}
	var overview api.DeskOverview
	if get(w, "overview", &overview); len(overview.Warnings) != 1 || overview.Warnings[0].PaymentID != shown.Warning.PaymentID {
		t.Errorf("the overview has %+v", overview.Warnings)
	}
	path := fmt.Sprintf("warnings/%d/refund", shown.Warning.WarningID)
	want(w, onlyLooks, path, because, "not_operator")
	if _, fault := call(w, paymentstest.AdminSession(saara, false), "POST", path, because, nil); fault != "confirmation_required" {
		t.Errorf("who has not just confirmed: %s", fault)
	}
	if n := w.Count("refunds"); n != 0 {
		t.Fatalf("%d refunds without a right", n)
	}
	var together sync.WaitGroup
	for _, user := range []int64{saara, ilkka} {
		together.Go(func() { want(w, user, path, because, "") })
	}
	together.Wait()
	w.Settle()
	want(w, saara, path, because, "") // once more, when it has arrived
	w.Settle()
	if n := w.Count(`refunds WHERE status = 'succeeded' AND amount_minor = 5000 AND actor <> '' AND note <> ''`); n != 1 || w.Count("refunds") != 1 {
		t.Errorf("%d of %d refunds", n, w.Count("refunds"))
	}
	if got := warning(w, shown.Warning.WarningID); got.Warning.Status != "refunded" || got.LeftMinor != 0 {
		t.Errorf("it is %+v", got)
	}
	want(w, saara, fmt.Sprintf("warnings/%d/dismissal", shown.Warning.WarningID), because, "not_possible_now")
	var at struct{ Data []struct{ Actionable bool } }
	if w.At("/v1/radar/early_fraud_warnings?payment_intent="+intent, &at); len(at.Data) != 1 || at.Data[0].Actionable {
		t.Errorf("the provider has %+v", at)
	}
	var p api.DeskPayment
	get(w, "payments/"+shown.Warning.PaymentID, &p)
	if history := fmt.Sprint(p.History); !strings.Contains(history, "warning_opened") || !strings.Contains(history, "refund_asked") {
		t.Errorf("the history does not say it: %s", history)
	}
	if get(w, "overview", &overview); len(overview.Warnings) != 0 {
		t.Errorf("the overview has %+v", overview.Warnings)
	}
	w.Audit()
}

// Whose charge it is, or whose campaign's money it is, does not decide about it: another does.
func TestWarning_OfAnOperatorsOwnMoney_IsForAnother(t *testing.T) {
	t.Parallel()
	for name, own := range ownMoney {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			appoint(w)
			_, shown := reported(w)
			own(w, shown.Warning.PaymentID)
			path := fmt.Sprintf("warnings/%d", shown.Warning.WarningID)
			want(w, saara, path+"/refund", because, "own_money")
			want(w, saara, path+"/dismissal", because, "own_money")
			if got := warning(w, shown.Warning.WarningID); got.Warning.Status != "open" || w.Count("refunds") != 0 {
				t.Errorf("it is %+v with %d refunds", got, w.Count("refunds"))
			}
			want(w, ilkka, path+"/refund", because, "")
		})
	}
}

// Who dismisses a warning leaves the charge as it is; a dispute that comes all the same is an ordinary one.
func TestWarning_ThatIsDismissed_RefundsNothing(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appoint(w)
	intent, shown := reported(w)
	path := fmt.Sprintf("warnings/%d", shown.Warning.WarningID)
	want(w, onlyLooks, path+"/dismissal", because, "not_operator")
	want(w, saara, path+"/reopening", because, "") // it is open
	want(w, saara, path+"/dismissal", because, "")
	want(w, ilkka, path+"/dismissal", because, "")
	w.Settle()
	if got := warning(w, shown.Warning.WarningID); got.Warning.Status != "dismissed" || w.Count("refunds") != 0 {
		t.Errorf("it is %+v with %d refunds", got, w.Count("refunds"))
	}
	want(w, saara, path+"/refund", because, "not_possible_now")
	// Until the charge is paid out another operator may think otherwise, with proof and a note as for every act.
	if got := warning(w, shown.Warning.WarningID); !got.CanReopen {
		t.Errorf("it cannot be opened again: %+v", got)
	}
	want(w, onlyLooks, path+"/reopening", because, "not_operator")
	if _, fault := call(w, paymentstest.AdminSession(saara, false), "POST", path+"/reopening", because, nil); fault != "confirmation_required" {
		t.Errorf("who has not just confirmed: %s", fault)
	}
	for range 2 {
		want(w, ilkka, path+"/reopening", because, "")
	}
	w.Settle()
	var overview api.DeskOverview
	if get(w, "overview", &overview); len(overview.Warnings) != 1 || warning(w, shown.Warning.WarningID).CanReopen {
		t.Errorf("the overview has %+v", overview.Warnings)
	}
	if n := w.Count(`operator_actions WHERE action = 'warning_reopened' AND actor = 'Ilkka Mäkelä'`); n != 1 {
		t.Errorf("%d acts are kept", n)
	}
	want(w, ilkka, path+"/dismissal", because, "")
	if n := w.Count(`operator_actions WHERE action = 'warning_dismissed' AND actor = 'Saara Niemi'`); n != 1 {
		t.Errorf("%d acts are kept", n)
	}
	w.DisputeByHand(intent, 0)
	w.AwaitWebhooks()
	w.Settle()
	if got := warning(w, shown.Warning.WarningID); got.Warning.Status != "disputed" {
		t.Errorf("after the dispute it is %+v", got)
	}
	want(w, saara, path+"/reopening", because, "not_possible_now")
	w.Audit()
}

// When the bank, or another refund, was quicker, the press does nothing and says so.
func TestWarning_WhoseChargeIsGone_CannotBeRefunded(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		do   func(w *paymentstest.World, intent, payment string)
		want string
	}{
		"it is disputed, and nobody told us": {func(w *paymentstest.World, intent, _ string) { w.LoseWebhooks(); w.DisputeByHand(intent, 0) }, ""},
		"it is disputed":                     {func(w *paymentstest.World, intent, _ string) { w.DisputeByHand(intent, 0) }, "not_possible_now"},
		"all went back":                      {func(w *paymentstest.World, _, payment string) { w.Refund(payment, 0, refunds.Requested) }, "not_possible_now"},
		"a part went back":                   {func(w *paymentstest.World, _, payment string) { w.Refund(payment, 2000, refunds.Requested) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			appoint(w)
			intent, shown := reported(w)
			tc.do(w, intent, shown.Warning.PaymentID)
			for range 2 {
				w.AwaitWebhooks()
				w.Settle()
			}
			want(w, saara, fmt.Sprintf("warnings/%d/refund", shown.Warning.WarningID), because, tc.want)
			for range 2 {
				w.AwaitWebhooks()
				w.Settle()
			}
			if got := warning(w, shown.Warning.WarningID); got.Warning.Status == "open" {
				t.Errorf("it is %+v", got)
			}
			var back int64
			w.Scan(&back, `SELECT coalesce(sum(amount_minor), 0)::bigint FROM refunds WHERE status = 'succeeded'`)
			if disputed := strings.Contains(name, "disputed"); disputed != (back == 0) || !disputed && back != 5000 {
				t.Errorf("%d went back", back)
			}
			w.Audit()
		})
	}
}

// Who has paid is shown of a further charge of a pledge, too.
func TestWarning_OfAFurtherCharge_ShowsWhoPaid(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appoint(w)
	pledge, _, _ := w.Paid()
	form := w.MustSetup(w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.AmountMinor, o.PledgeID = 2000, &pledge }))
	if got := w.Confirm(form, "pm_card_createIssuerFraudRecord"); got.Status != "succeeded" {
		t.Fatalf("paying further gave %+v", got)
	}
	w.Settle()
	w.WarningComes(form.Stripe.PaymentIntent.ID)
	w.Settle()
	var p api.DeskPayment
	get(w, "payments/"+form.Payment.ID, &p)
	if len(p.Warnings) != 1 {
		t.Fatalf("it has %+v", p.Warnings)
	}
	if shown := warning(w, p.Warnings[0].WarningID); shown.PayerName == nil || *shown.PayerName != "Aino" || shown.PayerEmail == nil || *shown.PayerEmail != "aino@example.com" {
		t.Errorf("it is %+v", shown)
	}
}

// Monthly support that the same account gives with the card of a reported pledge goes on after its refund, which the desk says; it ends with the refund when
// the operator wants that, and the history has it.
func TestWarning_OfAPledge_SaysWhichSupportGoesOnWithItsCard(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]bool{"it goes on": false, "it is ended": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			appoint(w)
			backer := int64(61)
			theirs := func(o *contentclient.Order) { o.BackerUserID = &backer }
			same, other, stranger := w.Subscribed(paymentstest.Visa, theirs), w.Subscribed(paymentstest.Visa, theirs), w.Subscribed(paymentstest.Visa)
			_, shown := reported(w)
			w.Exec(`UPDATE payments SET backer_user_id = ? WHERE id = ?`, backer, shown.Warning.PaymentID)
			w.Exec(`UPDATE subscriptions SET card_label = ? WHERE id IN ?`, shown.Warning.Method, []string{same, stranger})
			shown = warning(w, shown.Warning.WarningID)
			if len(shown.Support) != 1 || shown.Support[0].AmountMinor <= 0 || shown.Support[0].Title == "" {
				t.Fatalf("it says %+v", shown.Support)
			}
			path, body := fmt.Sprintf("warnings/%d/refund", shown.Warning.WarningID), fmt.Sprintf(`{"note": "the payer does not know of it", "end_support": %t}`, ends)
			want(w, onlyLooks, path, body, "not_operator")
			for range 2 {
				want(w, saara, path, body, "")
			}
			w.Settle()
			if got := w.Count(`subscriptions WHERE status = 'canceled' AND ended_because = 'fraud_disputed'`); got != map[bool]int{true: 1}[ends] {
				t.Errorf("%d ended", got)
			}
			for _, id := range []string{other, stranger} {
				if w.Count(`subscriptions WHERE status = 'active' AND id = '`+id+`'`) != 1 {
					t.Error("somebody else's support has ended")
				}
			}
			if got := w.Count(`operator_actions WHERE action = 'support_ended' AND actor = 'Saara Niemi' AND after ->> 'subscription' = '` + same + `'`); got != map[bool]int{true: 1}[ends] {
				t.Errorf("%d acts are kept", got)
			}
			if left := warning(w, shown.Warning.WarningID).Support; len(left) != map[bool]int{false: 1}[ends] {
				t.Errorf("then it says %+v", left)
			}
			w.Audit()
		})
	}
}
