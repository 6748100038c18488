//go:build unix

package audit_test

import (
	"fmt"
	"net/http"
	"time"

	content "talkoot.fi/content/inproc"
	"talkoot.fi/kit/money"
	payments "talkoot.fi/payments/inproc"
	"talkoot.fi/sandbox/stripe"
)

// fund makes the campaign, whose reward has tax and an added cost.
func (w *world) fund() {
	w.t.Helper()
	now := w.now()
	var err error
	w.campaign, err = w.content.NewCampaign(w.ctx(), content.CampaignSpec{Slug: "tarkastus", GoalMinor: 1000_00,
		FirstDay: now, LastDay: now.AddDate(0, 0, 60),
		Rewards: []content.RewardSpec{{AmountMinor: 20_00, Stock: 100}}})
	w.must(err)
	_, err = w.db.Exec(w.ctx(), `UPDATE rewards SET vat_tenths = 255, added_costs = '[{"amount_minor": 350, "description": {"FI": "Posti"}}]'`)
	w.must(err)
	w.names["campaign"], w.names["reward"] = w.campaign.ID, w.campaign.RewardIDs[0]
}

// live makes every kind of movement happen that the ledger may have to record. The data is consistent by construction,
// because the services wrote it.
func (w *world) live() {
	w.t.Helper()
	w.fund()
	w.monthly()
	w.members()
	w.pass(21 * 24 * time.Hour)
	w.paid("plain", 25, goodCard)
	w.paid("other", 25, goodCard)
	w.paid("part", 30, goodCard)
	w.refund("part", 10_00)
	w.paid("full", 40, goodCard)
	w.refund("full", 0)
	w.names["full_refund"] = w.text(w.pay, `SELECT id FROM refunds WHERE payment_id = $1`, w.payment("full"))
	w.names["full_refund_ref"] = w.text(w.pay, `SELECT provider_ref FROM refunds WHERE payment_id = $1`, w.payment("full"))
	w.paid("pending", 41, pendingCard)

	w.paid("disputed", 50, goodCard)
	w.dispute("disputed", "")
	w.refund("disputed", 5_00) // waits for the bank
	w.paid("lost", 60, goodCard)
	w.dispute("lost", "lost")
	w.paid("won", 65, goodCard)
	w.refund("won", 5_00)
	w.dispute("won", "won")
	w.paid("late", 66, goodCard) // disputed after a full refund
	w.refund("late", 0)
	_, err := w.sandbox.OpenDispute(stripe.DisputeOrder{Charge: w.charge("late"), Amount: 66_00})
	w.must(err)
	w.rest()

	w.paid("warned", 67, goodCard)
	w.warn("warned")
	w.paid("warned_back", 68, goodCard)
	w.warn("warned_back")
	w.refund("warned_back", 0)
	w.paid("warned_left", 69, goodCard)
	w.warn("warned_left")
	w.must(w.payments.DismissWarning(w.ctx(), w.warning("warned_left"), operator))
	w.must(w.payments.Note(w.ctx(), "tax_report", operator, map[string]string{"year": "2026"}))
	_, err = w.pay.Exec(w.ctx(), `UPDATE webhook_events SET body = convert_to('{"note":"\u0000",' || substr(convert_from(body, 'UTF8'), 2), 'UTF8')
		WHERE event_key = (SELECT max(event_key) FROM webhook_events WHERE provider = 'stripe')`)
	w.must(err)
	w.paid("warned_late", 70, goodCard)
	w.warn("warned_late")
	w.dispute("warned_late", "won")

	w.settled()
	w.twice()
	w.byHand()
	w.strayMoney()
	w.unpaid()

	w.invoiced()
	w.topUp(500_00)
	w.days(8)
	_, err = w.sandbox.PayOut(stripe.PayoutOrder{})
	w.must(err)
	w.days(2)
	for _, p := range w.sandbox.Snapshot().Payouts {
		if p.Account == "" { // ours
			w.names["payout"] = p.ID
		}
	}
	_, err = w.db.Exec(w.ctx(), `UPDATE rewards SET vat_tenths = 140`) // pledges keep the rate that they were bought by
	w.must(err)
	w.paid("recent", 25, goodCard)
	w.refund("recent", 1_00)
	w.secondMonth()
	w.as(w.signIn("giver"), func() {
		w.call(w.payments.Handler(), "POST", fmt.Sprintf("/api/subscriptions/%s/modify-level", w.names["giver"]), object{"amount": 13}, http.StatusOK, nil)
	})
	w.as(w.signIn("giver"), func() {
		w.paid("taken", 35, goodCard)
		w.call(w.content.Handler(), "POST", fmt.Sprintf("/pledges/%s/withdrawal/", w.names["taken"]), nil, http.StatusOK, nil)
		w.rest()
	})
	w.paid("changed", 45, goodCard)
	_, err = w.db.Exec(w.ctx(), `INSERT INTO receipt_links (token_hash, pledge_id, opens, created_at, expires_at)
		SELECT sha256(convert_to('its link', 'UTF8')), id, 'pledge', created_at, created_at + interval '1 year' FROM pledges WHERE id = $1`, w.names["changed"])
	w.must(err)
	w.call(w.content.Handler(), "POST", "/pledge-links/choice/", object{"token": "its link", "choice": object{"key": "smaller", "number": 0,
		"reward_id": nil, "quantity": 1, "amount": 30}}, http.StatusOK, nil)
	w.rest()
	w.raised()
	w.torn()
	w.names["taken_refund"] = w.text(w.pay, `SELECT id FROM refunds WHERE payment_id = $1`, w.payment("taken"))
	w.pledge("open", 24)
	w.names["open_intent"] = w.setUp("open")
	w.rest()
	w.names["open_payment"] = w.text(w.pay, `SELECT id FROM payments WHERE subject_id = $1`, w.names["open"])
	w.must(w.payments.Refund(w.ctx(), w.payment("pending"), 0, "refund-pending", operator)) // the bank is slow with it
	w.must(w.payments.Tidy(w.ctx()))
}

// raised has a pledge changed to a higher sum, which is charged further, and then to a lower one, of which the further charge gives some back.
func (w *world) raised() {
	w.t.Helper()
	w.raise("raised", 46, "further", 76)
	w.call(w.content.Handler(), "POST", "/pledge-links/choice/", object{"token": "link of raised", "choice": object{"key": "smaller", "number": 1,
		"reward_id": nil, "quantity": 1, "amount": 70}}, http.StatusOK, nil)
	w.rest()
}

// torn has a pledge taken back while a bank has its further charge.
func (w *world) torn() {
	w.t.Helper()
	w.raise("torn", 47, "torn_further", 79)
	w.dispute("torn_further", "")
	w.call(w.content.Handler(), "POST", "/pledge-links/withdrawal/", object{"token": "link of torn"}, http.StatusOK, nil)
	w.rest()
	w.raise("halved", 48, "halved_further", 81)
	w.dispute("halved_further", "")
}

// raise has a pledge paid, changed to a higher sum and charged further.
func (w *world) raise(name string, euros int, further string, to int) {
	w.t.Helper()
	w.paid(name, euros, goodCard)
	_, err := w.db.Exec(w.ctx(), `INSERT INTO receipt_links (token_hash, pledge_id, opens, created_at, expires_at)
		SELECT sha256(convert_to($2, 'UTF8')), id, 'pledge', created_at, created_at + interval '1 year' FROM pledges WHERE id = $1`, w.names[name], "link of "+name)
	w.must(err)
	var answer struct {
		Pledge struct {
			Choice struct {
				Raise *struct {
					ID    string `json:"raise_id"`
					Token string `json:"order_token"`
				} `json:"raise"`
			} `json:"choice"`
		} `json:"pledge"`
	}
	w.call(w.content.Handler(), "POST", "/pledge-links/choice/", object{"token": "link of " + name, "choice": object{"key": "larger", "number": 0,
		"reward_id": nil, "quantity": 1, "amount": to}}, http.StatusOK, &answer)
	raise := answer.Pledge.Choice.Raise
	w.names[further], w.orders[raise.ID] = raise.ID, raise.Token
	_, err = w.sandbox.ConfirmIntent(w.setUp(further), goodCard)
	w.must(err)
	w.rest()
	w.learn(further)
}

// accountAtA has a member made an account at provider A that can be paid to.
func (w *world) accountAtA(name string) {
	w.t.Helper()
	_, err := w.db.Exec(w.ctx(), `UPDATE users SET verified = true WHERE id = $1`, w.names[name+"_user"])
	w.must(err)
	w.as(w.signIn(name), func() {
		var made struct{ Account struct{ ID string } }
		w.callPay("POST", "/api/users/stripe/onboard", object{"account": object{"country": "FI", "type": "individual", "url": "https://talkoot.example/profile/1/"}}, &made)
		w.must(w.sandbox.OnboardAccount(made.Account.ID))
		w.names[name+"_at_a"] = made.Account.ID
	})
}

// invoiced has an operator book what a provider has billed, twice, and take back a part of each.
func (w *world) invoiced() {
	w.t.Helper()
	for _, i := range []payments.Invoice{
		{Number: "S-1", Amount: money.New(100_00, money.EUR), VATMinor: 25_50},
		{Number: "S-1-K", Corrects: "S-1", Amount: money.New(10_00, money.EUR), VATMinor: 2_55},
		{Number: "S-2", Amount: money.New(30_00, money.EUR), VATMinor: 7_65},
	} {
		i.Provider, i.Period, i.Key, i.Actor, i.Note = "stripe", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), i.Number, operator.Actor, operator.Note
		w.must(w.payments.BookInvoice(w.ctx(), i))
	}
}

// settled has a campaign end well and its charges be settled, whose money cannot be sent yet: of one a part is given back, and another is lost to a
// bank.
func (w *world) settled() {
	w.t.Helper()
	first, now := w.campaign, w.now()
	var err error
	w.campaign, err = w.content.NewCampaign(w.ctx(), content.CampaignSpec{Slug: "perilla", GoalMinor: 50_00, FirstDay: now, LastDay: now.AddDate(0, 0, 30),
		Rewards: []content.RewardSpec{{AmountMinor: 20_00, Stock: 100}}})
	w.must(err)
	_, err = w.db.Exec(w.ctx(), `UPDATE rewards SET added_costs = '[{"amount_minor": 350, "description": {"FI": "Posti"}}]' WHERE campaign_id = $1`, w.campaign.ID)
	w.must(err)
	w.accountAtA("giver")
	_, err = w.db.Exec(w.ctx(), `UPDATE campaign_team SET user_id = $1 WHERE campaign_id = $2 AND position = 0`, w.names["giver_user"], w.campaign.ID)
	w.must(err)
	w.rest()
	w.as(w.signIn("giver"), func() {
		w.call(w.content.Handler(), "POST", fmt.Sprintf("/campaigns/%d/set_payment_account/", w.campaign.ID), object{"stripe_account_id": w.names["giver_at_a"]},
			http.StatusOK, nil)
	})
	w.rest()
	for name, euros := range map[string]int{"settled": 45, "settled_lost": 55} {
		w.paid(name, euros, goodCard)
	}
	_, err = w.db.Exec(w.ctx(), `UPDATE campaigns SET first_day = today - 9, last_day = today - 2,
			funding_start = CAST(today - 9 AS timestamp) AT TIME ZONE zone, funding_deadline = CAST(today - 1 AS timestamp) AT TIME ZONE zone - interval '1 microsecond'
		FROM (SELECT zone, CAST($2::timestamptz AT TIME ZONE zone AS date) AS today FROM (VALUES ('Europe/Helsinki')) v (zone)) d WHERE id = $1`, w.campaign.ID, w.now())
	w.must(err)
	_, err = w.content.EndDue(w.ctx())
	w.must(err)
	w.rest()
	runs, err := w.payments.ProposeSettlement(w.ctx(), w.campaign.ID, operator)
	w.must(err)
	w.must(w.payments.ApproveSettlement(w.ctx(), runs[0].ID, runs[0].Hash, payments.Operator{Actor: "aino", Note: "test"}))
	w.campaign = first
	w.rest()
	w.refund("settled", 10_00)
	w.dispute("settled_lost", "lost")
}

// twice has a backer pay the same pledge in the form and on the hosted page.
func (w *world) twice() {
	w.t.Helper()
	w.pledge("twice", 70)
	intent := w.setUp("twice")
	path := fmt.Sprintf("/api/pledges/%s/payment-page/stripe", w.names["twice"])
	w.call(w.payments.Handler(), "POST", path, nil, http.StatusAccepted, nil)
	w.rest()
	session := w.text(w.pay, `SELECT a.object_ref FROM attempts a JOIN payments p ON p.id = a.payment_id WHERE p.subject_id = $1 AND a.method = 'page'`, w.names["twice"])
	_, err := w.sandbox.ConfirmIntent(intent, goodCard)
	w.must(err)
	_, err = w.sandbox.PayCheckout(session, goodCard)
	w.must(err)
	w.rest()
	w.learn("twice")
	w.names["second_charge"] = w.text(w.pay, `SELECT a.charge_ref FROM attempts a JOIN payments p ON p.id = a.payment_id
		WHERE p.id = $1 AND a.id <> p.paid_attempt_id AND a.status = 'succeeded'`, w.payment("twice"))
}

// byHand has refunds fail: an operator pays one from our bank and repeats another.
func (w *world) byHand() {
	w.t.Helper()
	w.paid("hand", 80, goodCard)
	failed := w.refundFails("hand", 0)
	w.names["hand_refund"] = failed
	w.must(w.payments.RefundPaidByHand(w.ctx(), failed, operator))
	w.paid("repeated", 85, goodCard)
	failed = w.refundFails("repeated", 0)
	w.names["repeated_refund"] = failed
	w.must(w.payments.RepeatRefund(w.ctx(), failed, operator))
	w.rest()
	w.comesBack()
}

// comesBack has a partial refund paid by hand after it failed, and then the whole charge refunded in the provider's
// dashboard: a loss, until that refund fails, too. The operator repeats what is left of it.
func (w *world) comesBack() {
	w.t.Helper()
	w.paid("back", 86, goodCard)
	w.must(w.payments.RefundPaidByHand(w.ctx(), w.refundFails("back", 30_00), operator))
	again, err := w.sandbox.RefundByHand(w.charge("back"), 86_00)
	w.must(err)
	w.rest()
	_, err = w.sandbox.FailRefund(stripe.RefundFailure{Refund: again.ID})
	w.must(err)
	w.rest()
	rest := w.text(w.pay, `SELECT id FROM refunds WHERE payment_id = $1 AND status = 'failed'`, w.payment("back"))
	w.must(w.payments.RepeatRefund(w.ctx(), rest, operator))
	w.rest()
}

// strayMoney has charges that match no payment: an operator returns one and attaches another to the payment it was
// for.
func (w *world) strayMoney() {
	w.t.Helper()
	w.paid("held", 33, goodCard)
	w.must(w.payments.ReleaseHeld(w.ctx(), "stripe", w.outside("stray", w.payment("held"), 7_00), false, operator))
	w.rest()
	w.pledge("attached", 34)
	w.setUp("attached")
	w.rest()
	payment := w.text(w.pay, `SELECT id FROM payments WHERE subject_id = $1`, w.names["attached"])
	w.must(w.payments.Attach(w.ctx(), "stripe", w.outside("found", "01n0b0dykn0wsth1spayment00", 34_00), payment, operator))
	w.rest()
	w.learn("attached")
}

// unpaid has pledges that end unpaid: two expire, and one is released, but its payment succeeds afterwards.
func (w *world) unpaid() {
	w.t.Helper()
	w.pledge("lapsed", 24)
	w.setUp("lapsed")
	w.pledge("never", 24)
	w.pledge("refused", 27)
	intent := w.setUp("refused")
	w.rest()
	w.call(w.content.Handler(), "DELETE", fmt.Sprintf("/pledges/%s/", w.names["refused"]), nil, http.StatusNoContent, nil)
	_, err := w.sandbox.ConfirmIntent(intent, goodCard)
	w.must(err)
	w.rest()
	w.learn("refused")
	w.pass(time.Hour)
	w.rest()
	w.names["lapsed_payment"] = w.text(w.pay, `SELECT id FROM payments WHERE subject_id = $1`, w.names["lapsed"])
}
