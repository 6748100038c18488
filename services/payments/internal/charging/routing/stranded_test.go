package routing_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/providers/mangopay"
	"talkoot.fi/payments/internal/providers/stripe"
)

const campaign = 7

// onBoth is a world whose campaign is paid by both providers, of which A is off: cards are B's.
func onBoth(t *testing.T) *paymentstest.B {
	t.Helper()
	b := paymentstest.NewB(t)
	err := b.App.Payees.SetAccounts(t.Context(), campaign, 2, map[string]string{mangopay.Name: b.Wallet.Owner, stripe.Name: "acct_1"})
	if err != nil {
		t.Fatal(err)
	}
	flip(b, stripe.Name, false)
	return b
}

// swap has everything begin at the other provider.
func swap(b *paymentstest.B, from, to string) {
	b.T.Helper()
	flip(b, to, true)
	flip(b, from, false)
}

// money wants a pledge paid once, by B or by A, and nothing left at the other.
func paidOnce(b *paymentstest.B, pledge string, atB bool) {
	b.T.Helper()
	b.Settle()
	b.WantStatus(pledge, "succeeded")
	want := int64(0)
	if atB {
		want = 5000
	}
	if got := b.Balance(); got != want {
		b.T.Errorf("B has %d cents", got)
	}
	var kept int
	b.Scan(&kept, `SELECT count(*) FROM attempts a WHERE status = 'succeeded' AND NOT EXISTS (SELECT FROM refunds r WHERE r.attempt_id = a.id)`)
	if kept != 1 {
		b.T.Errorf("%d charges are kept", kept)
	}
	b.Audit()
}

// B's answer is lost, B is switched off, and the payer goes on at A: what B has charged counts, and A is not begun.
func TestSwitch_AnAnswerOfTheFirstIsLost_NeverBothArePaid(t *testing.T) {
	t.Parallel()
	for name, isCharged := range map[string]bool{"it was charged": true, "it was not": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := onBoth(t)
			pledge := b.Pledge()
			order := b.Order(pledge, paymentstest.PlainCard)
			kind := "cut_before"
			if isCharged {
				kind = "cut_after"
			}
			b.Fails(kind, 3, http.MethodPost, "/payins/card/direct")
			if status, _ := b.Call("payin", order, nil, nil); status < http.StatusInternalServerError {
				t.Fatalf("the lost answer was %d", status)
			}
			swap(b, mangopay.Name, stripe.Name)
			first := b.Setup(pledge)
			if isCharged {
				if first.Code != "pledge_already_paid" {
					t.Errorf("A was begun: %+v", first)
				}
				paidOnce(b, pledge, true)
				return
			}
			if first.Code != "unavailable" {
				t.Errorf("while it may be on its way: %+v", first)
			}
			b.Pass(3 * time.Minute)
			b.MustPay(b.MustSetup(pledge))
			paidOnce(b, pledge, false)
		})
	}
}

// A's payment is open or paid without our hearing of it, A is switched off, and the payer goes on at B.
func TestSwitch_TheFormIsOpen_ThenBothWays_NeverBothArePaid(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ isPaid, isLate bool }{
		"it was paid, unheard":             {true, false},
		"it was not":                       {false, false},
		"it is paid after B was, too late": {false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := onBoth(t)
			swap(b, mangopay.Name, stripe.Name)
			pledge := b.Pledge()
			form := b.MustSetup(pledge)
			b.LoseWebhooks()
			if tc.isPaid {
				b.MustPay(form)
			}
			swap(b, stripe.Name, mangopay.Name)
			var r paymentstest.Registration
			if status, code := b.Call("card-registration-data", map[string]any{"pledgeId": pledge}, nil, &r); status != http.StatusOK {
				t.Fatalf("%d %s", status, code)
			}
			card := b.Finish(pledge, r, paymentstest.CardOf(paymentstest.PlainCard), false).CardID
			status, code := b.Call("payin", paymentstest.OrderBy(pledge, r, card), nil, nil)
			if tc.isPaid {
				if code != "pledge_already_paid" {
					t.Errorf("B was begun: %d %s", status, code)
				}
				paidOnce(b, pledge, false)
				return
			}
			if status != http.StatusOK {
				t.Fatalf("B: %d %s", status, code)
			}
			if got := b.Confirm(form, "pm_card_visa"); tc.isLate && got.Status == "succeeded" {
				t.Error("A's form still took a card")
			}
			paidOnce(b, pledge, true)
		})
	}
}

// B's bank asks the payer, which cannot be ended there: no second card is charged meanwhile.
func TestSwitch_ABankAsks_ItIsWaitedFor(t *testing.T) {
	t.Parallel()
	b := onBoth(t)
	pledge := b.Pledge()
	asked := b.Pay(b.Order(pledge, paymentstest.AskedCard))
	swap(b, mangopay.Name, stripe.Name)
	if got := b.Setup(pledge); got.Code != "payment_open_at_bank" {
		t.Errorf("a second card meanwhile: %+v", got)
	}
	if err := b.At.AnswerChallenge(asked.PayIn.ID, false); err != nil {
		t.Fatal(err)
	}
	b.MustPay(b.MustSetup(pledge))
	paidOnce(b, pledge, false)
}

// A's page is not handed out again where B takes the pages, and B's is not where A does.
func TestSwitch_PagesAreOfWhoTakesThem(t *testing.T) {
	t.Parallel()
	b := onBoth(t)
	swap(b, mangopay.Name, stripe.Name)
	pledge := b.Pledge()
	before := b.MustPage(pledge)
	swap(b, stripe.Name, mangopay.Name)
	if _, code, _ := b.Page(pledge, "stripe"); code != "payment_method_unsupported" {
		t.Errorf("A's: %s", code)
	}
	b.Redis.SetError("gone")
	b.Page(pledge, "card")
	b.MakePages()
	_, code, after := b.Page(pledge, "card")
	b.Redis.SetError("")
	if code != "" || after.PaymentPageURL == before || after.PaymentPageURL == "" {
		t.Errorf("B's: %s %q", code, after.PaymentPageURL)
	}
	if b.PayOnPage(before, "4242424242424242") {
		t.Error("A's page still takes money")
	}
}

// tell has the worker look for stranded payments as its sweep does.
func tell(b *paymentstest.B) {
	b.T.Helper()
	off, err := b.App.Routes.OffSince(b.T.Context(), b.App.DB, b.Now().Add(-payments.StrandedAfter))
	if err == nil {
		err = b.App.Payments.TellStranded(b.T.Context(), off)
	}
	if err != nil {
		b.T.Fatal(err)
	}
	b.Settle()
}

func TestSwitch_WhoHasLeftIsToldOnce(t *testing.T) {
	t.Parallel()
	b := onBoth(t)
	open, asked, lost, paid := b.Pledge(), b.Pledge(), b.Pledge(), b.Pledge()
	b.Order(open, paymentstest.PlainCard)
	b.Pay(b.Order(asked, paymentstest.AskedCard))
	order := b.Order(lost, paymentstest.PlainCard)
	b.Fails("cut_after", 3, http.MethodPost, "/payins/card/direct")
	b.Call("payin", order, nil, nil)
	b.Pay(b.Order(paid, paymentstest.PlainCard))
	swap(b, mangopay.Name, stripe.Name)
	told := func(want ...string) {
		b.T.Helper()
		var got []string
		for _, pledge := range []string{open, asked, lost, paid} {
			if slices.Contains(b.Heard(pledge), "stranded") {
				got = append(got, pledge)
			}
		}
		if !slices.Equal(got, want) {
			b.T.Errorf("told of %v, want %v", got, want)
		}
	}
	tell(b)
	told()
	b.Pass(3 * time.Minute)
	tell(b)
	tell(b)
	told(open)
	b.WantHeard(open, "started", "stranded")
	b.WantStatus(lost, "succeeded")
	b.Audit()
}

// Where nothing else takes the campaign's money there is nothing to offer; and what is back on is not told of.
func TestSwitch_WithoutAnotherWayNobodyIsTold(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	b.Order(pledge, paymentstest.PlainCard)
	flip(b, mangopay.Name, false)
	b.Pass(3 * time.Minute)
	tell(b)
	b.WantHeard(pledge, "started")
}

// The token that is mailed pays its pledge and shows how that went, and opens nothing else.
func TestSwitch_TheMailedTokenOpensThePaymentOfItsPledgeAlone(t *testing.T) {
	t.Parallel()
	b := onBoth(t)
	swap(b, mangopay.Name, stripe.Name)
	pledge, other := b.Pledge(), b.Pledge()
	keys, err := ordertoken.New([]byte(paymentstest.ServiceSecret), b.Now)
	if err != nil {
		t.Fatal(err)
	}
	by := func(id string) map[string]string {
		return map[string]string{ordertoken.Header: keys.Make(ordertoken.Paying, id, b.Now()), "Authorization": ""}
	}
	for _, c := range []struct {
		path, token string
		want        int
	}{
		{"/api/pledges/" + pledge + "/setup/", pledge, http.StatusOK},
		{"/api/pledges/" + pledge + "/setup/", other, http.StatusForbidden},
		{"/api/subscriptions/" + pledge + "/setup/", pledge, http.StatusForbidden},
	} {
		if status, code := b.Post(c.path, by(c.token), nil); status != c.want {
			t.Errorf("%s: %d %s", c.path, status, code)
		}
	}
	swap(b, stripe.Name, mangopay.Name)
	for call, want := range map[string]int{"card-registration-data": http.StatusOK, "get-bank-accounts": http.StatusForbidden} {
		if status, code := b.Call(call, map[string]any{"pledgeId": pledge}, by(pledge), nil); status != want {
			t.Errorf("%s: %d %s", call, status, code)
		}
	}
}

func TestPayable_IsWhatIsOffered(t *testing.T) {
	t.Parallel()
	b := onBoth(t)
	ask := func() []int64 {
		t.Helper()
		var asked []payments.Way
		for _, w := range []payments.Way{{CampaignID: campaign}, {CampaignID: 8}, {CampaignID: campaign, IsMonthly: true}} {
			w.Amount = money.New(0, money.EUR)
			asked = append(asked, w)
		}
		list, err := b.App.Routes.Payable(t.Context(), b.App.DB, asked)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if got := ask(); !slices.Equal(got, []int64{campaign}) { // 8 has no account, so it is A's, as is all that is monthly
		t.Errorf("A is off: %v", got)
	}
	swap(b, mangopay.Name, stripe.Name)
	if got := ask(); !slices.Equal(got, []int64{campaign, 8, campaign}) {
		t.Errorf("A is on: %v", got)
	}
	flip(b, stripe.Name, false)
	if got := ask(); len(got) != 0 {
		t.Errorf("both are off: %v", got)
	}
}
