//go:build unix

package audit_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	content "talkoot.fi/content/inproc"
	payments "talkoot.fi/payments/inproc"
	"talkoot.fi/sandbox/mangopay"
	"talkoot.fi/scripts/audit"
)

const (
	mangopayKey = "a key of the audit's tests"
	hookAddress = "http://payments.example/api/webhooks/mangopay"
	goodCardB   = "4970107111111119"
)

// newWorldB is a world in which provider B is on, too.
func newWorldB(t *testing.T) *world {
	t.Helper()
	return makeWorld(t, func(w *world, c *payments.Config) {
		var err error
		w.providerB, err = mangopay.New(mangopay.Options{ClientID: payments.MangopayClient, APIKey: mangopayKey, PublicURL: "http://mangopay.example",
			HookURL: hookAddress, HookTransport: handler(func() http.Handler { return w.payments.Handler() }), InMemory: true, ManualDelivery: true,
			Now: w.peek, Random: rand.NewPCG(2, 2)})
		w.must(err)
		t.Cleanup(func() { w.must(w.providerB.Close()) })
		c.MangopayKey, c.Mangopay = mangopayKey, prompt{w}
	})
}

// prompt is the way to provider B on which a report is ready as soon as it was asked for.
type prompt struct{ w *world }

func (p prompt) RoundTrip(r *http.Request) (*http.Response, error) {
	next := p.w.providerB.Transport()
	answer, err := next.RoundTrip(r)
	if err != nil || r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/reporting/reports") {
		return answer, err
	}
	var asked struct{ ID string }
	if err := json.NewDecoder(answer.Body).Decode(&asked); err != nil {
		return nil, err
	}
	p.w.pass(3 * time.Second)
	if _, err := p.w.providerB.RunDue(r.Context()); err != nil {
		return nil, err
	}
	look := r.Clone(r.Context())
	look.Method, look.Body, look.ContentLength = http.MethodGet, http.NoBody, 0
	look.URL.Path += "/" + asked.ID
	return next.RoundTrip(look)
}

func (w *world) sourcesB(t http.RoundTripper) audit.Sources {
	s := w.sources()
	s.Mangopay = audit.Mangopay{URL: "http://mangopay.example", ClientID: payments.MangopayClient, Key: mangopayKey, HookURL: hookAddress, Transport: t}
	return s
}

// restB does all due work of provider B, in a world that has it.
func (w *world) restB() {
	w.t.Helper()
	if w.providerB == nil {
		return
	}
	_, err := w.providerB.RunDue(w.ctx())
	w.must(err)
	for _, d := range w.providerB.Deliveries() {
		w.must(w.providerB.Deliver(w.ctx(), d.ID))
	}
}

// callPay calls the payment service and requires that it does it.
func (w *world) callPay(method, path string, body, into any) {
	w.t.Helper()
	w.call(w.payments.Handler(), method, path, body, http.StatusOK, into)
}

// payee has a member, who is verified at provider B, be the creator of the campaign of the world, which is paid there from now on.
func (w *world) payee(name string) {
	w.t.Helper()
	w.as(w.member(name), func() {
		_, err := w.db.Exec(w.ctx(), `UPDATE users SET verified = true WHERE id = $1`, w.names[name+"_user"])
		w.must(err)
		_, err = w.db.Exec(w.ctx(), `UPDATE campaign_team SET user_id = $1 WHERE campaign_id = $2 AND position = 0`, w.names[name+"_user"], w.campaign.ID)
		w.must(err)
		var made struct{ UserID, WalletID string }
		w.callPay("POST", "/api/users/mangopay/create-creator-account", object{"type": "natural", "userId": w.names[name+"_user"], "owner": object{
			"first_name": "Maija", "last_name": "Meri", "birthdate": "1980-05-01", "nationality": "FI", "residence_country": "FI", "terms_accepted": true,
			"return_url": "https://talkoot.example/profile/me/payouts/"}}, &made)
		w.must(w.providerB.Enrol(made.UserID, true))
		w.must(w.providerB.SetKYC(made.UserID, "REGULAR"))
		w.rest()
		w.call(w.content.Handler(), "POST", fmt.Sprintf("/campaigns/%d/set_payment_account/", w.campaign.ID),
			object{"mangopay_user_id": made.UserID, "mangopay_wallet_id": made.WalletID}, http.StatusOK, nil)
		w.rest()
		w.names[name+"_account"] = made.UserID
	})
}

// registered registers a card for a pledge and gives the body of a pay-in by it.
func (w *world) registered(name string, keep bool) object {
	w.t.Helper()
	var begun struct {
		CardRegistration           struct{ ID string }
		AuthorID, CreditedWalletID string
		Payment                    struct {
			Minor int64 `json:"amount_minor"`
		}
	}
	w.callPay("POST", "/api/pledges/mangopay/card-registration-data", object{"pledgeId": w.names[name]}, &begun)
	answer, err := w.providerB.Tokenise(begun.CardRegistration.ID, mangopay.CardInput{Number: goodCardB, Expiry: "1235", CVX: "123"})
	w.must(err)
	var card struct{ CardID string }
	w.callPay("POST", "/api/pledges/mangopay/finish-card-registration", object{"pledgeId": w.names[name], "registrationId": begun.CardRegistration.ID,
		"registrationData": answer, "keep": keep}, &card)
	return object{"pledgeId": w.names[name], "cardId": card.CardID, "amount": begun.Payment.Minor, "authorId": begun.AuthorID,
		"creditedWalletId": begun.CreditedWalletID, "secureModeReturnURL": "https://talkoot.example/payment-return/",
		"browserInfo": object{"AcceptHeader": "text/html", "JavaEnabled": false, "Language": "fi", "ColorDepth": 24, "ScreenHeight": 800,
			"ScreenWidth": 1280, "TimeZoneOffset": -120, "UserAgent": "Mozilla/5.0", "JavascriptEnabled": true}}
}

// paidB makes a pledge and pays it by a card at provider B.
func (w *world) paidB(name string, euros int, keep bool) {
	w.t.Helper()
	w.pledge(name, euros)
	w.callPay("POST", "/api/pledges/mangopay/payin", w.registered(name, keep), nil)
	w.rest()
	w.learn(name)
}

// debited makes a pledge and has it debited, which is on its way then.
func (w *world) debited(name string, euros int) {
	w.t.Helper()
	w.pledge(name, euros)
	var added struct{ BankAccount struct{ ID string } }
	w.callPay("POST", "/api/pledges/mangopay/create-bank-account", object{"pledgeId": w.names[name], "OwnerName": "Aino K", "IBAN": "FI2112345600000785",
		"OwnerAddress": object{"AddressLine1": "Opintie 14", "City": "Pielavesi", "PostalCode": "72400", "Country": "FI"}}, &added)
	var made struct{ Mandate struct{ ID string } }
	w.callPay("POST", "/api/pledges/mangopay/create-mandate", object{"pledgeId": w.names[name], "bankAccountId": added.BankAccount.ID, "language": "fi",
		"returnURL": "https://talkoot.example/payment-return/"}, &made)
	w.must(w.providerB.ConfirmMandate(made.Mandate.ID, true))
	var paid struct{ PayIn struct{ ID string } }
	w.callPay("POST", "/api/pledges/mangopay/payin-direct-debit", object{"pledgeId": w.names[name]}, &paid)
	w.names[name+"_mandate"], w.names[name+"_intent"] = made.Mandate.ID, paid.PayIn.ID
	w.rest()
}

// takenBack has a bank take back what paid a pledge; result is its decision about one that can be contested, "" for a debit that failed late.
func (w *world) takenBack(name, result string) {
	w.t.Helper()
	order := mangopay.DisputeOrder{PayIn: w.charge(name), Type: "NOT_CONTESTABLE", Reason: "LATE_FAILURE_INSUFFICIENT_FUNDS"}
	if result != "" {
		order.Type, order.Reason = "CONTESTABLE", "FRAUD"
	}
	id, err := w.providerB.OpenDispute(order)
	w.must(err)
	w.names[name+"_dispute"] = id
	w.rest()
	if result != "" {
		w.must(w.providerB.DecideDispute(id, result))
		w.rest()
	}
	w.pass(time.Hour) // what it keeps is moved
	w.rest()
}

// liveB has two campaigns be paid at provider B by everything that it has, and gives back and loses some of it.
func (w *world) liveB() {
	w.t.Helper()
	w.fund()
	w.reached()
	w.payee("maija")
	first := w.campaign
	var err error
	now := w.now()
	w.campaign, err = w.content.NewCampaign(w.ctx(), content.CampaignSpec{Slug: "toinen", GoalMinor: 100_00, FirstDay: now, LastDay: now.AddDate(0, 0, 60),
		Rewards: []content.RewardSpec{{AmountMinor: 20_00, Stock: 100}}})
	w.must(err)
	_, err = w.db.Exec(w.ctx(), `UPDATE rewards SET added_costs = '[{"amount_minor": 350, "description": {"FI": "Posti"}}]'`)
	w.must(err)
	w.payee("oona")
	w.paidB("elsewhere", 30, false)
	w.names["toinen"] = w.campaign.ID
	w.campaign = first

	w.paidB("plain", 25, false)
	w.as(w.member("saver"), func() {
		w.paidB("kept", 26, true)
		w.paidB("kept_again", 27, false)
	})
	w.paidB("part", 30, false)
	w.refund("part", 10_00)
	w.paidB("full", 40, false)
	w.refund("full", 0)
	w.paidB("lost", 45, false)
	w.takenBack("lost", "LOST")
	w.paidB("won", 46, false)
	w.takenBack("won", "WON")
	w.debited("debited", 31)
	w.debited("returned", 32)
	w.debited("waiting", 33)
	for _, name := range []string{"debited", "returned"} {
		w.must(w.providerB.SettlePayIn(w.names[name+"_intent"].(string), "000000")) //nolint:forcetypeassert // debited keeps texts
		w.rest()
		w.learn(name)
	}
	w.takenBack("returned", "")
	w.onPage("page", 34)

	w.pass(27 * time.Hour) // the daily passes have been, and what they leave out for a day is not
	w.rest()
	w.must(w.payments.Reconcile(w.ctx()))
	w.rest()
	for _, name := range []string{"elsewhere", "plain", "part"} {
		w.names[name+"_wallet"] = w.text(w.pay, `SELECT split_part(a.name, ':', 3) FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
			JOIN ledger_accounts a ON a.id = e.account_id WHERE t.kind = 'charge' AND t.reference = $1 AND a.class = 'provider_clearing'`, w.charge(name))
	}
	w.names["part_refund"] = w.text(w.pay, `SELECT provider_ref FROM refunds WHERE payment_id = $1`, w.payment("part"))
	w.names["waiting_payment"] = w.text(w.pay, `SELECT id FROM payments WHERE subject_id = $1`, w.names["waiting"])
	w.names["kept_card"] = w.text(w.pay, `SELECT ref FROM kept_cards`)
}

// reached has a campaign end well, and its money reach its creator's bank.
func (w *world) reached() {
	w.t.Helper()
	op := w.sentAtB()
	w.pass(25 * time.Hour)
	w.rest()
	w.pass(24 * time.Hour)
	w.rest() // what cards had kept back is released; a backer then gets something back, which the debit's part does not pay whole
	w.refund("settled", 4_00)
	debts, err := w.payments.CreatorDebts(w.ctx())
	w.must(err)
	w.must(w.payments.WriteOff(w.ctx(), debts[0], 1_00, op, payments.Operator{Actor: "aino", Note: "test"}))
}

// sentAtB has a campaign end well, and its money be on its way to its creator's bank.
func (w *world) sentAtB() payments.Operator {
	w.t.Helper()
	first, now := w.campaign, w.now()
	var err error
	w.campaign, err = w.content.NewCampaign(w.ctx(), content.CampaignSpec{Slug: "valmis", GoalMinor: 100_00, FirstDay: now, LastDay: now.AddDate(0, 0, 1),
		Rewards: []content.RewardSpec{{AmountMinor: 20_00, Stock: 100}}})
	w.must(err)
	_, err = w.db.Exec(w.ctx(), `UPDATE rewards SET added_costs = '[{"amount_minor": 350, "description": {"FI": "Posti"}}]' WHERE campaign_id = $1`, w.campaign.ID)
	w.must(err)
	w.payee("signe")
	w.bank("signe")
	w.paidB("settled", 60, false)
	w.debited("settled_too", 40)
	w.must(w.providerB.SettlePayIn(w.ofB("settled_too_intent"), "000000"))
	w.rest()
	w.learn("settled_too")
	w.soon()
	w.names["valmis"], w.campaign = w.campaign.ID, first
	for range 3 {
		w.pass(24 * time.Hour)
		w.rest()
		_, err = w.content.EndDue(w.ctx())
		w.must(err)
	}
	w.rest()
	op := payments.Operator{Actor: "maija", Note: "test"}
	runs, err := w.payments.ProposeSettlement(w.ctx(), w.names["valmis"].(int64), op) //nolint:forcetypeassert // it is its id
	w.must(err)
	w.must(w.payments.ApproveSettlement(w.ctx(), runs[0].ID, runs[0].Hash, payments.Operator{Actor: "aino", Note: "test"}))
	w.names["run"] = runs[0].ID
	w.rest()
	return op
}

// soon has what runs keep back of cards be due after a day.
func (w *world) soon() {
	w.t.Helper()
	_, err := w.withoutTriggers(w.paymentsURL).Exec(w.ctx(), `UPDATE settlement_rates SET reserve_days = 1`)
	w.must(err)
}

// bank has a creator give a bank account, and confirm it at provider B.
func (w *world) bank(name string) {
	w.t.Helper()
	w.as(w.signIn(name), func() {
		w.call(w.content.Handler(), "POST", "/users/me/confirmations/", object{"password": "pitkä salasana " + name}, http.StatusNoContent, nil)
		w.callPay("POST", "/api/users/mangopay/payout-banks", object{"IBAN": "FI2112345600000785", "first_name": "Signe", "last_name": "Meri",
			"address":    object{"AddressLine1": "Opintie 14", "City": "Pielavesi", "PostalCode": "72400", "Country": "FI"},
			"return_url": "https://talkoot.example/profile/me/payouts/?back=1"}, nil)
	})
	w.names[name+"_bank"] = w.text(w.pay, `SELECT ref FROM payee_banks`)
	w.must(w.providerB.AnswerRecipient(w.ofB(name+"_bank"), true))
	w.rest()
}

// onPage makes a pledge and pays it on provider B's page.
func (w *world) onPage(name string, euros int) {
	w.t.Helper()
	path := fmt.Sprintf("/api/pledges/%s/payment-page/card", w.pledge(name, euros))
	w.call(w.payments.Handler(), "POST", path, nil, http.StatusAccepted, nil)
	w.rest()
	id := w.text(w.pay, `SELECT a.object_ref FROM attempts a JOIN payments p ON p.id = a.payment_id WHERE p.subject_id = $1`, w.names[name])
	_, err := w.providerB.PayOnPage(id, mangopay.CardInput{Number: goodCardB, Expiry: "1235", CVX: "123"})
	w.must(err)
	w.rest()
	w.learn(name)
}

// editedB is as edited for provider B's answers: lists, objects and reports.
type editedB struct {
	next   http.RoundTripper
	seen   map[string][]byte
	change func(list string, o object) []object
}

func (e editedB) RoundTrip(r *http.Request) (*http.Response, error) {
	key := r.Method + " " + r.URL.String()
	raw, seen := e.seen[key]
	if !seen {
		answer, err := e.next.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		if raw, err = io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK {
			answer.Body = io.NopCloser(strings.NewReader(string(raw)))
			return answer, err
		}
		e.seen[key] = raw
	}
	status := http.StatusOK
	if e.change != nil {
		var err error
		if raw, err = e.changed(listOfB(r.URL.Path), raw); err != nil {
			return nil, err
		}
		if raw == nil {
			status, raw = http.StatusNotFound, []byte(`{}`)
		}
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(raw))), Request: r}, nil
}
