package reconcile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/provider"
)

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
