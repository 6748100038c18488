package campaigns

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/writing/changes"
)

// Draft is what a person begins a campaign with.
type Draft struct {
	UserID         int64  // its creator
	Language       string // its own: fi, en, sv
	OpensAs        Stage  // StageFunding or StageRecurring
	Title, Tagline string
	Categories     []int64 // the first is the main one; the first of all when none is given
	Settings       SettingsChange
	Meta           MetaChange
	Goals          []WantedGoal
}

// Begin makes a draft in the caller's transaction, with its audit row. Its first values obey the same rules as later
// changes, checked by the same functions. Faults are those that the caller has found already; they are reported
// together with its own. Error: InvalidFields.
func Begin(ctx context.Context, tx *gorm.DB, d Draft, faults []apperr.Field, now time.Time) (
	id int64, r Record, err error) {
	r = Record{Stage: StageDraft, OpensAs: d.OpensAs, Language: d.Language, FundingRule: AllOrNothing}
	title := *oneLine(&d.Title)
	r.Slug = SlugOf(title, d.Language)
	c := changes.Of(changes.Entity{Name: "campaign"}, 0)
	broken := apperr.New(apperr.InvalidFields).WithFields(faults)
	broken = broken.WithFields(d.Settings.apply(c, &r, now).Fields).WithFields(d.Meta.apply(c, &r).Fields)
	goals, badGoals := mergeGoals(nil, d.Goals, d.Language)
	if badGoals != nil {
		broken = broken.WithFields(apperr.From(badGoals).Fields)
	}
	if len(d.Categories) == 0 {
		first, err := taxonomy.FirstCategory(ctx, tx)
		if err != nil {
			return 0, r, err
		}
		if first == nil {
			return 0, r, apperr.New(apperr.InvalidFields).WithField("categories", apperr.RuleRequired)
		}
		d.Categories = []int64{*first}
	}
	categories, unknown, err := CheckCategories(ctx, tx, d.Categories)
	if err != nil {
		return 0, r, err
	}
	if err := broken.WithFields(unknown).OrNil(); err != nil {
		return 0, r, err
	}
	n := New{Slug: r.Slug, Language: d.Language, OpensAs: d.OpensAs, CategoryID: categories[0], CategoryIDs: categories,
		TeamUserIDs: []int64{d.UserID}, Place: r.Place, MinGoalMinor: int64(r.MinGoalMinor),
		TargetGoalMinor: int64(r.TargetGoalMinor),
		FundingRule:     r.FundingRule, FirstDay: r.FirstDay, LastDay: r.LastDay, Zone: d.Settings.Zone, VideoURL: r.VideoURL,
		ContactEmail: r.ContactEmail, LegalCreator: r.LegalCreator, LegalCreatorType: r.LegalCreatorType,
		Texts: map[string]Text{d.Language: {Title: title, Tagline: *oneLine(&d.Tagline)}}}
	for _, g := range goals {
		n.Goals = append(n.Goals, Goal{Target: g.Target, Texts: g.Texts})
	}
	if id, err = Create(ctx, tx, n, now); err != nil {
		return 0, r, err
	}
	r.ID, r.Version = id, 1
	after := map[string]any{d.Language + ".title": title, "opens_as": d.OpensAs}
	err = changes.Record(ctx, tx, "create_campaign", "campaign", id, changes.User(d.UserID), struct{}{}, after, now)
	return id, r, err
}
