-- +goose Up
-- A campaign on hold may go on, so it is found where it was. One that staff have stopped is closed, and among those that have ended.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION search_group(c campaigns) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN c.stage = 2 THEN 0 -- open
        WHEN c.stage = 6 THEN 1 -- monthly
        WHEN c.stage = 1 THEN 2 -- coming
        WHEN c.stage IN (3, 4, 5) THEN 3 -- ended
    END;
-- +goose StatementEnd
SELECT search_refresh((SELECT coalesce(array_agg(id), '{}') FROM campaigns WHERE hold = 'on_hold'), '{}', '{}');
