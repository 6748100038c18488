//go:build unix

package audit_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/scripts/audit"
)

// corruption is one fault that a test plants into consistent data.
type corruption struct {
	what  string
	check string // that must name it
	// Statements, separated by ";\n", that change the databases with all triggers off; @names are those of
	// world.names.
	content, payments string
	// provider changes an object of one of the provider's lists: the objects that it returns replace it. providerB is the same of provider B.
	provider, providerB func(list string, o object) []object
	shared              bool // Sources.Shared
}

type object = map[string]any

// TestAudit_FindsWhatIsPlantedAndNothingElse has the real services write the data, finds no fault in it, and then
// plants one fault after the other, each in a transaction that is rolled back.
func TestAudit_FindsWhatIsPlantedAndNothingElse(t *testing.T) {
	w := newWorld(t)
	w.live()
	report, err := audit.Run(t.Context(), w.sources())
	if err != nil || report.Err() != nil {
		t.Fatalf("consistent data: %v, %v", err, report.Err())
	}
	if report.Checks != len(audit.Names()) || report.Pledges < 15 || report.Payments < 15 || report.Foreign != 0 {
		t.Errorf("looked at %+v", report)
	}
	planted, answers := map[string]bool{}, map[string][]byte{}
	spoilt := [2]*pgx.Conn{w.withoutTriggers(w.contentURL), w.withoutTriggers(w.paymentsURL)}
	for _, c := range slices.Concat(ledgerFaults(w), invoiceFaults(), paymentFaults(), moneyBackFaults(), peopleFaults(), contentFaults(), subscriptionFaults(), monthFaults(),
		supportFaults(), holdFaults(), betweenFaults(), whoseFaults(), timeFaults(), payeeFaults(), reminderFaults(), endingFaults(), takenBackFaults(), withdrawalFaults(), claimFaults(), providerFaults(w)) {
		planted[c.check] = true
		t.Run(c.what, func(t *testing.T) { w.plant(t, c, spoilt, answers) })
	}
	for _, name := range append(audit.SettlementNames(), audit.SentAtANames()...) { // nobody is paid in this world: they are planted in those where creators are
		planted[name] = true
	}
	for _, name := range audit.Names() {
		if !planted[name] {
			t.Errorf("nothing is planted for the check %q", name)
		}
	}
	if report, err := audit.Run(t.Context(), w.sources()); err != nil || report.Err() != nil {
		t.Errorf("afterwards: %v, %v", err, report.Err())
	}
}

// withoutTriggers connects to a database in order to spoil it. That holds for the whole session: turning triggers off and
// on again would have PostgreSQL plan the queries of all checks anew for each fault.
func (w *world) withoutTriggers(url string) *pgx.Conn {
	w.t.Helper()
	db := w.connect(url)
	_, err := db.Exec(w.ctx(), `SET session_replication_role = replica`)
	w.must(err)
	return db
}

// plant plants one fault in the two databases, or in what a provider answers, and requires that its check finds it. That check alone is run:
// it has found nothing before.
func (w *world) plant(t *testing.T, c corruption, dbs [2]*pgx.Conn, answers map[string][]byte) {
	sources := w.sourcesVia(edited{w.sandbox.Transport(), answers, c.provider})
	sources.Shared = c.shared
	if w.providerB != nil {
		sources.Mangopay = w.sourcesB(editedB{prompt{w}, answers, c.providerB}).Mangopay
	}
	content, payments := w.spoil(t, dbs[0], c.content), w.spoil(t, dbs[1], c.payments)
	findings, err := audit.Named(t.Context(), sources, content, payments, c.check)
	if err != nil {
		t.Fatal(err)
	}
	if len(findings) == 0 {
		t.Errorf("%q does not name it", c.check)
	}
}

// changes matches the command tags of statements that must affect a row.
var changes = regexp.MustCompile(`^(UPDATE|DELETE|INSERT)`)

func (w *world) spoil(t *testing.T, db *pgx.Conn, sql string) pgx.Tx {
	t.Helper()
	tx, err := db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tx.Rollback(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
	})
	for _, statement := range strings.Split(sql, ";\n") {
		if statement = strings.TrimSpace(statement); statement == "" {
			continue
		}
		done, err := tx.Exec(t.Context(), statement, w.names)
		if err != nil || done.RowsAffected() == 0 && changes.MatchString(done.String()) {
			t.Fatalf("%s: %s, %v", statement, done, err)
		}
	}
	return tx
}

// edited is a transport that keeps the provider's first response to each request, and changes the objects in it.
type edited struct {
	next   http.RoundTripper
	seen   map[string][]byte
	change func(list string, o object) []object
}

func (e edited) RoundTrip(r *http.Request) (*http.Response, error) {
	key := r.Header.Get("Stripe-Account") + " " + r.URL.String()
	raw, seen := e.seen[key]
	if !seen {
		answer, err := e.next.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		if raw, err = io.ReadAll(answer.Body); err != nil {
			return nil, err
		}
		e.seen[key] = raw
	}
	if e.change != nil {
		var page struct {
			Data    []object `json:"data"`
			HasMore bool     `json:"has_more"`
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			return nil, err
		}
		if page.Data == nil { // an object, such as a balance
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(raw)), Request: r}, nil
		}
		var changed []object
		for _, o := range page.Data {
			changed = append(changed, e.change(strings.TrimPrefix(r.URL.Path, "/v1/"), o)...)
		}
		page.Data = changed
		var err error
		if raw, err = json.Marshal(page); err != nil {
			return nil, err
		}
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(raw)),
		Request: r}, nil
}

func TestRun_CountsForeignMoneyOnASharedAccount(t *testing.T) {
	w := newWorld(t)
	w.fund()
	w.paid("plain", 25, goodCard)
	w.outside("foreign", "", 99_00)
	w.days(1)
	for _, shared := range []bool{true, false} {
		s := w.sources()
		s.Shared = shared
		report, err := audit.Run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if shared && (report.Foreign != 1 || report.Err() != nil) ||
			!shared && (report.Foreign != 0 || len(report.Findings) != 1) {
			t.Errorf("shared %t: %d foreign, %v", shared, report.Foreign, report.Err())
		}
	}
}

func TestRun_AnUnreadableProviderIsAnErrorNotAnAnswer(t *testing.T) {
	w := newWorld(t)
	refusing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(refusing.Close)
	s := w.sources()
	s.Provider, s.Transport = refusing.URL+"/", nil
	if _, err := audit.Run(t.Context(), s); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("error %v", err)
	}
	s.Provider = ""
	if report, err := audit.Run(t.Context(), s); err != nil || report.Err() != nil {
		t.Errorf("without the provider: %v, %v", err, report.Err())
	}
}

func TestRun_ReadsEveryPage(t *testing.T) {
	var asked []string
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if v := r.Header.Get("Stripe-Version"); v != "2023-10-16" { // whatever the account's own is
			t.Errorf("asked for version %q", v)
		}
		if r.URL.Path != "/v1/payment_intents" {
			_, _ = io.WriteString(w, `{"data": []}`)
			return
		}
		after := r.URL.Query().Get("starting_after")
		asked = append(asked, after)
		page := map[string]string{"": `{"data": [{"id": "pi_3"}, {"id": "pi_2"}], "has_more": true}`, "pi_2": `{"data": [{"id": "pi_1"}], "has_more": false}`}
		_, _ = io.WriteString(w, page[after])
	}))
	t.Cleanup(provider.Close)
	w := newWorld(t)
	s := w.sources()
	s.Provider, s.Transport = provider.URL, nil
	if report, err := audit.Run(t.Context(), s); err != nil || report.Err() != nil ||
		!slices.Equal(asked, []string{"", "pi_2"}) {
		t.Errorf("asked after %q: %v, %v", asked, err, report.Err())
	}
}
