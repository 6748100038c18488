-- +goose Up
-- An address may have several accounts until one of them has confirmed it, so that registering does not tell whether
-- somebody has one.
DROP INDEX users_email_key;
CREATE UNIQUE INDEX users_confirmed_address ON users (lower(email)) WHERE verified;
CREATE INDEX users_address ON users (lower(email));
