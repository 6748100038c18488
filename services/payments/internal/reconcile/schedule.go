package reconcile

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/kit/jobs"
)

const (
	intentsEvery = 5 * time.Minute
	intentsBack  = 2 * time.Hour // longer than any intent of ours stays open
	ledgerBack   = 25 * time.Hour
	// ledgerOverlap is how much of the last comparison's window is compared again.
	ledgerOverlap = time.Hour
	// restartAfter is when a pass that never finished is started anew: the queue lost it, or its worker died.
	restartAfter = 30 * time.Minute
)

// Pass is one run of a pass, named by its slot of time.
type Pass struct {
	Slot string    `json:"slot"`
	To   time.Time `json:"to"`
}

// Schedule starts both passes at their times on the queue, until ctx ends; whichever worker is free does them. Any
// number of processes may schedule: a slot is started once.
func (s *Service) Schedule(ctx context.Context, queue *jobs.Client) error {
	return jobs.Every(ctx, s.Log, jobs.Sweep{Name: "reconciliation", Interval: time.Minute, Work: func(ctx context.Context) error {
		now := s.Now().UTC()
		return errors.Join(
			s.start(ctx, queue, Intents(), now.Truncate(intentsEvery)),
			s.start(ctx, queue, Ledger(), now.Truncate(24*time.Hour)),
		)
	}})
}

func (s *Service) start(ctx context.Context, queue *jobs.Client, task jobs.Task[Pass], slot time.Time) error {
	if !s.Stripe.Enabled() {
		return nil
	}
	pass := Pass{Slot: slot.Format(time.RFC3339), To: s.Now().UTC()}
	result := s.DB.WithContext(ctx).Exec(`INSERT INTO reconcile_runs (name, slot, started_at) VALUES (@name, @slot, @now)
		ON CONFLICT (name, slot) DO UPDATE SET started_at = excluded.started_at
		WHERE reconcile_runs.finished_at IS NULL AND reconcile_runs.started_at < @stale`,
		map[string]any{"name": task.Name(), "slot": pass.Slot, "now": pass.To, "stale": pass.To.Add(-restartAfter)})
	if result.Error != nil {
		return fmt.Errorf("claim %s %s: %w", task.Name(), pass.Slot, result.Error)
	}
	if result.RowsAffected == 0 {
		return nil
	}
	return task.Enqueue(ctx, queue, pass)
}

// RunIntents is the work of the task Intents.
func (s *Service) RunIntents(ctx context.Context, pass Pass) error {
	found, err := s.Intents(ctx, s.Now().Sub(pass.To)+intentsBack)
	if err != nil {
		return err
	}
	refunds, err := s.Refunds(ctx, pass.To.Add(-intentsBack))
	if err != nil {
		return err
	}
	disputes, err := s.Disputes(ctx, pass.To.Add(-intentsBack))
	if err != nil {
		return err
	}
	return s.finish(ctx, Intents().Name(), pass, found+refunds+disputes)
}

// RunLedger is the work of the task Ledger.
func (s *Service) RunLedger(ctx context.Context, pass Pass) error {
	from, err := s.ledgerFrom(ctx, pass)
	if err != nil {
		return err
	}
	// What can be mended must not call a person.
	if _, err := s.Refunds(ctx, from); err != nil {
		return err
	}
	if _, err := s.Disputes(ctx, from); err != nil {
		return err
	}
	if err := s.Pledges.CheckDisputes(ctx); err != nil {
		return err
	}
	differences, err := s.Ledger(ctx, from, pass.To)
	if err != nil {
		return err
	}
	return s.finish(ctx, Ledger().Name(), pass, differences)
}

// ledgerFrom is where the comparison begins: an hour before the end of the last one that was finished, so that a day on
// which no worker ran leaves no gap.
func (s *Service) ledgerFrom(ctx context.Context, pass Pass) (time.Time, error) {
	from := pass.To.Add(-ledgerBack)
	var row struct{ Last *time.Time }
	err := s.DB.WithContext(ctx).Raw(`SELECT max(started_at) AS last FROM reconcile_runs WHERE name = ? AND finished_at IS NOT NULL AND slot <> ?`,
		Ledger().Name(), pass.Slot).Scan(&row).Error
	if err != nil {
		return from, fmt.Errorf("find the last comparison: %w", err)
	}
	if row.Last != nil && row.Last.Add(-ledgerOverlap).Before(from) {
		from = row.Last.Add(-ledgerOverlap)
	}
	return from, nil
}

func (s *Service) finish(ctx context.Context, name string, pass Pass, found int) error {
	err := s.DB.WithContext(ctx).Exec(`UPDATE reconcile_runs SET finished_at = ?, found = ? WHERE name = ? AND slot = ?`,
		s.Now().UTC(), found, name, pass.Slot).Error
	if err != nil {
		return fmt.Errorf("finish %s %s: %w", name, pass.Slot, err)
	}
	if found > 0 {
		s.Log.WarnContext(ctx, "reconciliation found differences", "pass", name, "found", found)
	}
	return nil
}
