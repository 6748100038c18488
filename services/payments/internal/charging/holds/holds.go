// Package holds knows which campaigns are on hold: of those nothing is charged, whatever is due.
//
// It owns campaign_holds, the content service's words. Invariant: whoever begins a charge holds Lock in the transaction that writes it
// down, so that after Set has returned no charge begins that did not see the hold.
package holds

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// Columns are of a row with a campaign_id: on_hold, and lifted_at, when it ceased to be on hold last.
const Columns = `coalesce((SELECT h.is_on_hold FROM campaign_holds h WHERE h.campaign_id = %[1]s.campaign_id ORDER BY h.number DESC LIMIT 1), false) AS on_hold,
	(SELECT max(h.told_at) FROM campaign_holds h WHERE h.campaign_id = %[1]s.campaign_id AND NOT h.is_on_hold) AS lifted_at`

// Word is what the content service says of a campaign.
type Word struct {
	Number   int  // grows by one with each word about a campaign; the highest counts
	IsOnHold bool // nothing is charged for it
	PaysOut  bool // on hold as it is, its creator is paid
}

// Set keeps a word about a campaign: a repeat changes nothing. now is asked when no charge is being begun.
func Set(ctx context.Context, db *gorm.DB, campaignID int64, w Word, now func() time.Time) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		tx = tx.WithContext(ctx)
		if err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, key(campaignID)).Error; err != nil {
			return fmt.Errorf("lock campaign %d: %w", campaignID, err)
		}
		err := tx.Exec(`INSERT INTO campaign_holds (campaign_id, number, is_on_hold, pays_out, told_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			campaignID, w.Number, w.IsOnHold, w.PaysOut, now()).Error
		if err != nil {
			return fmt.Errorf("keep that campaign %d is on hold or not: %w", campaignID, err)
		}
		return nil
	})
}

// Lock tells whether a campaign is on hold, and keeps that as it is until the transaction ends. It comes after all other locks.
func Lock(ctx context.Context, tx *gorm.DB, campaignID int64) (isOnHold bool, err error) {
	err = tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock_shared(hashtextextended(?, 0))`, key(campaignID)).Error
	if err != nil {
		return false, fmt.Errorf("lock campaign %d: %w", campaignID, err)
	}
	return Is(ctx, tx, campaignID)
}

// Is tells whether a campaign is on hold at this moment.
func Is(ctx context.Context, db *gorm.DB, campaignID int64) (isOnHold bool, err error) {
	err = db.WithContext(ctx).Raw(`SELECT is_on_hold FROM campaign_holds WHERE campaign_id = ? ORDER BY number DESC LIMIT 1`, campaignID).Scan(&isOnHold).Error
	if err != nil {
		return false, fmt.Errorf("ask whether campaign %d is on hold: %w", campaignID, err)
	}
	return isOnHold, nil
}

// StopPayouts tells whether what is the creator's of a campaign is to stay where it is at this moment.
func StopPayouts(ctx context.Context, db *gorm.DB, campaignID int64) (do bool, err error) {
	err = db.WithContext(ctx).Raw(`SELECT is_on_hold AND NOT pays_out FROM campaign_holds WHERE campaign_id = ? ORDER BY number DESC LIMIT 1`, campaignID).Scan(&do).Error
	if err != nil {
		return false, fmt.Errorf("ask whether the creator of campaign %d is paid: %w", campaignID, err)
	}
	return do, nil
}

func key(campaignID int64) string { return fmt.Sprintf("campaign:%d", campaignID) }
