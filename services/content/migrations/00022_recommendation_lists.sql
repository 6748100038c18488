-- +goose Up
-- What suggestions are chosen from: of each tag, category and place, and of what ends soon and what is popular, the first
-- few open campaigns and live experiments. The worker makes them anew every few seconds (recommend.Refresh), so that a
-- suggestion reads some rows by their keys.
CREATE TABLE recommendation_lists (
    source      text          NOT NULL CHECK (source IN ('tag', 'category', 'near', 'ending', 'popular')),
    key         text          NOT NULL, -- the tag's or category's id, the searchable name of the place, or empty
    weight      int           NOT NULL, -- of a tag or category: its campaigns in funding, counted up to 40
    campaigns   bigint[]      NOT NULL,
    popularity  int[]         NOT NULL, -- of each of these
    deadlines   timestamptz[] NOT NULL, -- of each of these, null for none
    experiments bigint[]      NOT NULL,
    PRIMARY KEY (source, key)
) WITH (fillfactor = 70);
