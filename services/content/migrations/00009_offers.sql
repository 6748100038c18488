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
    ADD COLUMN bought jsonb; -- rewards.Bought: {amount_minor, vat_tenths, language, title, description, delivery, questions}
UPDATE pledges p
SET bought = jsonb_build_object('amount_minor', r.amount_minor, 'vat_tenths', coalesce(r.vat_tenths, 0), 'language', x.language,
    'title', x.title, 'description', x.description, 'delivery', r.delivery, 'questions', x.custom_questions)
FROM rewards r JOIN campaigns c ON c.id = r.campaign_id, reward_texts x
WHERE r.id = p.reward_id AND x.reward_id = r.id
  AND x.language = (SELECT t.language FROM reward_texts t WHERE t.reward_id = r.id
                    ORDER BY t.language = p.language DESC, t.language = c.language DESC, t.language LIMIT 1);

-- Goals change as a list, so two may swap their targets.
ALTER TABLE subscription_goals
    DROP CONSTRAINT subscription_goals_target,
    ADD CONSTRAINT subscription_goals_target UNIQUE (campaign_id, target) DEFERRABLE INITIALLY DEFERRED;
