-- +goose Up
-- How many bytes somebody's changes have added to audit_log on the latest day (UTC) on which they changed anything.
CREATE TABLE history_totals (
    user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    day     date   NOT NULL,
    bytes   bigint NOT NULL
);

-- What who may not read a post gets of it instead of its intro. Teasers from before could be the whole text; they come back
-- when a text is written.
ALTER TABLE post_texts ADD COLUMN teaser_intro text NOT NULL DEFAULT '';
UPDATE post_texts SET teaser = '';
