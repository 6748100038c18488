-- +goose Up
ALTER TABLE subscriptions ADD COLUMN card_expires text NOT NULL DEFAULT ''; -- YYYY-MM; '' when it is not known
CREATE INDEX subscriptions_table ON subscriptions (campaign_id, created_at DESC, id) WHERE status NOT IN ('created', 'expired');

-- A campaign's income by month is read from this index alone.
ALTER TABLE subscription_charges ADD COLUMN campaign_id bigint REFERENCES campaigns (id);
UPDATE subscription_charges c SET campaign_id = s.campaign_id FROM subscriptions s WHERE s.id = c.subscription_id;
ALTER TABLE subscription_charges ALTER COLUMN campaign_id SET NOT NULL;
CREATE INDEX subscription_charges_campaign ON subscription_charges (campaign_id, paid_at)
    INCLUDE (amount_minor, amount_refunded_minor, is_disputed);
