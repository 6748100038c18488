package payees_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/holds"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/payees"
	"talkoot.fi/payments/internal/providers/mangopay"
	sandbox "talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/standin"
)

const person = 42

var owner = map[string]any{"first_name": "Áile", "last_name": "Näkkäläjärvi", "birthdate": "1981-03-14", "nationality": "FI", "residence_country": "FI", //nolint:gochecknoglobals // a constant that Go cannot have
	"terms_accepted": true, "return_url": paymentstest.PublicURL + "/profile/me/payouts/"}

func with(field string, value any) map[string]any {
	out := map[string]any{}
	for k, v := range owner {
		out[k] = v
	}
	if out[field] = value; value == nil {
		delete(out, field)
	}
	return out
}

// call makes a call by a session, and gives the status and the answer or the error's status.
func call(b *paymentstest.World, method, path, session string, body any, into any) (int, string) {
	b.T.Helper()
	var raw strings.Builder
	if body != nil {
		if err := json.NewEncoder(&raw).Encode(body); err != nil {
			b.T.Fatal(err)
		}
	}
	header := map[string]string{}
	if session != "" {
		header["Authorization"] = session
	}
	status, answer := b.Send(method, b.API.URL+path, "application/json", strings.NewReader(raw.String()), header)
	var fault struct {
		Status string
		Fields []struct{ Path, Rule string }
	}
	_ = json.Unmarshal(answer, &fault)
	if status < 300 && into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			b.T.Fatal(err)
		}
	}
	for _, f := range fault.Fields {
		fault.Status += " " + f.Path + ":" + f.Rule
	}
	return status, fault.Status
}

func begin(b *paymentstest.B, user int64) (a api.CreatorAccountAnswer) {
	b.T.Helper()
	status, fault := call(b.World, http.MethodPost, "/api/users/mangopay/create-creator-account", paymentstest.SessionOf(user, false),
		map[string]any{"type": "natural", "userId": user, "owner": owner}, &a)
	if status != http.StatusOK {
		b.T.Fatalf("%d %s", status, fault)
	}
	return a
}

func own(b *paymentstest.B, user int64) []api.Payee {
	b.T.Helper()
	var list api.PayeesAnswer
	if status, fault := call(b.World, http.MethodGet, "/api/users/me/payees", paymentstest.SessionOf(user, false), nil, &list); status != http.StatusOK {
		b.T.Fatalf("%d %s", status, fault)
	}
	return list.Payees
}

func TestAccount_FromItsBeginningToReadyAndBack(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	if list := own(b, person); len(list) != 0 {
		t.Fatalf("before: %+v", list)
	}
	a := begin(b, person)
	if a.UserID == "" || a.WalletID == "" || a.RedirectURL == nil || !strings.Contains(*a.RedirectURL, "returnUrl=") || a.Payee.State != api.Begun {
		t.Fatalf("%+v", a)
	}
	if again := begin(b, person); again.UserID != a.UserID || again.WalletID != a.WalletID {
		t.Errorf("again: %+v", again)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(b.At.Enrol(a.UserID, true))
	var next api.CreatorAccountAnswer
	verify := func() {
		t.Helper()
		next = api.CreatorAccountAnswer{}
		status, fault := call(b.World, http.MethodPost, "/api/users/mangopay/verification", paymentstest.SessionOf(person, false),
			map[string]any{"returnUrl": paymentstest.PublicURL + "/en/profile/me/payouts/"}, &next)
		if status != http.StatusOK {
			t.Fatalf("%d %s", status, fault)
		}
	}
	if verify(); next.RedirectURL == nil || next.Payee.State != api.Checking {
		t.Fatalf("enrolled: %+v", next)
	}
	// Its hook is lost; the page asks once what is known is old.
	must(b.At.SetKYC(a.UserID, "REGULAR"))
	if list := own(b, person); list[0].State != api.Checking {
		t.Errorf("asked too often: %+v", list)
	}
	b.Pass(6 * time.Second) // who waits is told soon
	if list := own(b, person); list[0].State != api.Ready || len(list[0].Needs) > 0 {
		t.Errorf("verified: %+v", list)
	}
	if verify(); next.RedirectURL != nil {
		t.Errorf("there is nothing to do: %+v", next)
	}
	must(b.At.SetKYC(a.UserID, "LIGHT"))
	hook(b, "USER_KYC_LIGHT", a.UserID)
	b.Settle()
	if list := own(b, person); list[0].State != api.Restricted {
		t.Errorf("downgraded: %+v", list)
	}
	var states []string
	for _, e := range b.Content.Payees() {
		if e.UserID == person {
			states = append(states, fmt.Sprintf("%d %s %s", e.Sequence, e.State, strings.Join(e.Needs, ",")))
		}
	}
	if want := "1 begun enrollment,identity; 2 checking identity; 3 ready ; 4 restricted identity"; strings.Join(states, "; ") != want {
		t.Errorf("told %q, want %q", strings.Join(states, "; "), want)
	}
}

// hook delivers an event as the provider does.
func hook(b *paymentstest.B, kind, object string) {
	b.T.Helper()
	status, answer := b.Send(http.MethodGet, b.API.URL+"/api/webhooks/mangopay?EventType="+kind+"&RessourceId="+object+"&Date=1", "", nil, nil)
	if status != http.StatusOK {
		b.T.Fatalf("%d %s", status, answer)
	}
}

// All hooks are lost: the worker asks about accounts that wait once an hour, and about the others once a day.
func TestAccount_WhoseHooksAreLost_IsAskedAbout(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	a := begin(b, person)
	state := func() (state string) {
		b.Scan(&state, `SELECT state FROM payees WHERE ref = ?`, a.UserID)
		return state
	}
	change := func(level string, after time.Duration, before, then string) {
		t.Helper()
		if err := b.At.SetKYC(a.UserID, level); err != nil {
			t.Fatal(err)
		}
		for _, pass := range []struct {
			by   time.Duration
			want string
		}{{after - time.Minute, before}, {2 * time.Minute, then}} {
			b.Pass(pass.by)
			if err := b.App.Payees.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := state(); got != pass.want {
				t.Errorf("%s after %s: %s, want %s", level, pass.by, got, pass.want)
			}
		}
	}
	if err := b.At.Enrol(a.UserID, true); err != nil {
		t.Fatal(err)
	}
	change("REGULAR", time.Hour, "begun", "ready")
	change("LIGHT", 24*time.Hour, "ready", "restricted")
}

func TestAccount_IsOfTheSessionsOwnPerson(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	body := func(user int64, owner any) map[string]any {
		out := map[string]any{"type": "natural", "userId": user}
		if owner != nil {
			out["owner"] = owner
		}
		return out
	}
	legal := func(change map[string]any) map[string]any {
		o := with("legal_name", "Nuotit osk")
		o["legal_type"], o["headquarters"] = "ORGANIZATION", map[string]any{"AddressLine1": "Opintie 14", "City": "Inari", "PostalCode": "99870", "Country": "FI"}
		for k, v := range change {
			if o[k] = v; v == nil {
				delete(o, k)
			}
		}
		return map[string]any{"type": "legal", "userId": person, "owner": o}
	}
	me := paymentstest.SessionOf(person, false)
	for name, tc := range map[string]struct {
		session string
		body    map[string]any
		status  int
		fault   string
	}{
		"without a session":       {"", body(person, owner), 401, "not_authenticated"},
		"with one that has ended": {paymentstest.Ended, body(person, owner), 401, "token_expired"},
		"for somebody else":       {me, body(43, owner), 403, "forbidden"},
		"without a confirmed address": {paymentstest.SessionOf(paymentstest.Unconfirmed, false), body(paymentstest.Unconfirmed, owner), 403,
			"address_unconfirmed"},
		"without who they are":    {me, body(person, nil), 422, "invalid_fields owner:required"},
		"without the terms":       {me, body(person, with("terms_accepted", false)), 422, "payee_terms_not_accepted"},
		"under age":               {me, body(person, with("birthdate", "2015-01-01")), 422, "invalid_fields owner.birthdate:adult"},
		"born in another century": {me, body(person, with("birthdate", "1880-01-01")), 422, "invalid_fields owner.birthdate:adult"},
		"back to another site":    {me, body(person, with("return_url", "https://evil.example/")), 422, "invalid_fields owner.return_url:of_this_site"},
		"back to a name of ours":  {me, body(person, with("return_url", paymentstest.PublicURL+".evil.example/")), 422, "invalid_fields owner.return_url:of_this_site"},
		"back by a backslash":     {me, body(person, with("return_url", paymentstest.PublicURL+"/\\evil.example/")), 422, "invalid_fields owner.return_url:of_this_site"},
		"a name that nobody sees": {me, body(person, with("last_name", "\u200b\x00")), 422, "invalid_fields owner.last_name:required"},
		"an entity of spaces": {me, legal(map[string]any{"legal_name": " ", "headquarters": map[string]any{"AddressLine1": " ", "City": "\u202e", "PostalCode": "\n",
			"Country": "FI"}}), 422, "invalid_fields owner.legal_name:required owner.headquarters.AddressLine1:required owner.headquarters.City:required " +
			"owner.headquarters.PostalCode:required"},
		"a name of spaces":           {me, body(person, with("first_name", "  ")), 422, "invalid_fields owner.first_name:required"},
		"a business without number":  {me, legal(map[string]any{"legal_type": "BUSINESS"}), 422, "invalid_fields owner.company_number:required"},
		"an entity without its name": {me, legal(map[string]any{"legal_name": nil}), 422, "invalid_fields owner.legal_name:required"},
		"an entity without address":  {me, legal(map[string]any{"headquarters": nil}), 422, "invalid_fields owner.headquarters:required"},
		"an entity":                  {me, legal(nil), 200, ""},
	} {
		if tc.status == http.StatusOK {
			continue
		}
		if status, fault := call(b.World, http.MethodPost, "/api/users/mangopay/create-creator-account", tc.session, tc.body, nil); status != tc.status || fault != tc.fault {
			t.Errorf("%s: %d %s", name, status, fault)
		}
	}
	if status, fault := call(b.World, http.MethodPost, "/api/users/mangopay/create-creator-account", me, legal(nil), nil); status != http.StatusOK {
		t.Errorf("an entity: %d %s", status, fault)
	}
	for method, path := range map[string]string{http.MethodGet: "/api/users/me/payees", http.MethodPost: "/api/users/mangopay/verification"} {
		if status, _ := call(b.World, method, path, "", map[string]any{"returnUrl": paymentstest.PublicURL + "/"}, nil); status != http.StatusUnauthorized {
			t.Errorf("%s without a session: %d", path, status)
		}
	}
}

func TestAccount_IsMadeOnceHoweverItIsAskedFor(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	var group sync.WaitGroup
	var mu sync.Mutex
	made := map[string]bool{}
	for range 8 {
		group.Go(func() {
			var a api.CreatorAccountAnswer
			if status, _ := call(b.World, http.MethodPost, "/api/users/mangopay/create-creator-account", paymentstest.SessionOf(person, false),
				map[string]any{"type": "natural", "userId": person, "owner": owner}, &a); status == http.StatusOK {
				mu.Lock()
				made[a.UserID+" "+a.WalletID] = true
				mu.Unlock()
			}
		})
	}
	group.Wait()
	begin(b, person)
	if len(made) > 1 {
		t.Errorf("made %v", made)
	}
	// The answer is lost each time, also of the wallet.
	for _, path := range []string{"/sca/users/natural", "/wallets"} {
		if err := b.At.AddFault(sandbox.FaultRule{Kind: standin.CutAfter, Times: 3, Method: http.MethodPost, Path: path}); err != nil {
			t.Fatal(err)
		}
	}
	const other = 43
	for range 4 {
		_, _ = call(b.World, http.MethodPost, "/api/users/mangopay/create-creator-account", paymentstest.SessionOf(other, false), map[string]any{"type": "natural", "userId": other, "owner": owner}, nil)
	}
	a := begin(b, other)
	var owners int
	var list []struct{ Tag string }
	b.Provide(http.MethodGet, "/users?per_page=100", "", &list)
	for _, u := range list {
		var id string
		b.Scan(&id, `SELECT id FROM payees WHERE ref = ?`, a.UserID)
		if u.Tag == "payee:"+id {
			owners++
		}
	}
	if owners != 1 {
		t.Errorf("the provider has %d owners of one account", owners)
	}
}

func TestAccount_OfWhoJoinsTwoAccountsHere_IsTheirsAndToldAnew(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	const other = 43
	first, second := begin(b, person), begin(b, other)
	for range 2 { // said twice
		if err := b.App.Payees.Merge(t.Context(), other, person); err != nil {
			t.Fatal(err)
		}
	}
	b.Settle()
	if list := own(b, person); len(list) != 2 || len(own(b, other)) != 0 {
		t.Errorf("%+v, %+v", list, own(b, other))
	}
	if again := begin(b, person); again.UserID != first.UserID {
		t.Errorf("who asks is given the older one: %+v", again)
	}
	told := map[int64]int64{}
	for _, e := range b.Content.Payees() {
		if e.AccountID == second.UserID {
			told[e.Sequence] = e.UserID
		}
	}
	if len(told) != 2 || told[2] != person {
		t.Errorf("told by number of %v", told)
	}
	if err := b.App.Payees.Erase(t.Context(), person); err != nil {
		t.Fatal(err)
	}
	if n := b.Count(fmt.Sprintf(`payees WHERE user_id IN (%d, %d)`, person, other)); n != 0 {
		t.Errorf("%d accounts name who was erased", n)
	}
}

func TestAccount_ThatIsRefusedCanBeTriedAnew(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	if err := b.At.AddFault(sandbox.FaultRule{Kind: "403", Times: 1, Method: http.MethodPost, Path: "/sca/users/natural"}); err != nil {
		t.Fatal(err)
	}
	status, fault := call(b.World, http.MethodPost, "/api/users/mangopay/create-creator-account", paymentstest.SessionOf(person, false),
		map[string]any{"type": "natural", "userId": person, "owner": owner}, nil)
	if status != http.StatusUnprocessableEntity || fault != "payee_refused" {
		t.Fatalf("%d %s", status, fault)
	}
	begin(b, person)
}

func TestWallet_IsTheCampaignsAndItsOwners(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	first := b.Wallet
	again, err := b.App.Payees.Wallet(t.Context(), mangopay.Name, 7)
	if err != nil || again.Ref != first.ID {
		t.Fatalf("%+v, %v", again, err)
	}
	if _, err := b.App.Payees.Wallet(t.Context(), mangopay.Name, 8); err == nil {
		t.Error("a campaign without an account has a wallet")
	}
	// An older word comes late.
	if err := b.App.Payees.SetAccounts(t.Context(), 7, 1, map[string]string{mangopay.Name: "user_m_other"}); err != nil {
		t.Fatal(err)
	}
	if again, err = b.App.Payees.Wallet(t.Context(), mangopay.Name, 7); err != nil || again.Ref != first.ID {
		t.Errorf("%+v, %v", again, err)
	}
	if err := b.App.Payees.SetAccounts(t.Context(), 7, 2, map[string]string{mangopay.Name: ""}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.App.Payees.Wallet(t.Context(), mangopay.Name, 7); err == nil {
		t.Error("a campaign that has no account any more has a wallet")
	}
}

func TestMethods_OfACampaignFollowItsCreatorsAccount(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	methods := func(campaign int, query string) (string, *api.MethodsAnswerReason) {
		t.Helper()
		var a api.MethodsAnswer
		if status, fault := call(b.World, http.MethodGet, fmt.Sprintf("/api/campaigns/%d/methods%s", campaign, query), "", nil, &a); status != http.StatusOK {
			t.Fatalf("%d %s", status, fault)
		}
		var out []string
		for _, m := range a.Methods {
			out = append(out, string(m.Method)+":"+string(m.Provider))
		}
		return strings.Join(out, " "), a.Reason
	}
	if got, _ := methods(7, "?amount_minor=5000"); got != "card:mangopay bank:mangopay page:mangopay" {
		t.Errorf("on B: %s", got)
	}
	if got, _ := methods(8, ""); got != "card:stripe page:stripe" {
		t.Errorf("without an account: %s", got)
	}
	if err := b.At.SetKYC(b.Wallet.Owner, "LIGHT"); err != nil { // its hook is lost
		t.Fatal(err)
	}
	b.Pass(payees.FreshFor + time.Second)
	if got, why := methods(7, ""); got != "" || why == nil || *why != api.NotReady {
		t.Errorf("downgraded: %s %v", got, why)
	}
	for number, isOnHold := range []bool{true, false} {
		if err := holds.Set(t.Context(), b.App.DB, 8, holds.Word{Number: number + 1, IsOnHold: isOnHold}, b.Now); err != nil {
			t.Fatal(err)
		}
		got, why := methods(8, "")
		if isOnHold && (got != "" || why == nil || *why != api.OnHold) || !isOnHold && got == "" {
			t.Errorf("on hold %t: %s %v", isOnHold, got, why)
		}
	}
}
