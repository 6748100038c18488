-- +goose Up

-- Campaigns that take money which cannot be paid out yet, since no account of their creator is named or ready: how often the creator was
-- reminded, and when last, or when that was seen first.
CREATE TABLE payout_reminders (
    campaign_id bigint      PRIMARY KEY REFERENCES campaigns (id) ON DELETE CASCADE,
    told        int         NOT NULL DEFAULT 0 CONSTRAINT payout_reminders_told CHECK (told >= 0),
    at          timestamptz NOT NULL
);
