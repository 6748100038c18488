-- The rows that lists read, for the campaigns from dataset.first to dataset.last: the content service's own shape
-- (RefreshPreviews of its package campaigns), for many campaigns at once.
INSERT INTO campaign_listings (campaign_id, tag_id, category_id, stage, popularity, funding_reached_minor, funding_start, funding_deadline)
SELECT c.id, tag.id, category.id, c.stage, t.likes + t.backers, t.funding_reached_minor, c.funding_start, c.funding_deadline
FROM campaigns c
JOIN campaign_totals t ON t.campaign_id = c.id
CROSS JOIN LATERAL (SELECT 0 AS id UNION ALL SELECT tag_id FROM campaign_tags WHERE campaign_id = c.id) tag
CROSS JOIN LATERAL (SELECT 0 AS id UNION ALL SELECT c.category_id) category
WHERE c.id BETWEEN current_setting('dataset.first')::bigint AND current_setting('dataset.last')::bigint;

INSERT INTO campaign_search (campaign_id, language, search)
SELECT campaign_id, language, searchable(concat_ws(' ', '', title, tagline, short_description))
FROM campaign_texts
WHERE campaign_id BETWEEN current_setting('dataset.first')::bigint AND current_setting('dataset.last')::bigint;

INSERT INTO campaign_previews (campaign_id, language, preview)
SELECT c.id, x.language,
       jsonb_strip_nulls(jsonb_build_object(
           'campaign_id', c.id, 'slug', c.slug, 'stage', c.stage, 'title', x.title, 'tagline', x.tagline,
           'short_description', x.short_description, 'language', x.language, 'project_pic', c.picture,
           'category_id', c.category_id, 'category', n.label, 'categories', jsonb_build_array(c.category_id), 'tags', coalesce(g.list, '[]'),
           'place', place_in(c.place, x.language), 'currency', c.currency,
           'min_goal', trim_scale(c.min_goal_minor::numeric / 100), 'target_goal', trim_scale(c.target_goal_minor::numeric / 100),
           'hide_funding_amount', c.hide_funding_amount, 'hide_member_count', c.hide_member_count,
           'first_day_of_funding', c.first_day, 'last_day_of_funding', c.last_day,
           'funding_start', to_char(c.funding_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
           'funding_deadline', to_char(c.funding_deadline AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
           'has_video', false,
           'creator', jsonb_build_object('user_id', u.id, 'name', c.legal_creator, 'verified', u.verified,
               'short_description', u.short_description, 'image', 'avatar-' || u.id || '.svg'),
           'subscriptions', CASE WHEN c.stage = 6 THEN '{"subscriptions_amount_total": 0, "subscriptions_subscribers_count": 0, "subscriptions_goals": []}'::jsonb END,
           'funding_reached', trim_scale(t.funding_reached_minor::numeric / 100), 'funding_settling', 0,
           'number_of_backers', t.backers, 'likes', t.likes))
FROM campaigns c
JOIN campaign_totals t ON t.campaign_id = c.id
JOIN campaign_team m ON m.campaign_id = c.id AND m.position = 0
JOIN users u ON u.id = m.user_id
JOIN campaign_texts x ON x.campaign_id = c.id
JOIN category_texts n ON n.category_id = c.category_id AND n.language = x.language
LEFT JOIN (
    SELECT g.campaign_id, l.language,
           jsonb_agg(jsonb_build_object('id', g.tag_id, 'label', l.label) ORDER BY l.label) AS list
    FROM campaign_tags g JOIN tag_texts l ON l.tag_id = g.tag_id
    WHERE g.campaign_id BETWEEN current_setting('dataset.first')::bigint AND current_setting('dataset.last')::bigint
    GROUP BY g.campaign_id, l.language) g ON g.campaign_id = c.id AND g.language = x.language
WHERE c.id BETWEEN current_setting('dataset.first')::bigint AND current_setting('dataset.last')::bigint;
