-- +goose Up

-- The bank accounts that creators have given us, to which provider B pays out. Their numbers are at the provider alone.
CREATE TABLE payee_banks (
    id         char(26)    CONSTRAINT payee_banks_pkey PRIMARY KEY, -- written on it at the provider, so that a lost answer is found
    payee_id   text        NOT NULL REFERENCES payees (id),
    ref        text        NOT NULL DEFAULT '', -- the provider's id; empty until it is known
    country    text        NOT NULL, -- of its number; empty, as the next, once its person has erased themselves
    last_four  text        NOT NULL,
    state      text        NOT NULL CONSTRAINT payee_banks_state CHECK (state IN ('asking', 'pending', 'active', 'ending', 'ended', 'canceled', 'refused', 'unmade')),
    name_check text        NOT NULL DEFAULT 'unknown' CONSTRAINT payee_banks_name_check CHECK (name_check IN ('match', 'close_match', 'no_match', 'unknown')),
    active_at  timestamptz, -- when its owner had confirmed it
    pays_from  timestamptz, -- nothing is paid out to it before
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT payee_banks_short CHECK (length(country) IN (0, 2) AND length(last_four) IN (0, 4)), -- never a whole number
    CONSTRAINT payee_banks_made CHECK (ref <> '' OR state IN ('asking', 'refused', 'unmade')),
    CONSTRAINT payee_banks_pays CHECK ((active_at IS NULL) = (pays_from IS NULL) AND (state <> 'active' OR active_at IS NOT NULL) AND pays_from >= active_at)
);
CREATE UNIQUE INDEX payee_banks_ref ON payee_banks (ref) WHERE ref <> '';
-- One is in use, and one is to be.
CREATE UNIQUE INDEX payee_banks_active ON payee_banks (payee_id) WHERE state = 'active';
CREATE UNIQUE INDEX payee_banks_next ON payee_banks (payee_id) WHERE state IN ('asking', 'pending');
CREATE INDEX payee_banks_own ON payee_banks (payee_id, created_at);

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE ON payee_banks TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
