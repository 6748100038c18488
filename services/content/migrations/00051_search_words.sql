-- +goose Up
-- Which words begin with what was typed, or have it inside, is asked of the vocabulary, and the documents that have those words of one
-- index of whole words: documents are many and alike, words are few. So all their words are in it now, numbers and those that a
-- hyphen joins too, and the indexes of the documents' letters are gone.
ALTER TABLE search_vocabulary ADD COLUMN suggested boolean NOT NULL DEFAULT true; -- somebody wrote it so, and may mean it
INSERT INTO search_vocabulary (word, shown, suggested)
SELECT word, word, false FROM (SELECT DISTINCT unnest(string_to_array(btrim(search), ' ')) AS word FROM search_documents) words
WHERE length(word) BETWEEN 3 AND 40 AND word = searchable(word) AND NOT EXISTS (SELECT FROM search_vocabulary v WHERE v.word = words.word);

-- +goose StatementBegin
-- search_refresh writes the documents of campaigns, with those of their creators, of users and of experiments. Their regions and places
-- are among their stems, so that one index answers for words and places.
CREATE OR REPLACE FUNCTION search_refresh(campaign_ids bigint[], user_ids bigint[], experiment_ids bigint[]) RETURNS void
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
        INSERT INTO search_vocabulary (word, shown, suggested)
        SELECT DISTINCT ON (w.word) w.word, w.shown, w.suggested FROM (
            SELECT searchable(shown) AS word, shown, searchable(shown) !~ '[0-9]' AS suggested
            FROM changed, regexp_split_to_table(lower(written), '[\x01-/:-@\[-`{-\u00bf\u2000-\u206f]+') AS shown
            UNION ALL SELECT word, word, false FROM changed, unnest(string_to_array(btrim(plain), ' ')) AS word) w
        WHERE length(w.word) BETWEEN 3 AND 40
            AND NOT EXISTS (SELECT FROM search_vocabulary v WHERE v.word = w.word AND (v.suggested OR NOT w.suggested))
        ORDER BY w.word, w.suggested DESC, w.shown),
    written AS (
        INSERT INTO search_documents (grp, subject_id, place, places, regions, title, search, title_stems, stems)
        SELECT grp, subject_id, place, places, regions, title, search, search_stems_of(plain_title),
               search_stems_of(plain) || search_marked(places) FROM changed
        ORDER BY grp, subject_id
        ON CONFLICT (grp, subject_id) DO UPDATE SET place = excluded.place, places = excluded.places, regions = excluded.regions,
            title = excluded.title, search = excluded.search, title_stems = excluded.title_stems, stems = excluded.stems)
    SELECT array_agg(word) INTO lost FROM (
        SELECT unnest(string_to_array(btrim(s.search), ' ')) AS word FROM stored s
        EXCEPT SELECT unnest(string_to_array(btrim(m.search), ' ')) FROM made m) words;
    DELETE FROM search_vocabulary v
    WHERE v.word = ANY (lost) AND NOT EXISTS (SELECT FROM search_documents d WHERE d.stems @> ARRAY[v.word]);
END $$;
-- +goose StatementEnd

DROP INDEX search_documents_title, search_documents_search, search_vocabulary_trigrams;
CREATE INDEX search_vocabulary_trigrams ON search_vocabulary USING gin (word gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX search_vocabulary_suggested ON search_vocabulary USING gin (word gin_trgm_ops) WITH (fastupdate = off) WHERE suggested;
