-- +goose Up

-- What creators owe us and two people have given up: one proposes it, another approves it, and then it is in the ledger.
CREATE TABLE debt_write_offs (
    id           char(26)    CONSTRAINT debt_write_offs_pkey PRIMARY KEY, -- also the beginning of the references of its movements
    provider     text        NOT NULL,
    payee_id     bigint      NOT NULL,
    currency     char(3)     NOT NULL,
    amount_minor bigint      NOT NULL CONSTRAINT debt_write_offs_amount CHECK (amount_minor > 0),
    proposed_by  text        NOT NULL CONSTRAINT debt_write_offs_proposed_by CHECK (btrim(proposed_by) <> ''),
    note         text        NOT NULL CONSTRAINT debt_write_offs_note CHECK (btrim(note) <> ''),
    proposed_at  timestamptz NOT NULL,
    state        text        NOT NULL DEFAULT 'proposed' CONSTRAINT debt_write_offs_state CHECK (state IN ('proposed', 'approved', 'canceled')),
    ended_by     text        NOT NULL DEFAULT '',
    end_note     text        NOT NULL DEFAULT '',
    ended_at     timestamptz,
    CONSTRAINT debt_write_offs_ended CHECK ((state = 'proposed') = (ended_at IS NULL) AND (state = 'proposed') = (btrim(ended_by) = '')),
    CONSTRAINT debt_write_offs_not_own CHECK (state <> 'approved' OR lower(btrim(ended_by)) <> lower(btrim(proposed_by)))
);
CREATE UNIQUE INDEX debt_write_offs_open ON debt_write_offs (provider, payee_id, currency) WHERE state = 'proposed';

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE ON debt_write_offs TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
