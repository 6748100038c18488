package audit

// people counts the distinct people of rows of pledges or subscriptions: accounts, else mail addresses. What the erased gave to a campaign
// has its first pledge or support in common.
const people = `count(DISTINCT CASE WHEN user_id IS NOT NULL THEN user_id::text WHEN email <> '' THEN '@' || lower(email)
	ELSE '#' || coalesce(erased_with, id) END)`

// campaignChecks are about campaigns, their rewards and what people like, in the content service's database alone. They restate the
// service's rules instead of using its code, because an audit that shares code with the service shares its faults.
var campaignChecks = []query{
	{"stock is held by exactly the pledges that hold it", `
		SELECT format('reward %s: %s reserved, pledges hold %s, stock %s', r.id, r.stock_reserved, coalesce(p.held, 0), r.stock)
		FROM rewards r
		LEFT JOIN (SELECT reward_id, sum(quantity) AS held FROM (SELECT reward_id, quantity FROM pledges WHERE stock_held
			UNION ALL SELECT reward_id, held_quantity FROM pledge_raises WHERE stock_held) h GROUP BY reward_id) p ON p.reward_id = r.id
		WHERE r.stock_reserved <> coalesce(p.held, 0) OR (r.stock > 0 AND r.stock_reserved > r.stock)`},
	{"stock is held by the statuses that hold it", `
		SELECT format('pledge %s is %s and stock_held is %s', p.id, p.status, p.stock_held)
		FROM pledges p JOIN rewards r ON r.id = p.reward_id AND r.stock > 0
		WHERE p.stock_held <> (p.status NOT IN ('failed', 'expired', 'refunded', 'withdrawn'))`},
	{"rewards count those who paid for them", `
		SELECT format('reward %s: counts %s backers, %s paid or support monthly', r.id, r.backers, x.paid)
		FROM rewards r CROSS JOIN LATERAL (
			SELECT ` + people + ` AS paid FROM (
				SELECT id, user_id, email, erased_with FROM pledges WHERE reward_id = r.id AND status IN ('paid', 'partly_refunded', 'disputed')
				UNION ALL
				SELECT id, user_id, email, erased_with FROM subscriptions WHERE reward_id = r.id AND status = 'active') y) x
		WHERE r.backers <> x.paid`},
	{"totals are what pledges and subscriptions add up to", `
		SELECT format('campaign %s: %s is %s, adds up to %s', c.id, v.total, coalesce(v.kept::text, 'missing'), v.computed)
		FROM campaigns c
		LEFT JOIN campaign_totals t ON t.campaign_id = c.id
		LEFT JOIN (
			SELECT campaign_id,
			       sum(CASE WHEN status IN ('paid', 'partly_refunded') THEN amount_minor - amount_refunded_minor ELSE uncontested_minor END) AS reached,
			       coalesce(sum(amount_minor) FILTER (WHERE status = 'processing'), 0) + coalesce(sum((SELECT sum(r.amount_minor) FROM pledge_raises r
			           WHERE r.pledge_id = pledges.id AND r.status = 'processing')), 0) AS settling,
			       ` + people + ` FILTER (WHERE status IN ('paid', 'partly_refunded', 'disputed')) AS backers,
			       max(backer_number) AS last_number
			FROM pledges GROUP BY campaign_id) p ON p.campaign_id = c.id
		LEFT JOIN (
			SELECT campaign_id, ` + people + ` AS supporters, sum(amount_minor) AS monthly FROM subscriptions
			WHERE status = 'active' GROUP BY campaign_id) m ON m.campaign_id = c.id
		CROSS JOIN LATERAL (VALUES
			('funding_reached', t.funding_reached_minor, coalesce(p.reached, 0)),
			('funding_settling', t.funding_settling_minor, coalesce(p.settling, 0)),
			('backers', t.backers, coalesce(p.backers, 0)),
			('subscriptions', t.subscriptions, coalesce(m.supporters, 0)),
			('subscriptions_amount', t.subscriptions_amount_minor, coalesce(m.monthly, 0)),
			('last_backer_number', t.last_backer_number, coalesce(p.last_number, 0)),
			('likes', t.likes, (SELECT count(*) FROM campaign_likes WHERE campaign_id = c.id AND counted))) AS v (total, kept, computed)
		WHERE v.kept IS DISTINCT FROM v.computed`},
	{"lists show the totals", `
		SELECT format('campaign %s: %s has %s, totals %s', c.id, v.place, v.shown, v.total)
		FROM campaigns c
		JOIN campaign_totals t ON t.campaign_id = c.id
		CROSS JOIN LATERAL (SELECT CASE WHEN c.hide_funding_amount THEN 0 ELSE t.funding_reached_minor END AS total) x
		CROSS JOIN LATERAL (
			SELECT format('the listing by tag %s and category %s', tag_id, category_id) AS place, funding_reached_minor AS shown, x.total
			FROM campaign_listings WHERE campaign_id = c.id
			UNION ALL
			SELECT format('the preview in %s', language), 100 * (preview ->> 'funding_reached')::numeric, x.total
			FROM campaign_previews WHERE campaign_id = c.id
			UNION ALL
			SELECT format('the monthly sum in the preview in %s', language), 100 * (preview #>> '{subscriptions,subscriptions_amount_total}')::numeric,
			       t.subscriptions_amount_minor
			FROM campaign_previews WHERE campaign_id = c.id AND c.stage = 6
			UNION ALL
			SELECT format('the supporters in the preview in %s', language), (preview #>> '{subscriptions,subscriptions_subscribers_count}')::numeric, t.subscriptions
			FROM campaign_previews WHERE campaign_id = c.id AND c.stage = 6) v
		WHERE v.shown IS DISTINCT FROM v.total`},
	{"lists show the campaign's goal and days", `
		SELECT format('campaign %s in %s from %s to %s, in stage %s, shows %s', c.id, c.currency, c.funding_start, c.funding_deadline, c.stage, v.preview)
		FROM campaigns c JOIN campaign_previews v ON v.campaign_id = c.id JOIN campaign_totals t ON t.campaign_id = c.id
		WHERE (v.preview ->> 'currency', (v.preview ->> 'stage')::int, (v.preview ->> 'campaign_id')::bigint, 100 * (v.preview ->> 'min_goal')::numeric,
				100 * (v.preview ->> 'target_goal')::numeric) IS DISTINCT FROM
				(c.currency::text, c.stage::int, c.id, c.min_goal_minor::numeric, c.target_goal_minor::numeric)
			OR (v.preview ->> 'funding_start')::timestamptz IS DISTINCT FROM date_trunc('second', c.funding_start)
			OR (v.preview ->> 'funding_deadline')::timestamptz IS DISTINCT FROM date_trunc('second', c.funding_deadline)
			OR (v.preview ->> 'first_day_of_funding')::date IS DISTINCT FROM c.first_day OR (v.preview ->> 'last_day_of_funding')::date IS DISTINCT FROM c.last_day
			OR (v.preview ->> 'hide_funding_amount')::boolean <> c.hide_funding_amount OR (v.preview ->> 'hide_member_count')::boolean <> c.hide_member_count
			OR NOT c.hide_member_count AND c.stage <> 6 AND (v.preview ->> 'number_of_backers')::bigint <> t.backers
			OR NOT c.hide_funding_amount AND 100 * (v.preview ->> 'funding_settling')::numeric <> t.funding_settling_minor
		UNION ALL
		SELECT format('the preview of campaign %s in %s is of no campaign', campaign_id, language) FROM campaign_previews v
		WHERE NOT EXISTS (SELECT FROM campaigns WHERE id = v.campaign_id)
		UNION ALL
		SELECT format('campaign %s is funded from %s to %s, its days are %s and %s', id, funding_start, funding_deadline, first_day, last_day) FROM campaigns
		WHERE ` + inFinland("funding_start") + ` <> first_day OR ` + inFinland("funding_deadline") + ` <> last_day
		UNION ALL
		SELECT format('campaign %s is listed from %s to %s, is funded from %s to %s', c.id, l.funding_start, l.funding_deadline, c.funding_start, c.funding_deadline)
		FROM campaigns c JOIN campaign_listings l ON l.campaign_id = c.id
		WHERE (l.funding_start, l.funding_deadline) IS DISTINCT FROM (c.funding_start, c.funding_deadline)`},
	{"lists show the likes", `
		SELECT format('campaign %s: %s has %s, adds up to %s', c.id, v.place, v.shown, v.wanted)
		FROM campaigns c
		JOIN campaign_totals t ON t.campaign_id = c.id
		CROSS JOIN LATERAL (
			SELECT format('the listing by tag %s and category %s', tag_id, category_id) AS place, popularity::numeric AS shown,
			       t.likes + CASE WHEN c.hide_member_count THEN 0 ELSE t.backers + t.subscriptions END AS wanted
			FROM campaign_listings WHERE campaign_id = c.id
			UNION ALL
			SELECT format('the preview in %s', language), (preview ->> 'likes')::numeric, t.likes
			FROM campaign_previews WHERE campaign_id = c.id) v
		WHERE v.shown IS DISTINCT FROM v.wanted`},
	{"experiments count the likes that they have", `
		SELECT format('experiment %s: counts %s likes, has %s', e.id, e.like_count, count(l.user_id))
		FROM experiments e LEFT JOIN experiment_likes l ON l.experiment_id = e.id AND l.counted
		GROUP BY e.id HAVING e.like_count <> count(l.user_id)`},
	{"campaigns are listed where they belong", `
		WITH wanted AS (
			SELECT c.id, tag, category, CASE c.hold WHEN 'on_hold' THEN c.stage + 10 ELSE c.stage END AS stage FROM campaigns c
			CROSS JOIN LATERAL (SELECT 0 AS tag UNION SELECT tag_id FROM campaign_tags WHERE campaign_id = c.id) t
			CROSS JOIN LATERAL (SELECT 0 AS category UNION SELECT category_id FROM campaign_categories WHERE campaign_id = c.id) k)
		SELECT format('campaign %s by tag %s and category %s: listed in stage %s, is in %s', coalesce(w.id, l.campaign_id),
		    coalesce(w.tag, l.tag_id), coalesce(w.category, l.category_id), l.stage, w.stage)
		FROM wanted w FULL JOIN campaign_listings l
		    ON l.campaign_id = w.id AND l.tag_id = w.tag AND l.category_id = w.category
		WHERE l.stage IS DISTINCT FROM w.stage`},
	{"a settled campaign has no undecided pledge", `
		SELECT format('pledge %s is %s, its campaign %s is settled (stage %s)', p.id, p.status, c.id, c.stage)
		FROM campaigns c JOIN pledges p ON p.campaign_id = c.id AND p.status IN ('created', 'awaiting_payment', 'processing')
		WHERE c.stage IN (3, 4) AND NOT (p.status = 'processing' AND EXISTS (
			SELECT FROM campaign_endings e WHERE e.campaign_id = c.id AND e.ended_at > c.funding_deadline + interval '14 days'))`},
}
