package settlements_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/settlements"
)

const taxOf = `{"version": 0, "kind": "person", "first_name": "Maija", "last_name": "Meikäläinen", "birth_date": "1952-10-13",
	"address": {"street": "Hämeentie 1", "postal_code": "00500", "city": "Helsinki", "country": "FI"}, "tin": {"issued_by": "FI", "number": "131052-308T"}}`

func (w *runs) sayWhoTheyAre() {
	w.of.T.Helper()
	status, body := w.of.Send(http.MethodPut, w.of.API.URL+"/api/users/me/tax-data", "application/json", strings.NewReader(taxOf),
		map[string]string{"Authorization": paymentstest.SessionOf(owner, true)})
	if status != http.StatusOK {
		w.of.T.Fatalf("%d %s", status, body)
	}
}

// Without what the law asks for, people propose and approve as always, and nothing is sent; said, it goes on by itself.
func TestSend_WithoutTaxData_WaitsAfterTwoRemindersAndSixtyDays(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	reminded := w.Now().Add(-60 * 24 * time.Hour)
	w.Exec(`INSERT INTO tax_records (user_id, asked_at, reminded_at, reminded_again_at) VALUES (?, ?, ?, ?)`, owner, reminded.Add(-8*24*time.Hour), reminded, reminded.Add(30*24*time.Hour))
	w.end()
	r := w.approved()
	w.mustWork()
	w.want(r.ID, settlements.Booked, settlements.TaxData)
	if n := len(w.Sandbox.Snapshot().Transfers); n != 0 {
		t.Fatalf("%d transfers were made", n)
	}
	list, err := w.App.Settlements.Of(t.Context(), owner)
	if err != nil || len(list) != 1 || list[0].Stage != settlements.StageNeedsYou {
		t.Errorf("its creator sees %+v, %v", list, err)
	}
	desk := func() string {
		_, text := w.taxReport(http.MethodGet, "/api/admin/money/runs/"+r.ID, paymentstest.AdminSession(501, false), "")
		return text
	}
	if !strings.Contains(desk(), `"tax_missing_by"`) {
		t.Errorf("the desk does not say since when: %s", desk())
	}
	w.sayWhoTheyAre()
	if strings.Contains(desk(), `"tax_missing_by"`) {
		t.Error("the desk says that it is missing still")
	}
	w.Pass(11 * time.Minute)
	w.mustWork()
	w.want(r.ID, settlements.Paying, "")
	w.audit()
}

// A transfer that has left before is not paid out either.
func TestPayOut_WithoutTaxData_Waits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	r := w.approved()
	for i := 0; w.run(r.ID).State != settlements.Sent; i++ {
		if _, err := w.App.Settlements.Sweep(t.Context()); err != nil || i > 20 {
			t.Fatalf("it is %s, %v", w.run(r.ID).State, err)
		}
	}
	w.Exec(`INSERT INTO tax_records (user_id, asked_at, reminded_at, reminded_again_at) VALUES (?, '2020-01-01', '2020-01-02', '2020-02-01')`, owner)
	w.mustWork()
	w.want(r.ID, settlements.Sent, settlements.TaxData)
}

// taxReport asks for a report as a person, at the desk or of their own.
func (w *runs) taxReport(method, path, session, body string) (status int, text string) {
	w.of.T.Helper()
	status, answer := w.of.Send(method, w.of.API.URL+path, "application/json", strings.NewReader(body), map[string]string{"Authorization": session})
	return status, string(answer)
}

// What is reported is what the book says: the creator's part by quarter, less what went back, and our fee with its tax. Money that only reaches them is
// not counted again.
func TestTaxReport_IsWhatTheBookSays(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100, 50)
	w.sayWhoTheyAre()
	w.end()
	r := w.approved()
	w.mustWork()
	year, quarter := w.Now().Year(), (int(w.Now().Month())-1)/3
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	own := func() (q api.TaxQuarter) {
		t.Helper()
		var answer api.TaxReports
		status, text := w.taxReport(http.MethodGet, "/api/users/me/tax-reports", paymentstest.SessionOf(owner, false), "")
		if err := json.Unmarshal([]byte(text), &answer); err != nil || status != http.StatusOK || len(answer.Years) == 0 {
			t.Fatalf("%d %s", status, text)
		}
		for _, y := range answer.Years {
			for i, one := range y.Quarters {
				q.ConsiderationMinor, q.FeeMinor, q.Activities = q.ConsiderationMinor+one.ConsiderationMinor, q.FeeMinor+one.FeeMinor, q.Activities+one.Activities
				if one.Activities > 0 && (y.Year != year || i != quarter) {
					t.Errorf("%d payments are in quarter %d of %d", one.Activities, i+1, y.Year)
				}
			}
		}
		return q
	}
	if got := own(); got != (api.TaxQuarter{ConsiderationMinor: 14250, FeeMinor: 750, Activities: 2}) {
		t.Errorf("reported %+v", got)
	}
	_, err := w.Sandbox.TopUp(20000)
	w.ok(err)
	w.refund(w.payments[1], 3000)
	if got := own(); got != (api.TaxQuarter{ConsiderationMinor: 14250 - 2850, FeeMinor: 600, Activities: 2}) {
		t.Errorf("after a refund %+v", got)
	}
	if status, text := w.taxReport(http.MethodGet, "/api/users/me/tax-reports", paymentstest.SessionOf(77, false), ""); status != http.StatusOK || !strings.Contains(text, `"years":[]`) {
		t.Errorf("a stranger sees %d %s", status, text)
	}
	path := fmt.Sprintf("/api/users/me/tax-reports/%d?language=sv", year)
	status, text := w.taxReport(http.MethodGet, path, paymentstest.SessionOf(owner, true), "")
	if rows := strings.Split(strings.TrimSpace(text), "\r\n"); status != http.StatusOK || len(rows) != 2 || !strings.HasPrefix(rows[0], "\ufeffKonto;Säljare;") || !strings.HasPrefix(rows[1],
		"3;person;Meikäläinen;Maija;;13.10.1952;;Hämeentie 1;00500;Helsinki;FI;FI;131052-308T;;;EUR;") {
		t.Errorf("%d %q", status, text)
	}
	if status, text := w.taxReport(http.MethodGet, path, paymentstest.SessionOf(77, true), ""); status != http.StatusOK || strings.Contains(text, "Maija") {
		t.Errorf("a stranger's sheet: %d %q", status, text)
	}
}

// What was credited before midnight of New Year's Eve in Finland is that year's, and what goes back a minute later the next one's. A creator who has
// joined two accounts of theirs here sees and reports what was paid to either, and nobody is reported twice.
func TestTaxReport_AtNewYearAndOfJoinedAccounts(t *testing.T) {
	t.Parallel()
	const joined = 88
	w := newWorldA(t, 100, 50)
	w.sayWhoTheyAre()
	w.ok(desk.Appoint(t.Context(), w.App.DB, desk.Operator{UserID: 501, Name: "Saara Niemi", IsOperator: true, Actor: maker, Note: "test", At: w.Now()}))
	year := w.Now().Year() + 1
	midnight := time.Date(year, 12, 31, 22, 0, 0, 0, time.UTC) // in Finland
	w.Pass(midnight.Add(-time.Hour).Sub(w.Now()))
	w.end()
	w.approved()
	w.Pass(midnight.Add(-time.Minute).Sub(w.Now()))
	w.mustWork()
	_, err := w.Sandbox.TopUp(20000)
	w.ok(err)
	w.Pass(midnight.Sub(w.Now()))
	w.refund(w.payments[1], 3000)
	status, body := w.of.TellBy(http.MethodPost, "/internal/payers/merge", fmt.Sprintf(`{"from_user_id": %d, "into_user_id": %d, "subject_ids": [], "merged_at": %q}`, owner, joined,
		w.Now().Format(time.RFC3339)), "payments")
	if status != http.StatusNoContent {
		t.Fatalf("%d %s", status, body)
	}
	_, text := w.taxReport(http.MethodGet, "/api/users/me/tax-reports", paymentstest.SessionOf(joined, false), "")
	const none = `{"activities":0,"consideration_minor":0,"fee_minor":0}`
	want := fmt.Sprintf(`{"years":[{"currency":"EUR","quarters":[{"activities":0,"consideration_minor":-2850,"fee_minor":-150},%[1]s,%[1]s,%[1]s],"year":%[2]d},`+
		`{"currency":"EUR","quarters":[%[1]s,%[1]s,%[1]s,{"activities":2,"consideration_minor":14250,"fee_minor":750}],"year":%[3]d}]}`, none, year+1, year)
	if strings.TrimSpace(text) != want {
		t.Errorf("their own: %s", text)
	}
	for in, cells := range map[int]string{year: ";142,50;7,50;2;", year + 1: ";-28,50;-1,50;0;"} {
		for name, sheet := range map[string]func() (int, string){
			"own": func() (int, string) {
				return w.taxReport(http.MethodGet, fmt.Sprintf("/api/users/me/tax-reports/%d?language=fi", in), paymentstest.SessionOf(joined, true), "")
			},
			"all": func() (int, string) {
				return w.taxReport(http.MethodPost, "/api/admin/money/tax-report", paymentstest.AdminSession(501, true), fmt.Sprintf(`{"year": %d, "note": "Vuosi-ilmoitus"}`, in))
			},
		} {
			status, text := sheet()
			if rows := strings.Split(strings.TrimSpace(text), "\r\n"); status != http.StatusOK || len(rows) != 2 || !strings.HasPrefix(rows[1], "88;") ||
				!strings.Contains(rows[1], ";131052-308T;") || !strings.Contains(rows[1], cells) {
				t.Errorf("%s of %d: %d %q", name, in, status, text)
			}
		}
	}
}

// The whole report is an operator's who has just shown that it is them and says why; that they took it is kept, and nothing is read before.
func TestTaxReport_AtTheDesk_LeavesATrace(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.sayWhoTheyAre()
	w.end()
	w.approved()
	w.mustWork()
	w.ok(desk.Appoint(t.Context(), w.App.DB, desk.Operator{UserID: 501, Name: "Saara Niemi", IsOperator: true, Actor: maker, Note: "test", At: w.Now()}))
	const path = "/api/admin/money/tax-report"
	body := fmt.Sprintf(`{"year": %d, "note": "Vuosi-ilmoitus"}`, w.Now().Year())
	for session, want := range map[string]int{"": 401, paymentstest.SessionOf(owner, true): 403, paymentstest.AdminSession(502, true): 403, paymentstest.AdminSession(501, false): 403} {
		if status, text := w.taxReport(http.MethodPost, path, session, body); status != want || strings.Contains(text, "Maija") {
			t.Errorf("%q: %d %s", session, status, text)
		}
	}
	if n := w.Count("operator_actions"); n != 0 {
		t.Errorf("%d reports were taken by nobody", n)
	}
	status, text := w.taxReport(http.MethodPost, path, paymentstest.AdminSession(501, true), body)
	rows := strings.Split(strings.TrimSpace(text), "\r\n")
	if status != http.StatusOK || len(rows) != 2 || !strings.Contains(rows[1], "131052-308T") || !strings.Contains(rows[1], ";95,00;5,00;1;") {
		t.Errorf("%d %q", status, text)
	}
	var kept string
	if w.Scan(&kept, `SELECT actor || ' ' || action || ' ' || note || ' ' || (after ->> 'year') FROM operator_actions`); kept != fmt.Sprintf("Saara Niemi tax_report Vuosi-ilmoitus %d", w.Now().Year()) {
		t.Errorf("kept: %s", kept)
	}
}

// One creator's data that no key opens any more do not keep the report of all, their own file, or the joining of their accounts: they count as not said.
func TestTaxReport_WhereAKeyIsLost_IsTakenWhole(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.sayWhoTheyAre()
	w.end()
	w.approved()
	w.mustWork()
	w.Exec(`UPDATE tax_records SET key_id = 'lost'`)
	w.ok(desk.Appoint(t.Context(), w.App.DB, desk.Operator{UserID: 501, Name: "Saara Niemi", IsOperator: true, Actor: maker, Note: "test", At: w.Now()}))
	status, text := w.taxReport(http.MethodPost, "/api/admin/money/tax-report", paymentstest.AdminSession(501, true), fmt.Sprintf(`{"year": %d, "note": "Vuosi-ilmoitus"}`, w.Now().Year()))
	if rows := strings.Split(strings.TrimSpace(text), "\r\n"); status != http.StatusOK || len(rows) != 2 || !strings.Contains(rows[1], ";95,00;5,00;1;") || !strings.Contains(rows[1], "avain puuttuu") {
		t.Errorf("%d %q", status, text)
	}
	if own, err := w.App.TaxData.Own(t.Context(), owner); err != nil || own.Said != nil || own.IsLost == nil || len(own.Reported) != 1 {
		t.Errorf("their own file has %+v, %v", own, err)
	}
	if status, text := w.taxReport(http.MethodGet, "/api/users/me/tax-data/values", paymentstest.SessionOf(owner, true), ""); status != http.StatusNotFound {
		t.Errorf("what they have said: %d %s", status, text)
	}
	w.ok(w.App.TaxData.Merge(t.Context(), owner, 77))
}

// erase has the content service say that a person has erased themselves.
func (w *runs) erase() {
	w.of.T.Helper()
	for range 2 { // it is said at least once
		if status, body := w.of.TellBy(http.MethodDelete, fmt.Sprintf("/internal/payers/%d", owner), "", "payments"); status != http.StatusNoContent {
			w.of.T.Fatalf("%d %s", status, body)
		}
	}
}

// What was reported of is kept for the law until ten calendar years are over, read by nobody but the tax office's report, and then deleted.
func TestErase_KeepsTheTaxRecordForTheLaw_AndThenDeletesIt(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.sayWhoTheyAre()
	w.end()
	w.approved()
	w.mustWork()
	w.arrive()
	year := w.Now().Year()
	w.ok(desk.Appoint(t.Context(), w.App.DB, desk.Operator{UserID: 501, Name: "Saara Niemi", IsOperator: true, Actor: maker, Note: "test", At: w.Now()}))
	w.erase()
	if n := w.Count("tax_records WHERE erased_at IS NOT NULL AND payee_numbers = '{3}'"); n != 1 {
		t.Fatalf("%d are kept", n)
	}
	if _, _, err := w.App.TaxData.Values(t.Context(), owner); err == nil {
		t.Error("it is read by its number")
	}
	if status, text := w.taxReport(http.MethodPost, "/api/admin/money/tax-report", paymentstest.AdminSession(501, true), fmt.Sprintf(`{"year": %d, "note": "Vuosi-ilmoitus"}`, year)); status != http.StatusOK ||
		!strings.Contains(text, "Meikäläinen") {
		t.Errorf("%d %s", status, text)
	}
	at := func(year int) time.Duration { return time.Date(year, 12, 31, 12, 0, 0, 0, time.UTC).Sub(w.Now()) }
	w.Pass(at(year + 10))
	w.ok(w.App.TaxData.Prune(t.Context()))
	if w.Count("tax_records") != 1 {
		t.Error("it was deleted before its last day")
	}
	w.Pass(24 * time.Hour)
	w.ok(w.App.TaxData.Prune(t.Context()))
	if w.Count("tax_records") != 0 {
		t.Error("it is kept after its last day")
	}
}

// Of whom nothing was paid nothing is kept; what waits to be settled is still to be reported.
func TestErase_WithoutAPayout_TakesTheTaxRecordAlong(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.sayWhoTheyAre()
	w.end()
	w.propose()
	w.erase()
	if n := w.Count("tax_records WHERE erased_at IS NOT NULL"); n != 1 {
		t.Errorf("%d are kept of whose money is counted", n)
	}
	w.Pass(367 * 24 * time.Hour)
	w.ok(w.App.TaxData.Prune(t.Context()))
	if n := w.Count("tax_records"); n != 0 {
		t.Errorf("%d are kept of whose money came to nothing", n)
	}
	other := newWorldA(t)
	other.sayWhoTheyAre()
	other.erase()
	if n := other.Count("tax_records"); n != 0 {
		t.Errorf("%d are kept of whom nothing was paid", n)
	}
	other.Exec(`INSERT INTO tax_records (user_id, asked_at) VALUES (?, now())`, owner) // a worker asked just then
	other.ok(other.App.TaxData.Prune(t.Context()))
	if n := other.Count("tax_records"); n != 0 {
		t.Errorf("%d are kept of who was asked and has gone", n)
	}
}
