-- +goose Up

-- Links in mails about monthly support: each allows one act on one subscription; the mail alone has the link itself.
CREATE TABLE subscription_links (
    token_hash      bytea       PRIMARY KEY, -- SHA-256
    subscription_id char(26)    NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
    act             text        NOT NULL CONSTRAINT subscription_links_act CHECK (act IN ('skip', 'pause', 'resume', 'cancel', 'pay',
        'card', 'receipt')),
    period          int         NOT NULL, -- the month that it is about; 0 where the act needs none
    created_at      timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL
);
CREATE INDEX subscription_links_subscription ON subscription_links (subscription_id);
CREATE INDEX subscription_links_expires_at ON subscription_links (expires_at);

-- A person's feed of coming charges for calendar programs. Its secret address follows from the number (package moneycalendar).
CREATE TABLE calendar_feeds (
    user_id bigint  PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    number  int     NOT NULL DEFAULT 1, -- grows when the address is renewed
    is_on   boolean NOT NULL DEFAULT true
);
