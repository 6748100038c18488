package refunds

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

const (
	// firstRetry is when a refund that is not settled is looked at again at first; later after half its age.
	firstRetry = time.Minute
	// longestPending bounds the pauses between looks at what a bank is slow with.
	longestPending = 6 * time.Hour
	// longestPause bounds the pauses between tries that the provider does not take.
	longestPause = time.Hour
	// alarmAfter is the number of failed tries in a row from which an anomaly is opened: after about an hour.
	alarmAfter = 6
	// mostRefusals is the number of failed tries in a row from which a refusal is final, so that a person can send the money another way:
	// after about five days.
	mostRefusals = 125
	// slowAfter is how long the provider may have a refund that has not settled before an anomaly is opened: banks take up
	// to ten working days.
	slowAfter = 15 * 24 * time.Hour
	// keyMargin is how long before the provider forgets a key we stop trusting it.
	keyMargin = time.Hour
)

// Due leases refunds that the worker has to send or to ask for. Index refunds_next_check serves it; rows that another
// worker has locked are passed over. Those of whole campaigns come last, however long they have been due.
func Due(ctx context.Context, db *gorm.DB, now time.Time, limit int) ([]Refund, error) {
	var rows []Refund
	err := db.WithContext(ctx).Raw(`
		WITH due AS MATERIALIZED (SELECT id FROM refunds WHERE next_check_at <= @now
			ORDER BY status = 'creating' AND reason IN ('campaign_failed', 'campaign_canceled'), next_check_at, id LIMIT @limit FOR UPDATE SKIP LOCKED)
		UPDATE refunds SET next_check_at = CAST(@now AS timestamptz) + CASE status WHEN 'pending' THEN
			least(greatest((CAST(@now AS timestamptz) - created_at) / 2, @first * interval '1 second'), @longest * interval '1 second')
			ELSE @first * interval '1 second' END
		WHERE id IN (SELECT id FROM due)
		RETURNING `+columns, map[string]any{
		"now": now, "limit": limit, "first": firstRetry.Seconds(), "longest": longestPending.Seconds(),
	}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("claim refunds: %w", err)
	}
	return rows, nil
}

// Verdict is what a try to send came to.
type Verdict int

// The verdicts.
const (
	Made     Verdict = iota // Sent has what the provider has
	Disputed                // a bank has the money: the refund waits
	Burned                  // the key keeps a failure: the next one can be tried
	Refused                 // the provider does not take it as things are; the key repeats that
	Early                   // the provider takes it later, as a provider.NotYetError says; the key repeats the refusal
	Final                   // the provider does not take it, ever
)

// Provider is what is asked of a payment provider here.
type Provider interface {
	Traits() provider.Traits
	provider.MoneyBack
}

// Send asks the provider to make a refund, once however often it is called: by its key, and past the key's life by our
// id. After an error nobody knows whether it was made; see Postpone.
func Send(ctx context.Context, p Provider, r Refund, src Source, now time.Time) (
	sent []provider.Refund, v Verdict, why error, err error) {
	if r.Try > 1 || now.Sub(r.CreatedAt) > p.Traits().KeyLife-keyMargin { // an earlier key may have made it
		if sent, err := findAtProvider(ctx, p, r, src); err != nil || sent != nil {
			return sent, Made, nil, err
		}
	}
	made, err := p.Refund(ctx, provider.RefundOrder{
		Key: fmt.Sprintf("refund:%s:%d", r.ID, r.Try), Money: src.MoneyRef, Amount: r.Amount, ID: r.ID, Payment: r.PaymentID,
	})
	switch {
	case err == nil:
		return []provider.Refund{made}, Made, nil, nil
	case errors.Is(err, provider.ErrDisputed):
		return nil, Disputed, err, nil
	case errors.Is(err, provider.ErrBurned), errors.Is(err, provider.ErrRefused), errors.Is(err, provider.ErrState),
		errors.Is(err, provider.ErrNotFound):
		// The failure does not say whether an earlier try had made it.
		if sent, findErr := findAtProvider(ctx, p, r, src); findErr != nil || sent != nil {
			return sent, Made, nil, findErr
		}
		switch {
		case errors.Is(err, provider.ErrBurned):
			return nil, Burned, err, nil
		case errors.As(err, new(*provider.NotYetError)):
			return nil, Early, err, nil
		case errors.Is(err, provider.ErrFinal), r.Failures+1 >= mostRefusals:
			return nil, Final, err, nil
		}
		return nil, Refused, err, nil
	}
	return nil, 0, nil, err
}

// findAtProvider looks among the provider's refunds for one of ours whose answer was lost; nil when it is not there.
func findAtProvider(ctx context.Context, p Provider, r Refund, src Source) ([]provider.Refund, error) {
	known, err := p.Refunds(ctx, src.MoneyRef)
	if err != nil {
		return nil, err
	}
	for _, k := range known {
		if k.ID == r.ID {
			return known, nil
		}
	}
	return nil, nil
}

// Next is how a refund is tried again.
type Next int

// The ways.
const (
	SameKey  Next = iota // nobody knows whether it was made
	Anew                 // with another key, soon
	AnewThen             // with another key, once what stands in the way may be mended
)

// Postpone has a refund tried again after a pause that grows with every failure in a row, and opens an anomaly when
// they go on. A refund that moved meanwhile is left alone.
func Postpone(ctx context.Context, tx *gorm.DB, r Refund, how Next, why string, now time.Time) error {
	pause, anew := min(firstRetry<<min(r.Failures, 10), longestPause), how != SameKey
	if how == Anew {
		pause = min(time.Second<<min(r.Failures+1, 12), longestPause)
	}
	result := tx.WithContext(ctx).Exec(`UPDATE refunds SET failures = failures + 1, try = try + CASE WHEN @anew THEN 1 ELSE 0 END,
		next_check_at = @next, updated_at = @now WHERE id = @id AND try = @try AND status = @status`,
		map[string]any{"anew": anew, "next": now.Add(pause), "now": now, "id": r.ID, "try": r.Try, "status": r.Status})
	if result.Error != nil {
		return fmt.Errorf("postpone refund %s: %w", r.ID, result.Error)
	}
	if result.RowsAffected == 0 || r.Failures+1 < alarmAfter {
		return nil
	}
	_, err := anomalies.Open(ctx, tx, anomalies.Anomaly{
		Kind: anomalies.RefundStuck, Provider: r.Provider, Reference: r.ID, PaymentID: &r.PaymentID,
		Detail: map[string]string{"tries": fmt.Sprint(r.Failures + 1), "why": why, "amount": r.Amount.String()},
	}, now)
	return err
}

// Defer has a refund that came too early tried again with another key, once its provider takes it. That is no failure.
func Defer(ctx context.Context, tx *gorm.DB, r Refund, early error, now time.Time) error {
	after := now.Add(longestPause)
	if why := new(provider.NotYetError); errors.As(early, &why) && why.After.After(now) {
		after = why.After
	}
	err := tx.WithContext(ctx).Exec(`UPDATE refunds SET try = try + 1, deferred_until = @after, next_check_at = @after, updated_at = @now
		WHERE id = @id AND try = @try AND status = 'creating'`, map[string]any{"after": after, "now": now, "id": r.ID, "try": r.Try}).Error
	if err != nil {
		return fmt.Errorf("defer refund %s: %w", r.ID, err)
	}
	return nil
}

// Nag opens an anomaly about a refund that the provider has had for too long: it does not settle, or it has failed and
// the money has not come back.
func Nag(ctx context.Context, db *gorm.DB, id string, now time.Time) error {
	r, found, err := ByID(ctx, db, id)
	if err != nil || !found || r.Status != Pending || r.SentAt == nil || now.Sub(*r.SentAt) < slowAfter {
		return err
	}
	_, err = anomalies.Open(ctx, db, anomalies.Anomaly{
		Kind: anomalies.RefundStuck, Provider: r.Provider, Reference: r.ID, PaymentID: &r.PaymentID,
		Detail: map[string]string{"why": "the provider has it and it does not settle", "since": r.SentAt.Format(time.RFC3339),
			"amount": r.Amount.String()},
	}, now)
	return err
}

// Wait postpones a refund until the dispute of its charge ends; refused says that the provider refused it, whose
// key keeps the refusal, so that the next try has another.
func Wait(ctx context.Context, tx *gorm.DB, r Refund, refused bool, now time.Time) error {
	next := r.Try
	if refused {
		next++
	}
	err := tx.WithContext(ctx).Exec(`UPDATE refunds SET try = ?, next_check_at = ?, updated_at = ? WHERE id = ? AND try = ? AND status = 'creating'`,
		next, now.Add(longestPending), now, r.ID, r.Try).Error
	if err != nil {
		return fmt.Errorf("let refund %s wait: %w", r.ID, err)
	}
	return nil
}
