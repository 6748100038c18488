package review

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
)

// whyBarred says in SQL why @user cannot decide about the review of the campaign c: they are in its team, or have been,
// because staff can take themselves out of any team (the audit log has the team before each change); or they asked for
// the last review, or changed what was approved. Empty when they can.
const whyBarred = `
	CASE
		WHEN EXISTS (SELECT FROM campaign_team WHERE campaign_id = c.id AND user_id = @user)
		  OR EXISTS (SELECT FROM audit_log WHERE campaign_id = c.id AND entity = 'campaign'
			AND before -> 'team' @> to_jsonb(CAST(@user AS bigint))) THEN 'team'
		WHEN @user = (SELECT user_id FROM review_events WHERE campaign_id = c.id AND event IN ('requested', 'changed')
			ORDER BY id DESC LIMIT 1) THEN 'asker'
		ELSE '' END`

// barred is whyBarred of one campaign.
func barred(ctx context.Context, db *gorm.DB, campaignID, userID int64) (why api.ReviewBarred, err error) {
	err = db.WithContext(ctx).Raw(`SELECT `+whyBarred+` FROM campaigns c WHERE c.id = @campaign`,
		map[string]any{"campaign": campaignID, "user": userID}).Scan(&why).Error
	if err != nil {
		return "", fmt.Errorf("ask who may decide about campaign %d: %w", campaignID, err)
	}
	return why, nil
}
