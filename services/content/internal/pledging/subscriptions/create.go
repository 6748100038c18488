package subscriptions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/person/profiles"
)

// Person is who supports, and how others see them.
type Person struct {
	Email, FirstName, LastName string
	Anonymous, HideAmount      bool
	Language                   string // fi, en or sv
}

// Input is what a supporter asks for.
type Input struct {
	Person
	CampaignID     int64
	RewardID       *int64
	UserID         *int64      // nil without a session
	Amount         json.Number // a month, major units
	IdempotencyKey string      // empty: none
	Caller         string      // whose key it is
	RequestHash    []byte
	Visitor        string // made up by the browser; empty: not known
	Source         string // where the supporter came from; empty: not known
	OnceMore       bool   // also when the person began the same a moment ago
}

// normalise trims what people type around their words.
func (p *Person) normalise() {
	p.FirstName, p.LastName, p.Email = profiles.PastedName(p.FirstName), profiles.PastedName(p.LastName), profiles.NormalEmail(p.Email)
}

// check reports every fault of the person's data at once; nil when there is none.
func (p *Person) check() *apperr.Error {
	faults := apperr.New(apperr.InvalidFields)
	first, last := profiles.CheckNames(p.FirstName, p.LastName)
	for _, name := range []struct{ path, rule string }{{"first_name", first}, {"last_name", last}} {
		if name.rule != "" {
			faults = faults.WithField(name.path, name.rule)
		}
	}
	switch {
	case p.Email == "":
		faults = faults.WithField("email", apperr.RuleRequired)
	case !profiles.IsEmail(p.Email):
		faults = faults.WithField("email", apperr.RuleEmail)
	}
	return faults
}

// parseAmount reads a month's amount; the fault is on the field amount.
func parseAmount(number json.Number, o *offer) (money.Amount, *apperr.Error) {
	amount, bad := money.FromInput("amount", number, o.Currency)
	if bad != nil {
		return amount, apperr.New(apperr.InvalidFields).WithFields(bad)
	}
	return amount, o.check(amount)
}

// errChanged: the reward has changed since it was read.
var errChanged = errors.New("the reward has changed")

// Create makes a subscription, which waits for its first month to be paid. With an idempotency key a repeat gives the one
// that the first call made. Errors: those of readOffer; faults of the input (all at once);
// idempotency_mismatch; made_before.
func (s *Service) Create(ctx context.Context, in Input) (View, error) {
	in.normalise()
	key := idem.Key{Scope: idem.Scope("subscriptions", in.Caller), Key: in.IdempotencyKey, Hash: in.RequestHash}
	if key.Key != "" {
		if err := key.Check(); err != nil {
			return View{}, err
		}
		// A repeat gets its answer also when the campaign or the reward takes nobody any more.
		if before, repeated, err := idem.Find(ctx, s.db, key); err != nil || repeated {
			if err != nil {
				return View{}, err
			}
			return s.View(ctx, before, in.Language)
		}
	}
	for {
		id, err := s.make(ctx, in, key)
		switch {
		case errors.Is(err, errChanged):
		case err != nil:
			return View{}, err
		default:
			return s.View(ctx, id, in.Language)
		}
	}
}

// make writes a subscription and gives its id, that of the first call when this is a repeat. Error: errChanged, when it is worth
// another try.
func (s *Service) make(ctx context.Context, in Input, key idem.Key) (string, error) {
	o, err := readOffer(ctx, s.db, in.CampaignID, in.RewardID, in.Language)
	if err != nil {
		return "", err
	}
	faults := in.check()
	amount, fault := parseAmount(in.Amount, o)
	if fault != nil {
		faults = faults.WithFields(fault.Fields)
	}
	if err := faults.OrNil(); err != nil {
		return "", err
	}
	id, now := ids.Drawn(ctx), s.now()
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		if key.Key != "" {
			before, repeated, err := idem.Claim(ctx, tx, key, id)
			if err != nil {
				return err
			}
			if repeated {
				id = before
				return nil
			}
		}
		if err := s.lockOffer(ctx, tx, o); err != nil {
			return err
		}
		if err := madeBefore(ctx, tx, in, amount, now); err != nil {
			return err
		}
		return s.insert(ctx, tx, in, o, id, amount, now)
	})
	return id, err
}

// sameWithin is for how long the same support of the same account is asked about.
const sameWithin = 10 * time.Minute

// madeBefore refuses support that its person has begun already, unless they mean it. Others of the account wait until the one
// that asks has been made, so that two tabs that are pressed at once are both seen.
func madeBefore(ctx context.Context, tx *gorm.DB, in Input, amount money.Amount, now time.Time) error {
	if in.UserID == nil || in.OnceMore {
		return nil
	}
	tx = tx.WithContext(ctx)
	args := map[string]any{"user": *in.UserID, "campaign": in.CampaignID, "reward": in.RewardID, "amount": amount.Minor, "since": now.Add(-sameWithin),
		"lock": fmt.Sprint("made before ", *in.UserID)}
	var before []struct {
		CreatedAt    time.Time
		Status       Status
		IsProcessing bool
	}
	err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(@lock, @campaign))`, args).Error
	if err == nil {
		err = tx.Raw(`
			SELECT created_at, status, is_processing FROM subscriptions
			WHERE user_id = @user AND created_at > @since AND campaign_id = @campaign AND reward_id IS NOT DISTINCT FROM @reward
			  AND amount_minor = @amount AND status IN ('created', 'active', 'past_due', 'paused')
			ORDER BY created_at DESC LIMIT 1`, args).Scan(&before).Error
	}
	if err != nil {
		return fmt.Errorf("look for the same support: %w", err)
	}
	if len(before) == 0 {
		return nil
	}
	return apperr.New(apperr.MadeBefore).WithParams(apperr.Params{"at": before[0].CreatedAt, "paid": before[0].Status != Created || before[0].IsProcessing})
}

// lockOffer keeps what the offer was read from as it is until the transaction ends. Errors: ErrClosed, campaigns.ErrOnHold, errChanged.
func (s *Service) lockOffer(ctx context.Context, tx *gorm.DB, o *offer) error {
	standing, err := campaigns.LockStage(ctx, tx, o.CampaignID)
	if err != nil {
		return err
	}
	switch {
	case standing.Stage != campaigns.StageRecurring:
		return ErrClosed
	case standing.Hold != campaigns.NotHeld:
		return campaigns.ErrOnHold
	}
	if o.RewardID == nil {
		return nil
	}
	held := tx.WithContext(ctx).Exec(`SELECT FROM rewards WHERE id = ? AND active = 1 AND version = ? FOR KEY SHARE`, *o.RewardID, o.Version)
	if held.Error != nil {
		return fmt.Errorf("hold reward %d: %w", *o.RewardID, held.Error)
	}
	if held.RowsAffected == 0 {
		return errChanged
	}
	return nil
}

func (s *Service) insert(ctx context.Context, tx *gorm.DB, in Input, o *offer, id string, amount money.Amount, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO subscriptions (id, campaign_id, reward_id, user_id, status, amount_minor, currency, bought, email, first_name,
		    last_name, anonymous, hide_amount, language, visitor, source, payable_until, created_at, updated_at)
		VALUES (@id, @campaign, @reward, @user, 'created', @amount, @currency, CAST(@bought AS jsonb), @email, @first, @last,
		    @anonymous, @hide_amount, @language, @visitor, @source, @until, @now, @now)`,
		map[string]any{"id": id, "campaign": o.CampaignID, "reward": o.RewardID, "user": in.UserID, "amount": amount.Minor,
			"currency": string(amount.Currency), "bought": o.Bought, "email": in.Email, "first": in.FirstName, "last": in.LastName,
			"anonymous": in.Anonymous, "hide_amount": in.HideAmount, "language": in.Language, "visitor": s.hasher.Hash(in.Visitor, o.CampaignID),
			"source": in.Source, "until": now.Add(payableFor), "now": now}).Error
	if err != nil {
		return fmt.Errorf("insert subscription: %w", err)
	}
	return note(ctx, tx, id, "", step{to: Created, amountMinor: amount.Minor, cause: "created"}, now)
}
