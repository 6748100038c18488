-- +goose Up

-- What left a run while it was booked is looked for every few minutes, and is rare.
CREATE INDEX settlement_lines_left ON settlement_lines (run_id, version) WHERE left_at IS NOT NULL;

-- What banks have sent back of payouts. One may come back in parts, each of which the provider tells by an id of its own; the move has the first one's,
-- and the sum of all.
CREATE TABLE settlement_returns (
    provider     text        NOT NULL,
    ref          text        NOT NULL CONSTRAINT settlement_returns_ref CHECK (ref <> ''), -- the provider's id
    run_id       char(26)    NOT NULL,
    kind         text        NOT NULL DEFAULT 'payout' CONSTRAINT settlement_returns_kind CHECK (kind = 'payout'),
    try          int         NOT NULL,
    amount_minor bigint      NOT NULL CONSTRAINT settlement_returns_amount CHECK (amount_minor > 0),
    code         text        NOT NULL, -- the bank's word
    at           timestamptz NOT NULL, -- when it was booked
    CONSTRAINT settlement_returns_pkey PRIMARY KEY (provider, ref),
    CONSTRAINT settlement_returns_of FOREIGN KEY (run_id, kind, try) REFERENCES settlement_moves (run_id, kind, try)
);
CREATE INDEX settlement_returns_of_move ON settlement_returns (run_id, kind, try);
INSERT INTO settlement_returns (provider, ref, run_id, kind, try, amount_minor, code, at)
    SELECT provider, returned_ref, run_id, kind, try, returned_minor, code, ended_at FROM settlement_moves WHERE state = 'returned';
CREATE TRIGGER settlement_returns_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_returns
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT ON settlement_returns TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd

-- A run of refunds begins when there is enough at its providers; those of before have begun.
ALTER TABLE refund_runs ADD COLUMN covered_at timestamptz;
UPDATE refund_runs SET covered_at = now();

ALTER TABLE anomalies DROP CONSTRAINT anomalies_kind;
ALTER TABLE anomalies ADD CONSTRAINT anomalies_kind CHECK (kind IN ('held_money', 'unknown_charge', 'refund_failed', 'refund_stuck', 'dispute_stuck',
    'payment_stuck', 'ledger_difference', 'ledger_refused', 'card_testing', 'payee_missing', 'refunds_uncovered'));
