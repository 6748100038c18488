-- +goose Up
-- The event of the subscription that a link's mail told of: resume takes nothing back that came after it. 0 where the act needs none.
ALTER TABLE subscription_links ADD COLUMN sequence bigint NOT NULL DEFAULT 0;
