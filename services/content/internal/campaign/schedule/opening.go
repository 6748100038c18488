// Package schedule opens approved campaigns when their first day has come, and ends those for one-off support when their last day is over.
// It owns no tables; what an opening is, what an ending is, and whose the money is then, belongs to package campaigns.
//
// Invariants: a campaign opens and ends once, however many workers run, and its team is mailed in the same transaction; one that cannot
// be opened or ended does not hold up the others. It is ended only when nothing can come any more, here and in the payment service: no
// pledge can be paid, no event is on its way, and no bank has a payment that it has not confirmed, for which it is waited two weeks.
package schedule

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

// batch is how many campaigns one pass looks up; each has a transaction of its own.
const batch = 200

// OpenDue opens the campaigns whose first day has come at a moment, one batch of them, and returns how many it opened.
// Any number of workers may run it at once.
func OpenDue(ctx context.Context, db *gorm.DB, now time.Time) (int, error) {
	due, err := campaigns.Due(ctx, db, now, batch)
	if err != nil {
		return 0, err
	}
	opened := 0
	var faults []error
	for _, id := range due {
		isOpen, err := open(ctx, db, id, now)
		if err != nil {
			faults = append(faults, fmt.Errorf("open campaign %d: %w", id, err))
		} else if isOpen {
			opened++
		}
	}
	return opened, errors.Join(faults...)
}

func open(ctx context.Context, db *gorm.DB, campaignID int64, now time.Time) (isOpen bool, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) (err error) {
		isOpen, err = campaigns.OpenIfDue(ctx, tx, campaignID, now)
		if err != nil || !isOpen {
			return err
		}
		return mails.AddTeam(ctx, tx, mails.KindCampaignOpened, mails.CampaignMail{CampaignID: campaignID})
	})
	return isOpen && err == nil, err
}
