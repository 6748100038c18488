//go:build unix

package audit_test

import (
	"fmt"
	"net/http"
	"strings"

	content "talkoot.fi/content/inproc"
)

// monthly has two supporters: of one a month went back in part, the other is on a break.
func (w *world) monthly() {
	w.t.Helper()
	now := w.now()
	made, err := w.content.NewCampaign(w.ctx(), content.CampaignSpec{Slug: "kuukausittain", IsMonthly: true, FirstDay: now, LastDay: now.AddDate(0, 0, 30),
		Rewards: []content.RewardSpec{{AmountMinor: 7_00}}})
	w.must(err)
	_, err = w.db.Exec(w.ctx(), `UPDATE rewards SET vat_tenths = 255 WHERE id = $1`, made.RewardIDs[0])
	w.must(err)
	for _, name := range []string{"supporter", "resting"} {
		var begun struct {
			Subscription struct {
				ID string `json:"subscription_id"`
			}
		}
		w.call(w.content.Handler(), "POST", fmt.Sprintf("/campaigns/%d/subscriptions/", made.ID), object{"amount": 10, "reward_id": made.RewardIDs[0],
			"email": name + "@example.org", "first_name": "Kuu", "last_name": "Kausi"}, http.StatusCreated, &begun)
		w.names[name] = begun.Subscription.ID
		var answer struct {
			Stripe struct {
				PaymentIntent struct {
					ClientSecret string `json:"client_secret"`
				} `json:"payment_intent"`
			}
		}
		w.call(w.payments.Handler(), "POST", fmt.Sprintf("/api/subscriptions/%s/setup", w.names[name]), nil, http.StatusOK, &answer)
		intent, _, _ := strings.Cut(answer.Stripe.PaymentIntent.ClientSecret, "_secret")
		_, err := w.sandbox.ConfirmIntent(intent, goodCard)
		w.must(err)
		w.rest()
		w.learn(name)
	}
	w.refund("supporter", 3_00)
	w.call(w.payments.Handler(), "POST", fmt.Sprintf("/api/subscriptions/%s/pause", w.names["resting"]), object{"until_period": 3}, http.StatusOK, nil)
	w.rest()
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
		{what: "a month has no receipt", check: receipt, content: `UPDATE subscription_charges SET receipt_number = '' WHERE subscription_id = @supporter`},
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
