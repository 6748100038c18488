-- +goose Up

-- Double entry; package ledger says what each account and each kind of transaction means. An account is in one currency;
-- so is a transaction, and the foreign keys below hold its entries to it.
CREATE TABLE ledger_accounts (
    id       bigint  GENERATED ALWAYS AS IDENTITY CONSTRAINT ledger_accounts_pkey PRIMARY KEY,
    name     text    NOT NULL, -- 'provider_clearing:stripe:main', 'backer_funds:stripe:<campaign>', 'bank', …
    class    text    NOT NULL, -- the name's first part
    type     text    NOT NULL CONSTRAINT ledger_accounts_type CHECK (type IN ('asset', 'liability', 'income', 'expense')),
    currency char(3) NOT NULL,
    guarded  boolean NOT NULL, -- may never stand on its wrong side
    CONSTRAINT ledger_accounts_name UNIQUE (name, currency),
    CONSTRAINT ledger_accounts_currency UNIQUE (id, currency)
);

-- What is locked to take money from a guarded account. Apart from the accounts, whose rows the entries' foreign keys lock
-- and whose names nobody may change.
CREATE TABLE ledger_guards (
    account_id bigint CONSTRAINT ledger_guards_pkey PRIMARY KEY REFERENCES ledger_accounts (id)
);

CREATE TABLE ledger_transactions (
    id           bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT ledger_transactions_pkey PRIMARY KEY,
    provider     text        NOT NULL, -- '' for what no provider has to do with
    kind         text        NOT NULL, -- a kind of package ledger's table of rules
    reference    text        NOT NULL, -- the provider's id of the movement, else ours
    payment_id   char(26)    REFERENCES payments (id), -- none for payouts and the like
    charge_ref   text        NOT NULL DEFAULT '', -- the provider's charge whose money it is, '' for none
    amount_minor bigint      NOT NULL CONSTRAINT ledger_transactions_amount CHECK (amount_minor > 0), -- what the rule was given
    currency     char(3)     NOT NULL,
    legs         int         NOT NULL CONSTRAINT ledger_transactions_legs CHECK (legs >= 2), -- how many entries it has
    reverses     bigint      REFERENCES ledger_transactions (id),
    actor        text        NOT NULL DEFAULT '', -- the person, '' for the service itself
    note         text        NOT NULL DEFAULT '',
    happened_at  timestamptz NOT NULL, -- at the provider
    booked_at    timestamptz NOT NULL, -- with us
    CONSTRAINT ledger_transactions_once UNIQUE (provider, kind, reference), -- a movement can be posted once
    CONSTRAINT ledger_transactions_currency UNIQUE (id, currency)
);
CREATE INDEX ledger_transactions_payment ON ledger_transactions (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX ledger_transactions_charge ON ledger_transactions (provider, charge_ref) WHERE charge_ref <> '';
CREATE INDEX ledger_transactions_happened ON ledger_transactions (happened_at);

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
CREATE FUNCTION ledger_check_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    checked bigint := CASE TG_TABLE_NAME WHEN 'ledger_transactions' THEN (to_jsonb(NEW) ->> 'id')::bigint
        ELSE (to_jsonb(NEW) ->> 'transaction_id')::bigint END;
    total   numeric;
    entries int;
    wanted  int;
BEGIN
    SELECT coalesce(sum(amount_minor), 0), count(*) INTO total, entries FROM ledger_entries WHERE transaction_id = checked;
    SELECT legs INTO wanted FROM ledger_transactions WHERE id = checked;
    IF total <> 0 OR entries IS DISTINCT FROM wanted THEN
        RAISE EXCEPTION 'ledger transaction % has % entries of % with the sum %', checked, entries, wanted, total
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balanced';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- At commit: a transaction has the entries it was begun with, and they add up to nothing. So nothing can be added later.
CREATE CONSTRAINT TRIGGER ledger_balanced AFTER INSERT ON ledger_entries
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_check_transaction();
CREATE CONSTRAINT TRIGGER ledger_transaction_balanced AFTER INSERT ON ledger_transactions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_check_transaction();
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_accounts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_accounts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
