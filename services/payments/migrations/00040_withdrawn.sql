-- +goose Up
-- What goes back because its backer has taken the pledge back.
ALTER TABLE refunds DROP CONSTRAINT refunds_reason;
ALTER TABLE refunds ADD CONSTRAINT refunds_reason CHECK (reason IN ('reward_gone', 'requested', 'duplicate', 'campaign_failed',
    'campaign_canceled', 'pledge_closed', 'withdrawn'));
