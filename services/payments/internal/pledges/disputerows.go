package pledges

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
)

// DisputeStatus is how far a dispute is; the migration says what each means.
type DisputeStatus string

// The states of a dispute, in the provider package's words.
const (
	DisputeInquiry DisputeStatus = "inquiry"
	DisputeOpen    DisputeStatus = "open"
	DisputeWon     DisputeStatus = "won"
	DisputeLost    DisputeStatus = "lost"
	DisputeClosed  DisputeStatus = "closed"
)

// next is where a dispute may go from a state; "" is one that we hear of. A decision is never undone by older news, but
// a lost one may still be won on appeal.
func (s DisputeStatus) next() []DisputeStatus {
	switch s {
	case "":
		return []DisputeStatus{DisputeInquiry, DisputeOpen, DisputeWon, DisputeLost, DisputeClosed}
	case DisputeInquiry:
		return []DisputeStatus{DisputeOpen, DisputeWon, DisputeLost, DisputeClosed}
	case DisputeOpen:
		return []DisputeStatus{DisputeWon, DisputeLost, DisputeClosed}
	case DisputeLost:
		return []DisputeStatus{DisputeWon}
	case DisputeWon, DisputeClosed:
	}
	return nil
}

// takesMoney reports whether the bank has the money, for now or for good.
func (s DisputeStatus) takesMoney() bool { return s == DisputeOpen || s == DisputeLost }

type disputeRow struct {
	ID             int64
	PaymentID      string
	AttemptID      int64
	ProviderID     string
	Status         DisputeStatus
	AmountMinor    int64
	Currency       money.Currency
	WithdrawnMinor int64
	FeeMinor       int64
}

// isSettled reports whether nothing more is expected: it is decided, and what we won is back.
func (d disputeRow) isSettled() bool {
	return d.Status == DisputeLost || (d.Status == DisputeWon || d.Status == DisputeClosed) && d.WithdrawnMinor <= 0
}

const disputeColumns = `id, payment_id, attempt_id, provider_id, status, amount_minor, currency, withdrawn_minor, fee_minor`

func readDisputes(ctx context.Context, db *gorm.DB, paymentID string) ([]disputeRow, error) {
	var list []disputeRow
	err := db.WithContext(ctx).Raw(`SELECT `+disputeColumns+` FROM disputes WHERE payment_id = ? ORDER BY id`, paymentID).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read disputes of payment %s: %w", paymentID, err)
	}
	return list, nil
}

// DisputeStatuses tells how our rows of the provider's disputes stand; one that none of them names is left out.
func (s *Service) DisputeStatuses(ctx context.Context, providerIDs []string) (map[string]DisputeStatus, error) {
	out := map[string]DisputeStatus{}
	if len(providerIDs) == 0 {
		return out, nil
	}
	var rows []disputeRow
	err := s.DB.WithContext(ctx).Raw(`SELECT `+disputeColumns+` FROM disputes WHERE provider_id IN ?`, providerIDs).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read %d disputes: %w", len(providerIDs), err)
	}
	for _, d := range rows {
		out[d.ProviderID] = d.Status
	}
	return out, nil
}

// CheckDisputes asks about every dispute that is not settled, due or not.
func (s *Service) CheckDisputes(ctx context.Context) error {
	var ids []string
	err := s.DB.WithContext(ctx).Raw(`SELECT DISTINCT payment_id FROM disputes WHERE next_check_at IS NOT NULL`).Scan(&ids).Error
	if err != nil {
		return fmt.Errorf("find disputes that are not settled: %w", err)
	}
	for _, id := range ids {
		if _, err := s.Advance(ctx, id, SignalDispute); err != nil {
			s.Log.WarnContext(ctx, "dispute not asked about", "payment_id", id, "error", err)
		}
	}
	return ctx.Err()
}

// dueDisputes leases disputes that are to be asked about: after half their age, at most refundLongest. Index disputes_due
// serves it; rows that another worker has locked are passed over. A stop does not cut it, see dueRefunds.
func (s *Service) dueDisputes(ctx context.Context, limit int) ([]disputeRow, error) {
	ctx, cancel := detached(ctx, saveTimeout)
	defer cancel()
	var rows []disputeRow
	err := s.DB.WithContext(ctx).Raw(`UPDATE disputes SET next_check_at = CAST(@now AS timestamptz)
			+ least(greatest((CAST(@now AS timestamptz) - created_at) / 2, @retry * interval '1 second'), @longest * interval '1 second')
		WHERE id IN (SELECT id FROM disputes WHERE next_check_at <= @now ORDER BY next_check_at LIMIT @limit FOR UPDATE SKIP LOCKED)
		RETURNING `+disputeColumns, map[string]any{
		"now": s.clock(), "limit": limit, "retry": refundRetry.Seconds(), "longest": refundLongest.Seconds(),
	}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("claim disputes: %w", err)
	}
	return rows, nil
}
