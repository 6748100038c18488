package settlements

import (
	"context"
	"fmt"
)

// Sweep does the next step of the run that waits longest, and returns 1; 0 when none is due. Nothing begins here: somebody has proposed
// what it freezes, and others have approved what it books and sends.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	now := s.Now()
	due, err := s.claim(ctx)
	if err != nil || len(due) == 0 {
		return 0, err
	}
	r := due[0]
	if err := s.step(ctx, r); err != nil {
		return 1, fmt.Errorf("run %s of campaign %d, %s since %s: %w", r.ID, r.CampaignID, r.State, now, err)
	}
	return 1, nil
}

// Heard has a run be looked at now whose transfer or payout a provider has told something of, and books what was taken back of a transfer; what no run
// has sent is nobody's here.
func (s *Service) Heard(ctx context.Context, name, ref string) error {
	waiting, err := read(ctx, s.DB, `WHERE state = 'sent' AND id IN (SELECT run_id FROM settlement_moves WHERE provider = ? AND ref = ? AND ref <> '' AND state = 'returned')`, name, ref)
	if err != nil {
		return err
	}
	for _, r := range waiting { // for a person, who sees all that has come back
		if _, err := s.more(ctx, r); err != nil {
			return err
		}
	}
	err = s.DB.WithContext(ctx).Exec(`UPDATE settlement_runs SET next_at = ? WHERE (state = 'paid' OR state IN ('sending', 'paying') AND next_at IS NOT NULL)
		AND id IN (SELECT run_id FROM settlement_moves WHERE provider = ? AND ref = ? AND ref <> '' AND state IN ('open', 'done', 'returned'))`, s.Now(), name, ref).Error
	if err != nil {
		return fmt.Errorf("have the run of %s looked at: %w", ref, err)
	}
	return s.SeeReversals(ctx, name, ref)
}

// claim takes the run that waits longest, for a while.
func (s *Service) claim(ctx context.Context) (due []Run, err error) {
	err = s.DB.WithContext(ctx).Raw(`UPDATE settlement_runs SET next_at = CAST(@now AS timestamptz) + @lease * interval '1 second'
		WHERE id = (SELECT id FROM settlement_runs WHERE next_at <= @now ORDER BY next_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING `+columns, map[string]any{"now": s.Now(), "lease": lease.Seconds()}).Scan(&due).Error
	if err != nil {
		return nil, fmt.Errorf("claim a settlement run: %w", err)
	}
	return due, nil
}

func (s *Service) step(ctx context.Context, r Run) error {
	switch r.State {
	case Counting:
		_, err := s.tryFreeze(ctx, r.ID)
		return err
	case Approved:
		return s.book(ctx, r)
	case Booked:
		return s.send(ctx, r)
	case Sending, Paying:
		m, err := openMove(ctx, s.DB, r.ID)
		if err != nil || m.RunID == "" {
			return err // another worker was quicker
		}
		if r.State == Paying {
			return s.paying(ctx, r, m, false)
		}
		return s.sending(ctx, r, m, false)
	case Sent:
		return s.payOut(ctx, r)
	case Paid:
		return s.watch(ctx, r)
	case Proposed, Void:
	}
	return nil
}
