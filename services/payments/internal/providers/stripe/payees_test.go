package stripe_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/stripe"
)

const readyAccount = `{"id":"acct_1","object":"account","type":"express","default_currency":"eur","details_submitted":true,"payouts_enabled":true,` +
	`"capabilities":{"transfers":"active","card_payments":"active"},"requirements":{"currently_due":[],"past_due":[],"disabled_reason":null}}`

// with has an account say other things.
func accountWith(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(readyAccount) }

func saidOf(p provider.Payee) string {
	out := string(p.State)
	for _, n := range p.Needs {
		out += " " + n.Code
		if n.By != nil {
			out += "@" + n.By.Format(time.DateOnly)
		}
	}
	return out
}

func TestPayee_IsReadyByOneRuleAndSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	due := func(fields string) string {
		return accountWith(`"currently_due":[]`, `"current_deadline":1797083707,"currently_due":[`+fields+`]`)
	}
	stopped := func(reason string) string {
		return accountWith(`"disabled_reason":null`, `"disabled_reason":"`+reason+`"`)
	}
	for name, tc := range map[string]struct{ account, want string }{
		"nothing missing":            {readyAccount, "ready"},
		"only its id is told":        {`{"id":"acct_1","object":"account"}`, "checking support"},
		"details are not submitted":  {accountWith(`"details_submitted":true`, `"details_submitted":false`), "begun"},
		"no payouts":                 {accountWith(`"payouts_enabled":true`, `"payouts_enabled":false`), "checking"},
		"transfers wait":             {accountWith(`"transfers":"active"`, `"transfers":"pending"`), "checking"},
		"a paper is due":             {due(`"individual.verification.document"`), "ready identity@2026-12-12"},
		"a paper that did not do":    {accountWith(`"currently_due":[]`, `"currently_due":["individual.verification.document"],"errors":[{"code":"verification_document_expired","requirement":"individual.verification.document"}]`), "ready identity_again"},
		"where they live is due":     {due(`"person_1.verification.additional_document"`), "ready address@2026-12-12"},
		"an entity's things are due": {due(`"company.tax_id","company.verification.document","owners.first_name","external_account","tos_acceptance.ip","business_profile.mcc","representative.dob.day","x.y"`), "ready person@2026-12-12 company@2026-12-12 owners@2026-12-12 company_papers@2026-12-12 business@2026-12-12 bank@2026-12-12 terms@2026-12-12 details@2026-12-12"},
		"past due":                   {accountWith(`"disabled_reason":null`, `"disabled_reason":"requirements.past_due"`, `"past_due":[]`, `"past_due":["external_account"]`), "begun bank"},
		"a check is running":         {stopped("requirements.pending_verification"), "checking"},
		"looked into":                {stopped("under_review"), "checking review"},
		"on a list":                  {stopped("listed"), "checking review"},
		"paused by us":               {stopped("platform_paused"), "checking support"},
		"rejected":                   {stopped("rejected.fraud"), "checking rejected"},
		"rejected in a word to come": {stopped("rejected.new_word"), "checking rejected"},
		"stopped in a word to come":  {stopped("new_word"), "checking review"},
		"another currency":           {accountWith(`"eur"`, `"sek"`), "begun currency"},
		"a type that is none":        {accountWith(`"express"`, `"none"`), "checking support"},
		"standard":                   {accountWith(`"express"`, `"standard"`), "checking support"},
		"custom":                     {accountWith(`"express"`, `"custom"`), "ready"},
		"deleted":                    {`{"id":"acct_1","object":"account","deleted":true}`, "closed"},
	} {
		c, _ := start(t, nil, says(200, tc.account))
		p, err := c.Payee(t.Context(), "acct_1")
		if err != nil || saidOf(p) != tc.want {
			t.Errorf("%s: %q, %v, want %q", name, saidOf(p), err, tc.want)
		}
	}
}

// An account that was disconnected from us is none any more, and the key is not doubted for it.
func TestPayee_ThatIsDisconnectedIsNotFound(t *testing.T) {
	t.Parallel()
	c, _ := start(t, nil, says(403, `{"error":{"type":"invalid_request_error","code":"account_invalid"}}`))
	if _, err := c.Payee(t.Context(), "acct_1"); !errors.Is(err, provider.ErrNotFound) {
		t.Error(err)
	}
}

func TestNewPayee_AsksForTransfersWithCardsInEurosAndPaysOutByHand(t *testing.T) {
	t.Parallel()
	var sent string
	c, p := start(t, nil, func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		sent = r.PostForm.Encode()
		says(200, readyAccount)(w, r)
	})
	order := provider.PayeeOrder{Key: "payee:x:1", ID: "payee:x", UserID: 42, Email: "aile@example.com", Country: "FI", Type: "individual", Website: "https://talkoot.test/profile/42/", Currency: money.EUR}
	if made, err := c.NewPayee(t.Context(), order); err != nil || made.Ref != "acct_1" || made.Wallet != "" {
		t.Fatalf("%+v, %v", made, err)
	}
	want := "business_profile%5Burl%5D=https%3A%2F%2Ftalkoot.test%2Fprofile%2F42%2F&business_type=individual&capabilities%5Bcard_payments%5D%5Brequested%5D=true&" +
		"capabilities%5Btransfers%5D%5Brequested%5D=true&country=FI&default_currency=eur&email=aile%40example.com&metadata%5Bpayee_id%5D=payee%3Ax&" +
		"metadata%5Buser_id%5D=42&settings%5Bpayouts%5D%5Bschedule%5D%5Binterval%5D=manual&type=express"
	if sent != want || p.keys[0] != "payee:x:1" {
		t.Errorf("%s\n%s, key %s", sent, want, p.keys[0])
	}
}

// A fault of the platform's, such as that Stripe has not approved it, is not told as one of what the creator has said.
func TestNewPayee_TellsTheCreatorsFaultsFromOurs(t *testing.T) {
	t.Parallel()
	refused := func(fault string) error {
		c, _ := start(t, nil, says(400, `{"error":{"type":"invalid_request_error"`+fault+`}}`))
		_, err := c.NewPayee(t.Context(), provider.PayeeOrder{Key: "k", ID: "payee:x", Currency: money.EUR})
		return err
	}
	if err := refused(`,"param":"country","code":"country_unsupported"`); !errors.Is(err, provider.ErrFinal) {
		t.Error(err)
	}
	for _, fault := range []string{``, `,"param":"capabilities"`, `,"message":"Your platform needs approval"`} {
		err := refused(fault)
		if e, is := errors.AsType[*apperr.Error](err); !is || e.Code != "platform_not_approved" || errors.Is(err, provider.ErrFinal) {
			t.Errorf("%s: %v", fault, err)
		}
	}
	c, _ := start(t, nil, says(400, `{"error":{"type":"idempotency_error"}}`))
	if _, err := c.NewPayee(t.Context(), provider.PayeeOrder{Key: "k", Currency: money.EUR}); !errors.Is(err, provider.ErrRefused) || errors.Is(err, provider.ErrFinal) {
		t.Errorf("a key that was used with other words: %v", err)
	}
}

func TestPayeeStep_IsAFreshLinkWhereThereIsSomethingToDo(t *testing.T) {
	t.Parallel()
	begun := accountWith(`"details_submitted":true`, `"details_submitted":false`)
	link := says(200, `{"object":"account_link","url":"https://connect.stripe.test/1"}`)
	c, p := start(t, nil, says(200, begun), link, says(200, begun), link, says(200, readyAccount))
	back := provider.Back{Return: "https://talkoot.test/return/", Refresh: "https://talkoot.test/refresh/"}
	for range 2 {
		if at, err := c.PayeeStep(t.Context(), "acct_1", back); err != nil || at != "https://connect.stripe.test/1" {
			t.Fatalf("%q, %v", at, err)
		}
	}
	if p.keys[1] == p.keys[3] || p.keys[1] == "" {
		t.Errorf("a link opens once, and its key was %q, then %q", p.keys[1], p.keys[3])
	}
	if at, err := c.PayeeStep(t.Context(), "acct_1", back); err != nil || at != "" {
		t.Errorf("with nothing to do: %q, %v", at, err)
	}
}

func TestMadePayee_IsFoundByWhatWeWroteOnIt(t *testing.T) {
	t.Parallel()
	list := fmt.Sprintf(`{"object":"list","has_more":false,"url":"/v1/accounts","data":[{"id":"acct_2","object":"account","metadata":{"payee_id":"payee:y"}},%s]}`,
		strings.Replace(readyAccount, `"object"`, `"metadata":{"payee_id":"payee:x"},"object"`, 1))
	c, _ := start(t, nil, says(200, list))
	if p, err := c.MadePayee(t.Context(), "payee:x", time.Unix(1_700_000_000, 0)); err != nil || p.Ref != "acct_1" || p.State != provider.PayeeReady {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := c.MadePayee(t.Context(), "payee:z", time.Unix(1_700_000_000, 0)); !errors.Is(err, provider.ErrNotFound) {
		t.Error(err)
	}
}

// What a creator has at Stripe besides being paid by us, such as payments of their own, is none of ours.
func TestParseEvent_OfAConnectedAccountIsAboutTheAccount(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]provider.About{"account.updated": provider.AboutPayee, "account.application.deauthorized": provider.AboutPayeeGone,
		"capability.updated": provider.AboutPayee, "person.updated": provider.AboutPayee, "account.external_account.deleted": provider.AboutPayee,
		"payout.failed": provider.AboutSent, "payment_intent.succeeded": provider.AboutNothing, "charge.refunded": provider.AboutNothing} {
		h, err := stripe.ParseEvent([]byte(`{"id":"evt_1","object":"event","account":"acct_1","type":"` + kind + `","data":{"object":{"id":"pi_1","object":"payment_intent"}}}`))
		if err != nil || h.About != want || want == provider.AboutPayee && h.Object != "acct_1" || want == provider.AboutSent && h.Object != "pi_1" || h.Money != "" {
			t.Errorf("%s: %+v, %v", kind, h, err)
		}
	}
}
