package variations

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
)

const (
	// enough is how many payments an experiment needs before it shows rates: with fewer, chance looks like a result.
	enough = 100
	// sure is the probability of being the best from which a result is conclusive.
	sure = 0.95
)

// Experiment is the variations of a campaign that are shown, with what they have brought.
type Experiment struct {
	Field     string // title, tagline, project_pic
	Language  string // of a text, empty for a picture
	StartedAt time.Time
	Results   []Result // the campaign's own first
}

// Result is one variation and what it has brought since the experiment's start.
type Result struct {
	Variation int64 // 0 is the campaign's own
	Letter    string
	Value     string
	Arm
	// Best is the probability that it is the best one; 0 while the experiment has Missing payments.
	Best float64
}

// Visitors is how many have been counted since the start.
func (e *Experiment) Visitors() (n int) {
	for _, r := range e.Results {
		n += r.Visitors
	}
	return n
}

// Paid is how many of them have paid.
func (e *Experiment) Paid() (n int) {
	for _, r := range e.Results {
		n += r.Paid
	}
	return n
}

// Missing is how many payments are missing before shares and probabilities are shown.
func (e *Experiment) Missing() int { return max(0, enough-e.Paid()) }

// Conclusive reports whether one is the best with 95 % or more.
func (e *Experiment) Conclusive() bool {
	return slices.ContainsFunc(e.Results, func(r Result) bool { return r.Best >= sure })
}

// row is a row of content_variations.
type row struct {
	ID, CampaignID                 int64
	Field, Language, Value, Letter string
	CreatedAt                      time.Time
	StoppedAt                      *time.Time
}

// TableName is GORM's.
func (row) TableName() string { return "content_variations" }

// shown reads the variations that are shown, in the order in which they were added.
func shown(ctx context.Context, tx *gorm.DB, campaignID int64) (rows []row, err error) {
	err = tx.WithContext(ctx).Where("campaign_id = ? AND stopped_at IS NULL", campaignID).Order("id").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read variations of campaign %d: %w", campaignID, err)
	}
	return rows, nil
}

// Read is a campaign's experiment as it stands, nil when there is none. It takes a transaction too. The caller has
// checked who may see it.
func Read(ctx context.Context, db *gorm.DB, campaignID int64) (*Experiment, error) {
	rows, err := shown(ctx, db, campaignID)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	e := &Experiment{Field: rows[0].Field, Language: rows[0].Language}
	own, _, err := campaigns.Content(ctx, db, campaignID, e.Field, e.Language)
	if err != nil {
		return nil, err
	}
	e.Results = []Result{{Letter: "A", Value: own}}
	for _, r := range rows {
		e.Results = append(e.Results, Result{Variation: r.ID, Letter: r.Letter, Value: r.Value})
	}
	if err := e.count(ctx, db, campaignID); err != nil {
		return nil, err
	}
	if e.Missing() == 0 {
		arms := make([]Arm, len(e.Results))
		for i, r := range e.Results {
			arms[i] = r.Arm
		}
		for i, p := range Best(arms) {
			e.Results[i].Best = p
		}
	}
	return e, nil
}

// count fills in what each variation has brought since the newest one was added. Visitors who saw the page before that
// are not counted: they have seen something else. The backers come along the index pledges_backers.
func (e *Experiment) count(ctx context.Context, db *gorm.DB, campaignID int64) error {
	var newest struct {
		ID        int64
		CreatedAt time.Time
	}
	err := db.WithContext(ctx).Raw(`SELECT id, created_at FROM content_variations WHERE campaign_id = ? ORDER BY id DESC LIMIT 1`, campaignID).Scan(&newest).Error
	if err != nil {
		return fmt.Errorf("read the start of the experiment of campaign %d: %w", campaignID, err)
	}
	e.StartedAt = newest.CreatedAt
	var counts []struct {
		Variation      int64
		Visitors, Paid int
	}
	err = db.WithContext(ctx).Raw(`
		SELECT n.variation, n.visitors, coalesce(b.paid, 0) AS paid
		FROM campaign_visit_counts n
		LEFT JOIN (
			SELECT v.variation, count(DISTINCT p.visitor) AS paid
			FROM pledges p JOIN campaign_visits v ON v.campaign_id = p.campaign_id AND v.visitor = p.visitor AND v.round = @round
			WHERE p.campaign_id = @campaign AND p.paid_at >= @start AND p.status IN ('paid', 'partly_refunded', 'disputed')
			GROUP BY v.variation) b ON b.variation = n.variation
		WHERE n.campaign_id = @campaign AND n.round = @round`,
		map[string]any{"campaign": campaignID, "round": newest.ID, "start": newest.CreatedAt}).Scan(&counts).Error
	if err != nil {
		return fmt.Errorf("count the experiment of campaign %d: %w", campaignID, err)
	}
	for _, n := range counts {
		for i := range e.Results {
			if e.Results[i].Variation == n.Variation {
				e.Results[i].Arm = Arm{Visitors: n.Visitors, Paid: n.Paid}
			}
		}
	}
	return nil
}
