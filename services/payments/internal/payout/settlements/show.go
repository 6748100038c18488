package settlements

import (
	"context"
	"fmt"
	"time"

	"talkoot.fi/payments/internal/payout/payees"
)

// List gives the runs of a campaign, or with 0 all that are not over, the oldest first.
func (s *Service) List(ctx context.Context, campaignID int64) ([]Run, error) {
	if campaignID != 0 {
		return read(ctx, s.DB, `WHERE campaign_id = ? ORDER BY provider, number`, campaignID)
	}
	return read(ctx, s.DB, `WHERE state NOT IN ('paid', 'void') ORDER BY created_at, id`)
}

// Step is a row of a run's history.
type Step struct {
	Event       Event
	FromState   State
	ToState     State
	Reason      Reason
	Actor, Note string
	At          time.Time
}

// Move is what was asked of the provider for a run.
type Move struct {
	RunID, Kind        string
	Try                int
	Provider, PayeeRef string
	FromPlace          string
	Destination        string
	AmountMinor        int64
	FeeMinor           int64
	Currency           string
	State, Ref, Code   string
	At                 time.Time
	BurnedAt, EndedAt  *time.Time
	ReturnedRef        string
	ReturnedMinor      int64 // what came back of a payout
}

// Shown is a run with all that belongs to it.
type Shown struct {
	Run
	Charges   []Line
	Moves     []Move
	Reversals []Reversal // what was taken back of its transfer, or was to be
	Steps     []Step
	Kept      []Kept      // what it has kept back, and until when
	Approvals []string    // who has approved what it is now
	Bank      payees.Bank // to which it would be paid out now; none without one
}

// Show reads a run with all that belongs to it. Error: ErrNoRun.
func (s *Service) Show(ctx context.Context, id string) (out Shown, err error) {
	list, err := read(ctx, s.DB, `WHERE id = ?`, id)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: %w", id, ErrNoRun)
	}
	if err != nil {
		return out, err
	}
	out.Run = list[0]
	if out.Charges, err = LinesOf(ctx, s.DB, out.Run); err != nil {
		return out, err
	}
	if out.Moves, err = movesOf(ctx, s.DB, `WHERE run_id = ? ORDER BY at, kind DESC, try`, id); err != nil {
		return out, err
	}
	if out.Reversals, err = ReversalsOf(ctx, s.DB, id); err != nil {
		return out, err
	}
	if out.Kept, err = keptOf(ctx, s.DB, `WHERE k.run_id = ? ORDER BY k.due_on`, id); err != nil {
		return out, err
	}
	err = s.DB.WithContext(ctx).Raw(`SELECT event, from_state, to_state, reason, actor, note, at FROM settlement_steps WHERE run_id = ? ORDER BY id`, id).
		Scan(&out.Steps).Error
	if err != nil {
		return out, fmt.Errorf("read the history of run %s: %w", id, err)
	}
	if out.Approvals, err = approvers(ctx, s.DB, out.Run); err != nil {
		return out, err
	}
	out.Bank, err = s.Bank(ctx, s.DB, out.Provider, out.PayeeRef)
	return out, err
}
