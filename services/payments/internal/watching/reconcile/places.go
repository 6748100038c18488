package reconcile

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/provider"
)

const (
	daysBack = 3 // days that are compared anew, because providers book late
	// firstBack is how many days the first comparison of all begins before it.
	firstBack = 60
	// mostReads is how often a balance is asked for until nothing moves while the list is read.
	mostReads = 3
	// quietRead is how long nothing may have moved in a place until its balance is read all the same; mostQuiet is how many such are read at once.
	quietRead, mostQuiet = 7 * 24 * time.Hour, 200
)

// balances is what a provider has that says what is in a place.
type balances interface {
	Balance(ctx context.Context, place string) (provider.Held, error)
}

// spot is a place of our balance in a currency.
type spot struct{ place, currency string }

// ends are sums at the ends of the days that are compared, the start of the first before them, and what came after the last behind.
type ends []int64

// placesDays is a comparison of all places of a provider.
type placesDays struct {
	cuts    []time.Time // the start, and the end of each day
	days    []time.Time
	book    map[spot]ends
	lines   map[spot]ends // what moved until each cut since the one before; the first is empty
	foreign map[spot]ends
	before  map[spot]balanceDay // what the day before the first had
	now     map[spot]int64      // balances that were read
}

// places compares what was in each place of our balance at the end of the last days: by the book, by what the provider lists, and by what it says is
// there. A balance can only be asked for now, so what has moved since a day's end is taken off it; it counts only when it was the same before and after the
// list was read. So all three are of one moment, hours ago, whatever is under way now. Of all lines since the first of the days it is known which are foreign.
func (s *Service) places(ctx context.Context, p Provider, c *placesDays, foreign map[movement]bool) error {
	b, says := p.(balances)
	if !says {
		return nil
	}
	if err := s.bookOfPlaces(ctx, p.Name(), c); err != nil {
		return err
	}
	if err := s.readPlaces(ctx, p, b, foreign, c); err != nil {
		return err
	}
	return s.keepPlaces(ctx, p.Name(), c)
}

// daysToCompare are the last days, and those before them on which no worker ran.
func (s *Service) daysToCompare(ctx context.Context, name string) (*placesDays, error) {
	var row struct{ Last *time.Time }
	if err := s.db.WithContext(ctx).Raw(`SELECT max(day) AS last FROM balance_days WHERE provider = ?`, name).Scan(&row).Error; err != nil {
		return nil, fmt.Errorf("find the last day that was compared: %w", err)
	}
	today := calendar.DayOf(s.now())
	first := calendar.Add(today, -daysBack)
	switch {
	case row.Last == nil: // what another system has moved lately must not look like a difference
		first = calendar.Add(today, -firstBack)
	case row.Last.Before(first):
		first = calendar.Add(*row.Last, 1)
	}
	c := &placesDays{cuts: []time.Time{calendar.Start(first)}, before: map[spot]balanceDay{}, now: map[spot]int64{}, lines: map[spot]ends{}, foreign: map[spot]ends{}}
	for day := first; day.Before(today); day = calendar.Add(day, 1) {
		c.days, c.cuts = append(c.days, day), append(c.cuts, calendar.Start(calendar.Add(day, 1)))
	}
	var list []balanceDay
	err := s.db.WithContext(ctx).Raw(`SELECT DISTINCT ON (place, currency) place, currency, day, book_minor, objects_minor, foreign_minor, balance_minor, compared_at, verdict
		FROM balance_days WHERE provider = ? AND day < ? ORDER BY place, currency, day DESC`, name, first.Format(time.DateOnly)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read what was compared: %w", err)
	}
	for _, one := range list {
		c.before[spot{one.Place, one.Currency}] = one
	}
	return c, nil
}

// bookOfPlaces adds up the clearing accounts at each cut, and of all: what was there at the first is what is there now less what has moved since, so that old
// movements are not read. One statement sees one moment. Index ledger_transactions_happened serves it.
func (s *Service) bookOfPlaces(ctx context.Context, name string, c *placesDays) error {
	var rows []struct {
		Place, Currency string
		Cut             int
		Minor           int64
	}
	starts := make([]string, len(c.cuts))
	for i, cut := range c.cuts {
		starts[i] = cut.UTC().Format(time.RFC3339)
	}
	err := s.db.WithContext(ctx).Raw(`WITH a AS (SELECT id, split_part(name, ':', 3) AS place, currency FROM ledger_accounts
			WHERE class = 'provider_clearing' AND split_part(name, ':', 2) = @provider),
		moved AS (SELECT a.id, width_bucket(t.happened_at, CAST(@cuts AS timestamptz[])) AS cut, CAST(sum(e.amount_minor) AS bigint) AS minor
			FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN a ON a.id = e.account_id
			WHERE t.happened_at >= @first GROUP BY 1, 2)
		SELECT a.place, a.currency, moved.cut, moved.minor FROM moved JOIN a USING (id)
		UNION ALL
		SELECT a.place, a.currency, 0, `+ledger.BalanceSQL+` - coalesce((SELECT sum(minor) FROM moved WHERE moved.id = a.id), 0)::bigint FROM a`,
		map[string]any{"cuts": "{" + strings.Join(starts, ",") + "}", "first": c.cuts[0], "provider": name}).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("add up the book's places: %w", err)
	}
	c.book = map[spot]ends{}
	for _, r := range rows {
		c.add(c.book, spot{r.Place, r.Currency}, r.Cut, r.Minor)
	}
	return nil
}

// add adds what moved between two cuts.
func (c *placesDays) add(to map[spot]ends, at spot, cut int, minor int64) {
	if to[at] == nil {
		to[at] = make(ends, len(c.cuts)+1)
	}
	to[at][cut] += minor
}

// cutOf is before which of the cuts a moment is; their number of one after the last.
func (c *placesDays) cutOf(at time.Time) int {
	i, _ := slices.BinarySearchFunc(c.cuts, at, func(cut, at time.Time) int {
		if cut.After(at) {
			return 1
		}
		return -1
	})
	return i
}
