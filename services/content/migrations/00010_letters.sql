-- +goose Up
ALTER TABLE posts
    DROP COLUMN restricted, -- it depends on who reads
    ADD COLUMN version bigint NOT NULL DEFAULT 1, -- counts the changes, from 1
    ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN deleted_at timestamptz, -- who has a link to it finds nothing; its letters have left
    ADD CONSTRAINT posts_deleted_is_draft CHECK (deleted_at IS NULL OR status = 'draft');
ALTER TABLE post_texts
    ADD COLUMN teaser text NOT NULL DEFAULT '', -- HTML of a preview: all that who may not read the whole gets
    ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();
-- An intro was made from the whole text; from now on it is made from the first paragraph.
UPDATE post_texts x SET intro = '' FROM posts p WHERE p.id = x.post_id AND p.level > 0;

-- The letters that a post's first publication sends, batch by batch.
CREATE TABLE letter_rounds (
    post_id bigint PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
    batch   int    NOT NULL DEFAULT 0, -- how many are done; a message about an earlier one is an old one
    after   text   NOT NULL DEFAULT '', -- the last address that was looked at
    sent_at timestamptz -- when the last batch was done; nothing follows
);
-- Who has got which letter: an address gets each one once.
CREATE TABLE letters (
    post_id      bigint   NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    address_hash bytea    NOT NULL, -- SHA-256 of the address in lower case
    pledge_id    char(26) NOT NULL REFERENCES pledges (id) ON DELETE CASCADE, -- where address, name and language are read
    language     text     NOT NULL CHECK (language IN ('fi', 'en', 'sv')), -- the backer's
    PRIMARY KEY (post_id, address_hash)
);
CREATE INDEX letters_pledge ON letters (pledge_id);
CREATE TABLE letter_refusals (
    campaign_id  bigint      NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    address_hash bytea       NOT NULL,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (campaign_id, address_hash)
);
-- The backers of a campaign by address, and what one address has backed it with.
CREATE INDEX pledges_backers_by_address ON pledges (campaign_id, lower(email))
    WHERE status IN ('paid', 'partly_refunded', 'disputed');
