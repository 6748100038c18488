package variations

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ratelimit"
)

const (
	// visitsAMinute and visitsADay are how many visits count from one network, which many people may share. Visitors are
	// made up easily: without the second, one address could fill mostVisitors in twelve days. A backer whose visit did not
	// count is not among those who paid either, so that rates stay true.
	visitsAMinute, visitsADay = 60, 1000
	// mostVisitors of a campaign are counted; it bounds what a storm from many networks can fill.
	mostVisitors = 1_000_000
	// VisitRoute is the route of visits, as Echo names it.
	VisitRoute = "/campaigns/:campaign_id/visits"
)

// Rules are the limits of visits by address.
func Rules() ratelimit.Rules {
	return ratelimit.Rules{"POST " + VisitRoute: {
		{Name: "visit", Limit: ratelimit.Per(visitsAMinute, time.Minute)},
		{Name: "visit_day", Limit: ratelimit.Per(visitsADay, 24*time.Hour)}}}
}

// chosenSQL is what visitor @visitor of campaign @campaign sees: of the variations that are shown and the campaign's
// own (0), the one whose hash is greatest. So a variation that stops sends its visitors to the others, and nobody else
// moves.
const chosenSQL = `
	SELECT v.id FROM (
		SELECT 0::bigint AS id
		UNION ALL SELECT id FROM content_variations WHERE campaign_id = @campaign AND stopped_at IS NULL) v
	ORDER BY substr(sha256(convert_to(@visitor || ':' || CAST(@campaign AS bigint) || ':' || v.id, 'UTF8')), 1, 4) DESC,
		v.id LIMIT 1`

// visitSQL counts a visitor who has not been counted; repeats change nothing. A draft has no visitors.
const visitSQL = `
	WITH seen AS (
		INSERT INTO campaign_visits (campaign_id, visitor, source, variation, round, at)
		SELECT id, @hashed, @source, (` + chosenSQL + `),
		       coalesce((SELECT max(id) FROM content_variations WHERE campaign_id = @campaign), 0), @now
		FROM campaigns WHERE id = @campaign AND stage <> 0
		  AND coalesce((SELECT sum(visitors) FROM campaign_visit_counts WHERE campaign_id = @campaign), 0) < @most
		ON CONFLICT DO NOTHING RETURNING campaign_id, round, variation),
	counted AS (
		INSERT INTO campaign_visit_counts (campaign_id, round, variation, visitors)
		SELECT campaign_id, round, variation, 1 FROM seen
		ON CONFLICT (campaign_id, round, variation) DO UPDATE SET visitors = campaign_visit_counts.visitors + 1)
	SELECT EXISTS (SELECT FROM campaigns WHERE id = @campaign AND stage <> 0)`

// Visit counts a visitor of a campaign's page, once, in one statement. Source is where they came from, empty when it is
// not known. Error: NotFound, also for drafts.
func Visit(ctx context.Context, db *gorm.DB, hasher VisitorHasher, campaignID int64, visitor, source string, now time.Time) error {
	public := false
	err := dbx.Retry(ctx, func() error {
		return db.WithContext(ctx).Raw(visitSQL, map[string]any{"campaign": campaignID, "visitor": visitor,
			"hashed": hasher.Hash(visitor, campaignID),
			"source": source, "now": now, "most": mostVisitors}).Scan(&public).Error
	})
	if err != nil {
		return fmt.Errorf("count a visit of campaign %d: %w", campaignID, err)
	}
	if !public {
		return apperr.New(apperr.NotFound)
	}
	return nil
}
