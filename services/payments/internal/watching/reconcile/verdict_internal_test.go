package reconcile

import (
	"testing"
	"time"
)

// Two sums that agree are believed; money of another system is in what the provider says, and not in the book.
func TestVerdict_NamesTheOneOfThreeThatDiffers(t *testing.T) {
	t.Parallel()
	of := func(minor int64) *int64 { return &minor }
	for name, c := range map[string]struct {
		book, objects, foreign int64
		balance                *int64
		want                   Verdict
	}{
		"all agree":                             {100, 100, 0, of(100), Agrees},
		"nothing anywhere":                      {0, 0, 0, of(0), Agrees},
		"below zero":                            {-50, -50, 0, of(-50), Agrees},
		"another system's money beside":         {100, 170, 70, of(170), Agrees},
		"the book":                              {90, 100, 0, of(100), BookDiffers},
		"the book, another's money beside":      {90, 170, 70, of(170), BookDiffers},
		"what is listed":                        {100, 110, 0, of(100), ObjectsDiffer},
		"what is listed, another's beside":      {100, 180, 70, of(170), ObjectsDiffer},
		"the balance":                           {100, 100, 0, of(110), BalanceDiffers},
		"each":                                  {100, 110, 0, of(120), AllDiffer},
		"the balance moved":                     {100, 100, 0, nil, UnknownBalance},
		"the balance moved, and the book lacks": {90, 100, 0, nil, BookDiffers},
	} {
		if got := verdictOf(c.book, c.objects, c.foreign, c.balance); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// The next comparison goes on from the last day that is kept before its first: what moves on a day that was left out would be missing from then on.
func TestRows_OfAPlaceThatWasCompared_LeaveNoDayOutAlsoWhenItIsEmptied(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, time.March, 3, 0, 0, 0, 0, time.UTC)
	at := spot{"repudiation", "EUR"}
	c := placesDays{cuts: []time.Time{first}, now: map[spot]int64{at: 0},
		book: map[spot]ends{at: {-700, 700, 0, 0, 0}}, lines: map[spot]ends{at: {0, 700, 0, 0, 0}}, foreign: map[spot]ends{}}
	for i := range 3 {
		c.days, c.cuts = append(c.days, first.AddDate(0, 0, i)), append(c.cuts, first.AddDate(0, 0, i+1))
	}
	c.before = map[spot]balanceDay{at: {Place: at.place, Currency: at.currency, Day: first.AddDate(0, 0, -1), BookMinor: -700, ObjectsMinor: -700}}
	rows := c.rows(at, false, first)
	if len(rows) != len(c.days) {
		t.Fatalf("%d of %d days are kept: %+v", len(rows), len(c.days), rows)
	}
	for i, r := range rows {
		if !r.Day.Equal(c.days[i]) || r.BookMinor != 0 || r.ObjectsMinor != 0 {
			t.Errorf("%+v", r)
		}
	}
}
