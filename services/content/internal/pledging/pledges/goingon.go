package pledges

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// CountGoingOn counts a person's own pledges of the group GoingOn.
func CountGoingOn(ctx context.Context, db *gorm.DB, userID int64) (n int, err error) {
	err = db.WithContext(ctx).Raw(ownSQL+` SELECT count(*) FROM own WHERE NOT `+isOver, map[string]any{"user": userID}).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count pledges of user %d: %w", userID, err)
	}
	return n, nil
}
