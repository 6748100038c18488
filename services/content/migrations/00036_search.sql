-- +goose Up
-- One search over everything that everybody may see: a row for each campaign, creator and experiment, written in the
-- transaction that changes what it is made from, by search_refresh alone.

-- search_words is the words of a text as they are compared: lower case, without accents and signs, with a space around each.
-- Words that a hyphen joins are also there as one. Emoji and letters of all scripts count as letters.
CREATE FUNCTION search_words(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
    RETURN ' ' || btrim(regexp_replace(
        searchable(value) || ' ' || coalesce((
            SELECT string_agg(replace(joined[1], '-', ''), ' ')
            FROM regexp_matches(searchable(value), '([^\x01-\x2c\x2e\x2f:-@\[-`{-\u00bf\u2000-\u206f]+-[^\x01-\x2c\x2e\x2f:-@\[-`{-\u00bf\u2000-\u206f]+)', 'g') AS joined), ''),
        '[\x01-/:-@\[-`{-\u00bf\u2000-\u206f]+', ' ', 'g')) || ' ';

-- search_accented is the words of a text that have accents, with them: what a short word that is typed with accents begins.
CREATE FUNCTION search_accented(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
    RETURN (SELECT coalesce(string_agg(word || ' ', ''), '')
        FROM regexp_split_to_table(lower(value), '[\x01-/:-@\[-`{-\u00bf\u2000-\u206f]+') AS word WHERE word <> searchable(word));

-- search_root is what the forms of a Finnish word have in common beyond its Snowball stem: lehti and lehden, leipä and leivät,
-- Kärsämäki and Kärsämäelle, mehiläinen and mehiläisten. Marked, because it is no word. Null of a short one.
CREATE FUNCTION search_root(stem text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
    RETURN (SELECT CASE WHEN length(base) >= 4 THEN '~' || left(base, -1) || last END FROM (
        SELECT translate(right(base, 1), 'dv', 'tp') AS last, base FROM (
            SELECT regexp_replace(regexp_replace(regexp_replace(regexp_replace(stem,
                '[aeiouy]+$', ''), '([aeiouy])k$', '\1'), '[aeiouy]+$', ''), '([lnrs])t$', '\1')) AS b (base)) AS r);

-- search_stems is what a word is compared by: itself and its stems in Finnish, Swedish and English, whatever language it is.
CREATE FUNCTION search_stems(word text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
    RETURN (
        WITH finnish (stem) AS (
            SELECT (ts_lexize('pg_catalog.finnish_stem', form))[1]
            FROM unnest(ARRAY[word, regexp_replace(word, '([aeiouy])[nt]$', '\1'), regexp_replace(word, 'nen$', 'sen')]) AS form)
        SELECT array_agg(DISTINCT stem) FROM (
            SELECT stem FROM finnish UNION ALL SELECT search_root(stem) FROM finnish
            UNION ALL SELECT (ts_lexize('pg_catalog.swedish_stem', word))[1]
            UNION ALL SELECT (ts_lexize('pg_catalog.english_stem', word))[1]
            UNION ALL SELECT word) all_stems
        WHERE length(stem) > 1 OR stem = word);

-- search_stems_of is the stems of all words of search_words.
CREATE FUNCTION search_stems_of(words text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
    RETURN (SELECT coalesce(array_agg(DISTINCT stem), '{}') FROM (
        SELECT DISTINCT word FROM unnest(string_to_array(btrim(words), ' ')) AS word WHERE word <> '') w
        CROSS JOIN unnest(search_stems(w.word)) AS stem);

-- search_group is where a campaign is found, and the only place that says whether: null of one that nobody may find.
CREATE FUNCTION search_group(c campaigns) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN c.stage IN (1, 2, 6) AND c.hold <> '' THEN 3 -- takes nothing, as one that has ended
        WHEN c.stage = 2 THEN 0 -- open
        WHEN c.stage = 6 THEN 1 -- monthly
        WHEN c.stage = 1 THEN 2 -- coming
        WHEN c.stage IN (3, 4, 5) THEN 3 -- ended
    END;

CREATE TABLE search_documents (
    grp         smallint NOT NULL, -- 0 to 3: a campaign, as of search_group; 4 a creator, 5 an experiment
    subject_id  bigint   NOT NULL, -- the campaign's, user's or experiment's
    place       text     NOT NULL, -- as written; of a creator one of their campaigns'
    places      text[]   NOT NULL, -- all of them and their other names, each searchable()
    title       text     NOT NULL, -- search_words, and search_accented, of the titles in all languages, or of the name
    search      text     NOT NULL, -- those of the title and of everything else
    title_stems text[]   NOT NULL, -- search_stems_of the words of title
    stems       text[]   NOT NULL, -- and of search
    PRIMARY KEY (grp, subject_id)
) PARTITION BY LIST (grp); -- each group is counted and listed on its own, and has indexes of its own
CREATE TABLE search_documents_open PARTITION OF search_documents FOR VALUES IN (0);
CREATE TABLE search_documents_monthly PARTITION OF search_documents FOR VALUES IN (1);
CREATE TABLE search_documents_coming PARTITION OF search_documents FOR VALUES IN (2);
CREATE TABLE search_documents_ended PARTITION OF search_documents FOR VALUES IN (3);
CREATE TABLE search_documents_creators PARTITION OF search_documents FOR VALUES IN (4);
CREATE TABLE search_documents_experiments PARTITION OF search_documents FOR VALUES IN (5);

-- The words there are, for what somebody may have meant. One that stands here twice does no harm; one that is in no document
-- any more goes with the last that had it.
CREATE TABLE search_vocabulary (
    word  text NOT NULL, -- as in search_words
    shown text NOT NULL  -- the same with its accents
);

-- What the documents are made from.
CREATE VIEW search_sources AS
SELECT search_group(c) AS grp, c.id AS subject_id, c.place, ARRAY[c.place] AS written_places, texts.titles AS title,
       concat_ws(' ', coalesce(nullif(c.legal_creator, ''), CASE WHEN u.erased_at IS NULL THEN u.first_name || ' ' || u.last_name END),
           labels.all_labels, texts.others) AS others
FROM campaigns c
CROSS JOIN LATERAL (
    SELECT string_agg(title, ' ') AS titles, string_agg(concat_ws(' ', tagline, short_description, about_creator), ' ') AS others
    FROM campaign_texts x WHERE x.campaign_id = c.id) texts
LEFT JOIN campaign_team m ON m.campaign_id = c.id AND m.position = 0
LEFT JOIN users u ON u.id = m.user_id
CROSS JOIN LATERAL (
    SELECT string_agg(label, ' ') AS all_labels FROM (
        SELECT label FROM campaign_tags g JOIN tag_texts n ON n.tag_id = g.tag_id WHERE g.campaign_id = c.id
        UNION ALL SELECT label FROM campaign_categories g JOIN category_texts n ON n.category_id = g.category_id WHERE g.campaign_id = c.id) l) labels
WHERE search_group(c) IS NOT NULL
UNION ALL
SELECT 4, u.id, coalesce(own.places[1], ''), own.places, u.first_name || ' ' || u.last_name,
       concat_ws(' ', u.short_description, array_to_string(u.skills, ' '), own.names,
           (SELECT string_agg(label, ' ') FROM user_tags g JOIN tag_texts n ON n.tag_id = g.tag_id WHERE g.user_id = u.id))
FROM users u
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(c.place ORDER BY c.id DESC), '{}') AS places, string_agg(c.legal_creator, ' ') AS names
    FROM campaign_team m JOIN campaigns c ON c.id = m.campaign_id
    WHERE m.user_id = u.id AND m.position = 0 AND search_group(c) IS NOT NULL AND c.stage <> 5) own -- as their page shows
WHERE u.erased_at IS NULL AND u.blocked_at IS NULL AND (u.listed OR cardinality(own.places) > 0)
UNION ALL
SELECT 5, e.id, e.place, ARRAY[e.place], texts.titles,
       concat_ws(' ', texts.others, CASE WHEN u.erased_at IS NULL THEN u.first_name || ' ' || u.last_name END,
           (SELECT string_agg(label, ' ') FROM experiment_tags g JOIN tag_texts n ON n.tag_id = g.tag_id WHERE g.experiment_id = e.id))
FROM experiments e
CROSS JOIN LATERAL (
    SELECT string_agg(title, ' ') AS titles, string_agg(short_description, ' ') AS others
    FROM experiment_texts x WHERE x.experiment_id = e.id) texts
LEFT JOIN experiment_team m ON m.experiment_id = e.id AND m.position = 0
LEFT JOIN users u ON u.id = m.user_id
WHERE e.listed;

-- search_made is the rows of search_documents as they have to be.
CREATE VIEW search_made AS
SELECT s.grp, s.subject_id, s.place, p.places, w.title || search_accented(coalesce(s.title, '')) AS title,
       w.search || search_accented(w.written) AS search, w.title AS plain_title, w.search AS plain, w.written
FROM search_sources s
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(DISTINCT searchable(name)) FILTER (WHERE name <> ''), '{}') AS places, string_agg(DISTINCT name, ' ') AS names
    FROM (SELECT unnest(s.written_places) AS name
        UNION SELECT n.name FROM place_names n WHERE n.place = ANY (s.written_places)) all_names) p
CROSS JOIN LATERAL (
    SELECT search_words(coalesce(s.title, '')) AS title, concat_ws(' ', s.title, s.others, p.names) AS written,
           search_words(coalesce(s.title, '')) || ltrim(search_words(concat_ws(' ', s.others, p.names))) AS search) w;

-- +goose StatementBegin
-- search_refresh writes the documents of campaigns, with those of their creators, of users and of experiments.
CREATE FUNCTION search_refresh(campaign_ids bigint[], user_ids bigint[], experiment_ids bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    lost text[]; -- words that are in these documents no more
BEGIN
    user_ids := user_ids || ARRAY(SELECT user_id FROM campaign_team WHERE campaign_id = ANY (campaign_ids) AND position = 0);
    WITH made AS MATERIALIZED (
        SELECT * FROM search_made WHERE grp < 4 AND subject_id = ANY (campaign_ids)
        UNION ALL SELECT * FROM search_made WHERE grp = 4 AND subject_id = ANY (user_ids)
        UNION ALL SELECT * FROM search_made WHERE grp = 5 AND subject_id = ANY (experiment_ids)),
    stored AS MATERIALIZED (
        SELECT * FROM search_documents WHERE grp IN (0, 1, 2, 3) AND subject_id = ANY (campaign_ids)
        UNION ALL SELECT * FROM search_documents WHERE grp = 4 AND subject_id = ANY (user_ids)
        UNION ALL SELECT * FROM search_documents WHERE grp = 5 AND subject_id = ANY (experiment_ids)),
    changed AS MATERIALIZED ( -- the others are left alone, and unlocked
        SELECT * FROM made m WHERE NOT EXISTS (SELECT FROM stored d
            WHERE (d.grp, d.subject_id, d.place, d.places, d.title, d.search) = (m.grp, m.subject_id, m.place, m.places, m.title, m.search))),
    gone AS (
        DELETE FROM search_documents d USING stored s
        WHERE d.grp = s.grp AND d.subject_id = s.subject_id
            AND NOT EXISTS (SELECT FROM made m WHERE m.grp = s.grp AND m.subject_id = s.subject_id)),
    known AS (
        INSERT INTO search_vocabulary (word, shown)
        SELECT DISTINCT ON (w.word) w.word, w.shown FROM (
            SELECT searchable(shown) AS word, shown
            FROM changed, regexp_split_to_table(lower(written), '[\x01-/:-@\[-`{-\u00bf\u2000-\u206f]+') AS shown) w
        WHERE length(w.word) BETWEEN 3 AND 40 AND w.word !~ '[0-9]'
            AND NOT EXISTS (SELECT FROM search_vocabulary v WHERE v.word = w.word)
        ORDER BY w.word, w.shown),
    written AS (
        INSERT INTO search_documents (grp, subject_id, place, places, title, search, title_stems, stems)
        SELECT grp, subject_id, place, places, title, search, search_stems_of(plain_title), search_stems_of(plain) FROM changed
        ORDER BY grp, subject_id
        ON CONFLICT (grp, subject_id) DO UPDATE SET place = excluded.place, places = excluded.places, title = excluded.title,
            search = excluded.search, title_stems = excluded.title_stems, stems = excluded.stems)
    SELECT array_agg(word) INTO lost FROM (
        SELECT unnest(string_to_array(btrim(s.search), ' ')) AS word FROM stored s
        EXCEPT SELECT unnest(string_to_array(btrim(m.search), ' ')) FROM made m) words;
    DELETE FROM search_vocabulary v
    WHERE v.word = ANY (lost) AND NOT EXISTS (SELECT FROM search_documents d WHERE d.stems @> ARRAY[v.word]);
END $$;

CREATE FUNCTION search_user_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM search_refresh('{}', ARRAY[OLD.id], '{}');
    RETURN NULL;
END $$;
CREATE FUNCTION search_user_of_row_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM search_refresh('{}', ARRAY[coalesce(NEW.user_id, OLD.user_id)], '{}');
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- Several domains change a person, and all of it decides whether and as what they are found.
CREATE TRIGGER users_search AFTER UPDATE OF first_name, last_name, short_description, skills, verified, blocked_at, erased_at ON users FOR EACH ROW
    WHEN ((OLD.first_name, OLD.last_name, OLD.short_description, OLD.skills, OLD.listed, OLD.blocked_at, OLD.erased_at)
        IS DISTINCT FROM (NEW.first_name, NEW.last_name, NEW.short_description, NEW.skills, NEW.listed, NEW.blocked_at, NEW.erased_at))
    EXECUTE FUNCTION search_user_changed();
CREATE TRIGGER user_tags_search AFTER INSERT OR DELETE ON user_tags FOR EACH ROW EXECUTE FUNCTION search_user_of_row_changed();
CREATE TRIGGER campaign_team_search AFTER UPDATE OR DELETE ON campaign_team FOR EACH ROW EXECUTE FUNCTION search_user_of_row_changed();

CREATE INDEX search_vocabulary_word ON search_vocabulary (word);
CREATE INDEX search_documents_stems ON search_documents USING gin (stems) WITH (fastupdate = off);
SELECT search_refresh(ARRAY(SELECT id FROM campaigns), ARRAY(SELECT id FROM users), ARRAY(SELECT id FROM experiments));
CREATE INDEX search_documents_title_stems ON search_documents USING gin (title_stems) WITH (fastupdate = off);
CREATE INDEX search_documents_title ON search_documents USING gin (title gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX search_documents_search ON search_documents USING gin (search gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX search_vocabulary_trigrams ON search_vocabulary USING gin (word gin_trgm_ops) WITH (fastupdate = off);
