package people

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/discovery/keywords"
	"talkoot.fi/content/internal/person/blocking"
	"talkoot.fi/content/internal/request"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// ErrOwn refuses admins who change their own account.
var ErrOwn = apperr.New(apperr.OwnAccount)

// AdminChange is what an admin changes of somebody else. Nil leaves a field as it is.
type AdminChange struct {
	Verified *bool
	Scope    []string // the highest counts: admin has edit, and everybody has view; nil leaves it
	Blocked  *bool
	Reason   *string
}

// requireAdmin is the reader, if they are an admin. Errors: NotAuthenticated; Forbidden.
func requireAdmin(ctx context.Context) (session.Identity, error) {
	who, err := session.Require(ctx)
	if err == nil && !who.Has(session.ScopeAdmin) {
		err = apperr.New(apperr.Forbidden)
	}
	return who, err
}

// changeByAdmin verifies somebody's profile, changes what they may do, blocks or unblocks them. It holds from their next
// request on. A right and the mark "verified" are for who has confirmed their address; a block needs a reason, which
// goes with it, and ends their sessions for good. Errors: those of Edit.make; ErrOwn; Forbidden when who does it is no
// admin any more; InvalidFields.
func changeByAdmin(ctx context.Context, db *gorm.DB, e Edit, by int64, wanted AdminChange) (record, error) {
	if e.UserID == by {
		return record{}, ErrOwn
	}
	var r record
	err := dbx.InTx(ctx, db, func(tx *gorm.DB) (err error) {
		// Both rows, in the order of ids: of two admins who take each other's rights, one is refused.
		// Before the people, as everywhere: what they answer for is put on hold with them.
		if request.Value(wanted.Blocked) {
			if _, err := campaigns.LockOf(ctx, tx, e.UserID); err != nil {
				return err
			}
		}
		var admins []int64
		err = tx.WithContext(ctx).Raw(`
			SELECT id FROM (SELECT id, scope, blocked_at FROM users WHERE id IN ? ORDER BY id FOR UPDATE) held
			WHERE id = ? AND 'admin' = ANY(scope) AND blocked_at IS NULL`, []int64{e.UserID, by}, by).Scan(&admins).Error
		if err != nil {
			return fmt.Errorf("lock users %d and %d: %w", e.UserID, by, err)
		}
		if len(admins) == 0 {
			return apperr.New(apperr.Forbidden)
		}
		r, err = e.makeIn(ctx, tx, change{"admin_change", wanted.Verified != nil, false,
			func(ctx context.Context, tx *gorm.DB, r *record, c *changes.Change) error {
				if err := wanted.apply(r, c, e.Now); err != nil || !c.Has("blocked") {
					return err
				}
				return blocking.Change(ctx, tx, r.ID, r.BlockedAt != nil, r.BlockReason, e.By, e.Now)
			}})
		return err
	})
	return r, err
}

// apply sets the changed fields.
func (a AdminChange) apply(r *record, c *changes.Change, now time.Time) error {
	faults := apperr.New(apperr.InvalidFields)
	changes.Set(c, "settings.verified", "profile_verified", &r.ProfileVerified, a.Verified)
	if c.Has("settings.verified") && r.ProfileVerified && !r.Verified {
		faults = faults.WithField("settings.verified", apperr.RuleUnconfirmed)
	}
	if a.Scope != nil {
		before, scope := len(r.Scope), scopeOf(a.Scope)
		changes.Set(c, "scope", "scope", &r.Scope, &scope)
		if len(scope) > before && !r.Verified {
			faults = faults.WithField("scope", apperr.RuleUnconfirmed)
		}
	}
	reason := mapped(a.Reason, richtext.Plain)
	isBlocked := r.BlockedAt != nil
	if changes.Set(c, "blocked", "", &isBlocked, a.Blocked) {
		r.BlockedAt, r.BlockReason = nil, ""
		if isBlocked {
			r.BlockedAt = &now
			if reason == nil || *reason == "" {
				faults = faults.WithField("reason", apperr.RuleRequired)
			}
		}
		c.Column("blocked_at", r.BlockedAt)
		c.Column("block_reason", r.BlockReason)
	}
	if reason != nil && isBlocked {
		changes.Set(c, "reason", "block_reason", &r.BlockReason, reason)
	} else if reason != nil && *reason != "" && c.Any() {
		c.Note("reason", "", *reason)
	}
	return faults.OrNil()
}

// scopeOf is the whole scope of who has some of it.
func scopeOf(wanted []string) dbx.TextArray {
	switch {
	case slices.Contains(wanted, session.ScopeAdmin):
		return dbx.TextArray{session.ScopeView, session.ScopeEdit, session.ScopeAdmin}
	case slices.Contains(wanted, session.ScopeEdit):
		return dbx.TextArray{session.ScopeView, session.ScopeEdit}
	}
	return dbx.TextArray{session.ScopeView}
}

// account is a person as admins see them.
type account struct {
	ID, Version                int64
	Email, FirstName, LastName string
	ShortDescription, Image    string
	Verified, ProfileVerified  bool
	Scope                      []string
	BlockedAt                  *time.Time
	BlockReason                string
	CreatedAt                  time.Time
	Campaigns, Experiments     int
	OpenCampaigns              int
	Held                       []byte // of the contract's held_campaigns; null for none
}

// accountsFilter says which accounts are wanted.
type accountsFilter struct {
	keyword       string // in name or email
	state         string // staff, verified, blocked; empty for all
	limit, offset int
}

// ofState are the conditions of accountsFilter.state, each with its partial index: users_staff,
// users_profile_verified, users_blocked.
var ofState = map[string]string{"staff": `scope && '{edit,admin}'`, "verified": "profile_verified",
	"blocked": "blocked_at IS NOT NULL"}

const accountSQL = `
	SELECT u.id, u.version, u.email, u.first_name, u.last_name, u.short_description, u.image, u.verified,
	       u.profile_verified, u.scope, u.blocked_at, u.block_reason, u.created_at,
	       (SELECT count(*) FROM campaign_team WHERE user_id = u.id) AS campaigns,
	       (SELECT count(*) FROM experiment_team WHERE user_id = u.id) AS experiments,
	       (SELECT count(*) FROM campaign_team m JOIN campaigns c ON c.id = m.campaign_id
	        WHERE m.user_id = u.id AND m.position = 0 AND c.stage IN (2, 6) AND c.hold = '') AS open_campaigns,
	       (SELECT json_agg(json_build_object('campaign_id', c.id, 'slug', c.slug, 'title', coalesce(v.preview ->> 'title', '')) ORDER BY c.id)
	        FROM (SELECT c.id, c.slug FROM campaign_team m JOIN campaigns c ON c.id = m.campaign_id
	            JOIN campaign_holds h ON h.campaign_id = c.id AND h.number = c.hold_number
	            WHERE m.user_id = u.id AND m.position = 0 AND c.hold = 'on_hold' AND h.reason = 'creator_blocked' ORDER BY c.id LIMIT 100) c
	        JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = @language) AS held
	FROM `

// accounts is a page of accounts, the newest first, and how many there are in all, as list counts them. The index
// users_staff_search serves keywords.
func accounts(ctx context.Context, db *gorm.DB, f accountsFilter, language string) (rows []account, total int, err error) {
	params := pgx.NamedArgs{"limit": f.limit, "offset": f.offset, "language": language}
	conditions := append([]string{"erased_at IS NULL"}, keywords.Conditions(`(' ' || searchable(first_name || ' ' || last_name || ' ' || email))`,
		keywords.Words(f.keyword), params)...)
	if f.state != "" {
		conditions = append(conditions, ofState[f.state])
	}
	where := strings.Join(conditions, " AND ")
	rows, err = dbx.Select[account](ctx, db, accountSQL+`(
		SELECT id, version, email, first_name, last_name, short_description, image, verified, profile_verified, scope,
		       blocked_at, block_reason, created_at
		FROM users WHERE `+where+`
		ORDER BY id DESC LIMIT @limit OFFSET @offset) u ORDER BY u.id DESC`, params)
	if err != nil {
		return nil, 0, fmt.Errorf("list accounts: %w", err)
	}
	total, err = totalOf(ctx, db, `SELECT FROM users WHERE `+where, params, len(rows))
	return rows, total, err
}

// readAccount reads an account. Error: ErrUnknown.
func readAccount(ctx context.Context, db *gorm.DB, userID int64, language string) (account, error) {
	rows, err := dbx.Select[account](ctx, db, accountSQL+`users u WHERE u.id = @id AND u.erased_at IS NULL`, pgx.NamedArgs{"id": userID, "language": language})
	if err != nil {
		return account{}, fmt.Errorf("read account %d: %w", userID, err)
	}
	if len(rows) == 0 {
		return account{}, ErrUnknown
	}
	return rows[0], nil
}
