-- +goose Up
-- Staff change categories and tags, so each has a version. A tag that is retired has no labels any more, so that nobody is
-- offered or shown it; the worker takes it from what has it, a batch at a time, and puts moves_to in its place.
ALTER TABLE categories
    ADD COLUMN version    bigint      NOT NULL DEFAULT 1,
    ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE tags
    ADD COLUMN version    bigint      NOT NULL DEFAULT 1,
    ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN retired    boolean     NOT NULL DEFAULT false,
    ADD COLUMN moves_to   bigint REFERENCES tags (id) ON DELETE SET NULL;
CREATE INDEX tags_moves_to ON tags (moves_to) WHERE moves_to IS NOT NULL;
CREATE UNIQUE INDEX category_texts_unique ON category_texts (language, lower(label));
CREATE UNIQUE INDEX tag_texts_unique ON tag_texts (language, lower(label));
-- Campaigns of a tag or a category in the order of their ids.
DROP INDEX campaign_tags_tag;
CREATE INDEX campaign_tags_tag ON campaign_tags (tag_id, campaign_id);
CREATE INDEX campaign_categories_category ON campaign_categories (category_id, campaign_id);

-- The read model of the staff's table: campaigns of all stages by title and creator, as a reader of a language sees them.
-- It is written with campaign_previews, from which it is made; days and money are ordered by campaign_listings.
CREATE TABLE campaign_staff_listings (
    campaign_id   bigint   NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    language      text     NOT NULL CHECK (language IN ('fi', 'en', 'sv')), -- the reader's
    stage         smallint NOT NULL,
    title_order   text COLLATE "C" NOT NULL,
    creator_order text COLLATE "C" NOT NULL,
    search        text     NOT NULL, -- searchable(title, creator's name, id), a space before each
    PRIMARY KEY (campaign_id, language)
);
INSERT INTO campaign_staff_listings
SELECT campaign_id, language, CAST(p->>'stage' AS smallint), sortable(coalesce(p->>'title', '')),
       sortable(coalesce(p#>>'{creator,name}', '')),
       searchable(concat_ws(' ', '', p->>'title', p#>>'{creator,name}', campaign_id))
FROM (SELECT campaign_id, language, CAST(preview AS jsonb) AS p FROM campaign_previews) v;
CREATE INDEX campaign_staff_listings_id ON campaign_staff_listings (language, stage, campaign_id);
CREATE INDEX campaign_staff_listings_title ON campaign_staff_listings (language, stage, title_order, campaign_id);
CREATE INDEX campaign_staff_listings_creator ON campaign_staff_listings (language, stage, creator_order, campaign_id);
CREATE INDEX campaign_staff_listings_trigrams ON campaign_staff_listings USING gin (search gin_trgm_ops) WITH (fastupdate = off);

-- What staff have chosen for the top of the home page. The one row of front_page is its version.
CREATE TABLE front_page (
    id         smallint    PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    version    bigint      NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO front_page DEFAULT VALUES;
CREATE TABLE front_page_picks (
    campaign_id   bigint UNIQUE REFERENCES campaigns (id) ON DELETE CASCADE,
    experiment_id bigint UNIQUE REFERENCES experiments (id) ON DELETE CASCADE,
    position      int NOT NULL,
    shown_from    timestamptz, -- the first second of its first day
    shown_until   timestamptz, -- the first second after its last day
    CONSTRAINT front_page_picks_one CHECK (num_nonnulls(campaign_id, experiment_id) = 1),
    CONSTRAINT front_page_picks_days CHECK (shown_from < shown_until)
);
-- What the home page shows after them.
CREATE INDEX experiments_front_page ON experiments (activity, id) WHERE listed AND show_in @> '{"front_page": true}';
