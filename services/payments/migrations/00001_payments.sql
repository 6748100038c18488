-- +goose Up

-- What is to be paid for a pledge: a copy of the content service's order, taken once and never changed. It holds no
-- personal data: the receipt is the content service's.
CREATE TABLE orders (
    pledge_id      char(26)    CONSTRAINT orders_pkey PRIMARY KEY,
    amount_minor   bigint      NOT NULL CONSTRAINT orders_amount CHECK (amount_minor > 0),
    currency       char(3)     NOT NULL,
    description    text        NOT NULL, -- the payment page and the backer's statement show it
    language       text        NOT NULL CONSTRAINT orders_language CHECK (language IN ('fi', 'en', 'sv')),
    campaign_id    bigint      NOT NULL,
    campaign_slug  text        NOT NULL,
    campaign_title text        NOT NULL,
    reward_id      bigint,
    payee_user_id  bigint,
    reserved_until timestamptz NOT NULL, -- the reservation of the pledge's stock
    fetched_at     timestamptz NOT NULL
);

-- One payment per pledge; its attempts are the provider's objects, and exactly one success counts.
CREATE TABLE payments (
    id                    char(26)    CONSTRAINT payments_pkey PRIMARY KEY,
    pledge_id             char(26)    NOT NULL CONSTRAINT payments_pledge UNIQUE REFERENCES orders (pledge_id),
    provider              text        NOT NULL CONSTRAINT payments_provider CHECK (provider IN ('stripe')),
    status                text        NOT NULL,
    amount_minor          bigint      NOT NULL CONSTRAINT payments_amount CHECK (amount_minor > 0),
    currency              char(3)     NOT NULL,
    amount_refunded_minor bigint      NOT NULL DEFAULT 0, -- sum of the settled refunds of the attempt that counts
    failure_code          text        NOT NULL DEFAULT '', -- of the last decline: a code of payment_failed
    method                text        NOT NULL DEFAULT '', -- 'Visa ···· 4242'
    paid_attempt_id       bigint,     -- the one success that counts; set once
    alert                 text        NOT NULL DEFAULT '', -- why a person has to look, '' when nobody has to
    closing_at            timestamptz, -- set when its time is over: no attempt begins any more, the open ones are ended
    closes_at             timestamptz NOT NULL, -- the end of the reservation and its grace
    next_check_at         timestamptz NOT NULL, -- when the sweeper asks the provider again
    event_sequence        bigint      NOT NULL DEFAULT 0, -- number of the last event to the content service
    created_at            timestamptz NOT NULL,
    updated_at            timestamptz NOT NULL,
    CONSTRAINT payments_status CHECK (status IN ('created', 'requires_action', 'processing', 'succeeded', 'failed',
        'canceled', 'refunded', 'partly_refunded', 'disputed')),
    CONSTRAINT payments_refunded CHECK (amount_refunded_minor BETWEEN 0 AND amount_minor),
    CONSTRAINT payments_paid CHECK ((status IN ('succeeded', 'refunded', 'partly_refunded', 'disputed'))
        = (paid_attempt_id IS NOT NULL))
);
-- The sweeper's two questions: which open payments to ask the provider about, and which to close.
CREATE INDEX payments_to_check ON payments (next_check_at) WHERE status IN ('created', 'requires_action', 'processing');
CREATE INDEX payments_to_close ON payments (closes_at) WHERE status IN ('created', 'requires_action') AND closing_at IS NULL;

-- One object at the provider: a payment intent of the form on our page, or a hosted page (checkout session). The row
-- is written before the call, and the call's idempotency key comes from it.
CREATE TABLE attempts (
    id                 bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT attempts_pkey PRIMARY KEY,
    payment_id         char(26)    NOT NULL REFERENCES payments (id),
    kind               text        NOT NULL CONSTRAINT attempts_kind CHECK (kind IN ('intent', 'session')),
    number             int         NOT NULL, -- counts the attempts of this kind, from 1
    idempotency_key    text        NOT NULL CONSTRAINT attempts_idempotency_key UNIQUE,
    status             text        NOT NULL,
    provider_id        text        CONSTRAINT attempts_provider_id UNIQUE, -- pi_… or cs_…; null until the provider answered
    intent_id          text        CONSTRAINT attempts_intent_id UNIQUE, -- a session's own intent, once it has one
    page_url           text        NOT NULL DEFAULT '', -- of an open session
    page_expires_at    timestamptz, -- of a session; part of the call, so it must not change between retries
    charge_id          text        NOT NULL DEFAULT '',
    amount_minor       bigint      NOT NULL DEFAULT 0, -- what was really charged; 0 before that
    fee_minor          bigint,     -- the provider's fee; null until known
    tries              int         NOT NULL DEFAULT 0, -- of making a session
    failure_reported   boolean     NOT NULL DEFAULT false, -- of a session that could not be made: the caller was told
    action_required    boolean     NOT NULL DEFAULT false, -- the backer has a challenge of their bank before them
    observed_at        timestamptz NOT NULL DEFAULT 'epoch', -- when the newest state that was applied was asked for
    next_check_at      timestamptz, -- when the worker has to make or to end it; null when it has not
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    CONSTRAINT attempts_number UNIQUE (payment_id, kind, number),
    -- creating: not answered yet · open: at the provider · succeeded · canceled: ended unpaid · abandoned: the
    -- provider's answer never came or was a refusal, nobody holds its secret or address · held: money that does not
    -- fit the payment, a person decides
    CONSTRAINT attempts_status CHECK (status IN ('creating', 'open', 'succeeded', 'canceled', 'abandoned', 'held')),
    CONSTRAINT attempts_known CHECK (status NOT IN ('open', 'succeeded', 'held') OR provider_id IS NOT NULL)
);
-- Never two open intents or two open pages of a payment, whoever asks at once.
CREATE UNIQUE INDEX attempts_one_open ON attempts (payment_id, kind) WHERE status IN ('creating', 'open');
CREATE INDEX attempts_due ON attempts (next_check_at) WHERE next_check_at IS NOT NULL;
ALTER TABLE payments ADD CONSTRAINT payments_paid_attempt FOREIGN KEY (paid_attempt_id) REFERENCES attempts (id);

-- Append-only: how a payment got to its state.
CREATE TABLE payment_transitions (
    id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT payment_transitions_pkey PRIMARY KEY,
    payment_id  char(26)    NOT NULL REFERENCES payments (id),
    attempt_id  bigint      REFERENCES attempts (id),
    from_status text        NOT NULL, -- '' at the beginning
    to_status   text        NOT NULL,
    cause       text        NOT NULL, -- what made us look: 'webhook', 'browser', 'sweep', 'setup', 'refund' …
    at          timestamptz NOT NULL
);
CREATE INDEX payment_transitions_payment ON payment_transitions (payment_id, id);

CREATE TABLE refunds (
    id              char(26)    CONSTRAINT refunds_pkey PRIMARY KEY,
    payment_id      char(26)    NOT NULL REFERENCES payments (id),
    attempt_id      bigint      NOT NULL REFERENCES attempts (id), -- whose charge is given back
    amount_minor    bigint      NOT NULL CONSTRAINT refunds_amount CHECK (amount_minor > 0),
    currency        char(3)     NOT NULL,
    reason          text        NOT NULL CONSTRAINT refunds_reason CHECK (reason IN ('reward_gone', 'requested',
        'duplicate', 'campaign_failed', 'pledge_closed')),
    -- creating: not answered yet · pending: the provider has it · succeeded · failed · canceled: not sent, a dispute gave
    -- the money back
    status          text        NOT NULL CONSTRAINT refunds_status CHECK (status IN ('creating', 'pending', 'succeeded',
        'failed', 'canceled')),
    try             int         NOT NULL DEFAULT 1, -- part of the idempotency key: refund:<id>:<try>
    provider_id     text        CONSTRAINT refunds_provider_id UNIQUE,
    failure_code    text        NOT NULL DEFAULT '',
    next_check_at   timestamptz, -- when the worker has to send it or to ask for it; null when it is final
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    CONSTRAINT refunds_known CHECK (status IN ('creating', 'failed', 'canceled') OR provider_id IS NOT NULL)
);
-- A refund that follows from what happened is begun once, however often we hear of it.
CREATE UNIQUE INDEX refunds_automatic ON refunds (attempt_id, reason) WHERE reason <> 'requested';
CREATE INDEX refunds_payment ON refunds (payment_id, created_at);
CREATE INDEX refunds_due ON refunds (next_check_at) WHERE next_check_at IS NOT NULL;

-- A backer's bank asks for a charge's money back. Its movements are in the ledger; the sums here are what they add up to.
CREATE TABLE disputes (
    id              bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT disputes_pkey PRIMARY KEY,
    payment_id      char(26)    NOT NULL REFERENCES payments (id),
    attempt_id      bigint      NOT NULL REFERENCES attempts (id), -- whose charge is disputed
    provider_id     text        NOT NULL CONSTRAINT disputes_provider_id UNIQUE,
    -- inquiry: the bank asks, no money has moved · open: the bank has the money until it decides · won: by us · lost ·
    -- closed: ended without a decision
    status          text        NOT NULL CONSTRAINT disputes_status CHECK (status IN ('inquiry', 'open', 'won', 'lost', 'closed')),
    reason          text        NOT NULL, -- the provider's word: 'fraudulent', 'product_not_received' …
    amount_minor    bigint      NOT NULL CONSTRAINT disputes_amount CHECK (amount_minor > 0), -- what the bank asks for
    currency        char(3)     NOT NULL,
    withdrawn_minor bigint      NOT NULL DEFAULT 0, -- taken from our balance and not given back
    fee_minor       bigint      NOT NULL DEFAULT 0, -- what it has cost us beside that
    respond_by      timestamptz, -- until when a person may send evidence
    next_check_at   timestamptz, -- when the worker asks how it stands; null when nothing more is expected
    opened_at       timestamptz NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL
);
CREATE INDEX disputes_payment ON disputes (payment_id);
CREATE INDEX disputes_attempt ON disputes (attempt_id);
CREATE INDEX disputes_due ON disputes (next_check_at) WHERE next_check_at IS NOT NULL;

-- What no rule of ours can settle; a person closes it.
CREATE TABLE anomalies (
    id          bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT anomalies_pkey PRIMARY KEY,
    kind        text        NOT NULL CONSTRAINT anomalies_kind CHECK (kind IN ('amount_mismatch', 'refund_failed',
        'unknown_charge', 'ledger_difference')),
    reference   text        NOT NULL, -- the provider's id of what does not fit
    payment_id  char(26)    REFERENCES payments (id),
    detail      jsonb       NOT NULL,
    found_at    timestamptz NOT NULL,
    resolved_at timestamptz,
    CONSTRAINT anomalies_once UNIQUE (kind, reference)
);
CREATE INDEX anomalies_open ON anomalies (found_at) WHERE resolved_at IS NULL;
