-- +goose Up
ALTER TABLE campaigns
    ADD COLUMN opens_as smallint NOT NULL DEFAULT 2, -- the stage that it opens to: 2 funding, 6 recurring
    ADD CONSTRAINT campaigns_opens_as CHECK (opens_as IN (2, 6));
UPDATE campaigns SET opens_as = 6 WHERE stage = 6;

ALTER TABLE campaign_texts
    ADD COLUMN project_pic_alt text        NOT NULL DEFAULT '', -- what the cover shows
    ADD COLUMN updated_at      timestamptz NOT NULL DEFAULT now();
UPDATE campaign_texts x SET updated_at = c.updated_at FROM campaigns c WHERE c.id = x.campaign_id;

-- Texts that a campaign has of its own, by key.
CREATE TABLE campaign_custom_texts (
    campaign_id bigint NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    language    text   NOT NULL CHECK (language IN ('fi', 'en', 'sv')),
    key         text   NOT NULL,
    value       text   NOT NULL,
    format      text   NOT NULL CHECK (format IN ('text', 'markdown')),
    html        text   NOT NULL, -- made from the value on write, sanitised
    PRIMARY KEY (campaign_id, language, key)
);

-- A campaign's history has the changes of its rewards and posts, too, also of those that are gone.
ALTER TABLE audit_log ADD COLUMN campaign_id bigint; -- of a campaign, and of what belongs to one
UPDATE audit_log SET campaign_id = CAST(entity_id AS bigint) WHERE entity = 'campaign';
CREATE INDEX audit_log_campaign ON audit_log (campaign_id, id DESC) WHERE campaign_id IS NOT NULL;

-- How much somebody has sent in pictures on the latest day on which they sent any.
CREATE TABLE upload_totals (
    user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    day     date   NOT NULL,
    bytes   bigint NOT NULL
);
