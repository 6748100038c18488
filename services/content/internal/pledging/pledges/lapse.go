package pledges

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/pledging/closing"
)

// lapseBatch is how many lapsed pledges one pass looks up; each is moved in a transaction of its own.
const lapseBatch = 200

// Why a pledge cannot be given up.
var (
	// ErrAlreadyPaid: its money is here.
	ErrAlreadyPaid = apperr.New(apperr.PledgeAlreadyPaid)
	// ErrSettling: a bank has its money on the way, and may yet refuse it.
	ErrSettling = apperr.New(apperr.PledgeSettling)
)

// ending is why a pledge ends unpaid without an event of the payment service; package closing then tells that service.
type ending struct {
	cause  string // in the pledge's history
	reason closing.Reason
}

var (
	lapsed         = ending{"reservation_lapsed", ""} // no message: the payment service knows until when it may be paid, and allows some minutes more
	released       = ending{"released", closing.Released}
	campaignClosed = ending{"campaign_closed", closing.CampaignClosed}
	campaignOnHold = ending{"campaign_on_hold", closing.CampaignOnHold}
)

// Lapse ends pledges and raises that were not paid while their reward was held, and those that wait though an editor has closed
// their campaign or it is on hold, and lets the rewards go: one batch of each, oldest first. It returns how many it ended.
// Any number of workers may run it at once. A payment that still arrives is dealt with by Apply.
func (s *Service) Lapse(ctx context.Context) (int, error) {
	var due []struct {
		ID, Cause string
		IsRaise   bool
	}
	// The index pledges_lapsing has every pledge that waits. Closed is a last stage, and one that was on hold may go on meanwhile: its
	// backer begins anew, so neither need be asked again.
	err := s.db.WithContext(ctx).Raw(`
		(SELECT id, 'reservation_lapsed' AS cause, false AS is_raise FROM pledges
		WHERE status IN ('created', 'awaiting_payment') AND reserved_until < @now ORDER BY reserved_until LIMIT @batch)
		UNION ALL
		(SELECT p.id, CASE c.stage WHEN @closed THEN 'campaign_closed' ELSE 'campaign_on_hold' END, false
		FROM pledges p JOIN campaigns c ON c.id = p.campaign_id AND (c.stage = @closed OR c.hold <> '')
		WHERE p.status IN ('created', 'awaiting_payment') AND p.reserved_until >= @now ORDER BY p.reserved_until LIMIT @batch)
		UNION ALL
		(SELECT id, 'reservation_lapsed', true FROM pledge_raises
		WHERE status IN ('created', 'awaiting_payment') AND reserved_until < @now ORDER BY reserved_until LIMIT @batch)
		UNION ALL
		(SELECT r.id, CASE c.stage WHEN @closed THEN 'campaign_closed' ELSE 'campaign_on_hold' END, true
		FROM pledge_raises r JOIN pledges p ON p.id = r.pledge_id JOIN campaigns c ON c.id = p.campaign_id AND (c.stage = @closed OR c.hold <> '')
		WHERE r.status IN ('created', 'awaiting_payment') AND r.reserved_until >= @now ORDER BY r.reserved_until LIMIT @batch)`,
		map[string]any{"now": s.now(), "batch": lapseBatch, "closed": int(campaigns.StageClosed)}).Scan(&due).Error
	if err != nil {
		return 0, fmt.Errorf("look for lapsed pledges: %w", err)
	}
	endings := map[string]ending{}
	for _, how := range []ending{lapsed, campaignClosed, campaignOnHold} {
		endings[how.cause] = how
	}
	var ended atomic.Int64
	faults := make([]error, len(due)) // one that cannot be ended must not keep the others
	var all errgroup.Group
	all.SetLimit(s.lapseAtOnce)
	for i, d := range due {
		all.Go(func() error {
			end := s.end
			if d.IsRaise {
				end = s.endRaise
			}
			moved, err := end(ctx, d.ID, endings[d.Cause])
			if err != nil {
				faults[i] = fmt.Errorf("end lapsed pledge: %w", err)
			} else if moved {
				ended.Add(1)
			}
			return nil
		})
	}
	_ = all.Wait() // its errors are in faults
	return int(ended.Load()), errors.Join(faults...)
}

// Release gives up an unpaid pledge at its backer's wish: money that arrives for it afterwards is refunded, also when
// the pledge had lapsed or failed before. A second call changes nothing. Errors: ErrUnknown, ErrAlreadyPaid,
// ErrSettling.
func (s *Service) Release(ctx context.Context, id string) error {
	id, err := ids.Parse(id)
	if err != nil {
		return ErrUnknown
	}
	_, err = s.end(ctx, id, released)
	return err
}

// end moves a waiting pledge to expired, and, when the ending has a reason for the payment service, puts the message into
// the outbox: a payment may have begun without our knowing. A pledge that does not wait any more was ended or paid between
// the look and the lock; then only its backer's release is still recorded. Errors of a release: ErrAlreadyPaid,
// ErrSettling.
func (s *Service) end(ctx context.Context, id string, how ending) (moved bool, err error) {
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		moved = false
		p, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		switch p.Status {
		case Created, AwaitingPayment:
			if err := s.move(ctx, tx, p, step{to: Expired, cause: how.cause, released: how == released}); err != nil {
				return err
			}
			moved = true
			if how.reason != "" {
				return closing.Add(ctx, tx, closing.Pledge, p.ID, how.reason)
			}
		case Failed, Expired:
			if how == released {
				moved = true
				return s.noteReleased(ctx, tx, p)
			}
		case Processing:
			if how == released {
				return ErrSettling
			}
		case Paid, PartlyRefunded, Disputed, Withdrawn:
			if how == released {
				return ErrAlreadyPaid
			}
		case Refunded:
		}
		return nil
	})
	if moved && err == nil {
		s.outboxAdded()
	}
	return moved && err == nil, err
}

// noteReleased records a release of a pledge that has lapsed or failed already, so that late money is not accepted, and has
// its payment closed at once.
func (s *Service) noteReleased(ctx context.Context, tx *gorm.DB, p *row) error {
	err := tx.WithContext(ctx).Exec(`UPDATE pledges SET released_at = ?, updated_at = ? WHERE id = ? AND released_at IS NULL`,
		s.now(), s.now(), p.ID).Error
	if err != nil {
		return fmt.Errorf("note the release of a pledge: %w", err)
	}
	return closing.Add(ctx, tx, closing.Pledge, p.ID, released.reason)
}
