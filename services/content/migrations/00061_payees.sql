-- +goose Up

-- What the payment service has told of creators' accounts: how far each is, and what is missing. Events are numbered by account.
ALTER TABLE payout_accounts
    ADD COLUMN state    text   NOT NULL DEFAULT 'begun' CONSTRAINT payout_accounts_state CHECK (state IN ('begun', 'checking', 'ready', 'restricted', 'closed')),
    ADD COLUMN needs    text[] NOT NULL DEFAULT '{}',
    ADD COLUMN sequence bigint NOT NULL DEFAULT 0;

-- How often the payment service was told by which accounts a campaign is paid.
ALTER TABLE campaigns ADD COLUMN payment_accounts_number int NOT NULL DEFAULT 0;
