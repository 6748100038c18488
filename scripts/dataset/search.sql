-- What the search finds the campaigns, their creators and the experiments by: the content service's own shape (search_refresh of its
-- migrations), for many at once. Each word's stems are made once.
CREATE TEMPORARY TABLE made AS SELECT * FROM search_made;
CREATE TEMPORARY TABLE stemmed AS
SELECT word, search_stems(word) AS stems FROM (SELECT DISTINCT unnest(string_to_array(btrim(plain), ' ')) AS word FROM made) words;
CREATE INDEX ON stemmed (word);
ANALYZE made, stemmed;
INSERT INTO search_documents (grp, subject_id, place, places, regions, title, search, title_stems, stems)
SELECT grp, subject_id, place, places, regions, title, search, t.stems, s.stems || search_marked(places)
FROM made m
CROSS JOIN LATERAL (SELECT coalesce(array_agg(DISTINCT stem), '{}') AS stems
    FROM unnest(string_to_array(btrim(m.plain_title), ' ')) AS word JOIN stemmed USING (word) CROSS JOIN unnest(stemmed.stems) AS stem) t
CROSS JOIN LATERAL (SELECT coalesce(array_agg(DISTINCT stem), '{}') AS stems
    FROM unnest(string_to_array(btrim(m.plain), ' ')) AS word JOIN stemmed USING (word) CROSS JOIN unnest(stemmed.stems) AS stem) s
ORDER BY grp, subject_id;
INSERT INTO search_vocabulary (word, shown, suggested)
SELECT DISTINCT ON (word) word, shown, suggested FROM (
    SELECT searchable(shown) AS word, shown, searchable(shown) !~ '[0-9]' AS suggested
    FROM (SELECT DISTINCT shown FROM made, regexp_split_to_table(lower(written), '[\x01-/:-@\[-`{-\u00bf\u2000-\u206f]+') AS shown) written
    UNION ALL SELECT word, word, false FROM stemmed) words
WHERE length(word) BETWEEN 3 AND 40
ORDER BY word, suggested DESC, shown;
DROP TABLE made, stemmed;
