-- +goose Up
-- Each day of the book is hashed once it is over, and its hash is public: who changes an entry later, with whatever rights, is seen by
-- everybody who has noted the hash.
CREATE TABLE ledger_days (
    day           date        CONSTRAINT ledger_days_pkey PRIMARY KEY, -- in Finland; booked_at says which a movement is of
    transactions  bigint      NOT NULL CONSTRAINT ledger_days_transactions CHECK (transactions >= 0),
    previous_hash text        NOT NULL CONSTRAINT ledger_days_previous CHECK (previous_hash ~ '^([0-9a-f]{64})?$'), -- '' of the first day
    hash          text        NOT NULL CONSTRAINT ledger_days_hash CHECK (hash ~ '^[0-9a-f]{64}$'),
    sealed_at     timestamptz NOT NULL
);
CREATE TRIGGER ledger_days_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_days
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- Movements are booked in about the order of their days, so that this index costs next to nothing to write.
CREATE INDEX ledger_transactions_booked ON ledger_transactions USING brin (booked_at) WITH (pages_per_range = 16, autosummarize = on);

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT ON ledger_days TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
