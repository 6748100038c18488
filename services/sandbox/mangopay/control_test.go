package mangopay_test

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"talkoot.fi/sandbox/mangopay"
)

// control makes a control call.
func (w *world) control(path string, body object) {
	w.t.Helper()
	status, _, out := w.raw(http.MethodPost, "http://mangopay.test/_sandbox/"+path, string(mustJSON(body)), http.Header{"Content-Type": {"application/json"}})
	if status != http.StatusOK {
		w.t.Fatalf("%s: %d %s", path, status, out)
	}
}

func TestControls_DoWhatPeopleAndBanksDo(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	user := id(w.post("/sca/users/natural", ownerOrder("owner@example.com")))
	w.control("users/enrol", object{"user": user, "pass": true})
	w.control("users/kyc", object{"user": user, "level": "REGULAR"})
	wallet := w.wallet(user)
	in := w.post("/payins/card/direct", directOrder(payer, wallet, w.card(payer, challenged), 1000))
	w.control("challenges/answer", object{"pay_in": id(in), "pass": true})
	w.ends(w.get("/payins/"+id(in)), "SUCCEEDED", "000000")
	m := id(w.post("/mandates/directdebit/web", mandateOrder(w.account(payer))))
	w.control("mandates/answer", object{"mandate": m, "confirm": true})
	debit := w.post("/payins/directdebit/direct", debitOrder(payer, wallet, m, 5000))
	w.control("pay-ins/settle", object{"pay_in": id(debit), "code": "001830"})
	w.ends(w.get("/payins/"+id(debit)), "FAILED", "001830")
	w.control("next-code", object{"code": "101199"})
	w.ends(w.post("/payins/card/direct", directOrder(payer, wallet, w.card(payer, frictionless), 1000)), "FAILED", "101199")
	w.control("disputes", object{"pay_in": id(in), "type": "CONTESTABLE"})
	dispute := w.s.Snapshot().Disputes[0].ID
	w.ok(http.MethodPut, "/disputes/"+dispute+"/submit", object{"ContestedFunds": eur(1000)})
	w.control("disputes/reopen", object{"dispute": dispute, "message": "More, please"})
	w.ends(w.get("/disputes/"+dispute), "REOPENED_PENDING_CLIENT_ACTION", "")
	w.control("disputes/decide", object{"dispute": dispute, "result": "WON"})
	w.control("users/revoke", object{"user": user})
	w.control("clock", object{"advance_seconds": 3600})
	if status, _ := w.call(http.MethodGet, "/users/"+user, nil); status != http.StatusUnauthorized {
		t.Errorf("the clock did not move: %d", status)
	}
	for _, path := range []string{"state", "deliveries"} {
		if status, _, out := w.raw(http.MethodGet, "http://mangopay.test/_sandbox/"+path, "", nil); status != 200 {
			t.Errorf("%s: %d %s", path, status, out)
		}
	}
	w.control("reset", object{})
	if held := w.s.Snapshot(); len(held.Users)+len(held.Transactions) != 0 {
		t.Errorf("%+v", held)
	}
	status, _, _ := w.raw(http.MethodPost, "http://mangopay.test/_sandbox/reset", "", http.Header{"Content-Type": {"application/x-www-form-urlencoded"}})
	if status != http.StatusUnsupportedMediaType {
		t.Errorf("a form of another site reached a control: %d", status)
	}
}

// busy does random things by a seed, and gives what is then held.
func busy(t *testing.T, seed uint64) mangopay.Snapshot {
	w := start(t)
	dice := rand.New(rand.NewPCG(seed, 0))
	payer, debtor := w.payer("Maija"), w.payer("Fickle")
	creator, wallet := w.creator()
	main := w.wallet(creator)
	mandate := w.mandate(debtor)
	var payIns []string
	for range 150 {
		amount := 1 + dice.Int64N(9000)
		switch some := func() string { return payIns[dice.IntN(len(payIns))] }; dice.IntN(9) {
		default:
			order := directOrder(payer, wallet, w.card(payer, plain), amount)
			order["Fees"] = eur(dice.Int64N(amount))
			in := w.post("/payins/card/direct", order)
			payIns = append(payIns, id(in))
			w.must(w.s.AnswerChallenge(id(in), dice.IntN(4) > 0))
		case 1:
			payIns = append(payIns, id(w.post("/payins/directdebit/direct", debitOrder(debtor, wallet, mandate, 100+amount))))
		case 2:
			if len(payIns) > 0 {
				of := w.get("/payins/" + some())
				w.call(http.MethodPost, "/payins/"+id(of)+"/refunds", part(of["AuthorId"].(string), amount/4+1, -dice.Int64N(50)))
			}
		case 3:
			w.call(http.MethodPost, "/transfers", transferOrder(creator, wallet, main, amount, dice.Int64N(amount)))
		case 4:
			if len(payIns) > 0 {
				_, _ = w.s.OpenDispute(mangopay.DisputeOrder{PayIn: some(), Type: []string{"CONTESTABLE", "NOT_CONTESTABLE", "RETRIEVAL"}[dice.IntN(3)]})
			}
		case 5:
			for _, d := range w.s.Snapshot().Disputes {
				if d.Status != "CLOSED" {
					w.must(w.s.DecideDispute(d.ID, []string{"WON", "LOST"}[dice.IntN(2)]))
				} else if d.ResultCode == "LOST" && d.RepudiationID != "" {
					w.call(http.MethodPost, "/repudiations/"+d.RepudiationID+"/settlementtransfer", part(creator, amount, 0))
				}
			}
		case 6:
			w.pass(time.Duration(dice.Int64N(int64(72 * time.Hour))))
		}
	}
	return w.s.Snapshot()
}

func TestMoney_AWalletHasWhatWentInMinusWhatWentOut(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(4) {
		held := busy(t, seed)
		want := map[string]int64{}
		for _, tx := range held.Transactions {
			kinds[tx.Type+" "+tx.Nature+" "+tx.Status]++
			if tx.Status != "SUCCEEDED" {
				continue
			}
			if tx.CreditedFunds.Amount != tx.DebitedFunds.Amount-tx.Fees.Amount {
				t.Errorf("%+v", tx)
			}
			want[tx.DebitedWalletID] -= tx.DebitedFunds.Amount
			want[tx.CreditedWalletID] += tx.CreditedFunds.Amount
			want["FEES_EUR"] += tx.Fees.Amount
		}
		for _, w := range held.Wallets {
			if w.Balance.Amount != want[w.ID] {
				t.Errorf("seed %d: %s has %d, its movements say %d", seed, w.ID, w.Balance.Amount, want[w.ID])
			}
			if len(w.Owners) > 0 && w.Balance.Amount < 0 {
				t.Errorf("seed %d: %s is below 0", seed, w.ID)
			}
		}
	}
	for _, kind := range []string{"PAYIN REGULAR SUCCEEDED", "PAYIN REGULAR FAILED", "PAYOUT REFUND SUCCEEDED", "PAYOUT REFUND FAILED",
		"PAYIN REFUND SUCCEEDED", "TRANSFER REGULAR SUCCEEDED", "TRANSFER REGULAR FAILED", "PAYOUT REPUDIATION SUCCEEDED", "TRANSFER SETTLEMENT SUCCEEDED"} {
		if kinds[kind] == 0 {
			t.Errorf("no %s: %v", kind, kinds)
		}
	}
}

func TestSimulation_TheSameCallsGiveTheSameState(t *testing.T) {
	if one, two := busy(t, 7), busy(t, 7); !reflect.DeepEqual(one, two) {
		t.Error("two runs of one seed differ")
	}
}

func TestControls_EndTokensAndPausesOfDeliveries(t *testing.T) {
	w := startWith(t, mangopay.Options{HookURL: "http://us.test/hook", RateTimes: 1000})
	account := w.account(w.payer("Maija"))
	w.control("tokens/expire", object{})
	if status, _ := w.call(http.MethodGet, "/hooks", nil); status != http.StatusUnauthorized {
		t.Errorf("the token goes on: %d", status)
	}
	w.logIn()
	_, header, _ := w.raw(http.MethodGet, base+"/hooks", "", http.Header{"Authorization": {"Bearer " + w.token}})
	if left, _, _ := strings.Cut(header.Get("X-Ratelimit-Remaining"), ","); len(left) != len("2299990") {
		t.Errorf("%q calls are left", left)
	}
	w.told()
	w.deaf = true
	w.post("/mandates/directdebit/web", mandateOrder(account))
	waiting := func() mangopay.Delivery { return w.s.Deliveries()[0] }
	if err := w.s.Deliver(t.Context(), waiting().ID); !errors.Is(err, mangopay.ErrNotTaken) || !waiting().Due.After(w.now) {
		t.Fatalf("%v, %+v", err, waiting())
	}
	w.control("webhooks/retry", object{})
	if waiting().Due.After(w.now) {
		t.Errorf("%+v waits on", waiting())
	}
}
