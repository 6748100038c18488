package audit

import (
	"context"
	"time"
)

// limitChecks compare what people were charged in calendar months with the spending limits that they have set.
var limitChecks = []comparison{
	{"nobody is charged above their limit", withinLimits},
	{"a month is held by a limit that it crosses", heldByLimits},
}

// limit is how much a person wants to be charged in a calendar month, since when.
type limit struct {
	User          int64
	Currency      string
	Amount        int64
	CountsPledges bool
	SetAt         time.Time
}

// share is a payment that counts for its backer's limit. Month is the calendar month, YYYY-MM, in which its money was taken, ""
// before that; Weighed is when it was last weighed beside all else, in the calendar month WeighedIn.
type share struct {
	Payment, Kind, Currency, Month string
	Backer, Amount, Back           int64
	Weighed                        time.Time
	WeighedIn                      string
}

// heldMonth is one that waits because it would cross its backer's limit. Most is all that their months and payments of the
// last two months can have come to.
type heldMonth struct {
	Subscription, Currency string
	User, Most             int64
}

type limitsOf struct {
	limits []limit
	shares []share
	held   []heldMonth
}

// weighed is SQL for when payment p, with its month m, was last weighed: a later month on the day on which its charge began or was
// moved to, all else when it began.
const weighed = `CASE WHEN p.period > 1 AND m.weighed_on > (m.begun_at AT TIME ZONE 'Europe/Helsinki')::date THEN m.weighed_on::timestamp AT TIME ZONE 'Europe/Helsinki'
	WHEN p.period > 1 THEN m.begun_at ELSE p.created_at END`

const (
	limitsSQL = `SELECT user_id, currency, amount_minor, counts_pledges, set_at FROM spending_limits ORDER BY user_id, currency`
	sharesSQL = `SELECT p.id, p.subject_kind, p.currency, coalesce(to_char(p.paid_on, 'YYYY-MM'), ''), p.backer_user_id, p.amount_minor, p.amount_refunded_minor,
		` + weighed + `, to_char(` + weighed + ` AT TIME ZONE 'Europe/Helsinki', 'YYYY-MM')
		FROM payments p LEFT JOIN subscription_periods m ON m.payment_id = p.id
		WHERE p.backer_user_id IN (SELECT user_id FROM spending_limits) AND p.paid_attempt_id IS NOT NULL AND NOT p.refused
			AND (m.status IS NULL OR m.status = 'paid') ORDER BY p.id`
	limitHeldSQL = `SELECT s.id, s.level ->> 'currency', coalesce(s.backer_user_id, 0),
			(SELECT coalesce(sum(greatest((o.level ->> 'amount_minor')::bigint, (o.next_level ->> 'amount_minor')::bigint)), 0)
				FROM subscriptions o WHERE o.backer_user_id = s.backer_user_id AND o.level ->> 'currency' = s.level ->> 'currency')
			+ (SELECT coalesce(sum(p.amount_minor), 0) FROM payments p WHERE p.backer_user_id = s.backer_user_id
				AND p.currency = s.level ->> 'currency' AND greatest(p.created_at, p.paid_on) > @twoMonthsAgo)
		FROM subscriptions s WHERE s.status = 'active' AND (s.held_period > 0 AND s.held_period = s.next_period
			OR EXISTS (SELECT FROM subscription_periods m WHERE m.subscription_id = s.id AND m.is_held)) ORDER BY s.id`
)

func (s *snapshot) readLimits(ctx context.Context, paymentsDB querier) (err error) {
	if s.limits, err = rows[limit](ctx, paymentsDB, "spending limits", limitsSQL); err != nil {
		return err
	}
	if s.shares, err = rows[share](ctx, paymentsDB, "what counts for limits", sharesSQL); err != nil {
		return err
	}
	s.held, err = rows[heldMonth](ctx, paymentsDB, "held months", limitHeldSQL, moments(s.now))
	return err
}

// weighedSince is since when a limit was weighed for its person. When accounts are merged it comes along with the time of its setting,
// and what the other account had begun before that was not weighed.
func (s *snapshot) weighedSince(l limit) time.Time {
	since := l.SetAt
	for _, m := range s.merges {
		if m.Into == l.User && m.At.After(since) {
			since = m.At
		}
	}
	return since
}

// withinLimits adds up, for each payment that was weighed while its backer's limit stood and charged in the same calendar month,
// what was charged in that month and had been weighed by then.
func withinLimits(s *snapshot, found func(format string, args ...any)) {
	for _, l := range s.limits {
		since := s.weighedSince(l)
		for _, p := range s.shares {
			if !l.counts(p) || p.Month == "" || p.Month != p.WeighedIn || p.Weighed.Before(since) {
				continue
			}
			total := int64(0)
			for _, other := range s.shares {
				if l.counts(other) && other.Month == p.Month && !other.Weighed.After(p.Weighed) {
					total += other.Amount - other.Back
				}
			}
			if total > l.Amount {
				found("user %d wants at most %d %s a month; with payment %s %d were charged in %s", l.User, l.Amount, l.Currency, p.Payment, total,
					p.Month)
			}
		}
	}
}

func (l limit) counts(p share) bool {
	return p.Backer == l.User && p.Currency == l.Currency && (l.CountsPledges || p.Kind == "subscription")
}

// heldByLimits requires a limit of each month that is held, and that it can be crossed at all.
func heldByLimits(s *snapshot, found func(format string, args ...any)) {
	for _, m := range s.held {
		amount := int64(-1)
		for _, l := range s.limits {
			if l.User == m.User && l.Currency == m.Currency {
				amount = l.Amount
			}
		}
		switch {
		case amount < 0:
			found("a month of subscription %s is held, and user %d has no limit in %s", m.Subscription, m.User, m.Currency)
		case m.Most <= amount:
			found("a month of subscription %s is held, all of user %d comes to %d at most, the limit is %d", m.Subscription, m.User, m.Most, amount)
		}
	}
}
