-- +goose Up

-- Events about a payer that was deleted at the provider.
ALTER TABLE webhook_events DROP CONSTRAINT webhook_events_about;
ALTER TABLE webhook_events ADD CONSTRAINT webhook_events_about CHECK (about IN ('payment', 'refund', 'dispute', 'card', 'customer', ''));
