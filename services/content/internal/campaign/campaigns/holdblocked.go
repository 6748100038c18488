package campaigns

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/writing/changes"
)

// What somebody who is blocked answers for takes no money, and pays them none.

// HoldAllOf puts on hold all that somebody who is being blocked answers for, in the transaction that blocks them, also as another account
// with the address that they have confirmed.
func HoldAllOf(ctx context.Context, tx *gorm.DB, creator int64, by changes.Actor, now time.Time) error {
	var ids []int64
	err := tx.WithContext(ctx).Raw(`
		WITH theirs AS (
			SELECT id FROM users WHERE id = @user
			UNION SELECT u.id FROM users b JOIN users u ON lower(u.email) = lower(b.email) AND NOT u.verified WHERE b.id = @user AND b.verified)
		SELECT c.id FROM theirs JOIN campaign_team m ON m.user_id = theirs.id AND m.position = 0
		JOIN campaigns c ON c.id = m.campaign_id AND c.stage <> 0 AND c.hold <> 'on_hold' AND (c.stage <> 5 OR `+paysCreator+`) ORDER BY c.id`, map[string]any{"user": creator}).Scan(&ids).Error
	if err != nil {
		return fmt.Errorf("look for the campaigns of user %d: %w", creator, err)
	}
	for _, id := range ids {
		e := Edit{CampaignID: id, By: by, Now: now}
		r, c, err := e.begin(ctx, tx, changes.ForUpdate)
		if err != nil {
			return err
		}
		can, err := canBlockHold(ctx, tx, r) // as it is by now
		if err == nil && can {
			err = e.holdForBlock(ctx, tx, r, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// canBlockHold reports whether a block of its creator has something to hold of a campaign.
func canBlockHold(ctx context.Context, tx *gorm.DB, r Record) (bool, error) {
	switch r.Hold {
	case OnHold:
		return false, nil
	case Stopped:
		return true, nil
	case NotHeld:
	}
	return canBeHeld(ctx, tx, r)
}

// holdForBlock puts a campaign on hold whose creator is blocked; of a stopped one, which takes nothing, what is theirs waits.
func (e Edit) holdForBlock(ctx context.Context, tx *gorm.DB, r Record, c *changes.Change) error {
	if r.Hold == Stopped {
		return e.payOut(ctx, tx, r, c, false)
	}
	return e.setHold(ctx, tx, r, c, OnHold, HoldWords{Reason: CreatorBlocked}, "hold")
}

// holdOfBlocked holds a campaign that a blocked person comes to answer for: it opens, or they are its creator now. It asks for accounts only
// when there is something to hold, because whoever blocks one locks it before the campaign.
func (e Edit) holdOfBlocked(ctx context.Context, tx *gorm.DB) error {
	r, c, err := lock(ctx, tx, e.CampaignID, changes.ForUpdate)
	if err != nil {
		return err
	}
	if can, err := canBlockHold(ctx, tx, r); err != nil || !can {
		return err
	}
	if isBlocked, err := creatorBlocked(ctx, tx, e.CampaignID); err != nil || !isBlocked {
		return err
	}
	return e.holdForBlock(ctx, tx, r, c)
}

// creatorBlocked reports whether the one who answers for a campaign is blocked, or has an account with an address that somebody blocked
// has confirmed: who is blocked does not come back through their address. Who has erased their account is not blocked. It keeps all
// accounts of the address as they are until the transaction ends: who blocks one meanwhile waits, and then sees the campaign.
func creatorBlocked(ctx context.Context, tx *gorm.DB, campaignID int64) (is bool, err error) {
	err = tx.WithContext(ctx).Raw(`
		WITH accounts AS MATERIALIZED (
		    SELECT b.blocked_at, b.id = u.id OR NOT u.verified AND b.verified AS counts
		    FROM campaign_team m JOIN users u ON u.id = m.user_id AND u.erased_at IS NULL JOIN users b ON lower(b.email) = lower(u.email)
		    WHERE m.campaign_id = ? AND m.position = 0 FOR SHARE OF b)
		SELECT coalesce(bool_or(counts AND blocked_at IS NOT NULL), false) FROM accounts`, campaignID).Scan(&is).Error
	if err != nil {
		return false, fmt.Errorf("ask whether the creator of campaign %d is blocked: %w", campaignID, err)
	}
	return is, nil
}
