-- +goose Up
-- An experiment is public once its team shows it in the index (listed); until then it stands (has a title, is not disabled) for its
-- team and staff alone, whose table sorts all that stand.
ALTER TABLE experiments RENAME COLUMN listed TO standing;
ALTER TABLE experiments ADD COLUMN listed boolean NOT NULL GENERATED ALWAYS AS (
    open AND NOT disabled AND show_in @> '{"index": true}') STORED;
ALTER TABLE experiment_listings RENAME COLUMN listed TO standing;
ALTER TABLE experiment_listings ADD COLUMN listed boolean NOT NULL DEFAULT false;

-- What staff have put on the front page is known to everybody; what nobody with a confirmed address answers for is shown no more.
UPDATE experiments SET show_in = show_in || '{"index": true}' WHERE show_in @> '{"front_page": true}';
UPDATE experiments e SET show_in = show_in - 'index' FROM experiment_team m JOIN users u ON u.id = m.user_id
WHERE m.experiment_id = e.id AND m.position = 0 AND u.erased_at IS NULL AND (NOT u.verified OR u.blocked_at IS NOT NULL);

DROP VIEW experiment_listing_sources;
CREATE VIEW experiment_listing_sources AS
SELECT e.id AS experiment_id, l.language, e.standing, x.language AS text_language, sortable(x.title) AS title_order,
       sortable(x.short_description) AS short_order, sortable(owner.name) AS owner_order, e.show_order,
       ' ' || searchable(x.title) || ' ' || searchable(x.short_description) || ' ' || searchable(owner.name) AS search, e.listed
FROM experiments e
CROSS JOIN unnest(ARRAY['fi', 'en', 'sv']) AS l (language)
JOIN LATERAL (
    SELECT language, title, short_description FROM experiment_texts x WHERE x.experiment_id = e.id
    ORDER BY x.title = '', x.language = l.language DESC, x.language = e.language DESC, x.language LIMIT 1) x ON true
JOIN LATERAL (
    SELECT shown_name(u.first_name, u.last_name, u.erased_at, l.language) AS name
    FROM experiment_team m JOIN users u ON u.id = m.user_id
    WHERE m.experiment_id = e.id ORDER BY m.position LIMIT 1) owner ON true;
UPDATE experiment_listings l SET show_order = e.show_order, listed = e.listed FROM experiments e WHERE e.id = l.experiment_id;

CREATE INDEX experiments_listed_stage ON experiments (stage, id) WHERE listed;
CREATE INDEX experiments_listed_activity ON experiments (activity, id) WHERE listed;
CREATE INDEX experiments_listed_likes ON experiments (like_count, id) WHERE listed;
CREATE INDEX experiments_listed_id ON experiments (id) WHERE listed;
DROP INDEX experiments_front_page;
CREATE INDEX experiments_front_page ON experiments (activity, id) WHERE listed AND show_in @> '{"front_page": true}';
CREATE INDEX experiment_listings_listed_title ON experiment_listings (language, title_order, experiment_id) WHERE listed;
CREATE INDEX experiment_listings_listed_short ON experiment_listings (language, short_order, experiment_id) WHERE listed;
CREATE INDEX experiment_listings_listed_owner ON experiment_listings (language, owner_order, experiment_id) WHERE listed;
CREATE INDEX experiment_listings_listed_show ON experiment_listings (language, show_order, experiment_id) WHERE listed;
