-- +goose Up
-- The language of title, as of what was bought; empty of charges from before, and without a reward.
ALTER TABLE subscription_charges ADD COLUMN title_language text NOT NULL DEFAULT '';
