-- +goose NO TRANSACTION
-- +goose Up

-- Months that an outage made begin late, before that was kept: their tries are reckoned from the day on which they began.
UPDATE subscription_periods SET day = (begun_at AT TIME ZONE 'Europe/Helsinki')::date
    WHERE period > 1 AND day < (begun_at AT TIME ZONE 'Europe/Helsinki')::date;

-- What a provider is to forget and what the content service is to be told are delivered apart, and the one may be many.
DROP INDEX CONCURRENTLY IF EXISTS outbox_undone_kind; -- one that a migration left unfinished
CREATE INDEX CONCURRENTLY outbox_undone_kind ON outbox (kind, id) WHERE done_at IS NULL;
