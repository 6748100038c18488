-- +goose Up

-- Cards that the people of accounts want to be offered again, where cards are registered. The provider has the card; this is how it is
-- shown. A card of a pledge without an account is never here.
CREATE TABLE kept_cards (
    provider    text        NOT NULL,
    ref         text        NOT NULL, -- as attempts.instrument_ref
    user_id     bigint      NOT NULL,
    label       text        NOT NULL, -- Visa ···· 4242
    exp_year    int         NOT NULL, -- 0 when the provider does not say
    exp_month   int         NOT NULL,
    fingerprint text        NOT NULL, -- the same for the same card of whoever; empty when the provider gives none
    kept_at     timestamptz NOT NULL,
    used_at     timestamptz, -- when it paid last
    CONSTRAINT kept_cards_pkey PRIMARY KEY (provider, ref)
);
CREATE INDEX kept_cards_user ON kept_cards (user_id, provider);
CREATE UNIQUE INDEX kept_cards_once ON kept_cards (user_id, provider, fingerprint) WHERE fingerprint <> '';

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON kept_cards TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
