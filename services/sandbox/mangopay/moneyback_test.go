package mangopay_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"talkoot.fi/sandbox/mangopay"
)

func part(author string, amount, fees int64) object {
	return object{"AuthorId": author, "DebitedFunds": eur(amount), "Fees": eur(fees)}
}

func TestRefunds_WithoutSumsGiveAllBackTheFeesToo(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	in := w.paid(payer, wallet, 8000, 300)
	w.told()
	out := w.post("/payins/"+in+"/refunds", object{"AuthorId": payer})
	w.ends(out, "SUCCEEDED", "000000")
	for name, want := range map[string]any{"Type": "PAYOUT", "Nature": "REFUND", "InitialTransactionId": in, "InitialTransactionType": "PAYIN",
		"InitialTransactionNature": "REGULAR", "DebitedWalletId": wallet, "CreditedWalletId": nil} {
		if out[name] != want {
			t.Errorf("%s: %v", name, out[name])
		}
	}
	if out["RefundReason"].(map[string]any)["RefundReasonType"] != "INITIALIZED_BY_CLIENT" || out["Fees"].(map[string]any)["Amount"] != float64(-300) ||
		out["CreditedFunds"].(map[string]any)["Amount"] != float64(8000) {
		t.Errorf("%v", out)
	}
	w.balances(map[string]int64{wallet: 0, "FEES_EUR": 0})
	if told := w.told(); !slices.Equal(told, []string{"PAYIN_REFUND_CREATED " + id(out), "PAYIN_REFUND_SUCCEEDED " + id(out)}) {
		t.Errorf("%v", told)
	}
	w.ends(w.post("/payins/"+in+"/refunds", object{"AuthorId": payer}), "FAILED", "001401")
	if all, _ := w.list("/payins/" + in + "/refunds"); len(all) != 2 || all[1]["ResultCode"] != "001401" {
		t.Errorf("%v", all)
	}
	if got := w.get("/refunds/" + id(out)); got["Status"] != "SUCCEEDED" {
		t.Errorf("%v", got)
	}
}

func TestRefunds_InPartsKeepTheRules(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	in := w.paid(payer, wallet, 8000, 300)
	at := "/payins/" + in + "/refunds"
	for _, tc := range []struct {
		amount, fees int64
		code         string
	}{
		{8001, 0, "005403"}, {7700, -301, "005403"}, {1000, -301, "005404"}, {1000, 0, "000000"}, {1000, 0, "005407"}, {2000, -300, "000000"},
		{3000, -1, "005404"}, {4701, 0, "005403"}, {4700, 0, "000000"}, {1, 0, "001401"},
	} {
		out := w.post(at, part(payer, tc.amount, tc.fees))
		if out["ResultCode"] != tc.code {
			t.Errorf("%+v: %v", tc, out["ResultCode"])
		}
	}
	w.balances(map[string]int64{wallet: 0, "FEES_EUR": 0})
	second := w.paid(payer, wallet, 4000, 0)
	w.ends(w.post("/payins/"+second+"/refunds", part(payer, 1000, 0)), "SUCCEEDED", "000000")
	w.pass(24 * time.Hour)
	w.ends(w.post("/payins/"+second+"/refunds", part(payer, 1000, 0)), "SUCCEEDED", "000000")
}

func TestRefunds_NeedTheMoneyInTheWalletAndThePayInsAuthor(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	creator, wallet := w.creator()
	in := w.paid(payer, wallet, 8000, 0)
	main := w.wallet(creator)
	w.ends(w.post("/transfers", transferOrder(creator, wallet, main, 5000, 0)), "SUCCEEDED", "000000")
	w.ends(w.post("/payins/"+in+"/refunds", object{"AuthorId": payer}), "FAILED", "001001")
	w.ends(w.post("/payins/"+in+"/refunds", part(payer, 3000, 0)), "SUCCEEDED", "000000")
	w.refuses(http.MethodPost, "/payins/"+in+"/refunds", object{"AuthorId": creator}, 400, "param_error", "AuthorId")
	w.refuses(http.MethodPost, "/payins/"+in+"/refunds", object{"AuthorId": payer, "DebitedFunds": eur(1)}, 400, "param_error", "DebitedFunds")
	w.refuses(http.MethodPost, "/payins/payin_x/refunds", object{"AuthorId": payer}, 404, "ressource_not_found")
	w.balances(map[string]int64{wallet: 0, main: 5000})
}

func transferOrder(author, from, to string, amount, fees int64) object {
	return object{"AuthorId": author, "DebitedWalletId": from, "CreditedWalletId": to, "DebitedFunds": eur(amount), "Fees": eur(fees)}
}

func TestTransfers_AreFinalAtOnceAndUndoneByARefund(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	creator, wallet := w.creator()
	main := w.wallet(creator)
	w.paid(payer, wallet, 8000, 0)
	out := w.post("/transfers", transferOrder(creator, wallet, main, 8000, 400))
	w.ends(out, "SUCCEEDED", "000000")
	w.balances(map[string]int64{wallet: 0, main: 7600, "FEES_EUR": 400})
	w.ends(w.post("/transfers", transferOrder(creator, wallet, main, 1, 0)), "FAILED", "001001")
	back := w.post("/transfers/"+id(out)+"/refunds", part(creator, 3800, -200))
	w.ends(back, "SUCCEEDED", "000000")
	if back["Type"] != "TRANSFER" || back["Nature"] != "REFUND" || back["InitialTransactionType"] != "TRANSFER" {
		t.Errorf("%v", back)
	}
	w.balances(map[string]int64{wallet: 4000, main: 3800, "FEES_EUR": 200})
	if all, _ := w.list("/wallets/" + wallet + "/transactions"); len(all) != 4 {
		t.Errorf("%d", len(all))
	}
}

func TestTransfers_GoToVerifiedOwnersOnly(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	creator, wallet := w.creator()
	other, theirs := w.creator()
	w.paid(payer, wallet, 8000, 0)
	w.ends(w.post("/transfers", transferOrder(creator, wallet, w.wallet(payer), 1000, 0)), "FAILED", "002702")
	w.must(w.s.SetKYC(other, "LIGHT"))
	w.ends(w.post("/transfers", transferOrder(creator, wallet, theirs, 1000, 0)), "FAILED", "002951")
	w.refuses(http.MethodPost, "/transfers", transferOrder(other, wallet, theirs, 1000, 0), 400, "param_error", "AuthorId")
	w.balances(map[string]int64{wallet: 8000, theirs: 0})
}

// enrolled is a verified owner who set strong authentication up.
func (w *world) enrolled() (user, wallet string) {
	w.t.Helper()
	user = id(w.post("/sca/users/natural", ownerOrder("owner@example.com")))
	w.must(w.s.Enrol(user, true))
	w.must(w.s.SetKYC(user, "REGULAR"))
	return user, w.wallet(user)
}

func TestTransfers_BetweenOwnersWaitForTheOwnerOrTheirConsent(t *testing.T) {
	w := start(t)
	creator, wallet := w.enrolled()
	_, theirs := w.enrolled()
	w.paid(w.payer("Maija"), wallet, 8000, 0)
	for outcome, want := range map[string]string{"pass": "SUCCEEDED", "fail": "FAILED"} {
		out := w.post("/transfers", transferOrder(creator, wallet, theirs, 1000, 0))
		w.ends(out, "CREATED", "")
		page := out["PendingUserAction"].(map[string]any)["RedirectUrl"].(string)
		if back := w.visit(page+"&returnUrl="+url.QueryEscape("https://shop.test/back?x=1"), url.Values{"outcome": {outcome}}); back != "https://shop.test/back?x=1" {
			t.Errorf("%s", back)
		}
		if got := w.get("/transfers/" + id(out)); got["Status"] != want || got["PendingUserAction"] != nil {
			t.Errorf("%s: %v", outcome, got)
		}
	}
	order := transferOrder(creator, wallet, theirs, 1000, 0)
	order["ScaContext"] = "USER_NOT_PRESENT"
	w.ends(w.post("/transfers", order), "SUCCEEDED", "000000")
	w.must(w.s.RevokeConsents(creator))
	w.refuses(http.MethodPost, "/transfers", order, 403, "forbidden_ressource")
	w.ends(w.post("/transfers", transferOrder(creator, wallet, w.wallet(creator), 1000, 0)), "SUCCEEDED", "000000") // one's own needs none
	w.balances(map[string]int64{wallet: 5000, theirs: 2000})
}

func TestDisputes_TakeFromTheClientsWalletAndAreContestedAndDecided(t *testing.T) {
	for result, credit := range map[string]int64{"WON": 0, "LOST": -8000} {
		t.Run(result, func(t *testing.T) {
			w := start(t)
			payer := w.payer("Maija")
			_, wallet := w.creator()
			in := w.paid(payer, wallet, 8000, 0)
			w.told()
			dispute, err := w.s.OpenDispute(mangopay.DisputeOrder{PayIn: in})
			w.must(err)
			d := w.get("/disputes/" + dispute)
			w.ends(d, "PENDING_CLIENT_ACTION", "")
			if d["DisputeType"] != "CONTESTABLE" || d["InitialTransactionId"] != in || d["ContestDeadlineDate"] == nil || d["ClosedDate"] != nil {
				t.Errorf("%v", d)
			}
			w.balances(map[string]int64{wallet: 8000, "CREDIT_EUR": -8000})
			repudiation := w.get("/repudiations/" + d["RepudiationId"].(string))
			if repudiation["Nature"] != "REPUDIATION" || repudiation["DisputeId"] != dispute || repudiation["Status"] != "SUCCEEDED" {
				t.Errorf("%v", repudiation)
			}
			w.ends(w.post("/payins/"+in+"/refunds", object{"AuthorId": payer}), "FAILED", "005408")
			settle := part(w.get("/wallets/" + wallet)["Owners"].([]any)[0].(string), 8000, 0)
			w.refuses(http.MethodPost, "/repudiations/"+id(repudiation)+"/settlementtransfer", settle, 400, "param_error", "Status")
			w.ends(w.ok(http.MethodPut, "/disputes/"+dispute+"/submit", object{"ContestedFunds": eur(8000)}), "SUBMITTED", "")
			w.pass(24 * time.Hour)
			w.ends(w.get("/disputes/"+dispute), "PENDING_BANK_ACTION", "")
			w.must(w.s.DecideDispute(dispute, result))
			w.ends(w.get("/disputes/"+dispute), "CLOSED", result)
			w.balances(map[string]int64{wallet: 8000, "CREDIT_EUR": credit})
			want := []string{"PAYIN_REPUDIATION_CREATED " + id(repudiation), "PAYIN_REPUDIATION_SUCCEEDED " + id(repudiation), "DISPUTE_CREATED " + dispute,
				"DISPUTE_ACTION_REQUIRED " + dispute}
			if told := w.told(); !slices.Equal(told[:4], want) || told[len(told)-1] != "DISPUTE_CLOSED "+dispute {
				t.Errorf("%v", told)
			}
			pending, _ := w.list("/disputes/pendingsettlement")
			if (len(pending) == 1) != (result == "LOST") {
				t.Errorf("%v", pending)
			}
			if result == "WON" {
				w.refuses(http.MethodPost, "/repudiations/"+id(repudiation)+"/settlementtransfer", settle, 400, "param_error", "Status")
				w.ends(w.post("/payins/"+in+"/refunds", part(payer, 100, 0)), "SUCCEEDED", "000000") // it is disputed no longer
				if back, _ := w.list("/repudiations/" + id(repudiation) + "/refunds"); len(back) != 1 {
					t.Errorf("%v", back)
				}
				return
			}
			w.refuses(http.MethodPost, "/repudiations/"+id(repudiation)+"/settlementtransfer", part(settle["AuthorId"].(string), 8001, 0), 400, "param_error", "DebitedFunds")
			out := w.post("/repudiations/"+id(repudiation)+"/settlementtransfer", settle)
			w.ends(out, "SUCCEEDED", "000000")
			if out["Nature"] != "SETTLEMENT" || w.get("/settlements/" + id(out))["RepudiationId"] != id(repudiation) {
				t.Errorf("%v", out)
			}
			w.balances(map[string]int64{wallet: 0, "CREDIT_EUR": 0})
			if of, _ := w.list("/disputes/" + dispute + "/transactions"); len(of) != 2 || id(of[0]) != id(repudiation) || id(of[1]) != id(out) {
				t.Errorf("what was moved for the dispute is %v", of)
			}
			if pending, _ := w.list("/disputes/pendingsettlement"); len(pending) != 0 {
				t.Errorf("%v", pending)
			}
		})
	}
}

func TestDisputes_OfOtherTypesAreAskedOnlyOrLostFromTheStart(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	asked, lost, refunded := w.paid(payer, wallet, 1000, 0), w.paid(payer, wallet, 2000, 0), w.paid(payer, wallet, 3000, 0)
	inquiry, err := w.s.OpenDispute(mangopay.DisputeOrder{PayIn: asked, Type: "RETRIEVAL"})
	w.must(err)
	if d := w.get("/disputes/" + inquiry); d["RepudiationId"] != nil || d["Status"] != "PENDING_CLIENT_ACTION" {
		t.Errorf("%v", d)
	}
	w.balances(map[string]int64{"CREDIT_EUR": 0})
	w.ends(w.post("/payins/"+asked+"/refunds", part(payer, 100, 0)), "SUCCEEDED", "000000")
	w.ends(w.ok(http.MethodPut, "/disputes/"+inquiry+"/close", nil), "CLOSED", "VOID")
	partly, err := w.s.OpenDispute(mangopay.DisputeOrder{PayIn: lost, Type: "NOT_CONTESTABLE", Amount: 500, Reason: "AUTHORISATION_DISPUTED"})
	w.must(err)
	w.ends(w.get("/disputes/"+partly), "CLOSED", "LOST")
	w.refuses(http.MethodPut, "/disputes/"+partly+"/submit", nil, 400, "param_error", "Status")
	w.balances(map[string]int64{"CREDIT_EUR": -500})
	w.post("/payins/"+refunded+"/refunds", object{"AuthorId": payer})
	for _, in := range []string{lost, refunded} {
		if _, err := w.s.OpenDispute(mangopay.DisputeOrder{PayIn: in}); err == nil {
			t.Errorf("%s is disputed or refunded", in)
		}
	}
}

func TestDisputes_AreLostWhenNobodyContestsInTime(t *testing.T) {
	w := start(t)
	_, wallet := w.creator()
	in := w.paid(w.payer("Maija"), wallet, 1000, 0)
	late, err := w.s.OpenDispute(mangopay.DisputeOrder{PayIn: in})
	w.must(err)
	w.pass(14 * 24 * time.Hour)
	w.ends(w.get("/disputes/"+late), "CLOSED", "LOST")
	for _, list := range []string{"/disputes", "/wallets/" + wallet + "/disputes", "/payins/" + in + "/disputes"} {
		if found, _ := w.list(list); len(found) != 1 {
			t.Errorf("%s: %v", list, found)
		}
	}
	if of, _ := w.list("/disputes/" + late + "/transactions"); len(of) != 1 {
		t.Errorf("%v", of)
	}
}
