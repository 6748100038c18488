-- +goose Up
CREATE TABLE campaigns (
    id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug                text        NOT NULL,
    stage               smallint    NOT NULL DEFAULT 0, -- 0 draft, 1 preparing, 2 funding, 3 succeeded, 4 not reached, 5 closed, 6 recurring
    language            text        NOT NULL,           -- the campaign's own
    category_id         bigint      NOT NULL REFERENCES categories (id),
    place               text        NOT NULL DEFAULT '',
    currency            char(3)     NOT NULL DEFAULT 'EUR',
    min_goal_minor      bigint      NOT NULL DEFAULT 0,
    target_goal_minor   bigint      NOT NULL DEFAULT 0,
    funding_rule        text        NOT NULL DEFAULT 'all_or_nothing',
    first_day           date,
    last_day            date,
    funding_start       timestamptz, -- first second of first_day in the platform's time zone
    funding_deadline    timestamptz, -- last second of last_day
    picture             text        NOT NULL, -- file name under /media; a drawn scene when the creator gave none
    creator_pic         text        NOT NULL DEFAULT '',
    video_url           text        NOT NULL DEFAULT '',
    contact_email       text        NOT NULL DEFAULT '',
    legal_creator       text        NOT NULL DEFAULT '',
    legal_creator_type  text        NOT NULL DEFAULT '',
    external_link_1     text        NOT NULL DEFAULT '',
    hide_funding_amount boolean     NOT NULL DEFAULT false,
    hide_member_count   boolean     NOT NULL DEFAULT false,
    review              text        NOT NULL DEFAULT 'none',
    version             bigint      NOT NULL DEFAULT 1, -- counts the changes, from 1
    created_at          timestamptz NOT NULL,
    updated_at          timestamptz NOT NULL,
    CONSTRAINT campaigns_stage CHECK (stage BETWEEN 0 AND 6),
    CONSTRAINT campaigns_language CHECK (language IN ('fi', 'en', 'sv')),
    CONSTRAINT campaigns_goals CHECK (min_goal_minor >= 0 AND target_goal_minor >= 0),
    CONSTRAINT campaigns_funding_rule CHECK (funding_rule IN ('all_or_nothing', 'keep_what_is_raised')),
    CONSTRAINT campaigns_review CHECK (review IN ('none', 'requested', 'approved', 'changes_requested')),
    CONSTRAINT campaigns_open_has_deadline CHECK (stage NOT IN (2, 3, 4) OR funding_deadline IS NOT NULL)
);
CREATE INDEX campaigns_due ON campaigns (funding_deadline) WHERE stage = 2;
CREATE INDEX campaigns_opening ON campaigns (funding_start) WHERE stage = 1;

-- Apart from campaigns because every paid pledge changes it: short rows, room for updates in place.
CREATE TABLE campaign_totals (
    campaign_id                bigint PRIMARY KEY REFERENCES campaigns (id) ON DELETE CASCADE,
    funding_reached_minor      bigint NOT NULL DEFAULT 0, -- paid pledges less refunds
    funding_settling_minor     bigint NOT NULL DEFAULT 0, -- pledges in processing
    backers                    int    NOT NULL DEFAULT 0, -- pledges paid and not wholly refunded
    last_backer_number         int    NOT NULL DEFAULT 0, -- given to a pledge when it was paid; never falls
    subscriptions              int    NOT NULL DEFAULT 0,
    subscriptions_amount_minor bigint NOT NULL DEFAULT 0, -- a month
    likes                      int    NOT NULL DEFAULT 0,
    CONSTRAINT campaign_totals_not_negative CHECK (funding_reached_minor >= 0 AND funding_settling_minor >= 0
        AND backers >= 0 AND last_backer_number >= 0 AND subscriptions >= 0 AND subscriptions_amount_minor >= 0 AND likes >= 0)
) WITH (fillfactor = 50);

CREATE TABLE campaign_texts (
    campaign_id       bigint NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    language          text   NOT NULL CHECK (language IN ('fi', 'en', 'sv')),
    title             text   NOT NULL,
    tagline           text   NOT NULL DEFAULT '',
    short_description text   NOT NULL DEFAULT '',
    about_creator     text   NOT NULL DEFAULT '', -- who is behind it; the creator's own words when empty
    story             jsonb  NOT NULL DEFAULT '{"type": "doc", "content": []}', -- editor document
    story_html        text   NOT NULL DEFAULT '', -- rendered from it on write, sanitised
    story_text        text   NOT NULL DEFAULT '', -- the same without markup
    PRIMARY KEY (campaign_id, language)
);
CREATE TABLE campaign_categories (
    campaign_id bigint NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    category_id bigint NOT NULL REFERENCES categories (id),
    PRIMARY KEY (campaign_id, category_id)
);
CREATE TABLE campaign_tags (
    campaign_id bigint NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    tag_id      bigint NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    PRIMARY KEY (campaign_id, tag_id)
);
CREATE INDEX campaign_tags_tag ON campaign_tags (tag_id);
CREATE TABLE campaign_team (
    campaign_id bigint NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    user_id     bigint NOT NULL REFERENCES users (id),
    position    int    NOT NULL, -- 0 is the creator, who owns the payout accounts
    PRIMARY KEY (campaign_id, user_id),
    CONSTRAINT campaign_team_position UNIQUE (campaign_id, position)
);
CREATE INDEX campaign_team_user ON campaign_team (user_id);
CREATE TABLE campaign_likes (
    campaign_id bigint      NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    user_id     bigint      NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at  timestamptz NOT NULL,
    counted     boolean     NOT NULL, -- in the totals: from when its person's address is confirmed
    PRIMARY KEY (campaign_id, user_id)
);
CREATE INDEX campaign_likes_uncounted ON campaign_likes (user_id, campaign_id) WHERE NOT counted;
CREATE TABLE subscription_goals (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign_id bigint NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    target      int    NOT NULL CHECK (target > 0), -- subscriptions
    CONSTRAINT subscription_goals_target UNIQUE (campaign_id, target)
);
CREATE TABLE subscription_goal_texts (
    goal_id     bigint NOT NULL REFERENCES subscription_goals (id) ON DELETE CASCADE,
    language    text   NOT NULL CHECK (language IN ('fi', 'en', 'sv')),
    title       text   NOT NULL,
    description text   NOT NULL DEFAULT '',
    PRIMARY KEY (goal_id, language)
);

-- The read model of lists, written in the transaction that changes its source. A list walks campaign_listings in its own
-- order and stops when it has enough; the ready texts of its page come from campaign_previews by primary key. So what it
-- costs does not depend on how many campaigns there are.
--
-- A campaign has a row for each of its categories and tags, for each pair of them, and one for all: a filter is where to
-- begin in an index, never something to skip by.
CREATE TABLE campaign_listings (
    campaign_id           bigint   NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    tag_id                int      NOT NULL, -- one of the campaign's; 0 for any
    category_id           int      NOT NULL, -- one of the campaign's; 0 for any
    stage                 smallint NOT NULL,
    popularity            int      NOT NULL, -- likes and the backers that are not hidden
    funding_reached_minor bigint   NOT NULL, -- 0 when hidden
    funding_start         timestamptz,
    funding_deadline      timestamptz,
    PRIMARY KEY (campaign_id, tag_id, category_id)
);
CREATE INDEX campaign_listings_newest ON campaign_listings (tag_id, category_id, stage, funding_start DESC NULLS LAST, campaign_id DESC);
CREATE INDEX campaign_listings_ending ON campaign_listings (tag_id, category_id, stage, funding_deadline, campaign_id);
CREATE INDEX campaign_listings_most_funded ON campaign_listings (tag_id, category_id, stage, funding_reached_minor DESC, campaign_id DESC);
CREATE INDEX campaign_listings_popular ON campaign_listings (tag_id, category_id, stage, popularity DESC, campaign_id DESC);
CREATE INDEX campaign_listings_mixed ON campaign_listings (tag_id, category_id, stage, hashint8(campaign_id), campaign_id); -- a ring that each day enters elsewhere

-- What keywords are looked for in. Apart from the previews because money does not change it and only searches read it.
CREATE TABLE campaign_search (
    campaign_id bigint NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    language    text   NOT NULL CHECK (language IN ('fi', 'en', 'sv')), -- the reader's, not the texts'
    search      text   NOT NULL, -- searchable(title, tagline, short description), a space before each
    PRIMARY KEY (campaign_id, language)
) PARTITION BY LIST (language); -- a search reads one language, and so a third of the rows and of the index
CREATE TABLE campaign_search_fi PARTITION OF campaign_search FOR VALUES IN ('fi');
CREATE TABLE campaign_search_en PARTITION OF campaign_search FOR VALUES IN ('en');
CREATE TABLE campaign_search_sv PARTITION OF campaign_search FOR VALUES IN ('sv');
-- Texts change seldom, so each change enters at once: entries that wait would be read through by every search.
CREATE INDEX campaign_search_trigrams ON campaign_search USING gin (search gin_trgm_ops) WITH (fastupdate = off);

-- Room on the pages keeps an update, which every paid pledge makes, on its page and out of the index.
CREATE TABLE campaign_previews (
    campaign_id bigint NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    language    text   NOT NULL CHECK (language IN ('fi', 'en', 'sv')), -- the reader's, not the texts'
    preview     json   NOT NULL, -- CampaignPreview of the contract, as text: lists send it as it is
    PRIMARY KEY (campaign_id, language)
) WITH (fillfactor = 70);

CREATE TABLE rewards (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign_id    bigint      NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    amount_minor   bigint      NOT NULL CHECK (amount_minor >= 0 AND amount_minor % 100 = 0), -- whole major units
    stock          int         NOT NULL DEFAULT 0 CHECK (stock >= 0), -- 0 is unlimited
    stock_reserved int         NOT NULL DEFAULT 0,                    -- held and paid together; only of limited stock
    backers        int         NOT NULL DEFAULT 0 CHECK (backers >= 0), -- pledges paid and not wholly refunded
    active         smallint    NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    vat_tenths     int         CHECK (vat_tenths BETWEEN 0 AND 1000), -- tenths of a per cent: 255 is 25.5 %
    delivery       text        NOT NULL DEFAULT '' CHECK (delivery = '' OR delivery ~ '^\d{4}-(0[1-9]|1[0-2])$'),
    image          text        NOT NULL DEFAULT '',
    added_costs    jsonb       NOT NULL DEFAULT '[]', -- [{amount_minor, description: {FI, EN, SV}}], at most one chosen
    created_at     timestamptz NOT NULL,
    CONSTRAINT rewards_never_oversold CHECK (stock_reserved >= 0 AND (stock = 0 OR stock_reserved <= stock))
) WITH (fillfactor = 70);
CREATE INDEX rewards_campaign ON rewards (campaign_id, amount_minor, id);
CREATE TABLE reward_texts (
    reward_id        bigint NOT NULL REFERENCES rewards (id) ON DELETE CASCADE,
    language         text   NOT NULL CHECK (language IN ('fi', 'en', 'sv')),
    title            text   NOT NULL,
    description      text   NOT NULL DEFAULT '',
    custom_questions jsonb  NOT NULL DEFAULT '[]', -- [text]; custom_question_N is the place, from 1
    PRIMARY KEY (reward_id, language)
);

CREATE TABLE posts (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign_id  bigint      NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    author_id    bigint      NOT NULL REFERENCES users (id),
    status       text        NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published')),
    level        int         NOT NULL DEFAULT 0 CHECK (level >= 0),
    type_id      int         NOT NULL DEFAULT 1,
    restricted   boolean     NOT NULL DEFAULT false,
    language     text        NOT NULL CHECK (language IN ('fi', 'en', 'sv')),
    published_at timestamptz,
    created_at   timestamptz NOT NULL,
    CONSTRAINT posts_published_has_time CHECK (status = 'draft' OR published_at IS NOT NULL)
);
CREATE INDEX posts_campaign ON posts (campaign_id, status, published_at DESC, id DESC);
CREATE TABLE post_texts (
    post_id  bigint NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    language text   NOT NULL CHECK (language IN ('fi', 'en', 'sv')),
    title    text   NOT NULL,
    intro    text   NOT NULL DEFAULT '', -- plain, at most 240 characters
    story    jsonb  NOT NULL,
    html     text   NOT NULL,
    PRIMARY KEY (post_id, language)
);
