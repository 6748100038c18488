-- +goose Up

-- What a provider told us, as it came. Nothing is decided when it is stored; the worker takes it up.
CREATE TABLE webhook_events (
    provider        text        NOT NULL,
    event_key       text        NOT NULL, -- the provider's own id; of a provider without ids: the type and the object
    type            text        NOT NULL,
    about           text        NOT NULL CONSTRAINT webhook_events_about CHECK (about IN ('payment', 'refund', 'dispute', '')),
    api_version     text        NOT NULL,
    livemode        boolean     NOT NULL,
    object_ref      text        NOT NULL, -- the object it is about
    money_ref       text        NOT NULL, -- the provider's payment that the object belongs to, '' when it names none
    body            bytea       NOT NULL, -- raw
    -- received: waits for the worker · processed · ignored: a type or mode that is not ours · refused: made in another
    -- API version than the one agreed
    status          text        NOT NULL CONSTRAINT webhook_events_status CHECK (status IN ('received', 'processed', 'ignored',
        'refused')),
    received_at     timestamptz NOT NULL,
    attempts        int         NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL, -- also the end of the lease of the worker that has it
    last_error      text        NOT NULL DEFAULT '',
    processed_at    timestamptz,
    CONSTRAINT webhook_events_pkey PRIMARY KEY (event_key, provider) -- the provider tells few apart
);
CREATE INDEX webhook_events_waiting ON webhook_events (next_attempt_at) WHERE status = 'received';
CREATE INDEX webhook_events_received ON webhook_events (received_at);

-- The passes that compare us with the provider: one row a pass and slot of time.
CREATE TABLE reconcile_runs (
    name        text        NOT NULL,
    slot        text        NOT NULL,
    started_at  timestamptz NOT NULL,
    finished_at timestamptz,
    found       int         NOT NULL DEFAULT 0, -- what stood differently
    foreign_count int         NOT NULL DEFAULT 0, -- what another system moved on the same account at the provider
    CONSTRAINT reconcile_runs_pkey PRIMARY KEY (name, slot)
);

-- Events on their way to the content service (package outbox of kit).
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

-- Idempotency keys of callers (package idem of kit).
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
