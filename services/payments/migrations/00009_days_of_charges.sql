-- +goose Up

-- The day in Finland on which a payment's money was taken, which a spending limit counts by; null before that. The day that a month
-- is for (period_day) is another one when its charge was refused first, or when it was held.
ALTER TABLE payments ADD COLUMN paid_on date;
UPDATE payments p SET paid_on = CASE WHEN p.subject_kind = 'pledge' AND p.period_day IS NOT NULL THEN p.period_day
        ELSE (SELECT CAST(min(t.at) AT TIME ZONE 'Europe/Helsinki' AS date) FROM payment_transitions t
            WHERE t.payment_id = p.id AND t.to_status = 'succeeded') END
    WHERE p.paid_attempt_id IS NOT NULL;
DROP INDEX payments_backer;
CREATE INDEX payments_backer_paid ON payments (backer_user_id, currency, paid_on) WHERE backer_user_id IS NOT NULL;

-- weighed_on is the day on which an open month was weighed last beside all else of the calendar month: it is charged in another one
-- only after it was weighed there. is_held: it does not fit there, no try is made, and its backer has not answered.
ALTER TABLE subscription_periods ADD COLUMN weighed_on date, ADD COLUMN is_held boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT subscription_periods_held CHECK (NOT is_held OR status = 'open');
UPDATE subscription_periods SET weighed_on = CAST(begun_at AT TIME ZONE 'Europe/Helsinki' AS date) WHERE status = 'open';
