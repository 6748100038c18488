package mangopay

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/provider"
)

// Every result that a payer is told of has its code, and each code is one of payment_failed.
func TestVerdicts_HaveEveryResult(t *testing.T) {
	t.Parallel()
	codes := []string{"", "card_declined", "insufficient_funds", "expired_card", "incorrect_cvc", "processing_error", "authentication_failed", "generic"}
	for _, result := range strings.Fields(`101105 02624 101410 01902 009499 009199 009103 008006 008005 101115 101111 101104 101199 101103 101102 101101
		105103 105101 001013 105202 105203 105204`) {
		if v, known := verdicts[result]; !known || v.code == "" || v.remedy == provider.RemedyNone {
			t.Errorf("%s is %+v, %t", result, v, known)
		}
	}
	for result, v := range verdicts {
		if !slices.Contains(codes, v.code) {
			t.Errorf("%s has code %q", result, v.code)
		}
	}
	if v := verdictOf("999999"); v.code != "generic" || v.isDecline {
		t.Errorf("one that is new is %+v", v)
	}
}

// A hook is a type and an id, in the alphabets that they have; what is not cannot name an address of ours or theirs.
func TestReadHook(t *testing.T) {
	t.Parallel()
	_, c := newServer(t, says(200, `{}`))
	for query, want := range map[string]provider.Hook{
		"EventType=PAYIN_NORMAL_SUCCEEDED&RessourceId=payin_m_1&Date=1": {About: provider.AboutPayment, Object: "payin_m_1", Money: "payin_m_1"},
		"EventType=PAYIN_REFUND_FAILED&RessourceId=12":                  {About: provider.AboutRefund, Object: "12"},
		"EventType=DISPUTE_CLOSED&RessourceId=dis-1":                    {About: provider.AboutDispute, Object: "dis-1"},
		"EventType=MANDATE_ACTIVATED&RessourceId=man_1":                 {About: provider.AboutInstrument, Object: "mandates/man_1"},
		"EventType=TRANSFER_NORMAL_SUCCEEDED&RessourceId=xfer_1":        {About: provider.AboutSent, Object: "transfers/xfer_1"},
		"EventType=TRANSFER_REFUND_SUCCEEDED&RessourceId=refund_1":      {About: provider.AboutSent, Object: "refund_1"},
		"EventType=KYC_SUCCEEDED&RessourceId=kyc_1":                     {About: provider.AboutNothing, Object: "kyc_1"},
	} {
		q, _ := url.ParseQuery(query)
		got, err := c.ReadHook(provider.Delivery{Query: q})
		want.Type, want.Live = q.Get("EventType"), true
		want.Key = want.Type + ":" + q.Get("RessourceId")
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", query, got, err)
		}
	}
	for _, query := range []string{"", "EventType=PAYIN_NORMAL_SUCCEEDED", "RessourceId=1", "EventType=a%20b&RessourceId=1", "EventType=A&RessourceId=..%2Fusers%2F1",
		"EventType=A&RessourceId=" + strings.Repeat("1", 129), "EventType=" + strings.Repeat("A", 101) + "&RessourceId=1", "EventType=A&RessourceId=1%00"} {
		q, _ := url.ParseQuery(query)
		if _, err := c.ReadHook(provider.Delivery{Query: q}); !errors.Is(err, provider.ErrHook) {
			t.Errorf("%q: %v", query, err)
		}
	}
}

// A reference names an object of its kind alone: what a browser sends for a card is never put into an address of something else.
func TestReferences_AreOfTheirKind(t *testing.T) {
	t.Parallel()
	s, c := newServer(t, says(200, `{}`))
	for _, ref := range []string{"", "card_1", "cards/", "cards/../users/1", "cards/a b", "cards/1?x=1", "users/1", "cardregistrations/1", "cards/1/2", "CARDS/1"} {
		if _, err := c.Instrument(t.Context(), ref); !errors.Is(err, provider.ErrNotFound) {
			t.Errorf("instrument %q: %v", ref, err)
		}
	}
	for _, ref := range []string{"", "cards/1", "users/1", "mandates/../users/1", "cardregistrations/"} {
		if _, err := c.LookSetup(t.Context(), ref); !errors.Is(err, provider.ErrNotFound) {
			t.Errorf("setup %q: %v", ref, err)
		}
		if _, err := c.FinishSetup(t.Context(), ref, "data=1"); !errors.Is(err, provider.ErrNotFound) {
			t.Errorf("finish %q: %v", ref, err)
		}
	}
	for _, id := range []string{"", "../users/1", "a/b"} {
		if _, err := c.Look(t.Context(), provider.Ref{Object: id}); !errors.Is(err, provider.ErrNotFound) {
			t.Errorf("pay-in %q: %v", id, err)
		}
		if _, err := c.Refund(t.Context(), provider.RefundOrder{Money: id}); !errors.Is(err, provider.ErrNotFound) {
			t.Errorf("refund of %q: %v", id, err)
		}
	}
	if len(s.calls) > 0 {
		t.Errorf("called %q", s.calls)
	}
}

// What a pay-in is in the core's words.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	const common = `"Id":"p1","Tag":"payment=01hzzzzzzzzzzzzzzzzzzzzzzz&attempt=a&campaign=7","CreationDate":1700000000,"AuthorId":"u1","CreditedWalletId":"w7",
		"DebitedFunds":{"Currency":"EUR","Amount":4200},"Fees":{"Currency":"EUR","Amount":0},`
	for body, want := range map[string]provider.Snapshot{
		`"Status":"CREATED","PaymentType":"CARD","ExecutionType":"DIRECT","SecureModeNeeded":true,"SecureModeRedirectURL":"https://bank"`: {
			State: provider.NeedsPayer, Next: provider.Redirect("https://bank"), Ref: provider.Ref{Method: provider.MethodCard}},
		`"Status":"CREATED","PaymentType":"CARD","ExecutionType":"WEB","RedirectURL":"https://page"`: {
			State: provider.Open, Next: provider.Redirect("https://page"), Ref: provider.Ref{Method: provider.MethodPage}},
		`"Status":"CREATED","PaymentType":"DIRECT_DEBIT","ExecutionType":"DIRECT","ResultCode":null`: {
			State: provider.Processing, Ref: provider.Ref{Method: provider.MethodDebit}},
		`"Status":"FAILED","ResultCode":"101101","PaymentType":"CARD","ExecutionType":"DIRECT"`: {
			State: provider.Ended, FailureCode: "card_declined", Remedy: provider.RemedyLater, LastDecline: "p1", Ref: provider.Ref{Method: provider.MethodCard}},
		`"Status":"FAILED","ResultCode":"101301","PaymentType":"CARD","ExecutionType":"DIRECT"`: {
			State: provider.Ended, FailureCode: "authentication_failed", Remedy: provider.RemedyPayer, Ref: provider.Ref{Method: provider.MethodCard}},
		`"Status":"FAILED","ResultCode":"101002","PaymentType":"CARD","ExecutionType":"WEB"`: {
			State: provider.Ended, Ref: provider.Ref{Method: provider.MethodPage}},
	} {
		_, c := newServer(t, says(200, "{"+common+body+"}"))
		got, err := c.Look(t.Context(), provider.Ref{Object: "p1"})
		if err != nil || got.State != want.State || got.Next != want.Next || got.FailureCode != want.FailureCode || got.Remedy != want.Remedy ||
			got.LastDecline != want.LastDecline || got.Ref.Method != want.Ref.Method || got.Amount.Minor != 4200 || got.Tag.Campaign != "7" {
			t.Errorf("%s:\n%+v, %v", body, got, err)
		}
	}
	_, c := newServer(t, says(200, "{"+common+`"Status":"SUCCEEDED","ResultCode":"000000","ExecutionDate":1700000100,"PaymentType":"CARD","ExecutionType":"DIRECT","CardId":"k1"}`),
		says(200, `{"Id":"k1","UserId":"u1","ExpirationDate":"1229","Alias":"497010XXXXXX1119","CardProvider":"VISA","Active":true,"Fingerprint":"f1"}`))
	got, err := c.Look(t.Context(), provider.Ref{Object: "p1"})
	if err != nil || got.State != provider.Succeeded || got.Received.Minor != 4200 {
		t.Fatalf("%+v, %v", got, err)
	}
	charge := got.Charge
	if charge.Place != "w7" || charge.Fee.Minor != 0 || charge.Label != "Visa ···· 1119" || !charge.Happened.Equal(time.Unix(1700000100, 0)) ||
		*charge.Instrument != (provider.Instrument{Kind: provider.KindCard, Ref: "cards/k1", Payer: "u1", Label: charge.Label, ExpYear: 2029, ExpMonth: 12, Fingerprint: "f1"}) {
		t.Errorf("%+v, %+v", charge, charge.Instrument)
	}
}

// What a refusal of a refund means: nobody is called for one that ends by itself, and none is tried again that nothing mends.
func TestRefund_Refused(t *testing.T) {
	t.Parallel()
	const sum = `"DebitedFunds":{"Currency":"EUR","Amount":4200}`
	paid := `{"Id":"p1","AuthorId":"u1","CreationDate":1700000000,"ExecutionDate":1700000100,"Status":"SUCCEEDED",` + sum + `}`
	for result, want := range map[string]error{"001401": provider.ErrFinal, "005403": provider.ErrFinal, "001001": provider.ErrRefused, "009199": provider.ErrRefused} {
		_, c := newServer(t, says(200, paid), says(200, `{"Id":"r1","Status":"FAILED","ResultCode":"`+result+`","CreationDate":1700000200,`+sum+`}`), says(200, `[]`))
		_, err := c.Refund(t.Context(), provider.RefundOrder{Key: "k", Money: "p1"})
		if !errors.Is(err, want) || errors.Is(err, provider.ErrFinal) != errors.Is(want, provider.ErrFinal) {
			t.Errorf("%s: %v", result, err)
		}
	}
	for result, want := range map[string]time.Time{"001405": time.Unix(1700000100, 0).Add(7 * 24 * time.Hour), "005407": time.Date(2023, 11, 15, 1, 0, 0, 0, time.UTC)} {
		_, c := newServer(t, says(200, paid), says(200, `{"Id":"r1","Status":"FAILED","ResultCode":"`+result+`","CreationDate":1700000200,`+sum+`}`))
		_, err := c.Refund(t.Context(), provider.RefundOrder{Key: "k", Money: "p1"})
		var early *provider.NotYetError
		if !errors.As(err, &early) || !early.After.Equal(want) {
			t.Errorf("%s: %v", result, err)
		}
	}
	for standing, want := range map[string]error{`"Status":"CREATED"`: provider.ErrDisputed, `"Status":"CLOSED","ResultCode":"LOST"`: provider.ErrDisputed,
		`"Status":"CLOSED","ResultCode":"WON"`: provider.ErrRefused, `"Status":"CLOSED","ResultCode":"VOID"`: provider.ErrRefused} {
		_, c := newServer(t, says(200, paid), says(200, `{"Id":"r1","Status":"FAILED","ResultCode":"001099",`+sum+`}`),
			says(200, `[{"Id":"d1","DisputeType":"CONTESTABLE",`+standing+`,"DisputedFunds":{"Currency":"EUR","Amount":4200}}]`))
		if _, err := c.Refund(t.Context(), provider.RefundOrder{Key: "k", Money: "p1"}); !errors.Is(err, want) {
			t.Errorf("of one whose dispute is %s: %v, want %v", standing, err, want)
		}
	}
}

// What is sent of a payment is what Mangopay wants, and the same for one key but for the browser.
func TestBegin_Sends(t *testing.T) {
	t.Parallel()
	s, c := newServer(t, says(200, `{"Id":"p1","Status":"CREATED","PaymentType":"DIRECT_DEBIT","DebitedFunds":{"Currency":"EUR","Amount":1}}`))
	c.config.Wallet = wallet7
	order := provider.Order{Key: "payment:1:debit:1", Method: provider.MethodDebit, Payer: "u1", Instrument: "mandates/m1", Tag: provider.Tag{Campaign: "7", Payment: "x"}}
	if _, err := c.Begin(t.Context(), order); err != nil {
		t.Fatal(err)
	}
	var sent map[string]any
	if err := json.Unmarshal([]byte(s.bodies[0]), &sent); err != nil {
		t.Fatal(err)
	}
	if sent["MandateId"] != "m1" || sent["AuthorId"] != "u1" || sent["CreditedWalletId"] != "w7" || s.calls[0] != http.MethodPost+" /payins/directdebit/direct "+keyOf(order.Key) {
		t.Errorf("sent %v by %s", sent, s.calls[0])
	}
	for name, bad := range map[string]provider.Order{
		"no payer":        {Method: provider.MethodPage},
		"no card":         {Method: provider.MethodCard, Payer: "u1", Browser: &provider.Browser{}},
		"nobody is there": {Method: provider.MethodCard, Payer: "u1", Instrument: "cards/1"},
		"a card's debit":  {Method: provider.MethodDebit, Payer: "u1", Instrument: "cards/1"},
	} {
		if _, err := c.Begin(t.Context(), bad); !errors.Is(err, provider.ErrFinal) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(s.calls) != 1 {
		t.Errorf("called %q", s.calls)
	}
}
