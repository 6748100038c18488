-- +goose Up

-- Accounts that were erased: what was read of them before begins nothing after it. Pruned after longer than any call lasts.
CREATE TABLE erased_backers (
    user_id bigint      CONSTRAINT erased_backers_pkey PRIMARY KEY,
    at      timestamptz NOT NULL
);

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON erased_backers TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
