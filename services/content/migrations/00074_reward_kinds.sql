-- +goose Up
-- What a reward is decides until when a pledge for it can be taken back (package withdrawal). Of those that there are, what asks for an
-- address or has a way of delivery, also one that is picked up, is goods; anything else was thought of as a thanks, a visit or an event.
ALTER TABLE rewards ADD COLUMN kind text NOT NULL DEFAULT 'goods'
    CONSTRAINT rewards_kind CHECK (kind IN ('goods', 'service', 'digital', 'made_to_order'));
UPDATE rewards r SET kind = 'service' WHERE r.added_costs = '[]' AND NOT EXISTS (
    SELECT FROM reward_texts x WHERE x.reward_id = r.id AND x.custom_questions @> '["ask_for_address"]');

-- What a reward is is read when its campaign is reviewed. As in 00063, with the kind; what was approved has the kind that it was given above.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION campaign_parts(campaign bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT CAST(normalize(CAST(jsonb_build_object(
        'form', jsonb_build_object('language', c.language, 'opens_as', c.opens_as),
        'title', x.title, 'tagline', x.tagline, 'short_description', x.short_description, 'about_creator', x.about_creator,
        'story', x.story, 'cover', jsonb_build_object('picture', CASE WHEN c.picture ~ '^scene-.*[.]svg$' THEN '' ELSE c.picture END, 'alt', x.alt),
        'creator', CASE WHEN u.erased_at IS NULL THEN jsonb_build_object('name', concat_ws(' ', u.first_name, u.last_name), 'picture', u.image,
            'introduction', u.short_description) ELSE '{}' END,
        'creator_pic', c.creator_pic, 'video', c.video_url, 'place', c.place, 'link', c.external_link_1, 'contact', c.contact_email,
        'legal_creator', jsonb_build_object('name', c.legal_creator, 'type', c.legal_creator_type),
        'goal', jsonb_build_object('min', c.min_goal_minor, 'target', c.target_goal_minor, 'currency', c.currency),
        'funding_rule', c.funding_rule, 'dates', jsonb_build_object('first', c.first_day, 'last', c.last_day),
        'hidden', jsonb_build_object('amount', c.hide_funding_amount, 'backers', c.hide_member_count),
        'goals', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'target', g.target, 'texts', (
                SELECT jsonb_object_agg(t.language, jsonb_build_object('title', t.title, 'description', t.description))
                FROM subscription_goal_texts t WHERE t.goal_id = g.id)) ORDER BY g.target), '[]')
            FROM subscription_goals g WHERE g.campaign_id = c.id),
        'category', (SELECT coalesce(jsonb_agg(k.category_id ORDER BY k.category_id <> c.category_id, k.category_id), '[]')
            FROM campaign_categories k WHERE k.campaign_id = c.id),
        'tags', (SELECT coalesce(jsonb_agg(g.tag_id ORDER BY g.tag_id), '[]') FROM campaign_tags g WHERE g.campaign_id = c.id),
        'team', (SELECT coalesce(jsonb_agg(m.user_id ORDER BY m.position), '[]') FROM campaign_team m WHERE m.campaign_id = c.id),
        'custom_texts', (SELECT coalesce(jsonb_object_agg(own.language, own.texts), '{}') FROM (
                SELECT t.language, jsonb_object_agg(t.key, t.value) AS texts FROM campaign_custom_texts t
                WHERE t.campaign_id = c.id GROUP BY t.language) own),
        'variations', (SELECT coalesce(jsonb_agg(jsonb_build_object('field', v.field, 'language', v.language, 'value', v.value)
                ORDER BY v.letter), '[]')
            FROM content_variations v WHERE v.campaign_id = c.id AND v.stopped_at IS NULL)
    ) || (SELECT coalesce(jsonb_object_agg('reward:' || r.id, jsonb_build_object(
            'amount', r.amount_minor, 'kind', r.kind, 'currency', c.currency, 'stock', r.stock, 'active', r.active, 'vat_tenths', r.vat_tenths,
            'delivery', r.delivery, 'image', r.image, 'added_costs', r.added_costs, 'texts', (
                SELECT coalesce(jsonb_object_agg(t.language, jsonb_build_object('title', t.title, 'description', t.description,
                    'image_alt', t.image_alt, 'custom_questions', t.custom_questions)), '{}')
                FROM reward_texts t WHERE t.reward_id = r.id))), '{}')
        FROM rewards r WHERE r.campaign_id = c.id AND r.deleted_at IS NULL) AS text)) AS jsonb)
    FROM campaigns c
    LEFT JOIN campaign_team m ON m.campaign_id = c.id AND m.position = 0
    LEFT JOIN users u ON u.id = m.user_id
    CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_object_agg(t.language, t.title) FILTER (WHERE t.title <> ''), '{}') AS title,
               coalesce(jsonb_object_agg(t.language, t.tagline) FILTER (WHERE t.tagline <> ''), '{}') AS tagline,
               coalesce(jsonb_object_agg(t.language, t.short_description) FILTER (WHERE t.short_description <> ''), '{}') AS short_description,
               coalesce(jsonb_object_agg(t.language, t.about_creator) FILTER (WHERE t.about_creator <> ''), '{}') AS about_creator,
               coalesce(jsonb_object_agg(t.language, t.project_pic_alt) FILTER (WHERE t.project_pic_alt <> ''), '{}') AS alt,
               coalesce(jsonb_object_agg(t.language, t.story) FILTER (WHERE t.story <> '{"type": "doc", "content": []}'), '{}') AS story
        FROM campaign_texts t WHERE t.campaign_id = c.id) x
    WHERE c.id = campaign
$$;
-- +goose StatementEnd
UPDATE reviewed_parts p SET parts = p.parts || added.rewards FROM (
    SELECT q.campaign_id, jsonb_object_agg(e.key, e.value || jsonb_build_object('kind', r.kind)) AS rewards
    FROM reviewed_parts q CROSS JOIN LATERAL jsonb_each(q.parts) e JOIN rewards r ON e.key = 'reward:' || r.id GROUP BY q.campaign_id) added
WHERE added.campaign_id = p.campaign_id;
