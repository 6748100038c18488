package calendar_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/calendar"
)

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func TestPeriod_FollowsFromTheAnchorAndIsClampedToTheMonthsEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		anchor time.Time
		period int
		want   time.Time
	}{
		{date(2026, 1, 31), 1, date(2026, 1, 31)},
		{date(2026, 1, 31), 2, date(2026, 2, 28)},
		{date(2026, 1, 31), 3, date(2026, 3, 31)},
		{date(2026, 1, 31), 4, date(2026, 4, 30)},
		{date(2027, 12, 31), 3, date(2028, 2, 29)},
		{date(2028, 2, 29), 13, date(2029, 2, 28)},
		{date(2028, 2, 29), 49, date(2032, 2, 29)},
		{date(2096, 2, 29), 49, date(2100, 2, 28)}, // no leap year
		{date(2026, 12, 1), 2, date(2027, 1, 1)},
	} {
		if got := calendar.Period(c.anchor, c.period); !got.Equal(c.want) {
			t.Errorf("month %d from %s is %s, want %s", c.period, c.anchor.Format(time.DateOnly),
				got.Format(time.DateOnly), c.want.Format(time.DateOnly))
		}
	}
}

// For any anchor over many years: one day a calendar month, none left out, the anchor's day or the month's last, and
// never less than 28 nor more than 31 days apart.
func TestPeriod_IsOneDayInEachCalendarMonth(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(10, 1))
	for range 400 {
		anchor := calendar.Add(date(2024, 1, 1), random.IntN(366*80))
		before := calendar.Period(anchor, 1)
		if !before.Equal(anchor) {
			t.Fatalf("the first day of %s is %s", anchor, before)
		}
		for period := 2; period <= 130; period++ {
			day := calendar.Period(anchor, period)
			months := (day.Year()-anchor.Year())*12 + int(day.Month()) - int(anchor.Month())
			isLast := day.AddDate(0, 0, 1).Day() == 1
			apart := int(day.Sub(before).Hours() / 24)
			if months != period-1 || day.Day() != anchor.Day() && (!isLast || day.Day() > anchor.Day()) || apart < 28 ||
				apart > 31 {
				t.Fatalf("month %d from %s is %s, %d days after the one before", period, anchor, day, apart)
			}
			before = day
		}
	}
}

// Nine o'clock is nine o'clock in winter and summer, and a day begins at its own midnight, also when clocks change.
func TestAt_KeepsTheHourOverClockChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		day  time.Time
		hour int
		want time.Time
	}{
		{date(2026, 3, 28), 9, time.Date(2026, 3, 28, 7, 0, 0, 0, time.UTC)},
		{date(2026, 3, 29), 9, time.Date(2026, 3, 29, 6, 0, 0, 0, time.UTC)}, // summer time began at 3
		{date(2026, 3, 29), 0, time.Date(2026, 3, 28, 22, 0, 0, 0, time.UTC)},
		{date(2026, 10, 24), 9, time.Date(2026, 10, 24, 6, 0, 0, 0, time.UTC)},
		{date(2026, 10, 25), 9, time.Date(2026, 10, 25, 7, 0, 0, 0, time.UTC)}, // it ended at 4
		{date(2026, 10, 25), 0, time.Date(2026, 10, 24, 21, 0, 0, 0, time.UTC)},
	} {
		if got := calendar.At(c.day, c.hour); !got.Equal(c.want) {
			t.Errorf("%d o'clock on %s is %s, want %s", c.hour, c.day.Format(time.DateOnly), got, c.want)
		}
	}
	for day := date(2024, 1, 1); day.Before(date(2034, 1, 1)); day = calendar.Add(day, 1) {
		start, next := calendar.Start(day), calendar.Start(calendar.Add(day, 1))
		if !calendar.DayOf(start).Equal(day) || !calendar.DayOf(next.Add(-time.Microsecond)).Equal(day) ||
			!calendar.DayOf(calendar.At(day, 9)).Equal(day) {
			t.Fatalf("%s does not last from %s to %s", day.Format(time.DateOnly), start, next)
		}
	}
}
