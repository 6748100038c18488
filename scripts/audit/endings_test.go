//go:build unix

package audit_test

// endingFaults are planted into how campaigns ended and what became of their money.
func endingFaults() []corruption {
	const (
		how      = "a campaign that has ended says how"
		whose    = "whose the money is follows from the rule"
		accepted = "a campaign ends with what it had accepted"
		back     = "a campaign's money that is backers' is on its way back"
		only     = "money goes back for a campaign only when it is backers'"
		both     = "both services know how campaigns ended"

		content  = `INSERT INTO campaign_endings (campaign_id, outcome, goes_to, ended_at, accepted, accepted_minor, currency) `
		payments = `INSERT INTO campaign_endings (campaign_id, outcome, goes_to, ended_at, accepted, accepted_minor, currency, told_at) `
	)
	return []corruption{
		{what: "a campaign succeeded and nobody wrote how", check: how, content: `UPDATE campaigns SET stage = 3 WHERE id = @campaign`},
		{what: "a campaign ended and takes pledges", check: how, content: content + `VALUES (@campaign, 'reached', 'creator', now(), 0, 0, 'EUR')`},
		{what: "a campaign that missed its goal is told to have reached it", check: how, content: `UPDATE campaigns SET stage = 4 WHERE id = @campaign;
			` + content + `VALUES (@campaign, 'reached', 'creator', now(), 0, 0, 'EUR')`},
		{what: "a creator gets what is backers'", check: whose, content: content + `VALUES (@campaign, 'not_reached', 'creator', now(), 0, 0, 'EUR')`},
		{what: "backers get what is the creator's", check: whose, content: content + `VALUES (@campaign, 'reached', 'backers', now(), 0, 0, 'EUR')`},
		{what: "a campaign ended with more pledges than it had", check: accepted, content: content + `VALUES (@campaign, 'reached', 'creator', now(), 10000, 0, 'EUR')`},
		{what: "a campaign ended with more money than it had", check: accepted, content: content + `VALUES (@campaign, 'reached', 'creator', now(), 0, 100000000, 'EUR')`},
		{what: "the payment service has not heard of an ending", check: both, content: content + `VALUES (@monthly, 'canceled', 'backers', now(), 0, 0, 'EUR')`},
		{what: "the payment service has heard of an ending that never was", check: both,
			payments: payments + `VALUES (@campaign, 'reached', 'creator', now(), 0, 0, 'EUR', now())`},
		{what: "money that is backers' stays", check: back, payments: payments + `VALUES (@campaign, 'canceled', 'backers', now(), 0, 0, 'EUR', now())`},
		{what: "a run of refunds has stopped", check: back, payments: payments + `VALUES (@campaign, 'canceled', 'backers', now(), 0, 0, 'EUR', now());
			INSERT INTO refund_runs (campaign_id, next_at) VALUES (@campaign, '2020-01-01')`},
		{what: "a run has left somebody out", check: back, payments: payments + `VALUES (@campaign, 'canceled', 'backers', now(), 0, 0, 'EUR', now());
			INSERT INTO refund_runs (campaign_id, done_at) VALUES (@campaign, now())`},
		{what: "money goes back for a campaign that goes on", check: only, payments: `UPDATE refunds SET reason = 'campaign_failed' WHERE id = @full_refund`},
		{what: "a run sends a creator's money back", check: only, payments: payments + `VALUES (@campaign, 'reached', 'creator', now(), 0, 0, 'EUR', now());
			INSERT INTO refund_runs (campaign_id, done_at) VALUES (@campaign, now())`},
	}
}
