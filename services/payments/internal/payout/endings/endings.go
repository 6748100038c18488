// Package endings knows which campaigns have ended and whose their money is, and sends back what is their backers'.
//
// It owns campaign_endings, the content service's words, and refund_runs. Invariants: a campaign ends once, and what was said of it never
// changes; a run goes through the paid pledges of its campaign in the order of their ids and begins a refund of all that is left of each,
// once, wherever it is killed; no pledge stops the others; none begins before there is enough at the provider for all of them. What is told to have ended has all its accepted money here already, because
// the content service accepts only what we have told it; what comes later it refuses, and package app has that refunded.
package endings

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/events"
	"talkoot.fi/payments/internal/moneyback/refunds"
)

// Outcome is how a campaign ended.
type Outcome string

// The outcomes; constraint campaign_endings_outcome has the same.
const (
	Reached    Outcome = "reached"
	NotReached Outcome = "not_reached"
	Canceled   Outcome = "canceled" // before its last day was over
)

// GoesTo is whose the money of a campaign is.
type GoesTo string

// Whose it can be; constraint campaign_endings_goes_to has the same.
const (
	ToCreator GoesTo = "creator"
	ToBackers GoesTo = "backers"
)

// Ending is the content service's word.
type Ending struct {
	CampaignID    int64
	Outcome       Outcome
	GoesTo        GoesTo
	EndedAt       time.Time
	Accepted      int   // pledges that had uncontested money then
	AcceptedMinor int64 // less what was refunded
	Currency      string
}

// Refunder begins refunds; package payments is it.
type Refunder interface {
	Refund(ctx context.Context, paymentID string, wish refunds.Wish) (r refunds.Refund, isNew bool, err error)
}

// Service is the package's work.
type Service struct {
	db        *gorm.DB
	payments  Refunder
	providers map[string]Provider
	now       func() time.Time
}

// New makes a Service. Providers are those that say what is in our balance there.
func New(db *gorm.DB, payments Refunder, providers map[string]Provider, now func() time.Time) *Service {
	return &Service{db: db, payments: payments, providers: providers, now: now}
}

// End keeps that a campaign has ended; when its money is backers', a run is due. A repeat changes nothing.
func (s *Service) End(ctx context.Context, e Ending) error {
	now := s.now()
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		tx = tx.WithContext(ctx)
		kept := tx.Exec(`INSERT INTO campaign_endings (campaign_id, outcome, goes_to, ended_at, accepted, accepted_minor, currency, told_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			e.CampaignID, e.Outcome, e.GoesTo, e.EndedAt, e.Accepted, e.AcceptedMinor, e.Currency, now)
		err := kept.Error
		if err == nil && kept.RowsAffected > 0 && e.GoesTo == ToBackers {
			err = tx.Exec(`INSERT INTO refund_runs (campaign_id, next_at) VALUES (?, ?)`, e.CampaignID, now).Error
		}
		if err != nil {
			return fmt.Errorf("keep that campaign %d has ended: %w", e.CampaignID, err)
		}
		return nil
	})
}

// Standing is what can still come of a campaign's payments.
type Standing struct {
	IsOpen       bool // a payer can still pay one of its pledges
	IsProcessing bool // a bank has not confirmed a payment yet
	IsUntold     bool // the content service has not taken all events about its pledges
}

// Standing reads how a campaign stands.
func (s *Service) Standing(ctx context.Context, campaignID int64) (found Standing, err error) {
	err = s.db.WithContext(ctx).Raw(`SELECT
		EXISTS (SELECT FROM payments WHERE campaign_id = @id AND status IN ('created', 'requires_action') AND subject_kind = 'pledge') AS is_open,
		EXISTS (SELECT FROM payments WHERE campaign_id = @id AND status = 'processing' AND subject_kind = 'pledge') AS is_processing,
		EXISTS (SELECT FROM outbox o JOIN payments p ON p.subject_kind = 'pledge' AND p.subject_id = o.payload ->> 'subject_id'
			WHERE o.done_at IS NULL AND o.kind = @kind AND p.campaign_id = @id) AS is_untold`,
		map[string]any{"id": campaignID, "kind": events.Kind}).Scan(&found).Error
	if err != nil {
		return found, fmt.Errorf("ask how campaign %d stands: %w", campaignID, err)
	}
	return found, nil
}

// StandingOfMonths reads how the months of support stand that were taken until a day, or whose charge had begun by then. None of them is
// open: what is paid later is of a later month.
func (s *Service) StandingOfMonths(ctx context.Context, campaignID int64, until time.Time) (found Standing, err error) {
	err = s.db.WithContext(ctx).Raw(`SELECT
		EXISTS (SELECT FROM payments WHERE campaign_id = @id AND status = 'processing' AND subject_kind = 'subscription' AND created_at < @end) AS is_processing,
		EXISTS (SELECT FROM outbox o JOIN payments p ON p.id = o.payload ->> 'payment_id' AND p.subject_kind = 'subscription'
			WHERE o.done_at IS NULL AND o.kind = @kind AND p.campaign_id = @id AND p.paid_on <= @until) AS is_untold`,
		map[string]any{"id": campaignID, "kind": events.Kind, "until": until.Format(time.DateOnly), "end": calendar.Start(calendar.Add(until, 1))}).Scan(&found).Error
	if err != nil {
		return found, fmt.Errorf("ask how the months of campaign %d stand: %w", campaignID, err)
	}
	return found, nil
}

const (
	// pageSize is how many payments a run goes through before it notes how far it has come.
	pageSize = 100
	// lease is how long a worker has for a page before another one goes on from its beginning.
	lease = 2 * time.Minute
	// pause is between two rounds of a run in which a refund could not be begun.
	pause = 10 * time.Minute
)

// run is a row of refund_runs with how its campaign ended.
type run struct {
	CampaignID int64
	LastID     string
	Faults     int
	Outcome    Outcome
	IsCovered  bool
}

// Sweep takes one page of the run that waits longest, and returns how many payments it went through, at least 1; 0 when nothing is due.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	var due []run
	err := s.db.WithContext(ctx).Raw(`UPDATE refund_runs r SET next_at = CAST(@now AS timestamptz) + @lease * interval '1 second'
		FROM campaign_endings e WHERE e.campaign_id = r.campaign_id AND r.campaign_id = (
			SELECT campaign_id FROM refund_runs WHERE next_at <= @now ORDER BY next_at, campaign_id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING r.campaign_id, r.last_id, r.faults, e.outcome, r.covered_at IS NOT NULL AS is_covered`, map[string]any{"now": s.now(), "lease": lease.Seconds()}).Scan(&due).Error
	if err != nil {
		return 0, fmt.Errorf("claim a run of refunds: %w", err)
	}
	if len(due) == 0 {
		return 0, nil
	}
	if !due[0].IsCovered {
		if is, err := s.begin(ctx, due[0]); err != nil || !is {
			return 1, err
		}
	}
	return s.page(ctx, due[0])
}

// page begins the refunds of a page and notes how far the run has come. When it is cut short, the next worker begins it again: what has
// been begun stays. A payment whose refund cannot be begun stops no other; the run comes back to it.
func (s *Service) page(ctx context.Context, r run) (int, error) {
	var ids []string
	err := s.db.WithContext(ctx).Raw(`SELECT id FROM payments
		WHERE campaign_id = ? AND subject_kind = 'pledge' AND paid_attempt_id IS NOT NULL AND id > ? ORDER BY id LIMIT ?`,
		r.CampaignID, r.LastID, pageSize).Scan(&ids).Error
	if err != nil {
		return 0, fmt.Errorf("read paid pledges of campaign %d: %w", r.CampaignID, err)
	}
	reason := refunds.CampaignFailed
	if r.Outcome == Canceled {
		reason = refunds.CampaignCanceled
	}
	now := s.now()
	after := map[string]any{"id": r.CampaignID, "from": r.LastID, "last": "", "faults": r.Faults, "next": &now, "done": (*time.Time)(nil)}
	var faults []error
	for _, id := range ids {
		_, _, err := s.payments.Refund(ctx, id, refunds.Wish{Reason: reason})
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if err != nil && !errors.Is(err, refunds.ErrNothingLeft) {
			faults = append(faults, fmt.Errorf("give back payment %s of campaign %d: %w", id, r.CampaignID, err))
		}
		after["last"] = id
	}
	after["faults"] = r.Faults + len(faults)
	if len(ids) < pageSize { // the round is over
		after["last"], after["faults"] = "", 0
		if r.Faults+len(faults) > 0 {
			later := now.Add(pause)
			after["next"] = &later
		} else {
			after["next"], after["done"] = (*time.Time)(nil), &now
		}
	}
	err = s.db.WithContext(ctx).Exec(`UPDATE refund_runs SET last_id = @last, faults = @faults, next_at = @next, done_at = @done
		WHERE campaign_id = @id AND last_id = @from AND done_at IS NULL`, after).Error
	if err != nil {
		faults = append(faults, fmt.Errorf("note how far the run of campaign %d is: %w", r.CampaignID, err))
	}
	return max(len(ids), 1), errors.Join(faults...)
}
