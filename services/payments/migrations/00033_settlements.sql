-- +goose Up

-- What of a charge is ours, whose tax that has in it, and what is kept back: from a day on. A campaign is settled by what held on the day
-- on which it ended.
CREATE TABLE settlement_rates (
    from_day       date        CONSTRAINT settlement_rates_pkey PRIMARY KEY,
    fee_points     int         NOT NULL CONSTRAINT settlement_rates_fee CHECK (fee_points BETWEEN 0 AND 5000), -- of what was charged, in hundredths of a percent
    vat_points     int         NOT NULL CONSTRAINT settlement_rates_vat CHECK (vat_points BETWEEN 0 AND 10000), -- in the fee
    vat_country    char(2)     NOT NULL,
    reserve_points int         NOT NULL CONSTRAINT settlement_rates_reserve CHECK (reserve_points BETWEEN 0 AND 5000), -- of what was charged
    actor          text        NOT NULL CONSTRAINT settlement_rates_actor CHECK (actor <> ''),
    note           text        NOT NULL,
    at             timestamptz NOT NULL
);
CREATE TRIGGER settlement_rates_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_rates
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
INSERT INTO settlement_rates (from_day, fee_points, vat_points, vat_country, reserve_points, actor, note, at)
    VALUES ('2020-01-01', 500, 2550, 'FI', 500, 'migration', '5 % with the tax in it, 5 % kept back', now());

-- The money of a campaign at a provider on its way to its creator.
CREATE TABLE settlement_runs (
    id            char(26)    CONSTRAINT settlement_runs_pkey PRIMARY KEY,
    campaign_id   bigint      NOT NULL REFERENCES campaign_endings (campaign_id),
    provider      text        NOT NULL,
    number        int         NOT NULL CONSTRAINT settlement_runs_number_positive CHECK (number > 0),
    state         text        NOT NULL CONSTRAINT settlement_runs_state CHECK (state IN ('counting', 'proposed', 'approved', 'booked', 'sending',
        'sent', 'paying', 'paid', 'void')),
    reason        text        NOT NULL DEFAULT '', -- why it does not go on, while it does not
    detail        text        NOT NULL DEFAULT '', -- of the reason: the provider's word, two sums that differ
    version       int         NOT NULL DEFAULT 0,  -- of its lines: counts how often they were frozen
    hash          text        NOT NULL DEFAULT '', -- over lines, account and rates
    payee_id      bigint      NOT NULL DEFAULT 0,  -- the creator's user id
    payee_ref     text        NOT NULL DEFAULT '', -- their account at the provider
    place         text        NOT NULL DEFAULT '', -- of our balance, where the money is
    to_place      text        NOT NULL DEFAULT '', -- of theirs, where it goes first
    rates_from    date        REFERENCES settlement_rates (from_day),
    currency      char(3)     NOT NULL,
    lines         int         NOT NULL DEFAULT 0,
    gross_minor   bigint      NOT NULL DEFAULT 0, -- of the lines, as they are frozen
    fee_minor     bigint      NOT NULL DEFAULT 0, -- with its tax
    vat_minor     bigint      NOT NULL DEFAULT 0,
    reserve_minor bigint      NOT NULL DEFAULT 0,
    net_minor     bigint      NOT NULL DEFAULT 0,
    offset_minor  bigint      NOT NULL DEFAULT 0, -- what of it has paid the creator's debts
    proposed_by   text        NOT NULL CONSTRAINT settlement_runs_proposed_by CHECK (btrim(proposed_by) <> ''),
    next_at       timestamptz, -- when the worker goes on; null when it waits for a person
    paid_at       timestamptz,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    CONSTRAINT settlement_runs_number UNIQUE (campaign_id, provider, number),
    CONSTRAINT settlement_runs_proposer UNIQUE (id, proposed_by),
    CONSTRAINT settlement_runs_frozen CHECK (state IN ('counting', 'void') OR hash <> '' AND version > 0 AND payee_id > 0 AND payee_ref <> ''
        AND place <> '' AND rates_from IS NOT NULL AND gross_minor > 0),
    CONSTRAINT settlement_runs_sums CHECK (gross_minor = fee_minor + reserve_minor + net_minor AND vat_minor BETWEEN 0 AND fee_minor
        AND reserve_minor >= 0 AND net_minor >= 0 AND offset_minor BETWEEN 0 AND net_minor),
    CONSTRAINT settlement_runs_waits CHECK (state <> 'void' OR next_at IS NULL)
);
-- What is not booked yet is in one run.
CREATE UNIQUE INDEX settlement_runs_unbooked ON settlement_runs (campaign_id, provider) WHERE state IN ('counting', 'proposed', 'approved');
CREATE INDEX settlement_runs_due ON settlement_runs (next_at) WHERE next_at IS NOT NULL;

-- The charges of a run, as each of its versions has them.
CREATE TABLE settlement_lines (
    run_id        char(26) NOT NULL REFERENCES settlement_runs (id),
    version       int      NOT NULL,
    charge_ref    text     NOT NULL,
    payment_id    char(26) NOT NULL REFERENCES payments (id),
    gross_minor   bigint   NOT NULL, -- 0 of a charge that went back before
    fee_minor     bigint   NOT NULL,
    vat_minor     bigint   NOT NULL,
    reserve_minor bigint   NOT NULL,
    net_minor     bigint   NOT NULL,
    booked_at     timestamptz, -- when it was settled
    left_at       timestamptz, -- when it was left out, because its charge had changed since the run was approved
    CONSTRAINT settlement_lines_pkey PRIMARY KEY (run_id, version, charge_ref),
    CONSTRAINT settlement_lines_sums CHECK (gross_minor = fee_minor + reserve_minor + net_minor AND vat_minor BETWEEN 0 AND fee_minor
        AND fee_minor >= 0 AND reserve_minor >= 0 AND net_minor >= 0),
    CONSTRAINT settlement_lines_ended CHECK (booked_at IS NULL OR left_at IS NULL)
);
CREATE INDEX settlement_lines_charge ON settlement_lines (charge_ref);

-- Who has approved what: a hash, so that another sum or account needs another approval. Nobody approves what they have proposed.
CREATE TABLE settlement_approvals (
    run_id      char(26)    NOT NULL,
    hash        text        NOT NULL CONSTRAINT settlement_approvals_hash CHECK (hash <> ''),
    proposed_by text        NOT NULL,
    actor       text        NOT NULL CONSTRAINT settlement_approvals_actor CHECK (btrim(actor) <> ''),
    note        text        NOT NULL,
    at          timestamptz NOT NULL,
    CONSTRAINT settlement_approvals_run FOREIGN KEY (run_id, proposed_by) REFERENCES settlement_runs (id, proposed_by),
    CONSTRAINT settlement_approvals_not_own CHECK (lower(btrim(actor)) <> lower(btrim(proposed_by)))
);
CREATE UNIQUE INDEX settlement_approvals_once ON settlement_approvals (run_id, hash, lower(btrim(actor)));
CREATE TRIGGER settlement_approvals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_approvals
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What is asked of a provider for a run: a transfer to the creator's own account there, a payout to their bank. Written before the call.
CREATE TABLE settlement_moves (
    run_id       char(26)    NOT NULL REFERENCES settlement_runs (id),
    kind         text        NOT NULL CONSTRAINT settlement_moves_kind CHECK (kind IN ('transfer', 'payout')),
    try          int         NOT NULL CONSTRAINT settlement_moves_try CHECK (try > 0),
    provider     text        NOT NULL,
    payee_ref    text        NOT NULL,
    from_place   text        NOT NULL,
    destination  text        NOT NULL, -- of a transfer their account or wallet, of a payout their bank account's id at the provider
    amount_minor bigint      NOT NULL CONSTRAINT settlement_moves_amount CHECK (amount_minor > 0), -- what the creator gets
    fee_minor    bigint      NOT NULL CONSTRAINT settlement_moves_fee CHECK (fee_minor >= 0), -- what we get by the same transfer
    currency     char(3)     NOT NULL,
    state        text        NOT NULL CONSTRAINT settlement_moves_state CHECK (state IN ('open', 'done', 'refused', 'burned', 'returned')),
    ref          text        NOT NULL DEFAULT '', -- the provider's id
    code         text        NOT NULL DEFAULT '', -- the provider's word for why not
    at           timestamptz NOT NULL,
    burned_at    timestamptz, -- when the provider kept a failure of its own under the key: then it is looked for, for a while
    ended_at     timestamptz,
    returned_ref text        NOT NULL DEFAULT '', -- of a payout that came back, the provider's id of that
    CONSTRAINT settlement_moves_pkey PRIMARY KEY (run_id, kind, try),
    CONSTRAINT settlement_moves_ended CHECK ((state = 'open') = (ended_at IS NULL)),
    CONSTRAINT settlement_moves_done CHECK (state NOT IN ('done', 'returned') OR ref <> ''),
    CONSTRAINT settlement_moves_returned CHECK ((state = 'returned') = (returned_ref <> '') AND (state <> 'returned' OR kind = 'payout'))
);
-- One at a time for a creator: two would race for one balance.
CREATE UNIQUE INDEX settlement_moves_open ON settlement_moves (provider, payee_ref) WHERE state = 'open';
CREATE UNIQUE INDEX settlement_moves_ref ON settlement_moves (provider, kind, ref) WHERE ref <> '';
-- A run is sent once.
CREATE UNIQUE INDEX settlement_moves_sent ON settlement_moves (run_id) WHERE kind = 'transfer' AND state = 'done';

-- The history of a run.
CREATE TABLE settlement_steps (
    id         bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT settlement_steps_pkey PRIMARY KEY,
    run_id     char(26)    NOT NULL REFERENCES settlement_runs (id),
    event      text        NOT NULL,
    from_state text        NOT NULL, -- empty of the first
    to_state   text        NOT NULL,
    reason     text        NOT NULL DEFAULT '',
    actor      text        NOT NULL DEFAULT '', -- empty for the worker
    note       text        NOT NULL DEFAULT '',
    at         timestamptz NOT NULL
);
CREATE INDEX settlement_steps_run ON settlement_steps (run_id, id);
CREATE TRIGGER settlement_steps_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_steps
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT ON settlement_rates TO talkoot_payments;
        GRANT SELECT, INSERT, UPDATE ON settlement_runs, settlement_lines, settlement_moves TO talkoot_payments;
        GRANT SELECT, INSERT ON settlement_approvals, settlement_steps TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
