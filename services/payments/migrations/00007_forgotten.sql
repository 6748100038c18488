-- +goose Up

-- Cards and customers that are forgotten at their provider, or are about to be: nothing takes them into use from then on.
CREATE TABLE forgotten (
    provider text        NOT NULL,
    ref      text        NOT NULL, -- the provider's id
    at       timestamptz NOT NULL,
    CONSTRAINT forgotten_pkey PRIMARY KEY (provider, ref)
);

ALTER TABLE subscriptions ADD COLUMN setup_ref text NOT NULL DEFAULT ''; -- the setup intent that was begun last for another card
CREATE INDEX subscriptions_customer ON subscriptions (provider, customer_ref);

-- Those that are over already: nothing is kept of their cards, and a customer that is theirs alone is deleted.
UPDATE subscriptions SET card_label = '', card_expires = '', card_warned = '', card_refused = false
    WHERE status IN ('canceled', 'expired') AND card_ref = '';
INSERT INTO outbox (kind, payload) SELECT 'provider.forget', jsonb_build_object('provider', provider, 'kind', 'customer', 'ref', customer_ref)
    FROM subscriptions WHERE status IN ('canceled', 'expired') AND backer_user_id IS NULL;

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON forgotten TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
