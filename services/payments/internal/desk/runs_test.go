package desk_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/invoices"
	"talkoot.fi/payments/internal/providers/mangopay"
)

func paidAtB(b *paymentstest.B, euros int64) (pledge string) {
	b.T.Helper()
	pledge = b.Content.Pledge(b.Now(), func(o *contentclient.Order) { o.AmountMinor = euros * 100 })
	b.Pay(b.Order(pledge, paymentstest.PlainCard))
	b.Settle()
	b.WantStatus(pledge, "succeeded")
	return pledge
}

// A run is proposed, approved by another person and, above 5,000 €, by a third, at the desk alone. Two accounts of one person are one person,
// and a hash that is not what is there approves nothing.
func TestRun_IsApprovedByTwoOtherPeople(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	w := b.World
	appoint(w)
	b.Bank("FI2112345600000785")
	pledge := paidAtB(b, 5100)
	want(w, saara, "runs", `{"campaign_id": 7, "note": "too early"}`, "not_possible_now")
	ended(w)
	var made api.DeskRuns
	if status, fault := call(w, by(saara), http.MethodPost, "runs", `{"campaign_id": 7, "note": "it ended well"}`, &made); status != http.StatusOK || len(made.Runs) != 1 {
		t.Fatalf("proposed: %d %s %+v", status, fault, made)
	}
	id := made.Runs[0].RunID
	var run api.DeskRun
	see := func() api.DeskRun { run = api.DeskRun{}; get(w, "runs/"+id, &run); return run }
	if see(); run.State != "proposed" || run.ProposedBy != "Saara Niemi" || run.Needed != 2 || run.Bank == nil || run.Bank.LastFour != "0785" || run.GrossMinor != 510000 {
		t.Fatalf("%+v", run)
	}
	approve := func(user int64, hash, fault string) {
		t.Helper()
		want(w, user, "runs/"+id+"/approval", fmt.Sprintf(`{"hash": %q, "note": "looked at it"}`, hash), fault)
	}
	approve(saara, run.Hash, "own_proposal")
	const creator = 3
	appointed(w, creator, "Maija Meri")
	var theirs api.DeskRun
	if call(w, by(creator), http.MethodGet, "runs/"+id, "", &theirs); theirs.CanApprove != api.CannotOwnMoney {
		t.Errorf("who is paid by it sees that they can approve: %s", theirs.CanApprove)
	}
	approve(creator, run.Hash, "own_money")
	approve(saarasOther, run.Hash, "own_proposal")
	approve(ilkka, strings.Repeat("0", 64), "run_changed")
	for user, can := range map[int64]api.DeskRunCanApprove{saara: api.CannotOwnProposal, saarasOther: api.CannotOwnProposal, ilkka: api.CanApprove, onlyLooks: api.CannotNoOperator} {
		var seen api.DeskRun
		if call(w, by(user), http.MethodGet, "runs/"+id, "", &seen); seen.CanApprove != can {
			t.Errorf("%d: %s, want %s", user, seen.CanApprove, can)
		}
	}
	approve(ilkka, run.Hash, "")
	approve(ilkka, run.Hash, "") // pressed twice
	if see(); run.State != "proposed" || run.Approvals != 1 || run.ApprovedBy[0].Actor != "Ilkka Mäkelä" {
		t.Fatalf("after one approval: %+v", run)
	}
	var seen api.DeskPayment
	get(w, "payments/"+w.PaymentOf(pledge), &seen)
	if seen.Where != "held" || seen.RunID == nil || *seen.RunID != id {
		t.Errorf("before the second approval: %+v", seen)
	}
	appointed(w, 507, "Outi")
	approve(507, run.Hash[:12], "")
	if see(); run.State != "approved" {
		t.Fatalf("after two approvals: %+v", run)
	}
	want(w, saara, "runs/"+id+"/cancel", `{"note": "a second thought"}`, "") // nothing is booked yet
	if see(); run.State != "void" || len(run.Steps) < 3 || *run.Steps[len(run.Steps)-1].Actor != "Saara Niemi" {
		t.Errorf("%+v", run.Steps)
	}
	want(w, saara, "runs/"+id+"/resume", `{"note": "too late"}`, "not_possible_now")
	want(w, ilkka, "runs/"+id+"/approval", `{"hash": "0123456789abcdef", "note": "too late"}`, "not_possible_now")
}

// Money that has reached its creator is found by each of its names, and its page says where it is, with a day for each stop.
func TestPayment_ShowsWhereTheMoneyIs(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	w := b.World
	appoint(w)
	b.Bank("FI2112345600000785")
	pledge := paidAtB(b, 45)
	ended(w)
	var made api.DeskRuns
	call(w, by(saara), http.MethodPost, "runs", `{"campaign_id": 7, "note": "it ended well"}`, &made)
	var run api.DeskRun
	get(w, "runs/"+made.Runs[0].RunID, &run)
	want(w, ilkka, "runs/"+run.RunID+"/approval", fmt.Sprintf(`{"hash": %q, "note": "looked at it"}`, run.Hash), "")
	waits := func() bool {
		var overview api.DeskOverview
		get(w, "overview", &overview)
		return len(overview.Runs) == 1 && overview.Runs[0].Reason != nil && *overview.Runs[0].Reason == "provider_off"
	}
	want(w, saara, "switches", `{"provider": "mangopay", "is_on": false, "note": "they called"}`, "")
	b.Settle()
	if waits() {
		t.Error("it calls a person at once, though the worker looks again")
	}
	w.Pass(25 * time.Hour)
	b.Settle()
	if !waits() {
		t.Error("it has waited for a day and calls nobody")
	}
	want(w, saara, "switches", `{"provider": "mangopay", "is_on": true, "note": "mended"}`, "")
	w.Pass(11 * time.Minute)
	b.Settle()
	w.Pass(25 * time.Hour)
	b.RunDue()
	b.Settle()

	id := w.PaymentOf(pledge)
	var p api.DeskPayment
	get(w, "payments/"+id, &p)
	if p.Where != "arrived" || len(p.Stops) != 6 || len(p.Ledger) < 2 || len(p.Attempts) != 1 {
		t.Fatalf("%+v", p)
	}
	last := time.Time{}
	for _, s := range p.Stops {
		if s.At == nil || s.At.Before(last) {
			t.Errorf("the stop %s at %v, after %s", s.Stop, s.At, last)
			continue
		}
		last = *s.At
	}
	for _, m := range p.Ledger {
		sum := int64(0)
		for _, leg := range m.Legs {
			sum += leg.AmountMinor
		}
		if sum != 0 {
			t.Errorf("%s does not balance: %+v", m.Kind, m.Legs)
		}
	}
	var charge, transfer string
	w.Scan(&charge, `SELECT charge_ref FROM attempts WHERE payment_id = ?`, id)
	w.Scan(&transfer, `SELECT ref FROM settlement_moves WHERE kind = 'transfer'`)
	for word, as := range map[string]string{id: "id", pledge: "id", strings.ToUpper(pledge): "id", p.Method[len(p.Method)-4:]: "last_four", "Aino@Example.com": "email", charge: "provider_id"} {
		var found api.DeskFound
		search(w, word, &found)
		if string(found.ReadAs) != as || len(found.Payments) != 1 || found.Payments[0].PaymentID != id || found.Payments[0].Where != "arrived" {
			t.Errorf("%s: %+v", word, found)
		}
	}
	for _, word := range []string{run.RunID, transfer} {
		var found api.DeskFound
		if search(w, word, &found); len(found.Runs) != 1 || found.Runs[0].RunID != run.RunID || found.Runs[0].State != "paid" {
			t.Errorf("%s: %+v", word, found)
		}
	}
	for _, word := range []string{"0000", "nobody@example.com", "pi_unknown", strings.Repeat("0", 26), "%", "@"} {
		var found api.DeskFound
		if search(w, word, &found); len(found.Payments)+len(found.Runs) != 0 {
			t.Errorf("%s: %+v", word, found)
		}
	}
	var text string
	get(w, "journal?from="+w.Now().AddDate(0, 0, -2).Format(time.DateOnly)+"&to="+w.Now().AddDate(0, 0, 1).Format(time.DateOnly), &text)
	if !strings.HasPrefix(text, "\ufeffPäivä;") || !strings.Contains(text, ";45,00;;EUR;"+id) || !strings.Contains(text, ";;45,00;EUR;"+id) {
		t.Errorf("the journal is %s", text)
	}
	if rows, entries := strings.Count(text, "\r\n")-1, w.Count("ledger_entries"); rows != entries {
		t.Errorf("%d rows of %d entries", rows, entries)
	}
	bill := invoices.Invoice{Provider: mangopay.Name, Number: "MG-1", Period: time.Date(w.Now().Year(), w.Now().Month()-1, 1, 0, 0, 0, 0, time.UTC), Amount: money.New(1000, money.EUR),
		VATMinor: 255, Key: strings.Repeat("k", 20), Actor: "saara", Note: "their bill"}
	if _, err := invoices.Book(t.Context(), w.App.DB, bill, w.Now()); err != nil {
		t.Fatal(err)
	}
	get(w, "vat?from="+w.Now().AddDate(0, 0, -90).Format(time.DateOnly)+"&to="+w.Now().AddDate(0, 0, 1).Format(time.DateOnly), &text)
	month := func(kind string) (month string) {
		w.Scan(&month, `SELECT to_char(booked_at AT TIME ZONE 'Europe/Helsinki', 'YYYY-MM') FROM ledger_transactions WHERE kind = ?`, kind)
		return month
	}
	want := month("settlement") + ";myynti;FI;25,50;EUR;1,79;0,46;2,25;1\r\n" + month("provider_invoice") + ";osto;;;EUR;10,00;2,55;12,55;1\r\n"
	if !strings.HasSuffix(text, want) || strings.Count(text, "\r\n") != 3 {
		t.Errorf("the tax is %q, want %q", text, want)
	}
	if _, fault := call(w, by(saara), http.MethodGet, "journal?from=2026-01-01&to=2026-02-01", "", nil); fault != "invalid_fields" {
		t.Errorf("32 days: %q", fault)
	}
}

// A page of a run of 5,000 lines, and its head, are there in 200 ms.
func TestRun_Of5000Lines_IsThereAtOnce(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	w := b.World
	appoint(w)
	paidAtB(b, 10)
	const n = 5000
	for _, query := range []string{
		`ALTER TABLE payments DISABLE TRIGGER ALL`,
		`INSERT INTO payments (id, subject_kind, subject_id, provider, status, amount_minor, currency, campaign_id, language, payable_until, closes_at, next_check_at, created_at, updated_at, paid_attempt_id)
			SELECT lpad(i::text, 26, '0'), 'pledge', 'many' || i, 'mangopay', 'succeeded', 1000, 'EUR', 7, 'fi', now(), now(), now() + interval '1 year', now(), now(), 1000000 + i FROM generate_series(1, @n) i`,
		`INSERT INTO attempts (id, payment_id, provider, method, number, idempotency_key, status, object_ref, money_ref, charge_ref, amount_minor, currency, created_at, updated_at)
			OVERRIDING SYSTEM VALUE SELECT 1000000 + i, lpad(i::text, 26, '0'), 'mangopay', 'unasked', 1, 'many' || i, 'succeeded', 'many' || i, 'many' || i, 'many' || i, 1000, 'EUR', now(), now() FROM generate_series(1, @n) i`,
		`WITH made AS (INSERT INTO ledger_transactions (id, provider, kind, reference, payment_id, charge_ref, amount_minor, currency, legs, happened_at, booked_at)
			OVERRIDING SYSTEM VALUE SELECT 1000000 + i, 'mangopay', 'charge', 'many' || i, lpad(i::text, 26, '0'), 'many' || i, 1000, 'EUR', 2, now(), now() FROM generate_series(1, @n) i)
			INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor) SELECT 1000000 + i, a.id, 'EUR', CASE a.class WHEN 'backer_funds' THEN -1000 ELSE 1000 END
			FROM generate_series(1, @n) i CROSS JOIN ledger_accounts a WHERE a.class IN ('backer_funds', 'provider_clearing')`,
		`ALTER TABLE payments ENABLE TRIGGER ALL`, `ANALYZE`,
	} {
		w.Exec(strings.ReplaceAll(query, "@n", strconv.Itoa(n)))
	}
	ended(w)
	var made api.DeskRuns
	if call(w, by(saara), http.MethodPost, "runs", `{"campaign_id": 7, "note": "it ended well"}`, &made); len(made.Runs) != 1 || made.Runs[0].Lines != n+1 {
		t.Fatalf("%+v", made)
	}
	id := made.Runs[0].RunID
	fastest := map[string]time.Duration{}
	for _, path := range []string{"runs/" + id, "runs/" + id + "/lines", "runs/" + id + "/lines?offset=4950", "runs", "overview"} {
		for range 3 { // other tests run at the same time
			begun := time.Now()
			get(w, path, nil)
			if took := time.Since(begun); fastest[path] == 0 || took < fastest[path] {
				fastest[path] = took
			}
		}
		if fastest[path] > 200*time.Millisecond {
			t.Errorf("%s takes %s", path, fastest[path])
		}
	}
	t.Log(fastest)
	var lines api.DeskLines
	if get(w, "runs/"+id+"/lines?offset=4950", &lines); lines.Total != n+1 || len(lines.Lines) != 50 {
		t.Errorf("%d of %d lines", len(lines.Lines), lines.Total)
	}
}

// What was kept back earlier and goes out with a run is shown, and counts for how many people approve it.
func TestRun_ShowsWhatIsReleased_AndWhoseApprovalsThatNeeds(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	w := b.World
	appoint(w)
	paidAtB(b, 10)
	ended(w)
	var made api.DeskRuns
	if call(w, by(saara), http.MethodPost, "runs", `{"campaign_id": 7, "note": "it ended well"}`, &made); len(made.Runs) != 1 || made.Runs[0].Needed != 1 {
		t.Fatalf("%+v", made)
	}
	w.Exec(`UPDATE settlement_runs SET released_minor = 600000, net_minor = net_minor + 600000, month = '2026-10-01'`)
	var run api.DeskRun
	get(w, "runs/"+made.Runs[0].RunID, &run)
	if run.ReleasedMinor != 600000 || run.Needed != 2 || run.NetMinor != run.GrossMinor-run.FeeMinor-run.ReserveMinor+run.ReleasedMinor ||
		run.Month == nil || *run.Month != "2026-10" {
		t.Errorf("%+v", run)
	}
}

// Once who approved a run answers for money no more, the desk says what it waits for, and another operator approves it as it is.
func TestRun_WhoseApproverHasLeft_IsApprovedByAnother(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	w := b.World
	appoint(w)
	b.Bank("FI2112345600000785")
	paidAtB(b, 100)
	ended(w)
	var made api.DeskRuns
	if status, fault := call(w, by(saara), http.MethodPost, "runs", `{"campaign_id": 7, "note": "it ended well"}`, &made); status != http.StatusOK || len(made.Runs) != 1 {
		t.Fatalf("proposed: %d %s %+v", status, fault, made)
	}
	var run api.DeskRun
	see := func(user int64) api.DeskRun {
		run = api.DeskRun{}
		call(w, by(user), http.MethodGet, "runs/"+made.Runs[0].RunID, "", &run)
		return run
	}
	path, body := "runs/"+made.Runs[0].RunID+"/approval", fmt.Sprintf(`{"hash": %q, "note": "looked at it"}`, see(ilkka).Hash)
	want(w, ilkka, path, body, "")
	if err := desk.Appoint(t.Context(), w.App.DB, desk.Operator{UserID: ilkka, Name: "Ilkka Mäkelä", Actor: "maija", Note: "has left", At: w.Now()}); err != nil {
		t.Fatal(err)
	}
	if err := jobs.UntilNone(w.App.Settlements.Sweep)(t.Context()); err != nil {
		t.Fatal(err)
	}
	appointed(w, 507, "Outi")
	if see(507); run.State != "approved" || run.Reason == nil || *run.Reason != "approval_missing" || run.Approvals != 0 || run.CanApprove != api.CanApprove {
		t.Errorf("it is %+v", run)
	}
	want(w, ilkka, path, body, "not_operator")
	want(w, saara, path, body, "own_proposal")
	want(w, 507, path, body, "")
	if see(507); run.Reason != nil || run.Approvals != 1 {
		t.Errorf("then it is %+v", run)
	}
}
