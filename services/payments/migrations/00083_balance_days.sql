-- +goose Up

-- What was in a place of our balance at a provider at the end of a day, said three ways by the daily comparison. Nothing is asked of a provider to show it.
CREATE TABLE balance_days (
    provider      text        NOT NULL,
    place         text        NOT NULL, -- as the book's account has it: 'main', a campaign's wallet, 'fees', …
    currency      char(3)     NOT NULL,
    day           date        NOT NULL, -- in Finland; all sums are as of its end, by the provider's times
    book_minor    bigint      NOT NULL, -- the clearing account
    objects_minor bigint      NOT NULL, -- what the provider lists, added up since it was first compared
    foreign_minor bigint      NOT NULL, -- what of that another system moved on the same account
    balance_minor bigint,               -- what the provider says is there; null while it moved each time that it was asked
    compared_at   timestamptz NOT NULL, -- the last time
    verdict       text        NOT NULL CONSTRAINT balance_days_verdict CHECK (verdict IN ('agrees', 'unknown', 'book', 'objects', 'balance', 'all')),
    CONSTRAINT balance_days_pkey PRIMARY KEY (provider, place, currency, day)
);
CREATE INDEX balance_days_newest ON balance_days (day DESC, provider, place, currency);
CREATE INDEX balance_days_differing ON balance_days (day DESC, provider, place, currency) WHERE verdict <> 'agrees';

ALTER TABLE anomalies DROP CONSTRAINT anomalies_kind;
ALTER TABLE anomalies ADD CONSTRAINT anomalies_kind CHECK (kind IN ('held_money', 'unknown_charge', 'refund_failed', 'refund_stuck', 'dispute_stuck',
    'payment_stuck', 'ledger_difference', 'balance_difference', 'ledger_refused', 'card_testing', 'payee_missing', 'refunds_uncovered'));

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE ON balance_days TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
