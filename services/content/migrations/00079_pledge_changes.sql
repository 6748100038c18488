-- +goose Up
-- A pledge that its backer has changed after it was paid: amount_minor is what it comes to now, charged_minor what was paid (null: as much).
-- The difference goes back as a part refund of the same payment; change_refunded_minor is what has, and is not in amount_refunded_minor.
ALTER TABLE pledges ADD COLUMN charged_minor bigint, ADD COLUMN change_refunded_minor bigint NOT NULL DEFAULT 0;
ALTER TABLE pledges ADD CONSTRAINT pledges_charged CHECK (charged_minor >= amount_minor),
    ADD CONSTRAINT pledges_change_refund CHECK (change_refunded_minor BETWEEN 0 AND coalesce(charged_minor, amount_minor) - amount_minor);

-- Each change, in order; a row is never changed, but for begun_minor. Its id is the key of its refund at the payment service.
CREATE TABLE pledge_changes (
    id           char(26)    PRIMARY KEY,
    pledge_id    char(26)    NOT NULL REFERENCES pledges (id) ON DELETE CASCADE,
    number       int         NOT NULL CONSTRAINT pledge_changes_number CHECK (number >= 1),
    at           timestamptz NOT NULL,
    cause        text        NOT NULL CONSTRAINT pledge_changes_cause CHECK (cause IN ('account', 'link')),
    before       jsonb       NOT NULL, -- reward_id, quantity, lines, vat_minor and bought as they were
    from_minor   bigint      NOT NULL,
    to_minor     bigint      NOT NULL CONSTRAINT pledge_changes_amount CHECK (to_minor BETWEEN 1 AND from_minor),
    begun_minor  bigint,     -- of the difference, what the payment service began to give back; null until it has answered
    request_key  text        NOT NULL CONSTRAINT pledge_changes_key CHECK (length(request_key) BETWEEN 1 AND 255),
    request_hash bytea       NOT NULL,
    CONSTRAINT pledge_changes_order UNIQUE (pledge_id, number),
    CONSTRAINT pledge_changes_request UNIQUE (pledge_id, request_key)
);
