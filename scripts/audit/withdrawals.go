package audit

// withdrawalChecks are about what backers took back when their campaign was over, in the content service's database alone. That the money of
// it goes back is takenBack's. A term that would end when offices are closed is a few days longer, up to seven.
var withdrawalChecks = []query{
	{"what was taken back after a campaign could be", `
		SELECT format('pledge %s (%s) was taken back at %s; its campaign ended at %s with the money for the %s, it was sent on "%s"',
			p.id, w.kind, t.at, coalesce(e.ended_at::text, 'no time'), coalesce(e.goes_to, 'nobody'), p.sent_on)
		FROM pledge_transitions t JOIN pledges p ON p.id = t.pledge_id JOIN campaigns c ON c.id = p.campaign_id
		LEFT JOIN campaign_endings e ON e.campaign_id = p.campaign_id
		LEFT JOIN LATERAL (SELECT m.kind, m.days, m.starts, m.transit_days FROM withdrawal_terms m
			WHERE m.kind = CASE WHEN p.reward_id IS NULL THEN 'gift' ELSE coalesce(p.bought ->> 'kind', (SELECT kind FROM rewards WHERE id = p.reward_id)) END
			AND m.from_day <= (p.created_at AT TIME ZONE 'Europe/Helsinki')::date ORDER BY m.from_day DESC LIMIT 1) w ON true
		WHERE t.to_status = 'withdrawn' AND t.from_status <> 'withdrawn'
		  AND t.at > least(c.funding_deadline, e.ended_at) + @slack * interval '1 second'
		  AND NOT coalesce(e.goes_to = 'creator' AND w.days > 0 AND t.at >= e.ended_at - @slack * interval '1 second' AND CASE w.starts
			WHEN 'contract' THEN (t.at AT TIME ZONE 'Europe/Helsinki')::date <= (e.ended_at AT TIME ZONE 'Europe/Helsinki')::date + w.days + 7
			ELSE p.sent_on IS NULL OR (t.at AT TIME ZONE 'Europe/Helsinki')::date <= p.sent_on + w.transit_days + w.days + 7 END, false)`},
	{"what was sent was somebody's to send", `
		SELECT format('the reward of pledge %s (%s) was sent on %s; its campaign ended at %s', p.id, p.status, p.sent_on, coalesce(e.ended_at::text, 'no time'))
		FROM pledges p LEFT JOIN campaign_endings e ON e.campaign_id = p.campaign_id AND e.goes_to = 'creator'
		WHERE p.sent_on IS NOT NULL
		  AND (p.reward_id IS NULL OR p.paid_at IS NULL AND p.status <> 'processing' OR e.ended_at IS NULL OR p.sent_on < (e.ended_at AT TIME ZONE 'Europe/Helsinki')::date)`},
}
