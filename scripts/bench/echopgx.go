//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v4"
)

// echoPgxEnv names the file of what this program does when it is started as the reference that also asks the database.
const echoPgxEnv = "BENCH_ECHO_PGX_FILE"

// echoPgx is the reference for answers that need the database: Echo with no middleware, and one handler that runs the statements of a request by
// pgx and answers the bytes of its answer. It says what HTTP and a driver of this language cost, which pgbench has not.
type echoPgx struct {
	URL   string // of the database
	Parts []part
}

// part is what one request causes and is answered; any of them is drawn.
type part struct {
	Script []string
	Body   []byte
}

// prepared is a statement with its parameters, which are numbers that are drawn anew for each request.
type prepared struct {
	sql   string
	draws []int // of the numbers of its script
}

type readyPart struct {
	numbers    []interval
	statements []prepared
	body       []byte
}

// interval is what a number is drawn from, evenly or by Zipf's law.
type interval struct {
	low, high int64
	isZipf    bool
}

// zipf is the law by which visitors choose a campaign.
const zipf = 1.001

func (n interval) draw() int64 {
	if n.isZipf {
		random := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))                      //nolint:gosec // not a secret
		return n.low + int64(rand.NewZipf(random, zipf, 1, uint64(n.high-n.low)).Uint64()) //nolint:gosec // within what an id can be
	}
	return n.low + rand.Int64N(n.high-n.low+1) //nolint:gosec // not a secret
}

// variable is where a script uses a number that it has drawn; a cast has two colons.
var variable = regexp.MustCompile(`(^|[^:]):([a-z]+)\b`)

// ready has the statements of a part be prepared once, whatever numbers they are run with.
func (p part) ready() readyPart {
	r := readyPart{body: p.Body}
	names := map[string]int{}
	for _, line := range p.Script {
		if m := setting.FindStringSubmatch(line); m != nil {
			low, _ := strconv.ParseInt(m[2], 10, 64) // digits, and few enough
			high, _ := strconv.ParseInt(m[3], 10, 64)
			names[m[1]] = len(r.numbers)
			r.numbers = append(r.numbers, interval{low, high, strings.Contains(line, "zipfian")})
			continue
		}
		var one prepared
		at := map[string]int{} // of its parameters
		one.sql = variable.ReplaceAllStringFunc(line, func(found string) string {
			m := variable.FindStringSubmatch(found)
			number, isDrawn := names[m[2]]
			if !isDrawn {
				return found
			}
			if at[m[2]] == 0 {
				one.draws = append(one.draws, number)
				at[m[2]] = len(one.draws)
			}
			return m[1] + "$" + strconv.Itoa(at[m[2]])
		})
		r.statements = append(r.statements, one)
	}
	return r
}

func serveEchoPgx(ctx context.Context, file, address string) error {
	text, err := os.ReadFile(file) //nolint:gosec // our own temporary file
	if err != nil {
		return fmt.Errorf("read what to ask: %w", err)
	}
	var o echoPgx
	if err := json.Unmarshal(text, &o); err != nil {
		return fmt.Errorf("read what to ask: %w", err)
	}
	config, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	config.MaxConns = poolSize
	config.ConnConfig.StatementCacheCapacity = 10_000
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	defer pool.Close()
	parts := make([]readyPart, len(o.Parts))
	for i, p := range o.Parts {
		parts[i] = p.ready()
	}
	return serveBare(ctx, address, func(c echo.Context) error {
		p := parts[rand.IntN(len(parts))] //nolint:gosec // not a secret
		if err := pool.AcquireFunc(c.Request().Context(), p.run); err != nil {
			return err
		}
		return answer(c, p.body)
	})
}

// run sends the statements one after the other and reads what they give.
func (p readyPart) run(conn *pgxpool.Conn) error {
	ctx := context.Background() // nobody gives a request of the reference up
	numbers := make([]string, len(p.numbers))
	for i, n := range p.numbers {
		numbers[i] = strconv.FormatInt(n.draw(), 10)
	}
	for _, s := range p.statements {
		args := make([]any, len(s.draws))
		for i, number := range s.draws {
			args[i] = numbers[number]
		}
		rows, err := conn.Query(ctx, s.sql, args...)
		if err != nil {
			return fmt.Errorf("ask: %w", err)
		}
		for rows.Next() {
			_ = rows.RawValues()
		}
		if err := rows.Err(); err != nil {
			return fmt.Errorf("ask: %w", err)
		}
	}
	return nil
}

// besideEchoPgx adds a row that measures requests against that reference, which draws from what as many of ours cause.
func (b *bench) besideEchoPgx(ctx context.Context, name string, ask next, parts []part, unit string) error {
	text, err := json.Marshal(echoPgx{b.harness.Env["CONTENT_DATABASE_URL"], parts})
	if err != nil {
		return fmt.Errorf("write what to ask: %w", err)
	}
	address, stop, err := startSelf(ctx, echoPgxEnv, filepath.Join(b.harness.DataDir, "echopgx.json"), text)
	if err != nil {
		return err
	}
	defer stop()
	reference := func(length time.Duration) (float64, error) {
		l, err := closed(ctx, address, poolSize, length, func(*rand.Rand) []byte { return get("/") })
		return l.perSecond, err
	}
	if _, err := reference(preparing); err != nil { // each connection prepares each statement once, as those of the service have
		return err
	}
	ours, theirs, err := b.turns(b.loadContent(ctx, ask), reference)
	if err == nil {
		b.table.atLeast(name, ours, theirs, 0.85, unit, "Echo + pgx")
	}
	return err
}

// answered pairs scripts with what the request of each is answered.
func (b *bench) answered(ctx context.Context, scripts [][]string, request func(n int) []byte) (parts []part, err error) {
	w, err := dial(ctx, b.content())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.conn.Close()) }()
	for n, script := range scripts {
		body, err := w.do(request(n), true)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{script, slices.Clone(body)})
	}
	return parts, nil
}
