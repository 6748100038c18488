package editing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/person/capabilities"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/writing/changes"
)

// Place is one place of the wanted team: a member, or an address that is to be invited.
type Place struct {
	UserID int64
	Email  string // as it was typed
}

// Change is what is wanted of a campaign's team and stage. Nil leaves a part as it is.
type Change struct {
	// Team is the whole team in its order, the creator first; members who are left out are removed.
	Team *[]Place
	// Invitations are the addresses that stay invited.
	Invitations *[]string
	// Close ends the campaign for good; its team is mailed the Reason.
	Close  bool
	Reason string
}

// Apply makes a change in one transaction. The caller has checked who may edit (RequireEdit). Errors: ErrUnknown;
// ChangedMeanwhile; InvalidFields; those of campaigns.ChangeTeam, team.Invite and team.AskCreator; TokenExpired for invitations when the
// session has ended meanwhile; those of campaigns.Edit.MayCancel when others than staff close; campaign_not_open for a stage that cannot
// be closed.
func Apply(ctx context.Context, db *gorm.DB, e campaigns.Edit, who session.Identity, wanted Change) error {
	members, emails, err := wanted.people()
	if err != nil {
		return err
	}
	if wanted.Close && strings.TrimSpace(wanted.Reason) == "" {
		return apperr.New(apperr.InvalidFields).WithField("reason", apperr.RuleRequired)
	}
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		var asked int64
		if wanted.Team == nil { // locked all the same: the steps below must not run beside another change of the team
			err = campaigns.LockTeam(ctx, tx, e, who)
		} else {
			asked, err = campaigns.ChangeTeam(ctx, tx, e, who, members)
			if err == nil {
				err = team.EndOfFormer(ctx, tx, e)
			}
		}
		if err == nil && wanted.Invitations != nil {
			err = team.Keep(ctx, tx, e, append(normal(*wanted.Invitations), emails...))
		}
		if err == nil {
			err = team.Invite(ctx, tx, e, who.UserID, emails)
		}
		if err == nil && asked != 0 {
			err = team.AskCreator(ctx, tx, e, who.UserID, asked)
		}
		if err == nil && (len(emails) > 0 || asked != 0) { // after the person's row, which whoever ends the session has locked
			err = capabilities.LockSession(ctx, tx, who)
		}
		if err != nil || !wanted.Close {
			return err
		}
		isStaff := campaigns.IsStaff(who)
		if !isStaff {
			if err := e.MayCancel(ctx, tx); err != nil {
				return err
			}
			if err := capabilities.LockSession(ctx, tx, who); err != nil {
				return err
			}
		}
		return closeCampaign(ctx, tx, e, strings.TrimSpace(wanted.Reason), !isStaff)
	})
}

// closeCampaign ends a campaign and tells its team why. Pledges that were not paid yet are ended by the worker, which
// looks for those of closed campaigns (pledges.Lapse) and has their payments closed.
func closeCampaign(ctx context.Context, tx *gorm.DB, e campaigns.Edit, reason string, byCreator bool) error {
	if err := campaigns.MoveStage(ctx, tx, e.CampaignID, campaigns.StageClosed, e.By, e.Now); err != nil {
		return err
	}
	if err := campaigns.StopHeld(ctx, tx, e); err != nil {
		return err
	}
	err := changes.Record(ctx, tx, "close", "campaign", e.CampaignID, e.By, map[string]any{},
		map[string]any{"reason": reason}, e.Now)
	if err != nil {
		return err
	}
	return mails.AddTeam(ctx, tx, mails.KindCampaignClosed, mails.CampaignMail{CampaignID: e.CampaignID, Reason: reason, ByCreator: byCreator})
}

// people splits the wanted team into members and addresses to invite, each once. Error: InvalidFields for a place that
// is neither or both, for something that is not an e-mail address, and for a team that begins with an address.
func (c Change) people() (members []int64, emails []string, err error) {
	if c.Team == nil {
		return nil, nil, nil
	}
	faults := apperr.New(apperr.InvalidFields)
	for i, place := range *c.Team {
		email := profiles.NormalEmail(place.Email)
		switch {
		case place.UserID != 0 && email == "":
			members = append(members, place.UserID)
		case place.UserID != 0 || email == "" || i == 0:
			faults = faults.WithField(field(i, "user_id"), apperr.RuleRequired)
		case !profiles.IsEmail(email):
			faults = faults.WithField(field(i, "email"), apperr.RuleEmail)
		case !contains(emails, email):
			emails = append(emails, email)
		}
	}
	return members, emails, faults.OrNil()
}

// field is the path of a fault in the team: team[2].email.
func field(place int, name string) string { return fmt.Sprintf("team[%d].%s", place, name) }

func normal(emails []string) []string {
	list := make([]string, len(emails))
	for i, email := range emails {
		list[i] = profiles.NormalEmail(email)
	}
	return list
}

func contains(emails []string, email string) bool {
	return slices.ContainsFunc(emails, func(e string) bool { return strings.EqualFold(e, email) })
}
