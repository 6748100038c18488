package stripe_test

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

func (b *fixture) account() *stripego.Account {
	b.t.Helper()
	params := &stripego.AccountParams{Type: stripego.String("express"), Country: stripego.String("FI"), Email: stripego.String("aile@example.com"),
		BusinessType: stripego.String("individual"), DefaultCurrency: stripego.String("eur"),
		Capabilities: &stripego.AccountCapabilitiesParams{Transfers: &stripego.AccountCapabilitiesTransfersParams{Requested: stripego.Bool(true)},
			CardPayments: &stripego.AccountCapabilitiesCardPaymentsParams{Requested: stripego.Bool(true)}},
		Settings: &stripego.AccountSettingsParams{Payouts: &stripego.AccountSettingsPayoutsParams{
			Schedule: &stripego.AccountSettingsPayoutsScheduleParams{Interval: stripego.String("manual")}}},
		Metadata: map[string]string{"user_id": "42"}}
	a, err := b.api.Accounts.New(params)
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

func (b *fixture) onboardingLink(account string) string {
	b.t.Helper()
	link, err := b.api.AccountLinks.New(&stripego.AccountLinkParams{Account: &account, Type: stripego.String("account_onboarding"),
		RefreshURL: stripego.String("https://talkoot.test/refresh/"), ReturnURL: stripego.String("https://talkoot.test/return/")})
	if err != nil {
		b.t.Fatal(err)
	}
	return strings.Replace(link.URL, "http://localhost:8090", b.server.URL, 1)
}

// walk opens a page, or sends its form, and gives the text and where it leads.
func (b *fixture) walk(method, at string, form url.Values) (text, to string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, at, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, _ := io.ReadAll(answer.Body)
	return string(raw), answer.Header.Get("Location")
}

var visitField = regexp.MustCompile(`name="visit" value="([^"]+)"`)

func (b *fixture) onboard(account, outcome string) (to string) {
	b.t.Helper()
	at := b.onboardingLink(account)
	page, _ := b.walk(http.MethodGet, at, nil)
	found := visitField.FindStringSubmatch(page)
	if found == nil {
		b.t.Fatalf("no form: %s", page)
	}
	_, to = b.walk(http.MethodPost, at, url.Values{"visit": {found[1]}, "outcome": {outcome}, "iban": {"DE89 3704 0044 0532 0130 00"}})
	return to
}

func TestAccount_BeginsWithNothingAndEndsOnboarded(t *testing.T) {
	b := start(t, stripe.Options{})
	a := b.account()
	if a.DetailsSubmitted || a.PayoutsEnabled || a.Capabilities.Transfers != "inactive" || len(a.Requirements.CurrentlyDue) == 0 ||
		a.Requirements.DisabledReason != "requirements.past_due" || a.DefaultCurrency != "eur" || a.Settings.Payouts.Schedule.Interval != "manual" {
		t.Fatalf("new: %+v", a)
	}
	if to := b.onboard(a.ID, "leave"); to != "https://talkoot.test/return/" {
		t.Errorf("who leaves is sent to %s", to)
	}
	if a, _ = b.api.Accounts.GetByID(a.ID, nil); a.DetailsSubmitted {
		t.Error("who leaves has submitted nothing")
	}
	b.onboard(a.ID, "check")
	if a, _ = b.api.Accounts.GetByID(a.ID, nil); !a.DetailsSubmitted || a.PayoutsEnabled || a.Requirements.DisabledReason != "requirements.pending_verification" {
		t.Errorf("checked: %+v", a.Requirements)
	}
	b.onboard(a.ID, "complete")
	a, err := b.api.Accounts.GetByID(a.ID, nil)
	if err != nil || !a.PayoutsEnabled || a.Capabilities.Transfers != "active" || a.Requirements.DisabledReason != "" || len(a.ExternalAccounts.Data) != 1 ||
		a.ExternalAccounts.Data[0].BankAccount.Last4 != "3000" {
		t.Fatalf("onboarded: %+v, %v", a, err)
	}
	n := 0
	for it := b.api.Accounts.List(&stripego.AccountListParams{}); it.Next(); n++ {
	}
	if n != 1 {
		t.Errorf("%d accounts are listed", n)
	}
	link, err := b.api.LoginLinks.New(&stripego.LoginLinkParams{Account: &a.ID})
	if err != nil || link.URL == "" {
		t.Errorf("%+v, %v", link, err)
	}
}

func TestAccountLink_LeadsOnceAndThenToWhereAnotherIsMade(t *testing.T) {
	now := time.Unix(1_790_000_000, 0)
	b := start(t, stripe.Options{Now: func() time.Time { return now }})
	a := b.account()
	at := b.onboardingLink(a.ID)
	if page, to := b.walk(http.MethodGet, at, nil); to != "" || !strings.Contains(page, "individual.first_name") {
		t.Errorf("first: %s", to)
	}
	if _, to := b.walk(http.MethodGet, at, nil); to != "https://talkoot.test/refresh/" {
		t.Errorf("a second time: %s", to)
	}
	if _, to := b.walk(http.MethodPost, at, url.Values{"visit": {"guessed"}, "outcome": {"complete"}, "iban": {"DE89370400440532013000"}}); to != "https://talkoot.test/refresh/" {
		t.Errorf("a visit of somebody else's: %s", to)
	}
	at = b.onboardingLink(a.ID)
	now = now.Add(6 * time.Minute)
	if _, to := b.walk(http.MethodGet, at, nil); to != "https://talkoot.test/refresh/" {
		t.Errorf("too late: %s", to)
	}
	if a, _ = b.api.Accounts.GetByID(a.ID, nil); a.DetailsSubmitted {
		t.Error("it was submitted by none of these")
	}
}

func TestAccount_ThatHandsNothingInIsRestrictedAtItsDeadline(t *testing.T) {
	b := start(t, stripe.Options{})
	a := b.account()
	b.onboard(a.ID, "later")
	if a, _ = b.api.Accounts.GetByID(a.ID, nil); !a.PayoutsEnabled || a.Requirements.CurrentDeadline == 0 {
		t.Fatalf("before: %+v", a.Requirements)
	}
	b.control("clock", `{"advance_seconds": 1209700}`)
	b.eventually(func() bool {
		a, _ = b.api.Accounts.GetByID(a.ID, nil)
		return !a.PayoutsEnabled && a.Requirements.DisabledReason == "requirements.past_due" && a.Capabilities.Transfers == "inactive"
	}, "the account is restricted")
}

func TestAccount_ThatIsDisconnectedIsGone(t *testing.T) {
	b := start(t, stripe.Options{})
	a := b.account()
	if err := b.sandbox.DeauthorizeAccount(stripe.AccountChange{Account: a.ID}); err != nil {
		t.Fatal(err)
	}
	_, err := b.api.Accounts.GetByID(a.ID, nil)
	if e := stripeError(t, err); e.HTTPStatusCode != http.StatusForbidden || e.Code != "account_invalid" {
		t.Errorf("%d %s", e.HTTPStatusCode, e.Code)
	}
}

func TestAccount_IsRefusedAsStripeRefusesIt(t *testing.T) {
	b := start(t, stripe.Options{})
	for name, tc := range map[string]struct {
		form  url.Values
		param string
	}{
		"transfers alone":         {url.Values{"type": {"express"}, "capabilities[transfers][requested]": {"true"}}, ""},
		"a country elsewhere":     {url.Values{"type": {"express"}, "country": {"US"}}, "country"},
		"an unknown kind":         {url.Values{"business_type": {"cooperative"}}, "business_type"},
		"an address that is none": {url.Values{"business_profile[url]": {"talkoot"}}, "business_profile[url]"},
		"an unknown parameter":    {url.Values{"colour": {"red"}}, "colour"},
	} {
		status, _, body := b.raw(http.MethodPost, "/v1/accounts", secretKey, tc.form, nil)
		fault, _ := body["error"].(map[string]any)
		param, _ := fault["param"].(string)
		if status != http.StatusBadRequest || param != tc.param {
			t.Errorf("%s: %d %v", name, status, fault)
		}
	}
	a := b.account()
	if _, err := b.api.Accounts.Update(a.ID, &stripego.AccountParams{BusinessType: stripego.String("company")}); err == nil {
		t.Error("what an express account is cannot be changed")
	}
}

// Events of connected accounts go to the endpoints that asked for them, with the account beside the object, and no others do.
func TestAccount_IsToldOfToTheConnectEndpoint(t *testing.T) {
	b := start(t, stripe.Options{})
	a := b.account()
	b.onboard(a.ID, "complete")
	if err := b.sandbox.DeauthorizeAccount(stripe.AccountChange{Account: a.ID}); err != nil {
		t.Fatal(err)
	}
	_, _, body := b.raw(http.MethodGet, "/v1/events", secretKey, nil, nil)
	list, _ := body["data"].([]any)
	told := map[string]string{}
	for _, one := range list {
		e, _ := one.(map[string]any)
		account, _ := e["account"].(string)
		data, _ := e["data"].(map[string]any)
		object, _ := data["object"].(map[string]any)
		kind, _ := object["object"].(string)
		told[e["type"].(string)] = account + " " + kind
	}
	if told["account.updated"] != a.ID+" account" || told["account.application.deauthorized"] != a.ID+" application" {
		t.Errorf("%v", told)
	}
}
