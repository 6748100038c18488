-- +goose Up

-- Events of transfers to creators and of their payouts reach the run that has sent them.
ALTER TABLE webhook_events DROP CONSTRAINT webhook_events_about;
ALTER TABLE webhook_events ADD CONSTRAINT webhook_events_about CHECK (about IN ('payment', 'refund', 'dispute', 'card', 'customer', 'payee', 'payee_gone', 'sent', ''));
