-- +goose Up

-- The account of each provider that our money is in. The service cannot change it: whoever moves to another account decides what
-- becomes of the money in the old one first.
CREATE TABLE provider_accounts (
    provider text NOT NULL CONSTRAINT provider_accounts_pkey PRIMARY KEY,
    account  text NOT NULL -- the provider's id of it
);
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT ON provider_accounts TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
