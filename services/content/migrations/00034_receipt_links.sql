-- +goose Up
-- Links in mails that show the receipt of a pledge (package receiptlinks).
CREATE TABLE receipt_links (
    token_hash bytea       PRIMARY KEY, -- SHA-256
    pledge_id  char(26)    NOT NULL REFERENCES pledges (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX receipt_links_pledge ON receipt_links (pledge_id);
CREATE INDEX receipt_links_expires_at ON receipt_links (expires_at);

-- Mails that were sent until now have the pledge's id in their link, which was the permission. It goes on showing the receipt for as long as a
-- token does; afterwards people ask for a new link.
INSERT INTO receipt_links (token_hash, pledge_id, created_at, expires_at)
SELECT sha256(convert_to(id, 'UTF8')), id, now(), now() + interval '45 days' FROM pledges WHERE receipt_number IS NOT NULL AND email <> '';
