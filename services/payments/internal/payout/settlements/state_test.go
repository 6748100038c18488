package settlements_test

import (
	"testing"

	"talkoot.fi/payments/internal/payout/settlements"
)

// The whole table: what is not here cannot happen.
func TestNext_IsThisTable(t *testing.T) {
	t.Parallel()
	want := map[[2]string]settlements.State{
		{"", "begun"}:          "counting",
		{"counting", "frozen"}: "proposed", {"proposed", "frozen"}: "proposed", {"approved", "frozen"}: "proposed",
		{"proposed", "agreed"}: "approved",
		{"counting", "voided"}: "void", {"proposed", "voided"}: "void", {"approved", "voided"}: "void",
		{"approved", "all_booked"}: "booked",
		{"booked", "asked"}:        "sending", {"booked", "none_left"}: "paid",
		{"sending", "arrived"}: "sent", {"sending", "refused"}: "booked",
		{"sent", "asked_out"}: "paying", {"sent", "none_left"}: "paid",
		{"paying", "paid_out"}: "paid", {"paying", "out_failed"}: "sent",
		{"paid", "came_back"}: "sent",
	}
	for _, from := range []string{"", "counting", "proposed", "approved", "booked", "sending", "sent", "paying", "paid", "void"} {
		for _, event := range []string{"begun", "frozen", "agreed", "all_booked", "asked", "refused", "arrived", "asked_out", "out_failed", "paid_out", "came_back",
			"none_left", "voided"} {
			to, can := settlements.Next(settlements.State(from), settlements.Event(event))
			if w, is := want[[2]string{from, event}]; can != is || to != w {
				t.Errorf("%s after %q: %q (%t), want %q", event, from, to, can, w)
			}
		}
	}
}
