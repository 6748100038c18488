-- +goose Up
-- Log-in requests of the forum that have been answered: each is answered once.
CREATE TABLE forum_nonces (
    nonce_hash bytea PRIMARY KEY, -- SHA-256
    used_at    timestamptz NOT NULL
);
CREATE INDEX forum_nonces_used_at ON forum_nonces (used_at);
