package mangopay_test

import (
	"encoding/csv"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/sandbox/mangopay"
)

func recipientOrder(iban string) object {
	return object{"DisplayName": "Main account", "PayoutMethodType": "LocalBankTransfer", "RecipientType": "Business", "Currency": "EUR", "Country": iban[:2],
		"BusinessRecipient": object{"BusinessName": "Talkoot Oy", "Address": object{"AddressLine1": "Katu 1", "City": "Helsinki", "PostalCode": "00100", "Country": "FI"}},
		"LocalBankTransfer": object{"EUR": object{"IBAN": iban}}}
}

func (w *world) recipient(user, iban string) string {
	w.t.Helper()
	r := id(w.post("/users/"+user+"/recipients", recipientOrder(iban)))
	w.must(w.s.AnswerRecipient(r, true))
	return r
}

func payOutOrder(user, wallet, recipient string, amount, fees int64) object {
	return object{"AuthorId": user, "DebitedWalletId": wallet, "DebitedFunds": eur(amount), "Fees": eur(fees), "RecipientId": recipient}
}

func TestRecipients_AreConfirmedByTheirOwnerOrWithConsent(t *testing.T) {
	w := start(t)
	user, _ := w.enrolled()
	at := "/users/" + user + "/recipients"
	for outcome, want := range map[string]string{"pass": "ACTIVE", "fail": "CANCELED", "leave": "PENDING"} {
		r := w.post(at, recipientOrder(iban))
		if r["Status"] != "PENDING" || r["RecipientScope"] != "PAYOUT" {
			t.Errorf("%v", r)
		}
		w.visit(r["PendingUserAction"].(map[string]any)["RedirectUrl"].(string)+"&returnUrl=https%3A%2F%2Fshop.test", url.Values{"outcome": {outcome}})
		if got := w.get("/recipients/" + id(r)); got["Status"] != want {
			t.Errorf("%s: %v", outcome, got)
		}
	}
	absent := recipientOrder(iban)
	absent["ScaContext"] = "USER_NOT_PRESENT"
	if r := w.post(at, absent); r["Status"] != "ACTIVE" || r["RecipientVerificationOfPayee"].(map[string]any)["RecipientVerificationCheck"] != "NO_MATCH" {
		t.Errorf("%v", r)
	}
	w.must(w.s.RevokeConsents(user))
	w.refuses(http.MethodPost, at, absent, 403, "forbidden_ressource")
	known := recipientOrder("FR7630001007941234567890185")
	known["BusinessRecipient"].(object)["BusinessName"] = "EuroCorp"
	r := w.post(at, known)
	if r["RecipientVerificationOfPayee"].(map[string]any)["RecipientVerificationCheck"] != "MATCH" {
		t.Errorf("%v", r)
	}
	if got := w.ok(http.MethodPut, "/recipients/"+id(r), object{"Status": "DEACTIVATED"}); got["Status"] != "DEACTIVATED" {
		t.Errorf("%v", got)
	}
	for field, change := range map[string]object{"DisplayName": {"DisplayName": "A & B"}, "LocalBankTransfer.EUR.IBAN": {"Country": "DE"},
		"IndividualRecipient": {"RecipientType": "Individual"}} {
		bad := recipientOrder(iban)
		for name, v := range change {
			bad[name] = v
		}
		w.refuses(http.MethodPost, at, bad, 400, "param_error", field)
		w.refuses(http.MethodPost, at+"/validate", bad, 400, "param_error", field)
	}
	if status, _ := w.call(http.MethodPost, at+"/validate", recipientOrder(iban), "validate-0123456789"); status != http.StatusNoContent {
		t.Errorf("%d", status)
	}
	if all, _ := w.list(at + "?RecipientScope=PAYOUT"); len(all) != 5 {
		t.Errorf("%d", len(all))
	}
}

func TestPayouts_LeaveTheWalletAtOnceAndArriveLater(t *testing.T) {
	w := start(t)
	user, wallet := w.enrolled()
	to := w.recipient(user, iban)
	w.paid(w.payer("Maija"), wallet, 8000, 0)
	w.told()
	out := w.post("/payouts/bankwire", payOutOrder(user, wallet, to, 3000, 100))
	w.ends(out, "CREATED", "")
	if out["ModeApplied"] != "PENDING_RESPONSE" || out["ExecutionDate"] != nil || out["ModeRequested"] != "STANDARD" || out["RecipientId"] != to {
		t.Errorf("%v", out)
	}
	w.balances(map[string]int64{wallet: 5000, "FEES_EUR": 0})
	w.pass(24 * time.Hour)
	out = w.get("/payouts/bankwire/" + id(out))
	w.ends(out, "SUCCEEDED", "000000")
	if out["ModeApplied"] != "STANDARD" {
		t.Errorf("%v", out)
	}
	w.balances(map[string]int64{wallet: 5000, "FEES_EUR": 100})
	if told := w.told(); !slices.Equal(told, []string{"PAYOUT_NORMAL_CREATED " + id(out), "PAYOUT_NORMAL_SUCCEEDED " + id(out)}) {
		t.Errorf("%v", told)
	}
	w.must(w.s.ReturnPayOut(id(out), "AC06_BLOCKED_BANKACCOUNT", 0))
	w.balances(map[string]int64{wallet: 7900})
	back, _ := w.list("/payouts/" + id(out) + "/refunds")
	if len(back) != 1 || back[0]["RefundReason"].(map[string]any)["RefundReasonType"] != "AC06_BLOCKED_BANKACCOUNT" {
		t.Fatalf("%v", back)
	}
	if told := w.told(); !slices.Contains(told, "PAYOUT_REFUND_SUCCEEDED "+id(back[0])) {
		t.Errorf("%v", told)
	}
	if w.s.ReturnPayOut(id(out), "OTHER", 0) == nil {
		t.Error("it was returned twice")
	}
}

func TestPayouts_ThatFailGiveTheSumBackOnce(t *testing.T) {
	w := start(t)
	user, wallet := w.enrolled()
	to := w.recipient(user, iban)
	w.paid(w.payer("Maija"), wallet, 8000, 0)
	out := w.post("/payouts/bankwire", payOutOrder(user, wallet, to, 3000, 100))
	w.must(w.s.SettlePayOut(id(out), "121009"))
	w.must(w.s.SettlePayOut(id(out), "000000"))
	w.ends(w.get("/payouts/"+id(out)), "FAILED", "121009")
	w.balances(map[string]int64{wallet: 8000, "FEES_EUR": 0})
	more := w.post("/payouts/bankwire", payOutOrder(user, wallet, to, 8001, 0))
	w.ends(more, "CREATED", "")
	w.must(w.s.SetKYC(user, "LIGHT"))
	unproven := w.post("/payouts/bankwire", payOutOrder(user, wallet, to, 1000, 0))
	w.balances(map[string]int64{wallet: 8000})
	w.pass(24 * time.Hour)
	w.ends(w.get("/payouts/"+id(more)), "FAILED", "121003")
	w.ends(w.get("/payouts/"+id(unproven)), "FAILED", "002996")
	w.balances(map[string]int64{wallet: 8000})
	pending := id(w.post("/users/"+user+"/recipients", recipientOrder(iban)))
	w.refuses(http.MethodPost, "/payouts/bankwire", payOutOrder(user, wallet, pending, 100, 0), 400, "param_error", "RecipientId")
}

func TestPayouts_OfABlockedOwnerFail(t *testing.T) {
	w := start(t)
	user, wallet := w.enrolled()
	to := w.recipient(user, iban)
	w.paid(w.payer("Maija"), wallet, 8000, 0)
	w.must(w.s.BlockOutflows(user, true))
	if scope := w.get("/users/" + user + "/Regulatory")["ScopeBlocked"].(map[string]any); scope["Outflows"] != true || scope["Inflows"] != false {
		t.Errorf("%v", scope)
	}
	out := w.post("/payouts/bankwire", payOutOrder(user, wallet, to, 1000, 0))
	w.pass(time.Hour)
	w.ends(w.get("/payouts/"+id(out)), "FAILED", "121004")
	if told := w.told(); !slices.Contains(told, "USER_OUTFLOWS_BLOCKED "+user) {
		t.Errorf("%v", told)
	}
}

func TestPayouts_FallBackWhereABankTakesNoInstantOnes(t *testing.T) {
	w := start(t)
	user, wallet := w.enrolled()
	quick, slow := w.recipient(user, iban), w.recipient(user, "FR541558929750ZZZZZZAC01915")
	w.paid(w.payer("Maija"), wallet, 8000, 0)
	pay := func(to, mode string) string {
		order := payOutOrder(user, wallet, to, 1000, 0)
		order["PayoutModeRequested"] = mode
		return id(w.post("/payouts/bankwire", order))
	}
	instant, back, only := pay(quick, "INSTANT_PAYMENT"), pay(slow, "INSTANT_PAYMENT"), pay(slow, "INSTANT_PAYMENT_ONLY")
	w.pass(time.Minute)
	if out := w.get("/payouts/" + instant); out["Status"] != "SUCCEEDED" || out["ModeApplied"] != "INSTANT_PAYMENT" {
		t.Errorf("%v", out)
	}
	if out := w.get("/payouts/" + back); out["Status"] != "CREATED" || out["ModeApplied"] != "STANDARD" || out["FallbackReason"].(map[string]any)["Code"] != "001999" {
		t.Errorf("%v", out)
	}
	w.ends(w.get("/payouts/"+only), "FAILED", "130011")
	w.pass(24 * time.Hour)
	w.ends(w.get("/payouts/"+back), "SUCCEEDED", "000000")
	w.balances(map[string]int64{wallet: 6000})
	ask := payOutOrder(user, wallet, slow, 1000, 0)
	ask["PayoutModeRequested"] = "INSTANT_PAYMENT"
	reach := w.post("/payouts/reachability", ask)["InstantPayout"].(map[string]any)
	if reach["IsReachable"] != false {
		t.Errorf("%v", reach)
	}
}

func TestVerification_OnItsPageLiftsTheLevel(t *testing.T) {
	w := start(t)
	user := id(w.post("/sca/users/natural", ownerOrder("owner@example.com")))
	for outcome, level := range map[string]string{"fail": "LIGHT", "pass": "REGULAR"} {
		status := map[string]string{"fail": "REFUSED", "pass": "VALIDATED"}[outcome]
		w.must(w.s.SetKYC(user, "LIGHT"))
		v := w.post("/users/"+user+"/identity-verifications", object{"ReturnUrl": "https://shop.test/kyc"})
		if v["Status"] != "PENDING" {
			t.Errorf("%v", v)
		}
		if back := w.visit(v["HostedUrl"].(string), url.Values{"outcome": {outcome}}); back != "https://shop.test/kyc" {
			t.Error(back)
		}
		got := w.get("/identity-verifications/" + id(v))
		checks := got["Checks"].([]any)
		if len(checks) != 1 || checks[0].(map[string]any)["CheckStatus"] != status || got["Status"] != status || w.get("/users/" + user)["KYCLevel"] != level {
			t.Errorf("%s: %v", outcome, got)
		}
		if told := w.told(); !slices.Contains(told, "IDENTITY_VERIFICATION_"+strings.Replace(status, "REFUSED", "FAILED", 1)+" "+id(v)) {
			t.Errorf("%v", told)
		}
	}
	w.refuses(http.MethodPost, "/users/"+w.payer("Maija")+"/identity-verifications", object{"ReturnUrl": "https://shop.test/kyc"}, 400, "param_error", "UserId")
}

// A report of users' wallets goes by when they were moved, if it is asked to, and leaves out what moved the platform's own alone.
func TestReports_GoByExecution_AndAreOfUsersWallets(t *testing.T) {
	w := start(t)
	_, wallet := w.creator()
	payer := w.payer("Maija")
	debit := w.post("/payins/directdebit/direct", debitOrder(payer, wallet, w.mandate(payer), 5000)) // succeeds days later
	w.pass(10 * 24 * time.Hour)
	in := w.paid(payer, wallet, 1000, 0)
	if _, err := w.s.OpenDispute(mangopay.DisputeOrder{PayIn: in}); err != nil {
		t.Fatal(err)
	}
	for by, want := range map[string][]string{"": {in}, "CreationDate": {in}, "ExecutionDate": {id(debit), in}} {
		order := object{"ReportType": "USER_WALLET_TRANSACTIONS", "DownloadFormat": "CSV", "AfterDate": w.now.Add(-9 * 24 * time.Hour).Unix(),
			"BeforeDate": w.now.Unix() + 1, "Columns": []string{"TransactionId"}}
		if by != "" {
			order["DateRangeBy"] = by
		}
		r := w.post("/reporting/reports", order)
		w.pass(time.Minute)
		_, _, file := w.raw(http.MethodGet, w.get("/reporting/reports/" + id(r))["DownloadURL"].(string), "", nil)
		if got := strings.Fields(string(file)); !slices.Equal(got, append([]string{"TransactionId"}, want...)) {
			t.Errorf("%q: %q, want %q", by, got, want)
		}
	}
}

func TestReports_AreReadyAfterAWhileAndHaveALineForEachMovement(t *testing.T) {
	w := start(t)
	_, wallet := w.creator()
	payer := w.payer("Maija")
	w.paid(payer, wallet, 1000, 0)
	with := w.paid(payer, wallet, 2000, 50)
	ask := func(kind string, filters object) [][]string {
		r := w.post("/reporting/reports", object{"ReportType": kind, "DownloadFormat": "CSV", "AfterDate": w.now.Unix() - 3600, "BeforeDate": w.now.Unix() + 1,
			"Filters": filters, "Columns": []string{"TransactionId", "FeesAmount", "CreditedWalletId"}})
		if r["Status"] != "PENDING" || r["DownloadURL"] != nil {
			t.Errorf("%v", r)
		}
		w.pass(time.Minute)
		if told := w.told(); !slices.Contains(told, "REPORT_GENERATED "+id(r)) {
			t.Errorf("%v", told)
		}
		status, header, file := w.raw(http.MethodGet, w.get("/reporting/reports/" + id(r))["DownloadURL"].(string), "", nil)
		if status != 200 || !strings.HasPrefix(header.Get("Content-Type"), "text/csv") {
			t.Errorf("%d %v", status, header)
		}
		lines, err := csv.NewReader(strings.NewReader(string(file))).ReadAll()
		w.must(err)
		return lines
	}
	if lines := ask("USER_WALLET_TRANSACTIONS", object{"WalletId": wallet}); len(lines) != 3 || !slices.Equal(lines[2], []string{with, "50", wallet}) {
		t.Errorf("%v", lines)
	}
	if lines := ask("COLLECTED_FEES", object{}); len(lines) != 2 {
		t.Errorf("%v", lines)
	}
	order := func(more object) object {
		o := object{"ReportType": "USER_WALLET_TRANSACTIONS", "DownloadFormat": "CSV", "AfterDate": w.now.Unix() - 3600, "BeforeDate": w.now.Unix()}
		maps.Copy(o, more)
		return o
	}
	// Its columns have names of their own, and it is of what has succeeded.
	w.refuses(http.MethodPost, "/reporting/reports", order(object{"Columns": []string{"Id"}}), 400, "param_error", "Columns")
	w.refuses(http.MethodPost, "/reporting/reports", order(object{"Filters": object{"Status": "SUCCEEDED"}}), 400, "param_error", "Filters.Status")
	w.refuses(http.MethodPost, "/reporting/reports", order(object{"Filters": object{"Currency": "EUR", "WalletId": wallet}}), 400, "param_error", "Filters")
	r := w.post("/reporting/reports", order(nil))
	if columns := r["Columns"].([]any); len(columns) != 32 || columns[1].(map[string]any)["Name"] != "TransactionId" {
		t.Errorf("%v", columns)
	}
}
