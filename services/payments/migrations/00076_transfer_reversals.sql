-- +goose Up

-- What of a run's transfer was taken back from the creator's own account at the provider: asked for here, because they owe us something, or made by
-- somebody in the provider's own pages. Written before the call; a row for each try.
CREATE TABLE transfer_reversals (
    id           char(26)    CONSTRAINT transfer_reversals_pkey PRIMARY KEY, -- also in its key, and the beginning of the references of what it has paid
    run_id       char(26)    NOT NULL REFERENCES settlement_runs (id),
    provider     text        NOT NULL,
    payee_id     bigint      NOT NULL,
    payee_ref    text        NOT NULL,
    transfer_ref text        NOT NULL CONSTRAINT transfer_reversals_transfer CHECK (transfer_ref <> ''),
    amount_minor bigint      NOT NULL CONSTRAINT transfer_reversals_amount CHECK (amount_minor > 0),
    currency     char(3)     NOT NULL,
    is_ours      boolean     NOT NULL, -- asked for here
    state        text        NOT NULL CONSTRAINT transfer_reversals_state CHECK (state IN ('open', 'done', 'refused', 'burned')),
    ref          text        NOT NULL DEFAULT '', -- the provider's id
    code         text        NOT NULL DEFAULT '', -- the provider's word for why not
    paid_minor   bigint      NOT NULL DEFAULT 0,  -- what of it has paid debts; the rest is payable to the creator again
    at           timestamptz NOT NULL,
    next_at      timestamptz, -- when it is asked about again
    burned_at    timestamptz, -- when the provider kept a failure of its own under the key: then it is looked for, for a while
    ended_at     timestamptz,
    CONSTRAINT transfer_reversals_ended CHECK ((state = 'open') = (ended_at IS NULL) AND (state = 'open') = (next_at IS NOT NULL)),
    CONSTRAINT transfer_reversals_done CHECK ((state = 'done') = (ref <> '')),
    CONSTRAINT transfer_reversals_seen CHECK (is_ours OR state = 'done'),
    CONSTRAINT transfer_reversals_paid CHECK (paid_minor BETWEEN 0 AND amount_minor AND (state = 'done' OR paid_minor = 0))
);
-- One at a time for a creator: what it is to pay is nobody else's meanwhile.
CREATE UNIQUE INDEX transfer_reversals_open ON transfer_reversals (provider, payee_ref) WHERE state = 'open';
CREATE UNIQUE INDEX transfer_reversals_ref ON transfer_reversals (provider, ref) WHERE ref <> '';
CREATE INDEX transfer_reversals_run ON transfer_reversals (run_id);
CREATE INDEX transfer_reversals_due ON transfer_reversals (next_at) WHERE next_at IS NOT NULL;

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE ON transfer_reversals TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
