-- +goose Up

-- A debt ends when its refund is withdrawn or its lost dispute is won on appeal. What the creator had paid of it is payable to them again; this
-- says which run sends what such a movement of the book has restored.
CREATE TABLE settlement_restored (
    transaction_id bigint   CONSTRAINT settlement_restored_pkey PRIMARY KEY CONSTRAINT settlement_restored_transaction REFERENCES ledger_transactions (id),
    run_id         char(26) NOT NULL CONSTRAINT settlement_restored_run REFERENCES settlement_runs (id)
);
CREATE INDEX settlement_restored_of_run ON settlement_restored (run_id);

-- The few movements that can restore something.
CREATE INDEX ledger_transactions_restoring ON ledger_transactions (payment_id) WHERE kind IN ('refund_withdrawn', 'dispute_lost_reversed');

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, DELETE ON settlement_restored TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
