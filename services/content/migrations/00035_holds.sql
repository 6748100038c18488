-- +goose Up

-- A campaign takes no money while it is on hold, whatever its stage; stopped is one that staff have closed for a reason of theirs. The
-- number counts the words about it, of which campaign_holds has them all.
ALTER TABLE campaigns ADD COLUMN hold text NOT NULL DEFAULT '' CONSTRAINT campaigns_hold CHECK (hold IN ('', 'on_hold', 'stopped')),
    ADD COLUMN hold_number int NOT NULL DEFAULT 0,
    ADD CONSTRAINT campaigns_stopped CHECK (hold <> 'stopped' OR stage = 5);
CREATE INDEX campaigns_on_hold ON campaigns (id) WHERE hold = 'on_hold';

CREATE TABLE campaign_holds (
    campaign_id bigint      NOT NULL REFERENCES campaigns ON DELETE CASCADE,
    number      int         NOT NULL,
    kind        text        NOT NULL CONSTRAINT campaign_holds_kind CHECK (kind IN ('on_hold', 'stopped', 'lifted')),
    reason      text        NOT NULL CONSTRAINT campaign_holds_reason CHECK (reason IN ('looked_into', 'rules', 'creator_asked', 'creator_blocked')),
    sentence    text        NOT NULL, -- for everybody, in the campaign's language; may be empty
    tells_on    date,       -- by when we tell how it goes on
    since       timestamptz NOT NULL, -- when it was put on hold or stopped
    at          timestamptz NOT NULL, -- when this was said
    CONSTRAINT campaign_holds_pkey PRIMARY KEY (campaign_id, number)
);

-- A level of monthly support has no stock: it was sold without a limit while its page said how many are left.
UPDATE rewards r SET stock = 0, stock_reserved = 0 FROM campaigns c WHERE c.id = r.campaign_id AND c.opens_as = 6 AND r.stock > 0;
