package payments

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
)

// errErased means that an order was read before its person was erased: the content service says something else of it by now.
var errErased = apperr.New(apperr.Unavailable).RetryAfter(time.Second).Wrap(errors.New("the backer was erased meanwhile"))

// lockBacker has those who begin something of an account and who erase it go one after the other until the transaction ends.
func lockBacker(ctx context.Context, tx *gorm.DB, user int64) error {
	err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, "backer:"+strconv.FormatInt(user, 10)).Error
	if err != nil {
		return fmt.Errorf("lock a backer: %w", err)
	}
	return nil
}

// LockBacker belongs before what is begun of an account's order is written: an erasure waits for it, and finds it. It reports whether the
// account was erased since the order was read.
func LockBacker(ctx context.Context, tx *gorm.DB, backer *int64, readAt time.Time) (isErased bool, err error) {
	if backer == nil {
		return false, nil
	}
	if err := lockBacker(ctx, tx, *backer); err != nil {
		return false, err
	}
	err = tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM erased_backers WHERE user_id = ? AND at >= ?)`, *backer, readAt).Scan(&isErased).Error
	if err != nil {
		return false, fmt.Errorf("read whether a backer is erased: %w", err)
	}
	return isErased, nil
}

// EraseBacker keeps that an account is erased, in the transaction that takes its number away.
func (s *Service) EraseBacker(ctx context.Context, tx *gorm.DB, user int64) error {
	if err := lockBacker(ctx, tx, user); err != nil {
		return err
	}
	err := tx.WithContext(ctx).Exec(`INSERT INTO erased_backers (user_id, at) VALUES (?, ?) ON CONFLICT (user_id) DO UPDATE SET at = excluded.at`,
		user, s.now()).Error
	if err != nil {
		return fmt.Errorf("keep that a backer is erased: %w", err)
	}
	return nil
}

// keepErased is far longer than a call lasts.
const keepErased = 24 * time.Hour

// PruneErased removes what was kept of accounts that were erased long ago.
func (s *Service) PruneErased(ctx context.Context) error {
	if _, err := dbx.Prune(ctx, s.db, `erased_backers`, `at < ?`, s.now().Add(-keepErased)); err != nil {
		return fmt.Errorf("prune erased backers: %w", err)
	}
	return nil
}
