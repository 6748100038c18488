//go:build unix

package harness

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// MonthsFallDue lets a month pass for the active subscriptions of a campaign, and a day more: the days of what was paid move
// back, so that the next month of each is due, one after the other over a while from now on. The platform must be at rest.
// It returns how many fall due.
func (r *Harness) MonthsFallDue(ctx context.Context, campaignID int64, over time.Duration) (number int64, err error) {
	err = pgx.BeginFunc(ctx, r.Payments, func(tx pgx.Tx) error {
		for _, sql := range []string{
			`UPDATE subscriptions SET anchor_day = (anchor_day - interval '1 month')::date - 1 WHERE campaign_id = $1 AND status = 'active'`,
			`UPDATE subscription_periods m SET day = (s.anchor_day + make_interval(months => m.period - 1))::date
				FROM subscriptions s WHERE s.id = m.subscription_id AND s.campaign_id = $1 AND s.status = 'active'`,
			`UPDATE payments p SET period_day = m.day FROM subscription_periods m JOIN subscriptions s ON s.id = m.subscription_id
				WHERE p.id = m.payment_id AND s.campaign_id = $1 AND s.status = 'active'`,
		} {
			if _, err := tx.Exec(ctx, sql, campaignID); err != nil {
				return err
			}
		}
		due, err := tx.Exec(ctx, `UPDATE subscriptions s SET step_at = now() + o.place * $2 * interval '1 second'
			FROM (SELECT id, (row_number() OVER (ORDER BY id) - 1)::float / count(*) OVER () AS place FROM subscriptions
				WHERE campaign_id = $1 AND status = 'active') o WHERE o.id = s.id`, campaignID, over.Seconds())
		number = due.RowsAffected()
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("let a month pass: %w", err)
	}
	// Days of the first month lead, as they do in the payment service.
	_, err = r.Content.Exec(ctx, `WITH first AS (
			SELECT c.subscription_id, (c.period_day - interval '1 month')::date - 1 AS day FROM subscription_charges c JOIN subscriptions s ON s.id = c.subscription_id
			WHERE c.period = 1 AND s.campaign_id = $1 AND s.status = 'active'),
		paid AS (UPDATE subscription_charges c SET period_day = (f.day + make_interval(months => c.period - 1))::date
			FROM first f WHERE f.subscription_id = c.subscription_id RETURNING c.subscription_id, c.period)
		UPDATE subscriptions s SET begun_on = f.day, paid_until = (f.day + make_interval(months => p.last))::date - 1,
			next_charge_on = (f.day + make_interval(months => p.last))::date
		FROM first f JOIN (SELECT subscription_id, max(period) AS last FROM paid GROUP BY 1) p USING (subscription_id) WHERE s.id = f.subscription_id`, campaignID)
	if err != nil {
		return 0, fmt.Errorf("let a month pass: %w", err)
	}
	return number, nil
}

// BankSays has the kept card of a subscription behave as a test number from now on.
func (r *Harness) BankSays(ctx context.Context, subscriptionID, number string) error {
	var card string
	if err := r.Payments.QueryRow(ctx, `SELECT card_ref FROM subscriptions WHERE id = $1`, subscriptionID).Scan(&card); err != nil {
		return fmt.Errorf("look for a kept card: %w", err)
	}
	return r.control(ctx, "cards", map[string]string{"method": card, "card": number})
}
