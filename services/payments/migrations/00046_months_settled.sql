-- +goose Up

-- Monthly support is settled by calendar months: a run of a month has what was taken until its last day and no run has yet. One without a
-- month is of the pledges of a campaign that has ended.
ALTER TABLE settlement_runs ADD COLUMN month date CONSTRAINT settlement_runs_month CHECK (extract(day FROM month) = 1);
ALTER TABLE settlement_runs DROP CONSTRAINT settlement_runs_campaign_id_fkey,
    ADD COLUMN ended_campaign_id bigint GENERATED ALWAYS AS (CASE WHEN month IS NULL THEN campaign_id END) STORED
        CONSTRAINT settlement_runs_ended REFERENCES campaign_endings (campaign_id);
CREATE UNIQUE INDEX settlement_runs_of_month ON settlement_runs (campaign_id, provider, month) WHERE month IS NOT NULL AND state <> 'void';

-- Less than this of a month is not paid out alone: it waits for the next one.
ALTER TABLE settlement_rates ADD COLUMN minimum_minor bigint NOT NULL DEFAULT 1000 CONSTRAINT settlement_rates_minimum CHECK (minimum_minor >= 0);

CREATE INDEX payments_paid_months ON payments (campaign_id, paid_on) WHERE paid_attempt_id IS NOT NULL AND subject_kind = 'subscription';
CREATE INDEX subscriptions_campaign ON subscriptions (campaign_id, provider);
