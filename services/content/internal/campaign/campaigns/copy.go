package campaigns

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/writing/changes"
)

// Copy makes a draft in the caller's transaction that says what a campaign says: its texts, pictures, video, categories,
// tags, place, rule and goals. Its money, team, contact, account and days stay behind. Rewards are the caller's to copy.
// Errors: ErrUnknown; Forbidden for others than its creator.
func (e Edit) Copy(ctx context.Context, tx *gorm.DB) (id int64, made Record, err error) {
	r, _, err := lock(ctx, tx, e.CampaignID, changes.ForShare)
	if err != nil {
		return 0, made, err
	}
	if err := e.requireCreator(ctx, tx); err != nil {
		return 0, made, err
	}
	n := New{Slug: r.Slug, Language: r.Language, OpensAs: r.OpensAs, CategoryID: r.CategoryID, TeamUserIDs: []int64{*e.By.UserID},
		Place: r.Place, MinGoalMinor: int64(r.MinGoalMinor), TargetGoalMinor: int64(r.TargetGoalMinor), FundingRule: r.FundingRule,
		Picture: r.ownPicture(), CreatorPic: r.CreatorPic, VideoURL: r.VideoURL, HideFundingAmount: r.HideFundingAmount,
		HideMemberCount: r.HideMemberCount, Texts: map[string]Text{}}
	if err := n.copyParts(ctx, tx, e.CampaignID); err != nil {
		return 0, made, err
	}
	if id, err = Create(ctx, tx, n, e.Now); err != nil {
		return 0, made, err
	}
	err = tx.WithContext(ctx).Exec(`
		INSERT INTO campaign_custom_texts (campaign_id, language, key, value, format, html)
		SELECT ?, language, key, value, format, html FROM campaign_custom_texts WHERE campaign_id = ?`, id, e.CampaignID).Error
	if err != nil {
		return 0, made, fmt.Errorf("copy the own texts of campaign %d: %w", e.CampaignID, err)
	}
	after := map[string]any{"copied_from": e.CampaignID, "opens_as": n.OpensAs}
	err = changes.Record(ctx, tx, "create_campaign", "campaign", id, e.By, struct{}{}, after, e.Now)
	return id, Record{ID: id, Version: 1, Slug: n.Slug}, err
}

// copyParts reads the rows that belong to a campaign.
func (n *New) copyParts(ctx context.Context, tx *gorm.DB, campaignID int64) error {
	tx = tx.WithContext(ctx)
	var texts []textRecord
	err := tx.Where("campaign_id = ?", campaignID).Find(&texts).Error
	if err == nil {
		err = tx.Model(&categoryRecord{}).Where("campaign_id = ?", campaignID).Pluck("category_id", &n.CategoryIDs).Error
	}
	if err == nil {
		err = tx.Model(&tagRecord{}).Where("campaign_id = ?", campaignID).Pluck("tag_id", &n.TagIDs).Error
	}
	if err != nil {
		return fmt.Errorf("read campaign %d to copy it: %w", campaignID, err)
	}
	for _, t := range texts {
		n.Texts[t.Language] = Text{Title: t.Title, Tagline: t.Tagline, ShortDescription: t.ShortDescription,
			PictureAlt: t.ProjectPicAlt, AboutCreator: t.AboutCreator, Story: t.Story}
	}
	goals, err := readGoals(ctx, tx, campaignID)
	if err != nil {
		return err
	}
	for _, g := range goals {
		n.Goals = append(n.Goals, Goal{Target: g.Target, Texts: g.Texts})
	}
	return nil
}
