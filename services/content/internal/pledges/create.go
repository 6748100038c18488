package pledges

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/rewards"
)

// Create makes a pledge and holds its reward, in one transaction of its own. With an idempotency key a repeat gives
// the pledge that the first call made, whatever has become of the reward since.
// Errors: those of readOffer, faults of the input (all at once), rewards.ErrGone, rewards.ErrAboveStock,
// rewards.ErrClosed, idempotency_mismatch.
func (s *Service) Create(ctx context.Context, in Input) (View, error) {
	in.Meta.normalise()
	if in.Meta.Quantity == 0 {
		in.Meta.Quantity = 1
	}
	var view View
	var madeBefore string // the pledge that an earlier call with this key made
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
		id := ids.New()
		if in.IdempotencyKey != "" {
			key := idem.Key{Scope: idem.Scope("pledges", in.Caller), Key: in.IdempotencyKey, Hash: in.RequestHash}
			before, repeated, err := idem.Claim(ctx, tx, key, id)
			if err != nil || repeated {
				madeBefore = before
				return err
			}
		}
		view, err = s.make(ctx, tx, id, in)
		return err
	})
	if err == nil && madeBefore != "" {
		return s.View(ctx, madeBefore, in.Language)
	}
	return view, err
}

// make prices what is asked for and writes the pledge.
func (s *Service) make(ctx context.Context, tx *gorm.DB, id string, in Input) (View, error) {
	now := s.now()
	offer, err := readOffer(ctx, tx, in, now)
	if err != nil {
		return View{}, err
	}
	cost, faults := price(offer, in)
	if err := both(in.Meta.validate(offer), faults); err != nil {
		return View{}, err
	}
	view := View{ID: id, CampaignID: offer.CampaignID, RewardID: in.RewardID, Status: Created,
		Amount: cost.Amount, Quantity: in.Meta.Quantity, Lines: cost.Lines,
		VatMinor: cost.VATMinor, Email: in.Meta.Email, FirstName: in.Meta.FirstName, Anonymous: in.Meta.Anonymous,
		ReservedUntil: now.Add(s.hold), Preview: offer.Preview}
	return view, s.insert(ctx, tx, in, offer, view)
}

// insertSQL writes a pledge and the beginning of its history. What comes before it and after its values lets it happen
// only when the reward is still what it was.
const insertSQL = `made AS (
		INSERT INTO pledges (id, campaign_id, reward_id, user_id, status, amount_minor, currency, quantity, lines,
		    vat_minor, stock_held, email, first_name, last_name, details, anonymous, language, reserved_until,
		    created_at, updated_at)
		SELECT @id, @campaign, @reward, @user, 'created', @amount, @currency, @qty, @lines, @vat, @held, @email,
		    @first, @last, @details, @anonymous, @language, @until, @now, @now %s
		RETURNING id)
	INSERT INTO pledge_transitions (pledge_id, from_status, to_status, cause, at)
	SELECT id, '', 'created', 'created', @now FROM made`

var (
	insertLimited   = "WITH taken AS (" + rewards.ReserveSQL + " RETURNING id), " + fmt.Sprintf(insertSQL, "FROM taken")
	insertUnlimited = "WITH " + fmt.Sprintf(insertSQL, "FROM rewards WHERE rewards.id = @reward AND active = 1 AND stock = 0")
	insertSupport   = "WITH " + fmt.Sprintf(insertSQL, "")
)

// insert writes the pledge and takes its stock, in one statement: on a popular reward all buyers wait for that one row,
// so nothing but the commit comes after it is locked.
func (s *Service) insert(ctx context.Context, tx *gorm.DB, in Input, offer *Offer, v View) error {
	lines, err := json.Marshal(v.Lines)
	if err != nil {
		return fmt.Errorf("encode lines: %w", err)
	}
	details, err := json.Marshal(in.Meta)
	if err != nil {
		return fmt.Errorf("encode details: %w", err)
	}
	limited := offer.Reward != nil && offer.Reward.Stock > 0
	params := map[string]any{"id": v.ID, "campaign": v.CampaignID, "reward": v.RewardID, "user": in.UserID,
		"amount": v.Amount.Minor, "currency": string(v.Amount.Currency), "qty": v.Quantity, "lines": string(lines), "vat": v.VatMinor,
		"held": limited, "email": v.Email, "first": v.FirstName, "last": in.Meta.LastName, "details": string(details),
		"anonymous": v.Anonymous, "language": in.Language, "until": v.ReservedUntil, "now": v.ReservedUntil.Add(-s.hold)}
	for {
		statement := insertSupport
		switch {
		case limited:
			statement = insertLimited
		case offer.Reward != nil:
			statement = insertUnlimited
		}
		written := tx.WithContext(ctx).Exec(statement, params)
		if written.Error != nil {
			return fmt.Errorf("insert pledge: %w", written.Error)
		}
		if written.RowsAffected == 1 {
			return nil
		}
		if limited, err = rewards.StillLimited(ctx, tx, *v.RewardID, v.Quantity); err != nil {
			return err
		}
		params["held"] = limited
	}
}

// both joins the faults of two checks into one answer.
func both(a, b *apperr.Error) error {
	switch {
	case a == nil && b == nil:
		return nil
	case a == nil:
		return b
	case b == nil:
		return a
	}
	for _, field := range b.Fields {
		a = a.WithField(field.Path, field.Rule, field.Params)
	}
	return a
}
