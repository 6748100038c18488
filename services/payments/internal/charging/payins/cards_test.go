package payins_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

func TestCard_PaysAtOnce(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	order := b.Order(pledge, paymentstest.PlainCard)
	paid := b.Pay(order)
	if p := paid.PayIn; p.Status != "SUCCEEDED" || p.ResultCode != "000000" || p.ResultMessage == "" || p.SecureModeNeeded || paid.Payment.Status != "succeeded" {
		t.Errorf("%+v", paid)
	}
	if status, code := b.Call("payin", order, nil, nil); status != http.StatusConflict || code != "pledge_already_paid" {
		t.Errorf("once more: %d %s", status, code)
	}
	if got := b.Balance(); got != 5000 {
		t.Errorf("the wallet has %d", got)
	}
	b.Settle()
	if heard := b.Content.Heard(pledge); len(heard) != 2 || heard[1].Type != contentclient.PaymentSucceeded || heard[1].Provider != "mangopay" {
		t.Errorf("content heard %+v", heard)
	}
}

// The payer comes back to where the call said, with the answer in the provider's hands alone: asking how the payment stands is enough, and
// what the provider tells later changes nothing.
func TestCard_ItsBankAsks_TheAnswerDecides(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	for outcome, want := range map[string]string{"pass": "succeeded", "fail": "created"} {
		pledge := b.Pledge()
		order := b.Order(pledge, paymentstest.AskedCard)
		order["secureModeReturnURL"] = paymentstest.PublicURL + "/en/payment-return/?from=bank&pledge=" + pledge // another than the order's own
		asked := b.Pay(order)
		if p := asked.PayIn; p.Status != "CREATED" || !p.SecureModeNeeded || p.SecureModeRedirectURL == "" || asked.Payment.Status != "requires_action" {
			t.Fatalf("%+v", asked)
		}
		if again := b.Pay(order); again.PayIn != asked.PayIn {
			t.Errorf("while the bank asks: %+v", again)
		}
		back := atPage(b, asked.PayIn.SecureModeRedirectURL, outcome)
		if want := order["secureModeReturnURL"].(string) + "&transactionId=" + asked.PayIn.ID; back != want {
			t.Errorf("comes back to %s, not %s", back, want)
		}
		seen := b.Payment(pledge)
		if seen.Status != want {
			t.Errorf("%s: is %+v", outcome, seen)
		}
		before := len(b.Content.Heard(pledge))
		for range 2 {
			if _, err := b.App.Payments.Advance(t.Context(), seen.ID, "webhook"); err != nil {
				t.Fatal(err)
			}
		}
		b.Settle()
		if after := b.Payment(pledge); after != seen {
			t.Errorf("%s: after the hook it is %+v", outcome, after)
		}
		if outcome == "fail" && (seen.FailureCode != "authentication_failed" || before != 0) {
			t.Errorf("%+v", seen)
		}
	}
	if got := b.Balance(); got != 5000 {
		t.Errorf("the wallet has %d", got)
	}
}

var token = regexp.MustCompile(`name="token" value="([^"]+)"`)

// atPage is a payer at a page of provider B, and gives where it sends them.
func atPage(b *paymentstest.B, address, outcome string) string {
	b.T.Helper()
	shown := httptest.NewRecorder()
	b.At.Handler().ServeHTTP(shown, httptest.NewRequestWithContext(b.T.Context(), http.MethodGet, address, http.NoBody))
	found := token.FindStringSubmatch(shown.Body.String())
	if found == nil {
		b.T.Fatalf("the page shows %s", shown.Body)
	}
	to, _, _ := strings.Cut(address, "?")
	r := httptest.NewRequestWithContext(b.T.Context(), http.MethodPost, to, strings.NewReader(url.Values{"token": {found[1]}, "outcome": {outcome}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.RequestURI = ""
	answer, err := b.At.Transport().RoundTrip(r)
	if err != nil {
		b.T.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.Header.Get("Location")
}

// What a bank refuses is an answer with its code; the payment waits for another card.
func TestCard_Refused_TheCodeReachesTheCaller(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t, func(c *app.Config) { c.DeclinesPerHour = 1000 })
	for _, code := range []string{"101105", "101410", "01902", "009499", "009199", "009103", "008006", "008005", "101115", "101111", "101104", "101199", "101103",
		"101102", "101101", "105103", "105101", "001013", "101399"} {
		pledge := b.Pledge()
		order := b.Order(pledge, paymentstest.PlainCard)
		b.At.ForceCode(code)
		refused := b.Pay(order)
		if p := refused.PayIn; p.Status != "FAILED" || p.ResultCode != code || p.ResultMessage == "" || refused.Payment.Status != "created" || refused.Payment.FailureCode == "" {
			t.Errorf("%s: %+v", code, refused)
		}
	}
	pledge := b.Pledge()
	b.At.ForceCode("101101")
	b.Pay(b.Order(pledge, paymentstest.PlainCard))
	if paid := b.Pay(b.Order(pledge, paymentstest.OtherCard)); paid.PayIn.Status != "SUCCEEDED" {
		t.Errorf("another card: %+v", paid)
	}
}

func TestCard_AfterTenRefusals_ThePaymentEnds(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t, func(c *app.Config) { c.DeclinesPerHour = 1000 })
	pledge := b.Pledge()
	order := b.Order(pledge, paymentstest.PlainCard)
	for range 10 {
		b.At.ForceCode("101101")
		b.Pay(order)
	}
	if status, code := b.Call("payin", order, nil, nil); status != http.StatusConflict || code != "too_many_declines" {
		t.Errorf("%d %s", status, code)
	}
}

// A registration makes one card, however often its end is handed in; one that comes to nothing says why.
func TestRegistration_MakesOneCard_OrSaysWhyNot(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	for want, change := range map[string]func(*string, *string, *string){
		"105202": func(number, _, _ *string) { *number = "4970107111111110" },
		"105203": func(_, expiry, _ *string) { *expiry = "1399" },
		"105204": func(_, _, cvx *string) { *cvx = "12" },
		"02624":  func(_, expiry, _ *string) { *expiry = "0120" },
		"01902":  func(_, _, cvx *string) { *cvx = "902" },
	} {
		card := paymentstest.CardOf(paymentstest.PlainCard)
		change(&card.Number, &card.Expiry, &card.CVX)
		if done := b.Finish(pledge, b.Begin(pledge), card, false); done.ResultCode != want || done.CardID != "" || done.Label != "" {
			t.Errorf("%s: %+v", want, done)
		}
	}
	r := b.Begin(pledge)
	first := b.Finish(pledge, r, paymentstest.CardOf(paymentstest.PlainCard), false)
	if first.CardID == "" || first.Label != "Visa ···· 1119" || first.ResultCode != "" {
		t.Fatalf("%+v", first)
	}
	if again := b.Finish(pledge, r, paymentstest.CardOf(paymentstest.OtherCard), false); again != first {
		t.Errorf("used twice it gives %+v", again)
	}
	late := b.Begin(pledge)
	b.Pass(7 * time.Hour)
	if done := b.Finish(pledge, late, paymentstest.CardOf(paymentstest.PlainCard), false); done.CardID != "" || done.ResultCode != "02631" {
		t.Errorf("too late: %+v", done)
	}
}

// Whose card is registered is asked for each time: another's registration or card is not there.
func TestRegistration_OfSomebodyElse_IsNotThere(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	mine, theirs := b.Pledge(), b.Pledge()
	order, r := b.Order(mine, paymentstest.PlainCard), b.Begin(theirs)
	if status, code := b.Call("finish-card-registration", map[string]any{"pledgeId": mine, "registrationId": r.CardRegistration.ID, "registrationData": "data=x"}, nil, nil); status != http.StatusNotFound {
		t.Errorf("another's registration: %d %s", status, code)
	}
	foreign := b.Finish(theirs, r, paymentstest.CardOf(paymentstest.OtherCard), false).CardID
	for _, card := range []string{foreign, "card_none", "../users/1"} {
		order["cardId"] = card
		if status, code := b.Call("payin", order, nil, nil); status != http.StatusNotFound {
			t.Errorf("the card %s: %d %s", card, status, code)
		}
	}
	if status, code := b.Call("payin", paymentstest.OrderBy(b.Pledge(), r, foreign), nil, nil); status != http.StatusNotFound {
		t.Errorf("a pledge of which nothing was registered: %d %s", status, code)
	}
	if n := b.Balance(); n != 0 {
		t.Errorf("the wallet has %d", n)
	}
}

// What a caller says and we know is compared, and nothing is charged when it differs.
func TestPayIn_SaysWhatWeKnow_OrIsRefusedByField(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	order := b.Order(pledge, paymentstest.PlainCard)
	for _, c := range []struct {
		field string
		value any
	}{
		{"amount", 4999}, {"amount", 5001}, {"amount", 1}, {"authorId", b.Wallet.Owner}, {"creditedWalletId", "wlt_other"},
		{"secureModeReturnURL", "https://evil.example/fi/"}, {"secureModeReturnURL", "http://talkoot.example/fi/"},
		{"secureModeReturnURL", "https://talkoot.example.evil.example/"}, {"secureModeReturnURL", "https://talkoot.example@evil.example/"},
		{"secureModeReturnURL", `https://talkoot.example/\evil.example/`}, {"secureModeReturnURL", "//talkoot.example/fi/"},
		{"secureModeReturnURL", "javascript:alert(1)"}, {"secureModeReturnURL", "https://user@talkoot.example/"},
	} {
		body := paymentstest.OrderBy(pledge, paymentstest.Registration{}, "")
		for k, v := range order {
			body[k] = v
		}
		body[c.field] = c.value
		status, answer := b.Raw("payin", body)
		if status != http.StatusUnprocessableEntity || !strings.Contains(answer, `"path":"`+c.field+`"`) {
			t.Errorf("%s %v: %d %s", c.field, c.value, status, answer)
		}
	}
	if n := b.Balance(); n != 0 {
		t.Errorf("the wallet has %d", n)
	}
	if paid := b.Pay(order); paid.PayIn.Status != "SUCCEEDED" {
		t.Errorf("as it is: %+v", paid)
	}
}

// A call by a key takes effect once: a repeat says what became of that charge, also when it was refused; another body is refused.
func TestPayIn_ByAKey_IsOneCharge(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	order := b.Order(pledge, paymentstest.PlainCard)
	key := func(k string) map[string]string {
		return map[string]string{"Idempotency-Key": k + "-0123456789abcdef", "Authorization": paymentstest.Anyone}
	}
	call := func(k string) (out paymentstest.PayIn) {
		t.Helper()
		if status, code := b.Call("payin", order, key(k), &out); status != http.StatusOK {
			t.Fatal(status, code)
		}
		return out
	}
	b.At.ForceCode("101101")
	refused := call("first")
	for range 2 {
		if again := call("first"); again.PayIn != refused.PayIn || again.PayIn.ResultCode != "101101" {
			t.Errorf("the repeat of what was refused: %+v", again)
		}
	}
	paid := call("second")
	if again := call("second"); again.PayIn != paid.PayIn || again.PayIn.Status != "SUCCEEDED" || again.Payment.Status != "succeeded" {
		t.Errorf("the repeat of what was paid: %+v", again)
	}
	order["secureModeReturnURL"] = paymentstest.PublicURL + "/en/"
	if status, code := b.Call("payin", order, key("second"), nil); status != http.StatusConflict || code != "idempotency_mismatch" {
		t.Errorf("another body: %d %s", status, code)
	}
	if n := b.Count(`attempts WHERE object_ref IS NOT NULL`); n != 2 || b.Balance() != 5000 {
		t.Errorf("%d charges, the wallet has %d", n, b.Balance())
	}
}

// A second call of a key, which comes before the first one's is kept (at the same time, or after a crash), is about the first one's charge.
func TestPayIn_ByAKeyThatIsNotKeptYet_IsOneCharge(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	for _, code := range []string{"101101", ""} {
		order := b.Order(b.Pledge(), paymentstest.PlainCard)
		key := map[string]string{"Idempotency-Key": "first-0123456789abcdef", "Authorization": paymentstest.Anyone}
		if code != "" {
			b.At.ForceCode(code)
		}
		var first, second paymentstest.PayIn
		for _, into := range []*paymentstest.PayIn{&first, &second} {
			if status, code := b.Call("payin", order, key, into); status != http.StatusOK {
				t.Fatal(status, code)
			}
			b.Exec(`DELETE FROM idempotency_keys`)
		}
		if second.PayIn != first.PayIn || code != "" && first.PayIn.ResultCode != code {
			t.Errorf("%q: %+v, then %+v", code, first, second)
		}
	}
	if n := b.Count(`attempts WHERE object_ref IS NOT NULL`); n != 2 {
		t.Errorf("%d charges of two calls", n)
	}
}

// Whatever becomes of the provider's answers, the card is charged once, and the same call brings it to its end.
func TestPayIn_TheAnswerIsLost_IsChargedOnce(t *testing.T) {
	t.Parallel()
	for kind, times := range map[string]int{"cut_after": 3, "500_after": 3, "cut_before": 3, "500": 3, "500_stored": 1, "429": 1, "401": 1} {
		b := paymentstest.NewB(t)
		pledge := b.Pledge()
		order := b.Order(pledge, paymentstest.PlainCard)
		b.Fails(kind, times, http.MethodPost, "/payins/card/direct")
		status, code := b.Call("payin", order, nil, nil)
		for range 4 {
			if status == http.StatusOK || code == "pledge_already_paid" {
				break
			}
			if status != http.StatusServiceUnavailable {
				t.Errorf("%s: %d %s", kind, status, code)
			}
			b.Pass(time.Minute)
			status, code = b.Call("payin", order, nil, nil)
		}
		if got := b.Payment(pledge); got.Status != "succeeded" || b.Balance() != 5000 {
			t.Errorf("%s: %d %s, is %s, the wallet has %d", kind, status, code, got.Status, b.Balance())
		}
	}
}

// A failure that the provider keeps under the key of a try, of which nobody heard, is no reason to wait for that try.
func TestPayIn_WhoseFailureIsStored_IsGivenUpByTheWorker(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	order := b.Order(pledge, paymentstest.PlainCard)
	b.Fails("500_stored", 1, http.MethodPost, "/payins/card/direct")
	b.Fails("503", 3, http.MethodGet, "/responses")
	if status, code := b.Call("payin", order, nil, nil); status != http.StatusServiceUnavailable {
		t.Fatalf("%d %s", status, code)
	}
	b.Pass(3 * time.Minute)
	b.Settle()
	if n := b.Count(`attempts WHERE status = 'abandoned'`); n != 1 {
		t.Errorf("%d attempts are given up", n)
	}
	b.Pay(order)
	b.WantStatus(pledge, "succeeded")
}

// While the provider does not answer at all the caller hears so, nothing is charged, and the pledge can be paid later.
func TestCalls_TheProviderIsAway_SayUnavailable(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	order := b.Order(pledge, paymentstest.PlainCard)
	b.Fails("cut_before", 1000, "", "")
	for call, body := range map[string]map[string]any{"payin": order, "card-registration-data": {"pledgeId": pledge}, "get-bank-accounts": {"pledgeId": pledge}} {
		if status, code := b.Call(call, body, nil, nil); status != http.StatusServiceUnavailable || code != "provider_unavailable" {
			t.Errorf("%s: %d %s", call, status, code)
		}
	}
	if err := b.At.Calm(); err != nil {
		t.Fatal(err)
	}
	b.Pass(10 * time.Minute)
	b.Eventually("the provider to be tried again", func() bool {
		status, _ := b.Call("payin", order, nil, nil)
		return status != http.StatusServiceUnavailable
	})
	if n := b.Balance(); n != 5000 {
		t.Errorf("the wallet has %d", n)
	}
}

// A card's number is in no log and no table.
func TestCardNumbers_AreNowhere(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	user := int64(41)
	pledge := b.Content.Pledge(b.Now(), func(o *contentclient.Order) { o.BackerUserID = &user })
	r := b.Begin(pledge)
	done := b.Finish(pledge, r, paymentstest.CardOf(paymentstest.PlainCard), true)
	b.Fails("500_after", 3, http.MethodPost, "/payins/card/direct")
	b.Call("payin", paymentstest.OrderBy(pledge, r, done.CardID), nil, nil)
	b.Call("payin", paymentstest.OrderBy(pledge, r, done.CardID), nil, nil)
	b.Call("finish-card-registration", map[string]any{"pledgeId": pledge, "registrationId": r.CardRegistration.ID, "registrationData": "data=" + paymentstest.PlainCard}, nil, nil)
	var all string
	b.Scan(&all, `SELECT coalesce(string_agg(t, ' '), '') FROM (SELECT payments::text AS t FROM payments UNION ALL SELECT attempts::text FROM attempts
		UNION ALL SELECT kept_cards::text FROM kept_cards UNION ALL SELECT outbox::text FROM outbox UNION ALL SELECT idempotency_keys::text FROM idempotency_keys) AS all_rows`)
	for where, text := range map[string]string{"log": b.Logged(), "tables": all} {
		if strings.Contains(text, paymentstest.PlainCard) || strings.Contains(text, "data=") || strings.Contains(text, "aino@example.com") {
			t.Errorf("the %s has it: %s", where, text)
		}
	}
	if !strings.Contains(all, "1119") {
		t.Error("nothing was looked at")
	}
}

func TestCalls_OfAPledgeThatIsNotThere_AreNotFound(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	if status, code := b.Call("card-registration-data", map[string]any{"pledgeId": ids.New()}, nil, nil); status != http.StatusNotFound {
		t.Errorf("%d %s", status, code)
	}
}
