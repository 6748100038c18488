package reconcile_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
	sandbox "talkoot.fi/sandbox/stripe"
)

// A bank may send a settled refund back days later. Told or untold, on whatever day: it is owed again, a person is
// called, and the book has each movement on its own day.
func TestLedgerPass_SettledRefundThatFailsDaysLater_IsOwedAgain(t *testing.T) {
	t.Parallel()
	for name, silent := range map[string]bool{"told": false, "untold": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge, id, _ := w.Paid()
			w.Refund(id, 0, refunds.Requested)
			w.Settle()
			w.WantStatus(pledge, "refunded")
			for range 5 { // each day's pass looks back to the last one only
				w.Compare()
				w.Pass(24 * time.Hour)
			}
			ref := w.Sandbox.Snapshot().Refunds[0].ID
			if _, err := w.Sandbox.FailRefund(sandbox.RefundFailure{Refund: ref, Silent: silent}); err != nil {
				t.Fatal(err)
			}
			w.Settle()
			if n := w.Anomalies("refund_failed"); (n == 0) != silent {
				t.Errorf("%d anomalies before the pass", n)
			}
			w.Pass(time.Hour)
			w.Compare()
			if n := w.Anomalies("refund_failed"); n != 1 || w.Anomalies("") != 1 || w.Count("anomalies") != 1 {
				t.Errorf("%d refunds have failed, %d anomalies", n, w.Count("anomalies"))
			}
			w.WantLedger(map[string]int64{"provider_clearing:stripe:main": 5000 - paymentstest.Fee,
				"provider_fees:stripe": paymentstest.Fee, "owed_to_backers:stripe": -5000})
			var apart int // days between the two movements
			w.Scan(&apart, `SELECT extract(day FROM f.happened_at - r.happened_at)::int FROM ledger_transactions r, ledger_transactions f
				WHERE r.kind = 'refund' AND f.kind = 'refund_failed' AND r.reference = f.reference AND r.reference = ?`, ref)
			if apart != 5 {
				t.Errorf("the refund failed %d days after it was made", apart)
			}
			w.Compare()
			if n := w.Count("anomalies"); n != 1 {
				t.Errorf("%d anomalies after another pass", n)
			}
			w.Audit()
		})
	}
}

// What we hear of late has happened when the provider says, and is booked when we heard of it.
func TestBook_HasTheProvidersTimesAndOurs(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.LoseWebhooks()
	pledge := w.Pledge()
	form := w.MustSetup(pledge)
	begun := w.Now()
	w.MustPay(form)
	w.Pass(2 * time.Hour)
	w.RefundByHand(form.Stripe.PaymentIntent.ID, 1000)
	w.Pass(2 * time.Hour)
	w.DisputeByHand(form.Stripe.PaymentIntent.ID, 0)
	w.Pass(2 * time.Hour)
	w.Reconcile()
	w.WantStatus(pledge, "disputed")
	var rows []struct {
		Kind                 string
		HappenedAt, BookedAt time.Time
	}
	w.Scan(&rows, `SELECT kind, happened_at, booked_at FROM ledger_transactions WHERE kind <> 'refund_begun'`) // which is ours alone
	wanted := map[string]time.Duration{"charge": 0, "provider_fee": 0, "refund": 2 * time.Hour,
		"dispute_opened": 4 * time.Hour, "dispute_fee": 4 * time.Hour}
	if len(rows) != len(wanted) {
		t.Errorf("the book has %+v", rows)
	}
	const near = time.Minute
	for _, r := range rows {
		after, known := wanted[r.Kind]
		if !known || r.HappenedAt.Sub(begun.Add(after)).Abs() > near || r.BookedAt.Sub(begun.Add(6*time.Hour)).Abs() > near {
			t.Errorf("%s happened at %s and was booked at %s, begun at %s", r.Kind, r.HappenedAt, r.BookedAt, begun)
		}
	}
	w.Audit()
}

// A difference that is none any more closes itself, and one that comes back is opened again.
func TestLedgerPass_DifferenceThatMendsItself_IsClosedAndReopened(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	w.Paid()
	w.Pass(time.Hour)
	wrong := rewriteLines(t, func(line map[string]any) { line["amount"] = 4999 }) // a cent less
	type row struct {
		Times      int
		ResolvedBy string
		Open       bool
	}
	const day = 24 * time.Hour
	for _, step := range []struct {
		after  time.Duration
		change func(r *http.Request, body []byte) []byte
		want   row
	}{
		{time.Hour, wrong, row{1, "", true}}, {time.Hour, wrong, row{1, "", true}},
		{time.Hour, nil, row{1, "service", false}}, {time.Hour, nil, row{1, "service", false}},
		{time.Hour, wrong, row{2, "", true}}, {20 * day, wrong, row{2, "", true}}, // longer than a pass looks back
		{20 * day, nil, row{2, "service", false}},
	} {
		b.Set(nil, step.change)
		w.Pass(step.after)
		w.Compare()
		var rows []row
		w.Scan(&rows, `SELECT times, resolved_by, resolved_at IS NULL AS open FROM anomalies WHERE kind = 'ledger_difference'`)
		if len(rows) != 1 || rows[0] != step.want {
			t.Errorf("the differences are %+v, want %+v", rows, step.want)
		}
	}
	w.Audit()
}

// rewriteLines changes the lines of our balance on their way to us.
func rewriteLines(t *testing.T, change func(line map[string]any)) func(r *http.Request, body []byte) []byte {
	t.Helper()
	return func(r *http.Request, body []byte) []byte {
		if r.URL.Path != "/v1/balance_transactions" {
			return body
		}
		var list map[string]any
		if json.Unmarshal(body, &list) != nil {
			return body
		}
		for _, line := range list["data"].([]any) {
			change(line.(map[string]any))
		}
		out, err := json.Marshal(list)
		if err != nil {
			t.Error(err)
		}
		return out
	}
}

// What the provider keeps for a refund stands on the refund's line and nowhere else.
func TestLedgerPass_FeeThatOnlyALineTells_IsBookedOnce(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	_, id, _ := w.Paid()
	w.Refund(id, 2000, refunds.Requested)
	w.Settle()
	b.Set(nil, rewriteLines(t, func(line map[string]any) {
		if line["type"] == "refund" {
			line["fee"] = 35
		}
	}))
	for range 2 {
		w.Pass(time.Hour)
		w.Compare()
		w.WantLedger(map[string]int64{
			"provider_clearing:stripe:main": 3000 - paymentstest.Fee - 35, "provider_fees:stripe": paymentstest.Fee + 35,
			"backer_funds:stripe:7": -3000,
		})
		if n := w.Count("anomalies WHERE kind <> 'balance_difference'"); n != 0 { // the stand-in's balance has no such fee
			t.Errorf("%d anomalies", n)
		}
	}
	w.Audit()
}

// A line that cannot be booked, here of a sum that was booked otherwise before, keeps no other from being booked and
// compared.
func TestLedgerPass_OddLine_StopsNoComparison(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	w.LoseWebhooks()
	_, id, _ := w.Paid()
	w.Pass(8 * 24 * time.Hour)
	if _, err := w.Sandbox.PayOut(sandbox.PayoutOrder{Currency: "eur"}); err != nil {
		t.Fatal(err)
	}
	w.ByHand("/v1/topups", url.Values{"amount": {"700"}, "currency": {"eur"}})
	w.Pass(time.Hour)
	w.Compare()
	b.Set(nil, rewriteLines(t, func(line map[string]any) {
		if line["type"] == "topup" {
			line["amount"] = 800
		}
	}))
	if _, err := w.Sandbox.RefundByHand(w.Sandbox.Snapshot().Charges[0].ID, 0); err != nil {
		t.Fatal(err)
	}
	w.Pass(time.Hour)
	w.Compare()
	// The place differs as well: what was taken before the first comparison was not known, and the list has 8 euros where the balance has 7.
	if n := w.Anomalies("ledger_difference"); n != 1 || w.Count("anomalies WHERE resolved_at IS NULL AND kind NOT IN ('ledger_difference', 'balance_difference')") != 0 {
		t.Errorf("%d differences", n)
	}
	if n := w.Count("refunds WHERE payment_id = ? AND status = 'succeeded'", id); n != 1 {
		t.Error("the refund's line was not taken up")
	}
	b.Set(nil, nil)
	w.Pass(time.Hour)
	w.Compare()
	w.Audit()
}

// Another system takes and gives back money on the same account at the provider: that is no difference and nobody's
// trouble, and counted apart.
func TestReconciliation_ForeignMoney_IsCountedApart(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	foreign(w)
	snapshot := w.Sandbox.Snapshot()
	if _, err := w.Sandbox.RefundByHand(snapshot.Charges[0].ID, 300); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Sandbox.OpenDispute(sandbox.DisputeOrder{Charge: snapshot.Charges[0].ID}); err != nil {
		t.Fatal(err)
	}
	w.Paid()
	w.Settle()
	if found := w.Reconcile(); found.Differ != 0 || found.Foreign != 3 { // payment, refund, dispute
		t.Errorf("the pass found %+v", found)
	}
	w.Pass(time.Hour)
	w.Compare()
	var run struct{ Found, ForeignCount int }
	w.Scan(&run, `SELECT found, foreign_count FROM reconcile_runs WHERE finished_at IS NOT NULL`)
	if run.Found != 0 || run.ForeignCount != 5 { // charge, fee, refund, dispute, its fee
		t.Errorf("the comparison found %+v", run)
	}
	if n := w.Count("anomalies"); n != 0 {
		t.Errorf("%d anomalies", n)
	}
	w.WantBook(paymentstest.Book{})
	w.Audit()
}

// Payouts to our bank, their failure and top-ups are booked as what they are.
func TestLedgerPass_BooksWhatIsNobodys(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Paid()
	w.Pass(8 * 24 * time.Hour) // until the money is available
	payout, err := w.Sandbox.PayOut(sandbox.PayoutOrder{Currency: "eur"})
	if err != nil {
		t.Fatal(err)
	}
	const net = 5000 - paymentstest.Fee
	for _, step := range []struct {
		act  func() error
		bank int64
	}{
		{func() error { return nil }, net},
		{func() error { return nil }, net}, // nothing twice
		{func() error { _, err := w.Sandbox.FailPayout(sandbox.PayoutFailure{Payout: payout.ID}); return err }, 0},
		{func() error { w.ByHand("/v1/topups", url.Values{"amount": {"700"}, "currency": {"eur"}}); return nil }, -700},
	} {
		if err := step.act(); err != nil {
			t.Fatal(err)
		}
		w.Pass(time.Hour)
		w.Compare()
		w.WantLedger(map[string]int64{
			"provider_fees:stripe": paymentstest.Fee, "backer_funds:stripe:7": -5000, "bank": step.bank,
			"provider_clearing:stripe:main": net - step.bank,
		})
		if n := w.Count("anomalies"); n != 0 {
			t.Errorf("%d anomalies", n)
		}
	}
	w.Audit()
}
