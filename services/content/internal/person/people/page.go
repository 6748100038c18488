package people

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
)

const (
	shownOnPage = 24 // campaigns and experiments of a public page
	postsOnPage = 3
)

// publicPerson is what a public page says of its person.
type publicPerson struct {
	ID                                int64
	FirstName, LastName               string
	ShortDescription, LongDescription string
	Language, Image                   string
	ProfileVerified                   bool
	Skills                            []string
	Links, Tags                       json.RawMessage
	Campaigns, Experiments            int
	Backed                            *int // nil unless they show it
	CreatedAt                         time.Time
}

// readPublic reads what everybody may know of a person. A pledge without a name counts nowhere. Error: ErrUnknown for
// who has no public page, unless it is the reader.
func readPublic(ctx context.Context, db *gorm.DB, who session.Identity, userID int64, language string) (
	publicPerson, error) {
	rows, err := dbx.Select[publicPerson](ctx, db, `
		SELECT u.*, p.campaigns, p.experiments
		FROM (
			SELECT id, first_name, last_name, short_description, long_description, language, image, profile_verified, skills,
			       links, created_at, `+tagsOfUser+` AS tags,
			       CASE WHEN shows_backed THEN (SELECT count(*) FROM (
			           SELECT p.campaign_id FROM pledges p
			           WHERE p.user_id = u.id AND NOT p.anonymous AND p.status IN ('paid', 'partly_refunded', 'disputed')
			           UNION SELECT s.campaign_id FROM subscriptions s
			           WHERE s.user_id = u.id AND NOT s.anonymous AND s.begun_on IS NOT NULL) b) END AS backed
			FROM users u WHERE id = @id AND blocked_at IS NULL) u
		CROSS JOIN LATERAL (SELECT `+publicCampaigns+` AS campaigns, `+publicExperiments+` AS experiments) p
		WHERE p.campaigns + p.experiments > 0 OR u.id = @reader OR EXISTS (SELECT FROM users WHERE id = @id AND listed)`,
		pgx.NamedArgs{"id": userID, "reader": who.UserID, "language": language})
	if err != nil {
		return publicPerson{}, fmt.Errorf("read the public page of user %d: %w", userID, err)
	}
	if len(rows) == 0 {
		return publicPerson{}, ErrUnknown
	}
	return rows[0], nil
}

// campaignsOf are the previews of the public campaigns in whose teams a person is, open ones first, then the latest.
func campaignsOf(ctx context.Context, db *gorm.DB, userID int64, language string) ([]api.CampaignPreview, error) {
	type row struct{ Preview json.RawMessage }
	rows, err := dbx.Select[row](ctx, db, `
		SELECT v.preview
		FROM campaign_team m JOIN campaigns c ON c.id = m.campaign_id
		JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = @language
		WHERE m.user_id = @user AND `+isShownCampaign+`
		ORDER BY c.stage IN (2, 6) DESC, c.id DESC LIMIT @limit`,
		pgx.NamedArgs{"user": userID, "language": language, "limit": shownOnPage})
	if err != nil {
		return nil, fmt.Errorf("list campaigns of user %d: %w", userID, err)
	}
	previews := make([]api.CampaignPreview, len(rows))
	for i, r := range rows {
		if err := json.Unmarshal(r.Preview, &previews[i]); err != nil {
			return nil, fmt.Errorf("read a preview of user %d's campaigns: %w", userID, err)
		}
	}
	return previews, nil
}

// experimentsOf are the experiments in whose teams a person is, the latest first; with those that are not shown when it is their
// own list.
func experimentsOf(ctx context.Context, db *gorm.DB, userID int64, isOwn bool, language string) ([]api.ProfileExperiment, error) {
	rows, err := dbx.Select[api.ProfileExperiment](ctx, db, `
		SELECT e.id AS experiment_id, e.stage, e.slug, x.title, x.short_description, e.image, x.language,
		       m.position = 0 AS owner, CASE WHEN NOT e.listed THEN true END AS hidden
		FROM experiment_team m JOIN experiments e ON e.id = m.experiment_id
		JOIN LATERAL (
			SELECT title, short_description, language FROM experiment_texts x WHERE x.experiment_id = e.id
			ORDER BY x.title = '', x.language = @language DESC, x.language = e.language DESC, x.language LIMIT 1) x ON true
		WHERE m.user_id = @user AND (`+isShownExperiment+` OR @own AND e.standing)
		ORDER BY e.id DESC LIMIT @limit`,
		pgx.NamedArgs{"user": userID, "own": isOwn, "language": language, "limit": shownOnPage})
	if err != nil {
		return nil, fmt.Errorf("list experiments of user %d: %w", userID, err)
	}
	return rows, nil
}

// postsOf are the latest published posts of the public campaigns in whose teams a person is. The index posts_campaign
// gives each campaign's latest.
func postsOf(ctx context.Context, db *gorm.DB, userID int64, language string) ([]api.ProfilePost, error) {
	rows, err := dbx.Select[api.ProfilePost](ctx, db, `
		SELECT p.id, c.id AS campaign_id, c.slug, x.title, coalesce(v.preview ->> 'title', '') AS campaign_title, x.language, p.level,
		       p.published_at
		FROM campaign_team m JOIN campaigns c ON c.id = m.campaign_id
		JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = @language
		CROSS JOIN LATERAL (
			SELECT id, level, language, published_at FROM posts p WHERE p.campaign_id = c.id AND p.status = 'published'
			ORDER BY p.published_at DESC, p.id DESC LIMIT @limit) p
		JOIN LATERAL (
			SELECT title, language FROM post_texts x WHERE x.post_id = p.id
			ORDER BY x.title = '' OR x.html = '', x.language = @language DESC, x.language = p.language DESC, x.language
			LIMIT 1) x ON true
		WHERE m.user_id = @user AND `+isShownCampaign+`
		ORDER BY p.published_at DESC, p.id DESC LIMIT @limit`,
		pgx.NamedArgs{"user": userID, "language": language, "limit": postsOnPage})
	if err != nil {
		return nil, fmt.Errorf("list posts of user %d's campaigns: %w", userID, err)
	}
	return rows, nil
}
