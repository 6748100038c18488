package desk_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/endings"
)

// Accounts of the desk's tests. Saara has two.
const (
	saara, saarasOther, ilkka, onlyLooks, member = 501, 502, 503, 504, 505
	campaign                                     = 7
)

func appoint(w *paymentstest.World) {
	w.T.Helper()
	for _, one := range []struct { // in this order: the first spelling of a name is everybody's
		user int64
		name string
	}{{saara, "Saara Niemi"}, {saarasOther, "saara niemi "}, {ilkka, "Ilkka Mäkelä"}} {
		err := desk.Appoint(w.T.Context(), w.App.DB, desk.Operator{UserID: one.user, Name: one.name, IsOperator: true, Actor: "maija", Note: "test", At: w.Now()})
		if err != nil {
			w.T.Fatal(err)
		}
	}
}

// by is an admin who has just shown that it is them.
func by(user int64) string { return paymentstest.AdminSession(user, true) }

// call makes one of the desk's calls; it gives the status and the error's key, and reads the answer.
func call(w *paymentstest.World, session, method, path, body string, into any) (int, string) {
	w.T.Helper()
	header := map[string]string{"Authorization": session}
	if session == "" {
		header = nil
	}
	var sent io.Reader
	kind := ""
	if body != "" {
		sent, kind = strings.NewReader(body), "application/json"
	}
	status, answer := w.Send(method, w.API.URL+"/api/admin/money/"+path, kind, sent, header)
	var fault struct{ Status string }
	if status >= http.StatusBadRequest {
		if err := json.Unmarshal(answer, &fault); err != nil {
			w.T.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
	} else if into != nil {
		if text, is := into.(*string); is {
			*text = string(answer)
		} else if err := json.Unmarshal(answer, into); err != nil {
			w.T.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
	}
	return status, fault.Status
}

// get reads what has to be there.
func get(w *paymentstest.World, path string, into any) {
	w.T.Helper()
	if status, fault := call(w, by(onlyLooks), http.MethodGet, path, "", into); status != http.StatusOK {
		w.T.Fatalf("%s: %d %s", path, status, fault)
	}
}

// search finds what a word leads to.
func search(w *paymentstest.World, word string, into *api.DeskFound) {
	w.T.Helper()
	if status, fault := call(w, by(onlyLooks), http.MethodPost, "search", fmt.Sprintf(`{"word": %q}`, word), into); status != http.StatusOK {
		w.T.Fatalf("search %s: %d %s", word, status, fault)
	}
}

// want makes an act, and expects how it ends: "" when it is done.
func want(w *paymentstest.World, user int64, path, body, fault string) {
	w.T.Helper()
	status, got := call(w, by(user), http.MethodPost, path, body, nil)
	if got != fault || fault == "" && status >= http.StatusBadRequest {
		w.T.Errorf("%s by %d: %d %q, want %q", path, user, status, got, fault)
	}
}

// ended ends the campaign well, with all its money.
func ended(w *paymentstest.World) {
	w.T.Helper()
	var paid struct {
		Pledges int
		Minor   int64
	}
	w.Scan(&paid, `SELECT count(*) AS pledges, coalesce(sum(amount_minor - amount_refunded_minor), 0)::bigint AS minor FROM payments WHERE status IN ('succeeded', 'partly_refunded')`)
	err := w.App.Endings.End(w.T.Context(), endings.Ending{CampaignID: campaign, Outcome: endings.Reached, GoesTo: endings.ToCreator, EndedAt: w.Now(),
		Accepted: paid.Pledges, AcceptedMinor: paid.Minor, Currency: "EUR"})
	if err != nil {
		w.T.Fatal(err)
	}
}
