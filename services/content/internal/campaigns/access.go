package campaigns

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/access"
)

// RequireEdit returns the signed-in person if they may change the campaign. Errors: NotAuthenticated; Forbidden; those
// of Access.
func RequireEdit(ctx context.Context, db *gorm.DB, campaignID int64) (session.Identity, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return who, err
	}
	rights, err := Access(ctx, db, campaignID)
	if err != nil {
		return who, err
	}
	if !rights.CanEdit() {
		return who, apperr.New(apperr.Forbidden)
	}
	return who, nil
}

const accessSQL = `
		SELECT stage, EXISTS (SELECT 1 FROM campaign_team WHERE campaign_id = c.id AND user_id = @user) AS member
		FROM campaigns c WHERE id = @id`

// Access is what the reader that ctx names may do with a campaign, in one statement. Error: ErrUnknown when there is no
// such campaign, or it is a draft and the reader may not edit it.
func Access(ctx context.Context, db *gorm.DB, campaignID int64) (access.Rights, error) {
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
	return rightsTo(rows[0].Stage, who, rows[0].Member)
}

// rightsTo is what a reader may do with a campaign of this stage. Error: ErrUnknown for a draft that is not theirs to
// edit.
func rightsTo(stage Stage, who session.Identity, member bool) (access.Rights, error) {
	rights := access.Of(who, member)
	if !stage.Public() && !rights.CanEdit() {
		return nil, ErrUnknown
	}
	return rights, nil
}
