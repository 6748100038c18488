-- +goose Up
-- A person's posts, for merging accounts and for the file of their data.
CREATE INDEX posts_author ON posts (author_id);
