-- +goose Up
-- Where the campaign's money is paid out: an account of its creator's own. Empty until the creator has said it.
ALTER TABLE campaigns
    ADD COLUMN payment_account_id text NOT NULL DEFAULT '', -- at provider A
    ADD COLUMN payment_user_id    text NOT NULL DEFAULT '', -- at provider B
    ADD COLUMN payment_wallet_id  text NOT NULL DEFAULT ''; -- at provider B
CREATE INDEX users_staff ON users (id) WHERE scope && '{edit,admin}';
CREATE INDEX campaigns_in_review ON campaigns (id) WHERE review = 'requested';

-- What happened to a campaign's review, in order; campaigns.review says how it stands now.
CREATE TABLE review_events (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign_id bigint      NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    event       text        NOT NULL CHECK (event IN ('requested', 'withdrawn', 'approved', 'changes_requested')),
    round       int         NOT NULL CHECK (round > 0), -- how many times it had been asked for
    user_id     bigint      NOT NULL REFERENCES users (id),
    at          timestamptz NOT NULL,
    notes       int         NOT NULL DEFAULT 0, -- of the decision; of a request, those of the decision before it
    mended      int         NOT NULL DEFAULT 0  -- of these, when it happened
);
CREATE INDEX review_events_campaign ON review_events (campaign_id, id DESC);
CREATE TABLE review_notes (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign_id bigint      NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    round       int         NOT NULL CHECK (round > 0),
    part        text        NOT NULL, -- ReviewPart of the contract
    text        text        NOT NULL,
    quote       text        NOT NULL DEFAULT '', -- the words of the story that it is about
    user_id     bigint      NOT NULL REFERENCES users (id),
    at          timestamptz NOT NULL,
    mended      boolean     NOT NULL DEFAULT false
);
CREATE INDEX review_notes_campaign ON review_notes (campaign_id, round, id);

-- Invitations to a campaign's team. Those that have ended stay for a while, because they count against the limits of a day.
CREATE TABLE team_invitations (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign_id bigint      NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    email       text        NOT NULL, -- where it is sent, as profiles.NormalEmail writes it
    invited_by  bigint      NOT NULL REFERENCES users (id),
    invited_at  timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,
    ended_at    timestamptz -- accepted, withdrawn or replaced by another one
);
CREATE UNIQUE INDEX team_invitations_open ON team_invitations (campaign_id, lower(email)) WHERE ended_at IS NULL;
CREATE INDEX team_invitations_campaign ON team_invitations (campaign_id, invited_at);
CREATE INDEX team_invitations_inviter ON team_invitations (invited_by, invited_at);
CREATE INDEX team_invitations_invited_at ON team_invitations (invited_at);
-- A mail that is sent a second time, after a crash, has another link. All of them are good until the invitation ends.
CREATE TABLE team_invitation_links (
    token_hash    bytea  PRIMARY KEY, -- SHA-256; the mail alone has the token
    invitation_id bigint NOT NULL REFERENCES team_invitations (id) ON DELETE CASCADE
);
CREATE INDEX team_invitation_links_invitation ON team_invitation_links (invitation_id);

-- Accounts at the payment providers that people are paid out to. Empty until payouts exist.
CREATE TABLE payout_accounts (
    user_id    bigint NOT NULL REFERENCES users (id),
    provider   text   NOT NULL CHECK (provider IN ('stripe', 'mangopay')),
    account_id text   NOT NULL, -- Stripe's account, Mangopay's user
    wallet_id  text   NOT NULL DEFAULT '', -- Mangopay's
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (provider, account_id, wallet_id)
);
CREATE INDEX payout_accounts_user ON payout_accounts (user_id);
