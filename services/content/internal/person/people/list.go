package people

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/discovery/keywords"
)

const (
	// exactTotal is the largest total that is counted exactly.
	exactTotal = 1000
	// countedOfTag is how many people of a tag are counted to tell which tags are common.
	countedOfTag = 20
	// commonTags is how many tags userTags has.
	commonTags = 12
)

// filter says which people are wanted.
type filter struct {
	language      string
	keyword       string
	ids, tags     []int64
	isNewestFirst bool
	limit, offset int
}

// preview is a person as the index shows them.
type preview struct {
	ID                         int64
	FirstName, LastName        string
	ShortDescription, Language string
	Image                      string
	ProfileVerified            bool
	Links, Tags                json.RawMessage
	Campaigns, Experiments     int
}

// list is a page of the people who are listed, and how many there are in all, at most exactTotal or just past the page.
// The indexes users_listed_by_name and users_listed_newest give the orders, users_listed_search and user_tags_tag the
// filters.
func list(ctx context.Context, db *gorm.DB, f filter) (rows []preview, total int, err error) {
	conditions, params := []string{"listed"}, pgx.NamedArgs{"language": f.language, "limit": f.limit, "offset": f.offset}
	conditions = append(conditions, keywords.Conditions("search", keywords.Words(f.keyword), params)...)
	if len(f.ids) > 0 {
		conditions, params["ids"] = append(conditions, "id = ANY(@ids)"), f.ids
	}
	if len(f.tags) > 0 {
		conditions = append(conditions, "id IN (SELECT user_id FROM user_tags WHERE tag_id = ANY(@tags))")
		params["tags"] = f.tags
	}
	where, order := strings.Join(conditions, " AND "), "name_order, id"
	if f.isNewestFirst {
		order = "id DESC"
	}
	rows, err = dbx.Select[preview](ctx, db, `
		SELECT u.id, u.first_name, u.last_name, u.short_description, u.language, u.image, u.profile_verified, u.links,
		       `+tagsOfUser+` AS tags, `+publicCampaigns+` AS campaigns, `+publicExperiments+` AS experiments
		FROM (SELECT id, name_order, first_name, last_name, short_description, language, image, profile_verified, links
			FROM users WHERE `+where+` ORDER BY `+order+` LIMIT @limit OFFSET @offset) u
		ORDER BY u.`+order, params)
	if err != nil {
		return nil, 0, fmt.Errorf("list people: %w", err)
	}
	total, err = totalOf(ctx, db, `SELECT FROM users WHERE `+where, params, len(rows))
	return rows, total, err
}

// ByIDs is the people of a list, in its order, whom the search may show: who is listed, or has created a public campaign.
func ByIDs(ctx context.Context, db *gorm.DB, language string, ids []int64) ([]api.UserPreview, error) {
	rows, err := dbx.Select[preview](ctx, db, `
		SELECT u.id, u.first_name, u.last_name, u.short_description, u.language, u.image, u.profile_verified, u.links,
		       `+tagsOfUser+` AS tags, `+publicCampaigns+` AS campaigns, `+publicExperiments+` AS experiments
		FROM unnest(CAST(@ids AS bigint[])) WITH ORDINALITY AS wanted (id, n)
		JOIN users u ON u.id = wanted.id
		WHERE u.erased_at IS NULL AND u.blocked_at IS NULL AND (u.listed OR `+publicCampaigns+` > 0)
		ORDER BY wanted.n`, pgx.NamedArgs{"language": language, "ids": ids})
	if err != nil {
		return nil, fmt.Errorf("read people by their ids: %w", err)
	}
	previews := make([]api.UserPreview, len(rows))
	for i, row := range rows {
		if previews[i], err = row.answer(); err != nil {
			return nil, err
		}
	}
	return previews, nil
}

// Parts of statements about a person u.
const (
	tagsOfUser = `(SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.tag_id, 'label', n.label) ORDER BY n.label, g.tag_id), '[]')
		FROM user_tags g JOIN LATERAL (
			SELECT label FROM tag_texts n WHERE n.tag_id = g.tag_id
			ORDER BY n.language = @language DESC, n.language LIMIT 1) n ON true
		WHERE g.user_id = u.id)`
	// isShownCampaign and isShownExperiment are what a person's page has.
	isShownCampaign   = `c.stage NOT IN (0, 5)`
	isShownExperiment = `e.listed`
	publicCampaigns   = `(SELECT count(*) FROM campaign_team m JOIN campaigns c ON c.id = m.campaign_id
		WHERE m.user_id = u.id AND ` + isShownCampaign + `)`
	publicExperiments = `(SELECT count(*) FROM experiment_team m JOIN experiments e ON e.id = m.experiment_id
		WHERE m.user_id = u.id AND ` + isShownExperiment + `)`
)

// totalOf counts the rows of a list of which a page has been read: at most exactTotal, or just past the page when that
// is further.
func totalOf(ctx context.Context, db *gorm.DB, rows string, params pgx.NamedArgs, read int) (int, error) {
	limit, offset := params["limit"].(int), params["offset"].(int)
	if read < limit && (read > 0 || offset == 0) {
		return offset + read, nil // the last page
	}
	params["most"] = max(exactTotal, offset+limit) + 1
	type counted struct{ Total int }
	totals, err := dbx.Select[counted](ctx, db, `SELECT count(*) AS total FROM (`+rows+` LIMIT @most) counted`, params)
	if err != nil || len(totals) == 0 {
		return 0, fmt.Errorf("count people: %w", err)
	}
	return totals[0].Total, nil
}

// told is a total as answers tell it, and whether it is less than there are.
func told(total, limit, offset int) (int, *bool) {
	if most := max(exactTotal, offset+limit); total > most {
		more := true
		return most, &more
	}
	return total, nil
}

// tag is a tag with its label in the reader's language.
type tag struct {
	ID    int64
	Label string
}

// tagsInUse is the tags that listed people have, the most common first. Of each some people are counted, so that it
// costs the same whatever number there is.
func tagsInUse(ctx context.Context, db *gorm.DB, language string) ([]tag, error) {
	tags, err := dbx.Select[tag](ctx, db, `
		SELECT t.id, x.label
		FROM tags t
		CROSS JOIN LATERAL (
			SELECT count(*) AS people FROM (
				SELECT FROM user_tags g JOIN users u ON u.id = g.user_id WHERE g.tag_id = t.id AND u.listed
				LIMIT @counted) counted) used
		JOIN LATERAL (SELECT label FROM tag_texts x WHERE x.tag_id = t.id
			ORDER BY x.language = @language DESC, x.language LIMIT 1) x ON true
		WHERE used.people > 0 ORDER BY used.people DESC, x.label, t.id LIMIT @limit`,
		pgx.NamedArgs{"language": language, "counted": countedOfTag, "limit": commonTags})
	if err != nil {
		return nil, fmt.Errorf("list people's tags: %w", err)
	}
	return tags, nil
}
