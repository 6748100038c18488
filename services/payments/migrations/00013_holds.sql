-- +goose Up

-- The content service's words that a campaign is on hold, or not any more; the one with the highest number counts. They are kept, so that
-- it can be seen which charge began while its campaign was on hold: none does.
CREATE TABLE campaign_holds (
    campaign_id bigint      NOT NULL,
    number      int         NOT NULL,
    is_on_hold  boolean     NOT NULL,
    told_at     timestamptz NOT NULL, -- no charge begins after it, and before the next
    CONSTRAINT campaign_holds_pkey PRIMARY KEY (campaign_id, number)
);
CREATE TRIGGER campaign_holds_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON campaign_holds
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- campaign_on_hold: its first month was not paid yet. fraud_disputed: a bank has decided that the card's owner did not know of a charge.
ALTER TABLE subscriptions DROP CONSTRAINT subscriptions_ended;
ALTER TABLE subscriptions ADD CONSTRAINT subscriptions_ended CHECK (ended_because IN ('', 'asked', 'campaign_closed', 'campaign_on_hold',
    'unpaid', 'person_blocked', 'person_erased', 'fraud_disputed'));

CREATE INDEX disputes_fraud ON disputes (payment_id) WHERE status = 'lost' AND reason = 'fraudulent';

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT ON campaign_holds TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
