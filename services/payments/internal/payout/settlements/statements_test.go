package settlements_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/paymentstest"
)

// asks gets what somebody sees under a run of theirs.
func (w *runs) asks(person int64, path string) (status int, body []byte) {
	w.of.T.Helper()
	return w.of.Send(http.MethodGet, w.of.API.URL+"/api/users/me/payouts/"+path, "", http.NoBody, map[string]string{"Authorization": paymentstest.SessionOf(person, false)})
}

// A creator keeps for their books what was booked, day by day and payment by payment, and our fee with its own number; nobody else sees it.
func TestStatement_IsWhatWasBooked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.Pass(26 * 3600e9)
	w.pay(33)
	w.end()
	r := w.approved()
	if status, body := w.asks(owner, r.ID); status != http.StatusNotFound {
		t.Fatalf("before it was booked: %d %s", status, body)
	}
	w.mustWork()
	status, body := w.asks(owner, r.ID)
	var got api.PayoutStatement
	if err := json.Unmarshal(body, &got); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s: %v", status, body, err)
	}
	year := w.Now().Year()
	if got.Fee == nil || got.Fee.Number != fmt.Sprintf("%d-1", year) || got.Fee.NetMinor != 530 || got.Fee.VatMinor != 135 || got.Fee.VatPercent != 25.5 || len(got.Credits) != 0 {
		t.Errorf("the fee is %+v, less %v", got.Fee, got.Credits)
	}
	sums := [4]int64{got.Payout.CollectedMinor, got.Payout.FeeMinor, got.Payout.ReserveMinor, got.Payout.NetMinor}
	var added [4]int64
	for _, d := range got.Days {
		for i, minor := range []int64{d.CollectedMinor, d.FeeMinor, d.ReserveMinor, d.NetMinor} {
			added[i] += minor
		}
	}
	if len(got.Days) != 2 || !got.Days[0].Day.Before(got.Days[1].Day.Time) || got.Days[0].CollectedMinor != 10000 || added != sums {
		t.Errorf("days %+v add up to %v, want %v", got.Days, added, sums)
	}

	status, body = w.asks(owner, r.ID+"/lines?language=fi")
	lines := strings.Split(strings.TrimRight(string(body), "\r\n"), "\r\n")
	if status != http.StatusOK || len(lines) != 3 || !strings.HasPrefix(lines[0], "\ufeffPäivä;Maksutapa;") ||
		!strings.Contains(lines[2], ";Kortti;33,00;1,32;0,33;1,65;29,70;EUR;"+w.payments[1]) {
		t.Errorf("%d %q", status, lines)
	}
	for _, of := range []string{r.ID, r.ID + "/lines?language=sv"} {
		if status, _ := w.asks(77, of); status != http.StatusNotFound {
			t.Errorf("a stranger's %s answers %d", of, status)
		}
	}
	for _, of := range []string{r.ID + "/lines", r.ID + "/lines?language=de"} {
		if status, body := w.asks(owner, of); status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
			t.Errorf("%s answers %d %s", of, status, body)
		}
	}
	w.audit()
}

// What of a fee goes back with a backer's money is a credit of it; the document itself stays.
func TestStatement_CreditsTheFeeOfMoneyThatWentBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100, 50)
	w.end()
	r := w.approved()
	w.mustWork()
	w.arrive()
	w.refund(w.payments[0], 3000)
	_, body := w.asks(owner, r.ID)
	var got api.PayoutStatement
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Credits) != 1 || got.Credits[0].NetMinor != 120 || got.Credits[0].VatMinor != 30 || got.Credits[0].Number == 0 || got.Fee == nil || got.Fee.NetMinor != 598 {
		t.Errorf("fee %+v, credits %+v", got.Fee, got.Credits)
	}
}

// Numbers of a year leave none out, also when a run with a fee of nothing, or one that is ended, comes between.
func TestFeeDocuments_LeaveNoNumberOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	w.approved()
	w.mustWork()
	later, _ := w.another(40)
	w.approve(later, approver, nil)
	w.mustWork()
	var numbers string
	w.Scan(&numbers, `SELECT string_agg(number || ' of ' || (net_minor + vat_minor), ', ' ORDER BY number) FROM fee_documents`)
	if numbers != "1 of 500, 2 of 200" {
		t.Errorf("numbers %s", numbers)
	}
}
