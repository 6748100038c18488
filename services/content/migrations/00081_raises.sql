-- +goose Up
-- A paid pledge that its backer changes to a higher sum: what the change comes to more is a further charge with a payment of its own. The pledge
-- is changed when that is paid, with a row of pledge_changes of the same id.
CREATE TABLE pledge_raises (
    id             char(26)    PRIMARY KEY,
    pledge_id      char(26)    NOT NULL REFERENCES pledges (id) ON DELETE CASCADE,
    status         text        NOT NULL CONSTRAINT pledge_raises_status CHECK (status IN ('created', 'awaiting_payment', 'processing', 'paid',
        'failed', 'expired', 'refunded', 'withdrawn')),
    amount_minor   bigint      NOT NULL CONSTRAINT pledge_raises_amount CHECK (amount_minor > 0), -- what is charged, in the pledge's currency
    from_minor     bigint      NOT NULL, -- what the pledge came to
    number         int         NOT NULL, -- of changes that there were
    cause          text        NOT NULL CONSTRAINT pledge_raises_cause CHECK (cause IN ('account', 'link')),
    -- What the pledge is going to be.
    reward_id      bigint      REFERENCES rewards (id),
    quantity       int         NOT NULL CONSTRAINT pledge_raises_quantity CHECK (quantity >= 1),
    lines          jsonb       NOT NULL,
    vat_minor      bigint      NOT NULL,
    bought         jsonb,
    details        jsonb       NOT NULL, -- emptied when nothing can come of it any more
    -- What is held of its reward beside what the pledge has, while stock_held; as with pledges not of an unlimited one.
    held_quantity  int         NOT NULL DEFAULT 0 CONSTRAINT pledge_raises_held CHECK (held_quantity >= 0),
    stock_held     boolean     NOT NULL DEFAULT false,
    reserved_until timestamptz NOT NULL,
    released_at    timestamptz, -- nobody wants it any more: money that comes goes back
    paid_at        timestamptz,
    payment_id     text        NOT NULL DEFAULT '',
    payment_method text        NOT NULL DEFAULT '',
    refunded_minor bigint      NOT NULL DEFAULT 0, -- what went back of this charge, for whatever reason
    changed_minor  bigint      NOT NULL DEFAULT 0, -- of it, what went back because of a change
    request_key    text        NOT NULL CONSTRAINT pledge_raises_key CHECK (length(request_key) BETWEEN 1 AND 255),
    request_hash   bytea       NOT NULL,
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    CONSTRAINT pledge_raises_request UNIQUE (pledge_id, request_key),
    CONSTRAINT pledge_raises_paid CHECK ((paid_at IS NOT NULL) = (status = 'paid')),
    CONSTRAINT pledge_raises_back CHECK (changed_minor BETWEEN 0 AND refunded_minor)
);
-- Never two that wait for money of one pledge, whoever asks at once.
CREATE UNIQUE INDEX pledge_raises_one_open ON pledge_raises (pledge_id) WHERE status IN ('created', 'awaiting_payment', 'processing');
CREATE INDEX pledge_raises_lapsing ON pledge_raises (reserved_until) WHERE status IN ('created', 'awaiting_payment');
CREATE INDEX pledge_raises_pledge ON pledge_raises (pledge_id, created_at);
CREATE INDEX pledge_raises_held_rewards ON pledge_raises (reward_id) WHERE status IN ('created', 'awaiting_payment', 'processing');

ALTER TABLE pledge_changes DROP CONSTRAINT pledge_changes_amount, ADD CONSTRAINT pledge_changes_amount CHECK (to_minor >= 1) NOT VALID;

-- Of a disputed pledge with several charges: what of what it comes to no bank has.
ALTER TABLE pledges ADD COLUMN uncontested_minor bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT pledges_uncontested CHECK (uncontested_minor = 0 OR status = 'disputed' AND uncontested_minor BETWEEN 1 AND amount_minor) NOT VALID;
