package pledges

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/campaign/rewards"
)

// Create makes a pledge and holds its reward. With an idempotency key a repeat gives the pledge that the first call
// made, whatever has become of the reward since. Errors: those of readOffer, faults of the input (all at once),
// rewards.ErrGone, rewards.ErrAboveStock, rewards.ErrClosed, rewards.ErrHeld, idempotency_mismatch, made_before.
func (s *Service) Create(ctx context.Context, in Input) (View, error) {
	in.Meta.normalise()
	if in.Meta.Quantity == 0 {
		in.Meta.Quantity = 1
	}
	key := idem.Key{Scope: idem.Scope("pledges", in.Caller), Key: in.IdempotencyKey, Hash: in.RequestHash}
	if key.Key != "" {
		if err := key.Check(); err != nil {
			return View{}, err
		}
	}
	view, err := s.make(ctx, in, key)
	if err == nil || key.Key == "" {
		return view, err
	}
	// It may be a repeat: the first one has taken the key, and perhaps the last of the reward.
	before, repeated, keyErr := idem.Find(ctx, s.db, key)
	switch {
	case errors.Is(keyErr, idem.ErrMismatch):
		return View{}, keyErr
	case repeated:
		return s.View(ctx, before, in.Language)
	}
	return View{}, errors.Join(err, keyErr)
}

// make works out the price and writes the pledge. When the campaign or the reward has changed in between, it reads them
// again and starts over.
func (s *Service) make(ctx context.Context, in Input, key idem.Key) (View, error) {
	id := ids.Drawn(ctx)
	for {
		now := s.now()
		offer, err := readOffer(ctx, s.db, in, now)
		if err != nil {
			return View{}, err
		}
		cost, faults := price(offer, in)
		if err := both(in.Meta.validate(offer), faults); err != nil {
			return View{}, err
		}
		view := View{ID: id, CampaignID: offer.CampaignID, RewardID: in.RewardID, Status: Created,
			Price: cost, Quantity: in.Meta.Quantity, Email: in.Meta.Email, FirstName: in.Meta.FirstName,
			Anonymous: in.Meta.Anonymous, ReservedUntil: now.Add(s.firstHold), CreatedAt: now, Preview: offer.Preview}
		if made, err := s.insert(ctx, in, key, offer, view); made || err != nil {
			return view, err
		}
	}
}

// insertSQL writes a pledge, the beginning of its history and its idempotency key. It holds the campaign's stage, as
// campaigns.LockStage does. The two gaps (%s) take the conditions on the reward. For a limited reward it first checks
// how much this person and network already hold, so that the reward's row, for which others wait, is not locked
// meanwhile. The reward must have the version that the price was worked out from: whoever changes it waits for the
// pledges that are being made, and a pledge that comes after the change finds another version and starts over.
const insertSQL = `
	asked AS MATERIALIZED (SELECT CASE WHEN @asks THEN NOT made_before(@campaign, coalesce(@reward, 0), @user, @amount, @since) ELSE true END AS ok),
	held AS (SELECT FROM campaigns WHERE id = @campaign AND stage = @stage AND hold = '' AND (SELECT ok FROM asked) FOR KEY SHARE), %s
	made AS (
		INSERT INTO pledges (id, campaign_id, reward_id, user_id, status, amount_minor, currency, quantity, lines,
		    vat_minor, bought, visitor, source, stock_held, held_from, email, first_name, last_name, details, anonymous, hide_amount, language, reserved_until,
		    created_at, updated_at)
		SELECT @id, @campaign, @reward, @user, 'created', @amount, @currency, @qty, @lines, @vat, CAST(@bought AS jsonb), @visitor, @source, @limited,
		    @network, @email, @first, @last, @details, @anonymous, @hide_amount, @language, @until, @now, @now FROM %s
		RETURNING id),
	claimed AS (` + idem.ClaimSQL + `)
	INSERT INTO pledge_transitions (pledge_id, from_status, to_status, cause, at)
	SELECT id, '', 'created', 'created', @now FROM made`

var (
	insertLimited = "WITH " + fmt.Sprintf(insertSQL, "allowed AS MATERIALIZED ("+rewards.MayHoldSQL+"), taken AS ("+
		rewards.ReserveSQL+
		" AND version = @version AND (SELECT ok FROM allowed) AND EXISTS (SELECT FROM held) RETURNING id),", "taken")
	insertUnlimited = "WITH " + fmt.Sprintf(insertSQL,
		"offered AS (SELECT FROM rewards WHERE id = @reward AND active = 1 AND stock = 0 AND version = @version FOR KEY "+
			"SHARE),", "held, offered")
	insertSupport = "WITH " + fmt.Sprintf(insertSQL, "", "held")
)

// insert writes the pledge and takes its stock, in one statement that is a transaction of its own: all buyers of a
// popular reward wait for that one row, so nobody keeps it locked over a round trip to the database. It reports false
// when the offer has changed.
func (s *Service) insert(ctx context.Context, in Input, key idem.Key, offer *Offer, v View) (bool, error) {
	lines, err := json.Marshal(v.Lines)
	if err != nil {
		return false, fmt.Errorf("encode lines: %w", err)
	}
	details, err := json.Marshal(in.Meta)
	if err != nil {
		return false, fmt.Errorf("encode details: %w", err)
	}
	statement, limited, network, version := insertSupport, false, "", int64(0)
	mostPerson, mostNetwork := 0, 0
	if offer.Reward != nil {
		statement, limited, version = insertUnlimited, offer.Reward.Stock > 0, offer.Reward.Version
	}
	if limited {
		statement, network = insertLimited, in.Network
		mostPerson, mostNetwork = rewards.MostUnpaid(offer.Reward.Stock)
	}
	params := map[string]any{"id": v.ID, "campaign": v.CampaignID, "stage": offer.Stage, "reward": v.RewardID,
		"user": in.UserID, "amount": v.Amount.Minor, "currency": string(v.Amount.Currency), "qty": v.Quantity,
		"lines": string(lines), "vat": v.VATMinor,
		"bought": offer.bought(in), "visitor": s.hasher.Hash(in.Visitor, v.CampaignID), "source": in.Source,
		"version": version,
		"limited": limited, "email": v.Email, "first": v.FirstName, "last": in.Meta.LastName, "details": string(details),
		"anonymous": v.Anonymous, "hide_amount": in.Meta.HideAmount, "language": in.Language, "until": v.ReservedUntil, "now": v.ReservedUntil.Add(-s.firstHold),
		"asks": in.UserID != nil && !in.OnceMore, "since": v.ReservedUntil.Add(-s.firstHold - sameWithin),
		"network": network, "most_person": mostPerson, "most_network": mostNetwork,
		"key_scope": key.Scope, "key": key.Key, "key_hash": key.Hash}
	var made int64
	err = dbx.Retry(ctx, func() error {
		written := s.db.WithContext(ctx).Exec(statement, params)
		made = written.RowsAffected
		return written.Error
	})
	if err != nil {
		return false, fmt.Errorf("insert pledge: %w", err)
	}
	if made == 0 && params["asks"] == true {
		err = s.madeBefore(ctx, params)
	}
	if made == 0 && limited && err == nil {
		err = s.whyNotTaken(ctx, params)
	}
	return made == 1, err
}

// sameWithin is for how long the same pledge of the same account is asked about.
const sameWithin = 10 * time.Minute

// madeBefore is the refusal of a pledge that its person has made already, nil when they have not.
func (s *Service) madeBefore(ctx context.Context, params map[string]any) error {
	var before []struct {
		CreatedAt time.Time
		Status    Status
	}
	err := s.db.WithContext(ctx).Raw(`
		SELECT created_at, status FROM pledges
		WHERE user_id = @user AND created_at > @since AND campaign_id = @campaign AND coalesce(reward_id, 0) = coalesce(@reward, 0)
		  AND amount_minor = @amount AND status NOT IN ('failed', 'expired', 'refunded', 'withdrawn')
		ORDER BY created_at DESC LIMIT 1`, params).Scan(&before).Error
	if err != nil {
		return fmt.Errorf("look for the same pledge: %w", err)
	}
	if len(before) == 0 {
		return nil
	}
	return apperr.New(apperr.MadeBefore).WithParams(apperr.Params{"at": before[0].CreatedAt, "paid": !before[0].Status.Waiting()})
}

// whyNotTaken finds out why insertLimited wrote nothing; nil when it is worth another try.
func (s *Service) whyNotTaken(ctx context.Context, params map[string]any) error {
	reward, quantity := params["reward"].(*int64), params["qty"].(int) //nolint:forcetypeassert // insert's own
	if limited, err := rewards.StillLimited(ctx, s.db, *reward, quantity); err != nil || !limited {
		return err
	}
	var mayHold bool
	if err := s.db.WithContext(ctx).Raw(rewards.MayHoldSQL, params).Scan(&mayHold).Error; err != nil {
		return fmt.Errorf("ask what is held of a reward: %w", err)
	}
	if !mayHold {
		return rewards.ErrHeld
	}
	return nil
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
