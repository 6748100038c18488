package taxdata

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/contentclient"
)

// Service is the domain; it is safe for concurrent use.
type Service struct{ Options }

// Options are the parts of a Service; all are needed.
type Options struct {
	DB    *gorm.DB
	Seals Seals
	// Remind tells a creator in a transaction what is missing; false when nobody can be told, because they have no account.
	Remind func(ctx context.Context, tx *gorm.DB, userID int64, reminder contentclient.PayeeTaxReminder) (told bool, err error)
	// WakeEvents is called after a commit that left an event behind, and must not block.
	WakeEvents func()
	Now        func() time.Time
}

// New makes a service.
func New(o Options) *Service {
	now := o.Now
	o.Now = func() time.Time { return now().UTC().Truncate(time.Microsecond) }
	return &Service{o}
}

// record is a row.
type record struct {
	UserID, Version int64
	KeyID           string
	Sealed          []byte
	ErasedAt        *time.Time
	Asking          `gorm:"embedded"`
}

const columns = `user_id, version, key_id, sealed, given_at, asked_at, reminded_at, reminded_again_at, erased_at`

func one(ctx context.Context, db *gorm.DB, where string, args ...any) (r record, isThere bool, err error) {
	var list []record
	if err := db.WithContext(ctx).Raw(`SELECT `+columns+` FROM tax_records `+where, args...).Scan(&list).Error; err != nil {
		return r, false, fmt.Errorf("read a tax record: %w", err)
	}
	if len(list) == 0 {
		return r, false, nil
	}
	return list[0], true, nil
}

// isAskedSQL is whether an account is asked: it has been made at a provider.
const isAskedSQL = `EXISTS (SELECT FROM payees p WHERE p.user_id = @user AND p.ref <> '')`

// Standing is how it stands with a creator's data.
type Standing struct {
	IsAsked bool
	Version int64
	Missing []Part
	By      *time.Time // from when payouts wait, while something is missing
	IsHeld  bool
	// RemindedAt is the last reminder.
	RemindedAt *time.Time
	GivenAt    *time.Time
	Given      Data // of version 0 none, nor when the key is lost
}

// Standing tells how it stands with a person's own data.
func (s *Service) Standing(ctx context.Context, userID int64) (st Standing, err error) {
	r, isThere, err := one(ctx, s.DB, `WHERE user_id = ? AND erased_at IS NULL`, userID)
	if err != nil {
		return st, err
	}
	if !isThere {
		if err := s.DB.WithContext(ctx).Raw(`SELECT `+isAskedSQL, map[string]any{"user": userID}).Scan(&st.IsAsked).Error; err != nil {
			return st, fmt.Errorf("ask whether a person has an account: %w", err)
		}
		r.AskedAt = s.Now()
		if !st.IsAsked {
			return st, nil
		}
	}
	st.IsAsked, st.Version, st.GivenAt = true, r.Version, r.GivenAt
	if st.Given, _, err = s.said(r); err != nil {
		return st, err
	}
	st.Missing = st.Given.Missing()
	if st.RemindedAt = r.RemindedAt; r.RemindedAgainAt != nil {
		st.RemindedAt = r.RemindedAgainAt
	}
	if st.IsHeld = r.IsHeld(s.Now()); r.GivenAt == nil {
		by := r.By()
		st.By = &by
	}
	return st, nil
}

// said is what somebody has said; none of who has not, nor when the key is lost by which it is sealed: they say it anew.
func (s *Service) said(r record) (d Data, isLost bool, err error) {
	if r.Version == 0 {
		return d, false, nil
	}
	if d, err = s.Seals.opened(r.UserID, r.Version, r.KeyID, r.Sealed); errors.Is(err, errNoKey) {
		return Data{}, true, nil
	}
	return d, false, err
}

// Values are what a person has said. Error: NotFound of nothing, and of what does not open any more.
func (s *Service) Values(ctx context.Context, userID int64) (d Data, version int64, err error) {
	r, isThere, err := one(ctx, s.DB, `WHERE user_id = ? AND erased_at IS NULL AND version > 0`, userID)
	if err == nil && !isThere {
		err = apperr.New(apperr.NotFound)
	}
	if err != nil {
		return d, 0, err
	}
	if d, _, err = s.said(r); err == nil && d.Kind == "" {
		err = apperr.New(apperr.NotFound)
	}
	return d, r.Version, err
}

// Set keeps what a person says of themselves, made from a version; the same said again changes nothing. Errors: NotFound of who has no account by
// which they are paid; ChangedMeanwhile when another version was saved since; InvalidFields.
func (s *Service) Set(ctx context.Context, userID int64, in api.TaxDataChange) error {
	return dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		now := s.Now()
		err := tx.WithContext(ctx).Exec(`INSERT INTO tax_records (user_id, asked_at) SELECT @user, @now WHERE `+isAskedSQL+` ON CONFLICT DO NOTHING`,
			map[string]any{"user": userID, "now": now}).Error
		if err != nil {
			return fmt.Errorf("write a tax record: %w", err)
		}
		r, isThere, err := one(ctx, tx, `WHERE user_id = ? AND erased_at IS NULL FOR UPDATE`, userID)
		if err == nil && !isThere {
			err = apperr.New(apperr.NotFound)
		}
		if err != nil {
			return err
		}
		was, _, err := s.said(r)
		if err != nil {
			return err
		}
		d, err := read(in, was, now)
		if r.Version != in.Version {
			if err == nil && reflect.DeepEqual(d, was) { // it is said again, because its answer was lost
				return nil
			}
			return apperr.New(apperr.ChangedMeanwhile).WithVersion(r.Version)
		}
		if err != nil {
			return err
		}
		return s.write(ctx, tx, r, userID, d, &now)
	})
}

// write seals data as the next version of a row that is locked.
func (s *Service) write(ctx context.Context, tx *gorm.DB, r record, userID int64, d Data, givenAt *time.Time) error {
	keyID, box, err := s.Seals.sealed(userID, r.Version+1, d)
	if err != nil {
		return err
	}
	err = tx.WithContext(ctx).Exec(`UPDATE tax_records SET version = ?, key_id = ?, sealed = ?, given_at = ? WHERE user_id = ?`,
		r.Version+1, keyID, box, givenAt, userID).Error
	if err != nil {
		return fmt.Errorf("write a tax record: %w", err)
	}
	return nil
}

// Merge makes the record of one account another's, of the same person, where that one has said nothing.
func (s *Service) Merge(ctx context.Context, from, into int64) error {
	return dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		old, isThere, err := one(ctx, tx, `WHERE user_id = ? AND erased_at IS NULL FOR UPDATE`, from)
		if err != nil || !isThere {
			return err
		}
		err = tx.WithContext(ctx).Exec(`INSERT INTO tax_records (user_id, asked_at, reminded_at, reminded_again_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			into, old.AskedAt, old.RemindedAt, old.RemindedAgainAt).Error
		if err != nil {
			return fmt.Errorf("merge tax records: %w", err)
		}
		now, _, err := one(ctx, tx, `WHERE user_id = ? FOR UPDATE`, into)
		if err != nil {
			return err
		}
		d, _, err := s.said(old)
		if err != nil {
			return err
		}
		kept, _, err := s.said(now)
		if err == nil && kept.Kind == "" && d.Kind != "" {
			err = s.write(ctx, tx, now, into, d, old.GivenAt)
		}
		if err != nil {
			return err
		}
		if err := tx.WithContext(ctx).Exec(`DELETE FROM tax_records WHERE user_id = ?`, from).Error; err != nil {
			return fmt.Errorf("merge tax records: %w", err)
		}
		return nil
	})
}

// Reseal seals by the key in use what others have sealed, and gives how many rows that were. Then the others are needed no more. One that none
// opens stops no other, and is in the error.
func (s *Service) Reseal(ctx context.Context) (n int, err error) {
	var ids []int64
	err = s.DB.WithContext(ctx).Raw(`SELECT user_id FROM tax_records WHERE version > 0 AND key_id <> ? ORDER BY user_id`, s.Seals[0].id).Scan(&ids).Error
	if err != nil {
		return 0, fmt.Errorf("read what is sealed by other keys: %w", err)
	}
	var faults []error
	for _, id := range ids {
		failed := dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
			r, isThere, err := one(ctx, tx, `WHERE user_id = ? AND version > 0 AND key_id <> ? FOR UPDATE`, id, s.Seals[0].id)
			if err != nil || !isThere {
				return err
			}
			d, err := s.Seals.opened(id, r.Version, r.KeyID, r.Sealed)
			if err != nil {
				return err
			}
			keyID, box, err := s.Seals.sealed(id, r.Version, d) // the same version: nobody has said anything new
			if err != nil {
				return err
			}
			return tx.WithContext(ctx).Exec(`UPDATE tax_records SET key_id = ?, sealed = ? WHERE user_id = ?`, keyID, box, id).Error
		})
		if failed == nil {
			n++
		}
		faults = append(faults, failed)
	}
	return n, errors.Join(faults...)
}

// Unopened counts the rows that are sealed by a key which is not here: it was taken away before they were sealed anew.
func (s *Service) Unopened(ctx context.Context) (n int64, err error) {
	known := []string{""}
	for _, one := range s.Seals {
		known = append(known, one.id)
	}
	if err := s.DB.WithContext(ctx).Raw(`SELECT count(*) FROM tax_records WHERE key_id NOT IN ?`, known).Scan(&n).Error; err != nil {
		return 0, fmt.Errorf("ask which keys tax data need: %w", err)
	}
	return n, nil
}
