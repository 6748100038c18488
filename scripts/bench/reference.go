//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// maxScripts is how many different scripts pgbench takes (MAX_SCRIPTS of its source, less the one it has).
const maxScripts = 120

// unique is what a script writes where each run needs an id of its own, and anyNumber the line that draws it.
const (
	unique    = "lpad(:number::text, 26, '0')"
	anyNumber = `\set number random(1, 9000000000000000000)`
)

// setting is a script's line that draws a random number, in pgbench's language.
var setting = regexp.MustCompile(`^\\set (\w+) \w+\((\d+), (\d+)`)

// reference runs scripts of SQL as fast as the database can.
type reference struct {
	url string
	dir string // for scripts
	// program is pgbench; empty when the machine has none.
	program string
}

// newReference finds Debian's pgbench, or any on PATH.
func newReference(url, dir string) reference {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench") // the pattern is right
	slices.Sort(found)
	if len(found) > 0 {
		return reference{url, dir, found[len(found)-1]}
	}
	path, err := exec.LookPath("pgbench")
	if err != nil {
		path = ""
	}
	return reference{url, dir, path}
}

func (r reference) name() string {
	if r.program == "" {
		return "pgx loop (no pgbench here)"
	}
	return "pgbench"
}

// preparing is how long pgbench runs before it counts: each connection first prepares each script once, as a service
// does only after its start.
const preparing = 4 * time.Second

var progress = regexp.MustCompile(`progress: [0-9.]+ s, ([0-9.]+) tps`)

// run returns how many scripts a second poolSize clients get through. Their statements have their parameters written in
// and are planned once, so the reference never plans again, which a service sometimes has to.
func (r reference) run(ctx context.Context, scripts [][]string, length time.Duration) (float64, error) {
	if len(scripts) > maxScripts {
		return 0, fmt.Errorf("%d scripts are more than pgbench takes", len(scripts))
	}
	if r.program == "" {
		return r.loop(ctx, scripts, length)
	}
	clients := strconv.Itoa(poolSize)
	args := []string{"--no-vacuum", "--protocol=prepared", "--client=" + clients, "--jobs=2", "--progress=1",
		"--time=" + strconv.Itoa(int((preparing + length).Seconds()))}
	for n, script := range scripts {
		file := filepath.Join(r.dir, fmt.Sprintf("script-%d.sql", n))
		if err := os.WriteFile(file, []byte(strings.Join(oneLine(script), "\n")), 0o600); err != nil {
			return 0, fmt.Errorf("write script: %w", err)
		}
		args = append(args, "--file="+file)
	}
	cmd := exec.CommandContext(ctx, r.program, append(args, r.url)...) //nolint:gosec // pgbench, found above
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("pgbench: %w\n%.2000s", err, out)
	}
	return lastSeconds(string(out), int(length.Seconds()))
}

// lastSeconds is the mean of the last n of pgbench's reports, one a second.
func lastSeconds(out string, n int) (float64, error) {
	reports := progress.FindAllStringSubmatch(out, -1)
	if len(reports) < n || n == 0 {
		return 0, fmt.Errorf("pgbench reports %d seconds of %d:\n%.2000s", len(reports), n, out)
	}
	sum := 0.0
	for _, report := range reports[len(reports)-n:] {
		tps, err := strconv.ParseFloat(report[1], 64)
		if err != nil {
			return 0, fmt.Errorf("read pgbench's report: %w", err)
		}
		sum += tps
	}
	return sum / float64(n), nil
}

// quoted is a literal in SQL, with the E of one whose backslashes escape.
var quoted = regexp.MustCompile(`E?'(?:[^']|'')*'`)

// oneLine writes a script as pgbench reads it: a statement a line, and a colon only where one of its variables stands.
func oneLine(script []string) []string {
	lines := make([]string, len(script))
	for i, s := range script {
		s = quoted.ReplaceAllStringFunc(s, func(found string) string {
			if strings.HasPrefix(found, "E") || !strings.Contains(found, ":") {
				return found
			}
			return literal(found)
		})
		lines[i] = strings.TrimSuffix(strings.Join(strings.Fields(s), " "), ";")
		if !setting.MatchString(lines[i]) {
			lines[i] += ";"
		}
	}
	return lines
}

// loop is the reference on machines without pgbench: the same statements, sent by this process. It reaches fewer
// statements a second than pgbench, so ratios against it look better than they are.
func (r reference) loop(ctx context.Context, scripts [][]string, length time.Duration) (float64, error) {
	config, err := pgxpool.ParseConfig(r.url)
	if err != nil {
		return 0, fmt.Errorf("reference: %w", err)
	}
	config.MaxConns = poolSize
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return 0, fmt.Errorf("reference: %w", err)
	}
	defer pool.Close()
	deadline := time.Now().Add(length)
	var done atomic.Int64
	var mu sync.Mutex
	var fault error
	var all sync.WaitGroup
	for range poolSize {
		all.Go(func() {
			err := pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
				for time.Now().Before(deadline) {
					if err := once(ctx, c, scripts[rand.IntN(len(scripts))]); err != nil { //nolint:gosec // not a secret
						return err
					}
					done.Add(1)
				}
				return nil
			})
			mu.Lock()
			fault = errors.Join(fault, err)
			mu.Unlock()
		})
	}
	all.Wait()
	return float64(done.Load()) / length.Seconds(), fault
}

// once runs a script. Numbers are drawn evenly, whatever the script says.
func once(ctx context.Context, c *pgxpool.Conn, script []string) error {
	var drawn []string
	for _, line := range script {
		if m := setting.FindStringSubmatch(line); m != nil {
			low, _ := strconv.ParseInt(m[2], 10, 64) // digits, and few enough
			high, _ := strconv.ParseInt(m[3], 10, 64)
			drawn = append(drawn, ":"+m[1], strconv.FormatInt(low+rand.Int64N(high-low+1), 10)) //nolint:gosec // not a secret
			continue
		}
		if _, err := c.Exec(ctx, strings.NewReplacer(drawn...).Replace(line)); err != nil {
			return err
		}
	}
	return nil
}

// withUniqueID has a script write a new id wherever it wrote one of those that were captured.
func withUniqueID(script []string, captured ...string) []string {
	return drawing(script, anyNumber, unique, captured...)
}

// drawing has a script begin with a line that draws a number, and use it wherever it used one of the captured values,
// alone or as an array's only element.
func drawing(script []string, line, use string, captured ...string) []string {
	out := append([]string{line}, script...)
	for i := range out[1:] {
		for _, value := range captured {
			out[i+1] = strings.ReplaceAll(out[i+1], "E'"+value+"'", use)
			out[i+1] = strings.ReplaceAll(out[i+1], "E'{"+value+"}'", "ARRAY["+use+"]")
		}
	}
	return out
}
