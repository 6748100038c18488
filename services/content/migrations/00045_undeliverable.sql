-- +goose Up
-- Addresses whose mail server has refused a mail for good, and has taken none since. The hash is that of letters.
CREATE TABLE undeliverable_addresses (
    address_hash bytea       PRIMARY KEY, -- SHA-256 of the address in small letters
    refused_at   timestamptz NOT NULL
);
