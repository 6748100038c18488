package claims

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/typed"

	"talkoot.fi/content/internal/pledging/pledges"
)

// Act takes a step of the claim that there is about a pledge, or makes one. A repeat with the same key changes nothing. It gives the
// claim's id. Errors: ErrUnknown; ErrMoved; ErrNotPossible; ErrNoSum; idem.ErrMismatch; pledges.ErrContested; InvalidFields.
func (s *Service) Act(ctx context.Context, pledgeID, claimID string, by By, w Wish) (id string, err error) {
	now := s.now()
	w.Text, w.Tracking = typed.Plain(w.Text), typed.Line(w.Tracking)
	if err := s.overdue(ctx, pledgeID, now); err != nil {
		return "", err
	}
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		p, err := lockPledge(ctx, tx, pledgeID)
		if err != nil {
			return err
		}
		done, err := repeats(ctx, tx, pledgeID, w)
		if err != nil || done != "" { // whatever has become of its day since
			id = done
			return err
		}
		if err := w.check(now, s.zone); err != nil {
			return err
		}
		if by.Role == Staff {
			if err := notOwn(ctx, tx, pledgeID, by.UserID, ErrUnknown); err != nil {
				return err
			}
		}
		if w.Act == Make {
			id, err = s.make(ctx, tx, p, by, w, now)
			return err
		}
		c, found, err := read(ctx, tx, `WHERE pledge_id = ? AND (? = '' OR id = ?) ORDER BY created_at DESC, id DESC LIMIT 1 FOR UPDATE`, pledgeID, claimID, claimID)
		if err == nil && !found {
			err = ErrUnknown
		}
		if err != nil {
			return err
		}
		if w.Version != c.Version && w.Act != Message {
			return ErrMoved
		}
		id = c.ID
		return s.move(ctx, tx, p, c, by, w, now)
	})
	return id, err
}

// repeats gives the claim on which the act of a key was taken before, "" for none. Error: idem.ErrMismatch for another act.
func repeats(ctx context.Context, tx *gorm.DB, pledgeID string, w Wish) (claimID string, err error) {
	var before struct {
		ClaimID, Text, Tracking string
		Act                     Act
		Kind                    Kind
		AmountMinor             int64
		Day                     *time.Time
	}
	found := tx.WithContext(ctx).Raw(`SELECT m.claim_id, m.act, m.text, m.tracking, c.kind, coalesce(m.amount_minor, 0) AS amount_minor, m.day FROM claims c JOIN claim_messages m ON m.claim_id = c.id
		WHERE c.pledge_id = ? AND m.request_key = ? LIMIT 1`, pledgeID, w.Key).Scan(&before)
	switch {
	case found.Error != nil:
		return "", fmt.Errorf("look for an earlier act on a claim: %w", found.Error)
	case found.RowsAffected == 0 || w.Key == "":
		return "", nil
	case before.Act != w.Act || before.Text != w.Text || before.Tracking != w.Tracking, w.Act == Make && before.Kind != w.Kind,
		(w.Act == OfferPart || w.Act == Decide) && before.AmountMinor != w.Minor,
		w.Act == OfferResend && (before.Day == nil || before.Day.Format(time.DateOnly) != w.Day.Format(time.DateOnly)):
		return "", idem.ErrMismatch
	}
	return before.ClaimID, nil
}

// make makes a claim, unless there is one that is open, or that staff have decided, whatever came of the objection.
func (s *Service) make(ctx context.Context, tx *gorm.DB, p pledge, by By, w Wish, now time.Time) (string, error) {
	if p.isContested() {
		return "", pledges.ErrContested
	}
	var before struct{ All, InTheWay int }
	err := tx.WithContext(ctx).Raw(`SELECT count(*) AS all, count(*) FILTER (WHERE state NOT IN ('agreed', 'closed') OR decisions > 0) AS in_the_way
		FROM claims WHERE pledge_id = ?`, p.ID).Scan(&before).Error
	if err != nil {
		return "", fmt.Errorf("count claims: %w", err)
	}
	isPossible := false
	for _, kind := range possible(p, now, s.zone).Kinds {
		isPossible = isPossible || kind == w.Kind
	}
	if !isPossible || before.InTheWay > 0 || before.All >= mostClaims || by.Role != Backer {
		return "", ErrNotPossible
	}
	c := row{ID: ids.New(), PledgeID: p.ID, CampaignID: p.CampaignID, Kind: w.Kind}
	err = tx.WithContext(ctx).Exec(`INSERT INTO claims (id, reference, pledge_id, campaign_id, kind, state, version, waits_from, due_at, created_at, updated_at)
		VALUES (@id, 'H-' || @year || '-' || to_char(nextval('claim_references'), 'FM999999000000'), @pledge, @campaign, @kind, 'open', 0, @now, @now, @now, @now)`,
		map[string]any{"id": c.ID, "year": fmt.Sprint(now.In(s.zone).Year()), "pledge": p.ID, "campaign": p.CampaignID, "kind": w.Kind, "now": now}).Error
	if err != nil {
		return "", fmt.Errorf("make a claim: %w", err)
	}
	return c.ID, s.move(ctx, tx, p, c, by, w, now)
}

// move takes a locked claim of a locked pledge one step, with all that belongs to it: clock, history, money, mails. It is the only place
// that changes a state. Errors: ErrMoved; ErrNoSum.
func (s *Service) move(ctx context.Context, tx *gorm.DB, p pledge, c row, by By, w Wish, now time.Time) error {
	from := c.State
	to, allowed := next(from, w.Act, by.Role)
	isLate := w.Act == Object && (c.Decisions > 1 || c.DueAt == nil || !now.Before(*c.DueAt))
	if !allowed || isLate {
		return ErrMoved
	}
	said, err := s.change(p, &c, w)
	if err != nil {
		return err
	}
	c.State = to
	if w.Act != Message {
		c.Version++
		c.WaitsFrom, c.DueAt = now, dueIn(to, c, now, s.zone)
	}
	if w.Act == Message || w.Act == OfferPart || w.Act == OfferResend {
		if err := mayWrite(ctx, tx, c.ID, by.Role); err != nil {
			return err
		}
	}
	if err := c.save(ctx, tx, now); err != nil {
		return err
	}
	messageID, err := keepStep(ctx, tx, c, from, by, w, said, now)
	if err != nil {
		return err
	}
	if said.isRefund {
		err := agree(ctx, tx, refund{PledgeID: p.ID, CampaignID: p.CampaignID, ClaimID: &c.ID, Reason: ofClaim, Minor: said.minor, Currency: p.Currency,
			UserID: nullable(by.UserID)}, now)
		if err != nil {
			return err
		}
	}
	return tellAll(ctx, tx, c, messageID, from, w.Act, by.Role)
}

// keepStep writes the step of a claim into its history, and gives the step's id.
func keepStep(ctx context.Context, tx *gorm.DB, c row, from State, by By, w Wish, said said, now time.Time) (
	id int64, err error) {
	err = tx.WithContext(ctx).Raw(`
		INSERT INTO claim_messages (claim_id, at, role, user_id, act, from_state, to_state, text, amount_minor, day,
			tracking, request_key)
		VALUES (@claim, @now, @role, @user, @act, @from, @to, @text, @minor, CAST(@day AS date), @tracking, @key)
		RETURNING id`,
		map[string]any{"claim": c.ID, "now": now, "role": by.Role, "user": nullable(by.UserID), "act": w.Act,
			"from": from, "to": c.State, "text": w.Text, "minor": nullable(said.minor), "day": c.dayOf(w.Act),
			"tracking": w.Tracking, "key": w.Key}).Scan(&id).Error
	if err != nil {
		return 0, fmt.Errorf("keep what was done about a claim: %w", err)
	}
	return id, nil
}

// mayWrite refuses what a side could do for ever. Each has a bound of its own, so that nobody silences the other. Error: TooManyRequests.
func mayWrite(ctx context.Context, tx *gorm.DB, claimID string, role Role) error {
	var n int
	if err := tx.WithContext(ctx).Raw(`SELECT count(*) FROM claim_messages WHERE claim_id = ? AND role = ?`, claimID, role).Scan(&n).Error; err != nil {
		return fmt.Errorf("count what was written about a claim: %w", err)
	}
	if n >= mostMessages {
		return apperr.New(apperr.TooManyRequests)
	}
	return nil
}
