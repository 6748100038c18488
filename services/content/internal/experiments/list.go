package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/discovery/frontpage"
	"talkoot.fi/content/internal/discovery/keywords"
)

// Row is an experiment as a list shows it.
type Row struct {
	ID                                      int64
	Slug, Language, Title, ShortDescription string
	Place, Image, OwnerName                 string
	Stage, LikeCount                        int
	Total                                   int // of a list with a keyword
	ShowIn                                  json.RawMessage
}

// columns of a row: e is the experiment, x its texts, u its owner.
const columns = `e.id, e.slug, e.stage, place_in(e.place, @language) AS place, e.image, e.show_in, e.like_count, x.language, x.title,
	x.short_description, shown_name(u.first_name, u.last_name, u.erased_at, @language) AS owner_name`

// orders are the columns that lists are sorted by: of experiments (e) or of their listings (l). Each has an index,
// which is read in either direction; the id comes after it in the same direction.
var orders = map[string]string{
	"":                  "e.stage",
	"stage":             "e.stage",
	"activity":          "e.activity",
	"likes":             "e.like_count",
	"id":                "e.id",
	"show_in":           "l.show_order",
	"alphabetical":      "l.title_order",
	"short_description": "l.short_order",
	"owner_name":        "l.owner_order",
	"front_page":        "e.activity", // after what staff have chosen
}

// flagged are the conditions of the flags of show_in. Written out, so that the index experiments_front_page serves its own.
var flagged = map[string]string{"front_page": `e.show_in @> '{"front_page": true}'`, "index": `e.show_in @> '{"index": true}'`}

// filter says which experiments are wanted, in which order.
type filter struct {
	language      string
	stage         *int
	place         string
	teamMember    *int64
	flag          string    // of show_in: front_page, index; empty for any
	hidden        bool      // also those that only their teams and staff see
	disabled      bool      // only those that were taken off the site
	words         []string  // that all occur in title, short description or owner's name
	sort          string    // a key of orders
	now           time.Time // for the order front_page
	descending    bool
	limit, offset int
}

// from is the tables and conditions of a list. It names a table only where it is needed, so that the index of the order
// gives the page without looking at the other one.
func (f filter) from() (from, where string, params map[string]any) {
	params = map[string]any{"language": f.language, "limit": f.limit, "offset": f.offset}
	var conditions []string
	add := func(condition, name string, value any) {
		conditions = append(conditions, condition)
		params[name] = value
	}
	if f.stage != nil {
		add("e.stage = @stage", "stage", *f.stage)
	}
	if f.flag != "" {
		conditions = append(conditions, flagged[f.flag])
	}
	if f.place != "" {
		// By the name that it was written with, or the one that the reader sees.
		add(`searchable(e.place) IN (SELECT searchable(@place) UNION ALL
			SELECT searchable(place) FROM place_names WHERE language = @language AND searchable(name) = searchable(@place))`, "place", f.place)
	}
	if f.teamMember != nil {
		add("e.id IN (SELECT experiment_id FROM experiment_team WHERE user_id = @member)", "member", *f.teamMember)
	}
	isOfListing := strings.HasPrefix(orders[f.sort], "l.") || len(f.words) > 0
	isOfExperiment := strings.HasPrefix(orders[f.sort], "e.") && f.sort != "id" || len(conditions) > 0 || f.disabled || !isOfListing
	conditions = append(conditions, keywords.Conditions("l.search", f.words, params)...)
	wanted := "listed" // each has an index of its own for every order
	if f.hidden {
		wanted = "standing"
	}
	switch {
	case f.disabled && isOfListing:
		from = "experiment_listings l JOIN experiments e ON e.id = l.experiment_id"
		conditions = append(conditions, "l.language = @language", "e.disabled")
	case f.disabled:
		from = "experiments e"
		conditions = append(conditions, "e.disabled")
	case isOfListing && isOfExperiment:
		from = "experiment_listings l JOIN experiments e ON e.id = l.experiment_id"
		conditions = append(conditions, "l.language = @language", "l."+wanted, "e."+wanted)
	case isOfListing:
		from = "experiment_listings l"
		conditions = append(conditions, "l.language = @language", "l."+wanted)
	default:
		from = "experiments e"
		conditions = append(conditions, "e."+wanted)
	}
	return from, strings.Join(conditions, " AND "), params
}

// list reads a page and how many there are in all: the page's ids first, by the index of the order, then their texts.
func list(ctx context.Context, db *gorm.DB, f filter) (rows []Row, total int, err error) {
	from, where, params := f.from()
	id, order, direction := "e.id", orders[f.sort], "ASC"
	if from == "experiment_listings l" {
		id = "l.experiment_id"
	}
	if f.sort == "id" {
		order = id
	}
	if f.descending {
		direction = "DESC"
	}
	count := "0"
	if len(f.words) > 0 { // what a keyword finds is looked through whole anyway
		count = "count(*) OVER ()"
	}
	page := `SELECT ` + id + ` AS id, ` + order + ` AS place_in_list, ` + count + ` AS total FROM ` + from + ` WHERE ` + where + `
			ORDER BY ` + order + ` ` + direction + `, ` + id + ` ` + direction + ` LIMIT @limit OFFSET @offset`
	counted := `SELECT count(*) FROM ` + from + ` WHERE ` + where
	if f.sort == "front_page" {
		page, counted = f.pickedFirst(params)
		direction = "ASC"
	}
	err = db.WithContext(ctx).Raw(`
		SELECT `+columns+`, p.total
		FROM (`+page+`) p
		JOIN experiments e ON e.id = p.id
		JOIN experiment_listings t ON t.experiment_id = p.id AND t.language = @language
		JOIN experiment_texts x ON x.experiment_id = p.id AND x.language = t.text_language
		JOIN LATERAL (SELECT user_id FROM experiment_team WHERE experiment_id = p.id ORDER BY position LIMIT 1) m ON true
		JOIN users u ON u.id = m.user_id
		ORDER BY p.place_in_list `+direction+`, p.id `+direction, params).Scan(&rows).Error
	if err != nil {
		return nil, 0, fmt.Errorf("list experiments: %w", err)
	}
	if len(rows) < f.limit && (len(rows) > 0 || f.offset == 0) {
		return rows, f.offset + len(rows), nil // on the last page the total is known without counting
	}
	if len(rows) > 0 && rows[0].Total > 0 {
		return rows, rows[0].Total, nil
	}
	var named []any // without named parameters in the SQL, GORM would take the map for a positional one
	if strings.Contains(counted, "@") {
		named = append(named, params)
	}
	if err := db.WithContext(ctx).Raw(counted, named...).Scan(&total).Error; err != nil {
		return nil, 0, fmt.Errorf("count experiments: %w", err)
	}
	return rows, total, nil
}

// ByIDs is the experiments of a list that everybody may see, in its order.
func ByIDs(ctx context.Context, db *gorm.DB, language string, ids []int64) ([]api.ExperimentPreview, error) {
	var rows []Row
	err := db.WithContext(ctx).Raw(`
		SELECT `+columns+`
		FROM experiments e
		JOIN experiment_listings t ON t.experiment_id = e.id AND t.language = @language
		JOIN experiment_texts x ON x.experiment_id = e.id AND x.language = t.text_language
		JOIN LATERAL (SELECT user_id FROM experiment_team WHERE experiment_id = e.id ORDER BY position LIMIT 1) m ON true
		JOIN users u ON u.id = m.user_id
		WHERE e.id IN @ids AND e.listed`, map[string]any{"language": language, "ids": ids}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read experiments by their ids: %w", err)
	}
	slices.SortFunc(rows, func(a, b Row) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	previews := make([]api.ExperimentPreview, len(rows))
	for i, row := range rows {
		if previews[i], err = row.preview(); err != nil {
			return nil, err
		}
	}
	return previews, nil
}

// pickedFirst is the page of a list that begins with what staff have chosen for the home page, whatever its flags, then
// the liveliest; and the statement that counts the list.
func (f filter) pickedFirst(params map[string]any) (page, counted string) {
	params["now"], params["end"] = f.now, f.offset+f.limit
	from, where, _ := f.from()
	const isPicked = `SELECT p.experiment_id FROM front_page_picks p WHERE p.experiment_id IS NOT NULL AND ` + frontpage.Shown
	others := from + ` WHERE ` + where + ` AND e.id NOT IN (` + isPicked + `)`
	f.flag = ""
	from, where, _ = f.from()
	picked := `front_page_picks p CROSS JOIN LATERAL (
				SELECT e.id FROM ` + from + ` WHERE ` + where + ` AND e.id = p.experiment_id LIMIT 1) e
			WHERE ` + frontpage.Shown
	return `SELECT id, place_in_list, total FROM (
			SELECT e.id, p.position - 1000 AS place_in_list, 0 AS total FROM ` + picked + `
			UNION ALL (SELECT e.id, e.activity, 0 FROM ` + others + ` ORDER BY e.activity, e.id LIMIT @end)) list
		ORDER BY place_in_list, id LIMIT @limit OFFSET @offset`,
		`SELECT (SELECT count(*) FROM ` + picked + `) + (SELECT count(*) FROM ` + others + `)`
}

// ErrUnknown is an experiment that is not there, or not for this reader.
var ErrUnknown = apperr.New(apperr.NotFound)
