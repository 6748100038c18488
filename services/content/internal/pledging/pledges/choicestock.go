package pledges

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
)

// lockRewards locks both rewards of a change in the order of their ids, so that two people who swap them do not wait for each other.
func lockRewards(ctx context.Context, tx *gorm.DB, from, to *int64) error {
	if err := tx.WithContext(ctx).Exec(`SELECT FROM rewards WHERE id IN (?, ?) ORDER BY id FOR NO KEY UPDATE`, from, to).Error; err != nil {
		return fmt.Errorf("lock the rewards of a change: %w", err)
	}
	return nil
}

// moveReward moves stock and the count of a reward's backers from what a pledge was for to what it is for now; the caller has locked both rewards.
// Errors: those of rewards.Reserve.
func moveReward(ctx context.Context, tx *gorm.DB, p *row, n next, of campaigns.Backing) (held bool, err error) {
	isKept := isSame(p.RewardID, n.rewardID)
	if isKept && n.quantity == p.Quantity || p.RewardID == nil && n.rewardID == nil {
		return p.StockHeld, nil
	}
	if isKept && n.quantity < p.Quantity { // also of one that is offered no more
		if p.StockHeld {
			err = rewards.Release(ctx, tx, *p.RewardID, p.Quantity-n.quantity)
		}
		return p.StockHeld, err
	}
	if p.StockHeld {
		if err := rewards.Release(ctx, tx, *p.RewardID, p.Quantity); err != nil {
			return false, err
		}
	}
	if n.rewardID != nil {
		if held, err = rewards.Reserve(ctx, tx, *n.rewardID, n.quantity); err != nil {
			return false, err
		}
	}
	return held, moveBacker(ctx, tx, p, n, of)
}

// moveBacker counts who has another reward now among the backers of that.
func moveBacker(ctx context.Context, tx *gorm.DB, p *row, n next, of campaigns.Backing) error {
	if isSame(p.RewardID, n.rewardID) {
		return nil
	}
	if p.RewardID != nil {
		if err := rewards.AddBacker(ctx, tx, *p.RewardID, of, -1); err != nil {
			return err
		}
	}
	if n.rewardID != nil {
		return rewards.AddBacker(ctx, tx, *n.rewardID, of, 1)
	}
	return nil
}

// takeHeld gives the pledge the stock that its raise has held, and back what it does not need any more; the caller has locked both rewards. Of
// one that has lapsed it takes fresh stock, if there is any.
func takeHeld(ctx context.Context, tx *gorm.DB, p *row, r *raise, n next) (held bool, err error) {
	of := campaigns.Backing{ID: p.ID, Person: p.Person}
	if !r.Status.HoldsStock() && r.HeldQuantity > 0 { // before anything is given back: without stock nothing changes
		if r.StockHeld, err = rewards.Reserve(ctx, tx, *n.rewardID, r.HeldQuantity); err != nil {
			return false, err
		}
	}
	if !isSame(p.RewardID, n.rewardID) {
		if p.StockHeld {
			if err := rewards.Release(ctx, tx, *p.RewardID, p.Quantity); err != nil {
				return false, err
			}
		}
		return r.StockHeld, moveBacker(ctx, tx, p, n, of)
	}
	switch {
	case n.quantity <= p.Quantity:
		if p.StockHeld && n.quantity < p.Quantity {
			err = rewards.Release(ctx, tx, *p.RewardID, p.Quantity-n.quantity)
		}
		return p.StockHeld, err
	case p.StockHeld == r.StockHeld:
		return p.StockHeld, nil
	case p.StockHeld: // it has become unlimited meanwhile: both count alike from now on
		return false, rewards.Release(ctx, tx, *p.RewardID, p.Quantity)
	}
	return false, rewards.Release(ctx, tx, *p.RewardID, r.HeldQuantity)
}
