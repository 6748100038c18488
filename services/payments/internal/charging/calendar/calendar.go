// Package calendar reckons the days of monthly charges. Pure functions; a day is midnight UTC of a date in Finland.
package calendar

import (
	"time"
	_ "time/tzdata" // for images without a zone database
)

// helsinki is in the database that is compiled in.
var helsinki = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Helsinki")
	if err != nil {
		panic(err)
	}
	return zone
}()

// DayOf is the day in Finland on which a moment is.
func DayOf(t time.Time) time.Time {
	t = t.In(helsinki)
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// At is the moment at which a clock in Finland shows an hour of a day, as it is in winter or summer; from 4 to 23 there
// is exactly one.
func At(day time.Time, hour int) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), hour, 0, 0, 0, helsinki).UTC()
}

// Start is the first moment of a day in Finland.
func Start(day time.Time) time.Time { return At(day, 0) }

// Add is the day some days later.
func Add(day time.Time, days int) time.Time { return day.AddDate(0, 0, days) }

// Month is the day of a month that is n months after the anchor's: the anchor's own day, or the month's last when it
// has none. It follows from the anchor, never from another month's day: 31 January, 28 February, 31 March.
func Month(anchor time.Time, n int) time.Time {
	first := time.Date(anchor.Year(), anchor.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(anchor.Day(), last)-1)
}

// Period is the day of a subscription's month; the first, of period 1, is the anchor.
func Period(anchor time.Time, period int) time.Time { return Month(anchor, period-1) }
