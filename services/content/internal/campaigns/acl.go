package campaigns

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"
)

// ACL is what a reader may do with a campaign: view, edit, admin.
type ACL []string

// CanEdit reports whether the reader may change the campaign and see what is not public.
func (a ACL) CanEdit() bool {
	for _, right := range a {
		if right == session.ScopeEdit {
			return true
		}
	}
	return false
}

// aclOf is the one place that decides: everyone views, the team edits, the platform's staff edits everything and its
// admins administer everything.
func aclOf(who session.Identity, member bool) ACL {
	acl := ACL{session.ScopeView}
	admin := who.Has(session.ScopeAdmin)
	if member || admin || who.Has(session.ScopeEdit) {
		acl = append(acl, session.ScopeEdit)
	}
	if admin {
		acl = append(acl, session.ScopeAdmin)
	}
	return acl
}

// RequireEdit is who asks, when they may change the campaign. Errors: NotAuthenticated; Forbidden; those of Access.
func RequireEdit(ctx context.Context, db *gorm.DB, campaignID int64) (session.Identity, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return who, err
	}
	acl, err := Access(ctx, db, campaignID)
	if err != nil {
		return who, err
	}
	if !acl.CanEdit() {
		return who, apperr.New(apperr.Forbidden)
	}
	return who, nil
}

const accessSQL = `
		SELECT stage, EXISTS (SELECT 1 FROM campaign_team WHERE campaign_id = c.id AND user_id = @user) AS member
		FROM campaigns c WHERE id = @id`

// Access is what the reader that ctx names may do with a campaign, in one statement. Error: ErrUnknown when there is no
// such campaign, or it is a draft and the reader may not edit it.
func Access(ctx context.Context, db *gorm.DB, campaignID int64) (ACL, error) {
	who, _ := session.From(ctx)
	type row struct {
		Stage  Stage
		Member bool
	}
	rows, err := dbx.Select[row](ctx, db, accessSQL, pgx.NamedArgs{"id": campaignID, "user": who.UserID})
	if err != nil {
		return nil, fmt.Errorf("read access to campaign %d: %w", campaignID, err)
	}
	if len(rows) == 0 {
		return nil, ErrUnknown
	}
	acl := aclOf(who, rows[0].Member)
	if !rows[0].Stage.Public() && !acl.CanEdit() {
		return nil, ErrUnknown
	}
	return acl, nil
}
