//go:build unix

package audit_test

// withdrawalFaults are planted into what was taken back after its campaign, and into what was sent.
func withdrawalFaults() []corruption {
	const (
		could = "what was taken back after a campaign could be"
		sent  = "what was sent was somebody's to send"
		ended = `INSERT INTO campaign_endings (campaign_id, outcome, goes_to, ended_at, accepted, accepted_minor, currency)
			SELECT campaign_id, 'reached', 'creator', released_at - interval '40 days', 0, 0, 'EUR' FROM pledges WHERE id = @taken;
			UPDATE campaigns SET stage = 3 WHERE id = (SELECT campaign_id FROM pledges WHERE id = @taken);
`
		chose = `UPDATE pledges p SET reward_id = r.id, bought = '{"kind": "service"}' FROM (SELECT min(id) AS id, campaign_id FROM rewards GROUP BY 2) r
			WHERE p.id = @taken AND r.campaign_id = p.campaign_id;
`
	)
	return []corruption{
		{what: "a gift was taken back after its campaign", check: could, content: ended + `UPDATE pledges SET reward_id = NULL, bought = NULL WHERE id = @taken`},
		{what: "a service was taken back after its days", check: could, content: ended + chose},
		{what: "goods were taken back long after they were sent", check: could, content: ended + chose +
			`UPDATE pledges SET bought = '{"kind": "goods"}', sent_on = released_at - interval '39 days' WHERE id = @taken`},
		{what: "one was taken back while its campaign was counted", check: could,
			content: `UPDATE campaigns c SET funding_deadline = p.released_at - interval '9 days' FROM pledges p WHERE p.id = @taken AND c.id = p.campaign_id`},
		{what: "one was taken back though everybody gets their money back", check: could, content: ended + chose +
			`UPDATE campaign_endings SET outcome = 'canceled', goes_to = 'backers', ended_at = ended_at + interval '31 days'`},
		{what: "a reward was sent before its campaign had ended", check: sent, content: `UPDATE pledges SET sent_on = now() WHERE reward_id IS NOT NULL AND status = 'paid'`},
		{what: "a gift was sent", check: sent, content: ended + `UPDATE pledges SET reward_id = NULL, sent_on = now() WHERE id = @taken`},
	}
}
