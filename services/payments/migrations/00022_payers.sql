-- +goose Up

-- Whose payer at a provider is whose: one for all that an account pays, one for each pledge and monthly support without an account.
CREATE TABLE payers (
    owner    text NOT NULL, -- user:N, pledge:ID, subscription:ID
    provider text NOT NULL,
    number   int  NOT NULL DEFAULT 1, -- part of the idempotency key; counts those that are gone
    ref      text NOT NULL DEFAULT '', -- the provider's id; empty until it answered, and after it is gone
    CONSTRAINT payers_pkey PRIMARY KEY (owner, provider)
);
CREATE UNIQUE INDEX payers_ref ON payers (provider, ref) WHERE ref <> '';

INSERT INTO payers (owner, provider, ref)
    SELECT DISTINCT ON (owner, provider) owner, provider, customer_ref
    FROM (SELECT DISTINCT ON (provider, customer_ref) provider, customer_ref, created_at, id,
            coalesce('user:' || backer_user_id, 'subscription:' || id) AS owner
        FROM subscriptions WHERE customer_ref <> '' ORDER BY provider, customer_ref, created_at, id) AS theirs
    ORDER BY owner, provider, created_at, id;

-- What an attempt is paid with, where that is known before it begins.
ALTER TABLE attempts ADD COLUMN instrument_ref text NOT NULL DEFAULT '';

ALTER TABLE attempts DROP CONSTRAINT attempts_method;
ALTER TABLE attempts ADD CONSTRAINT attempts_method CHECK (method IN ('card', 'page', 'debit', 'unasked'));

-- Until when a refund that came too early waits for its provider's time; the reason why it waits, as long as that is its next check.
ALTER TABLE refunds ADD COLUMN deferred_until timestamptz;

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON payers TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
