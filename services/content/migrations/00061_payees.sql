-- +goose Up

-- What the payment service has told of creators' accounts: how far each is, and what is missing. Events are numbered by account.
ALTER TABLE payout_accounts
    ADD COLUMN state    text   NOT NULL DEFAULT 'begun' CONSTRAINT payout_accounts_state CHECK (state IN ('begun', 'checking', 'ready', 'restricted', 'closed')),
    ADD COLUMN needs    text[] NOT NULL DEFAULT '{}',
    ADD COLUMN sequence bigint NOT NULL DEFAULT 0;

-- How often the payment service was told by which accounts a campaign is paid.
-- PostgreSQL 15 adds no column with a default to a table whose row a function takes, as search_group does; hence not in one statement.
-- was de64fea8b770da726ac9f21506c398043e09f821969084e5f4028a63d4c3d4f6
ALTER TABLE campaigns ADD COLUMN payment_accounts_number int;
ALTER TABLE campaigns DISABLE TRIGGER USER;
UPDATE campaigns SET payment_accounts_number = 0;
ALTER TABLE campaigns ENABLE TRIGGER USER;
ALTER TABLE campaigns ALTER COLUMN payment_accounts_number SET DEFAULT 0, ALTER COLUMN payment_accounts_number SET NOT NULL;
