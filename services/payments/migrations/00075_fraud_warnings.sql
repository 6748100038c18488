-- +goose Up

-- What card networks have told of charges that a cardholder has reported as fraud, before any dispute. No money moves by it: it is a proposal to refund.
CREATE TABLE fraud_warnings (
    id           bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT fraud_warnings_pkey PRIMARY KEY,
    payment_id   char(26)    NOT NULL CONSTRAINT fraud_warnings_payment REFERENCES payments (id),
    attempt_id   bigint      NOT NULL CONSTRAINT fraud_warnings_attempt REFERENCES attempts (id), -- whose charge was reported
    provider     text        NOT NULL,
    provider_ref text        NOT NULL,
    -- open: a person decides · refunded: all of the charge has gone back, or is on its way · disputed: its bank came first · dismissed: by a person ·
    -- lapsed: a refund avoids nothing any more
    status       text        NOT NULL CONSTRAINT fraud_warnings_status CHECK (status IN ('open', 'refunded', 'disputed', 'dismissed', 'lapsed')),
    reason       text        NOT NULL, -- the provider's word: 'unauthorized_use_of_card', 'made_with_stolen_card' …
    opened_at    timestamptz NOT NULL, -- the provider's time
    ended_at     timestamptz, -- when it came to be no longer open
    created_at   timestamptz NOT NULL,
    CONSTRAINT fraud_warnings_provider_ref UNIQUE (provider, provider_ref),
    CONSTRAINT fraud_warnings_ended CHECK ((status = 'open') = (ended_at IS NULL))
);
CREATE INDEX fraud_warnings_of_payment ON fraud_warnings (payment_id);
CREATE INDEX fraud_warnings_of_attempt ON fraud_warnings (attempt_id);
CREATE INDEX fraud_warnings_open ON fraud_warnings (opened_at) WHERE status = 'open';

ALTER TABLE webhook_events DROP CONSTRAINT webhook_events_about;
ALTER TABLE webhook_events ADD CONSTRAINT webhook_events_about CHECK (about IN ('payment', 'refund', 'dispute', 'warning', 'card', 'customer', 'payee', 'payee_gone', 'sent', ''));

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE ON fraud_warnings TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
