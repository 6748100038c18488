-- +goose Up

-- Double entry. An account is in one currency; so is a transaction, and the foreign keys below hold its entries to it.
CREATE TABLE ledger_accounts (
    id       bigint  GENERATED ALWAYS AS IDENTITY CONSTRAINT ledger_accounts_pkey PRIMARY KEY,
    name     text    NOT NULL, -- 'provider_clearing:stripe', 'backer_funds:<campaign>', 'provider_fees:stripe', …
    kind     text    NOT NULL CONSTRAINT ledger_accounts_kind CHECK (kind IN ('asset', 'liability', 'expense')),
    currency char(3) NOT NULL,
    CONSTRAINT ledger_accounts_name UNIQUE (name, currency),
    CONSTRAINT ledger_accounts_currency UNIQUE (id, currency)
);

CREATE TABLE ledger_transactions (
    id          bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT ledger_transactions_pkey PRIMARY KEY,
    kind        text        NOT NULL CONSTRAINT ledger_transactions_kind CHECK (kind IN ('charge', 'provider_fee', 'refund',
        'refund_failed', 'dispute', 'dispute_reversal', 'dispute_fee', 'dispute_fee_reversal')),
    reference   text        NOT NULL, -- the provider's id of the movement: a charge, a refund, a dispute's balance transaction
    payment_id  char(26)    NOT NULL REFERENCES payments (id),
    currency    char(3)     NOT NULL,
    occurred_at timestamptz NOT NULL,
    CONSTRAINT ledger_transactions_once UNIQUE (kind, reference), -- a movement can be posted once
    CONSTRAINT ledger_transactions_currency UNIQUE (id, currency)
);
CREATE INDEX ledger_transactions_payment ON ledger_transactions (payment_id);
CREATE INDEX ledger_transactions_occurred ON ledger_transactions (occurred_at);

CREATE TABLE ledger_entries (
    id             bigint  GENERATED ALWAYS AS IDENTITY CONSTRAINT ledger_entries_pkey PRIMARY KEY,
    transaction_id bigint  NOT NULL,
    account_id     bigint  NOT NULL,
    currency       char(3) NOT NULL,
    amount_minor   bigint  NOT NULL CONSTRAINT ledger_entries_amount CHECK (amount_minor <> 0), -- debit > 0, credit < 0
    CONSTRAINT ledger_entries_transaction FOREIGN KEY (transaction_id, currency) REFERENCES ledger_transactions (id, currency),
    CONSTRAINT ledger_entries_account FOREIGN KEY (account_id, currency) REFERENCES ledger_accounts (id, currency)
);
CREATE INDEX ledger_entries_of_transaction ON ledger_entries (transaction_id);
CREATE INDEX ledger_entries_of_account ON ledger_entries (account_id) INCLUDE (amount_minor);

-- +goose StatementBegin
CREATE FUNCTION ledger_check_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    checked bigint := CASE TG_TABLE_NAME WHEN 'ledger_transactions' THEN (to_jsonb(NEW) ->> 'id')::bigint
        ELSE (to_jsonb(NEW) ->> 'transaction_id')::bigint END;
    total   numeric;
    entries int;
BEGIN
    SELECT coalesce(sum(amount_minor), 0), count(*) INTO total, entries FROM ledger_entries WHERE transaction_id = checked;
    IF total <> 0 OR entries < 2 THEN
        RAISE EXCEPTION 'ledger transaction % has % entries with the sum %', checked, entries, total
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balanced';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only: correct with a new transaction'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_append_only';
END $$;
-- +goose StatementEnd

-- At commit: the entries of a transaction add up to nothing, and there are at least two.
CREATE CONSTRAINT TRIGGER ledger_balanced AFTER INSERT ON ledger_entries
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_check_balance();
CREATE CONSTRAINT TRIGGER ledger_transaction_balanced AFTER INSERT ON ledger_transactions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_check_balance();
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
