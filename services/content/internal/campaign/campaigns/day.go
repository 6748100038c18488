package campaigns

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// Day is a calendar day in the platform's time zone, YYYY-MM-DD; empty is none.
type Day string

// DayOf is the day of a moment in that moment's own time zone.
func DayOf(t time.Time) Day { return Day(t.Format(time.DateOnly)) }

// maxDays is how many days a one-off campaign may take pledges. Longer ones do not raise more, and cards that were
// charged at the beginning could hardly be refunded at the end.
const maxDays = 60

// Latest is the last day that a one-off campaign may have which begins on this day; empty for what is no day.
func (d Day) Latest() Day {
	first, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return ""
	}
	return DayOf(first.AddDate(0, 0, maxDays-1))
}

// Scan reads a date column.
func (d *Day) Scan(value any) error {
	switch value := value.(type) {
	case nil:
		*d = ""
	case time.Time:
		*d = DayOf(value)
	default:
		return fmt.Errorf("scan %T as a day", value)
	}
	return nil
}

// Value writes a date column.
func (d Day) Value() (driver.Value, error) {
	if d == "" {
		return nil, nil //nolint:nilnil // SQL's NULL
	}
	return time.Parse(time.DateOnly, string(d))
}

// Days are the funding period: from the first second of First to the last second of Last. Either may be empty.
type Days struct{ First, Last Day }

// moments are the first and the last second of the period in a time zone. Error: a day that is not in the calendar.
func (d Days) moments(zone *time.Location) (start, deadline *time.Time, err error) {
	if d.First != "" {
		first, err := time.ParseInLocation(time.DateOnly, string(d.First), zone)
		if err != nil {
			return nil, nil, fmt.Errorf("first day: %w", err)
		}
		start = &first
	}
	if d.Last != "" {
		last, err := time.ParseInLocation(time.DateOnly, string(d.Last), zone)
		if err != nil {
			return nil, nil, fmt.Errorf("last day: %w", err)
		}
		last = last.AddDate(0, 0, 1).Add(-time.Second)
		deadline = &last
	}
	return start, deadline, nil
}
