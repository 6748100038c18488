-- +goose Up

-- How a campaign that took one-off pledges ended and whose its money is, written with its move out of stage 2 and never changed. The
-- payment service is told the same.
CREATE TABLE campaign_endings (
    campaign_id    bigint      PRIMARY KEY REFERENCES campaigns (id) ON DELETE CASCADE,
    outcome        text        NOT NULL CONSTRAINT campaign_endings_outcome CHECK (outcome IN ('reached', 'not_reached', 'canceled')),
    goes_to        text        NOT NULL CONSTRAINT campaign_endings_goes_to CHECK (goes_to IN ('creator', 'backers')),
    ended_at       timestamptz NOT NULL,
    accepted       int         NOT NULL, -- pledges that had uncontested money then
    accepted_minor bigint      NOT NULL, -- less what was refunded
    currency       char(3)     NOT NULL
);
