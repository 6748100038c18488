-- +goose Up

-- Whether the form's card is kept for its person, who may pay there with one that is: decided as the attempt is written, because the body
-- sent with an idempotency key never changes.
ALTER TABLE attempts ADD COLUMN keeps boolean NOT NULL DEFAULT false;

-- Bank accounts that the people of accounts want to be offered again. The provider has the account; a pledge's without an account is
-- never here.
CREATE TABLE kept_accounts (
    provider text        NOT NULL,
    ref      text        NOT NULL, -- the provider's id of the account
    user_id  bigint      NOT NULL,
    kept_at  timestamptz NOT NULL,
    CONSTRAINT kept_accounts_pkey PRIMARY KEY (provider, ref)
);
CREATE INDEX kept_accounts_user ON kept_accounts (user_id, provider);

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON kept_accounts TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
