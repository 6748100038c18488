-- +goose Up
-- How long after its campaign a pledge can be taken back, by the kind of its reward and the day on which it was made. Of no row that was once
-- in force anything changes: another rule is a row with a later day, in a migration of its own.
CREATE TABLE withdrawal_terms (
    kind         text NOT NULL CONSTRAINT withdrawal_terms_kind CHECK (kind IN ('goods', 'service', 'digital', 'made_to_order', 'gift')),
    from_day     date NOT NULL, -- of the pledge
    days         int  NOT NULL CONSTRAINT withdrawal_terms_days CHECK (days BETWEEN 0 AND 365), -- 0: not after the campaign
    starts       text NOT NULL CONSTRAINT withdrawal_terms_starts CHECK (starts IN ('delivery', 'contract')),
    -- How long what is sent is on its way at most: the law counts from when it is received, and we know when it was sent.
    transit_days int  NOT NULL DEFAULT 0 CONSTRAINT withdrawal_terms_transit CHECK (transit_days BETWEEN 0 AND 60),
    CONSTRAINT withdrawal_terms_pkey PRIMARY KEY (kind, from_day)
);
INSERT INTO withdrawal_terms (kind, from_day, days, starts, transit_days) VALUES
    ('goods', '2000-01-01', 14, 'delivery', 7),
    ('service', '2000-01-01', 14, 'contract', 0),
    ('digital', '2000-01-01', 14, 'contract', 0),
    ('made_to_order', '2000-01-01', 0, 'contract', 0),
    ('gift', '2000-01-01', 0, 'contract', 0);
