package mangopay_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

const iban = "FR7630004000031234567890143"

func accountOrder(iban string) object {
	return object{"OwnerName": "Maija M", "OwnerAddress": object{"AddressLine1": "Katu 1", "City": "Helsinki", "PostalCode": "00100", "Country": "FI"},
		"IBAN": iban, "BIC": "BNPAFRPP"}
}

func (w *world) account(user string) string {
	w.t.Helper()
	return id(w.post("/users/"+user+"/bankaccounts/iban", accountOrder(iban)))
}

func mandateOrder(account string) object {
	return object{"BankAccountId": account, "Culture": "EN", "ReturnURL": "https://shop.test/back?p=1"}
}

// mandate is one that its payer confirmed.
func (w *world) mandate(user string) string {
	w.t.Helper()
	m := id(w.post("/mandates/directdebit/web", mandateOrder(w.account(user))))
	w.must(w.s.ConfirmMandate(m, true))
	return m
}

func debitOrder(payer, wallet, mandate string, amount int64) object {
	return object{"AuthorId": payer, "CreditedWalletId": wallet, "DebitedFunds": eur(amount), "Fees": eur(0), "MandateId": mandate}
}

func TestBankAccounts_HaveAValidIBANAndEndForGood(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	made := w.post("/users/"+payer+"/bankaccounts/IBAN", accountOrder("fr76 3000 4000 0312 3456 7890 143"))
	if made["IBAN"] != iban || made["Type"] != "IBAN" || made["Active"] != true || made["UserId"] != payer {
		t.Errorf("%v", made)
	}
	for _, bad := range []string{"FR7630004000031234567890144", "FR763000400003123456789014", "XX7630004000031234567890143", "FR76"} {
		w.refuses(http.MethodPost, "/users/"+payer+"/bankaccounts/iban", accountOrder(bad), 400, "param_error", "IBAN")
	}
	for _, good := range []string{"FI2112345600000785", "DE89370400440532013000", "GB29NWBK60161331926819"} {
		w.post("/users/"+payer+"/bankaccounts/iban", accountOrder(good))
	}
	at := "/users/" + payer + "/bankaccounts/" + id(made)
	w.refuses(http.MethodGet, "/users/"+w.payer("Matti")+"/bankaccounts/"+id(made), nil, 404, "ressource_not_found")
	w.ok(http.MethodPut, at, object{"Active": false})
	w.refuses(http.MethodPut, at, object{"Active": true}, 400, "param_error", "Active")
	w.refuses(http.MethodPost, "/mandates/directdebit/web", mandateOrder(id(made)), 400, "param_error", "BankAccountId")
	if all, _ := w.list("/users/" + payer + "/bankaccounts"); len(all) != 4 {
		t.Errorf("%v", all)
	}
}

func TestMandates_AreConfirmedOrRefusedOnTheirPage(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	account := w.account(payer)
	for outcome, want := range map[string][2]string{"pass": {"SUBMITTED", ""}, "fail": {"FAILED", "001805"}, "leave": {"CREATED", ""}} {
		m := w.post("/mandates/directdebit/web", mandateOrder(account))
		if m["Scheme"] != nil || m["BankReference"] != nil || m["MandateType"] != "DIRECT_DEBIT" || m["ExecutionType"] != "WEB" {
			t.Errorf("%v", m)
		}
		back := w.visit(m["RedirectURL"].(string), url.Values{"outcome": {outcome}})
		if back != "https://shop.test/back?p=1&MandateId="+id(m) || back != m["ReturnURL"] {
			t.Errorf("%s", back)
		}
		m = w.get("/mandates/" + id(m))
		w.ends(m, want[0], want[1])
		if outcome == "pass" && (m["Scheme"] != "SEPA" || !strings.HasPrefix(m["BankReference"].(string), "MANGOPAY-")) {
			t.Errorf("%v", m)
		}
	}
	for _, list := range []string{"/mandates", "/users/" + payer + "/mandates", "/users/" + payer + "/bankaccounts/" + account + "/mandates"} {
		if found, _ := w.list(list); len(found) != 3 {
			t.Errorf("%s: %d", list, len(found))
		}
	}
	order := mandateOrder(account)
	order["Culture"] = "FI"
	w.refuses(http.MethodPost, "/mandates/directdebit/web", order, 400, "param_error", "Culture")
	nordic := id(w.post("/users/"+payer+"/bankaccounts/iban", accountOrder("SE4550000000058398257466")))
	w.refuses(http.MethodPost, "/mandates/directdebit/web", mandateOrder(nordic), 400, "param_error", "BankAccountId")
}

func TestMandates_EndInTimeAndByUs(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	left := id(w.post("/mandates/directdebit/web", mandateOrder(w.account(payer))))
	w.refuses(http.MethodPut, "/mandates/"+left+"/cancel", nil, 400, "mandate_cannot_be_cancelled")
	cancelled, unused := w.mandate(payer), w.mandate(payer)
	w.ends(w.ok(http.MethodPut, "/mandates/"+cancelled+"/cancel", nil), "FAILED", "001806")
	w.told()
	w.pass(time.Hour)
	w.ends(w.get("/mandates/"+left), "FAILED", "001807")
	if told := w.told(); !slices.Equal(told, []string{"MANDATE_FAILED " + left}) {
		t.Errorf("%v", told)
	}
	w.pass(730 * 24 * time.Hour)
	w.ends(w.get("/mandates/"+unused), "EXPIRED", "")
}

func TestDebits_EndADayAfterTheirChargeByTheNameOfThePayer(t *testing.T) {
	w := start(t)
	_, wallet := w.creator()
	for name, want := range map[string][2]string{"Successful": {"SUCCEEDED", "000000"}, "Maija": {"SUCCEEDED", "000000"}, "Penniless": {"FAILED", "001830"}} {
		payer := w.payer(name)
		m := w.mandate(payer)
		before := w.balance(wallet)
		in := w.post("/payins/directdebit/direct", debitOrder(payer, wallet, m, 5000))
		w.ends(in, "CREATED", "")
		charge := time.Unix(int64(in["ChargeDate"].(float64)), 0).UTC()
		if in["PaymentType"] != "DIRECT_DEBIT" || in["MandateId"] != m || charge.Hour() != 0 || !charge.After(w.now) {
			t.Errorf("%v", in)
		}
		w.pass(charge.Add(24*time.Hour - time.Second).Sub(w.now))
		w.ends(w.get("/payins/"+id(in)), "CREATED", "")
		if w.get("/mandates/" + m)["Status"] != "SUBMITTED" {
			t.Error("a mandate is active by its first success")
		}
		w.pass(time.Second)
		w.ends(w.get("/payins/"+id(in)), want[0], want[1])
		succeeded := want[0] == "SUCCEEDED"
		if (w.get("/mandates/" + m)["Status"] == "ACTIVE") != succeeded || (w.balance(wallet) == before+5000) != succeeded {
			t.Errorf("%s: %v, %d", name, w.get("/mandates/" + m)["Status"], w.balance(wallet)-before)
		}
		if of, _ := w.list("/mandates/" + m + "/transactions"); len(of) != 1 {
			t.Errorf("%v", of)
		}
	}
}

func TestDebits_OrderedBeforeHalfPastFiveAreChargedTheNextDay(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	m := w.mandate(payer)
	for _, tc := range []struct {
		at   string
		want string
	}{{"2026-11-10T04:29:00Z", "2026-11-11"}, {"2026-11-10T04:30:00Z", "2026-11-12"}} {
		at, err := time.Parse(time.RFC3339, tc.at)
		w.must(err)
		w.now = at
		w.logIn()
		in := w.post("/payins/directdebit/direct", debitOrder(payer, wallet, m, 5000))
		if got := time.Unix(int64(in["ChargeDate"].(float64)), 0).UTC().Format(time.DateOnly); got != tc.want {
			t.Errorf("%s: %s", tc.at, got)
		}
	}
}

func TestDebits_NeedAMandateOfThePayerThatIsConfirmed(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	creator, wallet := w.creator()
	m := id(w.post("/mandates/directdebit/web", mandateOrder(w.account(payer))))
	in := w.post("/payins/directdebit/direct", debitOrder(payer, wallet, m, 5000))
	w.ends(in, "FAILED", "001833")
	if in["ChargeDate"] != nil {
		t.Errorf("%v", in)
	}
	w.must(w.s.ConfirmMandate(m, true))
	w.refuses(http.MethodPost, "/payins/directdebit/direct", debitOrder(w.payer("Matti"), wallet, m, 5000), 400, "param_error", "MandateId")
	w.ends(w.post("/payins/directdebit/direct", debitOrder(payer, wallet, m, 2500_01)), "FAILED", "001011")
	w.must(w.s.SetKYC(creator, "LIGHT"))
	w.ends(w.post("/payins/directdebit/direct", debitOrder(payer, wallet, m, 5000)), "FAILED", "002951")
}

func TestDebits_OfAFicklePayerAreTakenBackAfterTheSuccess(t *testing.T) {
	w := start(t)
	payer := w.payer("Fickle")
	_, wallet := w.creator()
	in := w.post("/payins/directdebit/direct", debitOrder(payer, wallet, w.mandate(payer), 5000))
	w.pass(3 * 24 * time.Hour)
	w.ends(w.get("/payins/"+id(in)), "SUCCEEDED", "000000")
	w.pass(2 * 24 * time.Hour)
	found, _ := w.list("/payins/" + id(in) + "/disputes")
	if len(found) != 1 || found[0]["DisputeType"] != "NOT_CONTESTABLE" || found[0]["Status"] != "CLOSED" || found[0]["ResultCode"] != "LOST" ||
		found[0]["DisputeReason"].(map[string]any)["DisputeReasonType"] != "LATE_FAILURE_INSUFFICIENT_FUNDS" {
		t.Fatalf("%v", found)
	}
	w.balances(map[string]int64{wallet: 5000, "CREDIT_EUR": -5000})
}

func TestDebits_AreRefundedAfterAWeek(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	in := w.post("/payins/directdebit/direct", debitOrder(payer, wallet, w.mandate(payer), 5000))
	w.pass(3 * 24 * time.Hour)
	refund := object{"AuthorId": payer}
	w.ends(w.post("/payins/"+id(in)+"/refunds", refund), "FAILED", "001405")
	w.pass(7 * 24 * time.Hour)
	w.ends(w.post("/payins/"+id(in)+"/refunds", refund), "SUCCEEDED", "000000")
	w.balances(map[string]int64{wallet: 0})
}
