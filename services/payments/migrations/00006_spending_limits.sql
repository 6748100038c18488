-- +goose Up

-- How much a person wants to be charged in a calendar month at most. Package limits says what counts.
CREATE TABLE spending_limits (
    user_id        bigint  NOT NULL,
    currency       text    NOT NULL,
    amount_minor   bigint  NOT NULL CONSTRAINT spending_limits_amount CHECK (amount_minor > 0),
    counts_pledges boolean NOT NULL, -- single pledges too, beside monthly support
    set_at         timestamptz NOT NULL,
    CONSTRAINT spending_limits_pkey PRIMARY KEY (user_id, currency)
);

-- Whose payment it is, null without an account. period_day is from now on also kept of pledges: the day on which one was
-- paid. Of pledges that are here already we do not know whose they are: they count in no month.
ALTER TABLE payments ADD COLUMN backer_user_id bigint;
UPDATE payments p SET backer_user_id = s.backer_user_id FROM subscriptions s
    WHERE p.subject_kind = 'subscription' AND p.subject_id = s.id AND s.backer_user_id IS NOT NULL;
-- What a person's calendar months come to.
CREATE INDEX payments_backer ON payments (backer_user_id, currency, period_day) WHERE backer_user_id IS NOT NULL;

-- subscription_periods.day is what the tries of a month are reckoned from: its day in the calendar, or the later one on which
-- it began because it was held. payments.period_day is always the one in the calendar.
-- next_period while it is held: its calendar month would come above the limit, and its backer has not answered. 0 for none.
ALTER TABLE subscriptions ADD COLUMN held_period int NOT NULL DEFAULT 0;

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON spending_limits TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
