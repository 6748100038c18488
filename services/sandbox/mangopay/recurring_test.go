package mangopay_test

import (
	"net/http"
	"slices"
	"testing"
)

func TestRecurring_IsConfirmedOnceAndThenPaidWithoutThePayer(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	r := id(w.post("/recurringpayinregistrations", object{"AuthorId": payer, "CardId": w.card(payer, frictionless), "CreditedWalletId": wallet,
		"FirstTransactionDebitedFunds": eur(1000), "FirstTransactionFees": eur(10), "Frequency": "Monthly"}))
	status := func(want string) object {
		t.Helper()
		got := w.get("/recurringpayinregistrations/" + r)
		if got["Status"] != want {
			t.Errorf("%v, want %s", got["Status"], want)
		}
		return got
	}
	status("CREATED")
	at := "/payins/recurring/card/direct"
	absent := object{"RecurringPayinRegistrationId": r, "DebitedFunds": eur(2000), "Fees": eur(0)}
	present := object{"RecurringPayinRegistrationId": r, "BrowserInfo": browser(), "IpAddress": "192.0.2.1", "SecureModeReturnURL": "https://shop.test/back"}
	w.refuses(http.MethodPost, at, absent, 400, "param_error", "BrowserInfo")
	first := w.post(at, present)
	if first["Status"] != "CREATED" || first["SecureModeNeeded"] != true || first["RecurringPayinRegistrationId"] != r {
		t.Fatalf("%v", first)
	}
	w.must(w.s.AnswerChallenge(id(first), true))
	status("IN_PROGRESS")
	w.ends(w.post(at, absent), "SUCCEEDED", "000000")
	state := status("IN_PROGRESS")["CurrentState"].(map[string]any)
	if state["PayinsLinked"] != float64(2) || state["CumulatedDebitedAmount"].(map[string]any)["Amount"] != float64(3000) {
		t.Errorf("%v", state)
	}
	w.s.ForceCode("101101")
	w.ends(w.post(at, absent), "FAILED", "101101")
	status("AUTHENTICATION_NEEDED")
	w.refuses(http.MethodPost, at, absent, 400, "param_error", "BrowserInfo")
	w.must(w.s.AnswerChallenge(id(w.post(at, present)), true))
	status("IN_PROGRESS")
	w.balances(map[string]int64{wallet: 990 + 2000 + 990, "FEES_EUR": 20})
	w.ok(http.MethodPut, "/recurringpayinregistrations/"+r, object{"Status": "ENDED"})
	w.refuses(http.MethodPost, at, absent, 400, "param_error", "RecurringPayinRegistrationId")
	told := w.told()
	for _, event := range []string{"CREATED", "IN_PROGRESS", "AUTH_NEEDED", "ENDED"} {
		if !slices.Contains(told, "RECURRING_REGISTRATION_"+event+" "+r) {
			t.Errorf("no %s in %v", event, told)
		}
	}
}

func TestRecurring_AmountAndAddressMakeTheCodesAppear(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	for line, code := range map[string]string{"01100": "101101", "01116": "101199", "01125": "101106", "01131": "101305", "03022": "101301"} {
		home := object{"AddressLine1": "Katu 1", "AddressLine2": line, "City": "Helsinki", "PostalCode": "00100", "Country": "FI"}
		r := id(w.post("/recurringpayinregistrations", object{"AuthorId": payer, "CardId": w.card(payer, frictionless), "CreditedWalletId": wallet,
			"FirstTransactionDebitedFunds": eur(1000), "FirstTransactionFees": eur(0), "Billing": object{"Address": home}}))
		first := w.post("/payins/recurring/card/direct", object{"RecurringPayinRegistrationId": r, "BrowserInfo": browser(), "IpAddress": "192.0.2.1",
			"SecureModeReturnURL": "https://shop.test/back"})
		w.must(w.s.AnswerChallenge(id(first), true))
		w.ends(w.post("/payins/recurring/card/direct", object{"RecurringPayinRegistrationId": r, "DebitedFunds": eur(33501), "Fees": eur(0)}), "FAILED", code)
	}
}
