package payees_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/payees"
	"talkoot.fi/payments/internal/providers/stripe"
	standA "talkoot.fi/sandbox/stripe"
)

const (
	onboardPath = "/api/users/stripe/onboard"
	returnURL   = paymentstest.PublicURL + "/en/profile/me/stripe-onboard/return/"
	refreshURL  = paymentstest.PublicURL + "/en/profile/me/stripe-onboard/refresh/"
)

func onboarding(country, kind, url string) map[string]any {
	return map[string]any{"account": map[string]any{"country": country, "type": kind, "url": url}}
}

var asked = onboarding("FI", "individual", paymentstest.PublicURL+"/profile/42/") //nolint:gochecknoglobals // a constant that Go cannot have

func onboard(w *paymentstest.World, user int64) (a api.StripeAccountAnswer) {
	w.T.Helper()
	if status, fault := call(w, http.MethodPost, onboardPath, paymentstest.SessionOf(user, false), asked, &a); status != http.StatusOK {
		w.T.Fatalf("%d %s", status, fault)
	}
	return a
}

func linkTo(w *paymentstest.World, user int64, account string) (address string) {
	w.T.Helper()
	var a api.StripeLinkAnswer
	status, fault := call(w, http.MethodPost, onboardPath+"/"+account, paymentstest.SessionOf(user, false),
		map[string]any{"account": map[string]any{"refreshUrl": refreshURL, "returnUrl": returnURL}}, &a)
	if status != http.StatusOK {
		w.T.Fatalf("%d %s", status, fault)
	}
	if a.StripeAccountLink.URL != nil {
		address = *a.StripeAccountLink.URL
	}
	return address
}

func updated(w *paymentstest.World, user int64, account string) api.Payee {
	w.T.Helper()
	var a api.StripeAccountAnswer
	if status, fault := call(w, http.MethodPost, onboardPath+"/"+account+"/update", paymentstest.SessionOf(user, false), nil, &a); status != http.StatusOK {
		w.T.Fatalf("%d %s", status, fault)
	}
	return a.Payee
}

// accountsAt are the accounts that the provider has of a person.
func accountsAt(w *paymentstest.World, user string) (ids []string) {
	w.T.Helper()
	var list struct {
		Data []struct {
			ID       string
			Metadata map[string]string
		}
	}
	w.At("/v1/accounts?limit=100", &list)
	for _, a := range list.Data {
		if a.Metadata["user_id"] == user {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

func needsOf(p api.Payee) string {
	var out []string
	for _, n := range p.Needs {
		out = append(out, string(n.Code))
	}
	return strings.Join(out, " ")
}

func TestOnboarding_FromItsBeginningToReadyAndGone(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	a := onboard(w, person)
	if a.Account.ID == "" || a.Payee.State != api.Begun || needsOf(a.Payee) != "person business bank terms" || a.Payee.Provider != "stripe" {
		t.Fatalf("%+v", a)
	}
	if again := onboard(w, person); again.Account.ID != a.Account.ID {
		t.Errorf("again: %+v", again)
	}
	first := linkTo(w, person, a.Account.ID)
	if second := linkTo(w, person, a.Account.ID); !strings.Contains(first, "/setup/e/"+a.Account.ID) || first == second {
		t.Errorf("links %s, %s", first, second)
	}
	// Its hooks come by themselves.
	must(w.Sandbox.OnboardAccount(a.Account.ID))
	w.Settle()
	var state string
	if w.Scan(&state, `SELECT state FROM payees WHERE ref = ?`, a.Account.ID); state != "ready" {
		t.Errorf("after its hook it is %s", state)
	}
	if at := linkTo(w, person, a.Account.ID); at != "" {
		t.Errorf("with nothing to do: %s", at)
	}
	// A paper is due in a week: it can be paid, and is told by when.
	must(w.Sandbox.RequireOfAccount(standA.AccountChange{Account: a.Account.ID, DeadlineSeconds: 7 * 86400}))
	if p := updated(w, person, a.Account.ID); p.State != api.Ready || needsOf(p) != "identity" || p.Needs[0].By == nil {
		t.Errorf("due: %+v", p)
	}
	must(w.Sandbox.RequireOfAccount(standA.AccountChange{Account: a.Account.ID, Code: "verification_document_not_readable"}))
	if p := updated(w, person, a.Account.ID); p.State != api.Restricted || needsOf(p) != "identity_again" {
		t.Errorf("past due: %+v", p)
	}
	must(w.Sandbox.RejectAccount(standA.AccountChange{Account: a.Account.ID}))
	if p := updated(w, person, a.Account.ID); p.State != api.Restricted || needsOf(p) != "rejected" || linkTo(w, person, a.Account.ID) != "" {
		t.Errorf("rejected: %+v", p)
	}
	if again := onboard(w, person); again.Account.ID != a.Account.ID {
		t.Error("who was rejected is given another account")
	}
	must(w.Sandbox.ClearAccount(standA.AccountChange{Account: a.Account.ID}))
	must(w.Sandbox.DeauthorizeAccount(standA.AccountChange{Account: a.Account.ID}))
	w.Settle()
	if w.Scan(&state, `SELECT state FROM payees WHERE ref = ?`, a.Account.ID); state != "closed" {
		t.Errorf("disconnected: %s", state)
	}
	if another := onboard(w, person); another.Account.ID == a.Account.ID {
		t.Error("who has disconnected theirs is given no other")
	}
	w.Settle()
	var told []string
	for _, e := range w.Content.Payees() {
		if e.AccountID == a.Account.ID && e.Bank == nil {
			told = append(told, string(e.State))
		}
	}
	if want := []string{"begun", "ready", "ready", "restricted"}; len(told) < 5 || !slices.Equal(told[:4], want) || told[len(told)-1] != string(contentclient.PayeeClosed) {
		t.Errorf("told %v", told)
	}
}

func TestOnboarding_IsOneAccountHoweverItIsAskedFor(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	var group sync.WaitGroup
	for range 4 { // all calls of this test are of one address, which makes 20 a minute
		group.Go(func() {
			_, _ = call(w, http.MethodPost, onboardPath, paymentstest.SessionOf(person, false), asked, nil)
		})
	}
	group.Wait()
	onboard(w, person)
	if ids := accountsAt(w, "42"); len(ids) != 1 {
		t.Errorf("pressed at once: %v", ids)
	}
	press := func(user int64, body any) (status int) {
		status, _ = call(w, http.MethodPost, onboardPath, paymentstest.SessionOf(user, false), body, nil)
		return status
	}
	for name, c := range map[string]struct {
		user string
		id   int64
		do   func(user int64)
	}{
		"each answer is lost": {"43", 43, func(user int64) { press(user, asked) }},
		"the answer is lost, and then the form says something else": {"44", 44, func(user int64) {
			other := onboarding("SE", "company", paymentstest.PublicURL+"/")
			if status, _ := call(w, http.MethodPost, onboardPath, paymentstest.SessionOf(user, false), other, nil); status != http.StatusServiceUnavailable {
				t.Errorf("while the first may be on its way, another order is answered %d", status)
			}
			w.Pass(3 * time.Minute)
			press(user, other)
		}},
		"the answer is lost, and is asked for when the key is forgotten": {"45", 45, func(int64) { w.Pass(25 * time.Hour) }},
		"it has failed in a way that hides its effect":                   {"46", 46, func(user int64) { press(user, asked) }},
	} {
		kind := "cut_after"
		if c.user == "46" {
			kind = "500_stored"
		}
		w.Fault(kind, 100, http.MethodPost, "/v1/accounts") // of a connection that was used before, the transport itself tries once more
		if status := press(c.id, asked); status != http.StatusServiceUnavailable {
			t.Errorf("%s: the first press is answered %d", name, status)
		}
		w.Control("calm", `{}`)
		c.do(c.id)
		a := onboard(w, c.id)
		if ids := accountsAt(w, c.user); len(ids) != 1 || ids[0] != a.Account.ID {
			t.Errorf("%s: %v, answered %s", name, ids, a.Account.ID)
		}
	}
}

func TestOnboarding_IsOfItsOwnPersonOnly(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	a := onboard(w, person)
	me, other := paymentstest.SessionOf(person, false), paymentstest.SessionOf(43, false)
	own := map[string]any{"account": map[string]any{"refreshUrl": refreshURL, "returnUrl": returnURL}}
	to := func(refresh, back string) map[string]any {
		return map[string]any{"account": map[string]any{"refreshUrl": refresh, "returnUrl": back}}
	}
	const good = paymentstest.PublicURL + "/"
	for name, tc := range map[string]struct {
		path, session string
		body          any
		status        int
		fault         string
	}{
		"without a session":             {onboardPath, "", asked, 401, "not_authenticated"},
		"an address is not confirmed":   {onboardPath, paymentstest.SessionOf(99, false), asked, 403, "address_unconfirmed"},
		"a country that is not offered": {onboardPath, other, onboarding("US", "individual", good), 422, "invalid_fields account.country:one_of"},
		"an address that is none":       {onboardPath, other, onboarding("FI", "individual", "javascript:alert(1)"), 422, "invalid_fields account.url:url"},
		"somebody else's account":       {onboardPath + "/" + a.Account.ID, other, own, 404, "not_found"},
		"an account that is none":       {onboardPath + "/acct_1", other, own, 404, "not_found"},
		"somebody else's is not asked":  {onboardPath + "/" + a.Account.ID + "/update", other, nil, 404, "not_found"},
		"a link without a session":      {onboardPath + "/" + a.Account.ID, "", own, 401, "not_authenticated"},
		"back to another site":          {onboardPath + "/" + a.Account.ID, me, to(refreshURL, "https://evil.example/"), 422, "invalid_fields account.returnUrl:of_this_site"},
		"refreshed at another site":     {onboardPath + "/" + a.Account.ID, me, to(paymentstest.PublicURL+".evil.example/", returnURL), 422, "invalid_fields account.refreshUrl:of_this_site"},
	} {
		if status, fault := call(w, http.MethodPost, tc.path, tc.session, tc.body, nil); status != tc.status || fault != tc.fault {
			t.Errorf("%s: %d %s", name, status, fault)
		}
	}
	if status, _ := call(w, http.MethodPost, onboardPath, other, onboarding("FI", "cooperative", good), nil); status != http.StatusUnprocessableEntity {
		t.Errorf("a kind that is none: %d", status)
	}
}

// What the platform has to mend is not told as a fault of the creator's, who presses again when it is.
func TestOnboarding_WhileThePlatformIsNotApproved_IsTriedAnew(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Fault("403", 1, http.MethodPost, "/v1/accounts")
	if status, fault := call(w, http.MethodPost, onboardPath, paymentstest.SessionOf(person, false), asked, nil); status != http.StatusServiceUnavailable || fault != "configuration_error" {
		t.Fatalf("%d %s", status, fault)
	}
	onboard(w, person)
}

func TestSweep_HearsOfAccountsWhoseHooksAreLost(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	a := onboard(w, person)
	w.LoseWebhooks()
	if err := w.Sandbox.OnboardAccount(a.Account.ID); err != nil {
		t.Fatal(err)
	}
	state := ""
	for _, wait := range []time.Duration{time.Minute, time.Hour} {
		w.Pass(wait)
		if err := w.App.Payees.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.Scan(&state, `SELECT state || ' ' || looks FROM payees WHERE ref = ?`, a.Account.ID)
		if want := map[time.Duration]string{time.Minute: "begun 1", time.Hour: "ready 2"}[wait]; state != want {
			t.Errorf("after %s: %s, want %s", wait, state, want)
		}
	}
}

func TestStanding_IsReadyOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	const campaign = 7
	name := func(number int, ref string) {
		t.Helper()
		if err := w.App.Payees.SetAccounts(t.Context(), campaign, number, map[string]string{stripe.Name: ref}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(what string, hold payees.Hold, ref string) {
		t.Helper()
		now, err := w.App.Payees.StandingNow(t.Context(), campaign, stripe.Name)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := w.App.Payees.Standing(t.Context(), w.DB.Gorm, campaign, stripe.Name)
		if err != nil || now.Hold != hold || kept.Hold != hold || now.Ref != ref || now.IsReady() != (hold == payees.HoldNone) {
			text, _ := json.Marshal(now)
			t.Errorf("%s: %s, %s, %v", what, text, kept.Hold, err)
		}
	}
	w.LoseWebhooks()
	want("it names none", payees.HoldUnlinked, "")
	name(1, "acct_of_nobody")
	want("it names one of nobody's", payees.HoldUnknown, "acct_of_nobody")
	a := onboard(w, person).Account.ID
	name(2, a)
	want("new", payees.HoldBegun, a)
	change := standA.AccountChange{Account: a}
	for _, step := range []struct {
		what string
		do   func() error
		hold payees.Hold
	}{
		{"looked into", func() error { return w.Sandbox.RestrictAccount(change) }, payees.HoldChecking},
		{"ready", func() error { return w.Sandbox.OnboardAccount(a) }, payees.HoldNone},
		{"in another currency", func() error { return w.Sandbox.CurrencyOfAccount(a, "sek") }, payees.HoldRestricted},
		{"in euros again", func() error { return w.Sandbox.CurrencyOfAccount(a, "eur") }, payees.HoldNone},
		{"lacks a paper", func() error { return w.Sandbox.RequireOfAccount(change) }, payees.HoldRestricted},
		{"rejected", func() error { return w.Sandbox.RejectAccount(change) }, payees.HoldRejected},
		{"disconnected, which we have not heard", func() error { return w.Sandbox.DeauthorizeAccount(change) }, payees.HoldMissing},
	} {
		if err := step.do(); err != nil {
			t.Fatal(step.what, err)
		}
		want(step.what, step.hold, a)
	}
}

// Who has just shown that it is them is signed in to their own account at provider A, and the bank account that they give there is the one that
// money goes to, three days later, with a mail about it.
func TestDashboard_IsForWhoHasShownThatItIsThem_AndItsBankAccountIsKept(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	a := onboard(w, person)
	if err := w.Sandbox.OnboardAccount(a.Account.ID); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	path := onboardPath + "/" + a.Account.ID + "/dashboard"
	for name, c := range map[string]struct {
		session string
		status  int
	}{"nobody": {"", http.StatusUnauthorized}, "without showing it": {paymentstest.SessionOf(person, false), http.StatusForbidden},
		"somebody else": {paymentstest.SessionOf(person+1, true), http.StatusNotFound}} {
		if status, _ := call(w, http.MethodPost, path, c.session, nil, nil); status != c.status {
			t.Errorf("%s: %d, want %d", name, status, c.status)
		}
	}
	var answer api.StripeLinkAnswer
	if status, fault := call(w, http.MethodPost, path, paymentstest.SessionOf(person, true), nil, &answer); status != http.StatusOK || answer.StripeAccountLink.URL == nil {
		t.Fatalf("%d %s", status, fault)
	}
	if err := w.Sandbox.BankOfAccount(a.Account.ID, "FI4950009420028730"); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	var banks, told []string
	w.Scan(&banks, `SELECT state || ' ' || country || last_four || ' ' || extract(day FROM pays_from - active_at) FROM payee_banks ORDER BY created_at`)
	for _, e := range w.Content.Payees() {
		if e.Bank != nil {
			told = append(told, string(e.Bank.Change)+" "+e.Bank.LastFour)
		}
	}
	if got := strings.Join(banks, ", "); got != "ended DE3000 0, active FI8730 3" {
		t.Errorf("kept are %s", got)
	}
	if got := strings.Join(told, ", "); got != "added 3000, replaced 8730" {
		t.Errorf("told are %s", got)
	}
	if err := w.Sandbox.DeauthorizeAccount(standA.AccountChange{Account: a.Account.ID}); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	if n := w.Count(`payee_banks WHERE state = 'active'`); n != 0 {
		t.Error("of a disconnected account one is in use")
	}
}
