package variations

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ratelimit"
)

const (
	// visitsAMinute is how many visits a network makes, counted or not: each asks the database.
	visitsAMinute = 60
	// visitorsAtOnce and visitorsADay are how many visitors of a campaign count from one network, such as a household or a school. Visitors
	// are made up easily, and a creator's figures are few. A backer whose visit did not count is not among those who paid either, so
	// that rates stay true.
	visitorsAtOnce, visitorsADay = 30, 60
	// mostVisitors of a campaign are counted; it bounds what a storm from many networks can fill.
	mostVisitors = 1_000_000
	// VisitRoute is the route of visits, as Echo names it.
	VisitRoute = "/campaigns/:campaign_id/visits"
	// homeNetwork is the prefix length of what a home gets of IPv6, which has 256 of the networks that ratelimit.Address tells apart.
	homeNetwork = 56
)

// Rules are the limits of visits by address.
func Rules() ratelimit.Rules {
	return ratelimit.Rules{"POST " + VisitRoute: {{Name: "visit", Limit: ratelimit.Per(visitsAMinute, time.Minute)}}}
}

// bound is how many visitors of each campaign count from a network. Each process counts alone, in memory: no address is stored.
type bound struct{ limiter *ratelimit.Limiter }

// hasRoom counts a visitor of a campaign, if one more from that address counts.
func (b bound) hasRoom(ctx context.Context, campaignID int64, ip string) bool {
	limit := ratelimit.Limit{Rate: visitorsADay, Period: 24 * time.Hour, Burst: visitorsAtOnce}
	return b.limiter.Allow(ctx, "visitors", fmt.Sprintf("%d %s", campaignID, home(ip)), limit).Allowed
}

// home is the network of a household, or an IPv4 address.
func home(ip string) string {
	address, err := netip.ParseAddr(ip)
	if err != nil || address.Unmap().Is4() {
		return ratelimit.Address(ip)
	}
	network, err := address.WithZone("").Prefix(homeNetwork)
	if err != nil {
		return ratelimit.Address(ip)
	}
	return network.String()
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
		ON CONFLICT DO NOTHING RETURNING campaign_id, round, variation)
	INSERT INTO campaign_visit_counts (campaign_id, round, variation, visitors)
	SELECT campaign_id, round, variation, 1 FROM seen
	ON CONFLICT (campaign_id, round, variation) DO UPDATE SET visitors = campaign_visit_counts.visitors + 1`

// lookSQL is whether a campaign has visitors, and whether this one was counted.
const lookSQL = `
	SELECT stage <> 0 AS public, EXISTS (SELECT FROM campaign_visits WHERE campaign_id = c.id AND visitor = @hashed) AS seen
	FROM campaigns c WHERE id = @campaign`

// visit is somebody who looks at a campaign's page.
type visit struct {
	campaignID      int64
	visitor, source string // what their browser has made up, and where they came from, empty when it is not known
	ip              string
	hasher          VisitorHasher
	now             time.Time
}

// count counts a visitor, once, if their network has room. Error: NotFound, also for drafts.
func (v visit) count(ctx context.Context, db *gorm.DB, b bound) error {
	params := map[string]any{"campaign": v.campaignID, "visitor": v.visitor, "hashed": v.hasher.Hash(v.visitor, v.campaignID),
		"source": v.source, "now": v.now, "most": mostVisitors}
	var found struct{ Public, Seen bool }
	if err := db.WithContext(ctx).Raw(lookSQL, params).Scan(&found).Error; err != nil {
		return fmt.Errorf("look for a visitor of campaign %d: %w", v.campaignID, err)
	}
	switch {
	case !found.Public:
		return apperr.New(apperr.NotFound)
	case found.Seen || !b.hasRoom(ctx, v.campaignID, v.ip):
		return nil
	}
	err := dbx.Retry(ctx, func() error { return db.WithContext(ctx).Exec(visitSQL, params).Error })
	if err != nil {
		return fmt.Errorf("count a visit of campaign %d: %w", v.campaignID, err)
	}
	return nil
}
