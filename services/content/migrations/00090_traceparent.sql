-- +goose Up
-- The trace in which a message was added (W3C Trace Context).
ALTER TABLE outbox ADD COLUMN traceparent text;
