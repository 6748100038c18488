-- +goose Up
-- From which charges what was agreed comes, by their subjects: {"01J…": 1500}. Empty until the payment service has said it.
ALTER TABLE agreed_refunds ADD COLUMN begun_of jsonb NOT NULL DEFAULT '{}';
