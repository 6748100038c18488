package experiments

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/writing/changes"
)

// lastStage is archived, after which nothing comes.
const lastStage = 6

// stageNeeds is what must be there before an experiment comes to a stage, in its own language, as the fields are called
// in changes. What visitors of that stage look for: a plan has its story, what runs has a place and can be found by its
// tags, what is evaluated says what was learned, and what is adopted says what comes of it.
var stageNeeds = map[int][]string{
	1: {"title", "short_description", "json_description"},
	2: {"geographic_location", "tags"},
	3: {"custom_language.results"},
	4: {"custom_language.adoption"},
}

// Move takes an experiment to its next stage in one transaction. Errors: ErrUnknown; ChangedMeanwhile;
// ExperimentNotReady, with the fields that are missing; ExperimentLastStage.
func Move(ctx context.Context, db *gorm.DB, e Edit) error {
	return e.change(ctx, db, "move_stage", func(ctx context.Context, tx *gorm.DB, c *changes.Change, r *Record) error {
		return e.moveOn(ctx, tx, c, r)
	})
}

func (e Edit) moveOn(ctx context.Context, tx *gorm.DB, c *changes.Change, r *Record) error {
	if r.Stage == lastStage {
		return apperr.New(apperr.ExperimentLastStage)
	}
	missing, err := r.missingFor(ctx, tx, r.Stage+1)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		refused := apperr.New(apperr.ExperimentNotReady)
		for _, field := range missing {
			refused = refused.WithField(field, apperr.RuleNotReady)
		}
		return refused
	}
	return r.comeTo(ctx, tx, c, r.Stage+1, e.Now)
}

// setStage is a stage set to a number: a team's has to be the next one and is a move; staff set any, which mends a
// mistake. Errors: InvalidFields; those of Move.
func (e Edit) setStage(ctx context.Context, tx *gorm.DB, c *changes.Change, r *Record, to int) error {
	switch {
	case campaigns.IsStaff(e.By):
		return r.comeTo(ctx, tx, c, to, e.Now)
	case to == r.Stage+1:
		return e.moveOn(ctx, tx, c, r)
	}
	return apperr.New(apperr.InvalidFields).WithField("stage", apperr.RuleOneOf)
}

// comeTo sets the stage and its day. The days of stages that it has gone back from are forgotten.
func (r *Record) comeTo(ctx context.Context, tx *gorm.DB, c *changes.Change, stage int, now time.Time) error {
	goesBack := stage < r.Stage
	changes.Set(c, "stage", "stage", &r.Stage, &stage)
	tx = tx.WithContext(ctx)
	err := tx.Exec(`DELETE FROM experiment_stages WHERE experiment_id = ? AND stage > ?`, r.ID, stage).Error
	if err == nil {
		row := stageRecord{r.ID, stage, now}
		err = tx.Clauses(clause.OnConflict{DoNothing: goesBack, UpdateAll: !goesBack}).Create(&row).Error
	}
	if err != nil {
		return fmt.Errorf("move experiment %d to stage %d: %w", r.ID, stage, err)
	}
	return nil
}

// missingFor lists what an experiment lacks for a stage, nothing for one that needs nothing. Its place and language are
// the record's, which the same change may have set; the rest is what is stored.
func (r *Record) missingFor(ctx context.Context, db *gorm.DB, stage int) (missing []string, err error) {
	if len(stageNeeds[stage]) == 0 {
		return nil, nil
	}
	var has []string
	err = db.WithContext(ctx).Raw(`
		SELECT unnest(array_remove(ARRAY[
			CASE WHEN x.title <> '' THEN 'title' END,
			CASE WHEN x.short_description <> '' THEN 'short_description' END,
			CASE WHEN jsonb_array_length(x.story->'content') > 0 THEN 'json_description' END,
			CASE WHEN @place <> '' THEN 'geographic_location' END,
			CASE WHEN EXISTS (SELECT FROM experiment_tags WHERE experiment_id = @id) THEN 'tags' END], NULL)
			|| ARRAY(SELECT 'custom_language.' || key FROM experiment_custom_texts
			         WHERE experiment_id = @id AND language = @language))
		FROM (SELECT) one LEFT JOIN experiment_texts x ON x.experiment_id = @id AND x.language = @language`,
		map[string]any{"id": r.ID, "place": r.Place, "language": r.Language}).Scan(&has).Error
	if err != nil {
		return nil, fmt.Errorf("look what experiment %d has: %w", r.ID, err)
	}
	missing = slices.DeleteFunc(slices.Clone(stageNeeds[stage]), func(need string) bool {
		return slices.Contains(has, need)
	})
	return missing, nil
}
