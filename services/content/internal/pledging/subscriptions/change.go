package subscriptions

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
)

// Change is what is corrected of a subscription; nil stays.
type Change struct {
	Email, FirstName, LastName, Language *string
	Anonymous, HideAmount                *bool
	// Amount (major units) and RewardID cannot be corrected: they may be sent along, as what they are.
	Amount   *json.Number
	RewardID *int64
	// OnlyUnpaid: a subscription whose first month is paid is unknown.
	OnlyUnpaid bool
}

// Change corrects who supports. The level stays: the payment service has its own copy as soon as the payment has begun, so
// another level before that is another subscription, and later the payment service's to change. Errors: ErrUnknown, also for
// one that is over; faults of the fields.
func (s *Service) Change(ctx context.Context, id string, wanted Change) (View, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return View{}, ErrUnknown
	}
	var language string
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
		language, err = s.change(ctx, tx, id, wanted)
		return err
	})
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
	if !r.Status.IsLive() || wanted.OnlyUnpaid && r.Status != Created {
		return "", ErrUnknown
	}
	var p Person
	if err := tx.WithContext(ctx).Raw(`SELECT email, first_name, last_name, anonymous, hide_amount, language FROM subscriptions WHERE id = ?`,
		id).Scan(&p).Error; err != nil {
		return "", fmt.Errorf("read who supports: %w", err)
	}
	before := p
	set(&p.Email, wanted.Email)
	set(&p.FirstName, wanted.FirstName)
	set(&p.LastName, wanted.LastName)
	set(&p.Language, wanted.Language)
	set(&p.Anonymous, wanted.Anonymous)
	set(&p.HideAmount, wanted.HideAmount)
	p.normalise()
	faults := p.check()
	for path, isWanted := range map[string]bool{
		"email":     p.Email != before.Email && (r.Status != Created || r.IsProcessing), // it says whose the money is
		"amount":    wanted.Amount != nil && !r.costs(*wanted.Amount),
		"reward_id": wanted.RewardID != nil && !same(wanted.RewardID, r.RewardID),
	} {
		if isWanted {
			faults = faults.WithField(path, apperr.RuleFixed)
		}
	}
	if err := faults.OrNil(); err != nil {
		return "", err
	}
	err = tx.WithContext(ctx).Exec(`
		UPDATE subscriptions SET email = @email, first_name = @first, last_name = @last, anonymous = @anonymous, hide_amount = @hide_amount,
		    language = @language, updated_at = @now WHERE id = @id`,
		map[string]any{"id": id, "email": p.Email, "first": p.FirstName, "last": p.LastName, "anonymous": p.Anonymous, "hide_amount": p.HideAmount,
			"language": p.Language, "now": s.now()}).Error
	if err != nil {
		return "", fmt.Errorf("change subscription: %w", err)
	}
	return p.Language, nil
}

// costs says whether a month costs this much, in major units.
func (r *row) costs(major json.Number) bool {
	amount, err := money.ParseMajor(major.String(), r.Amount.Currency)
	return err == nil && amount == r.Amount
}

func set[T any](value *T, wanted *T) {
	if wanted != nil {
		*value = *wanted
	}
}
