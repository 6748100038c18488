-- +goose Up

-- An account that its provider says it does not have is believed to be gone when the provider goes on saying so, or has said itself that it was
-- disconnected: closed is for good.
ALTER TABLE payees
    ADD COLUMN misses    int         NOT NULL DEFAULT 0, -- how often in a row it was not found, an hour apart at least
    ADD COLUMN missed_at timestamptz,                    -- when that was counted last
    ADD CONSTRAINT payees_missed CHECK ((misses > 0) = (missed_at IS NOT NULL) AND misses >= 0);

ALTER TABLE anomalies DROP CONSTRAINT anomalies_kind;
ALTER TABLE anomalies ADD CONSTRAINT anomalies_kind CHECK (kind IN ('held_money', 'unknown_charge', 'refund_failed', 'refund_stuck', 'dispute_stuck',
    'payment_stuck', 'ledger_difference', 'ledger_refused', 'card_testing', 'payee_missing'));

ALTER TABLE webhook_events DROP CONSTRAINT webhook_events_about;
ALTER TABLE webhook_events ADD CONSTRAINT webhook_events_about CHECK (about IN ('payment', 'refund', 'dispute', 'card', 'customer', 'payee', 'payee_gone', ''));
