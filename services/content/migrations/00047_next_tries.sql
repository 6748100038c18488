-- +goose Up
ALTER TABLE subscriptions ADD COLUMN next_try_on date; -- the day on which the month of due_on is tried again; null when it is tried no more
UPDATE subscriptions s SET next_try_on = (
    SELECT CAST(body ->> 'next_try_on' AS date) FROM subscription_events e
    WHERE e.subscription_id = s.id AND e.type IN ('subscription.charge_failed', 'subscription.action_required', 'subscription.past_due')
    ORDER BY e.sequence DESC LIMIT 1)
WHERE s.due_on IS NOT NULL;
