package desk_test

import (
	"fmt"
	"net/http"
	"testing"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/watching/anomalies"
)

func appointed(w *paymentstest.World, user int64, name string) {
	w.T.Helper()
	if err := desk.Appoint(w.T.Context(), w.App.DB, desk.Operator{UserID: user, Name: name, IsOperator: true, Actor: "maija", Note: "test", At: w.Now()}); err != nil {
		w.T.Fatal(err)
	}
}

// An operator finds what does not add up in the overview, closes it once, and the history has their name and note.
func TestAnomaly_IsMendedOnceWithANote(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appoint(w)
	_, payment, _ := w.Paid()
	_, err := anomalies.Open(t.Context(), w.App.DB, anomalies.Anomaly{Kind: anomalies.PaymentStuck, Provider: "stripe", Reference: payment, PaymentID: &payment,
		Detail: map[string]string{"why": "planted"}}, w.Now())
	if err != nil {
		t.Fatal(err)
	}
	var all api.DeskOverview
	if get(w, "overview", &all); len(all.Anomalies) != 1 || all.Anomalies[0].What != "payment_stuck" || all.Anomalies[0].Count != 1 || all.Operator != nil {
		t.Fatalf("%+v", all)
	}
	var open api.DeskAnomalies
	get(w, "anomalies", &open)
	id := open.Anomalies[0].AnomalyID
	want(w, saara, fmt.Sprintf("anomalies/%d/mended", id), `{"note": "looked at it"}`, "")
	want(w, ilkka, fmt.Sprintf("anomalies/%d/mended", id), `{"note": "so did I"}`, "") // at once, or later: it is closed already
	var a api.DeskAnomaly
	if get(w, fmt.Sprintf("anomalies/%d", id), &a); a.ClosedBy == nil || *a.ClosedBy != "Saara Niemi" || *a.Note != "looked at it" {
		t.Errorf("%+v", a)
	}
	if n := w.Count("operator_actions WHERE action = 'resolve' AND actor = 'Saara Niemi'"); n != 1 || w.Count("operator_actions") != 1 {
		t.Errorf("%d acts", n)
	}
	var closed api.DeskAnomalies
	if get(w, "anomalies?closed=true", &closed); closed.Total != 1 {
		t.Errorf("%+v", closed)
	}
	var p api.DeskPayment
	get(w, "payments/"+payment, &p)
	if len(p.Anomalies) != 1 || p.History[0].What != "act_resolve" && p.History[0].What != "anomaly_mended" {
		t.Errorf("%+v", p.History)
	}
	want(w, saara, "anomalies/999999/mended", `{"note": "not there"}`, "not_found")
}

// What stands apart until a decision is not closed by a press.
func TestAnomaly_WhoseMoneyStandsApart_StaysOpen(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appoint(w)
	_, payment, _ := w.Paid()
	w.Exec(`UPDATE attempts SET status = 'held' WHERE payment_id = ?`, payment)
	w.Exec(`INSERT INTO anomalies (kind, provider, reference, payment_id, detail, found_at, seen_at)
		SELECT 'held_money', provider, charge_ref, payment_id, '{}', now(), now() FROM attempts WHERE payment_id = ?`, payment)
	var open api.DeskAnomalies
	get(w, "anomalies", &open)
	want(w, saara, fmt.Sprintf("anomalies/%d/mended", open.Anomalies[0].AnomalyID), `{"note": "it is fine"}`, "money_stands_apart")
}

// A stored event is taken up again at an operator's word, also one that was processed; it changes nothing twice.
func TestReplay_TakesAnEventUpAgain(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appoint(w)
	pledge, _, _ := w.Paid()
	var event string
	w.Scan(&event, `SELECT event_key FROM webhook_events ORDER BY received_at LIMIT 1`)
	w.Exec(`UPDATE webhook_events SET status = 'received', next_attempt_at = now() + interval '9 minutes', attempts = 4, last_error = 'the provider did not answer' WHERE event_key = ?`, event)
	var failed api.DeskWebhooks
	if get(w, "webhooks", &failed); failed.Total != 1 || failed.Webhooks[0].EventKey != event || failed.Webhooks[0].Tries != 4 {
		t.Fatalf("%+v", failed)
	}
	replay := fmt.Sprintf(`{"provider": "stripe", "event_key": %q, "note": "the provider is back"}`, event)
	want(w, saara, "webhooks/replay", replay, "")
	w.Settle()
	if get(w, "webhooks", &failed); failed.Total != 0 {
		t.Errorf("%+v", failed)
	}
	want(w, saara, "webhooks/replay", replay, "")
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.Audit()
	if n := w.Count("operator_actions WHERE action = 'replay' AND actor = 'Saara Niemi'"); n != 2 {
		t.Errorf("%d acts", n)
	}
	want(w, saara, "webhooks/replay", `{"provider": "stripe", "event_key": "evt_none", "note": "not there"}`, "not_found")
}

// A provider is switched off and on with a reason; said twice it is said once.
func TestSwitch_IsWrittenWithWhoAndWhy(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appoint(w)
	for range 2 {
		want(w, saara, "switches", `{"provider": "stripe", "is_on": false, "note": "it does not answer"}`, "")
	}
	var all api.DeskSwitches
	if get(w, "switches", &all); len(all.History) != 1 || all.History[0].Actor != "Saara Niemi" || len(all.Providers) != 1 || all.Providers[0].IsOn {
		t.Errorf("%+v", all)
	}
	want(w, ilkka, "switches", `{"provider": "stripe", "is_on": true, "note": "it does again"}`, "")
	if get(w, "switches", &all); len(all.History) != 2 || !all.Providers[0].IsOn {
		t.Errorf("%+v", all)
	}
}

// A refund that failed is listed until it is sent once more.
func TestRefund_ThatFailed_IsSentOnceMore(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appoint(w)
	_, payment, _ := w.Paid()
	w.Refund(payment, 1000, "requested")
	w.Settle()
	w.FailRefund()
	w.Settle()
	var waiting api.DeskRefunds
	if get(w, "refunds", &waiting); waiting.Total != 1 || waiting.Refunds[0].Status != "failed" {
		t.Fatalf("%+v", waiting)
	}
	id := waiting.Refunds[0].RefundID
	var all api.DeskOverview
	if get(w, "overview", &all); all.Refunds[0].What != "failed" || all.Refunds[0].Count != 1 {
		t.Errorf("%+v", all.Refunds)
	}
	for _, user := range []int64{saara, ilkka} { // two operators at once
		want(w, user, "refunds/"+id+"/repeat", `{"note": "another card"}`, "")
	}
	if n := w.Count("refunds WHERE repeats = ?", id); n != 1 {
		t.Errorf("it was repeated %d times", n)
	}
	w.Settle()
	if get(w, "refunds", &waiting); waiting.Total != 0 && waiting.Refunds[0].Status == "failed" {
		t.Errorf("%+v", waiting)
	}
	if _, fault := call(w, by(saara), http.MethodPost, "refunds/00000000000000000000000000/repeat", `{"note": "not there"}`, nil); fault != "not_found" {
		t.Error(fault)
	}
}
