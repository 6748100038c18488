-- +goose Up
ALTER TABLE subscriptions
    ADD COLUMN held_on date, -- the day of a month that waits because it would cross the spending limit
    ADD COLUMN due_on date; -- the day of a month whose charge has failed, while it is to be paid
UPDATE subscriptions s SET due_on = (
    SELECT CAST(body ->> 'period_day' AS date) FROM subscription_events e
    WHERE e.subscription_id = s.id AND e.type IN ('subscription.charge_failed', 'subscription.action_required', 'subscription.past_due')
    ORDER BY e.sequence DESC LIMIT 1)
WHERE s.status IN ('active', 'past_due') AND s.next_charge_on IS NULL AND s.ends_on IS NULL;
