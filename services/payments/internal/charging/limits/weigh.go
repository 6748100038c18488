package limits

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/payments/internal/charging/calendar"
)

// ahead is how many calendar months after this one are looked at.
const ahead = 12

// month is a calendar month, counted from the year 0.
type month int

func monthOf(day time.Time) month { return month(day.Year()*12 + int(day.Month()) - 1) }

// String is YYYY-MM.
func (m month) String() string { return fmt.Sprintf("%04d-%02d", m/12, m%12+1) }

// SameMonth reports whether two days are of one calendar month.
func SameMonth(a, b time.Time) bool { return monthOf(a) == monthOf(b) }

// Share is what a pledge or a month of monthly support adds to the calendar month in which it is charged.
type Share struct {
	ID          string    // of the pledge or the subscription
	Day         time.Time // on which it was charged, or will be
	AmountMinor int64
	IsComing    bool // it was not weighed in that calendar month: its payment has not begun, or in another one
	IsOpen      bool // its payment has begun and is not paid
	IsHeld      bool // it waits for its backer, because of the limit
}

// order of the days of coming months; subscriptions of one day go by their ids.
func order(a, b Share) int { return cmp.Or(a.Day.Compare(b.Day), cmp.Compare(a.ID, b.ID)) }

// Coming are the months of monthly support of an amount from a period on, until a year from now; the period held waits. One whose day
// has come is charged today.
func Coming(id string, anchor time.Time, period, held int, amountMinor int64, now time.Time) []Share {
	var out []Share
	today := calendar.DayOf(now)
	for last := monthOf(today) + ahead; ; period++ {
		day := calendar.Period(anchor, period)
		if monthOf(day) > last {
			return out
		}
		if day.Before(today) {
			day = today
		}
		out = append(out, Share{ID: id, Day: day, AmountMinor: amountMinor, IsComing: true, IsHeld: period == held})
	}
}

// Shares are all shares of a person from this calendar month on, without the coming months of one subscription. What was paid counts
// on the day on which its money was taken. What is open to be paid counts as if it were paid now, and where its next try is as well.
// Index payments_backer_paid serves it.
func (l Limit) Shares(ctx context.Context, db *gorm.DB, without string, now time.Time) ([]Share, error) {
	today := calendar.DayOf(now)
	var rows []struct {
		ID                 string
		Day                *time.Time // of monthly support its first, of a payment that of its money: nil until it is paid
		AmountMinor        int64
		Period, Open, Held int // of monthly support that goes on: the next month, the one to be paid now, the one that waits
		NextTryAt          *time.Time
		IsHeld             bool
	}
	err := db.WithContext(ctx).Raw(`
		-- A process of an earlier version has left the day of the money out: then it is the month's.
		SELECT p.subject_id AS id, CASE WHEN p.paid_attempt_id IS NOT NULL THEN coalesce(p.paid_on, p.period_day) END AS day,
			p.amount_minor - p.amount_refunded_minor AS amount_minor, 0 AS period, 0 AS open, 0 AS held, m.next_try_at, coalesce(m.is_held, false) AS is_held
		FROM payments p LEFT JOIN subscription_periods m ON m.payment_id = p.id
		WHERE p.backer_user_id = @user AND p.currency = @currency AND (p.paid_on >= CAST(@from AS date) OR p.paid_on IS NULL)
			AND CASE p.subject_kind WHEN 'subscription' THEN m.status IN ('open', 'paid')
				ELSE @pledges AND NOT p.refused AND (p.paid_attempt_id IS NOT NULL
					OR p.closing_at IS NULL AND p.status IN ('created', 'requires_action', 'processing')) END
		UNION ALL
		SELECT s.id, coalesce(s.anchor_day, CAST(@today AS date)), CAST(coalesce(s.next_level, s.level) ->> 'amount_minor' AS bigint),
			s.next_period, coalesce(m.period, 0), s.held_period, NULL, false
		FROM subscriptions s LEFT JOIN subscription_periods m ON m.subscription_id = s.id AND m.status = 'open'
		WHERE s.backer_user_id = @user AND s.level ->> 'currency' = @currency AND s.id <> @without
			AND s.status IN ('created', 'active', 'paused') AND s.ends_on IS NULL`, map[string]any{
		"user": l.UserID, "currency": l.Currency, "pledges": l.CountsPledges, "without": without, "today": today,
		"from": time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC),
	}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read what calendar months come to: %w", err)
	}
	var out []Share
	for _, r := range rows {
		switch {
		case r.Period == 0 && r.Day != nil:
			out = append(out, Share{ID: r.ID, Day: *r.Day, AmountMinor: r.AmountMinor})
			continue
		case r.Period == 0:
			out = append(out, open(r.ID, r.AmountMinor, today, r.NextTryAt, r.IsHeld)...)
			continue
		case r.Open > 0: // those that pass meanwhile are left out
			for r.Period = r.Open + 1; !calendar.Period(*r.Day, r.Period).After(today); {
				r.Period++
			}
		}
		out = append(out, Coming(r.ID, *r.Day, r.Period, r.Held, r.AmountMinor, now)...)
	}
	return out, nil
}

// open are the shares of what is to be paid now: its backer may do so today, and our next try may be in another calendar month, in
// which it has not been weighed.
func open(id string, amountMinor int64, today time.Time, nextTryAt *time.Time, isHeld bool) []Share {
	out := []Share{{ID: id, Day: today, AmountMinor: amountMinor, IsOpen: true, IsComing: isHeld, IsHeld: isHeld}}
	if nextTryAt != nil && nextTryAt.After(today) && !SameMonth(calendar.DayOf(*nextTryAt), today) {
		out = append(out, Share{ID: id, Day: calendar.DayOf(*nextTryAt), AmountMinor: amountMinor, IsOpen: true, IsComing: true})
	}
	return out
}

// sums are what calendar months come to.
func sums(shares []Share) map[month]int64 {
	out := map[month]int64{}
	for _, s := range shares {
		out[monthOf(s.Day)] += s.AmountMinor
	}
	return out
}

// Act is what somebody is about to do, before it is allowed.
type Act struct {
	UserID   *int64 // nil without an account
	Currency string
	ID       string // of the pledge or the subscription
	IsPledge bool
	Pays     bool    // it pays what is open of it, which After holds
	Before   []Share // its coming months as they are
	After    []Share // and as they would be; of what begins with its first payment
}

// Allow is no error unless an act brings a calendar month higher, and above its person's limit. Error:
// SpendingLimitExceeded, of the first such month.
func Allow(ctx context.Context, tx *gorm.DB, a Act, now time.Time) error {
	before, after := sums(a.Before), sums(a.After)
	var higher []month
	for m, amount := range after {
		if amount > before[m] && m >= monthOf(calendar.DayOf(now)) {
			higher = append(higher, m)
		}
	}
	if len(higher) == 0 {
		return nil
	}
	l, err := Lock(ctx, tx, a.UserID, a.Currency)
	if err != nil || l == nil || a.IsPledge && !l.CountsPledges {
		return err
	}
	others, err := l.Shares(ctx, tx, a.ID, now)
	if err != nil {
		return err
	}
	others = slices.DeleteFunc(others, func(s Share) bool {
		return s.IsHeld || a.Pays && s.IsOpen && s.ID == a.ID // what is held is not charged unless it fits itself
	})
	slices.Sort(higher)
	rest := sums(others)
	for _, m := range higher {
		if total := rest[m] + after[m]; total > l.AmountMinor {
			return l.exceeded(m, total)
		}
	}
	return nil
}

// Weigh says whether a charge of monthly support fits into the calendar month in which it is made, and what that would come to in
// all. What was paid or weighed there counts first, then what is coming in the order of the days, as far as it fits itself.
func (l Limit) Weigh(others []Share, own Share) (fits bool, totalMinor int64) {
	totalMinor = own.AmountMinor
	taken, earlier := int64(0), []Share{}
	for _, s := range others {
		if !SameMonth(s.Day, own.Day) || own.IsOpen && s.IsOpen && s.ID == own.ID {
			continue
		}
		totalMinor += s.AmountMinor
		switch {
		case !s.IsComing:
			taken += s.AmountMinor
		case !s.IsHeld && order(s, own) < 0:
			earlier = append(earlier, s)
		}
	}
	slices.SortFunc(earlier, order)
	for _, s := range earlier {
		if taken+s.AmountMinor <= l.AmountMinor {
			taken += s.AmountMinor
		}
	}
	return taken+own.AmountMinor <= l.AmountMinor, totalMinor
}
