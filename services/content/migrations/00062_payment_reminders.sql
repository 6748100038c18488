-- +goose Up

-- Open campaigns to which nobody can pay just now, as the payment service has said (package reminders).
CREATE TABLE unpayable_campaigns (
    campaign_id bigint      PRIMARY KEY REFERENCES campaigns (id) ON DELETE CASCADE,
    since       timestamptz NOT NULL
);
CREATE INDEX campaigns_open ON campaigns (id) WHERE stage IN (2, 6);

-- Addresses that want one mail when such a campaign can be paid again. A row goes with its mail, or with the end of its campaign.
CREATE TABLE payment_reminders (
    id          bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT payment_reminders_pkey PRIMARY KEY,
    campaign_id bigint      NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    email       text        NOT NULL,
    language    text        NOT NULL,
    created_at  timestamptz NOT NULL,
    due_at      timestamptz -- its mail is in the outbox
);
CREATE UNIQUE INDEX payment_reminders_once ON payment_reminders (campaign_id, lower(email));
CREATE INDEX payment_reminders_email ON payment_reminders (lower(email));

-- Addresses whose people want no reminder of a campaign; kept until it ends.
CREATE TABLE reminder_refusals (
    campaign_id  bigint      NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    address_hash bytea       NOT NULL, -- SHA-256 of the address in small letters
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (campaign_id, address_hash)
);
CREATE INDEX reminder_refusals_hash ON reminder_refusals (address_hash);
