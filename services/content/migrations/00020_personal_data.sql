-- +goose Up
-- Who has erased their account keeps a row without anything of theirs: what they did for others (posts, reviews, history)
-- names its id. The name says that they were here, in their language; the email is no address, so nobody can register it.
ALTER TABLE users
    ADD COLUMN erased_at timestamptz,
    ADD CONSTRAINT users_erased_is_empty CHECK (erased_at IS NULL OR (blocked_at IS NOT NULL AND email = 'erased-' || id
        AND password_hash || short_description || long_description || phone || image || block_reason = '' AND NOT verified
        AND links = '[]' AND skills = '{}' AND scope = '{view}'));
CREATE INDEX users_erased ON users (id) WHERE erased_at IS NOT NULL;
CREATE INDEX users_present ON users (id DESC) WHERE erased_at IS NULL; -- all whom staff see, the newest first

-- A person's name for readers of a language.
CREATE FUNCTION shown_name(first_name text, last_name text, erased_at timestamptz, reader text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN erased_at IS NULL THEN first_name || ' ' || last_name
        WHEN reader = 'fi' THEN 'Entinen jäsen' WHEN reader = 'sv' THEN 'Tidigare medlem' ELSE 'Former member' END;

CREATE OR REPLACE VIEW experiment_listing_sources AS
SELECT e.id AS experiment_id, l.language, e.listed, x.language AS text_language, sortable(x.title) AS title_order,
       sortable(x.short_description) AS short_order, sortable(owner.name) AS owner_order, e.show_order,
       ' ' || searchable(x.title) || ' ' || searchable(x.short_description) || ' ' || searchable(owner.name) AS search
FROM experiments e
CROSS JOIN unnest(ARRAY['fi', 'en', 'sv']) AS l (language)
JOIN LATERAL (
    SELECT language, title, short_description FROM experiment_texts x WHERE x.experiment_id = e.id
    ORDER BY x.title = '', x.language = l.language DESC, x.language = e.language DESC, x.language LIMIT 1) x ON true
JOIN LATERAL (
    SELECT shown_name(u.first_name, u.last_name, u.erased_at, l.language) AS name
    FROM experiment_team m JOIN users u ON u.id = m.user_id
    WHERE m.experiment_id = e.id ORDER BY m.position LIMIT 1) owner ON true;

-- Erasing an account takes more than a password where there are two steps.
ALTER TABLE sessions ADD COLUMN step_confirmed_at timestamptz; -- when a second step was last shown
UPDATE sessions SET step_confirmed_at = second_step_at;

-- What bookkeeping keeps of an erased person's receipts: who paid. Nothing reads it but the law's command.
CREATE TABLE kept_receipts (
    pledge_id  char(26) PRIMARY KEY REFERENCES pledges (id) ON DELETE CASCADE,
    first_name text  NOT NULL,
    last_name  text  NOT NULL,
    address    jsonb NOT NULL, -- {street, postcode, city, country}; empty when nothing was sent
    keep_until date  NOT NULL  -- the last day; then the row is deleted
);
CREATE INDEX kept_receipts_until ON kept_receipts (keep_until);

-- Pledges that lapsed before anybody signed in, for the person who has confirmed their address.
CREATE INDEX pledges_lapsed_by_address ON pledges (lower(email)) WHERE user_id IS NULL AND status = 'expired';
