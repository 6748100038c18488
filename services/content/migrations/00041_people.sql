-- +goose NO TRANSACTION
-- +goose Up

-- Whether the sum is shown beside the name in the list of backers.
ALTER TABLE pledges ADD COLUMN IF NOT EXISTS hide_amount boolean NOT NULL DEFAULT false;
ALTER TABLE subscriptions ADD COLUMN IF NOT EXISTS hide_amount boolean NOT NULL DEFAULT false;

-- Of an erased person: the first of what they gave to the campaign, so that all of it goes on counting as one person's.
ALTER TABLE pledges ADD COLUMN IF NOT EXISTS erased_with char(26);
ALTER TABLE subscriptions ADD COLUMN IF NOT EXISTS erased_with char(26);

-- Whose a pledge or monthly support is, within its campaign: the account's; made without signing in, the mail address's.
CREATE OR REPLACE FUNCTION person_of(account bigint, email text, erased_with text, id text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce('account ' || CAST(account AS text), 'mail ' || nullif(lower(email), ''), 'erased ' || coalesce(erased_with, id));

DROP INDEX CONCURRENTLY IF EXISTS pledges_of_person; -- ones that a migration left unfinished
CREATE INDEX CONCURRENTLY pledges_of_person ON pledges (campaign_id, person_of(user_id, email, erased_with, id)) WHERE paid_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS subscriptions_of_person;
CREATE INDEX CONCURRENTLY subscriptions_of_person ON subscriptions (campaign_id, person_of(user_id, email, erased_with, id)) WHERE status = 'active';

-- What person gives to a campaign besides the pledge or support named one, and for which reward: as often as it is counted.
CREATE OR REPLACE FUNCTION also_given(campaign bigint, person text, one text) RETURNS TABLE (is_monthly boolean, reward_id bigint)
    LANGUAGE sql STABLE AS $$
    SELECT false, p.reward_id FROM pledges p WHERE p.campaign_id = campaign AND person_of(p.user_id, p.email, p.erased_with, p.id) = person
        AND p.paid_at IS NOT NULL AND p.status IN ('paid', 'partly_refunded', 'disputed') AND p.id <> one
    UNION ALL
    SELECT true, s.reward_id FROM subscriptions s WHERE s.campaign_id = campaign AND person_of(s.user_id, s.email, s.erased_with, s.id) = person
        AND s.status = 'active' AND s.id <> one
$$;

-- Adds to a campaign's totals and returns the number of the backer that it adds, 0 for none and NULL for no campaign. Who gives
-- besides is a backer, or a supporter, already. That is asked when the totals are locked: two payments of one person see each other,
-- because each statement of a volatile function has a snapshot of its own.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION add_to_totals(campaign bigint, person text, one text, reached bigint, settling bigint, backer int,
    supporter int, monthly bigint, liked int)
RETURNS int LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan AS $$
DECLARE number int;
BEGIN
    PERFORM FROM campaign_totals WHERE campaign_id = campaign FOR NO KEY UPDATE;
    IF backer <> 0 AND EXISTS (SELECT FROM also_given(campaign, person, one) WHERE NOT is_monthly) THEN backer := 0; END IF;
    IF supporter <> 0 AND EXISTS (SELECT FROM also_given(campaign, person, one) WHERE is_monthly) THEN supporter := 0; END IF;
    UPDATE campaign_totals SET funding_reached_minor = funding_reached_minor + reached, funding_settling_minor = funding_settling_minor + settling,
        backers = backers + backer, last_backer_number = last_backer_number + greatest(backer, 0), likes = likes + liked,
        subscriptions = subscriptions + supporter, subscriptions_amount_minor = subscriptions_amount_minor + monthly
    WHERE campaign_id = campaign RETURNING CASE WHEN backer > 0 THEN last_backer_number ELSE 0 END INTO number;
    RETURN number;
END $$;
-- +goose StatementEnd

-- Counts a person among the backers of a reward, or no more, unless they have it otherwise too. It locks the reward, as above.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION add_backer_of_reward(reward bigint, person text, one text, change int)
RETURNS void LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan AS $$
DECLARE campaign bigint;
BEGIN
    SELECT campaign_id INTO campaign FROM rewards WHERE id = reward FOR NO KEY UPDATE;
    UPDATE rewards SET backers = backers + change
    WHERE id = reward AND NOT EXISTS (SELECT FROM also_given(campaign, person, one) g WHERE g.reward_id = reward);
END $$;
-- +goose StatementEnd

-- Counts the people of a campaign anew, after who is who has changed. It locks its rewards and totals.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION recount_people(campaign bigint) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM FROM rewards WHERE campaign_id = campaign ORDER BY id FOR NO KEY UPDATE;
    PERFORM FROM campaign_totals WHERE campaign_id = campaign FOR NO KEY UPDATE;
    UPDATE rewards r SET backers = n.people
    FROM rewards x LEFT JOIN (
        SELECT reward_id, count(DISTINCT person) AS people FROM (
            SELECT reward_id, person_of(user_id, email, erased_with, id) AS person FROM pledges
            WHERE campaign_id = campaign AND status IN ('paid', 'partly_refunded', 'disputed')
            UNION ALL
            SELECT reward_id, person_of(user_id, email, erased_with, id) FROM subscriptions WHERE campaign_id = campaign AND status = 'active') g
        GROUP BY reward_id) g ON g.reward_id = x.id
    CROSS JOIN LATERAL (SELECT coalesce(g.people, 0) AS people) n
    WHERE x.id = r.id AND r.campaign_id = campaign AND r.backers <> n.people;
    UPDATE campaign_totals SET
        backers = (SELECT count(DISTINCT person_of(user_id, email, erased_with, id)) FROM pledges
            WHERE campaign_id = campaign AND status IN ('paid', 'partly_refunded', 'disputed')),
        subscriptions = (SELECT count(DISTINCT person_of(user_id, email, erased_with, id)) FROM subscriptions
            WHERE campaign_id = campaign AND status = 'active')
    WHERE campaign_id = campaign;
END $$;
-- +goose StatementEnd

-- Until now pledges and supports were counted. Only who has given to a campaign more than once makes a difference.
-- +goose StatementBegin
DO $$
DECLARE campaign bigint;
BEGIN
    FOR campaign IN
        SELECT DISTINCT campaign_id FROM (
            SELECT campaign_id FROM pledges WHERE paid_at IS NOT NULL GROUP BY campaign_id, person_of(user_id, email, erased_with, id) HAVING count(*) > 1
            UNION ALL
            SELECT campaign_id FROM subscriptions WHERE status = 'active' GROUP BY campaign_id, person_of(user_id, email, erased_with, id) HAVING count(*) > 1) twice
        ORDER BY 1
    LOOP
        PERFORM recount_people(campaign);
        UPDATE campaign_listings l SET popularity = t.likes + CASE WHEN c.hide_member_count THEN 0 ELSE t.backers + t.subscriptions END
        FROM campaigns c JOIN campaign_totals t ON t.campaign_id = c.id WHERE c.id = campaign AND l.campaign_id = campaign;
        UPDATE campaign_previews v SET preview = CAST(CAST(v.preview AS jsonb)
            || jsonb_build_object('number_of_backers', CASE WHEN c.hide_member_count THEN 0 ELSE t.backers END)
            || CASE WHEN c.stage = 6 THEN jsonb_build_object('subscriptions', coalesce(CAST(v.preview -> 'subscriptions' AS jsonb), '{}')
                || jsonb_build_object('subscriptions_subscribers_count', t.subscriptions)) ELSE '{}' END AS json)
        FROM campaigns c JOIN campaign_totals t ON t.campaign_id = c.id WHERE c.id = campaign AND v.campaign_id = campaign;
    END LOOP;
END $$;
-- +goose StatementEnd
