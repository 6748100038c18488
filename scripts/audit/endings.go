package audit

import (
	"context"
	"slices"
)

// endingChecks are about how campaigns for one-off support end, in the content service's database alone. The host that ended one may have had
// an earlier clock than the one that was told of a payment.
var endingChecks = []query{
	{"a campaign that has ended says how", `
		SELECT format('campaign %s is in stage %s and ended %s', c.id, c.stage, coalesce(e.outcome, 'never'))
		FROM campaigns c LEFT JOIN campaign_endings e ON e.campaign_id = c.id
		WHERE CASE WHEN e.campaign_id IS NULL THEN c.stage IN (3, 4) AND EXISTS (SELECT FROM pledges WHERE campaign_id = c.id AND paid_at IS NOT NULL)
			WHEN c.stage = 5 THEN false ELSE (c.stage, e.outcome) NOT IN ((3, 'reached'), (4, 'not_reached')) END`},
	{"whose the money is follows from the rule", `
		SELECT format('campaign %s ended %s (%s) and its money is the %s', c.id, e.outcome, c.funding_rule, e.goes_to)
		FROM campaign_endings e JOIN campaigns c ON c.id = e.campaign_id
		WHERE e.goes_to <> CASE e.outcome WHEN 'reached' THEN 'creator' WHEN 'canceled' THEN 'backers'
			ELSE CASE c.funding_rule WHEN 'keep_what_is_raised' THEN 'creator' ELSE 'backers' END END`},
	{"a campaign ends with what it had accepted", `
		SELECT format('campaign %s ended with %s pledges and %s, %s and %s of them were paid by then', e.campaign_id, e.accepted, e.accepted_minor, p.paid, p.minor)
		FROM campaign_endings e CROSS JOIN LATERAL (
			SELECT count(*) AS paid, coalesce(sum(amount_minor), 0) AS minor FROM pledges WHERE campaign_id = e.campaign_id
				AND paid_at <= e.ended_at + @slack * interval '1 second') p
		WHERE e.accepted > p.paid OR e.accepted_minor > p.minor`},
}

// refundRunChecks are about money that goes back to backers of campaigns that have ended, in the payment service's database alone.
var refundRunChecks = []query{
	{"a campaign's money that is backers' is on its way back", `
		SELECT format('campaign %s ended at %s, its money is backers'' and has no run', e.campaign_id, e.ended_at) FROM campaign_endings e
		WHERE e.goes_to = 'backers' AND NOT EXISTS (SELECT FROM refund_runs r WHERE r.campaign_id = e.campaign_id)
		UNION ALL
		SELECT format('the run of campaign %s waits since %s', campaign_id, next_at) FROM refund_runs WHERE next_at < @yesterday
		UNION ALL
		SELECT format('payment %s of campaign %s is %s, and nothing of it is on its way back', p.id, p.campaign_id, p.status)
		FROM refund_runs r JOIN payments p ON p.campaign_id = r.campaign_id AND p.subject_kind = 'pledge'
		WHERE r.done_at IS NOT NULL AND p.status IN ('succeeded', 'partly_refunded')
		  AND NOT EXISTS (SELECT FROM refunds b WHERE b.payment_id = p.id AND b.reason <> 'requested')`},
	{"money goes back for a campaign only when it is backers'", `
		SELECT format('refund %s is for %s, campaign %s ended %s and its money is the %s', b.id, b.reason, p.campaign_id, coalesce(e.outcome, 'never'), e.goes_to)
		FROM refunds b JOIN payments p ON p.id = b.payment_id LEFT JOIN campaign_endings e ON e.campaign_id = p.campaign_id
		WHERE b.reason IN ('campaign_failed', 'campaign_canceled')
		  AND (e.goes_to IS DISTINCT FROM 'backers' OR (b.reason = 'campaign_canceled') <> (e.outcome = 'canceled'))
		UNION ALL
		SELECT format('the run of campaign %s: the money is the %s', r.campaign_id, e.goes_to)
		FROM refund_runs r JOIN campaign_endings e USING (campaign_id) WHERE e.goes_to <> 'backers'`},
}

var endingComparisons = []comparison{{"both services know how campaigns ended", sameEndings}}

// campaignEnding is how a campaign ended, as one service says.
type campaignEnding struct {
	Campaign                         int64
	Outcome, GoesTo, Currency, Ended string
	Accepted                         int
	AcceptedMinor                    int64
}

const endingsSQL = `SELECT campaign_id, outcome, goes_to, currency, ended_at::text, accepted, accepted_minor FROM campaign_endings ORDER BY campaign_id`

func (s *snapshot) readEndings(ctx context.Context, contentDB, paymentsDB querier) (err error) {
	if s.contentEndings, err = rows[campaignEnding](ctx, contentDB, "endings", endingsSQL); err != nil {
		return err
	}
	s.paymentsEndings, err = rows[campaignEnding](ctx, paymentsDB, "endings", endingsSQL)
	return err
}

// sameEndings wants that the payment service has heard how each campaign ended.
func sameEndings(s *snapshot, found func(format string, args ...any)) {
	for _, e := range s.contentEndings {
		if !slices.Contains(s.paymentsEndings, e) {
			found("campaign %d ended so: %+v; the payment service has heard otherwise, or nothing", e.Campaign, e)
		}
	}
	for _, e := range s.paymentsEndings {
		if !slices.ContainsFunc(s.contentEndings, func(c campaignEnding) bool { return c.Campaign == e.Campaign }) {
			found("the payment service has heard that campaign %d ended, it has not", e.Campaign)
		}
	}
}
