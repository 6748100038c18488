-- +goose Up
-- Rewards are changed by people: each change makes a version. A deleted reward stays for the pledges that name it.
ALTER TABLE rewards
    ADD COLUMN version    bigint      NOT NULL DEFAULT 1, -- what people change; stock that is reserved and backers do not count it up
    ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN deleted_at timestamptz,
    ADD CONSTRAINT rewards_deleted_is_hidden CHECK (deleted_at IS NULL OR active = 0);
ALTER TABLE reward_texts
    ALTER COLUMN title SET DEFAULT '',
    ADD COLUMN image_alt text NOT NULL DEFAULT ''; -- what the picture shows

-- What a backer was promised stays with the pledge, whatever becomes of the reward.
ALTER TABLE pledges
    ADD COLUMN bought jsonb; -- rewards.Bought: {amount_minor, vat_tenths, language, title, description, delivery, questions, …}
UPDATE pledges p
SET bought = jsonb_build_object('amount_minor', r.amount_minor, 'vat_tenths', coalesce(r.vat_tenths, 0), 'language', x.language,
    'title', x.title, 'description', x.description, 'delivery', r.delivery, 'questions', x.custom_questions,
    'added_cost', '', 'needs_address', x.custom_questions ? 'ask_for_address')
FROM rewards r JOIN campaigns c ON c.id = r.campaign_id, reward_texts x
WHERE r.id = p.reward_id AND x.reward_id = r.id
  AND x.language = (SELECT t.language FROM reward_texts t WHERE t.reward_id = r.id
                    ORDER BY t.language = p.language DESC, t.language = c.language DESC, t.language LIMIT 1);

-- Goals change as a list, so two may swap their targets.
ALTER TABLE subscription_goals
    DROP CONSTRAINT subscription_goals_target,
    ADD CONSTRAINT subscription_goals_target UNIQUE (campaign_id, target) DEFERRABLE INITIALLY DEFERRED;

-- What some visitors see instead of a campaign's own text or cover, to find out what brings more backers.
CREATE TABLE content_variations (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign_id bigint      NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    field       text        NOT NULL,
    language    text        NOT NULL, -- of a text; '' for a picture
    value       text        NOT NULL,
    letter      char(1)     NOT NULL, -- what people call it; the campaign's own is A
    created_at  timestamptz NOT NULL,
    stopped_at  timestamptz, -- nobody sees it from then on
    CONSTRAINT content_variations_field CHECK (field IN ('title', 'tagline', 'project_pic')),
    CONSTRAINT content_variations_language CHECK (CASE WHEN field = 'project_pic' THEN language = '' ELSE language IN ('fi', 'en', 'sv') END),
    CONSTRAINT content_variations_letter CHECK (letter BETWEEN 'B' AND 'E')
);
CREATE INDEX content_variations_campaign ON content_variations (campaign_id, id);
CREATE UNIQUE INDEX content_variations_shown ON content_variations (campaign_id, letter) WHERE stopped_at IS NULL;

-- Who has seen a campaign's page, once each. The visitor is a keyed hash of what their browser made up, another one for each
-- campaign, so that nobody can be followed from one to the next.
CREATE TABLE campaign_visits (
    campaign_id bigint      NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    visitor     bytea       NOT NULL,
    source      text        NOT NULL,
    variation   bigint      NOT NULL, -- what they saw: of content_variations, 0 is the campaign's own
    round       bigint      NOT NULL, -- the newest variation at that time, 0 for none: adding one begins the measurement anew
    at          timestamptz NOT NULL,
    PRIMARY KEY (campaign_id, visitor)
);
CREATE TABLE campaign_visit_counts (
    campaign_id bigint NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    round       bigint NOT NULL,
    variation   bigint NOT NULL,
    visitors    int    NOT NULL, -- rows of campaign_visits
    PRIMARY KEY (campaign_id, round, variation)
) WITH (fillfactor = 50);

-- Where a backer came from, and who they were as a visitor, sealed as in campaign_visits.
ALTER TABLE pledges
    ADD COLUMN visitor bytea,
    ADD COLUMN source  text NOT NULL DEFAULT '';

-- What banks still confirm, by campaign: few rows at any time.
CREATE INDEX pledges_settling ON pledges (campaign_id, created_at) WHERE status = 'processing';
