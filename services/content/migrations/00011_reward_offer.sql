-- +goose Up
-- The version of what is bought of a reward: a backer who saw another one is asked again.
ALTER TABLE rewards
    ADD COLUMN offer_version bigint NOT NULL DEFAULT 1; -- the version of the last change of price, VAT, costs, texts or delivery
