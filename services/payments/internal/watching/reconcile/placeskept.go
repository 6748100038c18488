package reconcile

import (
	"context"
	"fmt"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/watching/anomalies"
)

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
	before, wasCompared := c.before[at]
	objects, foreign := before.ObjectsMinor, before.ForeignMinor
	if !wasCompared {
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
		// The last day before the next comparison's first is what that goes on from, so of a place that has had something no day is left out.
		if wasCompared || len(rows) > 0 || i == len(c.days)-1 || !r.isOfNothing() {
			rows = append(rows, r)
		}
	}
	return rows
}

// isOfNothing reports whether there was nothing yet, and nobody says otherwise.
func (r balanceDay) isOfNothing() bool {
	return r.BookMinor == 0 && r.ObjectsMinor == 0 && r.ForeignMinor == 0 && (r.BalanceMinor == nil || *r.BalanceMinor == 0)
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
