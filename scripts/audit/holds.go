package audit

import (
	"context"
	"maps"
	"slices"
)

// heldSQL are the times in which campaigns were on hold, from the words that one service keeps; the gaps (%s) take whether a word is a
// hold, and its time.
func heldSQL(isHold, at string) string {
	return `(SELECT campaign_id, ` + at + ` AS since, coalesce(lead(` + at + `) OVER (PARTITION BY campaign_id ORDER BY number), 'infinity') AS until,
		` + isHold + ` AS is_hold FROM campaign_holds) h`
}

// holdChecks are about campaigns on hold, in the content service's database alone. A decision that had begun when the hold came may have been
// written some seconds after it.
var holdChecks = []query{
	{"a campaign's hold is what was said last", `
		SELECT format('campaign %s is "%s", the last of %s words is "%s"', c.id, c.hold, c.hold_number, coalesce(h.kind, 'none'))
		FROM campaigns c LEFT JOIN LATERAL (SELECT number, kind FROM campaign_holds WHERE campaign_id = c.id ORDER BY number DESC LIMIT 1) h ON true
		WHERE (c.hold, c.hold_number) IS DISTINCT FROM (CASE coalesce(h.kind, 'lifted') WHEN 'lifted' THEN '' ELSE h.kind END, coalesce(h.number, 0))`},
	// What a bank confirms after the campaign has ended well is its creator's by then.
	{"no money is taken for a campaign on hold", `
		SELECT format('event %s was applied at %s, campaign %s was on hold since %s', e.event_id, e.received_at, h.campaign_id, h.since)
		FROM ` + heldSQL(`kind <> 'lifted'`, "at") + ` JOIN (
			SELECT e.event_id, e.received_at, p.campaign_id FROM payment_events e JOIN pledges p ON p.id = e.pledge_id
			WHERE e.type = 'payment.succeeded' AND e.outcome = 'applied' AND NOT EXISTS (SELECT FROM campaign_endings n
				WHERE n.campaign_id = p.campaign_id AND n.goes_to = 'creator' AND n.ended_at < e.received_at)
			UNION ALL SELECT e.event_id, e.received_at, s.campaign_id FROM subscription_events e JOIN subscriptions s ON s.id = e.subscription_id
			WHERE e.type = 'payment.succeeded' AND e.outcome = 'applied') e USING (campaign_id)
		WHERE h.is_hold AND e.received_at > h.since + @slack * interval '1 second' AND e.received_at < h.until`},
	{"nothing waits to be paid for a campaign on hold", `
		SELECT format('%s of campaign %s is %s', v.what, c.id, v.status) FROM campaigns c JOIN (
			SELECT 'pledge ' || id AS what, campaign_id, status FROM pledges WHERE status IN ('created', 'awaiting_payment')
			UNION ALL SELECT 'raise ' || r.id, p.campaign_id, r.status FROM pledge_raises r JOIN pledges p ON p.id = r.pledge_id WHERE r.status IN ('created', 'awaiting_payment')
			UNION ALL SELECT 'subscription ' || id, campaign_id, status FROM subscriptions WHERE status = 'created') v ON v.campaign_id = c.id
		WHERE c.hold <> ''`},
	{"who is blocked takes no money and gives none", `
		SELECT format('campaign %s of user %s, who is blocked, is not on hold', c.id, u.id) FROM users u
		JOIN campaign_team m ON m.user_id = u.id AND m.position = 0 JOIN campaigns c ON c.id = m.campaign_id
		WHERE u.blocked_at IS NOT NULL AND c.stage NOT IN (0, 5) AND c.hold = ''
		UNION ALL
		SELECT format('what is the creator''s of campaign %s is paid out, user %s is blocked', c.id, u.id) FROM users u
		JOIN campaign_team m ON m.user_id = u.id AND m.position = 0 JOIN campaigns c ON c.id = m.campaign_id
		JOIN campaign_holds h ON (h.campaign_id, h.number) = (c.id, c.hold_number) AND h.pays_out WHERE u.blocked_at IS NOT NULL
		UNION ALL
		SELECT format('subscription %s is %s, user %s was blocked at %s', s.id, s.status, u.id, u.blocked_at) FROM users u
		JOIN subscriptions s ON s.user_id = u.id OR s.user_id IS NULL AND u.verified AND lower(s.email) = lower(u.email)
		WHERE greatest(u.blocked_at, s.created_at) < @yesterday AND u.blocked_at IS NOT NULL AND s.status IN ` + livingSubscription},
}

// chargeHoldChecks are the same in the payment service's, which decides what is charged: there it is exact.
var chargeHoldChecks = []query{
	{"no charge begins while its campaign is on hold", `
		SELECT format('try %s of month %s of subscription %s was begun at %s, campaign %s was on hold since %s', t.number, t.period, s.id, t.begun_at,
			s.campaign_id, h.since)
		FROM ` + heldSQL("is_on_hold", "told_at") + ` JOIN subscriptions s USING (campaign_id) JOIN subscription_tries t ON t.subscription_id = s.id
		WHERE h.is_hold AND t.begun_at > h.since AND t.begun_at < h.until
		UNION ALL
		SELECT format('month %s of subscription %s is to be paid, its campaign %s is on hold', m.period, s.id, s.campaign_id)
		FROM subscription_periods m JOIN subscriptions s ON s.id = m.subscription_id JOIN ` + heldSQL("is_on_hold", "told_at") + ` USING (campaign_id)
		WHERE m.status = 'open' AND h.is_hold AND h.until = 'infinity' AND h.since < @yesterday`},
	{"a card that a bank calls misused is charged no more", `
		WITH fraud AS (SELECT d.provider_ref, d.decided_at, m.subscription_id, s.provider, coalesce(nullif(m.paid_card, ''), t.card_ref) AS card
			FROM disputes d JOIN subscription_periods m ON m.payment_id = d.payment_id JOIN subscriptions s ON s.id = m.subscription_id
			LEFT JOIN subscription_tries t ON (t.subscription_id, t.period, t.outcome) = (m.subscription_id, m.period, 'taken')
			WHERE d.status = 'lost' AND d.reason = 'fraudulent' AND d.decided_at < @yesterday)
		SELECT format('subscription %s is %s, its dispute %s was lost as fraud at %s', s.id, s.status, f.provider_ref, f.decided_at)
		FROM fraud f JOIN subscriptions s ON s.id = f.subscription_id WHERE s.status IN ` + livingSubscription + `
		UNION ALL
		SELECT format('try %s of month %s of subscription %s was begun at %s with the card of dispute %s, lost as fraud at %s', t.number, t.period,
			t.subscription_id, t.begun_at, f.provider_ref, f.decided_at)
		FROM fraud f JOIN subscription_tries t ON t.card_ref = f.card AND t.begun_at > f.decided_at + @slack * interval '1 second'
		JOIN subscriptions s ON s.id = t.subscription_id AND s.provider = f.provider`},
	// A card is known by what it is called, because each time that it is given it has another reference.
	{"a card that was misused for anything is charged for no support of its payer", `
		WITH fraud AS (SELECT d.provider_ref, d.payment_id, d.decided_at AS at FROM disputes d WHERE d.status = 'lost' AND d.reason IN ('fraudulent', 'fraud')
			UNION ALL SELECT w.provider_ref, w.payment_id, r.created_at FROM fraud_warnings w JOIN refunds r ON r.attempt_id = w.attempt_id AND r.created_at >= w.opened_at
				WHERE w.status = 'refunded')
		SELECT format('subscription %s is charged to the %s of payment %s, fraud by %s since %s, given at %s', s.id, s.card_label, p.id, f.provider_ref, f.at, s.card_given_at)
		FROM fraud f JOIN payments p ON p.id = f.payment_id JOIN subscriptions s ON s.backer_user_id = p.backer_user_id AND s.card_label = p.method
		WHERE p.method <> '' AND NOT s.card_refused AND s.status IN ` + livingSubscription + ` AND f.at < @yesterday AND coalesce(s.card_given_at, '-infinity') < f.at
		UNION ALL
		SELECT format('the card of subscription %s was given at %s, of which nothing is noted', s.id, s.card_given_at)
		FROM subscriptions s WHERE (s.card_ref <> '' AND s.status IN ` + livingSubscription + ` OR s.card_given_at IS NOT NULL) AND NOT EXISTS (SELECT FROM subscription_transitions t
			WHERE t.subscription_id = s.id AND t.cause IN ('card', 'paid') AND t.at = s.card_given_at)`},
}

// campaignHold is whether a campaign is on hold, as one service says.
type campaignHold struct {
	Campaign int64
	Hold     string // on_hold; paid_out: its creator is paid all the same
}

const (
	contentHoldsSQL = `SELECT c.id, CASE WHEN h.pays_out THEN 'paid_out' ELSE 'on_hold' END
		FROM campaigns c LEFT JOIN campaign_holds h ON (h.campaign_id, h.number) = (c.id, c.hold_number) WHERE c.hold <> ''`
	paymentsHoldsSQL = `SELECT campaign_id, CASE WHEN pays_out THEN 'paid_out' ELSE 'on_hold' END
		FROM (SELECT DISTINCT ON (campaign_id) * FROM campaign_holds ORDER BY campaign_id, number DESC) h WHERE is_on_hold`
)

// readHolds reads who is on hold from both databases.
func (s *snapshot) readHolds(ctx context.Context, contentDB, paymentsDB querier) (err error) {
	for _, part := range []struct {
		db   querier
		sql  string
		into *map[int64]string
	}{{contentDB, contentHoldsSQL, &s.contentHolds}, {paymentsDB, paymentsHoldsSQL, &s.paymentsHolds}} {
		list, err := rows[campaignHold](ctx, part.db, "holds", part.sql)
		if err != nil {
			return err
		}
		*part.into = map[int64]string{}
		for _, one := range list {
			(*part.into)[one.Campaign] = one.Hold
		}
	}
	return nil
}

// sameHolds wants that the payment service has heard which campaigns are on hold, and whose creators are paid all the same.
func sameHolds(s *snapshot, found func(format string, args ...any)) {
	all := maps.Clone(s.paymentsHolds)
	maps.Copy(all, s.contentHolds)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if s.contentHolds[id] != s.paymentsHolds[id] {
			found("campaign %d is %q, the payment service has heard %q", id, s.contentHolds[id], s.paymentsHolds[id])
		}
	}
}
