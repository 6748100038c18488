-- +goose Up
ALTER TABLE pledges
    ADD COLUMN last_name_initial boolean NOT NULL DEFAULT false; -- of the last name others see the first letter alone

-- Pledges that were made without signing in, for the person who has confirmed their address. Unpaid ones are left out, so that
-- making a pledge writes nothing here.
CREATE INDEX pledges_unsigned_by_address ON pledges (lower(email))
    WHERE user_id IS NULL AND status NOT IN ('created', 'awaiting_payment', 'expired');

-- Since when a creator has the addresses of a campaign's backers.
CREATE INDEX audit_log_backers_tables ON audit_log (campaign_id, at) WHERE action = 'take_backers_table';
