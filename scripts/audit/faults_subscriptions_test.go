//go:build unix

package audit_test

import (
	"fmt"
	"net/http"
	"strings"

	content "talkoot.fi/content/inproc"
	"talkoot.fi/sandbox/stripe"
)

// monthly has five supporters who begin: of one a month went back in part, another is on a break, the next has another level
// from the second month on, of one the bank will refuse that, and one has ended at once.
func (w *world) monthly() {
	w.t.Helper()
	now := w.now()
	made, err := w.content.NewCampaign(w.ctx(), content.CampaignSpec{Slug: "kuukausittain", IsMonthly: true, FirstDay: now, LastDay: now.AddDate(0, 0, 30),
		Rewards: []content.RewardSpec{{AmountMinor: 7_00}}})
	w.must(err)
	_, err = w.db.Exec(w.ctx(), `UPDATE rewards SET vat_tenths = 255 WHERE id = $1`, made.RewardIDs[0])
	w.must(err)
	w.names["monthly"] = made.ID
	w.names["monthly_reward"] = made.RewardIDs[0]
	sessions := map[string]string{}
	for _, name := range []string{"supporter", "resting", "rising", "over"} {
		sessions[name] = w.member(name)
		w.as(sessions[name], func() { w.supports(name, 10) })
	}
	w.supports("failing", 10) // a guest
	w.refund("supporter", 3_00)
	act := func(name, call string, body object) {
		w.session = sessions[name]
		defer func() { w.session = "" }()
		w.call(w.payments.Handler(), "POST", fmt.Sprintf("/api/subscriptions/%s/%s", w.names[name], call), body, http.StatusOK, nil)
	}
	act("resting", "pause", object{"until_period": 3})
	act("rising", "modify-level", object{"amount": 12, "reward_id": made.RewardIDs[0]})
	act("over", "cancel", object{"at": "now"})
	_, err = w.sandbox.ChangeCard(stripe.CardChange{Method: w.text(w.pay, `SELECT card_ref FROM subscriptions WHERE id = $1`, w.names["failing"]), Card: "4000000000000341"})
	w.must(err)
	w.rest()
}

// supports has whoever makes the calls begin monthly support with its reward and pay the first month.
func (w *world) supports(name string, euros int) {
	w.t.Helper()
	_, err := w.sandbox.ConfirmIntent(w.toSupport(name, euros), goodCard)
	w.must(err)
	w.rest()
	w.learn(name)
}

// toSupport has whoever makes the calls begin monthly support with its reward, and gives the intent of the first month.
func (w *world) toSupport(name string, euros int) (intent string) {
	w.t.Helper()
	var begun struct {
		Subscription struct {
			ID string `json:"subscription_id"`
		}
		Token string `json:"order_token"`
	}
	w.call(w.content.Handler(), "POST", fmt.Sprintf("/campaigns/%d/subscriptions/", w.names["monthly"]), object{"amount": euros,
		"reward_id": w.names["monthly_reward"], "email": name + "@example.org", "first_name": "Kuu", "last_name": "Kausi"}, http.StatusCreated, &begun)
	w.orders[begun.Subscription.ID] = begun.Token
	w.names[name] = begun.Subscription.ID
	var answer struct {
		Stripe struct {
			PaymentIntent struct {
				ClientSecret string `json:"client_secret"`
			} `json:"payment_intent"`
		}
	}
	w.call(w.payments.Handler(), "POST", fmt.Sprintf("/api/subscriptions/%s/setup", w.names[name]), nil, http.StatusOK, &answer)
	intent, _, _ = strings.Cut(answer.Stripe.PaymentIntent.ClientSecret, "_secret")
	return intent
}

// secondMonth wants the second month charged, which has come meanwhile.
func (w *world) secondMonth() {
	w.t.Helper()
	for name, status := range map[string]string{"supporter": "succeeded", "rising": "succeeded", "failing": "created"} {
		got := w.text(w.pay, `SELECT status FROM payments WHERE subject_id = $1 AND period = 2`, w.names[name])
		w.want(got == status, "the second month of %s is %s", name, got)
		w.names[name+"_second"] = w.text(w.pay, `SELECT id FROM payments WHERE subject_id = $1 AND period = 2`, w.names[name])
	}
}

// monthFaults are planted into the payment service's database alone.
func monthFaults() []corruption {
	const (
		history = "the engine's history of a subscription is whole"
		payment = "a month and its payment agree"
		backer  = "a month is paid by its subscription's backer"
		days    = "a month's day follows from the first"
		tries   = "nothing is tried before its time or after the end"
		rests   = "a refused card rests until a day for it"
		time    = "an unpaid month has its time, and no more"
		passed  = "a month that passed while another was to be paid is left out"
		next    = "every subscription has its next step"
		level   = "a level begins with a month"
	)
	return []corruption{
		{what: "the engine's history is gone", check: history, payments: `DELETE FROM subscription_transitions WHERE subscription_id = @supporter`},
		{what: "the engine's history skips a step", check: history, payments: `DELETE FROM subscription_transitions WHERE subscription_id = @resting AND to_status = 'active'`},
		{what: "a subscription goes on after its end", check: history, payments: `UPDATE subscriptions SET status = 'active', ended_because = '' WHERE id = @over`},
		{what: "a paid month is open", check: payment, payments: `UPDATE subscription_periods SET status = 'open' WHERE subscription_id = @supporter AND period = 2`},
		{what: "a month is paid without money", check: payment, payments: `UPDATE subscription_periods SET status = 'paid' WHERE subscription_id = @failing AND period = 2`},
		{what: "a month was left out, its money stays", check: payment, payments: `UPDATE subscription_periods SET status = 'skipped' WHERE subscription_id = @rising AND period = 2`},
		{what: "a month was left out, its payment stays open", check: payment, payments: `UPDATE subscription_periods SET status = 'skipped' WHERE subscription_id = @failing AND period = 2`},
		{what: "a month has the payment of another", check: payment, payments: `UPDATE subscription_periods SET payment_id = @over_payment WHERE subscription_id = @over;
			UPDATE payments SET period = 7 WHERE id = @over_payment`},
		{what: "a month's payment has no month", check: payment, payments: `DELETE FROM subscription_periods WHERE subscription_id = @supporter AND period = 2`},
		{what: "a month is another person's", check: backer, payments: `UPDATE payments SET backer_user_id = 7 WHERE id = @rising_second`},
		{what: "the tries of a month are reckoned from another day", check: days, payments: `UPDATE subscription_periods SET day = day + 1 WHERE subscription_id = @rising AND period = 2`},
		{what: "a month's payment is of another day", check: days, payments: `UPDATE payments SET period_day = period_day - 1 WHERE id = @rising_second`},
		{what: "a month is tried the day before", check: tries, payments: `UPDATE subscription_tries SET begun_at = begun_at - interval '1 day' WHERE subscription_id = @supporter`},
		{what: "a month is tried after the end", check: tries, payments: `
			INSERT INTO subscription_tries (subscription_id, period, number, card_ref, outcome, begun_at, answered_at)
			SELECT subscription_id, period, 9, 'pm_x', 'declined', now() + interval '50 years', now() FROM subscription_periods WHERE subscription_id = @over`},
		{what: "a try is never answered", check: tries, payments: `
			UPDATE subscription_tries SET outcome = 'unknown', begun_at = begun_at - interval '2 hours' WHERE subscription_id = @failing AND number = 1`},
		{what: "a refused card is tried again at once", check: rests, payments: `
			INSERT INTO subscription_tries (subscription_id, period, number, card_ref, outcome, begun_at, answered_at)
			SELECT subscription_id, period, number + 1, card_ref, 'declined', begun_at + interval '1 hour', answered_at + interval '1 hour'
			FROM subscription_tries WHERE subscription_id = @failing ORDER BY number DESC LIMIT 1`},
		{what: "a month is given up too early", check: time, payments: `
			INSERT INTO subscription_transitions (subscription_id, from_status, to_status, cause, period, at)
			SELECT @failing, 'active', 'past_due', 'unpaid', 2, begun_at + interval '7 days' FROM subscription_periods WHERE subscription_id = @failing AND period = 2`},
		{what: "a month is tried for ever", check: time, payments: `UPDATE subscriptions SET status = 'active' WHERE id = @failing;
			UPDATE subscription_periods SET day = day - 20 WHERE subscription_id = @failing AND period = 2`},
		{what: "who owes a month is never given up", check: time, payments: `
			UPDATE subscriptions SET status = 'past_due', past_due_at = step_at - interval '40 days' WHERE id = @failing`},
		{what: "a month is charged although its day had passed", check: passed, payments: `
			UPDATE subscription_periods SET settled_at = settled_at + interval '40 days' WHERE subscription_id = @supporter AND period = 2;
			INSERT INTO subscription_periods (subscription_id, period, day, payment_id, status, begun_at, settled_at)
			SELECT subscription_id, 3, day, 'another', 'paid', begun_at, settled_at FROM subscription_periods WHERE subscription_id = @supporter AND period = 2`},
		{what: "two months are to be paid at once", check: passed, payments: `
			DROP INDEX subscription_periods_open;
			INSERT INTO subscription_periods (subscription_id, period, day, payment_id, status, begun_at)
			SELECT subscription_id, 3, (day + interval '1 month')::date, 'another', 'open', begun_at FROM subscription_periods WHERE subscription_id = @failing AND period = 2`},
		{what: "a subscription is never looked at again", check: next, payments: `UPDATE subscriptions SET step_at = NULL WHERE id = @supporter`},
		{what: "a subscription is looked at too late", check: next, payments: `UPDATE subscriptions SET step_at = step_at + interval '3 days' WHERE id = @resting`},
		{what: "a subscription's step waits for ever", check: next, payments: `UPDATE subscriptions SET step_at = step_at - interval '2 months' WHERE id = @rising`},
		{what: "a level has another amount than the month that it began with", check: level, payments: `
			UPDATE subscriptions SET level = jsonb_set(level, '{amount_minor}', '1300') WHERE id = @rising`},
	}
}

// supportFaults are differences between the two services.
func supportFaults() []corruption {
	const (
		agree    = "support and subscription agree"
		receipts = "receipts are the payments of months"
		back     = "a month's refunds and disputes are its payment's"
		sums     = "a campaign's monthly sum is what is charged"
		funds    = "a campaign's funds are what its receipts say"
	)
	return []corruption{
		{what: "a bank is said to have a first month that is paid", check: agree, content: `ALTER TABLE subscriptions DROP CONSTRAINT subscriptions_processing_has_not_begun;
			UPDATE subscriptions SET is_processing = true WHERE id = @supporter`},
		{what: "support is gone", check: agree, content: `DELETE FROM subscriptions WHERE id = @supporter`},
		{what: "a subscription is gone", check: agree, payments: `DELETE FROM subscriptions WHERE id = @supporter`},
		{what: "support rests, its subscription does not", check: agree, content: `UPDATE subscriptions SET status = 'paused' WHERE id = @supporter`},
		{what: "support goes on that was cancelled", check: agree, content: `UPDATE subscriptions SET status = 'active' WHERE id = @over`},
		{what: "support is charged that content has ended", check: agree, content: `UPDATE subscriptions SET status = 'canceled', closed_at = now() WHERE id = @resting`},
		{what: "support misses the last event", check: agree, content: `UPDATE subscriptions SET event_sequence = event_sequence - 1 WHERE id = @over`},
		{what: "support has another level", check: agree, content: `UPDATE subscriptions SET amount_minor = 1000 WHERE id = @rising`},
		{what: "support has another reward", check: agree, content: `UPDATE subscriptions SET reward_id = NULL WHERE id = @rising`},
		{what: "support knows a change that is not coming", check: agree, content: `UPDATE subscriptions SET next_amount_minor = 2000 WHERE id = @supporter`},
		{what: "support is paid for longer", check: agree, content: `UPDATE subscriptions SET paid_until = paid_until + 1 WHERE id = @supporter`},
		{what: "support ends, its subscription does not", check: agree, content: `UPDATE subscriptions SET ends_on = paid_until WHERE id = @supporter`},
		{what: "a subscription is for another campaign", check: agree, payments: `UPDATE subscriptions SET campaign_id = campaign_id + 1 WHERE id = @supporter`},
		{what: "a paid month has no receipt", check: receipts, content: `DELETE FROM subscription_charges WHERE subscription_id = @supporter AND period = 2`},
		{what: "a receipt is of another sum than its payment", check: receipts, content: `UPDATE subscription_charges SET amount_minor = 1100 WHERE subscription_id = @rising AND period = 2`},
		{what: "a receipt is of another month", check: receipts, content: `UPDATE subscription_charges SET period = 5 WHERE subscription_id = @rising AND period = 2`},
		{what: "a receipt is of another day", check: receipts, content: `UPDATE subscription_charges SET period_day = period_day + 1 WHERE subscription_id = @rising AND period = 2`},
		{what: "a receipt is of no payment", check: receipts, content: `UPDATE subscription_charges SET payment_id = 'p' WHERE subscription_id = @rising AND period = 2`},
		{what: "a month has more back than its payment", check: back, content: `UPDATE subscription_charges SET amount_refunded_minor = 400 WHERE subscription_id = @supporter AND period = 1`},
		{what: "a month is disputed, its payment is not", check: back, content: `UPDATE subscription_charges SET is_disputed = true WHERE subscription_id = @rising AND period = 1`},
		{what: "a subscription charges more than its campaign counts", check: sums, payments: `
			UPDATE subscriptions SET level = jsonb_set(level, '{amount_minor}', '1001') WHERE id = @supporter`},
		{what: "a rest is charged", check: sums, payments: `UPDATE subscriptions SET status = 'active' WHERE id = @resting`},
		{what: "a campaign's monthly sum counts rows, not amounts", check: sums, content: `
			UPDATE campaign_totals SET subscriptions_amount_minor = 1000 * subscriptions WHERE campaign_id = @monthly`},
		{what: "a month's receipt is of a cent more than the ledger has", check: funds, content: `
			UPDATE subscription_charges SET amount_minor = amount_minor + 1 WHERE subscription_id = @over`},
		{what: "a month's money is another campaign's", check: funds, payments: `
			UPDATE ledger_entries SET amount_minor = amount_minor / 2 WHERE transaction_id IN (
				SELECT id FROM ledger_transactions WHERE kind = 'charge' AND payment_id = @rising_second)`},
	}
}

// subscriptionFaults are planted into the content service's database alone.
func subscriptionFaults() []corruption {
	const (
		history = "a subscription's history is whole"
		paid    = "a month is paid by what events told"
		back    = "what went back of a month is what events told"
		receipt = "monthly receipts are given once"
		tax     = "the tax in a month is at most that of its whole amount"
		told    = "supporters are told of their money"
		lives   = "no subscription lives past its time"
		totals  = "totals are what pledges and subscriptions add up to"
	)
	return []corruption{
		{what: "the history of a subscription is gone", check: history, content: `DELETE FROM subscription_transitions WHERE subscription_id = @supporter`},
		{what: "a subscription is where its history did not lead", check: history, content: `UPDATE subscriptions SET status = 'canceled' WHERE id = @supporter`},
		{what: "a subscription has another level than its history", check: history, content: `UPDATE subscriptions SET amount_minor = 1100 WHERE id = @resting`},
		{what: "a month's charge is gone", check: paid, content: `DELETE FROM subscription_charges WHERE subscription_id = @supporter`},
		{what: "a month's charge is of another sum", check: paid, content: `UPDATE subscription_charges SET amount_minor = 900 WHERE subscription_id = @supporter`},
		{what: "the inbox of a month is emptied", check: paid, content: `DELETE FROM subscription_events WHERE subscription_id = @supporter`},
		{what: "a month has less back than events told", check: back, content: `UPDATE subscription_charges SET amount_refunded_minor = 0 WHERE subscription_id = @supporter`},
		{what: "a monthly receipt is two months'", check: receipt, content: `
			ALTER TABLE subscription_charges DROP CONSTRAINT subscription_charges_receipt_number_key;
			UPDATE subscription_charges SET receipt_number = 'TM-2026-000001'`},
		{what: "a month has no receipt", check: receipt, content: `UPDATE subscription_charges SET receipt_number = '' WHERE subscription_id = @supporter AND period = 1`},
		{what: "a month has more tax than its amount has", check: tax, content: `UPDATE subscription_charges SET vat_minor = 204 WHERE subscription_id = @supporter`},
		{what: "a monthly receipt was never mailed", check: told, content: `
			DELETE FROM outbox WHERE kind = 'mail.monthly_receipt' AND payload ->> 'subscription_id' = @supporter`},
		{what: "an unpaid subscription waits for ever", check: lives, content: `
			UPDATE subscriptions SET status = 'created', payable_until = payable_until - interval '1 month' WHERE id = @supporter`},
		{what: "support of a closed campaign goes on", check: lives, content: `UPDATE campaigns SET stage = 5 WHERE slug = 'kuukausittain'`},
		{what: "a month is paid next year", check: "nothing of subscriptions is later than now", content: `
			UPDATE subscription_charges SET paid_at = paid_at + interval '1 year' WHERE subscription_id = @supporter`},
		{what: "a campaign has too many supporters", check: totals, content: `UPDATE campaign_totals SET subscriptions = subscriptions + 1`},
		{what: "a campaign's month is a cent too much", check: totals, content: `UPDATE campaign_totals SET subscriptions_amount_minor = subscriptions_amount_minor + 1`},
		{what: "a rest counts", check: totals, content: `UPDATE subscriptions SET status = 'active' WHERE id = @resting`},
		{what: "a preview shows another monthly sum", check: "lists show the totals", content: `
			UPDATE campaign_previews SET preview = CAST(jsonb_set(CAST(preview AS jsonb), '{subscriptions,subscriptions_amount_total}', '7') AS json)
			WHERE language = 'fi' AND preview -> 'subscriptions' IS NOT NULL`},
		{what: "a reward counts a supporter who rests", check: "rewards count those who paid for them", content: `
			UPDATE rewards SET backers = backers + 1 WHERE id = (SELECT reward_id FROM subscriptions WHERE id = @resting)`},
	}
}
