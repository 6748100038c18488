//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/harness"
)

// In the test, three campaigns have backers: many who pay side by side; few, some of whom pay later than the others; and
// monthly supporters.
const (
	manyBackers = "njuolla-ja-revontulten-nuotit"
	fewBackers  = "lyktstigen-i-ekenas"
	supporters  = "laskettua"
)

func TestRun_GoesOnWhereItStopped(t *testing.T) {
	platform, err := harness.Start(t.Context(), harness.Options{Seed: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := platform.Stop(); err != nil {
			t.Error(err)
		}
	})
	demo := threeCampaigns(t, platform)
	paidFile := filepath.Join(t.TempDir(), "paid.txt")
	visit := &crowd{site: platform.Direct}
	read, err := readDemo(demo)
	if err != nil {
		t.Fatal(err)
	}
	queues, err := visit.queues(t.Context(), read)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, q := range queues {
		total += len(q.backers)
	}

	// The first run is broken off after a while, when some have paid, some are about to and some have not begun.
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for len(linesOf(paidFile)) < total/3 && ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
	}()
	if err := run(ctx, platform.Direct, demo, paidFile, io.Discard); !errors.Is(err, context.Canceled) {
		t.Fatalf("the run that was broken off: %v", err)
	}
	noted := linesOf(paidFile)
	if len(noted) < total/3 || len(noted) == total {
		t.Fatalf("%d of %d have paid, the test needs some", len(noted), total)
	}
	// As if it had been killed before it noted three payments, in the middle of the last line.
	cutOff := strings.Join(noted[:len(noted)-3], "\n") + "\n" + noted[len(noted)-3][:9]
	if err := os.WriteFile(paidFile, []byte(cutOff), 0o600); err != nil {
		t.Fatal(err)
	}
	// A pledge that was begun is released, as if it had expired between the runs.
	few := queues[slices.IndexFunc(queues, func(q queue) bool { return q.slug == fewBackers })]
	last := few.backers[len(few.backers)-1]
	v := &browser.Visitor{Site: platform.Direct, Language: last.language, Address: last.visitorIP}
	pledge, err := v.Pledge(t.Context(), few.campaignID, last.key, last.form())
	if err != nil {
		t.Fatal(err)
	}
	if pledge.Status == "created" {
		if err := v.Release(t.Context(), pledge.ID); err != nil {
			t.Fatal(err)
		}
	}

	for n := range 2 {
		var said strings.Builder
		if err := run(t.Context(), platform.Direct, demo, paidFile, &said); err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(said.String(), "\n")
		if want := fmt.Sprintf("Demo backers paid: %d of %d", []int{len(noted) - 3, total}[n], total); first != want {
			t.Errorf("run %d began with %q, want %q", n, first, want)
		}
		if want := fmt.Sprintf("Demo backers paid: %d of %d\n", total, total); !strings.HasSuffix(said.String(), want) {
			t.Errorf("run %d said %q, want %q at the end", n, said.String(), want)
		}
	}
	monthly := queues[slices.IndexFunc(queues, func(q queue) bool { return q.slug == supporters })].backers
	const reached = "SELECT count(*) FROM pledges WHERE status IN ('paid', 'processing')"
	if pledged := number(t, platform.Content, reached); pledged+len(monthly) != total {
		t.Errorf("%d pledges are paid, want %d", pledged, total-len(monthly))
	}
	for where, is := range map[string]func(planned) bool{
		"status = 'active'":   func(p planned) bool { return p.then == goesOn || p.then == ends },
		"ends_on IS NOT NULL": func(p planned) bool { return p.then == ends },
		"status = 'canceled'": func(p planned) bool { return p.then == stops },
		"status = 'paused'":   func(p planned) bool { return p.then == pauses },
		"anonymous":           func(p planned) bool { return p.anonymous },
	} {
		want := 0
		for _, p := range monthly {
			if is(p) {
				want++
			}
		}
		if n := eventually(t, platform.Content, "SELECT count(*) FROM subscriptions WHERE "+where, want); n != want || want == 0 {
			t.Errorf("of %d who support monthly, %s holds for %d, want %d and some", len(monthly), where, n, want)
		}
	}
	const charged = "SELECT count(*) FROM payments WHERE status IN ('succeeded', 'processing')"
	if n := number(t, platform.Payments, charged); n != total {
		t.Errorf("%d payments were made, want %d", n, total)
	}
}

func TestIsTooLate_NotForAFaultOfOurs(t *testing.T) {
	for status, want := range map[string]bool{"reward_gone": true, "campaign_not_open": true, "invalid_fields": false,
		"": false} {
		err := fmt.Errorf("pledge: %w", &browser.Problem{HTTPStatus: 409, Status: status})
		if got := isTooLate(err); got != want {
			t.Errorf("%q: %v", status, got)
		}
	}
}

// threeCampaigns is a folder of the demo content in which three campaigns have backers.
func threeCampaigns(t *testing.T, platform *harness.Harness) string {
	t.Helper()
	whole := platform.Env["DEMO_DIR"]
	part := t.TempDir()
	if err := os.Mkdir(filepath.Join(part, "campaigns"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"people.yaml", "campaigns/" + manyBackers + ".yaml", "campaigns/" + fewBackers + ".yaml",
		"campaigns/" + supporters + ".yaml"} {
		if err := os.Symlink(filepath.Join(whole, name), filepath.Join(part, name)); err != nil {
			t.Fatal(err)
		}
	}
	return part
}

func linesOf(path string) []string {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return strings.Fields(string(text))
}

// eventually asks for a number until it is as wanted: an end that lies ahead is told to the content service in a while.
func eventually(t *testing.T, db *pgxpool.Pool, sql string, want int) (n int) {
	t.Helper()
	for end := time.Now().Add(settleTime); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if n = number(t, db, sql); n == want {
			break
		}
	}
	return n
}

func number(t *testing.T, db *pgxpool.Pool, sql string) int {
	t.Helper()
	n, err := harness.Number(t.Context(), db, sql)
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}
