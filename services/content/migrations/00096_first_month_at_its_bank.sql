-- +goose Up
-- Support whose first month a bank has is not lapsed, and its person sees it among their own.
ALTER TABLE subscriptions ADD COLUMN is_processing boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT subscriptions_processing_has_not_begun CHECK (NOT is_processing OR status = 'created');
