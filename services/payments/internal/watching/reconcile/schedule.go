package reconcile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/moneyback/warnings"
	"talkoot.fi/payments/internal/watching/anomalies"
)

const (
	recentEvery = 5 * time.Minute
	recentBack  = 2 * time.Hour // longer than any attempt of ours stays open
	// ledgerBack is how far the daily comparison looks back: what the provider books late is seen on three days.
	ledgerBack = 3 * 24 * time.Hour
	// ledgerOverlap is how much of the last comparison's window is compared again.
	ledgerOverlap = time.Hour
	// longestBack bounds how far an open difference pulls the window back.
	longestBack = 60 * 24 * time.Hour
	// foundFrom names in a difference's detail where the window began in which it was found.
	foundFrom = "from"
	// restartAfter is when a pass that never finished is started anew: the queue lost it, or its worker died.
	restartAfter = 30 * time.Minute
)

// Pass is one run of a pass at one provider, named by its slot of time.
type Pass struct {
	Provider string    `json:"provider"`
	Slot     string    `json:"slot"`
	To       time.Time `json:"to"`
}

// Schedule starts both passes at their times on the queue, until ctx ends; whichever worker is free does them. Any
// number of processes may schedule: a slot is started once.
func (s *Service) Schedule(ctx context.Context, queue *jobs.Client) error {
	return jobs.Every(ctx, s.log, jobs.Sweep{Name: "reconciliation", Interval: time.Minute,
		Work: func(ctx context.Context) error {
			now := s.now()
			return errors.Join(
				s.start(ctx, Recent(), now.Truncate(recentEvery), func(p Pass) error { return Recent().Enqueue(ctx, queue, p) }),
				s.start(ctx, Ledger(), now.Truncate(24*time.Hour), func(p Pass) error { return Ledger().Enqueue(ctx, queue, p) }),
			)
		}})
}

// RunDue runs the passes whose slot nobody has started, here and now: for who has no queue.
func (s *Service) RunDue(ctx context.Context) error {
	now := s.now()
	return errors.Join(
		s.start(ctx, Recent(), now.Truncate(recentEvery), func(p Pass) error { return s.RunRecent(ctx, p) }),
		s.start(ctx, Ledger(), now.Truncate(24*time.Hour), func(p Pass) error { return s.RunLedger(ctx, p) }),
	)
}

// start claims a slot at each provider, and runs it there.
func (s *Service) start(ctx context.Context, task jobs.Task[Pass], slot time.Time, run func(Pass) error) error {
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(s.providers)) { // in one order, so that a simulation repeats itself
		pass := Pass{Provider: name, Slot: slot.Format(time.RFC3339), To: s.now()}
		result := s.db.WithContext(ctx).Exec(`INSERT INTO reconcile_runs (provider, name, slot, started_at) VALUES (@provider, @name, @slot, @now)
			ON CONFLICT (provider, name, slot) DO UPDATE SET started_at = excluded.started_at
			WHERE reconcile_runs.finished_at IS NULL AND reconcile_runs.started_at < @stale`,
			map[string]any{"provider": name, "name": task.Name(), "slot": pass.Slot, "now": pass.To, "stale": pass.To.Add(-restartAfter)})
		switch {
		case result.Error != nil:
			faults = append(faults, fmt.Errorf("claim %s %s at %s: %w", task.Name(), pass.Slot, name, result.Error))
		case result.RowsAffected > 0:
			faults = append(faults, run(pass))
		}
	}
	return errors.Join(faults...)
}

// RunRecent is the work of the task Recent.
func (s *Service) RunRecent(ctx context.Context, pass Pass) error {
	return s.at(ctx, Recent().Name(), pass, func(p Provider) (Found, error) {
		return s.Since(ctx, p, pass.To.Add(-recentBack))
	})
}

// RunLedger is the work of the task Ledger.
func (s *Service) RunLedger(ctx context.Context, pass Pass) error {
	return s.at(ctx, Ledger().Name(), pass, func(p Provider) (Found, error) {
		from, err := s.ledgerFrom(ctx, pass)
		if err != nil {
			return Found{}, err
		}
		since, err := s.oldestDifference(ctx, p.Name(), from, pass.To)
		if err != nil {
			return Found{}, err
		}
		places, err := s.daysToCompare(ctx, p.Name())
		if err != nil {
			return Found{}, err
		}
		if since.After(places.cuts[0]) { // whose lines are counted is known from the first of those days on
			since = places.cuts[0]
		}
		// Mended first, so that no anomaly is opened about it.
		if _, err := s.Since(ctx, p, since); err != nil {
			return Found{}, err
		}
		if err := s.checkUnsettled(ctx, p.Name()); err != nil {
			return Found{}, err
		}
		found, foreign, err := s.lines(ctx, p, since, pass.To)
		if err != nil {
			return found, err
		}
		return found, s.places(ctx, p, places, foreign)
	})
}

// at does a pass at its provider, and finishes it. One that was switched off since it was claimed is left as it is.
func (s *Service) at(ctx context.Context, name string, pass Pass, do func(p Provider) (Found, error)) error {
	p, on := s.providers[pass.Provider]
	if !on {
		return nil
	}
	found, err := do(p)
	if err != nil {
		return fmt.Errorf("%s at %s: %w", name, pass.Provider, err)
	}
	return s.finish(ctx, name, pass, found)
}

// checkUnsettled asks about every dispute of which more is expected, due or not, and every open warning.
func (s *Service) checkUnsettled(ctx context.Context, provider string) error {
	for _, one := range []struct {
		signal payments.Signal
		list   func(context.Context, *gorm.DB, string) ([]string, error)
	}{{payments.SignalDispute, disputes.Unsettled}, {payments.SignalWarning, warnings.Unsettled}} {
		ids, err := one.list(ctx, s.db, provider)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := s.payments.Advance(ctx, id, one.signal); err != nil {
				s.log.WarnContext(ctx, "not asked about", "what", one.signal, "payment_id", id, "error", err)
			}
		}
	}
	return ctx.Err()
}

// ledgerFrom is where the comparison begins: three days back, or an hour before the end of the last one that was
// finished, so that days on which no worker ran leave no gap.
func (s *Service) ledgerFrom(ctx context.Context, pass Pass) (time.Time, error) {
	from := pass.To.Add(-ledgerBack)
	var row struct{ Last *time.Time }
	err := s.db.WithContext(ctx).Raw(`SELECT max(started_at) AS last FROM reconcile_runs WHERE provider = ? AND name = ? AND finished_at IS NOT NULL AND slot <> ?`,
		pass.Provider, Ledger().Name(), pass.Slot).Scan(&row).Error
	if err != nil {
		return from, fmt.Errorf("find the last comparison: %w", err)
	}
	if row.Last != nil && row.Last.Add(-ledgerOverlap).Before(from) {
		from = row.Last.Add(-ledgerOverlap)
	}
	return from, nil
}

// oldestDifference pulls the window back to where the oldest difference that is still open was found, so that one that has
// mended itself is seen to have, and what was in the way of taking it up is tried again.
func (s *Service) oldestDifference(ctx context.Context, provider string, from, to time.Time) (time.Time, error) {
	open, err := anomalies.OpenOf(ctx, s.db, anomalies.LedgerDifference, provider)
	if err != nil {
		return from, err
	}
	earliest := to.Add(-longestBack)
	for _, a := range open {
		if a.Detail["booked"] != "" {
			continue
		}
		back, err := time.Parse(time.RFC3339, a.Detail[foundFrom])
		if err != nil { // not of a comparison
			back = a.FoundAt.Add(-ledgerBack)
		}
		if back.Before(earliest) {
			back = earliest
		}
		if back.Before(from) {
			from = back
		}
	}
	return from, nil
}

func (s *Service) finish(ctx context.Context, name string, pass Pass, found Found) error {
	err := s.db.WithContext(ctx).Exec(`UPDATE reconcile_runs SET finished_at = ?, found = ?, foreign_count = ? WHERE provider = ? AND name = ? AND slot = ?`,
		s.now(), found.Differ, found.Foreign, pass.Provider, name, pass.Slot).Error
	if err != nil {
		return fmt.Errorf("finish %s %s at %s: %w", name, pass.Slot, pass.Provider, err)
	}
	if found.Differ > 0 {
		s.log.WarnContext(ctx, "reconciliation found differences", "provider", pass.Provider, "pass", name, "found", found.Differ)
	}
	return nil
}
