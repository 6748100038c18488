-- +goose Up
-- What backers ask for when a reward has not come or is broken (package claims). The numbers that people say of claims have gaps.
CREATE SEQUENCE claim_references;
CREATE TABLE claims (
    id           char(26)    PRIMARY KEY,
    reference    text        NOT NULL CONSTRAINT claims_reference UNIQUE,
    pledge_id    char(26)    NOT NULL REFERENCES pledges (id),
    campaign_id  bigint      NOT NULL REFERENCES campaigns (id),
    kind         text        NOT NULL CONSTRAINT claims_kind CHECK (kind IN ('not_delivered', 'broken', 'other')),
    state        text        NOT NULL CONSTRAINT claims_state CHECK (state IN ('open', 'resend_offered', 'part_offered', 'promised', 'with_staff',
        'agreed', 'decided', 'closed')),
    version      bigint      NOT NULL DEFAULT 1,
    waits_from   timestamptz NOT NULL, -- since when it waits for whoever it waits for
    due_at       timestamptz,          -- until when; of decided until when its backer may disagree
    offer_minor  bigint      CONSTRAINT claims_offer CHECK (offer_minor > 0), -- of part_offered
    offer_day    date,                 -- by which a new parcel is to be there
    tracking     text        NOT NULL DEFAULT '',
    decisions    int         NOT NULL DEFAULT 0, -- of staff: its backer may disagree with the first
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    CONSTRAINT claims_part CHECK (state <> 'part_offered' OR offer_minor IS NOT NULL),
    CONSTRAINT claims_day CHECK (state NOT IN ('resend_offered', 'promised') OR offer_day IS NOT NULL),
    CONSTRAINT claims_due CHECK (state IN ('agreed', 'closed', 'decided') OR due_at IS NOT NULL)
);
CREATE UNIQUE INDEX claims_one_open ON claims (pledge_id) WHERE state NOT IN ('agreed', 'decided', 'closed');
CREATE INDEX claims_pledge ON claims (pledge_id, created_at);
CREATE INDEX claims_campaign ON claims (campaign_id, created_at);
CREATE INDEX claims_waiting ON claims (due_at) WHERE state NOT IN ('agreed', 'decided', 'closed');

-- What was said and done about a claim, in its order; a step is never changed.
CREATE TABLE claim_messages (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    claim_id     char(26)    NOT NULL REFERENCES claims (id),
    at           timestamptz NOT NULL,
    role         text        NOT NULL CONSTRAINT claim_messages_role CHECK (role IN ('backer', 'creator', 'staff', 'clock')),
    user_id      bigint      REFERENCES users (id), -- of the team or of staff; a backer is the pledge's
    act          text        NOT NULL,
    from_state   text        NOT NULL,
    to_state     text        NOT NULL,
    text         text        NOT NULL DEFAULT '' CONSTRAINT claim_messages_text CHECK (length(text) <= 2000),
    amount_minor bigint, -- that was offered, or goes back
    day          date,
    tracking     text        NOT NULL DEFAULT '',
    request_key  text        NOT NULL DEFAULT '' -- of the act's caller: a repeat is none
);
CREATE INDEX claim_messages_claim ON claim_messages (claim_id, id);
CREATE UNIQUE INDEX claim_messages_request ON claim_messages (claim_id, request_key) WHERE request_key <> '';
CREATE INDEX claim_messages_user ON claim_messages (user_id) WHERE user_id IS NOT NULL;
