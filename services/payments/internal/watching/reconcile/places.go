package reconcile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

const (
	daysBack = 3 // days that are compared anew, because providers book late
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

// balanceDay is a row of balance_days.
type balanceDay struct {
	Place, Currency string
	Day             time.Time
	BookMinor       int64
	ObjectsMinor    int64
	ForeignMinor    int64
	BalanceMinor    *int64
	ComparedAt      time.Time
	Verdict         Verdict
}

// Places compares what was in each place of our balance at the end of the last days: by the book, by what the provider lists, and by what it says is
// there. A balance can only be asked for now, so what has moved since a day's end is taken off it; it counts only when it was the same before and after the
// list was read. So all three are of one moment, hours ago, whatever is under way now.
func (s *Service) Places(ctx context.Context, p Provider, foreign map[movement]bool) error {
	b, says := p.(balances)
	if !says {
		return nil
	}
	c, err := s.daysToCompare(ctx, p.Name())
	if err != nil {
		return err
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
	if row.Last != nil && row.Last.Before(first) {
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

// bookOfPlaces adds up the clearing accounts at each cut, and of all.
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
	err := s.db.WithContext(ctx).Raw(`SELECT split_part(a.name, ':', 3) AS place, a.currency, width_bucket(t.happened_at, CAST(@cuts AS timestamptz[])) AS cut,
			CAST(sum(e.amount_minor) AS bigint) AS minor
		FROM ledger_accounts a JOIN ledger_entries e ON e.account_id = a.id JOIN ledger_transactions t ON t.id = e.transaction_id
		WHERE a.class = 'provider_clearing' AND split_part(a.name, ':', 2) = @provider GROUP BY 1, 2, 3`,
		map[string]any{"cuts": "{" + strings.Join(starts, ",") + "}", "provider": name}).Scan(&rows).Error
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

// readPlaces reads the balances of places in which something moved, and what moved. A balance that moved meanwhile does not fit the list, and both are read again.
func (s *Service) readPlaces(ctx context.Context, p Provider, b balances, foreign map[movement]bool, c *placesDays) error {
	creators, err := s.ownPlaces(ctx, p.Name())
	if err != nil {
		return err
	}
	places := map[spot]bool{}
	for at := range c.book {
		if c.isActive(at) {
			places[at] = true
		}
	}
	quiet := 0
	for _, at := range sorted(c.before) {
		if was := c.before[at]; !places[at] && quiet < mostQuiet && (was.Verdict != Agrees || was.ComparedAt.Before(s.now().Add(-quietRead))) {
			places[at] = true
			quiet++
		}
	}
	var edges map[movement]provider.Line
	for range mostReads {
		first, err := read(ctx, b, places)
		if err != nil {
			return err
		}
		c.lines, c.foreign, edges = map[spot]ends{}, map[spot]ends{}, map[movement]provider.Line{}
		err = p.EachLine(ctx, c.cuts[0], s.now().Add(slack), func(l provider.Line) error {
			if !creators[l.Place] {
				c.take(l, foreign, edges)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("list what moved at %s: %w", p.Name(), err)
		}
		for at := range c.lines { // the book may have nothing of a place
			places[at] = true
		}
		second, err := read(ctx, b, places)
		if err != nil {
			return err
		}
		c.now = map[spot]int64{}
		for at, minor := range second {
			if was, isRead := first[at]; isRead && was == minor {
				c.now[at] = minor
			}
		}
		if len(c.now) == len(second) {
			break
		}
	}
	return s.atTheProvidersTime(ctx, p.Name(), edges, c)
}

// sorted are the places in one order, so that a simulation repeats itself.
func sorted[T any](of map[spot]T) []spot {
	return slices.SortedFunc(maps.Keys(of), func(a, b spot) int { return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.currency, b.currency)) })
}

// isActive reports whether something moved in a place since the first day, by the book, or it was never compared.
func (c *placesDays) isActive(at spot) bool {
	if _, was := c.before[at]; !was {
		return true
	}
	return slices.ContainsFunc(c.book[at][1:], func(minor int64) bool { return minor != 0 })
}

// read asks what is in places. One that the provider does not let us look at has no balance.
func read(ctx context.Context, b balances, places map[spot]bool) (map[spot]int64, error) {
	out := map[spot]int64{}
	for _, at := range sorted(places) {
		place := at.place
		if place == ledger.MainPlace {
			place = ""
		}
		held, err := b.Balance(ctx, place)
		switch {
		case errors.Is(err, provider.ErrRefused), errors.Is(err, provider.ErrNotFound):
		case err != nil:
			return nil, fmt.Errorf("read the balance of %s: %w", at.place, err)
		case string(held.All.Currency) == at.currency:
			out[at] = held.All.Minor
		}
	}
	return out, nil
}

// take adds a line. One near a day's end may be on its other side by the book's time.
func (c *placesDays) take(l provider.Line, foreign map[movement]bool, edges map[movement]provider.Line) {
	at, cut := spot{cmp.Or(l.Place, ledger.MainPlace), string(l.Amount.Currency)}, c.cutOf(l.Happened)
	c.add(c.lines, at, cut, l.Amount.Minor-l.Fee.Minor)
	isNear := slices.ContainsFunc(c.cuts, func(end time.Time) bool { return l.Happened.Sub(end).Abs() < slack })
	for m, amount := range movements(l) {
		if foreign[m] {
			c.add(c.foreign, at, cut, amount.Minor)
		} else if isNear {
			edges[m] = l
		}
	}
}

// atTheProvidersTime has the book's movements near a day's end counted on the day of the provider's line: the clocks differ by some seconds.
func (s *Service) atTheProvidersTime(ctx context.Context, name string, edges map[movement]provider.Line, c *placesDays) error {
	references := make([]string, 0, len(edges))
	for m := range edges {
		references = append(references, m.reference)
	}
	for batch := range slices.Chunk(references, lookup) {
		posted, err := ledger.Find(ctx, s.db, name, batch)
		if err != nil {
			return err
		}
		for _, one := range posted {
			l, isNear := edges[inBook(one)]
			if from, to := c.cutOf(one.HappenedAt), c.cutOf(l.Happened); isNear && from != to && one.HappenedAt.Sub(l.Happened).Abs() < slack {
				at := spot{one.Place, string(one.Amount.Currency)}
				c.add(c.book, at, from, -one.Amount.Minor)
				c.add(c.book, at, to, one.Amount.Minor)
				delete(edges, inBook(one))
			}
		}
	}
	return nil
}

// keepPlaces writes the days of each place that was looked at, and has a person called where the last one differs.
func (s *Service) keepPlaces(ctx context.Context, name string, c *placesDays) error {
	shared := len(c.foreign) > 0
	err := s.db.WithContext(ctx).Raw(`SELECT ? OR EXISTS (SELECT FROM reconcile_runs WHERE provider = ? AND foreign_count > 0)`, shared, name).Scan(&shared).Error
	if err != nil {
		return fmt.Errorf("ask whether another system is at %s: %w", name, err)
	}
	spots := map[spot]bool{}
	for at := range c.now {
		spots[at] = true
	}
	for at := range c.lines {
		spots[at] = true
	}
	for at := range c.book {
		spots[at] = spots[at] || c.isActive(at)
	}
	for _, at := range sorted(spots) {
		if !spots[at] {
			continue
		}
		rows := c.rows(at, shared, s.now())
		for i := range rows {
			if err := s.keepDay(ctx, name, &rows[i]); err != nil {
				return err
			}
		}
		if len(rows) == 0 {
			continue
		}
		if err := s.tellOfPlace(ctx, name, rows[len(rows)-1]); err != nil {
			return err
		}
	}
	return nil
}

// rows are the days of a place. Of one that was never compared what is listed is counted from nothing when the book had nothing, else on from the balance at the
// first day's beginning; on an account that another system uses, what the book did not have of that is theirs.
func (c *placesDays) rows(at spot, isShared bool, now time.Time) (rows []balanceDay) {
	sum := func(of map[spot]ends, upTo int) (minor int64) {
		if of[at] == nil {
			return 0
		}
		for _, one := range of[at][:upTo+1] {
			minor += one
		}
		return minor
	}
	last := len(c.cuts)
	balanceAt := func(cut int) *int64 {
		minor, isRead := c.now[at]
		if !isRead {
			return nil
		}
		minor -= sum(c.lines, last) - sum(c.lines, cut)
		return &minor
	}
	objects, foreign := c.before[at].ObjectsMinor, c.before[at].ForeignMinor
	if _, was := c.before[at]; !was {
		opening, booked := balanceAt(0), sum(c.book, 0)
		switch {
		case booked == 0 && !isShared:
		case opening == nil:
			return nil // it begins with a balance
		case isShared:
			objects, foreign = *opening, *opening-booked
		default:
			objects = *opening
		}
	}
	for i, day := range c.days {
		r := balanceDay{Place: at.place, Currency: at.currency, Day: day, BookMinor: sum(c.book, i+1), ObjectsMinor: objects + sum(c.lines, i+1),
			ForeignMinor: foreign + sum(c.foreign, i+1), BalanceMinor: balanceAt(i + 1), ComparedAt: now}
		rows = append(rows, r)
	}
	return rows
}

// keepDay writes a day. A balance that was read before stays while all agreed with it: it was nearer to the day's end.
func (s *Service) keepDay(ctx context.Context, name string, r *balanceDay) error {
	var was []balanceDay
	err := s.db.WithContext(ctx).Raw(`SELECT balance_minor, verdict FROM balance_days WHERE provider = ? AND place = ? AND currency = ? AND day = ?`,
		name, r.Place, r.Currency, r.Day.Format(time.DateOnly)).Scan(&was).Error
	if err == nil {
		if len(was) > 0 && was[0].BalanceMinor != nil && (was[0].Verdict == Agrees || r.BalanceMinor == nil) {
			r.BalanceMinor = was[0].BalanceMinor
		}
		r.Verdict = verdictOf(r.BookMinor, r.ObjectsMinor, r.ForeignMinor, r.BalanceMinor)
		err = s.db.WithContext(ctx).Exec(`INSERT INTO balance_days (provider, place, currency, day, book_minor, objects_minor, foreign_minor, balance_minor, compared_at, verdict)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (provider, place, currency, day) DO UPDATE SET book_minor = excluded.book_minor,
			objects_minor = excluded.objects_minor, foreign_minor = excluded.foreign_minor, balance_minor = excluded.balance_minor, compared_at = excluded.compared_at,
			verdict = excluded.verdict`, name, r.Place, r.Currency, r.Day.Format(time.DateOnly), r.BookMinor, r.ObjectsMinor, r.ForeignMinor, r.BalanceMinor, r.ComparedAt,
			r.Verdict).Error
	}
	if err != nil {
		return fmt.Errorf("keep what was in %s on %s: %w", r.Place, r.Day.Format(time.DateOnly), err)
	}
	return nil
}

// tellOfPlace opens an anomaly while the last day of a place differs, and closes it when it does not any more.
func (s *Service) tellOfPlace(ctx context.Context, name string, r balanceDay) error {
	if !r.Verdict.Differs() {
		return anomalies.Mend(ctx, s.db, anomalies.BalanceDifference, name, r.Place, "all three agree now", s.now())
	}
	said := func(minor int64) string { return money.New(minor, money.Currency(r.Currency)).String() }
	detail := map[string]string{"day": r.Day.Format(time.DateOnly), "book": said(r.BookMinor), "objects": said(r.ObjectsMinor - r.ForeignMinor), "differs": string(r.Verdict)}
	if r.BalanceMinor != nil {
		detail["balance"] = said(*r.BalanceMinor - r.ForeignMinor)
	}
	isNew, err := anomalies.Open(ctx, s.db, anomalies.Anomaly{Kind: anomalies.BalanceDifference, Provider: name, Reference: r.Place, Detail: detail}, s.now())
	if err == nil && isNew {
		s.log.ErrorContext(ctx, "a place of our balance differs", "provider", name, "place", r.Place, "detail", detail)
	}
	return err
}
