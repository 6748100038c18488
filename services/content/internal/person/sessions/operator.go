package sessions

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/person/blocking"
	"talkoot.fi/content/internal/person/capabilities"
	"talkoot.fi/content/internal/person/notices"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/person/secondstep"
	"talkoot.fi/content/internal/person/verifications"
	"talkoot.fi/content/internal/writing/changes"
)

// Errors of an operator's commands.
var (
	ErrNobody = errors.New("nobody has an account with this address")
	// ErrUnproven: the address of the account has not been confirmed.
	ErrUnproven = errors.New("somebody has registered with this address and not confirmed it: it may be a stranger's account")
	// ErrSeveral: strangers' accounts may be among those with the address.
	ErrSeveral = errors.New("several accounts were registered with this address: block the one that is meant in the admin's pages, by its number")
)

var operator = changes.Actor{Name: "operator"}

// rights are what an operator can change of an account.
type rights struct {
	Scope   dbx.TextArray `gorm:"type:text[]" json:"scope"`
	Blocked bool          `json:"blocked"`
}

// adminScope is all scopes.
var adminScope = []string{session.ScopeView, session.ScopeEdit, session.ScopeAdmin}

// An operator's changes hold from the person's next request on, and are in the audit log. Repeating one changes
// nothing.

// MakeAdmin makes an admin of the account with the address. It reports whether anything changed; the password stays.
// Errors: ErrNobody, ErrUnproven.
func MakeAdmin(ctx context.Context, db *gorm.DB, email string, now time.Time) (changed bool, err error) {
	return changeRights(ctx, db, email, "admin_made", now, func(r *rights, verified bool) error {
		if slices.Contains(r.Scope, session.ScopeAdmin) {
			return nil
		}
		if !verified {
			return ErrUnproven
		}
		r.Scope = adminScope
		return nil
	})
}

// RemoveAdmin removes all scopes but view. It reports whether anything changed. Error: ErrNobody.
func RemoveAdmin(ctx context.Context, db *gorm.DB, email string, now time.Time) (changed bool, err error) {
	return changeRights(ctx, db, email, "admin_removed", now, func(r *rights, _ bool) error {
		r.Scope = []string{session.ScopeView}
		return nil
	})
}

// SetBlocked blocks an account, which ends its sessions for good, refuses sign-ins and puts its campaigns on hold, or unblocks it. It
// reports whether anything changed. Errors: ErrNobody, ErrSeveral.
func SetBlocked(ctx context.Context, db *gorm.DB, email string, blocked bool, now time.Time) (changed bool, err error) {
	var accounts int
	err = db.WithContext(ctx).Raw(`SELECT count(*) FROM users WHERE lower(email) = lower(?)`, profiles.NormalEmail(email)).Scan(&accounts).Error
	if err != nil {
		return false, fmt.Errorf("count accounts: %w", err)
	}
	if accounts > 1 {
		return false, ErrSeveral
	}
	return changeRights(ctx, db, email, map[bool]string{true: "blocked", false: "unblocked"}[blocked], now, func(r *rights, _ bool) error {
		r.Blocked = blocked
		return nil
	})
}

// RemoveSecondSteps removes all second steps of an account and ends its sessions, for somebody who has lost them. It
// reports whether there were any, and mails it. Error: ErrNobody.
func RemoveSecondSteps(ctx context.Context, db *gorm.DB, email string, now time.Time) (removed bool, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		id, _, _, err := lockAccount(ctx, tx, email)
		if err != nil {
			return err
		}
		if removed, err = secondstep.RemoveAll(ctx, tx, id); err != nil || !removed {
			return err
		}
		if err := capabilities.End(ctx, tx, id, "", now); err != nil {
			return err
		}
		return notices.Record(ctx, tx, id, notices.SecondStepsRemoved, operator, now.UTC())
	})
	return removed, err
}

// RegisterAdmin makes an admin's account. Errors: faults of the input, as in registering; verifications.ErrTaken.
func RegisterAdmin(ctx context.Context, db *gorm.DB, r Registration, now time.Time) error {
	r = r.normal()
	if err := r.validate(); err != nil {
		return err
	}
	return newHasher().withHash(ctx, db, newSetting(), r.Email, r.Password, func(tx *gorm.DB, hash string) error {
		switch _, _, verified, err := lockAccount(ctx, tx, r.Email); {
		case verified:
			return verifications.ErrTaken
		case err != nil && !errors.Is(err, ErrNobody):
			return err
		}
		id, err := profiles.Create(ctx, tx, profiles.New{Email: r.Email, PasswordHash: hash, FirstName: r.FirstName,
			LastName: r.LastName, Language: r.Language, Verified: true, Scope: adminScope}, now.UTC())
		if err != nil {
			return err
		}
		return changes.Record(ctx, tx, "admin_made", "user", id, operator, rights{}, rights{Scope: adminScope}, now.UTC())
	})
}

// changeRights lets decide change an account's rights, and writes them with an audit row in one transaction.
func changeRights(ctx context.Context, db *gorm.DB, email, action string, now time.Time,
	decide func(r *rights, verified bool) error,
) (changed bool, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		changed = false
		id, before, verified, err := lockAccount(ctx, tx, email)
		if err != nil {
			return err
		}
		after := before
		if err := decide(&after, verified); err != nil || reflect.DeepEqual(before, after) {
			return err
		}
		changed = true
		err = tx.WithContext(ctx).Exec(`
			UPDATE users SET scope = @scope, blocked_at = CASE WHEN @blocked THEN coalesce(blocked_at, @now) END WHERE id = @id`,
			map[string]any{"id": id, "scope": after.Scope, "blocked": after.Blocked, "now": now.UTC()}).Error
		if err != nil {
			return fmt.Errorf("%s, user %d: %w", action, id, err)
		}
		if before.Blocked != after.Blocked {
			if err := blocking.Change(ctx, tx, id, after.Blocked, "", operator, now.UTC()); err != nil {
				return err
			}
		}
		return changes.Record(ctx, tx, action, "user", id, operator, before, after, now.UTC())
	})
	return changed, err
}

// lockAccount reads the account of an address and locks its row: the one that has confirmed it, else the earliest. Error:
// ErrNobody.
func lockAccount(ctx context.Context, tx *gorm.DB, email string) (id int64, r rights, verified bool, err error) {
	var row struct {
		ID       int64
		Verified bool
		Rights   rights `gorm:"embedded"`
	}
	found := tx.WithContext(ctx).Raw(`
		SELECT id, verified, scope, blocked_at IS NOT NULL AS blocked FROM users
		WHERE lower(email) = lower(?) ORDER BY verified DESC, id LIMIT 1 FOR UPDATE`,
		profiles.NormalEmail(email)).Scan(&row)
	switch {
	case found.Error != nil:
		return 0, r, false, fmt.Errorf("look up account: %w", found.Error)
	case found.RowsAffected == 0:
		return 0, r, false, ErrNobody
	}
	return row.ID, row.Rights, row.Verified, nil
}
