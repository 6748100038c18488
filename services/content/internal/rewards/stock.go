package rewards

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
)

// Errors of taking stock.
var (
	ErrGone       = apperr.New(apperr.RewardGone)
	ErrAboveStock = apperr.New(apperr.QuantityAboveStock)
	ErrClosed     = apperr.New(apperr.RewardClosed)
	// ErrHeld refuses more to somebody who holds as much unpaid as one may.
	ErrHeld = apperr.New(apperr.TooManyHeld)

	errNothingToGive = errors.New("stock given back twice")
)

// MostUnpaid is how much of a limited reward one person, and everybody in one network together, may hold without having
// paid it: ten or a tenth of the stock, whichever is more, but never more than half; a network up to a quarter of a large
// one, because many people can be behind one address. The only item can be held by anybody.
func MostUnpaid(stock int) (person, network int) {
	person = min(max(10, stock/10), (stock+1)/2)
	return person, max(person, stock/4)
}

// maxQuantity bounds a single pledge, also of an unlimited reward.
const maxQuantity = 1000

// MaxQuantity is how many of a reward one pledge may take, whatever is left.
func MaxQuantity(stock int) int {
	if stock == 0 {
		return maxQuantity
	}
	person, _ := MostUnpaid(stock)
	return min(maxQuantity, person)
}

// MayHoldSQL tells whether the holder may take @qty of reward @reward; see may_hold in the migrations.
const MayHoldSQL = `SELECT may_hold(@reward, @qty, @email, @user, @network, @most_person, @most_network) AS ok`

// ReserveSQL takes @qty of the limited reward @reward when as much is left, and else changes nothing. It locks the
// reward's row until the transaction ends.
const ReserveSQL = `UPDATE rewards SET stock_reserved = stock_reserved + @qty
	WHERE id = @reward AND active = 1 AND stock > 0 AND stock_reserved + @qty <= stock`

// Reserve takes qty of a limited reward for a pledge. It needs the pledge's transaction and holds the reward's row
// locked until that ends, so callers do it last. It reports whether the quantity is counted now: an unlimited reward's
// is not. Errors: those of StillLimited.
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

// StillLimited tells why ReserveSQL took nothing. Without an error it is worth another try: the reward is unlimited by
// now (false), or some of it became free in the meantime (true).
// Errors: ErrClosed, ErrGone when nothing is left, ErrAboveStock when something but not enough is.
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

// Release gives qty of a limited reward back. It needs the pledge's transaction; the caller makes sure that it gives
// back only what it holds. A reward that has become unlimited meanwhile just counts down.
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

// AddBackers moves the count of those who have paid for a reward, by +1 or -1, in the caller's transaction.
func AddBackers(ctx context.Context, tx *gorm.DB, rewardID int64, by int) error {
	if err := tx.WithContext(ctx).Exec(`UPDATE rewards SET backers = backers + ? WHERE id = ?`, by, rewardID).Error; err != nil {
		return fmt.Errorf("count backers of reward %d: %w", rewardID, err)
	}
	return nil
}
