package campaigns

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/discovery/keywords"
)

// tableRow is a campaign in the staff's table, with the money that it may hide from others.
type tableRow struct {
	ID, Version                    int64
	Slug, Title, Language, Creator string
	Stage                          Stage
	Hold                           HoldKind
	Payout                         *api.StoppedPayout // of a stopped one of which money is its creator's
	Review                         ReviewState
	Currency                       string
	RaisedMinor, GoalMinor         money.Decimal
	FundingDeadline                *time.Time
}

// tableFilter says which campaigns of the table are wanted, in which order.
type tableFilter struct {
	language      string
	stages        []int64  // none for all, each once
	words         []string // that all occur in title, creator's name or id
	sort          string   // a key of tableOrders
	isAscending   bool
	limit, offset int
}

// tableOrders are the columns that the table is sorted by: of campaign_staff_listings (s) or of campaign_listings (l),
// each with an index that begins with language or tag and category, and the stage. Raised is what the creator shows: of
// hidden money it is 0.
var tableOrders = map[string]string{
	"":         "s.campaign_id",
	"id":       "s.campaign_id",
	"title":    "s.title_order",
	"creator":  "s.creator_order",
	"raised":   "l.funding_reached_minor",
	"deadline": "l.funding_deadline",
}

// from is the tables of the list, and what they have to meet. A table that neither the order nor a keyword needs is left
// out, so that the index of the order gives the page.
func (f tableFilter) from(params pgx.NamedArgs) (from, id string, conditions []string) {
	const staff, listing = "campaign_staff_listings s", "campaign_listings l"
	isByListing := strings.HasPrefix(tableOrders[f.sort], "l.")
	switch {
	case isByListing && len(f.words) > 0:
		from, id = staff+" JOIN "+listing+" ON l.campaign_id = s.campaign_id", "s.campaign_id"
	case isByListing:
		from, id = listing, "l.campaign_id"
	default:
		from, id = staff, "s.campaign_id"
	}
	if strings.Contains(from, staff) {
		conditions = append(conditions, "s.language = @language")
		params["language"] = f.language
	}
	if isByListing {
		conditions = append(conditions, "l.tag_id = 0", "l.category_id = 0")
	}
	return from, id, append(conditions, keywords.Conditions("s.search", f.words, params)...)
}

// table is a page of campaigns of all stages, and how many there are of each: two statements.
func table(ctx context.Context, db *gorm.DB, f tableFilter) (rows []tableRow, stages [7]int, err error) {
	if stages, err = f.count(ctx, db); err != nil {
		return nil, stages, err
	}
	params := pgx.NamedArgs{"language": f.language, "limit": f.limit, "offset": f.offset}
	params["stages"] = f.stages
	if len(f.stages) == 0 {
		params["stages"] = []int64{0, 1, 2, 3, 4, 5, 6}
	}
	from, id, conditions := f.from(params)
	if id[0] == 'l' { // where campaigns on hold have stages of their own
		for _, stage := range slices.Clone(params["stages"].([]int64)) { //nolint:forcetypeassert // set above
			params["stages"] = append(params["stages"].([]int64), stage+heldStages) //nolint:forcetypeassert // set above
		}
	}
	direction := "DESC"
	if f.isAscending {
		direction = "ASC"
	}
	order := fmt.Sprintf("k %[1]s NULLS LAST, id %[1]s", direction)
	found := fmt.Sprintf(`SELECT %s AS id, %s AS k FROM %s WHERE %s AND %s.stage = `,
		id, tableOrders[f.sort], from, strings.Join(conditions, " AND "), id[:1])
	if len(f.words) > 0 { // what a keyword finds is looked through once
		found += `ANY (CAST(@stages AS bigint[]))`
	} else { // each stage in the order of its index
		found = `SELECT found.id, found.k FROM unnest((SELECT CAST(@stages AS bigint[]))) AS wanted (stage) CROSS JOIN LATERAL (
				` + found + `wanted.stage ORDER BY ` + order + ` LIMIT @end) found`
		params["end"] = f.offset + f.limit
	}
	rows, err = dbx.Select[tableRow](ctx, db, fmt.Sprintf(`
		SELECT c.id, c.version, c.slug, coalesce(v.preview->>'title', '') AS title, coalesce(v.preview->>'language', '') AS language,
		       coalesce(v.preview->'creator'->>'name', '') AS creator, c.stage, c.hold, c.review, c.currency,
		       CASE WHEN c.hold = 'stopped' AND `+paysCreator+` THEN (SELECT CASE WHEN h.pays_out THEN 'goes' ELSE 'waits' END
		           FROM campaign_holds h WHERE (h.campaign_id, h.number) = (c.id, c.hold_number)) END AS payout,
		       t.funding_reached_minor AS raised_minor, c.target_goal_minor AS goal_minor, c.funding_deadline
		FROM (%s ORDER BY %[2]s LIMIT @limit OFFSET @offset) page
		CROSS JOIN LATERAL (SELECT id, version, slug, stage, hold, hold_number, review, currency, target_goal_minor, funding_deadline FROM campaigns WHERE id = page.id LIMIT 1) c
		CROSS JOIN LATERAL (SELECT funding_reached_minor FROM campaign_totals WHERE campaign_id = page.id LIMIT 1) t
		CROSS JOIN LATERAL (SELECT preview FROM campaign_previews WHERE campaign_id = page.id AND language = @language LIMIT 1) v
		ORDER BY page.k %[3]s NULLS LAST, page.id %[3]s`, found, order, direction), params)
	if err != nil {
		return nil, stages, fmt.Errorf("list campaigns for staff: %w", err)
	}
	return rows, stages, nil
}

// count is how many campaigns the keyword finds in each stage.
func (f tableFilter) count(ctx context.Context, db *gorm.DB) (stages [7]int, err error) {
	type counted struct {
		Stage Stage
		Total int
	}
	params := pgx.NamedArgs{"language": f.language}
	conditions := append([]string{"s.language = @language"}, keywords.Conditions("s.search", f.words, params)...)
	rows, err := dbx.Select[counted](ctx, db, `
		SELECT s.stage, count(*) AS total FROM campaign_staff_listings s WHERE `+strings.Join(conditions, " AND ")+` GROUP BY s.stage`, params)
	if err != nil {
		return stages, fmt.Errorf("count campaigns for staff: %w", err)
	}
	for _, row := range rows {
		stages[row.Stage] = row.Total
	}
	return stages, nil
}
