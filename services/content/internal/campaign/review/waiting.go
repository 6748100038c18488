package review

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
)

// waiting is a page of the campaigns that wait for a review, longest waiting first. The partial index
// campaigns_in_review has only those, so there is nothing else to read.
func waiting(ctx context.Context, db *gorm.DB, language string, reader int64, limit, offset int, zone *time.Location) (
	answer api.ReviewsAnswer, err error) {
	db = db.WithContext(ctx)
	if err := db.Raw(`SELECT count(*) FROM campaigns WHERE review = 'requested'`).Scan(&answer.Total).Error; err != nil {
		return answer, fmt.Errorf("count campaigns in review: %w", err)
	}
	var rows []struct {
		Preview []byte
		AskedAt time.Time
		AskedBy string
		Round   int
		Barred  api.ReviewBarred
	}
	err = db.Raw(`
		SELECT v.preview, e.at AS asked_at, concat_ws(' ', u.first_name, u.last_name) AS asked_by, e.round,
		       `+whyBarred+` AS barred
		FROM campaigns c
		CROSS JOIN LATERAL (
			SELECT at, round, user_id FROM review_events WHERE campaign_id = c.id AND event IN ('requested', 'changed') ORDER BY id DESC LIMIT 1) e
		JOIN users u ON u.id = e.user_id
		JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = @language
		WHERE c.review = 'requested'
		ORDER BY e.at, c.id LIMIT @limit OFFSET @offset`,
		map[string]any{"language": language, "user": reader, "limit": limit, "offset": offset}).Scan(&rows).Error
	if err != nil {
		return answer, fmt.Errorf("list campaigns in review: %w", err)
	}
	answer.Reviews = make([]api.CampaignInReview, len(rows))
	for i, row := range rows {
		f := facts{AskedAt: &row.AskedAt}
		at, by, err := f.asked(zone)
		if err != nil {
			return answer, err
		}
		r := api.CampaignInReview{AskedAt: *at, AskedBy: row.AskedBy, AnswerBy: *by, Round: row.Round}
		if row.Barred != "" {
			r.Barred = &row.Barred
		}
		if err := json.Unmarshal(row.Preview, &r.Campaign); err != nil {
			return answer, fmt.Errorf("read the preview of a campaign in review: %w", err)
		}
		answer.Reviews[i] = r
	}
	answer.Changed, err = changed(ctx, db, language)
	return answer, err
}

// mostChanged is how many campaigns with changes that nobody has seen are listed.
const mostChanged = 100

// changed are the approved campaigns with changes that nobody has seen, the longest unseen first. The index
// reviewed_parts_changed has them.
func changed(ctx context.Context, db *gorm.DB, language string) ([]api.ChangedCampaign, error) {
	var rows []struct {
		Preview   []byte
		ChangedAt time.Time
	}
	err := db.Raw(`
		SELECT v.preview, r.changed_at FROM reviewed_parts r JOIN campaigns c ON c.id = r.campaign_id
		JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = @language
		WHERE r.changed_at IS NOT NULL AND c.review <> 'requested' ORDER BY r.changed_at, c.id LIMIT @most`,
		map[string]any{"language": language, "most": mostChanged}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list campaigns with changes: %w", err)
	}
	list := make([]api.ChangedCampaign, len(rows))
	for i, row := range rows {
		list[i].ChangedAt = row.ChangedAt.UTC()
		if err := json.Unmarshal(row.Preview, &list[i].Campaign); err != nil {
			return nil, fmt.Errorf("read the preview of a campaign with changes: %w", err)
		}
	}
	return list, nil
}
