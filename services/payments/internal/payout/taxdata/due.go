package taxdata

import "time"

// The days of the law: who has not said after two reminders what is asked, and not before 60 days are over, is not paid until they do (Directive
// 2011/16/EU, Annex V, section IV A 2). They are counted from the first reminder, and the second one leaves two weeks in any case.
const (
	day         = 24 * time.Hour
	firstAfter  = 7 * day  // the first reminder, after it was asked for
	secondAfter = 30 * day // the second one, after the first
	heldAfter   = 60 * day // the payouts wait, after the first one
	leastAfter  = 14 * day // and after the second one at least
)

// Asking is how far asking an account has come.
type Asking struct {
	AskedAt         time.Time
	RemindedAt      *time.Time // first
	RemindedAgainAt *time.Time
	GivenAt         *time.Time // when all was said
}

// Reminder is the number of the reminder that is due, 0 for none.
func (a Asking) Reminder(now time.Time) int {
	switch {
	case a.GivenAt != nil || a.RemindedAgainAt != nil:
		return 0
	case a.RemindedAt == nil && !now.Before(a.AskedAt.Add(firstAfter)):
		return 1
	case a.RemindedAt != nil && !now.Before(a.RemindedAt.Add(secondAfter)):
		return 2
	}
	return 0
}

// By is from when payouts wait if nothing is said; nothing is sent from then on, unless a reminder is late.
func (a Asking) By() time.Time {
	first := a.AskedAt.Add(firstAfter)
	if a.RemindedAt != nil {
		first = *a.RemindedAt
	}
	by := first.Add(heldAfter)
	if a.RemindedAgainAt != nil {
		if least := a.RemindedAgainAt.Add(leastAfter); least.After(by) {
			by = least
		}
	}
	return by
}

// IsHeld tells whether payouts wait.
func (a Asking) IsHeld(now time.Time) bool {
	return a.GivenAt == nil && a.RemindedAt != nil && a.RemindedAgainAt != nil && !now.Before(a.By())
}
