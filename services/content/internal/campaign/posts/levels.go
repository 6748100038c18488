package posts

import (
	"context"
	"time"

	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/campaign/access"
	"talkoot.fi/content/internal/zone"
)

// reader is the caller who reads posts of a campaign.
type reader struct {
	userID int64 // 0 for anonymous ones
	all    bool  // may edit the campaign, so reads everything and sees drafts
	at     time.Time
}

func readerOf(ctx context.Context, rights access.Rights, now time.Time) reader {
	who, _ := session.From(ctx)
	return reader{who.UserID, rights.CanEdit(), now}
}

// isRestricted is true for a post p that the reader may not read whole. What the reader has backed the campaign with is
// read once for a statement, and only if a post asks for it: by pledges and monthly support of the account, and by those that
// were made with its confirmed address without signing in. Level 1 is any paid pledge, a higher level the sum of what they
// add up to, less refunds, in whole major units. Monthly support counts with what it is a month, while it goes on or what was
// paid has not run out. Indexes pledges_user, pledges_backers_by_address and those of subscriptions serve it.
const isRestricted = `CASE WHEN p.level = 0 OR @all THEN false ELSE p.level > (
	SELECT CASE WHEN count(*) = 0 THEN 0 ELSE greatest(1, sum(money) / 100) END
	FROM (
		SELECT amount_minor - amount_refunded_minor AS money FROM pledges
		WHERE user_id = @reader AND campaign_id = @campaign AND status IN ('paid', 'partly_refunded', 'disputed')
		UNION ALL
		SELECT g.amount_minor - g.amount_refunded_minor FROM users u
		JOIN pledges g ON g.campaign_id = @campaign AND lower(g.email) = lower(u.email) AND g.status IN ('paid', 'partly_refunded', 'disputed')
		WHERE u.id = @reader AND u.verified AND g.user_id IS NULL
		UNION ALL
		SELECT amount_minor FROM subscriptions
		WHERE user_id = @reader AND campaign_id = @campaign AND (status = 'active' OR paid_until >= ` + zone.Day + `)
		UNION ALL
		SELECT g.amount_minor FROM users u
		JOIN subscriptions g ON g.campaign_id = @campaign AND g.user_id IS NULL AND lower(g.email) = lower(u.email)
		    AND (g.status = 'active' OR g.paid_until >= ` + zone.Day + `)
		WHERE u.id = @reader AND u.verified) backed) END AS restricted`
