-- +goose Up
-- What people have agreed or decided goes back: of a claim, or because the creator wants it. A charge may have several of each, one for
-- each request's key.
ALTER TABLE refunds DROP CONSTRAINT refunds_reason;
ALTER TABLE refunds ADD CONSTRAINT refunds_reason CHECK (reason IN ('reward_gone', 'requested', 'duplicate', 'campaign_failed',
    'campaign_canceled', 'pledge_closed', 'withdrawn', 'claim', 'by_creator'));
DROP INDEX refunds_automatic;
CREATE UNIQUE INDEX refunds_automatic ON refunds (attempt_id, reason) WHERE reason NOT IN ('requested', 'claim', 'by_creator') AND repeats IS NULL;
