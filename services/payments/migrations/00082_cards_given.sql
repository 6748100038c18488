-- +goose Up

-- When a backer has given the card: who gives one anew after a bank has called theirs misused is charged again, also when it is called the same.
ALTER TABLE subscriptions ADD COLUMN card_given_at timestamptz;
UPDATE subscriptions s SET card_given_at = (SELECT max(t.at) FROM subscription_transitions t WHERE t.subscription_id = s.id 
        AND (t.cause = 'card' OR t.cause = 'paid' AND t.period = 1))
    WHERE status IN ('active', 'past_due', 'paused');

-- Provider B calls it fraud.
DROP INDEX disputes_fraud;
CREATE INDEX disputes_fraud ON disputes (payment_id) WHERE status = 'lost' AND reason IN ('fraudulent', 'fraud');
