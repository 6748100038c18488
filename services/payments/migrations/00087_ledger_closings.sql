-- +goose Up

-- What the entries of an account up to one of them add up to: a balance is the last closing of its account and the entries behind it. Derived from the entries
-- alone, so all of them may go and are made anew; the audit and `payments ledger -verify` add up the entries themselves. No foreign key leads to the entry:
-- up_to is a number that all entries are on one side of, and what has gone or never was is found by the sum.
CREATE TABLE ledger_closings (
    account_id    bigint      NOT NULL CONSTRAINT ledger_closings_account REFERENCES ledger_accounts (id),
    up_to         bigint      NOT NULL CONSTRAINT ledger_closings_up_to CHECK (up_to > 0), -- an id of ledger_entries, included
    balance_minor bigint      NOT NULL,
    made_at       timestamptz NOT NULL,
    CONSTRAINT ledger_closings_pkey PRIMARY KEY (account_id, up_to)
);
CREATE INDEX ledger_closings_newest ON ledger_closings (up_to);
CREATE TRIGGER ledger_closings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_closings
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT ON ledger_closings TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
