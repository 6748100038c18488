-- +goose Up

-- Monthly support. Package subscriptions says what its statuses mean and when a month is charged.
CREATE TABLE subscriptions (
    id                char(26)    CONSTRAINT subscriptions_pkey PRIMARY KEY, -- the content service's, and a capability
    provider          text        NOT NULL,
    status            text        NOT NULL CONSTRAINT subscriptions_status CHECK (status IN ('created', 'active', 'past_due',
        'paused', 'canceled', 'expired')),
    -- The copy of the content service's order, taken when the first payment began.
    campaign_id       bigint      NOT NULL,
    payee_user_id     bigint,
    backer_user_id    bigint,     -- null without an account
    description       text        NOT NULL,
    title             text        NOT NULL,
    language          text        NOT NULL CONSTRAINT subscriptions_language CHECK (language IN ('fi', 'en', 'sv')),
    level             jsonb       NOT NULL, -- what is paid a month: amount, currency, reward with its texts
    next_level        jsonb,      -- a change that begins with the next month whose payment begins
    -- The payer at the provider, and the card that is charged.
    customer_ref      text        NOT NULL,
    card_ref          text        NOT NULL DEFAULT '', -- '' without one
    card_label        text        NOT NULL DEFAULT '', -- 'Visa ···· 4242'
    card_expires      text        NOT NULL DEFAULT '', -- YYYY-MM; '' when the provider does not say
    card_refused      boolean     NOT NULL DEFAULT false, -- its bank says that it is of no use any more
    card_warned       text        NOT NULL DEFAULT '', -- card_ref and card_expires whose end the backer was told of
    setups            int         NOT NULL DEFAULT 1, -- number of the setup intent that is open for another card
    anchor_day        date,       -- of the first charge; null before it
    next_period       int         NOT NULL DEFAULT 1, -- the month that is charged next; those left out before it have no row
    paid_period       int         NOT NULL DEFAULT 0, -- the last month that was paid
    ends_on           date,       -- the last day of one that is to end
    ended_because     text        NOT NULL DEFAULT '' CONSTRAINT subscriptions_ended CHECK (ended_because IN ('', 'asked',
        'campaign_closed', 'unpaid', 'person_blocked', 'person_erased')),
    past_due_at       timestamptz, -- since when it is past_due
    notify_before     boolean     NOT NULL DEFAULT false,
    noticed_period    int         NOT NULL DEFAULT 0, -- the last month whose day before has been seen to
    step_at           timestamptz, -- when the engine looks at it again, also the end of a worker's lease; null for never
    faults            int         NOT NULL DEFAULT 0, -- steps in a row that came to nothing; pauses grow by it
    event_sequence    bigint      NOT NULL DEFAULT 0, -- number of the last event to the content service
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    CONSTRAINT subscriptions_anchored CHECK ((anchor_day IS NOT NULL) = (paid_period > 0)),
    CONSTRAINT subscriptions_why CHECK ((status = 'canceled') = (ended_because <> ''))
);
CREATE INDEX subscriptions_due ON subscriptions (step_at) WHERE step_at IS NOT NULL;
CREATE INDEX subscriptions_backer ON subscriptions (backer_user_id) WHERE backer_user_id IS NOT NULL;
CREATE INDEX subscriptions_card ON subscriptions (provider, card_ref) WHERE card_ref <> '';

-- A month whose payment has begun: one row, one payment.
CREATE TABLE subscription_periods (
    subscription_id char(26)    NOT NULL REFERENCES subscriptions (id),
    period          int         NOT NULL CONSTRAINT subscription_periods_period CHECK (period >= 1),
    day             date,       -- in the calendar; of the first month null until it is paid
    payment_id      char(26)    NOT NULL CONSTRAINT subscription_periods_payment UNIQUE REFERENCES payments (id),
    -- open: to be paid · paid · skipped: left out by the backer after its payment had begun · closed: given up. Of the last
    -- two the payment is ended, and money that comes all the same goes back.
    status          text        NOT NULL CONSTRAINT subscription_periods_status CHECK (status IN ('open', 'paid', 'skipped',
        'closed')),
    waits_for       text        NOT NULL DEFAULT '' CONSTRAINT subscription_periods_waits_for CHECK (waits_for IN ('', 'later',
        'card', 'payer')), -- what may help after the last try: another day, another card, the backer
    failure_code    text        NOT NULL DEFAULT '', -- of the last try
    next_try_at     timestamptz, -- null when none of ours is coming
    is_ending       boolean     NOT NULL DEFAULT false, -- its payment is to be ended by the engine
    begun_at        timestamptz NOT NULL,
    settled_at      timestamptz, -- when it was paid, skipped or closed
    CONSTRAINT subscription_periods_pkey PRIMARY KEY (subscription_id, period)
);
-- At most one month is to be paid.
CREATE UNIQUE INDEX subscription_periods_open ON subscription_periods (subscription_id) WHERE status = 'open';

CREATE INDEX subscription_periods_tries ON subscription_periods (next_try_at) WHERE next_try_at IS NOT NULL;

-- A charge of ours with the kept card, written before it is made.
CREATE TABLE subscription_tries (
    subscription_id char(26)    NOT NULL,
    period          int         NOT NULL,
    number          int         NOT NULL, -- from 1; part of the idempotency key
    card_ref        text        NOT NULL, -- part of the call, so it does not change when the call is repeated
    -- unknown: not answered yet · taken: paid, or the bank has it · declined · void: came to nothing at the provider
    outcome         text        NOT NULL DEFAULT 'unknown' CONSTRAINT subscription_tries_outcome CHECK (outcome IN ('unknown',
        'taken', 'declined', 'void')),
    failure_code    text        NOT NULL DEFAULT '',
    begun_at        timestamptz NOT NULL,
    answered_at     timestamptz,
    CONSTRAINT subscription_tries_pkey PRIMARY KEY (subscription_id, period, number),
    CONSTRAINT subscription_tries_period FOREIGN KEY (subscription_id, period) REFERENCES subscription_periods (subscription_id, period)
);
-- While the outcome of one is unknown there is no next.
CREATE UNIQUE INDEX subscription_tries_unknown ON subscription_tries (subscription_id, period) WHERE outcome = 'unknown';

-- Append-only: how a subscription got to its state, and what was asked for.
CREATE TABLE subscription_transitions (
    id              bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT subscription_transitions_pkey PRIMARY KEY,
    subscription_id char(26)    NOT NULL REFERENCES subscriptions (id),
    from_status     text        NOT NULL, -- '' at the beginning
    to_status       text        NOT NULL, -- the same when the status stayed
    cause           text        NOT NULL, -- 'setup', 'paid', 'skip', 'cancel' …
    period          int,
    detail          text        NOT NULL DEFAULT '',
    at              timestamptz NOT NULL
);
CREATE INDEX subscription_transitions_of ON subscription_transitions (subscription_id, id);
CREATE TRIGGER subscription_transitions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON subscription_transitions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE payments DROP CONSTRAINT payments_subject_kind;
ALTER TABLE payments ADD CONSTRAINT payments_subject_kind CHECK (subject_kind IN ('pledge', 'subscription', 'unclaimed'));
-- Of a month of a subscription: the day in the calendar that it is for (of the first: once it is paid), and the payer at
-- the provider whose card is kept.
ALTER TABLE payments ADD COLUMN period_day date, ADD COLUMN customer_ref text NOT NULL DEFAULT '';
ALTER TABLE webhook_events DROP CONSTRAINT webhook_events_about;
ALTER TABLE webhook_events ADD CONSTRAINT webhook_events_about CHECK (about IN ('payment', 'refund', 'dispute', 'card', ''));

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT ON subscriptions, subscription_periods, subscription_tries, subscription_transitions TO talkoot_payments;
        GRANT UPDATE ON subscriptions, subscription_periods, subscription_tries TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
