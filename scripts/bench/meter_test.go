//go:build unix

package main

import (
	"strings"
	"testing"
	"time"
)

func TestSessionIsOfWhomItsTitleSays(t *testing.T) {
	for title, want := range map[string][2]string{
		"postgres: talkoot talkoot_content 127.0.0.1(38434) INSERT\x00":         {"talkoot", "talkoot_content"},
		"postgres: talkoot_payments_service talkoot_payments 127.0.0.1(1) idle": {"talkoot_payments_service", "talkoot_payments"},
		"postgres: checkpointer ":                                                         {},
		"postgres: autovacuum worker talkoot_content":                                     {},
		"postgres: parallel worker for PID 17":                                            {},
		"/usr/lib/postgresql/15/bin/postgres -D /data -c listen_addresses=127.0.0.1 -p 1": {},
	} {
		if user, database := titleOf(title); user != want[0] || database != want[1] {
			t.Errorf("%q is %q on %q", title, user, database)
		}
	}
}

// What ends meanwhile is in the server's sum alone; a session that began meanwhile counts whole.
func TestSessionsThatBeganOrEndedAreCountedOnce(t *testing.T) {
	before := reading{postgres: 100 * time.Second, sessions: map[int]session{1: {"talkoot_content", 10 * time.Second}, 2: {"talkoot_payments", 20 * time.Second}}}
	after := reading{postgres: 112 * time.Second, sessions: map[int]session{1: {"talkoot_content", 13 * time.Second}, 3: {"talkoot_payments", 4 * time.Second}}}
	u := after.since(before)
	if u.postgres != [2]time.Duration{3 * time.Second, 4 * time.Second} || u.postgresRest != 5*time.Second {
		t.Errorf("sessions %v, the rest %s", u.postgres, u.postgresRest)
	}
}

func TestUnitIsWhatIsLeftWithoutWhatNobodyUses(t *testing.T) {
	idle := usage{cpu: [len(costly)]time.Duration{time.Millisecond}, wal: 10, xids: 1, provider: 2, statements: [2]float64{3, 4}}
	all := usage{cpu: [len(costly)]time.Duration{110 * time.Millisecond}, wal: 1100, xids: 30, provider: 120, statements: [2]float64{130, 240}}
	got := all.plus(idle.times(-10)).times(0.1)
	if got.cpu[0] != 10*time.Millisecond || got.wal != 100 || got.xids != 2 || got.provider != 10 || got.statements != [2]float64{10, 20} {
		t.Errorf("got %+v", got)
	}
}

func TestTableOfUnitsHasWhatEachRowThatStaysTakes(t *testing.T) {
	var out strings.Builder
	err := writeUnits(&out, []unit{{name: "pledge", n: 10, usage: usage{wal: 50_000}, rows: map[string]rowChange{"payments.entries": {40, 40}}}},
		map[string]float64{"payments.entries": 250})
	if err != nil || !strings.Contains(out.String(), "| pledge | 0 | 0 | 0 | 0 | 5.0 | 0 | 0 | 0 | 0 | 0 | 4.0 | 1.0 |") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
