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
    subscriptions              int    NOT NULL DEFAULT 0,
    subscriptions_amount_minor bigint NOT NULL DEFAULT 0, -- a month
    likes                      int    NOT NULL DEFAULT 0,
    CONSTRAINT campaign_totals_not_negative CHECK (funding_reached_minor >= 0 AND funding_settling_minor >= 0
        AND backers >= 0 AND subscriptions >= 0 AND subscriptions_amount_minor >= 0 AND likes >= 0)
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
    PRIMARY KEY (campaign_id, user_id)
);
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

-- The read model of lists: one row per campaign and language, written in the transaction that changes its source.
-- Lists page over (language, sort key, campaign_id) and then take the ready texts by primary key.
CREATE TABLE campaign_previews (
    campaign_id           bigint   NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    language              text     NOT NULL CHECK (language IN ('fi', 'en', 'sv')), -- the reader's, not the texts'
    stage                 smallint NOT NULL,
    category_ids          bigint[] NOT NULL,
    tag_ids               bigint[] NOT NULL,
    funding_start         timestamptz, -- newest
    funding_deadline      timestamptz, -- ending
    funding_reached_minor bigint   NOT NULL, -- most_funded; 0 when hidden
    popularity            int      NOT NULL, -- likes and the backers that are not hidden
    search                text     NOT NULL, -- searchable(title, tagline, short description), a space before each
    preview               jsonb    NOT NULL, -- CampaignPreview of the contract
    PRIMARY KEY (campaign_id, language)
) PARTITION BY LIST (language); -- a list reads one language, and so a third of the rows and of each index
CREATE TABLE campaign_previews_fi PARTITION OF campaign_previews FOR VALUES IN ('fi') WITH (fillfactor = 70);
CREATE TABLE campaign_previews_en PARTITION OF campaign_previews FOR VALUES IN ('en') WITH (fillfactor = 70);
CREATE TABLE campaign_previews_sv PARTITION OF campaign_previews FOR VALUES IN ('sv') WITH (fillfactor = 70);
CREATE INDEX campaign_previews_newest ON campaign_previews (language, stage, funding_start DESC NULLS LAST, campaign_id DESC);
CREATE INDEX campaign_previews_ending ON campaign_previews (language, stage, funding_deadline, campaign_id);
CREATE INDEX campaign_previews_most_funded ON campaign_previews (language, stage, funding_reached_minor DESC, campaign_id DESC);
CREATE INDEX campaign_previews_popular ON campaign_previews (language, stage, popularity DESC, campaign_id DESC);
CREATE INDEX campaign_previews_mixed ON campaign_previews (language, stage, hashint8(campaign_id), campaign_id); -- a ring that each day enters elsewhere
CREATE INDEX campaign_previews_search ON campaign_previews USING gin (search gin_trgm_ops);
CREATE INDEX campaign_previews_tags ON campaign_previews USING gin (tag_ids);
CREATE INDEX campaign_previews_categories ON campaign_previews USING gin (category_ids);

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
