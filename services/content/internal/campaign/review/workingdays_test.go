package review

import (
	"testing"
	"time"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/zone"
)

func TestAnswerBy_IsTwoFinnishWorkingDaysLater(t *testing.T) {
	helsinki, err := zone.Load()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		asked string
		want  campaigns.Day
	}{
		"within a week":                        {"2026-11-17T12:00:00+02:00", "2026-11-19"},
		"over a weekend":                       {"2026-11-19T16:40:00+02:00", "2026-11-23"},
		"asked on a Saturday":                  {"2026-11-21T09:00:00+02:00", "2026-11-24"},
		"in Helsinki it is tomorrow already":   {"2026-11-16T22:30:00Z", "2026-11-19"},
		"Christmas, its eve and Boxing Day":    {"2026-12-22T12:00:00+02:00", "2026-12-28"},
		"New Year and Epiphany":                {"2025-12-31T12:00:00+02:00", "2026-01-05"},
		"over Epiphany":                        {"2026-01-05T12:00:00+02:00", "2026-01-08"},
		"Easter 2026: Good Friday and Monday":  {"2026-04-02T12:00:00+03:00", "2026-04-08"},
		"Easter 2027":                          {"2027-03-25T12:00:00+02:00", "2027-03-31"},
		"May Day on a Friday":                  {"2026-04-30T12:00:00+03:00", "2026-05-05"},
		"Ascension Day 2026":                   {"2026-05-13T12:00:00+03:00", "2026-05-18"},
		"midsummer's eve 2026":                 {"2026-06-18T12:00:00+03:00", "2026-06-23"},
		"Independence Day on a Monday in 2027": {"2027-12-03T12:00:00+02:00", "2027-12-08"},
	} {
		asked, err := time.Parse(time.RFC3339, c.asked)
		if err != nil {
			t.Fatal(err)
		}
		if got := AnswerBy(asked, helsinki); got != c.want {
			t.Errorf("%s: asked %s, answer by %s, want %s", name, c.asked, got, c.want)
		}
	}
}
