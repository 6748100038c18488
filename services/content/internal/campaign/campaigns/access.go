package campaigns

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/campaign/access"
	"talkoot.fi/content/internal/person/profiles"
)

// RequireEdit returns the signed-in person if they may change the campaign. Whatever is changed of one that is public is public at
// once, so that its editors have confirmed their address. Errors: NotAuthenticated; Forbidden; profiles.ErrUnconfirmed; those of Access.
func RequireEdit(ctx context.Context, db *gorm.DB, campaignID int64) (session.Identity, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return who, err
	}
	found, err := readAccess(ctx, db, campaignID, who)
	if err != nil {
		return who, err
	}
	rights, err := rightsTo(found.Stage, who, found.Member)
	switch {
	case err != nil:
		return who, err
	case !rights.CanEdit():
		return who, apperr.New(apperr.Forbidden)
	case found.Stage.Public() && !found.Confirmed:
		return who, profiles.ErrUnconfirmed
	}
	return who, nil
}

const accessSQL = `
		SELECT stage, EXISTS (SELECT 1 FROM campaign_team WHERE campaign_id = c.id AND user_id = @user) AS member,
		       ` + profiles.ConfirmedSQL + ` AS confirmed
		FROM campaigns c WHERE id = @id`

// foundAccess is what decides about a reader's rights.
type foundAccess struct {
	Stage             Stage
	Member, Confirmed bool
}

// Access is what the reader that ctx names may do with a campaign, in one statement. Error: ErrUnknown when there is no
// such campaign, or it is a draft and the reader may not edit it.
func Access(ctx context.Context, db *gorm.DB, campaignID int64) (access.Rights, error) {
	who, _ := session.From(ctx)
	found, err := readAccess(ctx, db, campaignID, who)
	if err != nil {
		return nil, err
	}
	return rightsTo(found.Stage, who, found.Member)
}

func readAccess(ctx context.Context, db *gorm.DB, campaignID int64, who session.Identity) (foundAccess, error) {
	rows, err := dbx.Select[foundAccess](ctx, db, accessSQL, pgx.NamedArgs{"id": campaignID, "user": who.UserID})
	if err != nil {
		return foundAccess{}, fmt.Errorf("read access to campaign %d: %w", campaignID, err)
	}
	if len(rows) == 0 {
		return foundAccess{}, ErrUnknown
	}
	return rows[0], nil
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
