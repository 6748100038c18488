-- +goose Up

-- The content service's word that a campaign takes no more money and whose its money is. It is said once and never changes.
CREATE TABLE campaign_endings (
    campaign_id    bigint      CONSTRAINT campaign_endings_pkey PRIMARY KEY,
    outcome        text        NOT NULL CONSTRAINT campaign_endings_outcome CHECK (outcome IN ('reached', 'not_reached', 'canceled')),
    goes_to        text        NOT NULL CONSTRAINT campaign_endings_goes_to CHECK (goes_to IN ('creator', 'backers')),
    ended_at       timestamptz NOT NULL,
    accepted       int         NOT NULL CHECK (accepted >= 0), -- pledges that had uncontested money then
    accepted_minor bigint      NOT NULL CHECK (accepted_minor >= 0), -- less what was refunded
    currency       char(3)     NOT NULL,
    told_at        timestamptz NOT NULL
);
CREATE TRIGGER campaign_endings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON campaign_endings
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- How far the money of a campaign is on its way back to its backers: for each paid pledge a refund is begun, in the order of their ids.
CREATE TABLE refund_runs (
    campaign_id bigint      CONSTRAINT refund_runs_pkey PRIMARY KEY REFERENCES campaign_endings (campaign_id),
    last_id     text        NOT NULL DEFAULT '', -- of the payments that were gone through
    faults      int         NOT NULL DEFAULT 0, -- of this round: payments whose refund could not be begun
    next_at     timestamptz, -- when a worker goes on; null when all are begun
    done_at     timestamptz,
    CONSTRAINT refund_runs_done CHECK ((next_at IS NULL) = (done_at IS NOT NULL))
);
CREATE INDEX refund_runs_due ON refund_runs (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX payments_paid_of_campaign ON payments (campaign_id, id) WHERE paid_attempt_id IS NOT NULL AND subject_kind = 'pledge';

ALTER TABLE refunds DROP CONSTRAINT refunds_reason;
ALTER TABLE refunds ADD CONSTRAINT refunds_reason CHECK (reason IN ('reward_gone', 'requested', 'duplicate', 'campaign_failed',
    'campaign_canceled', 'pledge_closed'));

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT ON campaign_endings TO talkoot_payments;
        GRANT SELECT, INSERT, UPDATE ON refund_runs TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
