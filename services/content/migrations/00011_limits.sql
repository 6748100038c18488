-- +goose Up
-- How many bytes somebody's changes have added to audit_log on the latest day (UTC) on which they changed anything.
CREATE TABLE history_totals (
    user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    day     date   NOT NULL,
    bytes   bigint NOT NULL
);
