-- +goose Up

-- Who is paid as a creator, by which account at a provider.
CREATE TABLE payees (
    id             text        PRIMARY KEY,
    user_id        bigint,               -- NULL once the person has erased themselves
    provider       text        NOT NULL,
    kind           text        NOT NULL,
    number         int         NOT NULL DEFAULT 1,  -- part of the idempotency key; counts the calls that were refused
    ref            text        NOT NULL DEFAULT '', -- the provider's id; empty until it has answered
    wallet_ref     text        NOT NULL DEFAULT '', -- what is paid out comes through it, where the provider has such
    state          text        NOT NULL,
    needs          jsonb       NOT NULL DEFAULT '[]',
    ready_at       timestamptz,          -- when it was ready first
    looked_at      timestamptz,          -- when the provider was asked last
    looks          bigint      NOT NULL DEFAULT 0,  -- how often it was asked; what an earlier answer says does not undo a later one's
    seen_look      bigint      NOT NULL DEFAULT 0,
    event_sequence bigint      NOT NULL DEFAULT 0,
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    CONSTRAINT payees_kind CHECK (kind IN ('natural', 'legal')),
    CONSTRAINT payees_state CHECK (state IN ('making', 'begun', 'checking', 'ready', 'restricted', 'closed')),
    CONSTRAINT payees_made CHECK ((state = 'making') = (ref = ''))
);
CREATE UNIQUE INDEX payees_ref ON payees (provider, ref) WHERE ref <> '';
CREATE INDEX payees_own ON payees (user_id, provider);

-- By which accounts a campaign is paid, in the content service's words; the highest number counts.
CREATE TABLE campaign_accounts (
    campaign_id bigint NOT NULL,
    provider    text   NOT NULL,
    account_ref text   NOT NULL, -- empty when it is paid by none there
    number      int    NOT NULL,
    CONSTRAINT campaign_accounts_pkey PRIMARY KEY (campaign_id, provider)
);
CREATE INDEX campaign_accounts_ref ON campaign_accounts (provider, account_ref) WHERE account_ref <> '';

-- Where a campaign's money is at a provider with wallets: one for each owner that it has had.
CREATE TABLE campaign_wallets (
    campaign_id bigint NOT NULL,
    payee_id    text   NOT NULL REFERENCES payees (id),
    ref         text   NOT NULL DEFAULT '', -- empty until the provider has answered
    CONSTRAINT campaign_wallets_pkey PRIMARY KEY (campaign_id, payee_id)
);
CREATE UNIQUE INDEX campaign_wallets_ref ON campaign_wallets (ref) WHERE ref <> '';

-- What operators have switched off and on again; the newest counts, and without one a provider is on.
CREATE TABLE provider_switches (
    number   bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider text        NOT NULL,
    is_on    boolean     NOT NULL,
    reason   text        NOT NULL,
    actor    text        NOT NULL,
    at       timestamptz NOT NULL
);
CREATE TRIGGER provider_switches_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON provider_switches
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Events about a creator's account.
ALTER TABLE webhook_events DROP CONSTRAINT webhook_events_about;
ALTER TABLE webhook_events ADD CONSTRAINT webhook_events_about CHECK (about IN ('payment', 'refund', 'dispute', 'card', 'customer', 'payee', ''));

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE ON payees, campaign_accounts, campaign_wallets TO talkoot_payments;
        GRANT SELECT, INSERT ON provider_switches TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
