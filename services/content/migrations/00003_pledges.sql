-- +goose Up
CREATE SEQUENCE receipt_numbers;

CREATE TABLE pledges (
    id                    char(26)    PRIMARY KEY, -- random; whoever knows it may pay and read this pledge
    campaign_id           bigint      NOT NULL REFERENCES campaigns (id),
    reward_id             bigint      REFERENCES rewards (id),
    user_id               bigint      REFERENCES users (id) ON DELETE SET NULL,
    status                text        NOT NULL,
    amount_minor          bigint      NOT NULL CHECK (amount_minor > 0),
    currency              char(3)     NOT NULL,
    quantity              int         NOT NULL CHECK (quantity >= 1),
    lines                 jsonb       NOT NULL, -- what the backer saw: [{label, amount_minor}]
    vat_minor             bigint      NOT NULL DEFAULT 0, -- included in amount_minor
    vat_tenths            int         NOT NULL DEFAULT 0 CHECK (vat_tenths BETWEEN 0 AND 1000), -- the reward's rate when it was bought; 255 is 25.5 %
    stock_held            boolean     NOT NULL DEFAULT false, -- quantity is counted in rewards.stock_reserved
    held_from             text        NOT NULL DEFAULT '', -- the network of who holds a limited reward unpaid; it goes with the hold
    email                 text        NOT NULL,
    first_name            text        NOT NULL,
    last_name             text        NOT NULL,
    details               jsonb       NOT NULL DEFAULT '{}', -- address, birth date, answers: pledge_meta of the contract
    anonymous             boolean     NOT NULL DEFAULT false,
    language              text        NOT NULL CHECK (language IN ('fi', 'en', 'sv')),
    reserved_until        timestamptz NOT NULL,
    released_at           timestamptz, -- when its backer gave it up: it never becomes paid
    payment_id            text        NOT NULL DEFAULT '',
    payment_method        text        NOT NULL DEFAULT '', -- 'Visa ···· 4242'
    receipt_number        text        UNIQUE,
    backer_number         int,
    paid_at               timestamptz,
    amount_refunded_minor bigint      NOT NULL DEFAULT 0,
    refund_reason         text        NOT NULL DEFAULT '',
    created_at            timestamptz NOT NULL,
    updated_at            timestamptz NOT NULL,
    CONSTRAINT pledges_status CHECK (status IN ('created', 'awaiting_payment', 'processing', 'paid', 'failed', 'expired',
        'refunded', 'partly_refunded', 'disputed')),
    CONSTRAINT pledges_refund CHECK (amount_refunded_minor BETWEEN 0 AND amount_minor),
    CONSTRAINT pledges_network_goes_with_hold CHECK (held_from = '' OR stock_held AND status IN ('created', 'awaiting_payment')),
    CONSTRAINT pledges_released_is_over CHECK (released_at IS NULL OR status IN ('failed', 'expired', 'refunded')),
    CONSTRAINT pledges_paid_has_receipt CHECK (status NOT IN ('paid', 'partly_refunded', 'disputed')
        OR (paid_at IS NOT NULL AND receipt_number IS NOT NULL))
);
CREATE INDEX pledges_backers ON pledges (campaign_id, paid_at DESC, id) WHERE status IN ('paid', 'partly_refunded', 'disputed');
CREATE INDEX pledges_lapsing ON pledges (reserved_until) WHERE status IN ('created', 'awaiting_payment');
CREATE INDEX pledges_user ON pledges (user_id, created_at DESC) WHERE user_id IS NOT NULL;
CREATE INDEX pledges_reward ON pledges (reward_id) WHERE reward_id IS NOT NULL;
-- IS TRUE keeps may_hold's questions from any other index that their condition would fit: by statistics of a calm hour the
-- one of lapsing pledges looks as good, and in a rush it has thousands of rows.
CREATE INDEX pledges_unpaid_by_email ON pledges (reward_id, lower(email))
    WHERE (stock_held AND status IN ('created', 'awaiting_payment')) IS TRUE;
CREATE INDEX pledges_unpaid_by_account ON pledges (reward_id, user_id)
    WHERE (user_id IS NOT NULL AND stock_held AND status IN ('created', 'awaiting_payment')) IS TRUE;
CREATE INDEX pledges_unpaid_by_network ON pledges (reward_id, held_from) WHERE held_from <> '';

-- Says whether somebody may hold another qty of a limited reward unpaid: at most most_person of it by one mail address or
-- account, most_network by one network ('' is none). Who asks for the same person or network waits until the transaction ends,
-- and sees what the one before has taken: each statement of a volatile function has a snapshot of its own. Locks are taken
-- in the order of their keys. Plans are kept, because making them anew takes longer than all the rest.
-- +goose StatementBegin
CREATE FUNCTION may_hold(reward bigint, qty int, mail text, account bigint, network text, most_person int, most_network int)
RETURNS boolean LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(key) FROM (
        SELECT DISTINCT hashtextextended(name, reward) AS key FROM unnest(ARRAY['mail ' || lower(mail),
            'account ' || account, 'network ' || nullif(network, '')]) AS name WHERE name IS NOT NULL ORDER BY key) AS keys;
    RETURN qty + (SELECT coalesce(sum(quantity), 0) FROM pledges WHERE reward_id = reward AND lower(email) = lower(mail)
            AND (stock_held AND status IN ('created', 'awaiting_payment')) IS TRUE) <= most_person
        AND (account IS NULL OR qty + (SELECT coalesce(sum(quantity), 0) FROM pledges WHERE reward_id = reward AND user_id = account
            AND (user_id IS NOT NULL AND stock_held AND status IN ('created', 'awaiting_payment')) IS TRUE) <= most_person)
        AND (network = '' OR qty + (SELECT coalesce(sum(quantity), 0) FROM pledges WHERE reward_id = reward AND held_from = network
            AND held_from <> '') <= most_network);
END $$;
-- +goose StatementEnd

CREATE TABLE pledge_transitions (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    pledge_id   char(26)    NOT NULL REFERENCES pledges (id) ON DELETE CASCADE,
    from_status text        NOT NULL, -- '' at the beginning
    to_status   text        NOT NULL,
    cause       text        NOT NULL, -- a payment event's type, 'reservation_lapsed', 'released', 'campaign_closed', 'created'
    event_id    text        NOT NULL DEFAULT '',
    at          timestamptz NOT NULL
);
CREATE INDEX pledge_transitions_pledge ON pledge_transitions (pledge_id, id);

-- Inbox: an event's effect and its outcome are written together, so a repeat only reads the answer.
CREATE TABLE payment_events (
    event_id    text PRIMARY KEY,
    payment_id  text        NOT NULL,
    pledge_id   text        NOT NULL,
    sequence    bigint      NOT NULL,
    type        text        NOT NULL,
    body        jsonb       NOT NULL,
    outcome     text        NOT NULL,
    received_at timestamptz NOT NULL
);
CREATE INDEX payment_events_pledge ON payment_events (pledge_id, sequence);
