package limits

import (
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/calendar"
)

func TestWeigh_ByTheCalendarMonthOfTheCharge(t *testing.T) {
	t.Parallel()
	on := func(month time.Month, day int) time.Time { return time.Date(2027, month, day, 0, 0, 0, 0, time.UTC) }
	paid := func(month time.Month, day int) Share { return Share{ID: "other", Day: on(month, day), AmountMinor: 10} }
	coming := func(id string, month time.Month, day int) Share {
		return Share{ID: id, Day: on(month, day), AmountMinor: 10, IsComing: true}
	}
	held := coming("a", time.February, 1)
	held.IsHeld = true
	now := calendar.At(on(time.January, 31), 10)
	retry := calendar.At(on(time.February, 1), 9)
	for name, tt := range map[string]struct {
		limit  int64
		others []Share
		own    Share
		fits   bool
		total  int64
	}{
		"alone":                                    {10, nil, coming("own", time.February, 28), true, 10},
		"above the limit by itself":                {9, nil, coming("own", time.February, 28), false, 10},
		"beside what was paid in it":               {10, []Share{paid(time.February, 1)}, coming("own", time.February, 28), false, 20},
		"beside what was paid in another":          {10, []Share{paid(time.January, 31)}, coming("own", time.February, 28), true, 10},
		"before what comes later":                  {10, []Share{coming("a", time.February, 28)}, coming("own", time.February, 1), true, 20},
		"after what comes earlier":                 {10, []Share{coming("a", time.February, 1)}, coming("own", time.February, 28), false, 20},
		"after what comes earlier and is held":     {10, []Share{held}, coming("own", time.February, 28), true, 20},
		"beside what is tried again in it":         {10, open("z", 10, on(time.January, 31), &retry, false), coming("own", time.February, 28), false, 20},
		"before what is tried again in it":         {10, open("z", 10, on(time.January, 31), &retry, false), coming("own", time.February, 1), true, 20},
		"beside what may be paid today":            {10, open("a", 10, on(time.January, 31), &retry, false), coming("own", time.January, 31), false, 20},
		"beside what is to be paid and is held":    {10, open("a", 10, on(time.January, 31), nil, true), coming("own", time.January, 31), true, 20},
		"a try beside its own month that is open":  {10, open("own", 10, on(time.February, 1), nil, false), Share{ID: "own", Day: on(time.February, 1), AmountMinor: 10, IsOpen: true}, true, 10},
		"a try beside another's that was not held": {10, open("a", 10, on(time.February, 1), nil, false), Share{ID: "own", Day: on(time.February, 1), AmountMinor: 10, IsOpen: true}, false, 20},
		"one whose day has passed comes today":     {10, Coming("a", on(time.January, 5), 1, 0, 10, now)[:1], coming("own", time.January, 31), false, 20},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if fits, total := (Limit{AmountMinor: tt.limit}).Weigh(tt.others, tt.own); fits != tt.fits || total != tt.total {
				t.Errorf("fits is %t of %d in all, want %t of %d", fits, total, tt.fits, tt.total)
			}
		})
	}
}
