package subscriptions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
)

// errForbidden is a step that the table does not allow; events that cause it came late and are ignored.
var errForbidden = errors.New("transition not allowed")

// row is a subscription as steps need it, locked.
type row struct {
	ID              string
	CampaignID      int64
	RewardID        *int64
	Status          Status
	Amount          money.Amount `gorm:"embedded;embeddedPrefix:amount_"` // a month
	Bought          *rewards.Bought
	NextAmountMinor *int64
	NextRewardID    *int64
	NextBought      *rewards.Bought
	Language        string
	EventSequence   int64
	ClosedAt        *time.Time // when we ended it ourselves
	IsProcessing    bool       // a bank has the money of its first month
	EndedBecause    string     // "" while it goes on
	Person          string     // whose it is (campaigns.PersonOf)
}

// lock reads a subscription and keeps it from others until the transaction ends.
func lock(ctx context.Context, tx *gorm.DB, id string) (*row, error) {
	var r row
	found := tx.WithContext(ctx).Raw(`
		SELECT id, campaign_id, reward_id, status, amount_minor, currency AS amount_currency, bought, next_amount_minor, next_reward_id,
		       next_bought, language, event_sequence, closed_at, is_processing, ended_because, `+campaigns.PersonOf("subscriptions")+` AS person
		FROM subscriptions WHERE id = ? FOR UPDATE`, id).Scan(&r)
	if found.Error != nil {
		return nil, fmt.Errorf("lock subscription: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return nil, ErrUnknown
	}
	return &r, nil
}

// step is one wanted change of a subscription.
type step struct {
	to          Status
	amountMinor int64 // a month, from then on
	rewardID    *int64
	bought      *rewards.Bought
	cause       string
	eventID     string
}

// move takes a locked subscription one step, with what belongs to it: the campaign's totals, its reward's supporters,
// history. It is the only place that changes a status or an amount. A step to where it is already changes nothing. Locks
// are taken in the order subscription, campaign, rewards (by id), totals. Error: errForbidden.
func (s *Service) move(ctx context.Context, tx *gorm.DB, r *row, st step) error {
	if st.to != r.Status && !r.Status.CanMove(st.to) {
		return fmt.Errorf("subscription from %s to %s: %w", r.Status, st.to, errForbidden)
	}
	if st.to == r.Status && st.amountMinor == r.Amount.Minor && same(st.rewardID, r.RewardID) {
		return nil
	}
	now := s.now()
	if err := moveSupporter(ctx, tx, r, st); err != nil {
		return err
	}
	change := contribution(st.to, st.amountMinor).Minus(contribution(r.Status, r.Amount.Minor))
	if _, err := campaigns.AddToTotals(ctx, tx, r.CampaignID, r.backing(), change); err != nil {
		return err
	}
	err := tx.WithContext(ctx).Exec(`
		UPDATE subscriptions SET status = @to, amount_minor = @amount, reward_id = @reward, bought = CAST(@bought AS jsonb),
		    is_processing = is_processing AND @to = 'created', updated_at = @now
		WHERE id = @id`,
		map[string]any{"id": r.ID, "to": string(st.to), "amount": st.amountMinor, "reward": st.rewardID, "bought": st.bought, "now": now}).Error
	if err != nil {
		return fmt.Errorf("move subscription to %s: %w", st.to, err)
	}
	if err := note(ctx, tx, r.ID, r.Status, st, now); err != nil {
		return err
	}
	r.Status, r.Amount.Minor, r.RewardID, r.Bought = st.to, st.amountMinor, st.rewardID, st.bought
	return nil
}

func (r *row) backing() campaigns.Backing { return campaigns.Backing{ID: r.ID, Person: r.Person} }

// stepTo is the step to a status with everything else as it is.
func (r *row) stepTo(to Status, cause, eventID string) step {
	return step{to: to, amountMinor: r.Amount.Minor, rewardID: r.RewardID, bought: r.Bought, cause: cause, eventID: eventID}
}

// moveSupporter keeps the number of who supports for a reward, in the order of rewards' ids.
func moveSupporter(ctx context.Context, tx *gorm.DB, r *row, st step) error {
	type count struct {
		reward *int64
		by     int
	}
	counts := []count{{r.RewardID, -supports(r.Status)}, {st.rewardID, supports(st.to)}}
	if same(r.RewardID, st.rewardID) {
		counts = []count{{r.RewardID, supports(st.to) - supports(r.Status)}}
	} else if r.RewardID != nil && st.rewardID != nil && *st.rewardID < *r.RewardID {
		counts[0], counts[1] = counts[1], counts[0]
	}
	for _, c := range counts {
		if c.reward == nil || c.by == 0 {
			continue
		}
		if err := rewards.AddBacker(ctx, tx, *c.reward, r.backing(), c.by); err != nil {
			return err
		}
	}
	return nil
}

func same(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

// note adds a step to the history.
func note(ctx context.Context, tx *gorm.DB, id string, from Status, st step, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO subscription_transitions (subscription_id, from_status, to_status, amount_minor, cause, event_id, at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, id, string(from), string(st.to), st.amountMinor, st.cause, st.eventID, now).Error
	if err != nil {
		return fmt.Errorf("note a step of a subscription: %w", err)
	}
	return nil
}
