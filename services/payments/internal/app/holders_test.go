package app_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/paymentstest"
)

// bodies are what the calls about an order are made with, by operation; the others have none.
var bodies = map[string]string{
	"modifySubscriptionLevel": `{"amount": 12}`, "skipSubscriptionMonth": `{"period": 2}`, "pauseSubscription": `{"until_period": 4}`,
	"setSubscriptionNotices": `{"notify_before": true}`, "cancelSubscription": `{"at": "now"}`, "changeSubscriptionCard": `{"setup_intent": "seti_none"}`,
}

// anOrder is the path parameter of calls about an order.
var anOrder = regexp.MustCompile(`\{(pledge|subscription)_id\}`)

// Every call about an order, also one that is added later, is for its holder alone. The id opens nothing, nor does a stranger's
// session, one that is over, or the order token of something else; of an order with an account only its session does.
func TestCallsAboutAnOrder_AreForItsHolder(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	spec, err := api.GetSpecJSON()
	if err != nil {
		t.Fatal(err)
	}
	promised, err := contract.Load(spec)
	if err != nil {
		t.Fatal(err)
	}
	const owner, stranger = 41, 42
	of := map[string]string{
		ordertoken.Subscription: monthlyOf(w, owner),
		ordertoken.Pledge:       w.Pledge(),
	}
	if a := w.Setup(of[ordertoken.Pledge]); a.Status != http.StatusOK {
		t.Fatalf("%+v", a)
	}
	calls := 0
	for _, o := range promised.Operations() {
		found := anOrder.FindStringSubmatch(o.Path)
		if found == nil {
			continue
		}
		calls++
		kind, other := found[1], ordertoken.Pledge
		if kind == other {
			other = ordertoken.Subscription
		}
		id := of[kind]
		path := strings.NewReplacer(found[0], id, "{x}", "stripe").Replace(o.Path)
		for _, c := range []struct {
			who    string
			header map[string]string
			want   []int
		}{
			{"the id alone", map[string]string{"Authorization": ""}, []int{403}},
			{"a stranger's session", map[string]string{"Authorization": paymentstest.SessionOf(stranger, true)}, []int{403}},
			{"a session that is over", map[string]string{"Authorization": paymentstest.Ended}, []int{401}},
			{"no session at all", map[string]string{"Authorization": "Basic dTpw"}, []int{401, 403}},
			{"the token of another order", map[string]string{ordertoken.Header: w.OrderToken(kind, of[other])}, []int{403}},
			{"the token of another kind", map[string]string{ordertoken.Header: w.OrderToken(other, id)}, []int{403}},
			{"the id as a token", map[string]string{ordertoken.Header: id}, []int{403}},
		} {
			status, answer := w.Send(o.Method, w.API.URL+path, "application/json", strings.NewReader(bodies[o.ID]), c.header)
			if !slices.Contains(c.want, status) || strings.Contains(string(answer), "4242") {
				t.Errorf("%s by %s: %d %s", o.ID, c.who, status, answer)
			}
		}
		w.Content.SetDown(true)
		status, answer := w.Send(o.Method, w.API.URL+path, "application/json", strings.NewReader(bodies[o.ID]),
			map[string]string{"Authorization": paymentstest.SessionOf(owner, false)})
		if status != http.StatusServiceUnavailable {
			t.Errorf("%s while the content service is away: %d %s", o.ID, status, answer)
		}
		w.Content.SetDown(false)
	}
	if calls < 14 {
		t.Errorf("only %d calls are about an order", calls)
	}
	var told int
	w.Scan(&told, `SELECT event_sequence FROM subscriptions WHERE id = ?`, of[ordertoken.Subscription])
	if told != 1 {
		t.Errorf("the refused calls have done something: %d events", told)
	}
	for _, o := range promised.Operations() { // those that end it come last in no order: any refusal is the domain's own
		if found := anOrder.FindStringSubmatch(o.Path); found != nil && found[1] == ordertoken.Subscription {
			path := strings.Replace(o.Path, found[0], of[found[1]], 1)
			status, answer := w.Send(o.Method, w.API.URL+path, "application/json", strings.NewReader(bodies[o.ID]),
				map[string]string{"Authorization": paymentstest.SessionOf(owner, false)})
			if status == http.StatusForbidden || status == http.StatusUnauthorized || status >= http.StatusInternalServerError {
				t.Errorf("%s by its owner: %d %s", o.ID, status, answer)
			}
		}
	}
}

// monthlyOf is the support of a person, whose first month is paid.
func monthlyOf(w *paymentstest.World, user int64) string {
	w.T.Helper()
	id := w.Subscription(paymentstest.OfUser(user))
	w.PayMonth(id, paymentstest.Visa)
	w.Settle()
	return id
}

// An order token pays the first month and shows it, and acts on nothing that is paid.
func TestOrderToken_FinishesTheFirstPayment(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	paid, unpaid := w.Subscription(), w.Subscription()
	byToken := func(id string) map[string]string {
		return map[string]string{ordertoken.Header: w.OrderToken(ordertoken.Subscription, id)}
	}
	call := func(method, id, path, body string) int {
		status, _ := w.Send(method, w.API.URL+"/api/subscriptions/"+id+path, "application/json", strings.NewReader(body), byToken(id))
		return status
	}
	for _, id := range []string{paid, unpaid} {
		if status := call(http.MethodPost, id, "/setup", ""); status != http.StatusOK {
			t.Fatal(status)
		}
	}
	w.PayMonth(paid, paymentstest.Visa)
	w.Settle()
	for path, want := range map[string]int{"": 200, "/payment": 200} {
		if got := call(http.MethodGet, paid, path, ""); got != want {
			t.Errorf("GET %s: %d, want %d", path, got, want)
		}
	}
	for path, body := range map[string]string{"/modify-level": `{"amount": 12}`, "/skip": `{"period": 2}`, "/pause": `{"until_period": 4}`, "/resume": "",
		"/notices": `{"notify_before": true}`, "/card": "", "/cancel": `{"at": "now"}`} {
		if got := call(http.MethodPost, paid, path, body); got != http.StatusForbidden && (path != "/cancel" || got != http.StatusConflict) {
			t.Errorf("%s: %d", path, got)
		}
	}
	if got := call(http.MethodPost, unpaid, "/cancel", `{"at": "now"}`); got != http.StatusOK {
		t.Errorf("giving up what is not paid: %d", got)
	}
	old := byToken(paid)
	w.Pass(ordertoken.Lifetime)
	if status, body := w.Send(http.MethodGet, w.API.URL+"/api/subscriptions/"+paid, "", nil, old); status != http.StatusForbidden {
		t.Errorf("a day later: %d %s", status, body)
	}
}

// A large raise wants more than a session; what is no raise, or a small one, does not.
func TestLargeRaise_WantsAConfirmedSession(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	const owner = 41
	id := monthlyOf(w, owner) // of 10 euros
	choose := func(amount string, isConfirmed bool) (int, string) {
		status, body := w.Send(http.MethodPost, w.API.URL+"/api/subscriptions/"+id+"/modify-level", "application/json",
			strings.NewReader(`{"amount": `+amount+`}`), map[string]string{"Authorization": paymentstest.SessionOf(owner, isConfirmed)})
		return status, string(body)
	}
	for _, c := range []struct {
		amount      string
		isConfirmed bool
		want        int
	}{
		{"5", false, 200}, {"20", false, 200}, {"30", false, 200}, {"30.01", false, 403}, {"59.99", false, 403}, {"60", false, 403},
		{"100000", false, 403}, {"30.01", true, 200}, {"100000", true, 200}, {"10", false, 200},
	} {
		if got, body := choose(c.amount, c.isConfirmed); got != c.want || got == 403 && !strings.Contains(body, `"confirmation_required"`) {
			t.Errorf("%s (confirmed: %v): %d %s", c.amount, c.isConfirmed, got, body)
		}
	}
	w.Exec(`UPDATE subscriptions SET level = jsonb_set(level, '{amount_minor}', '10000') WHERE id = ?`, id)
	for amount, want := range map[string]int{"149.99": 200, "150": 403} {
		if got, body := choose(amount, false); got != want {
			t.Errorf("from 100 to %s: %d %s", amount, got, body)
		}
	}
}

// A card goes to other support only of the same person.
func TestCardForOthers_IsForOnesOwn(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	id, strangers := monthlyOf(w, 41), monthlyOf(w, 42)
	before := w.CardOf(id)
	setup := w.SetupCardOf(id, paymentstest.Mastercard)
	status, body := w.Send(http.MethodPut, w.API.URL+"/api/subscriptions/"+id+"/card", "application/json",
		strings.NewReader(`{"setup_intent": "`+setup+`", "also": ["`+strangers+`"]}`), map[string]string{"Authorization": paymentstest.SessionOf(41, false)})
	if status != http.StatusForbidden || w.CardOf(id) != before {
		t.Errorf("%d %s", status, body)
	}
}
