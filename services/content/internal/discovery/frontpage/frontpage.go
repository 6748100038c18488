// Package frontpage is what staff choose for the top of the home page: campaigns and experiments in an order, each with
// days if they like. It owns the tables front_page, whose one row is the version, and front_page_picks.
//
// The lists of the home page put what is chosen first (the order front_page of package campaigns and of experiments). A
// campaign that takes no support any more, an experiment that is not listed and one whose days are over are left out
// there without anybody doing anything, and the most popular follow.
package frontpage

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/writing/changes"
)

// Shown is the condition that the days of a pick p have come and are not over, at the parameter now.
const Shown = `coalesce(p.shown_from <= @now, true) AND coalesce(p.shown_until > @now, true)`

// Choice is a campaign or experiment with its days: the first second of the first, and the first second after the last.
type Choice struct {
	ID          int64
	From, Until *time.Time
}

// Days of a choice are in these years: any other is a slip of the hand, and some cannot be told in JSON.
const firstYear, lastYear = 2000, 2099

// Change is what is wanted at the top of the home page. Nil leaves a part as it is.
type Change struct{ Campaigns, Experiments *[]Choice }

// Edit is who changes the home page, and when.
type Edit struct {
	Known int64 // the version that was seen, 0 for any
	By    changes.Actor
	Now   time.Time
}

// onlyID is the id of the one row of front_page.
const onlyID = 1

// record is the row of front_page.
type record struct{ ID, Version int64 }

// TableName is GORM's.
func (record) TableName() string { return "front_page" }

// Versioned is changes.Row.
func (r record) Versioned() (changes.Entity, int64) {
	return changes.Entity{Name: "front_page", Table: "front_page", ID: r.ID}, r.Version
}

// part is the picks of one kind.
type part struct {
	field, column string
	// known is those of the ids that may be chosen: they are public, or chosen already, so that what goes back to being a draft
	// does not stand in the way of other choices. They cannot be deleted until the transaction ends.
	known string
}

var (
	ofCampaigns = part{"campaigns", "campaign_id", `SELECT id FROM campaigns WHERE id IN ?
		AND (stage <> 0 OR id IN (SELECT campaign_id FROM front_page_picks)) FOR KEY SHARE`}
	ofExperiments = part{"experiments", "experiment_id", `SELECT id FROM experiments WHERE id IN ?
		AND (open OR id IN (SELECT experiment_id FROM front_page_picks)) FOR KEY SHARE`}
)

// Set changes what is at the top of the home page, in one transaction. Errors: ChangedMeanwhile; InvalidFields for what
// is not there or newly chosen and a draft, what is named twice, and days in the wrong order or in no year of ours.
func Set(ctx context.Context, db *gorm.DB, e Edit, wanted Change) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		_, c, err := changes.LockKnown[record](ctx, tx, onlyID, e.Known, changes.ForNoKeyUpdate)
		if err != nil {
			return err
		}
		faults := apperr.New(apperr.InvalidFields)
		for _, one := range []struct {
			part
			choices *[]Choice
		}{{ofCampaigns, wanted.Campaigns}, {ofExperiments, wanted.Experiments}} {
			if one.choices == nil {
				continue
			}
			found, err := one.set(ctx, tx, c, *one.choices)
			if err != nil {
				return err
			}
			faults = faults.WithFields(found)
		}
		if err := faults.OrNil(); err != nil {
			return err
		}
		return c.Save(ctx, tx, "set_front_page", e.By, e.Now)
	})
}

// set makes the picks of one kind the wanted ones, and notes the change. With faults nothing is to be kept.
func (p part) set(ctx context.Context, tx *gorm.DB, c *changes.Change, wanted []Choice) ([]apperr.Field, error) {
	faults, err := p.check(ctx, tx, wanted)
	if err != nil || len(faults) > 0 {
		return faults, err
	}
	var before []Choice
	err = tx.WithContext(ctx).Raw(`SELECT ` + p.column + ` AS id, shown_from AS "from", shown_until AS until FROM front_page_picks
		WHERE ` + p.column + ` IS NOT NULL ORDER BY position`).Scan(&before).Error
	if err != nil {
		return nil, fmt.Errorf("read the %s of the front page: %w", p.field, err)
	}
	if slices.EqualFunc(before, wanted, Choice.equal) {
		return nil, nil
	}
	c.Note(p.field, noted(before), noted(wanted))
	if err := tx.WithContext(ctx).Exec(`DELETE FROM front_page_picks WHERE ` + p.column + ` IS NOT NULL`).Error; err != nil {
		return nil, fmt.Errorf("clear the %s of the front page: %w", p.field, err)
	}
	for i, choice := range wanted {
		err := tx.WithContext(ctx).Exec(`INSERT INTO front_page_picks (`+p.column+`, position, shown_from, shown_until) VALUES (?, ?, ?, ?)`,
			choice.ID, i, choice.From, choice.Until).Error
		if err != nil {
			return nil, fmt.Errorf("set the %s of the front page: %w", p.field, err)
		}
	}
	return nil, nil
}

// check is the faults of choices, by their place.
func (p part) check(ctx context.Context, tx *gorm.DB, wanted []Choice) (faults []apperr.Field, err error) {
	ids := []int64{0} // no id is 0
	for _, choice := range wanted {
		ids = append(ids, choice.ID)
	}
	var known []int64
	if err := tx.WithContext(ctx).Raw(p.known, ids).Scan(&known).Error; err != nil {
		return nil, fmt.Errorf("look up %s: %w", p.field, err)
	}
	for i, choice := range wanted {
		at := fmt.Sprintf("%s[%d].", p.field, i)
		switch {
		case !slices.Contains(known, choice.ID):
			faults = append(faults, apperr.Field{Path: at + "id", Rule: apperr.RuleOneOf})
		case slices.Contains(ids[1:i+1], choice.ID):
			faults = append(faults, apperr.Field{Path: at + "id", Rule: apperr.RuleOnce})
		}
		first, last := yearFault(at+"first_day", choice.From), yearFault(at+"last_day", choice.lastDay())
		switch {
		case first != nil || last != nil:
			faults = append(append(faults, first...), last...)
		case choice.From != nil && choice.Until != nil && !choice.From.Before(*choice.Until):
			faults = append(faults, apperr.Field{Path: at + "last_day", Rule: apperr.RuleDateFrom,
				Params: apperr.Params{"min": choice.From.Format(time.DateOnly)}})
		}
	}
	return faults, nil
}

// lastDay is a moment of its last day.
func (c Choice) lastDay() *time.Time {
	if c.Until == nil {
		return nil
	}
	day := c.Until.AddDate(0, 0, -1)
	return &day
}

// yearFault is the fault of a day that is not from firstYear to lastYear.
func yearFault(path string, day *time.Time) []apperr.Field {
	switch {
	case day != nil && day.Year() < firstYear:
		return []apperr.Field{{Path: path, Rule: apperr.RuleDateFrom, Params: apperr.Params{"min": fmt.Sprintf("%d-01-01", firstYear)}}}
	case day != nil && day.Year() > lastYear:
		return []apperr.Field{{Path: path, Rule: apperr.RuleDateTo, Params: apperr.Params{"max": fmt.Sprintf("%d-12-31", lastYear)}}}
	}
	return nil
}

func (c Choice) equal(other Choice) bool {
	same := func(a, b *time.Time) bool { return a == nil && b == nil || a != nil && b != nil && a.Equal(*b) }
	return c.ID == other.ID && same(c.From, other.From) && same(c.Until, other.Until)
}

// noted is choices as the audit trail has them.
func noted(choices []Choice) []map[string]any {
	list := make([]map[string]any, len(choices))
	for i, choice := range choices {
		list[i] = map[string]any{"id": choice.ID}
		if choice.From != nil {
			list[i]["from"] = choice.From.UTC()
		}
		if choice.Until != nil {
			list[i]["until"] = choice.Until.UTC()
		}
	}
	return list
}

// Pick is something at the top of the home page, as staff see it.
type Pick struct {
	IsExperiment          bool
	ID                    int64
	Slug, Title, Language string
	Stage                 int
	From, Until           *time.Time
	IsOpen                bool // takes support; of an experiment: is listed
}

// Read is all picks in their order, and the version.
func Read(ctx context.Context, db *gorm.DB, language string, now time.Time) (picks []Pick, version int64, err error) {
	if err := db.WithContext(ctx).Raw(`SELECT version FROM front_page`).Scan(&version).Error; err != nil {
		return nil, 0, fmt.Errorf("read the version of the front page: %w", err)
	}
	err = db.WithContext(ctx).Raw(`
		SELECT false AS is_experiment, c.id, c.slug, v.preview->>'title' AS title, v.preview->>'language' AS language, c.stage,
		       p.shown_from AS "from", p.shown_until AS until, p.position,
		       c.hold = '' AND (c.stage = 6 OR c.stage = 2 AND c.funding_deadline >= @now) AS is_open
		FROM front_page_picks p
		CROSS JOIN LATERAL (SELECT id, slug, stage, hold, funding_deadline FROM campaigns WHERE id = p.campaign_id LIMIT 1) c
		CROSS JOIN LATERAL (SELECT preview FROM campaign_previews WHERE campaign_id = p.campaign_id AND language = @language LIMIT 1) v
		UNION ALL
		SELECT true, e.id, e.slug, x.title, x.language, e.stage, p.shown_from, p.shown_until, p.position, e.listed
		FROM front_page_picks p
		CROSS JOIN LATERAL (SELECT id, slug, stage, listed, language FROM experiments WHERE id = p.experiment_id LIMIT 1) e
		CROSS JOIN LATERAL (SELECT title, language FROM experiment_texts x WHERE x.experiment_id = p.experiment_id
			ORDER BY x.title = '', x.language = @language DESC, x.language = e.language DESC, x.language LIMIT 1) x
		ORDER BY is_experiment, position`, map[string]any{"language": language, "now": now}).Scan(&picks).Error
	if err != nil {
		return nil, 0, fmt.Errorf("read the picks of the front page: %w", err)
	}
	return picks, version, nil
}
