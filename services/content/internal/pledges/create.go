package pledges

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

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
		if in.IdempotencyKey == "" {
			view, err = s.make(ctx, tx, in)
			return err
		}
		key := idem.Key{Scope: "pledges", Key: in.IdempotencyKey, Hash: in.RequestHash}
		answer, replayed, err := idem.Do(ctx, tx, key, func() (idem.Response, error) {
			if view, err = s.make(ctx, tx, in); err != nil {
				return idem.Response{}, err
			}
			return idem.Response{Status: http.StatusCreated, Body: json.RawMessage(strconv.Quote(view.ID))}, nil
		})
		if err == nil && replayed {
			err = json.Unmarshal(answer.Body, &madeBefore)
		}
		return err
	})
	if err == nil && madeBefore != "" {
		return s.View(ctx, madeBefore, in.Language)
	}
	return view, err
}

// make prices what is asked for and writes the pledge.
func (s *Service) make(ctx context.Context, tx *gorm.DB, in Input) (View, error) {
	now := s.now()
	offer, err := readOffer(ctx, tx, in, now)
	if err != nil {
		return View{}, err
	}
	cost, faults := price(offer, in)
	if err := both(in.Meta.validate(offer), faults); err != nil {
		return View{}, err
	}
	view := View{ID: ids.New(), CampaignID: offer.CampaignID, RewardID: in.RewardID, Status: Created,
		AmountMinor: cost.Amount.Minor, Currency: string(offer.Currency), Quantity: in.Meta.Quantity, Lines: cost.Lines,
		VatMinor: cost.VATMinor, Email: in.Meta.Email, FirstName: in.Meta.FirstName, Anonymous: in.Meta.Anonymous,
		ReservedUntil: now.Add(s.hold), Preview: offer.Preview}
	return view, s.insert(ctx, tx, in, offer, view)
}

// insert writes the pledge and takes its stock. The reward's row is locked last and so for the shortest time: on a
// popular reward all buyers wait for that one row.
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
	err = tx.WithContext(ctx).Exec(`
		WITH made AS (
			INSERT INTO pledges (id, campaign_id, reward_id, user_id, status, amount_minor, currency, quantity, lines,
			    vat_minor, stock_held, email, first_name, last_name, details, anonymous, language, reserved_until,
			    created_at, updated_at)
			VALUES (@id, @campaign, @reward, @user, 'created', @amount, @currency, @quantity, @lines, @vat, @held, @email,
			    @first, @last, @details, @anonymous, @language, @until, @now, @now)
			RETURNING id)
		INSERT INTO pledge_transitions (pledge_id, from_status, to_status, cause, at)
		SELECT id, '', 'created', 'created', @now FROM made`,
		map[string]any{"id": v.ID, "campaign": v.CampaignID, "reward": v.RewardID, "user": in.UserID,
			"amount": v.AmountMinor, "currency": v.Currency, "quantity": v.Quantity, "lines": string(lines), "vat": v.VatMinor,
			"held": limited, "email": v.Email, "first": v.FirstName, "last": in.Meta.LastName, "details": string(details),
			"anonymous": v.Anonymous, "language": in.Language, "until": v.ReservedUntil,
			"now": v.ReservedUntil.Add(-s.hold)}).Error
	if err != nil {
		return fmt.Errorf("insert pledge: %w", err)
	}
	if !limited {
		return nil
	}
	counted, err := rewards.Reserve(ctx, tx, *v.RewardID, v.Quantity)
	if err == nil && !counted { // made unlimited in the meantime
		err = tx.WithContext(ctx).Exec(`UPDATE pledges SET stock_held = false WHERE id = ?`, v.ID).Error
	}
	return err
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
