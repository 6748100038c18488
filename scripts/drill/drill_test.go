//go:build unix

package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/rig"
)

// One platform for both: a drill that ends well, and pledges that did not end as their backers were told.
func TestDrill(t *testing.T) {
	r, err := rig.Start(t.Context(), rig.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Stop(); err != nil {
			t.Error(err)
		}
	})

	t.Run("kill -9 under load ends in order", func(t *testing.T) {
		o := options{quick: true, only: "kill-any", pledges: 20, kills: 2, seed: 7}
		got := perform(t.Context(), r, o, o.choose(drills(o))[0])
		if got.err != nil || got.breaks != 2 || got.accepted < 20 || got.paid == 0 || got.checks == 0 {
			t.Errorf("%+v", got)
		}
	})

	t.Run("a card that was charged for nothing is found", func(t *testing.T) {
		l, err := newLoad(t.Context(), r, "judge", rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		v := &browser.Visitor{Site: r.Site}
		made, err := v.Pledge(t.Context(), l.campaigns[0].ID, "drill-judge", browser.NewPledge{Amount: "5",
			Meta: browser.PledgeMeta{Email: "a@posti.example", FirstName: "Aino", LastName: "K"}})
		if err != nil {
			t.Fatal(err)
		}
		l.pledges = []accepted{{id: made.ID}}
		if _, err := l.judge(t.Context()); err == nil {
			t.Error("a pledge that waits for ever is taken for ended")
		}
		if err := v.Release(t.Context(), made.ID); err != nil {
			t.Fatal(err)
		}
		if tally, err := l.judge(t.Context()); err != nil || tally.expired != 1 {
			t.Errorf("%+v, %v", tally, err)
		}
		l.pledges[0].taken = true
		if _, err := l.judge(t.Context()); err == nil || !strings.Contains(err.Error(), made.ID) {
			t.Errorf("error %v", err)
		}
	})
}

func TestFailedDrillFailsTheRun(t *testing.T) {
	if err := report([]result{{drill: drill{name: "one"}}, {drill: drill{name: "two"}, err: errors.New("a finding")}}); err == nil {
		t.Error("no error")
	}
	if err := run(context.Background(), options{only: "no such drill"}); err == nil {
		t.Error("an unknown drill is no error")
	}
}
