package campaigns

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/writing/changes"
)

// MaxTeam is how many people a team may have.
const MaxTeam = 20

// ErrOtherMembers refuses what only the creator and the platform's staff may do with a team.
var ErrOtherMembers = apperr.New(apperr.TeamOfCreator)

// ErrCreatorLeaves refuses to leave a team without a creator.
var ErrCreatorLeaves = apperr.New(apperr.CreatorLeaves)

// IsStaff reports whether somebody edits everything on the platform, whoever made it.
func IsStaff(who session.Identity) bool {
	return who.Has(session.ScopeEdit) || who.Has(session.ScopeAdmin)
}

// LockTeam locks a campaign until the caller's transaction ends, so that its team and invitations change one after the
// other, and checks again that somebody may edit it: they may have been removed while the request waited. Errors:
// ErrUnknown; ChangedMeanwhile.
func LockTeam(ctx context.Context, tx *gorm.DB, e Edit, who session.Identity) error {
	_, _, err := holdTeam(ctx, tx, e, who)
	return err
}

func holdTeam(ctx context.Context, tx *gorm.DB, e Edit, who session.Identity) ([]int64, *changes.Change, error) {
	_, c, err := lock(ctx, tx, e.CampaignID, changes.ForUpdate) // that of MoveStage, which may follow
	if err != nil {
		return nil, nil, err
	}
	team, err := readTeam(ctx, tx, e.CampaignID)
	if err != nil {
		return nil, nil, err
	}
	if !IsStaff(who) && !slices.Contains(team, who.UserID) {
		return nil, nil, ErrUnknown
	}
	return team, c, c.Expect(ctx, tx, e.Known)
}

// ChangeTeam sets who is in a campaign's team, in their order and the creator first, in the caller's transaction.
// Wanted are members already: others join by an invitation (Join). Who is to be the creator has to agree (TakeOver): asked is whom the
// caller asks, 0 for nobody, and until they do the creator stays. Of a campaign whose creator has erased their account any member may
// become it who puts themself first. Errors: those of LockTeam; InvalidFields; ErrOtherMembers; ErrCreatorLeaves.
func ChangeTeam(ctx context.Context, tx *gorm.DB, e Edit, who session.Identity, wanted []int64) (asked int64, err error) {
	team, c, err := holdTeam(ctx, tx, e, who)
	if err != nil {
		return 0, err
	}
	isOrphan, err := creatorGone(ctx, tx, e.CampaignID)
	if err != nil {
		return 0, err
	}
	if err := mayChangeTeam(team, wanted, who, isOrphan); err != nil {
		return 0, err
	}
	if wanted[0] != team[0] && wanted[0] != who.UserID {
		asked = wanted[0]
		wanted = firstOf(wanted, team[0])
	}
	if wanted[0] != team[0] {
		handOver(c)
		if isOrphan {
			wanted = without(wanted, team[0])
		}
	}
	return asked, e.saveTeam(ctx, tx, c, team, wanted, "change_team")
}

// TakeOver makes a member the creator, who has agreed to it, in the caller's transaction. Errors: ErrUnknown, also for who is no member.
func TakeOver(ctx context.Context, tx *gorm.DB, e Edit, userID int64) error {
	_, c, err := lock(ctx, tx, e.CampaignID, changes.ForNoKeyUpdate)
	if err != nil {
		return err
	}
	team, err := readTeam(ctx, tx, e.CampaignID)
	if err != nil {
		return err
	}
	if !slices.Contains(team, userID) {
		return ErrUnknown
	}
	wanted := firstOf(team, userID)
	if team[0] != userID {
		handOver(c)
		isOrphan, err := creatorGone(ctx, tx, e.CampaignID)
		if err != nil {
			return err
		}
		if isOrphan {
			wanted = without(wanted, team[0])
		}
	}
	return e.saveTeam(ctx, tx, c, team, wanted, "change_team")
}

// creatorGone reports whether the creator of a campaign has erased their account: nobody answers for it.
func creatorGone(ctx context.Context, tx *gorm.DB, campaignID int64) (is bool, err error) {
	err = tx.WithContext(ctx).Raw(`
		SELECT coalesce(bool_or(u.erased_at IS NOT NULL), false) FROM campaign_team m JOIN users u ON u.id = m.user_id
		WHERE m.campaign_id = ? AND m.position = 0`, campaignID).Scan(&is).Error
	if err != nil {
		return false, fmt.Errorf("ask whether campaign %d has a creator: %w", campaignID, err)
	}
	return is, nil
}

// firstOf is a team with somebody first.
func firstOf(team []int64, userID int64) []int64 {
	return append([]int64{userID}, without(team, userID)...)
}

func without(team []int64, userID int64) []int64 {
	return slices.DeleteFunc(slices.Clone(team), func(id int64) bool { return id == userID })
}

// Join adds somebody at the end of a campaign's team, in the caller's transaction. Who is in it already stays where
// they are. Error: ErrUnknown.
func Join(ctx context.Context, tx *gorm.DB, e Edit, userID int64) error {
	_, c, err := lock(ctx, tx, e.CampaignID, changes.ForNoKeyUpdate)
	if err != nil {
		return err
	}
	team, err := readTeam(ctx, tx, e.CampaignID)
	if err != nil || slices.Contains(team, userID) {
		return err
	}
	return e.saveTeam(ctx, tx, c, team, append(slices.Clone(team), userID), "join_team")
}

// mayChangeTeam says whether somebody may make a team the wanted one; an orphan's creator has erased their account.
func mayChangeTeam(team, wanted []int64, who session.Identity, isOrphan bool) error {
	if IsStaff(who) {
		return onlyMembers(team, wanted)
	}
	switch self := who.UserID; {
	case isOrphan && len(wanted) > 0 && wanted[0] == self: // takes it over, with everybody who is in the team
		if slices.ContainsFunc(team[1:], func(id int64) bool { return !slices.Contains(wanted, id) }) {
			return ErrOtherMembers
		}
	case team[0] == self && !slices.Contains(wanted, self):
		return ErrCreatorLeaves
	case team[0] == self:
	case len(wanted) > 0 && wanted[0] != team[0]:
		return ErrOtherMembers
	case slices.ContainsFunc(team, func(id int64) bool { return id != self && !slices.Contains(wanted, id) }):
		return ErrOtherMembers
	}
	return onlyMembers(team, wanted)
}

// onlyMembers refuses an empty team, people who are no members, and people who are named twice.
func onlyMembers(team, wanted []int64) error {
	faults := apperr.New(apperr.InvalidFields)
	if len(wanted) == 0 {
		return faults.WithField("team", apperr.RuleRequired)
	}
	for i, id := range wanted {
		if !slices.Contains(team, id) || slices.Contains(wanted[:i], id) {
			faults = faults.WithField("team", apperr.RuleUnknownMember)
		}
	}
	return faults.OrNil()
}

func readTeam(ctx context.Context, tx *gorm.DB, campaignID int64) (team []int64, err error) {
	err = tx.WithContext(ctx).Raw(`SELECT user_id FROM campaign_team WHERE campaign_id = ? ORDER BY position`, campaignID).Scan(&team).Error
	if err != nil {
		return nil, fmt.Errorf("read team of campaign %d: %w", campaignID, err)
	}
	return team, nil
}

// handOver empties where the money is paid out: a new creator has to name a payment account of their own.
func handOver(c *changes.Change) {
	for _, column := range []string{"payment_account_id", "payment_user_id", "payment_wallet_id"} {
		c.Column(column, "")
	}
}

// saveTeam writes the team with its audit row, and the previews, which name the creator.
func (e Edit) saveTeam(ctx context.Context, tx *gorm.DB, c *changes.Change, team, wanted []int64, action string) error {
	if !changes.Set(c, "team", "", &team, &wanted) {
		return nil
	}
	tx = tx.WithContext(ctx)
	if err := tx.Where("campaign_id = ?", e.CampaignID).Delete(&memberRecord{}).Error; err != nil {
		return fmt.Errorf("change team of campaign %d: %w", e.CampaignID, err)
	}
	rows := make([]memberRecord, len(wanted))
	for i, id := range wanted {
		rows[i] = memberRecord{e.CampaignID, id, i}
	}
	if err := dbx.CreateAll(tx, rows); err != nil {
		return fmt.Errorf("change team of campaign %d: %w", e.CampaignID, err)
	}
	if err := e.save(ctx, tx, c, action); err != nil {
		return err
	}
	return e.holdOfBlocked(ctx, tx)
}
