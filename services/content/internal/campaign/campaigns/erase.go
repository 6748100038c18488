package campaigns

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/media/files"
	"talkoot.fi/content/internal/writing/changes"
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

// LockOf locks the campaigns in whose team a person is, in the caller's transaction, and returns their ids.
func LockOf(ctx context.Context, tx *gorm.DB, userID int64) (ids []int64, err error) {
	err = tx.WithContext(ctx).Raw(`
		SELECT id FROM campaigns WHERE id IN (SELECT campaign_id FROM campaign_team WHERE user_id = ?) ORDER BY id FOR UPDATE`,
		userID).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("lock the campaigns of user %d: %w", userID, err)
	}
	return ids, nil
}

// Left is what has become of a campaign that somebody has left.
type Left struct {
	// Kept says that they stay its creator without a name: the caller refreshes the previews once their row is empty.
	Kept bool
	// Pictures are those that nobody needs any more, unless something else shows them: the creator's, which it had before or
	// has now, and all of a campaign that is deleted.
	Pictures []string
}

// Leave takes a person who erases their account out of a campaign that LockOf has locked; address is the one that they
// have confirmed, if any. Nobody becomes its creator without agreeing, so who was stays that without a name, until somebody in the team
// takes it over (ChangeTeam); one that has not opened is a draft until then, which nobody reviews. With nobody else in the team, one
// that never opened is deleted. The campaign's fields that name the person are emptied.
func (e Edit) Leave(ctx context.Context, tx *gorm.DB, userID int64, address string) (left Left, err error) {
	r, c, err := lock(ctx, tx, e.CampaignID, changes.ForUpdate)
	if err != nil {
		return left, err
	}
	team, err := readTeam(ctx, tx, e.CampaignID)
	if err != nil {
		return left, err
	}
	others := without(team, userID)
	isOrphan, err := creatorGone(ctx, tx, e.CampaignID)
	if err != nil {
		return left, err
	}
	unopened := r.Stage == StageDraft || r.Stage == StagePreparing
	if unopened && (len(others) == 0 || len(others) == 1 && isOrphan) {
		if left.Pictures, err = e.pictures(ctx, tx); err != nil {
			return left, err
		}
		return left, e.deleteWhole(ctx, tx)
	}
	left.Kept = team[0] == userID
	switch {
	case left.Kept:
		if left.Pictures, err = changes.ValuesOf(ctx, tx, "campaign", e.CampaignID, "creator_pic"); err != nil {
			return left, err
		}
		left.Pictures = append(left.Pictures, r.CreatorPic)
		if err = e.unnameCreator(ctx, tx); err == nil {
			err = e.forgetCreator(ctx, tx)
		}
	case address != "" && strings.EqualFold(r.ContactEmail, address):
		err = e.unname(ctx, tx, "contact_email")
	}
	switch {
	case err != nil:
		return left, err
	case left.Kept && unopened:
		return left, e.backToDraft(ctx, tx, r.Stage)
	case left.Kept:
		return left, nil
	}
	return left, e.saveTeam(ctx, tx, c, team, others, "change_team")
}

// backToDraft ends the review of a campaign that has not opened: there is nobody who would answer for it.
func (e Edit) backToDraft(ctx context.Context, tx *gorm.DB, from Stage) error {
	err := ChangeReview(ctx, tx, e, "withdraw_review", func(Stage, ReviewState) (ReviewState, error) { return ReviewNone, nil })
	if err == nil && from != StageDraft {
		err = MoveStage(ctx, tx, e.CampaignID, StageDraft, e.By, e.Now)
	}
	return err
}

// Merge puts a person in the place of another one, in whose teams LockOf has locked the campaign: both are the same, so
// that the campaign is paid out as before.
func (e Edit) Merge(ctx context.Context, tx *gorm.DB, from, to int64) error {
	_, c, err := lock(ctx, tx, e.CampaignID, changes.ForUpdate)
	if err != nil {
		return err
	}
	team, err := readTeam(ctx, tx, e.CampaignID)
	if err != nil {
		return err
	}
	return e.saveTeam(ctx, tx, c, team, Replaced(team, from, to), "change_team")
}

// Replaced is a team in which one member has another's place, and the earlier of both if they were two.
func Replaced(team []int64, from, to int64) (wanted []int64) {
	for _, id := range team {
		if id == from {
			id = to
		}
		if !slices.Contains(wanted, id) {
			wanted = append(wanted, id)
		}
	}
	return wanted
}

// unnameCreator empties all that says who a campaign's creator is: whoever comes after them is somebody else.
func (e Edit) unnameCreator(ctx context.Context, tx *gorm.DB) error {
	err := e.unname(ctx, tx, "creator_pic", "legal_creator", "contact_email", "external_link_1", "payment_account_id", "payment_user_id", "payment_wallet_id")
	if err != nil {
		return err
	}
	if err := tx.WithContext(ctx).Exec(`UPDATE campaign_texts SET about_creator = '' WHERE campaign_id = ?`, e.CampaignID).Error; err != nil {
		return fmt.Errorf("empty the words about the creator of campaign %d: %w", e.CampaignID, err)
	}
	return tellAccounts(ctx, tx, e.CampaignID)
}

func (e Edit) unname(ctx context.Context, tx *gorm.DB, columns ...string) error {
	empty := map[string]any{}
	for _, column := range columns {
		empty[column] = ""
	}
	if err := tx.WithContext(ctx).Table("campaigns").Where("id = ?", e.CampaignID).Updates(empty).Error; err != nil {
		return fmt.Errorf("empty who is behind campaign %d: %w", e.CampaignID, err)
	}
	return nil
}

// picturesSQL are the names of all pictures that were sent for campaign @id: what it, its rewards, variations and posts show
// and have shown.
const picturesSQL = `
	SELECT DISTINCT name[1] FROM (
		SELECT concat_ws(' ', picture, creator_pic) AS shown FROM campaigns WHERE id = @id
		UNION ALL SELECT concat_ws(' ', story_html, story) FROM campaign_texts WHERE campaign_id = @id
		UNION ALL SELECT html FROM campaign_custom_texts WHERE campaign_id = @id
		UNION ALL SELECT image FROM rewards WHERE campaign_id = @id
		UNION ALL SELECT value FROM content_variations WHERE campaign_id = @id
		UNION ALL SELECT concat_ws(' ', x.html, x.story) FROM post_texts x JOIN posts p ON p.id = x.post_id WHERE p.campaign_id = @id
		UNION ALL SELECT concat_ws(' ', before, after) FROM audit_log WHERE campaign_id = @id
	) list CROSS JOIN LATERAL regexp_matches(shown, @sent, 'g') AS name`

func (e Edit) pictures(ctx context.Context, tx *gorm.DB) (names []string, err error) {
	err = tx.WithContext(ctx).Raw(picturesSQL, map[string]any{"id": e.CampaignID, "sent": files.SentName}).Scan(&names).Error
	if err != nil {
		return nil, fmt.Errorf("look for pictures of campaign %d: %w", e.CampaignID, err)
	}
	return names, nil
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
