//go:build unix

package audit_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/scripts/audit"
)

func holdFaults() []corruption {
	const (
		last    = "a campaign's hold is what was said last"
		taken   = "no money is taken for a campaign on hold"
		waits   = "nothing waits to be paid for a campaign on hold"
		charge  = "no charge begins while its campaign is on hold"
		both    = "both services know which campaigns are on hold"
		blocked = "who is blocked takes no money and gives none"
		fraud   = "a card that a bank calls misused is charged no more"
		misused = "a card that was misused for anything is charged for no support of its payer"
		word    = `INSERT INTO campaign_holds (campaign_id, number, kind, reason, sentence, since, at) `
	)
	return []corruption{
		{what: "a campaign is on hold without a word", check: last, content: `UPDATE campaigns SET hold = 'on_hold' WHERE id = @monthly`},
		{what: "a campaign goes on without a word", check: last, content: word + `VALUES (@monthly, 1, 'on_hold', 'rules', '', now(), now());
			UPDATE campaigns SET hold_number = 1 WHERE id = @monthly`},
		{what: "a month was taken on hold", check: taken, content: word + `
			SELECT @monthly, 1, 'on_hold', 'rules', '', received_at - interval '1 hour', received_at - interval '1 hour' FROM subscription_events
			WHERE subscription_id = @supporter AND type = 'payment.succeeded' LIMIT 1`},
		{what: "a pledge was taken on hold", check: taken, content: word + `
			SELECT campaign_id, 1, 'on_hold', 'rules', '', paid_at - interval '1 hour', paid_at - interval '1 hour' FROM pledges WHERE id = @plain`},
		{what: "a pledge waits for a campaign on hold", check: waits, content: `
			UPDATE campaigns SET hold = 'on_hold' WHERE id = (SELECT campaign_id FROM pledges WHERE id = @plain);
			UPDATE pledges SET status = 'created' WHERE id = @plain`},
		{what: "a charge began on hold", check: charge, payments: `INSERT INTO campaign_holds (campaign_id, number, is_on_hold, told_at)
			SELECT s.campaign_id, 1, true, t.begun_at - interval '1 second' FROM subscription_tries t JOIN subscriptions s ON s.id = t.subscription_id
			WHERE s.id = @supporter LIMIT 1`},
		{what: "a month is to be paid on hold", check: charge, payments: `INSERT INTO campaign_holds (campaign_id, number, is_on_hold, told_at)
			SELECT s.campaign_id, 1, true, '2020-01-01' FROM subscriptions s WHERE s.id = @failing`},
		{what: "the payment service has not heard of a hold", check: both, content: `UPDATE campaigns SET hold = 'on_hold', hold_number = 1 WHERE id = @monthly`},
		{what: "the payment service has not heard that a stopped campaign's creator is paid", check: both, content: `
			UPDATE campaigns SET stage = 5, hold = 'stopped', hold_number = 1 WHERE id = @monthly;
			` + strings.Replace(word, "since", "pays_out, since", 1) + `VALUES (@monthly, 1, 'stopped', 'rules', '', true, now(), now())`,
			payments: `INSERT INTO campaign_holds (campaign_id, number, is_on_hold, told_at) VALUES (@monthly, 1, true, now())`},
		{what: "a blocked creator of a stopped campaign is paid", check: blocked, content: `
			UPDATE campaigns SET stage = 5, hold = 'stopped', hold_number = 1 WHERE id = @monthly;
			` + strings.Replace(word, "since", "pays_out, since", 1) + `VALUES (@monthly, 1, 'stopped', 'rules', '', true, now(), now());
			UPDATE users SET blocked_at = now() WHERE id = (SELECT user_id FROM campaign_team WHERE campaign_id = @monthly AND position = 0)`},
		{what: "a blocked creator's campaign goes on", check: blocked, content: `
			UPDATE users SET blocked_at = now() WHERE id = (SELECT user_id FROM campaign_team WHERE campaign_id = @monthly AND position = 0)`},
		{what: "a blocked backer's support goes on", check: blocked, content: `
			UPDATE users SET blocked_at = '2020-01-01' WHERE id = @giver_user;
			UPDATE subscriptions SET created_at = '2020-01-01' WHERE id = @giver`},
		{what: "support of which a month was fraud goes on", check: fraud, payments: `
			UPDATE disputes SET status = 'lost', reason = 'fraudulent', decided_at = '2020-01-01', payment_id = @supporter_second
			WHERE id = (SELECT min(id) FROM disputes)`},
		{what: "the card of a fraud is charged for other support", check: fraud, payments: `
			UPDATE disputes SET status = 'lost', reason = 'fraudulent', decided_at = '2020-01-01', payment_id = @supporter_second
			WHERE id = (SELECT min(id) FROM disputes);
			UPDATE subscription_tries SET card_ref = (SELECT paid_card FROM subscription_periods WHERE payment_id = @supporter_second)
			WHERE subscription_id <> @supporter;
			UPDATE subscriptions SET status = 'canceled', ended_because = 'asked' WHERE id = @supporter`},
		{what: "the card of a pledge that was fraud is charged for support", check: misused, payments: `
			UPDATE disputes SET status = 'lost', reason = 'fraudulent', decided_at = '2020-01-01' WHERE id = (SELECT min(id) FROM disputes);
			UPDATE payments SET backer_user_id = 77 WHERE id = (SELECT payment_id FROM disputes ORDER BY id LIMIT 1);
			UPDATE subscriptions SET backer_user_id = 77, card_given_at = NULL, card_refused = false, card_label = (SELECT p.method FROM payments p
				JOIN disputes d ON d.payment_id = p.id ORDER BY d.id LIMIT 1) WHERE id = @supporter`},
		{what: "a card was given on another day", check: misused, payments: `
			UPDATE subscriptions SET card_given_at = card_given_at + interval '1 hour' WHERE id = @supporter`},
	}
}

// clean wants an audit without a fault.
func (w *world) clean(when string) {
	w.t.Helper()
	report, err := audit.Run(w.ctx(), w.sources())
	w.must(err)
	w.want(report.Err() == nil, "%s: %v", when, report.Err())
}

// charges are the months of a supporter that were charged and not given back.
func (w *world) charges(name string) string {
	w.t.Helper()
	return w.text(w.pay, `SELECT count(*)::text FROM payments WHERE subject_id = $1 AND status = 'succeeded'`, w.names[name])
}

func (w *world) ended() {
	w.t.Helper()
	_, err := w.content.EndSubscriptions(w.ctx())
	w.must(err)
	w.rest()
}

// People would pay for somebody whom the operator has stopped.
func TestBlockedCreator_TakesNothing_ForThreeMonths_AndTheNextMonthOnceTheirCampaignGoesOn(t *testing.T) {
	w := newWorld(t)
	w.monthly()
	campaign := w.names["monthly"].(int64) //nolint:forcetypeassert // set by monthly
	w.must(w.content.Block(w.ctx(), "kuukausittain@creators.invalid", true))
	refused := func(when string) {
		var answer struct{ Status string }
		w.call(w.content.Handler(), "POST", fmt.Sprintf("/campaigns/%d/subscriptions/", campaign), object{"amount": 10, "email": "uusi@example.org",
			"first_name": "Uusi", "last_name": "Tukija"}, http.StatusConflict, &answer)
		w.want(answer.Status == "campaign_on_hold", "%s a new support: %s", when, answer.Status)
	}
	refused("at once")
	w.rest()
	w.ended()
	w.clean("after the block")
	w.days(92)
	refused("months later")
	for _, name := range []string{"supporter", "rising", "failing", "resting"} {
		if got := w.charges(name); got != "1" && name != "supporter" || name == "supporter" && got != "0" { // of which a part went back
			t.Errorf("%s was charged %s times", name, got)
		}
		status := w.text(w.pay, `SELECT status FROM subscriptions WHERE id = $1`, w.names[name])
		w.want(status == "active" || name == "resting" && status == "paused", "%s is %s", name, status)
	}
	w.clean("three months later")
	w.must(w.content.Block(w.ctx(), "kuukausittain@creators.invalid", false))
	w.rest()
	refused("unblocked")
	w.must(w.content.LiftHold(w.ctx(), campaign))
	w.rest()
	w.clean("lifted")
	w.days(31)
	if got := w.charges("rising"); got != "2" {
		t.Errorf("a month after it goes on, charged %s times", got)
	}
	if got := w.text(w.pay, `SELECT max(period)::text FROM payments WHERE subject_id = $1`, w.names["rising"]); got != "5" {
		t.Errorf("the month is %s", got)
	}
	w.clean("a month after it goes on")
}

func TestBlockedCreator_WhileTheirBackersPay_GetsNothing(t *testing.T) {
	w := newWorld(t)
	w.fund()
	form := w.pledge("form", 50)
	intent := w.setUp("form")
	late := w.pledge("late", 70)
	lateIntent := w.setUp("late")
	w.must(w.content.Block(w.ctx(), w.text(w.db, `SELECT u.email FROM users u JOIN campaign_team m ON m.user_id = u.id AND m.position = 0
		JOIN pledges p ON p.campaign_id = m.campaign_id WHERE p.id = $1`, form), true))
	w.call(w.content.Handler(), "POST", fmt.Sprintf("/campaigns/%d/pledges/", w.campaign.ID), object{"amount": 10, "pledge_meta": object{
		"email": "uusi@example.org", "first_name": "Uusi", "last_name": "Tukija"}}, http.StatusConflict, nil)
	_, err := w.sandbox.ConfirmIntent(lateIntent, goodCard) // before anything was told
	w.must(err)
	w.call(w.payments.Handler(), "POST", fmt.Sprintf("/api/pledges/%s/setup", form), nil, http.StatusConflict, nil)
	w.rest()
	w.rest()
	_, err = w.sandbox.ConfirmIntent(intent, goodCard)
	w.want(err != nil, "the open form was paid")
	if got := w.text(w.pay, `SELECT status FROM payments WHERE subject_id = $1`, late); got != "refunded" {
		t.Errorf("money that came meanwhile is %s", got)
	}
	if got := w.text(w.db, `SELECT status FROM pledges WHERE id = $1`, form); got != "expired" {
		t.Errorf("a pledge that waited is %s", got)
	}
	w.clean("afterwards")
}
