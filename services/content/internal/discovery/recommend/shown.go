package recommend

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
)

// shown is what is shown of a campaign or an experiment, by the names of CampaignPreview.
type shown struct {
	Slug, Title, Language, Place string
	Picture                      string `json:"project_pic"`
	Stage                        campaigns.Stage
	Hold                         campaigns.HoldKind
	Tags                         []api.Tag
	CategoryID                   int64         `json:"category_id"`
	Category                     string        // the main one's label
	Goal                         money.Decimal `json:"target_goal"`
	Reached                      money.Decimal `json:"funding_reached"`
	Settling                     money.Decimal `json:"funding_settling"`
	IsHidden                     bool          `json:"hide_funding_amount"`
	Creator                      struct {
		UserID int64 `json:"user_id"`
	}
	Deadline *time.Time `json:"funding_deadline"`
}

// shownSQL reads the campaigns' ready previews and the same of experiments that are on the site, by primary keys.
// Parameters are read from one row, which the planner does not look into: so its plan fits all of them, and is kept.
const shownSQL = `
	WITH asked AS MATERIALIZED (
		SELECT CAST(@campaigns AS bigint[]) AS campaigns, CAST(@experiments AS bigint[]) AS experiments,
		       CAST(@language AS text) AS language)
	SELECT c.id, false AS is_experiment, CAST(v.preview AS text) AS preview
	FROM asked CROSS JOIN LATERAL unnest(asked.campaigns) AS c (id) CROSS JOIN LATERAL (
		SELECT preview FROM campaign_previews WHERE campaign_id = c.id AND language = asked.language LIMIT 1) v
	UNION ALL
	SELECT e.id, true, CAST(json_build_object('slug', e.slug, 'title', x.title, 'language', x.language, 'stage', e.stage,
	       'place', place_in(e.place, asked.language), 'project_pic', e.image, 'creator', json_build_object('user_id', m.user_id),
	       'tags', (SELECT coalesce(json_agg(json_build_object('id', g.tag_id, 'label', n.label)), '[]')
	           FROM experiment_tags g CROSS JOIN LATERAL (
	               SELECT label FROM tag_texts n WHERE n.tag_id = g.tag_id ORDER BY n.language = asked.language DESC, n.language LIMIT 1) n
	           WHERE g.experiment_id = e.id)) AS text)
	FROM asked CROSS JOIN LATERAL unnest(asked.experiments) AS wanted (id)
	CROSS JOIN LATERAL (
		SELECT id, slug, stage, place, image, language FROM experiments
		WHERE id = wanted.id AND listed LIMIT 1) e
	CROSS JOIN LATERAL (
		SELECT title, language FROM experiment_texts x WHERE x.experiment_id = e.id
		ORDER BY x.title = '', x.language = asked.language DESC, x.language = e.language DESC, x.language LIMIT 1) x
	CROSS JOIN LATERAL (SELECT user_id FROM experiment_team WHERE experiment_id = e.id AND position = 0 LIMIT 1) m`

// read reads what is shown of choices, and of what their reasons name, in one statement.
func read(ctx context.Context, db *gorm.DB, choices []choice, language string) (map[key]shown, error) {
	campaignIDs, experimentIDs := []int64{}, []int64{}
	for _, c := range choices {
		for _, one := range []key{c.key, c.reason().seed} {
			switch {
			case one == key{}:
			case one.isExperiment:
				experimentIDs = append(experimentIDs, one.id)
			default:
				campaignIDs = append(campaignIDs, one.id)
			}
		}
	}
	if len(campaignIDs)+len(experimentIDs) == 0 {
		return nil, nil
	}
	type row struct {
		ID           int64
		IsExperiment bool
		Preview      []byte
	}
	rows, err := dbx.Select[row](ctx, db, shownSQL,
		pgx.NamedArgs{"campaigns": campaignIDs, "experiments": experimentIDs, "language": language})
	if err != nil {
		return nil, fmt.Errorf("read suggestions: %w", err)
	}
	found := map[key]shown{}
	for _, r := range rows {
		var s shown
		if err := json.Unmarshal(r.Preview, &s); err != nil {
			return nil, fmt.Errorf("decode the preview of %d: %w", r.ID, err)
		}
		found[key{r.ID, r.IsExperiment}] = s
	}
	return found, nil
}

// isOpen reports whether a choice can be joined still: the lists may be some seconds old.
func (s shown) isOpen(c choice, now time.Time) bool {
	isOver := s.Deadline != nil && !s.Deadline.After(now)
	if c.isExperiment {
		return s.Stage == experimentPlanned || s.Stage == experimentRunning
	}
	if s.Hold != campaigns.NotHeld {
		return false
	}
	return s.Stage == campaigns.StageRecurring || s.Stage == campaigns.StageFunding && !isOver
}

// The stages of experiments that are suggested.
const (
	experimentPlanned = 1
	experimentRunning = 2
)

// suggestion is the answer about one choice.
func (s shown) suggestion(c choice, w words, language string, now time.Time) api.Suggestion {
	a := api.Suggestion{ID: c.id, Kind: api.SuggestionKindCampaign, Title: s.Title, Language: s.Language, Picture: s.Picture,
		Path: languages.Prefix(language) + strconv.FormatInt(c.id, 10) + "/" + s.Slug + "/"}
	switch {
	case c.isExperiment:
		a.Kind, a.State = api.SuggestionKindExperiment, w.running
		a.Path = languages.Prefix(language) + "experiments/" + strconv.FormatInt(c.id, 10) + "/" + s.Slug + "/"
		if s.Stage == experimentPlanned {
			a.State = w.idea
		}
		return a
	case s.Stage == campaigns.StageRecurring:
		a.State = w.monthly
		return a
	case s.Deadline != nil:
		a.State = w.timeLeft(*s.Deadline, now)
	}
	if !s.IsHidden && s.Goal > 0 {
		percent, settling := percentOf(s.Reached, s.Goal), percentOf(s.Settling, s.Goal)
		a.Percent = &percent
		if settling > 0 {
			a.SettlingPercent = &settling
		}
	}
	return a
}

// percentOf is rounded to the nearest, as the app's domain/progress does it.
func percentOf(part, whole money.Decimal) int { return int((200*part + whole) / (2 * whole)) }
