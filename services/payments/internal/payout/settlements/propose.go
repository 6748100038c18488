package settlements

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
)

// Propose begins a run for each provider at which a campaign has money that no run has, or gives the one that has begun; each is frozen at
// once if its money is certain, and by the worker when it is. Errors: ErrNoEnding, ErrNoPerson.
func (s *Service) Propose(ctx context.Context, campaignID int64, actor, note string) (runs []Run, err error) {
	if strings.TrimSpace(actor) == "" || note == "" {
		return nil, ErrNoPerson
	}
	e, err := endingOf(ctx, s.DB, campaignID)
	if err != nil {
		return nil, err
	}
	var names []string
	err = s.DB.WithContext(ctx).Raw(`SELECT DISTINCT a.provider FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id
		WHERE p.campaign_id = ? AND p.subject_kind = 'pledge' ORDER BY 1`, campaignID).Scan(&names).Error
	if err != nil {
		return nil, fmt.Errorf("look where the money of campaign %d is: %w", campaignID, err)
	}
	for _, name := range names {
		r, _, err := s.propose(ctx, Run{CampaignID: campaignID, Provider: name, Currency: money.Currency(e.Currency), ProposedBy: actor}, note)
		if err != nil {
			return runs, err
		}
		if r.ID != "" {
			runs = append(runs, r)
		}
	}
	return runs, nil
}

// propose begins a run, or gives the one that has begun, and freezes it if its money is certain; none without money that no run has. carried
// is what is too little and waits for the next month.
func (s *Service) propose(ctx context.Context, wanted Run, note string) (r Run, carried int64, err error) {
	r, carried, err = s.begin(ctx, wanted, note)
	if err != nil || r.State != Counting {
		return r, carried, err
	}
	r, err = s.tryFreeze(ctx, r.ID)
	return r, 0, err
}

// begin writes a run, if there is money that none has.
func (s *Service) begin(ctx context.Context, wanted Run, note string) (r Run, carried int64, err error) {
	err = dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		r, carried = Run{}, 0
		begun := wanted
		err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, fmt.Sprintf("settle:%d:%s", begun.CampaignID, begun.Provider)).Error
		if err != nil {
			return fmt.Errorf("wait for others who settle campaign %d: %w", begun.CampaignID, err)
		}
		list, err := read(ctx, tx, `WHERE campaign_id = ? AND provider = ? ORDER BY number DESC`, begun.CampaignID, begun.Provider)
		if err != nil {
			return err
		}
		begun.Number = 1
		if len(list) > 0 {
			begun.Number = list[0].Number + 1
			if st := list[0].State; st == Counting || st == Proposed || st == Approved {
				r = list[0]
				return nil
			}
		}
		if slices.ContainsFunc(list, begun.isBehind) {
			return nil
		}
		whole, err := s.withoutRun(ctx, tx, begun)
		if err != nil {
			return err
		}
		isLittle := false
		if begun.Month != nil && whole > 0 {
			isLittle, err = isTooLittle(ctx, tx, begun, whole)
		}
		if whole == 0 || isLittle || err != nil {
			carried = whole
			return err
		}
		now := s.Now()
		r = begun
		r.ID = ids.New()
		err = tx.WithContext(ctx).Exec(`INSERT INTO settlement_runs (id, campaign_id, provider, month, number, state, currency, proposed_by, next_at, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, r.ID, r.CampaignID, r.Provider, r.Month, r.Number, Counting, r.Currency, r.ProposedBy, now, now, now).Error
		if err != nil {
			return fmt.Errorf("begin a run of campaign %d: %w", r.CampaignID, err)
		}
		r.State = ""
		return s.do(ctx, tx, &r, Act{Event: Begun, Next: &now, Actor: r.ProposedBy, Note: note})
	})
	return r, carried, err
}

// withoutRun sums the money that no run has: charges, what was kept back and is released, and what came back to us.
func (s *Service) withoutRun(ctx context.Context, tx *gorm.DB, r Run) (int64, error) {
	charges, err := s.moneyOf(ctx, tx, r)
	if err != nil {
		return 0, err
	}
	back, err := released(ctx, tx, r)
	if err != nil {
		return 0, err
	}
	again, err := restored(ctx, tx, r)
	if err != nil {
		return 0, err
	}
	whole := sumReleased(back, again)
	for _, one := range charges {
		whole += one.Funds
	}
	return whole, nil
}

// tryFreeze freezes a run that counts, or says why it cannot be.
func (s *Service) tryFreeze(ctx context.Context, id string) (r Run, err error) {
	list, err := read(ctx, s.DB, `WHERE id = ?`, id)
	if err != nil || len(list) == 0 {
		return r, err
	}
	certain := s.ready(ctx, list[0])
	err = s.locked(ctx, id, func(tx *gorm.DB, now *Run) error {
		defer func() { r = *now }()
		if now.State != Counting {
			return nil
		}
		if certain != nil {
			return s.stopped(ctx, tx, now, certain)
		}
		err := s.freeze(ctx, tx, now)
		if why := (stop{}); now.Month != nil && errors.As(err, &why) && why.reason == NothingToSettle { // else it would keep the months after it waiting
			return s.do(ctx, tx, now, Act{Event: Voided, Reason: NothingToSettle})
		}
		return s.stopped(ctx, tx, now, err)
	})
	return r, err
}
