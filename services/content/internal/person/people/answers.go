package people

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/mail/undeliverable"
	"talkoot.fi/content/internal/person/profiles"
)

// own is a person's profile as they alone see it.
func own(ctx context.Context, db *gorm.DB, r record, language string) (p api.Profile, err error) {
	p = api.Profile{UserID: r.ID, FirstName: r.FirstName, LastName: r.LastName, Email: r.Email,
		ShortDescription: r.ShortDescription, LongDescription: r.LongDescription, Scope: api.ACL(r.Scope), Skills: r.Skills,
		Links: shownLinks(r.Links), ImageCollection: imagesOf(r.Image, r.ID), JoinedAt: r.CreatedAt.UTC(), Version: r.Version}
	p.Meta.Phone = r.Phone
	p.Settings = api.ProfileSettings{Verified: r.ProfileVerified, EmailConfirmed: r.Verified, Language: r.Language,
		Mail: api.MailSettings{Letters: r.WantsLetters}, ShowBacked: r.ShowsBacked}
	type counted struct {
		Tags                           json.RawMessage
		Subscription, Mangopay, Stripe int
		RefusedAt                      *time.Time
	}
	// Where money is paid out through is said by a campaign's payment account; without one it will be Stripe.
	rows, err := dbx.Select[counted](ctx, db, `
		SELECT `+tagsOfUser+` AS tags, count(c.id) FILTER (WHERE c.opens_as = 6) AS subscription,
		       count(c.id) FILTER (WHERE c.payment_user_id <> '') AS mangopay,
		       count(c.id) FILTER (WHERE c.payment_user_id = '') AS stripe, `+undeliverable.RefusedAtSQL+` AS refused_at
		FROM users u LEFT JOIN campaign_team m ON m.user_id = u.id AND m.position = 0
		LEFT JOIN campaigns c ON c.id = m.campaign_id
		WHERE u.id = @id GROUP BY u.id`, pgx.NamedArgs{"id": r.ID, "language": language})
	if err != nil {
		return p, fmt.Errorf("count campaigns of user %d: %w", r.ID, err)
	}
	if len(rows) > 0 {
		p.SubscriptionCreated, p.MangopayCreated, p.StripeCreated = rows[0].Subscription, rows[0].Mangopay, rows[0].Stripe
		p.Settings.EmailRefusedAt = utc(rows[0].RefusedAt)
		if p.Tags, err = tagsIn(rows[0].Tags); err != nil {
			return p, err
		}
	}
	p.Experiments, err = experimentsOf(ctx, db, r.ID, true, language)
	return p, err
}

func utc(at *time.Time) *time.Time {
	if at != nil {
		at = new(at.UTC())
	}
	return at
}

// answer is a public page; its lists are the caller's to fill.
func (p publicPerson) answer() (api.PublicProfile, error) {
	a := api.PublicProfile{UserID: p.ID, FirstName: p.FirstName, LastName: p.LastName,
		ShortDescription: p.ShortDescription, LongDescription: p.LongDescription, Language: p.Language, Skills: p.Skills,
		ImageCollection: imagesOf(p.Image, p.ID), JoinedAt: p.CreatedAt.UTC(),
		Counts: api.ProfileCounts{Campaigns: p.Campaigns, Experiments: p.Experiments, Backed: p.Backed}}
	a.Settings.Verified = p.ProfileVerified
	var err error
	if a.Links, err = linksIn(p.Links); err == nil {
		a.Tags, err = tagsIn(p.Tags)
	}
	return a, err
}

// answer is a person as the index shows them.
func (p preview) answer() (api.UserPreview, error) {
	images := imagesOf(p.Image, p.ID).Profile
	a := api.UserPreview{UserID: p.ID, FirstName: p.FirstName, LastName: p.LastName, ShortDescription: p.ShortDescription,
		Language: p.Language, Image: images.URL, ImageFilename: images.Filename, Verified: p.ProfileVerified,
		Counts: api.ProfileCounts{Campaigns: p.Campaigns, Experiments: p.Experiments}}
	var err error
	if a.Links, err = linksIn(p.Links); err == nil {
		a.Tags, err = tagsIn(p.Tags)
	}
	return a, err
}

func imagesOf(image string, userID int64) (i api.ProfileImages) {
	i.Profile.Filename = profiles.Image(image, userID)
	i.Profile.URL = "/media/{width}x{height}/" + i.Profile.Filename
	return i
}

func tagsIn(stored json.RawMessage) (tags []api.Tag, err error) {
	if err := json.Unmarshal(stored, &tags); err != nil {
		return nil, fmt.Errorf("decode a person's tags: %w", err)
	}
	return tags, nil
}

func linksIn(stored json.RawMessage) ([]api.Link, error) {
	var list []profiles.Link
	if err := json.Unmarshal(stored, &list); err != nil {
		return nil, fmt.Errorf("decode a person's links: %w", err)
	}
	return shownLinks(list), nil
}
