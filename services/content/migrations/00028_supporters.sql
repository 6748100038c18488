-- +goose Up
ALTER TABLE subscriptions ADD COLUMN card_expires text NOT NULL DEFAULT ''; -- YYYY-MM; '' when it is not known
CREATE INDEX subscriptions_table ON subscriptions (campaign_id, created_at DESC, id) WHERE status NOT IN ('created', 'expired');

-- A campaign's income by month is read from this index alone.
ALTER TABLE subscription_charges ADD COLUMN campaign_id bigint REFERENCES campaigns (id);
UPDATE subscription_charges c SET campaign_id = s.campaign_id FROM subscriptions s WHERE s.id = c.subscription_id;
ALTER TABLE subscription_charges ALTER COLUMN campaign_id SET NOT NULL;
CREATE INDEX subscription_charges_campaign ON subscription_charges (campaign_id, paid_at)
    INCLUDE (amount_minor, amount_refunded_minor, is_disputed);

-- Letters reach who supports monthly, too.
CREATE INDEX subscriptions_by_address ON subscriptions (campaign_id, lower(email)) WHERE status NOT IN ('created', 'expired');
ALTER TABLE letters ALTER COLUMN pledge_id DROP NOT NULL;
ALTER TABLE letters ADD COLUMN subscription_id char(26) REFERENCES subscriptions (id) ON DELETE CASCADE;
ALTER TABLE letters ADD CONSTRAINT letters_of_one CHECK (num_nonnulls(pledge_id, subscription_id) = 1);
CREATE INDEX letters_subscription ON letters (subscription_id) WHERE subscription_id IS NOT NULL;

-- Who supports monthly is counted as a backer (recommend.Recount).
CREATE TRIGGER subscriptions_recommendations AFTER UPDATE OF status, anonymous, user_id ON subscriptions FOR EACH ROW
    WHEN ((OLD.status = 'active', OLD.anonymous, OLD.user_id) IS DISTINCT FROM (NEW.status = 'active', NEW.anonymous, NEW.user_id))
    EXECUTE FUNCTION note_recommendation_change();
INSERT INTO recommendation_changes (user_id) SELECT DISTINCT user_id FROM subscriptions WHERE status = 'active' AND user_id IS NOT NULL;
