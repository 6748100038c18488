package desk_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/migrations"
)

// A person has one name for good: an account that got another one would be its own second person.
func TestAppoint_AnAccountIsOnePersons(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	appoint := func(user int64, name string) error {
		return desk.Appoint(t.Context(), db, desk.Operator{UserID: user, Name: name, IsOperator: true, Actor: "maija", Note: "test", At: time.Now()})
	}
	for _, name := range []string{"Saara Niemi", " saara  NIEMI", "Saara\u200b Niemi"} {
		if err := appoint(501, name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := appoint(501, "Saara Virtanen"); !errors.Is(err, desk.ErrOtherPerson) {
		t.Errorf("another name: %v", err)
	}
	if err := appoint(502, "SAARA NIEMI"); err != nil { // another account of theirs
		t.Error(err)
	}
	if name, err := desk.NameOf(t.Context(), db, 502); err != nil || name != "Saara Niemi" {
		t.Errorf("their other account acts as %q, %v", name, err)
	}
	if name, err := desk.NameOf(t.Context(), db, 501); err != nil || name != "Saara Niemi" {
		t.Errorf("the account acts as %q, %v", name, err)
	}
}

// deskCalls are all calls of the contract below the desk, also those that are added later.
func deskCalls(t *testing.T) (calls [][2]string) {
	t.Helper()
	spec, err := api.GetSpecJSON()
	if err != nil {
		t.Fatal(err)
	}
	var contract struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(spec, &contract); err != nil {
		t.Fatal(err)
	}
	for path, methods := range contract.Paths {
		if below, is := strings.CutPrefix(path, "/api/admin/"); is {
			for method := range methods {
				calls = append(calls, [2]string{strings.ToUpper(method), strings.TrimPrefix(below, "money/")})
			}
		}
	}
	if len(calls) < 20 {
		t.Fatalf("only %d calls: %v", len(calls), calls)
	}
	return calls
}

// Every call is for admins; every act for those of them who are operators and have just shown that it is them. Nobody else changes anything,
// and nobody learns whether something is there.
func TestDesk_EveryCallIsForAdmins_EveryActForConfirmedOperators(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appoint(w)
	if err := desk.Appoint(t.Context(), w.App.DB, desk.Operator{UserID: 506, Name: "Oiva", IsOperator: true, Actor: "maija", Note: "began", At: w.Now()}); err != nil {
		t.Fatal(err)
	}
	if err := desk.Appoint(t.Context(), w.App.DB, desk.Operator{UserID: 506, Name: "Oiva", Actor: "maija", Note: "left", At: w.Now()}); err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer("{payment_id}", strings.Repeat("0", 26), "{run_id}", strings.Repeat("0", 26), "{refund_id}", strings.Repeat("0", 26), "{anomaly_id}", "7", "{dispute_id}", "7", "{warning_id}", "7")
	bodies := map[string]string{"runs": `{"campaign_id": 7, "note": "because"}`, "runs/{run_id}/approval": `{"hash": "0123456789abcdef", "note": "because"}`,
		"search": `{"word": "4242"}`, "tax-report": `{"year": 2026, "note": "because"}`,
		"disputes/{dispute_id}/evidence": `{"evidence": {"customer_name": "", "customer_email": "", "shipping_address": "", "shipping_date": "", "product": "", "policy": "",
			"statement": "It was sent."}, "note": "because"}`,
		"webhooks/replay": `{"provider": "stripe", "event_key": "evt_1", "note": "because"}`, "switches": `{"provider": "stripe", "is_on": false, "note": "because"}`}
	for _, one := range deskCalls(t) {
		w.Redis.FlushAll() // the limits by address are not what this is about
		method, path, body := one[0], fill.Replace(one[1]), ""
		switch {
		case method == http.MethodPost && bodies[one[1]] != "":
			body = bodies[one[1]]
		case method == http.MethodPost:
			body = `{"note": "because"}`
		case path == "journal" || path == "vat":
			path += "?from=2026-11-01&to=2026-11-02"
		}
		for _, who := range []struct{ name, session, want string }{
			{"nobody", "", "not_authenticated"}, {"whose session is over", paymentstest.Ended, "token_expired"},
			{"a member", paymentstest.SessionOf(member, true), "forbidden"},
			{"an operator who is no admin in this session", paymentstest.SessionOf(saara, true), "forbidden"},
			{"an admin who is no operator", by(onlyLooks), "not_operator"},
			{"one who was an operator", by(506), "not_operator"},
			{"an operator who has not just confirmed", paymentstest.AdminSession(saara, false), "confirmation_required"},
		} {
			status, fault := call(w, who.session, method, path, body, nil)
			mayLook := (method == http.MethodGet || path == "search") && (who.want == "not_operator" || who.want == "confirmation_required")
			if mayLook && status != http.StatusOK && fault != "not_found" || !mayLook && fault != who.want {
				t.Errorf("%s %s by %s: %d %q, want %q", method, path, who.name, status, fault, who.want)
			}
		}
		if method == http.MethodPost && path != "search" {
			for _, note := range []string{`""`, `"   "`, `"x"`} {
				without := strings.Replace(body, `"because"`, note, 1)
				if _, fault := call(w, by(saara), method, path, without, nil); fault != "invalid_fields" {
					t.Errorf("%s %s with the note %s: %q", method, path, note, fault)
				}
			}
		}
	}
	if n := w.Count(`(SELECT 1 FROM operator_actions UNION ALL SELECT 1 FROM provider_switches UNION ALL SELECT 1 FROM settlement_runs) acts`); n != 0 {
		t.Errorf("%d acts were done", n)
	}
}
