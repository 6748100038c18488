-- +goose Up

-- What was said to a bank about a dispute. It is written before the provider is asked; one that was not answered is sent again as it is, by the
-- same key.
CREATE TABLE dispute_evidence (
    id          char(26)    CONSTRAINT dispute_evidence_pkey PRIMARY KEY, -- the provider's idempotency key
    dispute_id  bigint      NOT NULL CONSTRAINT dispute_evidence_dispute REFERENCES disputes (id),
    state       text        NOT NULL CONSTRAINT dispute_evidence_state CHECK (state IN ('asked', 'taken', 'refused')),
    evidence    jsonb       NOT NULL,
    code        text        NOT NULL DEFAULT '', -- the provider's word of a refusal
    actor       text        NOT NULL CONSTRAINT dispute_evidence_actor CHECK (btrim(actor) <> ''),
    note        text        NOT NULL CONSTRAINT dispute_evidence_note CHECK (btrim(note) <> ''),
    at          timestamptz NOT NULL,
    answered_at timestamptz,
    CONSTRAINT dispute_evidence_answered CHECK ((state = 'asked') = (answered_at IS NULL))
);
-- A bank takes evidence once.
CREATE UNIQUE INDEX dispute_evidence_once ON dispute_evidence (dispute_id) WHERE state <> 'refused';

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE ON dispute_evidence TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
