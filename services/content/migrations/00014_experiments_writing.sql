-- +goose Up
-- What teams write, and what lists sort and search by.
ALTER TABLE experiments
    ADD COLUMN version             bigint      NOT NULL DEFAULT 1,
    ADD COLUMN updated_at          timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN open                boolean     NOT NULL DEFAULT false, -- since it has a title in its own language
    ADD COLUMN latitude            double precision,                   -- degrees, WGS 84
    ADD COLUMN longitude           double precision,
    ADD COLUMN crowd_campaign_id   bigint REFERENCES campaigns (id) ON DELETE SET NULL, -- its total is the crowd's part
    ADD COLUMN state_minor         bigint      NOT NULL DEFAULT 0 CHECK (state_minor >= 0),
    ADD COLUMN organizations_minor bigint      NOT NULL DEFAULT 0 CHECK (organizations_minor >= 0),
    ADD COLUMN organizations       jsonb       NOT NULL DEFAULT '[]', -- [{name, raised_minor}], whose sum organizations_minor is
    ADD CONSTRAINT experiments_point CHECK ((latitude IS NULL) = (longitude IS NULL));
UPDATE experiments SET open = true;
ALTER TABLE experiments
    ADD COLUMN listed boolean NOT NULL GENERATED ALWAYS AS (open AND NOT disabled) STORED,
    ADD COLUMN show_order smallint NOT NULL GENERATED ALWAYS AS (
        CASE WHEN show_in @> '{"front_page": true}' THEN 2 ELSE 0 END
        + CASE WHEN show_in @> '{"index": true}' THEN 1 ELSE 0 END) STORED;
DROP INDEX experiments_stage, experiments_activity;
CREATE INDEX experiments_stage ON experiments (stage, id) WHERE listed;
CREATE INDEX experiments_activity ON experiments (activity, id) WHERE listed;
CREATE INDEX experiments_likes ON experiments (like_count, id) WHERE listed;
CREATE INDEX experiments_id ON experiments (id) WHERE listed;
CREATE INDEX experiments_crowd ON experiments (crowd_campaign_id) WHERE crowd_campaign_id IS NOT NULL;

ALTER TABLE experiment_texts
    ALTER COLUMN title SET DEFAULT '',
    ADD COLUMN image_alt text NOT NULL DEFAULT '';

-- When an experiment came to a stage. Who moved it is in the audit log.
CREATE TABLE experiment_stages (
    experiment_id bigint      NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    stage         smallint    NOT NULL CHECK (stage BETWEEN 0 AND 6),
    since         timestamptz NOT NULL,
    PRIMARY KEY (experiment_id, stage)
);
CREATE TABLE experiment_custom_texts (
    experiment_id bigint NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    language      text   NOT NULL CHECK (language IN ('fi', 'en', 'sv')),
    key           text   NOT NULL,
    value         text   NOT NULL,
    format        text   NOT NULL CHECK (format IN ('text', 'markdown')),
    html          text   NOT NULL,
    PRIMARY KEY (experiment_id, language, key)
);
CREATE TABLE experiment_likes (
    experiment_id bigint      NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    user_id       bigint      NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at    timestamptz NOT NULL,
    counted       boolean     NOT NULL, -- in like_count: from when its person's address is confirmed
    PRIMARY KEY (experiment_id, user_id)
);
CREATE INDEX experiment_likes_uncounted ON experiment_likes (user_id, experiment_id) WHERE NOT counted;
CREATE INDEX experiment_likes_user ON experiment_likes (user_id);

-- sortable is what names are ordered by, in the C collation: å, ä and ö come after z, other marks and signs do not count.
CREATE FUNCTION sortable(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
    RETURN left(regexp_replace(searchable(translate(lower(value), 'åäö', '{|}')), '[^a-z0-9{|} ]', '', 'g'), 60);

-- The read model of lists: what a reader of a language sorts and searches by. It is written with what it is made from.
CREATE TABLE experiment_listings (
    experiment_id bigint  NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    language      text    NOT NULL CHECK (language IN ('fi', 'en', 'sv')), -- the reader's
    listed        boolean NOT NULL,
    text_language text    NOT NULL, -- of the texts that this reader sees
    title_order   text COLLATE "C" NOT NULL,
    short_order   text COLLATE "C" NOT NULL,
    owner_order   text COLLATE "C" NOT NULL,
    show_order    smallint NOT NULL,
    search        text    NOT NULL, -- searchable(title, short description, owner's name), a space before each
    PRIMARY KEY (experiment_id, language)
);
CREATE INDEX experiment_listings_title ON experiment_listings (language, title_order, experiment_id) WHERE listed;
CREATE INDEX experiment_listings_short ON experiment_listings (language, short_order, experiment_id) WHERE listed;
CREATE INDEX experiment_listings_owner ON experiment_listings (language, owner_order, experiment_id) WHERE listed;
CREATE INDEX experiment_listings_show ON experiment_listings (language, show_order, experiment_id) WHERE listed;
CREATE INDEX experiment_listings_trigrams ON experiment_listings USING gin (search gin_trgm_ops);

-- What the rows of experiment_listings are made from. Texts fall back: the reader's language, the experiment's own, any.
CREATE VIEW experiment_listing_sources AS
SELECT e.id AS experiment_id, l.language, e.listed, x.language AS text_language, sortable(x.title) AS title_order,
       sortable(x.short_description) AS short_order, sortable(owner.name) AS owner_order, e.show_order,
       ' ' || searchable(x.title) || ' ' || searchable(x.short_description) || ' ' || searchable(owner.name) AS search
FROM experiments e
CROSS JOIN unnest(ARRAY['fi', 'en', 'sv']) AS l (language)
JOIN LATERAL (
    SELECT language, title, short_description FROM experiment_texts x WHERE x.experiment_id = e.id
    ORDER BY x.title = '', x.language = l.language DESC, x.language = e.language DESC, x.language LIMIT 1) x ON true
JOIN LATERAL (
    SELECT concat_ws(' ', u.first_name, u.last_name) AS name FROM experiment_team m JOIN users u ON u.id = m.user_id
    WHERE m.experiment_id = e.id ORDER BY m.position LIMIT 1) owner ON true;
INSERT INTO experiment_listings SELECT * FROM experiment_listing_sources;
INSERT INTO experiment_stages SELECT id, stage, created_at FROM experiments;
