-- +goose Up
-- Who has an editor open just now, for those who may open the same one. Rows are of the last minute, and of no use after a crash.
CREATE UNLOGGED TABLE open_editors (
    entity    text        NOT NULL,
    entity_id bigint      NOT NULL,
    user_id   bigint      NOT NULL, -- no reference: it would lock the person's row each time
    place     text        NOT NULL, -- the part that has the focus, as the editor names it; empty: none
    seen_at   timestamptz NOT NULL,
    PRIMARY KEY (entity, entity_id, user_id)
);
