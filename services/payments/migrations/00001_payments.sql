-- +goose Up

-- One row for what is to be paid once: a pledge, later one period of a subscription. It holds the copy of the content
-- service's order, taken when the payment began and never changed, and no personal data: the receipt is the content
-- service's.
CREATE TABLE payments (
    id                    char(26)    CONSTRAINT payments_pkey PRIMARY KEY,
    -- unclaimed: money that the provider holds under our name and that no order of ours explains
    subject_kind          text        NOT NULL CONSTRAINT payments_subject_kind CHECK (subject_kind IN ('pledge', 'unclaimed')),
    subject_id            text        NOT NULL,
    period                int         NOT NULL DEFAULT 0, -- of what is paid again and again; 0 for what is paid once
    provider              text        NOT NULL,
    status                text        NOT NULL,
    amount_minor          bigint      NOT NULL CONSTRAINT payments_amount CHECK (amount_minor > 0),
    currency              char(3)     NOT NULL,
    campaign_id           bigint      NOT NULL DEFAULT 0, -- 0 for unclaimed money
    payee_user_id         bigint,
    description           text        NOT NULL DEFAULT '', -- the payment page and the backer's statement show it
    title                 text        NOT NULL DEFAULT '',
    language              text        NOT NULL CONSTRAINT payments_language CHECK (language IN ('fi', 'en', 'sv')),
    return_path           text        NOT NULL DEFAULT '', -- where a hosted page sends the backer back to
    payable_until         timestamptz NOT NULL, -- the end of what the content service keeps for the backer
    amount_refunded_minor bigint      NOT NULL DEFAULT 0, -- what went back of the attempt that counts
    failure_code          text        NOT NULL DEFAULT '', -- of the last decline: a code of payment_failed
    method                text        NOT NULL DEFAULT '', -- 'Visa ···· 4242'
    paid_attempt_id       bigint,     -- the one success that counts; set once
    network               text        NOT NULL DEFAULT '', -- where it began; it goes when nobody can pay it any more
    refused               boolean     NOT NULL DEFAULT false, -- the content service does not want its money: whatever is left of it goes back
    closing_at            timestamptz, -- set when its time is over: no attempt begins any more, the open ones are ended
    closes_at             timestamptz NOT NULL, -- payable_until and its grace
    next_check_at         timestamptz NOT NULL, -- when the sweeper asks the provider again
    event_sequence        bigint      NOT NULL DEFAULT 0, -- number of the last event to the content service
    created_at            timestamptz NOT NULL,
    updated_at            timestamptz NOT NULL,
    CONSTRAINT payments_subject UNIQUE (subject_kind, subject_id, period),
    CONSTRAINT payments_status CHECK (status IN ('created', 'requires_action', 'processing', 'succeeded', 'failed',
        'canceled', 'refunded', 'partly_refunded', 'disputed')),
    CONSTRAINT payments_network_goes CHECK (network = '' OR status IN ('created', 'requires_action', 'processing')),
    CONSTRAINT payments_refunded CHECK (amount_refunded_minor BETWEEN 0 AND amount_minor),
    CONSTRAINT payments_paid CHECK ((status IN ('succeeded', 'refunded', 'partly_refunded', 'disputed'))
        = (paid_attempt_id IS NOT NULL))
);
-- The sweeper's two questions: which open payments to ask the provider about, and which to close.
CREATE INDEX payments_to_check ON payments (next_check_at) WHERE status IN ('created', 'requires_action', 'processing');
CREATE INDEX payments_to_close ON payments (closes_at) WHERE status IN ('created', 'requires_action') AND closing_at IS NULL;
CREATE INDEX payments_campaign ON payments (campaign_id, status);

-- Subjects that nobody wants paid any more and whose payment never began: it must not begin later.
CREATE TABLE closed_subjects (
    subject_kind text        NOT NULL,
    subject_id   text        NOT NULL,
    closed_at    timestamptz NOT NULL,
    CONSTRAINT closed_subjects_pkey PRIMARY KEY (subject_kind, subject_id)
);
CREATE INDEX closed_subjects_closed_at ON closed_subjects (closed_at);

-- Numbers the looks at the provider, whichever host asks: the newer look began later, whatever the hosts' clocks say.
CREATE SEQUENCE looks;

-- One object at the provider: what the form on our page pays, or a hosted page. The row is written before the call, and
-- the call's idempotency key comes from it.
CREATE TABLE attempts (
    id               bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT attempts_pkey PRIMARY KEY,
    payment_id       char(26)    NOT NULL REFERENCES payments (id),
    provider         text        NOT NULL,
    -- unasked: money of a payment that none of our calls explains
    method           text        NOT NULL CONSTRAINT attempts_method CHECK (method IN ('form', 'page', 'unasked')),
    number           int         NOT NULL, -- counts the attempts of this method, from 1
    idempotency_key  text        NOT NULL CONSTRAINT attempts_idempotency_key UNIQUE,
    prefilled        boolean     NOT NULL DEFAULT false, -- of a page: the call carries the backer's address
    status           text        NOT NULL,
    object_ref       text,       -- the provider's id of the form's payment or of the page; null until the provider answered
    money_ref        text,       -- the provider's id of the payment itself: a page has one once it is submitted
    page_url         text        NOT NULL DEFAULT '', -- of an open page
    page_expires_at  timestamptz, -- of a page; part of the call, so it must not change between tries
    charge_ref       text        NOT NULL DEFAULT '', -- the provider's id of the charge
    amount_minor     bigint      NOT NULL DEFAULT 0, -- what was really charged; 0 before that
    currency         char(3)     NOT NULL, -- of it; the payment's before that
    fee_minor        bigint,     -- the provider's fee; null until known
    tries            int         NOT NULL DEFAULT 0, -- of the worker: of making a page, of ending an attempt
    failure_reported boolean     NOT NULL DEFAULT false, -- of a page that could not be made: the caller was told
    action_required  boolean     NOT NULL DEFAULT false, -- the backer has a challenge of their bank before them
    declines         int         NOT NULL DEFAULT 0, -- cards that were refused, as the provider counts them
    last_decline     text        NOT NULL DEFAULT '', -- the provider's name of the last one that was counted
    look             bigint      NOT NULL DEFAULT 0, -- number of the newest look that was applied
    next_check_at    timestamptz, -- when the worker has to make or to end it, or to learn its fee; null when it has not
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    CONSTRAINT attempts_number UNIQUE (payment_id, method, number),
    CONSTRAINT attempts_object UNIQUE (provider, object_ref),
    CONSTRAINT attempts_money UNIQUE (provider, money_ref),
    -- creating: not answered yet · open: at the provider · succeeded · canceled: ended unpaid · abandoned: the
    -- provider's answer never came or was a refusal, nobody holds its secret or address · held: money that does not
    -- fit the payment, a person decides
    CONSTRAINT attempts_status CHECK (status IN ('creating', 'open', 'succeeded', 'canceled', 'abandoned', 'held')),
    CONSTRAINT attempts_known CHECK (status NOT IN ('open', 'succeeded', 'held') OR object_ref IS NOT NULL)
);
-- Never two open forms or two open pages of a payment, whoever asks at once.
CREATE UNIQUE INDEX attempts_one_open ON attempts (payment_id, method) WHERE status IN ('creating', 'open');
CREATE INDEX attempts_due ON attempts (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX attempts_charge ON attempts (provider, charge_ref) WHERE charge_ref <> '';
ALTER TABLE payments ADD CONSTRAINT payments_paid_attempt FOREIGN KEY (paid_attempt_id) REFERENCES attempts (id);

-- Append-only: how a payment got to its state.
CREATE TABLE payment_transitions (
    id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT payment_transitions_pkey PRIMARY KEY,
    payment_id  char(26)    NOT NULL REFERENCES payments (id),
    attempt_id  bigint      REFERENCES attempts (id),
    from_status text        NOT NULL, -- '' at the beginning
    to_status   text        NOT NULL,
    cause       text        NOT NULL, -- what made us look: 'webhook', 'browser', 'sweep', 'setup', 'refund' …
    actor       text        NOT NULL DEFAULT '', -- the person, '' for the service itself
    at          timestamptz NOT NULL
);
CREATE INDEX payment_transitions_payment ON payment_transitions (payment_id, id);

-- Money on its way back: one object at the provider each. A failed one is repeated by another row.
CREATE TABLE refunds (
    id            char(26)    CONSTRAINT refunds_pkey PRIMARY KEY,
    payment_id    char(26)    NOT NULL REFERENCES payments (id),
    attempt_id    bigint      NOT NULL REFERENCES attempts (id), -- whose charge is given back
    provider      text        NOT NULL,
    amount_minor  bigint      NOT NULL CONSTRAINT refunds_amount CHECK (amount_minor > 0),
    currency      char(3)     NOT NULL,
    reason        text        NOT NULL CONSTRAINT refunds_reason CHECK (reason IN ('reward_gone', 'requested',
        'duplicate', 'campaign_failed', 'pledge_closed')),
    -- creating: not answered yet, or waits for a bank's decision · pending: the provider has it · succeeded · failed: a
    -- person decides · repeated: failed, and another row has taken its place · canceled: not sent, a dispute gave the
    -- money back · by_hand: failed, and a person has sent the money another way
    status        text        NOT NULL CONSTRAINT refunds_status CHECK (status IN ('creating', 'pending', 'succeeded',
        'failed', 'repeated', 'canceled', 'by_hand')),
    repeats       char(26)    CONSTRAINT refunds_repeats UNIQUE REFERENCES refunds (id), -- the failed one whose place it takes
    request_key   text        NOT NULL DEFAULT '', -- of whoever asked for it: the same key asks for the same refund
    owed          boolean     NOT NULL DEFAULT false, -- its sum stands in owed_to_backers until the provider takes it
    bookings      int         NOT NULL DEFAULT 0, -- how often it was begun in the ledger: a dispute may withdraw it
    try           int         NOT NULL DEFAULT 1, -- part of the idempotency key
    failures      int         NOT NULL DEFAULT 0, -- tries in a row that came to nothing; pauses grow by it
    provider_ref  text,
    failure_code  text        NOT NULL DEFAULT '',
    covered_by    text        NOT NULL DEFAULT '', -- the lost dispute that gave its sum back, or a part of it
    sent_at       timestamptz, -- since when the provider has had it without settling it
    made_twice    boolean     NOT NULL DEFAULT false, -- the provider made it although the backer had the money another way
    actor         text        NOT NULL DEFAULT '', -- the person who asked for it or settled it, '' for the service
    note          text        NOT NULL DEFAULT '',
    next_check_at timestamptz, -- when the worker has to send it or to ask for it; null when it is final
    settled_at    timestamptz, -- when it was first succeeded or by_hand
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    CONSTRAINT refunds_provider_ref UNIQUE (provider, provider_ref),
    CONSTRAINT refunds_known CHECK (status NOT IN ('pending', 'succeeded') OR provider_ref IS NOT NULL),
    CONSTRAINT refunds_due CHECK (status NOT IN ('creating', 'pending') OR next_check_at IS NOT NULL)
);
-- A refund that follows from what happened is begun once, however often we hear of it.
CREATE UNIQUE INDEX refunds_automatic ON refunds (attempt_id, reason) WHERE reason <> 'requested' AND repeats IS NULL;
CREATE UNIQUE INDEX refunds_request_key ON refunds (payment_id, request_key) WHERE request_key <> '';
CREATE INDEX refunds_payment ON refunds (payment_id, created_at);
CREATE INDEX refunds_attempt ON refunds (attempt_id, created_at);
CREATE INDEX refunds_next_check ON refunds (next_check_at) WHERE next_check_at IS NOT NULL;

-- A backer's bank asks for a charge's money back. Its movements are in the ledger; the sums here are what they add up to.
CREATE TABLE disputes (
    id              bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT disputes_pkey PRIMARY KEY,
    payment_id      char(26)    NOT NULL REFERENCES payments (id),
    attempt_id      bigint      NOT NULL REFERENCES attempts (id), -- whose charge is disputed
    provider        text        NOT NULL,
    provider_ref    text        NOT NULL,
    -- inquiry: the bank asks, no money has moved · open: the bank has the money until it decides · won: by us · lost ·
    -- closed: ended without a decision
    status          text        NOT NULL CONSTRAINT disputes_status CHECK (status IN ('inquiry', 'open', 'won', 'lost', 'closed')),
    reason          text        NOT NULL, -- the provider's word: 'fraudulent', 'product_not_received' …
    amount_minor    bigint      NOT NULL CONSTRAINT disputes_amount CHECK (amount_minor >= 0), -- what the bank asks for
    currency        char(3)     NOT NULL,
    withdrawn_minor bigint      NOT NULL DEFAULT 0, -- taken from our balance and not given back
    fee_minor       bigint      NOT NULL DEFAULT 0, -- what it has cost us beside that
    losses          integer     NOT NULL DEFAULT 0, -- how often a loss was posted; each has a reference of its own
    look            bigint      NOT NULL DEFAULT 0, -- number of the newest look that said how it stands
    decided_at      timestamptz, -- when we heard of the decision that it has now
    respond_by      timestamptz, -- until when a person may send evidence
    next_check_at   timestamptz, -- when the worker asks how it stands; null when nothing more is expected
    opened_at       timestamptz NOT NULL, -- the provider's time
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    CONSTRAINT disputes_provider_ref UNIQUE (provider, provider_ref)
);
CREATE INDEX disputes_payment ON disputes (payment_id);
CREATE INDEX disputes_attempt ON disputes (attempt_id);
CREATE INDEX disputes_due ON disputes (next_check_at) WHERE next_check_at IS NOT NULL;

-- What no rule of ours can settle. A person closes it, or the service when it has mended itself.
CREATE TABLE anomalies (
    id          bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT anomalies_pkey PRIMARY KEY,
    kind        text        NOT NULL CONSTRAINT anomalies_kind CHECK (kind IN ('held_money', 'unknown_charge', 'refund_failed',
        'refund_stuck', 'dispute_stuck', 'payment_stuck', 'ledger_difference', 'ledger_refused', 'card_testing')),
    reference   text        NOT NULL, -- the provider's id, or ours, of what does not fit
    provider    text        NOT NULL,
    payment_id  char(26)    REFERENCES payments (id),
    detail      jsonb       NOT NULL,
    found_at    timestamptz NOT NULL, -- the first time
    seen_at     timestamptz NOT NULL, -- the last time
    times       int         NOT NULL DEFAULT 1, -- how often it was opened: it may come back after it was closed
    resolved_at timestamptz,
    resolved_by text        NOT NULL DEFAULT '', -- the person, or 'service' when it mended itself
    note        text        NOT NULL DEFAULT '',
    CONSTRAINT anomalies_once UNIQUE (kind, provider, reference),
    CONSTRAINT anomalies_resolved CHECK ((resolved_at IS NULL) = (resolved_by = ''))
);
CREATE INDEX anomalies_open ON anomalies (found_at) WHERE resolved_at IS NULL;
CREATE INDEX anomalies_payment ON anomalies (payment_id) WHERE payment_id IS NOT NULL;

-- Append-only: what people did through the operators' commands.
CREATE TABLE operator_actions (
    id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT operator_actions_pkey PRIMARY KEY,
    at         timestamptz NOT NULL,
    actor      text        NOT NULL CONSTRAINT operator_actions_actor CHECK (actor <> ''),
    note       text        NOT NULL CONSTRAINT operator_actions_note CHECK (note <> ''),
    action     text        NOT NULL, -- 'refund', 'refund_repeat', 'refund_by_hand', 'release_held', 'attach', 'explain', 'resolve'
    payment_id char(26)    REFERENCES payments (id),
    before     jsonb       NOT NULL,
    after      jsonb       NOT NULL
);
CREATE INDEX operator_actions_payment ON operator_actions (payment_id) WHERE payment_id IS NOT NULL;

-- +goose StatementBegin
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'check_violation', CONSTRAINT = 'append_only';
END $$;
-- +goose StatementEnd

CREATE TRIGGER payment_transitions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_transitions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operator_actions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_actions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
