package mangopay_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/sandbox/mangopay"
)

func TestDirect_WithoutAChallengeSucceedsAtOnceAndCreditsTheWallet(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	creator, wallet := w.creator()
	card := w.card(payer, frictionless)
	w.told()
	order := directOrder(payer, wallet, card, 8000)
	order["Fees"], order["FlowDescriptor"] = eur(300), object{"Beneficiaries": []object{{"UserId": creator}}}
	in := w.post("/payins/card/direct/", order)
	w.ends(in, "SUCCEEDED", "000000")
	for name, want := range map[string]any{"SecureModeNeeded": false, "SecureModeRedirectURL": nil, "SecureModeReturnURL": nil, "Type": "PAYIN", "Nature": "REGULAR",
		"PaymentType": "CARD", "ExecutionType": "DIRECT", "CreditedUserId": creator, "DebitedWalletId": nil, "CardId": card, "IpAddress": "192.0.2.1"} {
		if got, there := in[name]; got != want || !there {
			t.Errorf("%s: %v", name, got)
		}
	}
	if in["ExecutionDate"] == nil || in["CreditedFunds"].(map[string]any)["Amount"] != float64(7700) {
		t.Errorf("%v", in)
	}
	w.balances(map[string]int64{wallet: 7700, "FEES_EUR": 300})
	if told := w.told(); !slices.Equal(told, []string{"PAYIN_NORMAL_CREATED " + id(in), "PAYIN_NORMAL_SUCCEEDED " + id(in)}) {
		t.Errorf("%v", told)
	}
	if got := w.get("/payins/" + id(in)); got["Status"] != "SUCCEEDED" || got["FlowDescriptor"] == nil {
		t.Errorf("%v", got)
	}
}

func TestChallenge_ComesByTheCardTheModeAndTheAmount(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	for _, tc := range []struct {
		number, mode string
		amount       int64
		asked        bool
	}{
		{frictionless, "DEFAULT", 100000, false}, {frictionless, "NO_CHOICE", 1000, false}, {frictionless, "FORCE", 1000, true},
		{challenged, "DEFAULT", 1000, true}, {plain, "DEFAULT", 5000, false}, {plain, "DEFAULT", 5001, true},
	} {
		order := directOrder(payer, wallet, w.card(payer, tc.number), tc.amount)
		order["SecureMode"] = tc.mode
		in := w.post("/payins/card/direct", order)
		if asked := in["Status"] == "CREATED" && in["SecureModeNeeded"] == true && in["SecureModeRedirectURL"] != nil; asked != tc.asked {
			t.Errorf("%+v: %v %v", tc, in["Status"], in["SecureModeNeeded"])
		}
	}
}

// asked is a pay-in whose bank asks.
func (w *world) asked(amount int64) (in object, wallet string) {
	w.t.Helper()
	payer := w.payer("Maija")
	_, wallet = w.creator()
	in = w.post("/payins/card/direct", directOrder(payer, wallet, w.card(payer, challenged), amount))
	w.ends(in, "CREATED", "")
	return in, wallet
}

func TestChallengePage_PassesFailsOrIsLeftAndSendsThePayerBack(t *testing.T) {
	w := start(t)
	for _, tc := range []struct {
		outcome, status, code string
		amount, credited      int64
	}{
		{"pass", "SUCCEEDED", "000000", 1000, 1000}, {"fail", "FAILED", "101301", 1000, 0}, {"leave", "CREATED", "", 1000, 0},
		{"pass", "FAILED", "101101", 33305, 0}, // the bank refuses after its question
	} {
		in, wallet := w.asked(tc.amount)
		page := in["SecureModeRedirectURL"].(string)
		if strings.Contains(page, id(in)) {
			t.Error("the address of a page tells nothing")
		}
		back := w.visit(page, url.Values{"outcome": {tc.outcome}})
		if back != "https://shop.test/back?p=1&transactionId="+id(in) || back != in["SecureModeReturnURL"] {
			t.Errorf("%s: %s", tc.outcome, back)
		}
		w.ends(w.get("/payins/"+id(in)), tc.status, tc.code)
		w.balances(map[string]int64{wallet: tc.credited})
	}
}

func TestChallengePage_IsUsedOnceAndCreditsOnce(t *testing.T) {
	w := start(t)
	in, wallet := w.asked(1000)
	page := in["SecureModeRedirectURL"].(string)
	w.visit(page, url.Values{"outcome": {"pass"}})
	token := page[strings.IndexByte(page, '=')+1:]
	for _, outcome := range []string{"pass", "fail"} {
		status, header, _ := w.raw(http.MethodPost, page, url.Values{"outcome": {outcome}, "token": {token}}.Encode(),
			http.Header{"Content-Type": {"application/x-www-form-urlencoded"}})
		if status != http.StatusFound || header.Get("Location") != in["SecureModeReturnURL"] {
			t.Errorf("%s again: %d", outcome, status)
		}
	}
	w.must(w.s.AnswerChallenge(id(in), true))
	w.ends(w.get("/payins/"+id(in)), "SUCCEEDED", "000000")
	w.balances(map[string]int64{wallet: 1000})
}

func TestChallenge_EndsAfterAQuarterOfAnHour(t *testing.T) {
	w := start(t)
	in, wallet := w.asked(1000)
	w.pass(15*time.Minute - time.Second)
	w.ends(w.get("/payins/"+id(in)), "CREATED", "")
	w.pass(time.Second)
	w.ends(w.get("/payins/"+id(in)), "FAILED", "101304")
	w.must(w.s.AnswerChallenge(id(in), true))
	w.balances(map[string]int64{wallet: 0})
}

func TestDirect_AmountsAndCardsMakeTheCodesAppear(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	card := w.card(payer, frictionless)
	for amount, code := range map[int64]string{
		33313: "001013", 33363: "008005", 33334: "008006", 33303: "009103", 33394: "009199", 33391: "009499", 33305: "101101", 33360: "101104",
		33307: "101105", 33338: "101111", 33361: "101115", 33398: "101199", 33310: "101410", 33314: "105101", 33355: "105103", 33312: "01902",
		33333: "02624", 33351: "101102", 33358: "101103",
	} {
		w.ends(w.post("/payins/card/direct", directOrder(payer, wallet, card, amount)), "FAILED", code)
	}
	w.s.ForceCode("101115")
	w.ends(w.post("/payins/card/direct", directOrder(payer, wallet, card, 1000)), "FAILED", "101115")
	w.ends(w.post("/payins/card/direct", directOrder(payer, wallet, card, 1000)), "SUCCEEDED", "000000")
	order := directOrder(payer, wallet, card, 1000)
	order["Fees"] = eur(1000)
	w.ends(w.post("/payins/card/direct", order), "FAILED", "001014")
	w.pass(5 * 365 * 24 * time.Hour)
	w.ends(w.post("/payins/card/direct", directOrder(payer, wallet, card, 1000)), "FAILED", "101105")
	w.balances(map[string]int64{wallet: 1000})
}

func TestDirect_RefusesWhatDoesNotBelongTogether(t *testing.T) {
	w := start(t)
	payer, other := w.payer("Maija"), w.payer("Matti")
	creator, wallet := w.creator()
	card := w.card(payer, frictionless)
	with := func(name string, v any) object {
		order := directOrder(payer, wallet, card, 1000)
		if order[name] = v; v == nil {
			delete(order, name)
		}
		return order
	}
	for name, body := range map[string]object{
		"CardId": with("AuthorId", other), "CreditedUserId": with("CreditedUserId", other), "DebitedFunds.Currency": with("DebitedFunds", object{"Currency": "USD", "Amount": 1000}),
		"Fees.Currency": with("Fees", object{"Currency": "USD", "Amount": 0}), "DebitedFunds.Amount": with("DebitedFunds", eur(0)), "IpAddress": with("IpAddress", "localhost"),
		"BrowserInfo": with("BrowserInfo", nil), "SecureModeReturnURL": with("SecureModeReturnURL", "https://shop.test/"+strings.Repeat("x", 255)),
		"StatementDescriptor": with("StatementDescriptor", "Kampanja!"), "SecureMode": with("SecureMode", "SOMETIMES"), "BrowserInfo.UserAgent": with("BrowserInfo", object{"Language": "fi"}),
		"FlowDescriptor.Beneficiaries": with("FlowDescriptor", object{"Beneficiaries": []object{}}),
	} {
		w.refuses(http.MethodPost, "/payins/card/direct", body, 400, "param_error", name)
	}
	for name, body := range map[string]object{"card": with("CardId", "card_x"), "wallet": with("CreditedWalletId", "wlt_x"), "author": with("AuthorId", "user_x"),
		"beneficiary": with("FlowDescriptor", object{"Beneficiaries": []object{{"UserId": "user_x"}}})} {
		w.refuses(http.MethodPost, "/payins/card/direct", body, 404, "ressource_not_found", "RessourceNotFound")
		_ = name
	}
	if n := len(w.s.Snapshot().Transactions); n != 0 {
		t.Errorf("%d transactions of refused calls", n)
	}
	_ = creator
}

func TestGate_NoMoneyComesInForAnOwnerWhoIsNotVerified(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	creator, wallet := w.creator()
	other, _ := w.creator()
	card := w.card(payer, frictionless)
	order := func(beneficiaries ...string) object {
		o := directOrder(payer, wallet, card, 1000)
		if len(beneficiaries) > 0 {
			var list []object
			for _, b := range beneficiaries {
				list = append(list, object{"UserId": b})
			}
			o["FlowDescriptor"] = object{"Beneficiaries": list}
		}
		return o
	}
	w.ends(w.post("/payins/card/direct", order()), "SUCCEEDED", "000000")
	w.ends(w.post("/payins/card/direct", order(creator, other)), "SUCCEEDED", "000000")
	w.must(w.s.SetKYC(other, "LIGHT"))
	w.ends(w.post("/payins/card/direct", order(creator, other)), "FAILED", "002951")
	w.ends(w.post("/payins/card/direct", order(payer)), "FAILED", "002951")
	w.must(w.s.SetKYC(creator, "LIGHT"))
	w.ends(w.post("/payins/card/direct", order()), "FAILED", "002951")
	web := webOrder(payer, wallet, 1000)
	in := w.post("/payins/card/web", web)
	w.ends(in, "FAILED", "002951")
	// A payer's own wallet is no owner's.
	w.ends(w.post("/payins/card/direct", directOrder(payer, w.wallet(payer), card, 1000)), "SUCCEEDED", "000000")
	if told := w.told(); !slices.Contains(told, "USER_KYC_LIGHT "+creator) || !slices.Contains(told, "USER_KYC_REGULAR "+creator) {
		t.Errorf("%v", told)
	}
}

func webOrder(payer, wallet string, amount int64) object {
	return object{"AuthorId": payer, "CreditedWalletId": wallet, "DebitedFunds": eur(amount), "Fees": eur(0), "ReturnURL": "https://shop.test/back",
		"Culture": "FI", "CardType": "CB_VISA_MASTERCARD"}
}

func TestHostedPage_PaysCancelsAndAsksTheBank(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	card := func(number string) url.Values {
		return url.Values{"outcome": {"pass"}, "number": {number}, "expiry": {"12/30"}, "cvx": {"123"}}
	}
	begin := func(amount int64) (object, string, string) {
		in := w.post("/payins/card/web", webOrder(payer, wallet, amount))
		if in["ExecutionType"] != "WEB" || in["Status"] != "CREATED" {
			t.Fatalf("%v", in)
		}
		return in, in["RedirectURL"].(string), "https://shop.test/back?transactionId=" + id(in)
	}
	in, page, back := begin(1000)
	spaced := frictionless[:4] + " " + frictionless[4:]
	if got := w.visit(page, card(spaced)); got != back || in["ReturnURL"] != back {
		t.Errorf("%s", got)
	}
	w.ends(w.get("/payins/"+id(in)), "SUCCEEDED", "000000")

	in, page, back = begin(1000)
	if got := w.visit(page, card("4111")); got != "" {
		t.Errorf("a number that is none leads to %s", got)
	}
	bank := w.visit(page, card(challenged))
	if !strings.Contains(bank, "/3ds?token=") {
		t.Fatal(bank)
	}
	w.ends(w.get("/payins/"+id(in)), "CREATED", "")
	if got := w.visit(bank, url.Values{"outcome": {"pass"}}); got != back {
		t.Errorf("%s", got)
	}
	w.ends(w.get("/payins/"+id(in)), "SUCCEEDED", "000000")

	in, page, back = begin(1000)
	if got := w.visit(page, url.Values{"outcome": {"fail"}}); got != back {
		t.Errorf("%s", got)
	}
	w.ends(w.get("/payins/"+id(in)), "FAILED", "101002")

	in, page, _ = begin(33338)
	w.visit(page, card(frictionless))
	w.ends(w.get("/payins/"+id(in)), "FAILED", "101111")

	in, _, _ = begin(1000)
	w.pass(15 * time.Minute)
	w.ends(w.get("/payins/"+id(in)), "FAILED", "001034")
	w.balances(map[string]int64{wallet: 2000})
}

func TestPayOnPage_IsThePayerInProcess(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	in := w.post("/payins/card/web", webOrder(payer, wallet, 1000))
	asked, err := w.s.PayOnPage(id(in), mangopay.CardInput{Number: challenged, Expiry: "1230", CVX: "123"})
	if err != nil || !asked {
		t.Fatal(asked, err)
	}
	w.must(w.s.AnswerChallenge(id(in), true))
	w.ends(w.get("/payins/"+id(in)), "SUCCEEDED", "000000")
}
