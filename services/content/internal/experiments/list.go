package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/access"
)

// row is an experiment as a reader of a language sees it.
type row struct {
	ID                                      int64
	Slug, Language, Title, ShortDescription string
	Place, Image, OwnerName                 string
	Stage                                   int
	ShowIn                                  json.RawMessage
	Disabled, Member                        bool
	StoryHTML                               string
	Links, Tags                             json.RawMessage
	LikeCount                               int
	Currency                                string
	GoalMinor, RaisedMinor                  int64
}

// columns and joins of an experiment e. Texts fall back: the reader's language, the experiment's own, any. The LIMITs
// keep the planner from reading whole tables for a page.
const (
	columns = `e.id, e.slug, e.stage, place_in(e.place, @language) AS place, e.image, e.show_in, x.language, x.title, x.short_description,
		concat_ws(' ', u.first_name, u.last_name) AS owner_name`
	joins = `
		JOIN LATERAL (
			SELECT language, title, short_description, story_html FROM experiment_texts x WHERE x.experiment_id = e.id
			ORDER BY x.language = @language DESC, x.language = e.language DESC, x.language LIMIT 1) x ON true
		JOIN LATERAL (SELECT user_id FROM experiment_team WHERE experiment_id = e.id AND position = 0 LIMIT 1) m ON true
		JOIN users u ON u.id = m.user_id`
)

// filter says which experiments are wanted.
type filter struct {
	language      string
	stage         *int
	place         string
	teamMember    *int64
	byActivity    bool // instead of by stage
	limit, offset int
}

// list reads a page, by stage or activity, then id, and how many there are in all. The indexes experiments_stage and
// experiments_activity give the orders.
func list(ctx context.Context, db *gorm.DB, f filter) (rows []row, total int, err error) {
	conditions := []string{"NOT disabled"}
	params := map[string]any{"language": f.language, "limit": f.limit, "offset": f.offset}
	if f.stage != nil {
		conditions = append(conditions, "stage = @stage")
		params["stage"] = *f.stage
	}
	if f.place != "" {
		// By the name that it was written with, or the one that the reader sees.
		conditions = append(conditions, `searchable(place) IN (SELECT searchable(@place) UNION ALL
			SELECT searchable(place) FROM place_names WHERE language = @language AND searchable(name) = searchable(@place))`)
		params["place"] = f.place
	}
	if f.teamMember != nil {
		conditions = append(conditions, "id IN (SELECT experiment_id FROM experiment_team WHERE user_id = @member)")
		params["member"] = *f.teamMember
	}
	where, order := strings.Join(conditions, " AND "), "stage"
	if f.byActivity {
		order = "activity"
	}
	err = db.WithContext(ctx).Raw(`
		SELECT `+columns+`
		FROM (SELECT id, slug, stage, activity, language, place, image, show_in FROM experiments WHERE `+where+`
			ORDER BY `+order+`, id LIMIT @limit OFFSET @offset) e`+joins+` ORDER BY e.`+order+`, e.id`, params).Scan(&rows).Error
	if err != nil {
		return nil, 0, fmt.Errorf("list experiments: %w", err)
	}
	if len(rows) < f.limit && (len(rows) > 0 || f.offset == 0) {
		return rows, f.offset + len(rows), nil // on the last page the total is known without counting
	}
	var named []any // without named parameters in the SQL, GORM would take the map for a positional one
	if len(conditions) > 1 {
		named = append(named, params)
	}
	if err := db.WithContext(ctx).Raw(`SELECT count(*) FROM experiments WHERE `+where, named...).Scan(&total).Error; err != nil {
		return nil, 0, fmt.Errorf("count experiments: %w", err)
	}
	return rows, total, nil
}

// ErrUnknown is an experiment that is not there, or not for this reader.
var ErrUnknown = apperr.New(apperr.NotFound)

// read gives one experiment and what its reader may do with it. Error: ErrUnknown, also for one that is disabled and
// not the reader's to edit.
func read(ctx context.Context, db *gorm.DB, who session.Identity, id int64, language string) (row, access.Rights, error) {
	var rows []row
	err := db.WithContext(ctx).Raw(`
		SELECT `+columns+`, x.story_html, e.disabled, e.links, e.like_count, e.currency, e.goal_minor, e.raised_minor,
		       EXISTS (SELECT 1 FROM experiment_team WHERE experiment_id = e.id AND user_id = @user) AS member,
		       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.tag_id, 'label', n.label) ORDER BY n.label, g.tag_id), '[]')
		        FROM experiment_tags g JOIN LATERAL (
		            SELECT label FROM tag_texts n WHERE n.tag_id = g.tag_id
		            ORDER BY n.language = @language DESC, n.language LIMIT 1) n ON true
		        WHERE g.experiment_id = e.id) AS tags
		FROM experiments e`+joins+` WHERE e.id = @id`,
		map[string]any{"id": id, "language": language, "user": who.UserID}).Scan(&rows).Error
	if err != nil {
		return row{}, nil, fmt.Errorf("read experiment %d: %w", id, err)
	}
	if len(rows) == 0 {
		return row{}, nil, ErrUnknown
	}
	rights := access.Of(who, rows[0].Member)
	if rows[0].Disabled && !rights.CanEdit() {
		return row{}, nil, ErrUnknown
	}
	return rows[0], rights, nil
}
