//go:build unix

package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/harness"
)

// One platform serves both: a drill that passes, and a pledge whose end contradicts what its backer observed.
func TestDrill(t *testing.T) {
	r, err := harness.Start(t.Context(), harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Stop(); err != nil {
			t.Error(err)
		}
	})

	t.Run("kill -9 under load passes the audit", func(t *testing.T) {
		o := options{quick: true, only: "kill-any", pledges: 20, kills: 2, seed: 7}
		got := perform(t.Context(), r, o, o.choose(drills(o))[0])
		if got.err != nil || got.breaks != 2 || got.accepted < 20 || got.paid == 0 || got.chargedB == 0 || got.checks == 0 {
			t.Errorf("%v\n%+v", got.err, got)
		}
	})

	t.Run("kill -9 of the worker while months fall due passes the audit", func(t *testing.T) {
		o := options{quick: true, only: "kill-renewals", pledges: 5, months: 20, kills: 3, seed: 7}
		got := perform(t.Context(), r, o, o.choose(drills(o))[0])
		if got.err != nil || got.breaks != 3 || got.renewals.renewed < 6 || got.renewals.refused != 5 || got.renewals.ended == 0 {
			t.Errorf("%v\n%+v, %v", got.err, got, got.renewals)
		}
	})

	t.Run("provider B switched off and on under load passes the audit", func(t *testing.T) {
		o := options{only: "mangopay-switched", pledges: 20, seed: 7}
		got := perform(t.Context(), r, o, o.choose(drills(o))[0])
		if got.err != nil || got.breaks != 2 || got.chargedB == 0 {
			t.Errorf("%v\n%+v", got.err, got)
		}
	})

	t.Run("a campaign that has failed gives each pledge back once", func(t *testing.T) {
		o := options{only: "mass-refund", refunds: 25, seed: 7}
		got := perform(t.Context(), r, o, o.choose(drills(o))[0])
		if got.err != nil || got.returned != 25 || got.checks == 0 {
			t.Errorf("%v\n%+v", got.err, got)
		}
	})

	t.Run("a charge that the backer was not told of is found", func(t *testing.T) {
		l, err := newLoad(t.Context(), r, "judge", rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		b := &backer{load: l, Visitor: &browser.Visitor{Site: r.Site}, campaign: l.campaigns[0]}
		p, err := b.pledge(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.judge(t.Context()); err == nil {
			t.Error("a pledge that waits for ever is taken for ended")
		}
		if err := b.pay(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		if _, err := b.AwaitStatus(t.Context(), p.id, patience, "paid"); err != nil {
			t.Fatal(err)
		}
		if tally, err := l.judge(t.Context()); err != nil || tally.paid != 1 {
			t.Errorf("%+v, %v", tally, err)
		}
		p.taken = false
		if _, err := l.judge(t.Context()); err == nil || !strings.Contains(err.Error(), p.id) {
			t.Errorf("error %v", err)
		}
	})
}

func TestJudge_EndingsThatContradictObservations_AreFound(t *testing.T) {
	none, once := harness.Money{}, harness.Money{Charges: 1, Charged: 2500}
	back := harness.Money{Charges: 1, Charged: 2500, Returned: 2500}
	part := harness.Money{Charges: 1, Charged: 2500, Returned: 1000}
	gone := harness.Money{Charges: 1, Charged: 2500, Disputed: 2500}
	twice := harness.Money{Charges: 2, Charged: 5000}
	secondBack := harness.Money{Charges: 2, Charged: 5000, Returned: 2500}
	for name, c := range map[string]struct {
		told   observation
		agrees []ending
	}{
		"never paid":               {observation{}, []ending{{"expired", none}}},
		"paid":                     {observation{taken: true}, []ending{{"paid", once}, {"paid", secondBack}}},
		"its bank refused a debit": {observation{refused: true}, []ending{{"failed", none}}},
		"never heard":              {observation{lost: true}, []ending{{"expired", none}, {"paid", once}, {"paid", secondBack}}},
		"given up":                 {observation{released: true}, []ending{{"expired", none}}},
		"given up, never heard":    {observation{released: true, lost: true}, []ending{{"expired", none}, {"refunded", back}}},
		"given up, paid":           {observation{released: true, taken: true}, []ending{{"refunded", back}}},
		"given up and over":        {observation{released: true, over: true, lost: true}, []ending{{"expired", none}}},
		"all refunded":             {observation{taken: true, refunded: 2500}, []ending{{"refunded", back}}},
		"a part refunded":          {observation{taken: true, refunded: 1000}, []ending{{"partly_refunded", part}}},
		"a dispute that was won":   {observation{taken: true, decision: "won"}, []ending{{"paid", once}, {"paid", secondBack}}},
		"a dispute that was lost":  {observation{taken: true, decision: "lost"}, []ending{{"disputed", gone}}},
		"a dispute that is open":   {observation{taken: true, decision: "open"}, []ending{{"disputed", gone}}},
	} {
		c.told.minor = 2500
		for _, status := range []string{"", "created", "awaiting_payment", "expired", "failed", "paid", "refunded", "partly_refunded",
			"disputed"} {
			for _, money := range []harness.Money{none, once, back, part, gone, twice, secondBack} {
				e := ending{status, money}
				if fault := c.told.fault(e); (fault == nil) != slices.Contains(c.agrees, e) {
					t.Errorf("%s: %+v: %v", name, e, fault)
				}
			}
		}
	}
}

func TestRenewals_MonthsThatContradictWhatWasTold_AreFound(t *testing.T) {
	once := harness.Money{Charges: 1, Charged: 500, At: 1000}
	twice, back := harness.Money{Charges: 2, Charged: 1000, At: 1000}, harness.Money{Charges: 1, Charged: 500, Returned: 500, At: 1000}
	early, late := time.Unix(900, 0), time.Unix(1100, 0)
	for name, c := range map[string]struct {
		told   supporter
		agrees []harness.Money // of the second month
	}{
		"nothing said":          {supporter{}, []harness.Money{once}},
		"another level":         {supporter{act: "modify-level", toldAt: early}, []harness.Money{once}},
		"a bank that refuses":   {supporter{bank: "4000000000009987"}, []harness.Money{{}}},
		"cancelled before":      {supporter{act: "cancel", toldAt: early}, []harness.Money{{}, back}},
		"cancelled afterwards":  {supporter{act: "cancel", toldAt: late}, []harness.Money{{}, back, once}},
		"left out before":       {supporter{act: "skip", toldAt: early}, []harness.Money{{}, back}},
		"could not be left out": {supporter{act: "skip"}, []harness.Money{once}},
	} {
		for _, second := range []harness.Money{{}, once, twice, back} {
			r := &renewals{}
			if fault := r.fault(&c.told, [2]harness.Money{once, second}); (fault == nil) != slices.Contains(c.agrees, second) {
				t.Errorf("%s: %+v: %v", name, second, fault)
			}
		}
		if (&renewals{}).fault(&c.told, [2]harness.Money{}) == nil {
			t.Errorf("%s: the first month is missing, and nobody minds", name)
		}
	}
}

func TestFailedDrillFailsTheRun(t *testing.T) {
	if err := report([]result{{drill: drill{name: "one"}},
		{drill: drill{name: "two"}, err: errors.New("a finding")}}); err == nil {
		t.Error("no error")
	}
	if err := run(context.Background(), options{only: "no such drill"}); err == nil {
		t.Error("an unknown drill is no error")
	}
}
