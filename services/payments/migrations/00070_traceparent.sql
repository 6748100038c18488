-- +goose Up
-- The trace in which a message was added, and that of the request that brought an event (W3C Trace Context).
ALTER TABLE outbox ADD COLUMN traceparent text;
ALTER TABLE webhook_events ADD COLUMN traceparent text;
