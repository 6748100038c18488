package main

import (
	"errors"
	"testing"

	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/paymentstest"
)

// A command is done by somebody who answers for money, under their name, or not at all. The first is appointed by anybody, all others by another.
func TestCommands_AreDoneByOperatorsAlone(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	for _, step := range []struct {
		line string
		want error
	}{
		{"switch -provider stripe -off -actor maija -note x", desk.ErrNoOperator}, // there is none
		{"operator -user 900 -name maija -off -actor root -note x", desk.ErrNoOperator},
		{"operator -user 900 -name maija -on -actor root -note x", nil}, // somebody has to be the first
		{"operator -user 901 -name root -on -actor root -note x", desk.ErrNoOperator},
		{"switch -provider stripe -off -actor root -note x", desk.ErrNoOperator},
		{"switch -provider stripe -off -actor aino -note x", desk.ErrNoOperator},
		{"switch -provider stripe -off -actor MAIJA -note x", nil},
		{"operator -user 901 -name maija -on -actor maija -note x", desk.ErrOwnAppointment}, // a second account of theirs
		{"operator -user 900 -name maija -on -actor maija -note x", nil},                    // it is already
		{"operator -user 902 -name aino -on -actor maija -note x", nil},
		{"operator -user 901 -name maija -on -actor aino -note x", nil},
		{"operator -user 902 -name aino -off -actor maija -note x", nil},
		{"switch -provider stripe -on -actor aino -note x", desk.ErrNoOperator}, // not any more
		{"operator -user 900 -name maija -off -actor maija -note x", nil},
		{"switch -provider stripe -on -actor maija -note x", nil}, // by their other account
		{"operator -user 901 -name maija -off -actor maija -note x", nil},
		{"operator -user 902 -name aino -on -actor root -note x", nil}, // nobody is left
	} {
		if _, err := settling(t, w, step.line); !errors.Is(err, step.want) || (err == nil) != (step.want == nil) {
			t.Errorf("%s: %v, want %v", step.line, err, step.want)
		}
	}
	if n := w.Count(`provider_switches WHERE actor = 'maija'`); n != 2 || w.Count("provider_switches") != 2 {
		t.Errorf("%d switches by their own name of %d", n, w.Count("provider_switches"))
	}
}

// Two approvals at the command line are two operators': nobody approves under a name that is nobody's.
func TestSettle_ByCommands_IsApprovedByOperatorsAlone(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Paid()
	w.EndCampaign("reached", "creator")
	w.Settle()
	appointed(t, w, "maija")
	if _, err := settling(t, w, "settle -campaign 7 -actor maija -note x"); err != nil {
		t.Fatal(err)
	}
	id := ""
	w.Scan(&id, `SELECT id FROM settlement_runs`)
	if _, err := settling(t, w, "settle -approve "+id+" -hash 0123456789ab -actor aino -note x"); !errors.Is(err, desk.ErrNoOperator) {
		t.Errorf("approved by nobody: %v", err)
	}
}
