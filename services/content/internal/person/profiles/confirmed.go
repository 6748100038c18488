package profiles

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
)

// ErrUnconfirmed refuses what strangers would see, or be mailed, to an account that has not confirmed its address: that may be
// anybody's, also that of somebody who was blocked.
var ErrUnconfirmed = apperr.New(apperr.AddressUnconfirmed)

// ConfirmedSQL is whether the person @user has confirmed their address, false for nobody.
const ConfirmedSQL = `EXISTS (SELECT FROM users WHERE id = @user AND verified)`

// RequireConfirmed refuses an account whose address is not confirmed. Error: ErrUnconfirmed.
func RequireConfirmed(ctx context.Context, db *gorm.DB, userID int64) error {
	var is bool
	if err := db.WithContext(ctx).Raw(`SELECT `+ConfirmedSQL, map[string]any{"user": userID}).Scan(&is).Error; err != nil {
		return fmt.Errorf("ask whether user %d has confirmed their address: %w", userID, err)
	}
	if !is {
		return ErrUnconfirmed
	}
	return nil
}
