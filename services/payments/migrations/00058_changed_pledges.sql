-- +goose Up
-- What goes back because its backer has changed a pledge to a smaller sum; one refund for each change.
ALTER TABLE refunds DROP CONSTRAINT refunds_reason;
ALTER TABLE refunds ADD CONSTRAINT refunds_reason CHECK (reason IN ('reward_gone', 'requested', 'duplicate', 'campaign_failed',
    'campaign_canceled', 'pledge_closed', 'withdrawn', 'claim', 'by_creator', 'changed'));
DROP INDEX refunds_automatic;
CREATE UNIQUE INDEX refunds_automatic ON refunds (attempt_id, reason)
    WHERE reason NOT IN ('requested', 'claim', 'by_creator', 'changed') AND repeats IS NULL;
