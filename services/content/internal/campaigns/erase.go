package campaigns

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/changes"
)

// Unfinished is a campaign that its creator cannot leave yet.
type Unfinished struct {
	CampaignID  int64
	Slug, Title string
}

// unfinishedSQL are the campaigns that a person has created and that collect, or whose money has not reached anybody: it
// is settled when its campaign holds none.
const unfinishedSQL = `
	SELECT c.id AS campaign_id, c.slug, v.preview ->> 'title' AS title
	FROM campaign_team m
	JOIN campaigns c ON c.id = m.campaign_id
	JOIN campaign_totals t ON t.campaign_id = c.id
	JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = @language
	WHERE m.user_id = @user AND m.position = 0
	  AND (c.stage IN @collecting OR t.funding_reached_minor > 0 OR t.funding_settling_minor > 0
	      OR t.backers > 0)
	ORDER BY c.id`

// UnfinishedOf lists the campaigns that keep their creator from erasing their account.
func UnfinishedOf(ctx context.Context, db *gorm.DB, userID int64, language string) (list []Unfinished, err error) {
	err = db.WithContext(ctx).Raw(unfinishedSQL, map[string]any{"user": userID, "language": language,
		"collecting": []Stage{StageFunding, StageRecurring}}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list unfinished campaigns of user %d: %w", userID, err)
	}
	return list, nil
}

// HoldOf locks the campaigns in whose team a person is, in the caller's transaction, and returns their ids.
func HoldOf(ctx context.Context, tx *gorm.DB, userID int64) (ids []int64, err error) {
	err = tx.WithContext(ctx).Raw(`
		SELECT id FROM campaigns WHERE id IN (SELECT campaign_id FROM campaign_team WHERE user_id = ?) ORDER BY id FOR UPDATE`,
		userID).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("lock the campaigns of user %d: %w", userID, err)
	}
	return ids, nil
}

// Leave takes a person who erases their account out of a campaign that HoldOf has locked; email is theirs. Somebody else
// in the team becomes its creator. Alone, a campaign that never opened is deleted, and of another one the person stays
// the creator without a name, because its backers are told whose it was; then kept is true, and the caller refreshes the
// previews once the person's row is empty. The campaign's fields that name the person are emptied; picture is that of the
// creator, if it had one.
func (e Edit) Leave(ctx context.Context, tx *gorm.DB, userID int64, email string) (kept bool, picture string, err error) {
	r, c, err := hold(ctx, tx, e.CampaignID, "UPDATE")
	if err != nil {
		return false, "", err
	}
	team, err := readTeam(ctx, tx, e.CampaignID)
	if err != nil {
		return false, "", err
	}
	others := slices.DeleteFunc(slices.Clone(team), func(id int64) bool { return id == userID })
	if len(others) == 0 && (r.Stage == StageDraft || r.Stage == StagePreparing) {
		return false, r.CreatorPic, e.deleteWhole(ctx, tx)
	}
	if team[0] == userID {
		picture = r.CreatorPic
		naming := []string{"creator_pic", "legal_creator", "contact_email"}
		if err := e.unname(ctx, tx, naming, len(others) == 0); err != nil {
			return false, "", err
		}
	} else if r.ContactEmail == email {
		if err := e.unname(ctx, tx, []string{"contact_email"}, false); err != nil {
			return false, "", err
		}
	}
	if len(others) == 0 {
		return true, picture, nil
	}
	return false, picture, e.saveTeam(ctx, tx, c, team, others, "change_team")
}

// unname empties columns that name who is behind a campaign, and, if everything is asked for, its texts about them.
func (e Edit) unname(ctx context.Context, tx *gorm.DB, columns []string, everything bool) error {
	empty := map[string]any{}
	for _, column := range columns {
		empty[column] = ""
	}
	tx = tx.WithContext(ctx)
	if everything {
		empty["external_link_1"] = ""
	}
	err := tx.Table("campaigns").Where("id = ?", e.CampaignID).Updates(empty).Error
	if err == nil && everything {
		err = tx.Exec(`UPDATE campaign_texts SET about_creator = '' WHERE campaign_id = ?`, e.CampaignID).Error
	}
	if err != nil {
		return fmt.Errorf("empty who is behind campaign %d: %w", e.CampaignID, err)
	}
	return nil
}

// deleteWhole deletes a campaign that never opened, with all that belongs to it. Its history keeps what was done, without
// the words.
func (e Edit) deleteWhole(ctx context.Context, tx *gorm.DB) error {
	err := changes.Record(ctx, tx, "delete", "campaign", e.CampaignID, e.By, struct{}{}, struct{}{}, e.Now)
	if err != nil {
		return err
	}
	if err := tx.WithContext(ctx).Exec(`DELETE FROM campaigns WHERE id = ?`, e.CampaignID).Error; err != nil {
		return fmt.Errorf("delete campaign %d: %w", e.CampaignID, err)
	}
	return changes.RedactDeleted(ctx, tx, "campaign", e.CampaignID)
}
