-- +goose Up
-- Answers of calls that carry an idempotency key; see package talkoot.fi/kit/idem.
CREATE TABLE idempotency_keys (
    scope        text        NOT NULL,
    key          text        NOT NULL,
    request_hash bytea       NOT NULL,
    made         text        NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (scope, key),
    CONSTRAINT idempotency_keys_key_length CHECK (length(key) BETWEEN 1 AND 255)
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);

-- What is on its way out, mails and words to the payment service; see package talkoot.fi/kit/outbox.
CREATE TABLE outbox (
    id              bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT outbox_pkey PRIMARY KEY,
    kind            text        NOT NULL,
    stream          text,
    payload         jsonb       NOT NULL,
    dedupe_key      text        CONSTRAINT outbox_dedupe_key UNIQUE,
    created_at      timestamptz NOT NULL DEFAULT now(),
    attempts        int         NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT 'epoch',
    last_error      text,
    done_at         timestamptz
);
CREATE INDEX outbox_undone ON outbox (id) WHERE done_at IS NULL;
CREATE INDEX outbox_undone_stream ON outbox (stream, id) WHERE done_at IS NULL AND stream IS NOT NULL;
CREATE INDEX outbox_done ON outbox (done_at) WHERE done_at IS NOT NULL;
