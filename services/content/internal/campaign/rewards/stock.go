package rewards

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/campaign/campaigns"
)

// Errors of reserving stock.
var (
	ErrGone       = apperr.New(apperr.RewardGone)
	ErrAboveStock = apperr.New(apperr.QuantityAboveStock)
	ErrClosed     = apperr.New(apperr.RewardClosed)
	// ErrHeld: the backer's unpaid pledges have reserved as much as MostUnpaid allows.
	ErrHeld = apperr.New(apperr.TooManyHeld)

	errNothingToGive = errors.New("stock given back twice")
)

// MostUnpaid is how much of a limited reward the unpaid pledges of one person, and of one network (ratelimit.Address),
// may reserve: 10 or a tenth of the stock, whichever is more, but at most half, rounded up; a network may have a
// quarter of the stock if that is more, because many people can share an address.
func MostUnpaid(stock int) (person, network int) {
	person = min(max(10, stock/10), (stock+1)/2)
	return person, max(person, stock/4)
}

// maxQuantity bounds a single pledge, also of an unlimited reward.
const maxQuantity = 1000

// MaxQuantity is the largest quantity of one pledge for a reward with this stock (0 is unlimited), whatever is left of
// it.
func MaxQuantity(stock int) int {
	if stock == 0 {
		return maxQuantity
	}
	person, _ := MostUnpaid(stock)
	return min(maxQuantity, person)
}

// MayHoldSQL asks whether the backer may reserve @qty more of reward @reward; see may_hold in the migrations.
const MayHoldSQL = `SELECT may_hold(@reward, @qty, @email, @user, @network, @most_person, @most_network) AS ok`

// ReserveSQL reserves @qty of the limited reward @reward if so much is left; otherwise it changes nothing. It locks
// the reward's row until the transaction ends.
const ReserveSQL = `UPDATE rewards SET stock_reserved = stock_reserved + @qty
	WHERE id = @reward AND active = 1 AND stock > 0 AND stock_reserved + @qty <= stock`

// Reserve reserves qty of a reward for a pledge, in the caller's transaction. It locks the reward's row until that
// ends, so callers do it last. Counted is false for an unlimited reward, of which nothing is reserved. Errors: those
// of StillLimited.
func Reserve(ctx context.Context, tx *gorm.DB, rewardID int64, qty int) (counted bool, err error) {
	for {
		taken := tx.WithContext(ctx).Exec(ReserveSQL, map[string]any{"reward": rewardID, "qty": qty})
		if taken.Error != nil {
			return false, fmt.Errorf("reserve %d of reward %d: %w", qty, rewardID, taken.Error)
		}
		if taken.RowsAffected == 1 {
			return true, nil
		}
		if limited, err := StillLimited(ctx, tx, rewardID, qty); err != nil || !limited {
			return false, err
		}
	}
}

// StillLimited finds out why ReserveSQL reserved nothing. Without an error the caller tries again: the reward has
// become unlimited (false), or stock has been released meanwhile (true). Errors: ErrClosed, ErrGone when nothing is
// left, ErrAboveStock when something but not enough is.
func StillLimited(ctx context.Context, tx *gorm.DB, rewardID int64, qty int) (limited bool, err error) {
	var row struct{ Active, Stock, StockReserved int }
	err = tx.WithContext(ctx).Raw(`SELECT active, stock, stock_reserved FROM rewards WHERE id = ?`, rewardID).Scan(&row).Error
	switch {
	case err != nil:
		return false, fmt.Errorf("read stock of reward %d: %w", rewardID, err)
	case row.Active == 0:
		return false, ErrClosed
	case row.Stock == 0:
		return false, nil
	case row.StockReserved >= row.Stock:
		return false, ErrGone
	case row.StockReserved+qty > row.Stock:
		return false, ErrAboveStock
	}
	return true, nil
}

// countUnlimited counts what was pledged while a reward was unlimited in its stock, now that it gets one:
// stock_reserved is always what is held and paid together. The caller has locked the reward, so that no pledge comes in
// between.
func countUnlimited(ctx context.Context, tx *gorm.DB, rewardID int64) (quantity int, err error) {
	err = tx.WithContext(ctx).Raw(`WITH counted AS (
			UPDATE pledges SET stock_held = true
			WHERE reward_id = @id AND NOT stock_held AND status NOT IN ('failed', 'expired', 'refunded', 'withdrawn') RETURNING quantity),
		raised AS (
			UPDATE pledge_raises SET stock_held = true
			WHERE reward_id = @id AND NOT stock_held AND held_quantity > 0 AND status IN ('created', 'awaiting_payment', 'processing') RETURNING held_quantity)
		SELECT coalesce((SELECT sum(quantity) FROM counted), 0) + coalesce((SELECT sum(held_quantity) FROM raised), 0)`, map[string]any{"id": rewardID}).Scan(&quantity).Error
	if err != nil {
		return 0, fmt.Errorf("count what is pledged of reward %d: %w", rewardID, err)
	}
	return quantity, nil
}

// lockUncounted locks the pledges that countUnlimited will count, before the reward: whoever moves a pledge locks it
// first too. Those made in between are few; a deadlock with one of them is tried again (dbx.InTx).
func lockUncounted(ctx context.Context, tx *gorm.DB, rewardID int64) error {
	err := tx.WithContext(ctx).Exec(`SELECT FROM pledges
		WHERE reward_id = @id AND NOT stock_held AND status NOT IN ('failed', 'expired', 'refunded', 'withdrawn')
		   OR id IN (SELECT pledge_id FROM pledge_raises WHERE reward_id = @id AND NOT stock_held AND status IN ('created', 'awaiting_payment', 'processing'))
		ORDER BY id FOR UPDATE`, map[string]any{"id": rewardID}).Error
	if err != nil {
		return fmt.Errorf("lock what is pledged of reward %d: %w", rewardID, err)
	}
	return nil
}

// Release releases qty of a limited reward, in the caller's transaction. The caller makes sure that the pledge has
// reserved it. It works also for a reward that has become unlimited since.
func Release(ctx context.Context, tx *gorm.DB, rewardID int64, qty int) error {
	given := tx.WithContext(ctx).Exec(`
		UPDATE rewards SET stock_reserved = stock_reserved - @qty WHERE id = @id AND stock_reserved >= @qty`,
		map[string]any{"id": rewardID, "qty": qty})
	if given.Error != nil {
		return fmt.Errorf("release %d of reward %d: %w", qty, rewardID, given.Error)
	}
	if given.RowsAffected == 0 {
		return fmt.Errorf("release %d of reward %d: %w", qty, rewardID, errNothingToGive)
	}
	return nil
}

// AddBacker counts a person among the backers who have paid for a reward (+1), or no more (-1), in the caller's transaction. It
// changes nothing for one who has the reward otherwise, too.
func AddBacker(ctx context.Context, tx *gorm.DB, rewardID int64, of campaigns.Backing, by int) error {
	if err := tx.WithContext(ctx).Exec(`SELECT add_backer_of_reward(?, ?, ?, ?)`, rewardID, of.Person, of.ID, by).Error; err != nil {
		return fmt.Errorf("count backers of reward %d: %w", rewardID, err)
	}
	return nil
}
