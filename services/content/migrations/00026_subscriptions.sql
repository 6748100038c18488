-- +goose Up
CREATE SEQUENCE subscription_receipt_numbers;

-- Monthly support. When and with what it is charged is the payment service's; what it has told is copied here.
CREATE TABLE subscriptions (
    id                char(26)    PRIMARY KEY, -- random; whoever knows it may pay, read and change this subscription
    campaign_id       bigint      NOT NULL REFERENCES campaigns (id),
    reward_id         bigint      REFERENCES rewards (id),
    user_id           bigint      REFERENCES users (id) ON DELETE SET NULL,
    status            text        NOT NULL,
    amount_minor      bigint      NOT NULL CHECK (amount_minor > 0), -- a month
    currency          char(3)     NOT NULL,
    bought            jsonb, -- rewards.Bought, as it was chosen
    next_amount_minor bigint CHECK (next_amount_minor > 0), -- of a level that has not begun
    next_reward_id    bigint      REFERENCES rewards (id),
    next_bought       jsonb,
    email             text        NOT NULL,
    first_name        text        NOT NULL,
    last_name         text        NOT NULL,
    anonymous         boolean     NOT NULL DEFAULT false,
    language          text        NOT NULL CHECK (language IN ('fi', 'en', 'sv')),
    visitor           bytea,
    source            text        NOT NULL DEFAULT '',
    payable_until     timestamptz NOT NULL,
    begun_on          date, -- the day of the first charge
    next_charge_on    date,
    paid_until        date,
    ends_on           date,
    ended_because     text        NOT NULL DEFAULT '',
    closed_at         timestamptz, -- when we ended it ourselves: whatever the payment service tells, it never lives again
    payment_method    text        NOT NULL DEFAULT '', -- 'Visa ···· 4242'
    event_sequence    bigint      NOT NULL DEFAULT 0, -- of the newest event that it has taken
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    CONSTRAINT subscriptions_status CHECK (status IN ('created', 'active', 'past_due', 'paused', 'canceled', 'expired')),
    CONSTRAINT subscriptions_closed_is_over CHECK (closed_at IS NULL OR status IN ('canceled', 'expired'))
);
CREATE INDEX subscriptions_supporters ON subscriptions (campaign_id, begun_on DESC, id) WHERE status = 'active';
CREATE INDEX subscriptions_live ON subscriptions (campaign_id) WHERE status IN ('created', 'active', 'past_due', 'paused');
CREATE INDEX subscriptions_unpaid ON subscriptions (payable_until) WHERE status = 'created';
CREATE INDEX subscriptions_user ON subscriptions (user_id, created_at DESC) WHERE user_id IS NOT NULL;
CREATE INDEX subscriptions_unsigned_by_address ON subscriptions (lower(email)) WHERE user_id IS NULL;
CREATE INDEX subscriptions_reward ON subscriptions (reward_id) WHERE reward_id IS NOT NULL;

CREATE INDEX subscriptions_next_reward ON subscriptions (next_reward_id) WHERE next_reward_id IS NOT NULL;

CREATE TABLE subscription_transitions (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subscription_id char(26)    NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
    from_status     text        NOT NULL, -- '' at the beginning
    to_status       text        NOT NULL,
    amount_minor    bigint      NOT NULL, -- a month, from then on
    cause           text        NOT NULL, -- that of an event of the payment service, or 'created', 'lapsed', 'campaign_closed', …
    event_id        text        NOT NULL DEFAULT '',
    at              timestamptz NOT NULL
);
CREATE INDEX subscription_transitions_subscription ON subscription_transitions (subscription_id, id);

-- A month that is paid.
CREATE TABLE subscription_charges (
    subscription_id       char(26)    NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
    period                int         NOT NULL CHECK (period >= 1),
    period_day            date        NOT NULL, -- the day in the calendar that it is for
    payment_id            text        NOT NULL,
    amount_minor          bigint      NOT NULL CHECK (amount_minor > 0),
    amount_refunded_minor bigint      NOT NULL DEFAULT 0,
    vat_minor             bigint      NOT NULL DEFAULT 0, -- included in amount_minor
    vat_tenths            int         NOT NULL DEFAULT 0,
    title                 text        NOT NULL DEFAULT '', -- of the reward, as it was chosen
    is_disputed           boolean     NOT NULL DEFAULT false,
    dispute_sequence      bigint      NOT NULL DEFAULT 0, -- of the event that said so last
    refund_reason         text        NOT NULL DEFAULT '',
    receipt_number        text        NOT NULL UNIQUE,
    payment_method        text        NOT NULL DEFAULT '',
    paid_at               timestamptz NOT NULL,
    PRIMARY KEY (subscription_id, period),
    CONSTRAINT subscription_charges_refund CHECK (amount_refunded_minor BETWEEN 0 AND amount_minor)
);
CREATE UNIQUE INDEX subscription_charges_payment ON subscription_charges (payment_id);

-- Inbox of events about subscriptions and of their payments: an event's effect and its outcome are written together.
CREATE TABLE subscription_events (
    event_id        text PRIMARY KEY,
    subscription_id char(26)    NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
    payment_id      text        NOT NULL DEFAULT '', -- of an event of a payment
    sequence        bigint      NOT NULL,
    type            text        NOT NULL, -- payment.succeeded, …, or subscription.<cause>
    body            jsonb       NOT NULL,
    outcome         text        NOT NULL,
    received_at     timestamptz NOT NULL
);
CREATE INDEX subscription_events_subscription ON subscription_events (subscription_id, payment_id, sequence);

-- What bookkeeping keeps of an erased person's monthly receipts, as kept_receipts does of pledges.
CREATE TABLE kept_subscription_receipts (
    subscription_id char(26) PRIMARY KEY REFERENCES subscriptions (id) ON DELETE CASCADE,
    first_name      text NOT NULL,
    last_name       text NOT NULL,
    keep_until      date NOT NULL -- the last day; then the row is deleted
);
CREATE INDEX kept_subscription_receipts_until ON kept_subscription_receipts (keep_until);
