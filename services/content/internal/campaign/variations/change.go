package variations

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// MostVariations is how many are shown beside the campaign's own: with more, each would have too few visitors for a
// result.
const MostVariations = 4

// longest is how many characters a value may have.
var longest = map[string]int{"title": 60, "tagline": 140, "project_pic": 128}

// New is a variation to be shown.
type New struct {
	Field    string // title, tagline, project_pic
	Language string // of a text; empty for a picture
	Value    string
	// PictureExists says that there is a picture of the name in Value.
	PictureExists bool
}

// auditValue is a variation as it is written to the audit log.
type auditValue struct {
	Letter   string `json:"letter"`
	Field    string `json:"field"`
	Language string `json:"language,omitempty"`
	Value    string `json:"value"`
}

// Add shows a variation, in one transaction, and returns the experiment and the campaign's version. The measurement
// begins anew. The caller has checked who may do it. Errors: campaigns.ErrUnknown; ExperimentRunning when another field
// or language is tried; TooManyVariations; InvalidFields.
func Add(ctx context.Context, db *gorm.DB, e campaigns.Edit, n New) (*Experiment, int64, error) {
	return change(ctx, db, e, "add_variation", func(tx *gorm.DB, rows []row, _ held) ([]row, error) {
		if n.Value = richtext.Line(n.Value); n.Field == "project_pic" {
			n.Language = ""
		}
		if len(rows) > 0 && (rows[0].Field != n.Field || rows[0].Language != n.Language) {
			return nil, apperr.New(apperr.ExperimentRunning)
		}
		if len(rows) >= MostVariations {
			return nil, apperr.New(apperr.TooManyVariations)
		}
		own, ok, err := campaigns.Content(ctx, tx, e.CampaignID, n.Field, n.Language)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, apperr.New(apperr.InvalidFields).WithField("language", apperr.RuleOneOf)
		}
		if rule, params := n.fault(own, rows); rule != "" {
			return nil, apperr.New(apperr.InvalidFields).WithField("value", rule, params)
		}
		added := row{CampaignID: e.CampaignID, Field: n.Field, Language: n.Language, Value: n.Value, Letter: freeLetter(rows),
			CreatedAt: e.Now}
		if err := tx.WithContext(ctx).Create(&added).Error; err != nil {
			return nil, fmt.Errorf("add a variation to campaign %d: %w", e.CampaignID, err)
		}
		return append(slices.Clone(rows), added), nil
	})
}

// fault is the rule that the value breaks; empty for none.
func (n New) fault(own string, rows []row) (rule string, params apperr.Params) {
	switch {
	case n.Value == "":
		return apperr.RuleRequired, nil
	case utf8.RuneCountInString(n.Value) > longest[n.Field]:
		return apperr.RuleMaxLength, apperr.Params{"max": longest[n.Field]}
	case n.Field == "project_pic" && !n.PictureExists:
		return apperr.RuleUnknownPicture, nil
	case n.Value == own || slices.ContainsFunc(rows, func(r row) bool { return r.Value == n.Value }):
		return apperr.RuleOnce, nil
	}
	return "", nil
}

func freeLetter(rows []row) string {
	for _, letter := range []string{"B", "C", "D", "E"} {
		if !slices.ContainsFunc(rows, func(r row) bool { return r.Letter == letter }) {
			return letter
		}
	}
	return ""
}

// Stop ends the showing of a variation, in one transaction. Its visitors are assigned to the others by their hashes;
// nobody else's page changes, so the measurement goes on. The caller has checked who may do it. Errors:
// campaigns.ErrUnknown, also for a variation that is not shown; ChangedMeanwhile.
func Stop(ctx context.Context, db *gorm.DB, e campaigns.Edit, variation int64) (*Experiment, int64, error) {
	return change(ctx, db, e, "stop_variation", func(tx *gorm.DB, rows []row, _ held) ([]row, error) {
		left := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.ID == variation })
		if len(left) == len(rows) {
			return nil, campaigns.ErrUnknown
		}
		return left, stop(ctx, tx, e, "id = ?", variation)
	})
}

// Adopt makes a variation the campaign's own and ends the experiment, in one transaction. The caller has checked who
// may do it. Errors: campaigns.ErrUnknown, also for a variation that is not shown; ChangedMeanwhile.
func Adopt(ctx context.Context, db *gorm.DB, e campaigns.Edit, variation int64) (*Experiment, int64, error) {
	return change(ctx, db, e, "adopt_variation", func(tx *gorm.DB, rows []row, h held) ([]row, error) {
		i := slices.IndexFunc(rows, func(r row) bool { return r.ID == variation })
		if i < 0 {
			return nil, campaigns.ErrUnknown
		}
		err := campaigns.SetContent(ctx, tx, h.change, &h.campaign, rows[i].Field, rows[i].Language, rows[i].Value, e.Now)
		if err != nil {
			return nil, err
		}
		return []row{}, stop(ctx, tx, e, "campaign_id = ?", e.CampaignID)
	})
}

func stop(ctx context.Context, tx *gorm.DB, e campaigns.Edit, which string, id int64) error {
	err := tx.WithContext(ctx).Model(&row{}).Where(which+" AND stopped_at IS NULL", id).Update("stopped_at", e.Now).Error
	if err != nil {
		return fmt.Errorf("stop variations of campaign %d: %w", e.CampaignID, err)
	}
	return nil
}

// held is a campaign that is being changed.
type held struct {
	campaign campaigns.Record
	change   *changes.Change
}

// change makes a change of a campaign's variations with the campaign's version and history: by returns those that are
// shown then.
func change(ctx context.Context, db *gorm.DB, e campaigns.Edit, action string,
	by func(*gorm.DB, []row, held) ([]row, error),
) (experiment *Experiment, version int64, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		r, c, err := campaigns.Lock(ctx, tx, e)
		if err != nil {
			return err
		}
		rows, err := shown(ctx, tx, e.CampaignID)
		if err != nil {
			return err
		}
		next, err := by(tx, rows, held{r, c})
		if err != nil {
			return err
		}
		before, after := auditValues(rows), auditValues(next)
		changes.Set(c, "content_variations", "", &before, &after)
		if err := e.Save(ctx, tx, c, action); err != nil {
			return err
		}
		version = c.Version()
		experiment, err = Read(ctx, tx, e.CampaignID)
		return err
	})
	return experiment, version, err
}

func auditValues(rows []row) []auditValue {
	list := make([]auditValue, len(rows))
	for i, r := range rows {
		list[i] = auditValue{r.Letter, r.Field, r.Language, r.Value}
	}
	return list
}
