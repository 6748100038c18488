-- +goose Up
-- Writing a document was mostly planning: each call planned anew a statement that had the whole of what documents are made from for
-- campaigns, creators and experiments each. Now each kind has a view of its own, what has not changed ends early, and a session
-- plans each statement once.

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION search_root(stem text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
    base text := regexp_replace(regexp_replace(regexp_replace(regexp_replace(stem,
        '[aeiouy]+$', ''), '([aeiouy])k$', '\1'), '[aeiouy]+$', ''), '([lnrs])t$', '\1');
BEGIN
    RETURN CASE WHEN length(base) >= 4 THEN '~' || left(base, -1) || translate(right(base, 1), 'dv', 'tp') END;
END $$;
-- +goose StatementEnd

-- search_stems_of is the stems of all words of search_words: search_stems of each, by one statement.
CREATE OR REPLACE FUNCTION search_stems_of(words text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
    RETURN (
        WITH each AS MATERIALIZED (
            SELECT DISTINCT word FROM unnest(string_to_array(btrim(words), ' ')) AS word WHERE word <> ''),
        finnish AS MATERIALIZED (
            SELECT DISTINCT word, (ts_lexize('pg_catalog.finnish_stem', form))[1] AS stem FROM (
                SELECT DISTINCT word, unnest(ARRAY[word, regexp_replace(word, '([aeiouy])[nt]$', '\1'), regexp_replace(word, 'nen$', 'sen')]) AS form
                FROM each) forms)
        SELECT coalesce(array_agg(DISTINCT stem), '{}') FROM (
            SELECT word, unnest(ARRAY[stem, search_root(stem)]) AS stem FROM finnish
            UNION ALL SELECT word, unnest(ARRAY[word,
                (ts_lexize('pg_catalog.swedish_stem', word))[1], (ts_lexize('pg_catalog.english_stem', word))[1]]) FROM each) stems
        WHERE length(stem) > 1 OR stem = word);

CREATE VIEW search_campaigns AS
SELECT CAST(search_group(c) AS integer) AS grp, c.id AS subject_id, c.place, ARRAY[c.place] AS written_places, texts.titles AS title,
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
WHERE search_group(c) IS NOT NULL;
CREATE VIEW search_creators AS
SELECT 4 AS grp, u.id AS subject_id, coalesce(own.places[1], '') AS place, own.places AS written_places,
       u.first_name || ' ' || u.last_name AS title,
       concat_ws(' ', u.short_description, array_to_string(u.skills, ' '), own.names,
           (SELECT string_agg(label, ' ') FROM user_tags g JOIN tag_texts n ON n.tag_id = g.tag_id WHERE g.user_id = u.id)) AS others
FROM users u
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(c.place ORDER BY c.id DESC), '{}') AS places, string_agg(c.legal_creator, ' ') AS names
    FROM campaign_team m JOIN campaigns c ON c.id = m.campaign_id
    WHERE m.user_id = u.id AND m.position = 0 AND search_group(c) IS NOT NULL AND c.stage <> 5) own -- as their page shows
WHERE u.erased_at IS NULL AND u.blocked_at IS NULL AND (u.listed OR cardinality(own.places) > 0);
CREATE VIEW search_experiments AS
SELECT 5 AS grp, e.id AS subject_id, e.place, ARRAY[e.place] AS written_places, texts.titles AS title,
       concat_ws(' ', texts.others, CASE WHEN u.erased_at IS NULL THEN u.first_name || ' ' || u.last_name END,
           (SELECT string_agg(label, ' ') FROM experiment_tags g JOIN tag_texts n ON n.tag_id = g.tag_id WHERE g.experiment_id = e.id)) AS others
FROM experiments e
CROSS JOIN LATERAL (
    SELECT string_agg(title, ' ') AS titles, string_agg(short_description, ' ') AS others
    FROM experiment_texts x WHERE x.experiment_id = e.id) texts
LEFT JOIN experiment_team m ON m.experiment_id = e.id AND m.position = 0
LEFT JOIN users u ON u.id = m.user_id
WHERE e.listed;

-- +goose StatementBegin
-- search_texts is what a document has of what it is made from.
CREATE FUNCTION search_texts(title text, others text, written_places text[])
    RETURNS TABLE (places text[], title text, search text, plain_title text, plain text, written text, regions text[])
    LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT p.places || r.names, w.title || search_accented(coalesce(search_texts.title, '')), w.search || search_accented(w.written),
           w.title, w.search, w.written, r.regions
    FROM (
        SELECT coalesce(array_agg(DISTINCT searchable(name)) FILTER (WHERE name <> ''), '{}') AS places, string_agg(DISTINCT name, ' ') AS names
        FROM (SELECT unnest(written_places) AS name
            UNION SELECT n.name FROM place_names n WHERE n.place = ANY (written_places)) all_names) p
    CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(DISTINCT g.key), '{}') AS regions, coalesce(array_agg(DISTINCT searchable(name)) FILTER (WHERE name <> ''), '{}') AS names
        FROM unnest(written_places) AS place CROSS JOIN unnest(regions_of(place)) AS region
        JOIN regions g ON g.key = region CROSS JOIN unnest(ARRAY[g.fi, g.en, g.sv]) AS name) r
    CROSS JOIN LATERAL (
        SELECT search_words(coalesce(search_texts.title, '')) AS title, concat_ws(' ', search_texts.title, others, p.names) AS written,
               search_words(coalesce(search_texts.title, '')) || ltrim(search_words(concat_ws(' ', others, p.names))) AS search) w;
END;
-- +goose StatementEnd

CREATE OR REPLACE VIEW search_sources AS
SELECT * FROM search_campaigns UNION ALL SELECT * FROM search_creators UNION ALL SELECT * FROM search_experiments;

CREATE OR REPLACE VIEW search_made AS
SELECT s.grp, s.subject_id, s.place, t.places, t.title, t.search, t.plain_title, t.plain, t.written, t.regions
FROM search_sources s CROSS JOIN LATERAL search_texts(s.title, s.others, s.written_places) t;

-- +goose StatementBegin
-- search_refresh writes the documents of campaigns, with those of their creators, of users and of experiments. Their regions and places
-- are among their stems, so that one index answers for words and places. What has not changed is left alone, and unlocked.
CREATE OR REPLACE FUNCTION search_refresh(campaign_ids bigint[], user_ids bigint[], experiment_ids bigint[]) RETURNS void
    LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    made    search_made[];
    stored  search_documents[];
    changed search_made[];
    lost    text[]; -- words that are in these documents no more
BEGIN
    -- A draft that was never found changes nothing here.
    campaign_ids := ARRAY(
        SELECT c.id FROM campaigns c WHERE c.id = ANY (campaign_ids) AND search_group(c) IS NOT NULL
        UNION SELECT subject_id FROM search_documents WHERE grp IN (0, 1, 2, 3) AND subject_id = ANY (campaign_ids));
    IF cardinality(campaign_ids || user_ids || experiment_ids) = 0 THEN
        RETURN;
    END IF;
    user_ids := user_ids || ARRAY(SELECT user_id FROM campaign_team WHERE campaign_id = ANY (campaign_ids) AND position = 0);
    made := ARRAY(
        SELECT CAST(ROW (s.grp, s.subject_id, s.place, t.places, t.title, t.search, t.plain_title, t.plain, t.written, t.regions) AS search_made)
        FROM (
            SELECT * FROM search_campaigns WHERE subject_id = ANY (campaign_ids)
            UNION ALL SELECT * FROM search_creators WHERE subject_id = ANY (user_ids)
            UNION ALL SELECT * FROM search_experiments WHERE subject_id = ANY (experiment_ids)) s
        CROSS JOIN LATERAL search_texts(s.title, s.others, s.written_places) t);
    stored := ARRAY(
        SELECT d FROM search_documents d WHERE grp IN (0, 1, 2, 3) AND subject_id = ANY (campaign_ids)
        UNION ALL SELECT d FROM search_documents d WHERE grp = 4 AND subject_id = ANY (user_ids)
        UNION ALL SELECT d FROM search_documents d WHERE grp = 5 AND subject_id = ANY (experiment_ids));
    changed := ARRAY(
        SELECT m FROM unnest(made) m WHERE NOT EXISTS (SELECT FROM unnest(stored) d
            WHERE (d.grp, d.subject_id, d.place, d.places, d.title, d.search) = (m.grp, m.subject_id, m.place, m.places, m.title, m.search)));
    IF cardinality(stored) > 0 THEN
        SELECT array_agg(word) INTO lost FROM (
            SELECT unnest(string_to_array(btrim(s.search), ' ')) AS word FROM unnest(stored) s
            EXCEPT SELECT unnest(string_to_array(btrim(m.search), ' ')) FROM unnest(made) m) words;
        IF EXISTS (SELECT FROM unnest(stored) s WHERE NOT EXISTS (
                SELECT FROM unnest(made) m WHERE m.grp = s.grp AND m.subject_id = s.subject_id)) THEN
            DELETE FROM search_documents d USING unnest(stored) s
            WHERE d.grp = s.grp AND d.subject_id = s.subject_id
                AND NOT EXISTS (SELECT FROM unnest(made) m WHERE m.grp = s.grp AND m.subject_id = s.subject_id);
        END IF;
    END IF;
    IF cardinality(changed) > 0 THEN
        INSERT INTO search_vocabulary (word, shown, suggested)
        SELECT DISTINCT ON (w.word) w.word, w.shown, w.suggested FROM (
            SELECT searchable(shown) AS word, shown, searchable(shown) !~ '[0-9]' AS suggested
            FROM unnest(changed), regexp_split_to_table(lower(written), '[\x01-/:-@\[-`{-\u00bf\u2000-\u206f]+') AS shown
            UNION ALL SELECT word, word, false FROM unnest(changed), unnest(string_to_array(btrim(plain), ' ')) AS word) w
        WHERE length(w.word) BETWEEN 3 AND 40
            AND NOT EXISTS (SELECT FROM search_vocabulary v WHERE v.word = w.word AND (v.suggested OR NOT w.suggested))
        ORDER BY w.word, w.suggested DESC, w.shown;
        INSERT INTO search_documents (grp, subject_id, place, places, regions, title, search, title_stems, stems)
        SELECT grp, subject_id, place, places, regions, title, search, search_stems_of(plain_title),
               search_stems_of(plain) || search_marked(places) FROM unnest(changed)
        ORDER BY grp, subject_id
        ON CONFLICT (grp, subject_id) DO UPDATE SET place = excluded.place, places = excluded.places, regions = excluded.regions,
            title = excluded.title, search = excluded.search, title_stems = excluded.title_stems, stems = excluded.stems;
    END IF;
    IF cardinality(lost) > 0 THEN
        DELETE FROM search_vocabulary v
        WHERE v.word = ANY (lost) AND NOT EXISTS (SELECT FROM search_documents d WHERE d.stems @> ARRAY[v.word]);
    END IF;
END $$;
-- +goose StatementEnd
