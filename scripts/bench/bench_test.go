//go:build unix

package main

import (
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestStatementsOfOneSenderAreReadWithTheirParameters(t *testing.T) {
	log := "@@other@LOG:  execute <unnamed>: SELECT 1\n" +
		"@@content serve@LOG:  execute stmtcache_1/2: SELECT *\n\tFROM pledges\n\tWHERE id = $1 AND at < $2 AND x = $10\n" +
		"@@content serve@DETAIL:  Parameters: $1 = 'it''s', $2 = '2026-01-01 10:00:00', $10 = NULL\n" +
		"@@content serve@LOG:  statement: commit\n" +
		"@@@LOG:  checkpoint starting: time\n"
	got, err := statements(log, "content serve")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`SELECT *` + "\n" + `FROM pledges` + "\n" + `WHERE id = E'it''s' AND at < E'2026-01-01 10\07200\07200' AND x = NULL`, "commit"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if _, err := statements(log, "nobody"); err == nil {
		t.Error("a sender without statements is no error")
	}
}

func TestScriptWritesAnIDOfItsOwnInEachRun(t *testing.T) {
	got := withUniqueID([]string{"INSERT INTO a VALUES (E'one', E'more than one')", "SELECT unnest(E'{one}'::text[])"},
		"one")
	want := []string{anyNumber, "INSERT INTO a VALUES (" + unique + ", E'more than one')", "SELECT unnest(ARRAY[" +
		unique + "]::text[])"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestScriptHasAColonOnlyBeforeItsVariables(t *testing.T) {
	got := oneLine([]string{anyNumber, `SELECT to_char(at, 'HH24:MI "it''s \d"') FROM a
		WHERE id = :id AND b = E'10\07200' AND c = 'plain' AND d = '[]'::jsonb`})
	want := []string{anyNumber, `SELECT to_char(at, E'HH24\072MI "it''s \\d"') FROM a ` +
		`WHERE id = :id AND b = E'10\07200' AND c = 'plain' AND d = '[]'::jsonb;`}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestReferenceCountsTheLastSecondsOnly(t *testing.T) {
	out :=
		"progress: 1.0 s, 10.0 tps, lat 1 ms\nprogress: 2.0 s, 100.0 tps, lat 1 ms\nprogress: 3.0 s, 200.5 tps, lat 1 ms\n"
	if got, err := lastSeconds(out, 2); err != nil || got != 150.25 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := lastSeconds(out, 4); err == nil {
		t.Error("too few reports are no error")
	}
}

// answering serves with a handler and returns its address.
func answering(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func TestOpenLoadCountsAStallForAllWhoWouldHaveComeDuringIt(t *testing.T) {
	var answered atomic.Int64
	address := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		if answered.Add(1) == 1 {
			time.Sleep(200 * time.Millisecond) // the stall itself
		}
	})
	l, err := open(t.Context(), address, 1, 100, 300*time.Millisecond, func(*rand.Rand) []byte { return get("/") })
	if err != nil {
		t.Fatal(err)
	}
	waited := 0
	for _, d := range l.latencies {
		if d > 50*time.Millisecond {
			waited++
		}
	}
	if waited < 10 {
		t.Errorf("%d of %d waited for the stall, want those of 150 ms at 100 a second", waited, len(l.latencies))
	}
}

func TestLoadWithARefusedRequestFails(t *testing.T) {
	address := answering(t, func(w http.ResponseWriter,
		_ *http.Request) {
		http.Error(w, "no", http.StatusTooManyRequests)
	})
	_, err := closed(t.Context(), address, 2, 50*time.Millisecond, func(*rand.Rand) []byte { return get("/x") })
	if err == nil || !strings.Contains(err.Error(), "429") {
		t.Errorf("error %v", err)
	}
}

func TestWireReadsChunkedAnswers(t *testing.T) {
	address := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		for _, part := range []string{"one ", "two ", "three"} {
			_, _ = w.Write([]byte(part))
			w.(http.Flusher).Flush()
		}
	})
	w, err := dial(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func(c net.Conn) { _ = c.Close() }(w.conn)
	for range 2 {
		body, err := w.do(get("/"), true)
		if err != nil || string(body) != "one two three" {
			t.Errorf("got %q, %v", body, err)
		}
	}
}

func TestRatioBelowItsBarIsReportedAsMissed(t *testing.T) {
	var out strings.Builder
	all := &table{}
	all.atLeast("fast enough", 80, 100, 0.8, "req/s", "reference")
	all.atLeast("too slow", 79, 100, 0.8, "req/s", "reference")
	all.slower("too late", 6*time.Millisecond, time.Millisecond, 5, "reference")
	if err := all.write(&out); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(out.String()), "\n")[2:]
	for i, want := range []string{"yes", "no", "no"} {
		if !strings.HasSuffix(rows[i], "| "+want+" |") {
			t.Errorf("%s, want %s", rows[i], want)
		}
	}
}
