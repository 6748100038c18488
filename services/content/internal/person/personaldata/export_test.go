package personaldata

import (
	"context"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// EraseProven erases somebody who has shown that it is them.
func (s *Service) EraseProven(ctx context.Context, userID int64) error {
	p, err := read(ctx, s.db, userID)
	if err != nil {
		return err
	}
	decided, err := decided(ctx, s.pledges, s.monthly, s.payments, userID, p.address())
	if err != nil {
		return err
	}
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error { return s.erase(ctx, tx, userID, decided) })
}
