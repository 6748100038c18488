package zone

import "time"

// IsWorkingDay reports whether Finnish offices are open on a day. Public holidays are those of the Church Act, of May
// Day and of Independence Day; on the eves of midsummer and Christmas nobody works either, though no law says so.
func IsWorkingDay(day time.Time) bool {
	if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
		return false
	}
	year, month, date := day.Date()
	switch (monthDay{month, date}) {
	case monthDay{time.January, 1}, monthDay{time.January, 6}, monthDay{time.May, 1}, monthDay{time.December, 6},
		monthDay{time.December, 24}, monthDay{time.December, 25}, monthDay{time.December, 26}:
		return false
	}
	if month == time.June && day.Weekday() == time.Friday && date >= 19 && date <= 25 { // midsummer's eve
		return false
	}
	sinceEaster := int(time.Date(year, month, date, 0, 0, 0, 0, time.UTC).Sub(easter(year)).Hours() / 24)
	return sinceEaster != -2 && sinceEaster != 1 && sinceEaster != 39 // Good Friday, Easter Monday, Ascension Day
}

type monthDay struct {
	month time.Month
	day   int
}

// easter is Easter Sunday, by the Gregorian computus of Meeus, Jones and Butcher.
func easter(year int) time.Time {
	a, b, c := year%19, year/100, year%100
	h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
	n := h + l - 7*((a+11*h+22*l)/451) + 114
	return time.Date(year, time.Month(n/31), n%31+1, 0, 0, 0, 0, time.UTC)
}
