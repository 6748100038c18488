package subscriptions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
)

// Change is what is corrected of a subscription; nil stays. The level is Amount with RewardID.
type Change struct {
	Email, FirstName, LastName, Language *string
	Anonymous                            *bool
	Amount                               *json.Number
	RewardID                             *int64
}

// Change corrects who supports, and, before the first month is paid, with what. Errors: ErrUnknown, also for one that is over;
// faults of the fields; those of readOffer.
func (s *Service) Change(ctx context.Context, id string, wanted Change) (View, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return View{}, ErrUnknown
	}
	var language string
	for {
		err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
			language, err = s.change(ctx, tx, id, wanted)
			return err
		})
		if !errors.Is(err, errChanged) {
			break
		}
	}
	if err != nil {
		return View{}, err
	}
	return s.View(ctx, id, language)
}

func (s *Service) change(ctx context.Context, tx *gorm.DB, id string, wanted Change) (language string, err error) {
	r, err := lock(ctx, tx, id)
	if err != nil {
		return "", err
	}
	if !r.Status.IsLive() {
		return "", ErrUnknown
	}
	var p Person
	if err := tx.WithContext(ctx).Raw(`SELECT email, first_name, last_name, anonymous, language FROM subscriptions WHERE id = ?`,
		id).Scan(&p).Error; err != nil {
		return "", fmt.Errorf("read who supports: %w", err)
	}
	before := p
	set(&p.Email, wanted.Email)
	set(&p.FirstName, wanted.FirstName)
	set(&p.LastName, wanted.LastName)
	set(&p.Language, wanted.Language)
	set(&p.Anonymous, wanted.Anonymous)
	p.normalise()
	faults := p.check()
	if r.Status != Created {
		for path, isWanted := range map[string]bool{"email": p.Email != before.Email, "amount": wanted.Amount != nil,
			"reward_id": wanted.RewardID != nil} {
			if isWanted {
				faults = faults.WithField(path, apperr.RuleFixed)
			}
		}
	}
	if err := faults.OrNil(); err != nil {
		return "", err
	}
	err = tx.WithContext(ctx).Exec(`
		UPDATE subscriptions SET email = @email, first_name = @first, last_name = @last, anonymous = @anonymous, language = @language,
		    updated_at = @now WHERE id = @id`,
		map[string]any{"id": id, "email": p.Email, "first": p.FirstName, "last": p.LastName, "anonymous": p.Anonymous,
			"language": p.Language, "now": s.now()}).Error
	if err != nil {
		return "", fmt.Errorf("change subscription: %w", err)
	}
	return p.Language, s.changeLevel(ctx, tx, r, p.Language, wanted)
}

// changeLevel gives a subscription that is not paid yet another level. A payment of the former amount that has begun is refused
// when it comes (receivePayment). Error: errChanged, when it is worth another try.
func (s *Service) changeLevel(ctx context.Context, tx *gorm.DB, r *row, language string, wanted Change) error {
	if wanted.Amount == nil {
		if wanted.RewardID != nil {
			return apperr.New(apperr.InvalidFields).WithField("amount", apperr.RuleRequired)
		}
		return nil
	}
	o, err := readOffer(ctx, tx, r.CampaignID, wanted.RewardID, language)
	if err != nil {
		return err
	}
	amount, fault := parseAmount(*wanted.Amount, o)
	if fault != nil {
		return fault
	}
	if err := s.holdOffer(ctx, tx, o); err != nil {
		return err
	}
	return s.move(ctx, tx, r, step{to: r.Status, amountMinor: amount.Minor, rewardID: o.RewardID, bought: o.Bought, cause: "corrected"})
}

func set[T any](value *T, wanted *T) {
	if wanted != nil {
		*value = *wanted
	}
}
