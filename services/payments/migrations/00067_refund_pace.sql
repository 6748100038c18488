-- +goose Up

-- When the last of the refunds that are begun for whole campaigns is to be sent at a provider: the next one comes a little later, so that
-- payments pass meanwhile.
CREATE TABLE refund_pace (
    provider text        CONSTRAINT refund_pace_pkey PRIMARY KEY,
    next_at  timestamptz NOT NULL
);

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE ON refund_pace TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
