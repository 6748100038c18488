package review

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/mail/mails"
)

// TellStaff mails staff about approved campaigns that have been back in the queue for a while, each once, and returns how
// many they are. Any number of workers may run it at once.
func TellStaff(ctx context.Context, db *gorm.DB, now time.Time, zone *time.Location) (int, error) {
	var due []int64
	err := db.WithContext(ctx).Raw(`SELECT campaign_id FROM reviewed_parts WHERE tell_at <= ? ORDER BY tell_at LIMIT 100`, now).Scan(&due).Error
	if err != nil {
		return 0, fmt.Errorf("look for campaigns back in the queue: %w", err)
	}
	told := 0
	var faults []error
	for _, id := range due {
		isTold, err := tell(ctx, db, id, now, zone)
		if err != nil {
			faults = append(faults, fmt.Errorf("tell staff of campaign %d: %w", id, err))
		} else if isTold {
			told++
		}
	}
	return told, errors.Join(faults...)
}

func tell(ctx context.Context, db *gorm.DB, campaignID int64, now time.Time, zone *time.Location) (told bool, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		if told, err = campaigns.TakeToTell(ctx, tx, campaignID, now); err != nil || !told {
			return err
		}
		f, err := readOne(ctx, tx, campaignID)
		if err != nil || f.AskedAt == nil {
			return err
		}
		return mails.AddStaff(ctx, tx, mails.KindReviewRequested, mails.CampaignMail{CampaignID: campaignID, Round: f.Round,
			AnswerBy: string(AnswerBy(*f.AskedAt, zone))})
	})
	return told && err == nil, err
}
