package campaigns

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// WantedGoal is a goal of a monthly campaign as somebody wants it, its texts in one language.
type WantedGoal struct {
	ID     int64 // 0 for a new one
	Target int   // subscriptions, more than 0
	GoalText
}

// KeptGoal is a goal with its texts by language.
type KeptGoal struct {
	ID     int64               `json:"goal_id"`
	Target int                 `json:"target"`
	Texts  map[string]GoalText `json:"texts"`
}

// SetGoals replaces a campaign's goals, in one transaction, and returns them with the campaign's version. Wanted is the
// whole list; its texts are those of the language, and goals keep their texts in others. The caller has checked who may
// do it. Errors: ErrUnknown; ChangedMeanwhile; InvalidFields; GoalReached.
func SetGoals(ctx context.Context, db *gorm.DB, e Edit, language string, wanted []WantedGoal) (
	goals []KeptGoal, version int64, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		goals, version, err = setGoals(ctx, tx, e, language, wanted)
		return err
	})
	return goals, version, err
}

func setGoals(ctx context.Context, tx *gorm.DB, e Edit, language string, wanted []WantedGoal) (
	[]KeptGoal, int64, error) {
	r, c, err := e.begin(ctx, tx, changes.ForNoKeyUpdate)
	if err != nil {
		return nil, 0, err
	}
	kept, err := readGoals(ctx, tx, e.CampaignID)
	if err != nil {
		return nil, 0, err
	}
	next, err := mergeGoals(kept, wanted, language)
	if err != nil {
		return nil, 0, err
	}
	if len(next) == 0 && r.Stage != StageDraft && r.OpensAs == StageRecurring { // what staff have approved had one
		return nil, 0, apperr.New(apperr.InvalidFields).WithField("subscriptions_goals", apperr.RuleRequired)
	}
	if r.Stage == StageRecurring || r.Stage == StageClosed {
		if err := refuseReached(ctx, tx, e.CampaignID, kept, next); err != nil {
			return nil, 0, err
		}
	}
	if !changes.Set(c, "subscriptions_goals", "", &kept, &next) {
		return kept, c.Version(), nil
	}
	if err := writeGoals(ctx, tx, e.CampaignID, next); err != nil {
		return nil, 0, err
	}
	err = e.save(ctx, tx, c, "change_goals")
	return next, c.Version(), err
}

// mergeGoals is the wanted list with the texts that the goals have in other languages. Errors: InvalidFields for a
// title that is missing, targets that do not rise, goals that are not the campaign's or come twice.
func mergeGoals(kept []KeptGoal, wanted []WantedGoal, language string) ([]KeptGoal, error) {
	faults := apperr.New(apperr.InvalidFields)
	known := map[int64]KeptGoal{}
	for _, g := range kept {
		known[g.ID] = g
	}
	next := make([]KeptGoal, len(wanted))
	for i, w := range wanted {
		path := fmt.Sprintf("subscriptions_goals[%d].", i)
		text := GoalText{Title: richtext.Line(w.Title), Description: richtext.Plain(w.Description)}
		if text.Title == "" {
			faults = faults.WithField(path+"title", apperr.RuleRequired)
		}
		if i > 0 && w.Target <= wanted[i-1].Target {
			faults = faults.WithField(path+"target", apperr.RuleMinValue, apperr.Params{"min": wanted[i-1].Target + 1})
		}
		before, ok := known[w.ID]
		if w.ID != 0 && !ok {
			faults = faults.WithField(path+"goal_id", apperr.RuleUnknownGoal)
		}
		delete(known, w.ID)
		texts := map[string]GoalText{}
		maps.Copy(texts, before.Texts)
		texts[language] = text
		next[i] = KeptGoal{ID: w.ID, Target: w.Target, Texts: texts}
	}
	return next, faults.OrNil()
}

// refuseReached refuses to remove a goal that an open campaign has reached, or to change its target: the creator
// promised it for that number of supporters. Error: GoalReached.
func refuseReached(ctx context.Context, tx *gorm.DB, campaignID int64, kept, next []KeptGoal) error {
	var reached int
	if err := tx.WithContext(ctx).Raw(`SELECT subscriptions FROM campaign_totals WHERE campaign_id = ?`, campaignID).Scan(&reached).Error; err != nil {
		return fmt.Errorf("read supporters of campaign %d: %w", campaignID, err)
	}
	refused := apperr.New(apperr.GoalReached)
	for _, goal := range kept {
		if goal.Target > reached {
			continue
		}
		i := slices.IndexFunc(next, func(g KeptGoal) bool { return g.ID == goal.ID })
		switch {
		case i < 0:
			refused = refused.WithField("subscriptions_goals", apperr.RuleFixed)
		case next[i].Target != goal.Target:
			refused = refused.WithField(fmt.Sprintf("subscriptions_goals[%d].target", i), apperr.RuleFixed)
		}
	}
	return refused.OrNil()
}

func readGoals(ctx context.Context, tx *gorm.DB, campaignID int64) ([]KeptGoal, error) {
	var rows []goalRecord
	if err := tx.WithContext(ctx).Where("campaign_id = ?", campaignID).Order("target").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("read goals of campaign %d: %w", campaignID, err)
	}
	goals := make([]KeptGoal, len(rows))
	byID := map[int64]KeptGoal{}
	var ids []int64
	for i, row := range rows {
		goals[i] = KeptGoal{ID: row.ID, Target: row.Target, Texts: map[string]GoalText{}}
		byID[row.ID] = goals[i]
		ids = append(ids, row.ID)
	}
	var texts []goalTextRecord
	if err := tx.WithContext(ctx).Where("goal_id IN ?", ids).Find(&texts).Error; err != nil {
		return nil, fmt.Errorf("read goals of campaign %d: %w", campaignID, err)
	}
	for _, t := range texts {
		byID[t.GoalID].Texts[t.Language] = GoalText{t.Title, t.Description}
	}
	return goals, nil
}

// writeGoals writes the whole list and sets the ids of new goals.
func writeGoals(ctx context.Context, tx *gorm.DB, campaignID int64, goals []KeptGoal) error {
	tx = tx.WithContext(ctx)
	stay := []int64{0} // an empty list would be NULL
	for _, g := range goals {
		stay = append(stay, g.ID)
	}
	if err := tx.Where("campaign_id = ? AND id NOT IN ?", campaignID, stay).Delete(&goalRecord{}).Error; err != nil {
		return fmt.Errorf("delete goals of campaign %d: %w", campaignID, err)
	}
	var texts []goalTextRecord
	for i := range goals {
		row := goalRecord{ID: goals[i].ID, CampaignID: campaignID, Target: goals[i].Target}
		write := tx.Create
		if row.ID != 0 {
			write = tx.Select("target").Updates
		}
		if err := write(&row).Error; err != nil {
			return fmt.Errorf("write a goal of campaign %d: %w", campaignID, err)
		}
		goals[i].ID = row.ID
		for language, t := range goals[i].Texts {
			texts = append(texts, goalTextRecord{row.ID, language, t.Title, t.Description})
		}
	}
	all := tx.Clauses(clause.OnConflict{UpdateAll: true})
	if err := dbx.CreateAll(all, texts); err != nil {
		return fmt.Errorf("write texts of goals of campaign %d: %w", campaignID, err)
	}
	return nil
}
