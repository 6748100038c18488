-- +goose Up
-- Money of pledges that people have agreed or decided to give back (package claims): of a claim, or without one. The payment service is told
-- of each, and begins one refund for it.
CREATE TABLE agreed_refunds (
    id           char(26)    PRIMARY KEY,
    pledge_id    char(26)    NOT NULL REFERENCES pledges (id),
    campaign_id  bigint      NOT NULL REFERENCES campaigns (id),
    claim_id     char(26)    REFERENCES claims (id),
    reason       text        NOT NULL CONSTRAINT agreed_refunds_reason CHECK (reason IN ('claim', 'by_creator', 'requested')),
    amount_minor bigint      NOT NULL CONSTRAINT agreed_refunds_amount CHECK (amount_minor > 0),
    currency     char(3)     NOT NULL,
    user_id      bigint      REFERENCES users (id), -- who wanted it; null of what a clock or a backer's answer has brought about
    note         text        NOT NULL DEFAULT '' CONSTRAINT agreed_refunds_note CHECK (length(note) <= 500),
    request_key  text        NOT NULL DEFAULT '',
    begun_minor  bigint,     -- what the payment service began: less than agreed when less was left; null until it has answered
    created_at   timestamptz NOT NULL,
    CONSTRAINT agreed_refunds_of_claim CHECK ((reason = 'claim') = (claim_id IS NOT NULL))
);
CREATE INDEX agreed_refunds_pledge ON agreed_refunds (pledge_id);
CREATE INDEX agreed_refunds_claim ON agreed_refunds (claim_id) WHERE claim_id IS NOT NULL;
CREATE INDEX agreed_refunds_user ON agreed_refunds (user_id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX agreed_refunds_request ON agreed_refunds (campaign_id, request_key) WHERE request_key <> '';
