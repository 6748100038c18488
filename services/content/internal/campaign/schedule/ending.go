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
	"talkoot.fi/content/internal/paymentsclient"
	"talkoot.fi/content/internal/pledging/closing"
)

// EndDue ends the campaigns whose last day is over at a moment, one batch of them, and returns how many it ended. Any number of workers
// may run it at once.
func EndDue(ctx context.Context, db *gorm.DB, payments *paymentsclient.Client, now time.Time) (int, error) {
	due, err := campaigns.ListDueToEnd(ctx, db, now, batch)
	if err != nil {
		return 0, err
	}
	ended := 0
	var faults []error
	for _, c := range due {
		did, err := end(ctx, db, payments, c, now)
		if err != nil {
			faults = append(faults, fmt.Errorf("end campaign %d: %w", c.ID, err))
		} else if did {
			ended++
		}
	}
	return ended, errors.Join(faults...)
}

// end asks the payment service before it locks anything: after the last day nothing new begins, so what it says stays true.
func end(ctx context.Context, db *gorm.DB, payments *paymentsclient.Client, c campaigns.DueToEnd, now time.Time) (did bool, err error) {
	standing, err := closing.Standing(ctx, payments, c.ID)
	if err != nil || standing.IsOpen || standing.IsUntold || standing.IsProcessing && !c.IsLate {
		return false, err
	}
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		stage, err := campaigns.EndIfDue(ctx, tx, c.ID, now)
		did = stage != 0
		if err != nil || !did {
			return err
		}
		return mails.AddTeam(ctx, tx, mails.KindCampaignEnded, mails.CampaignMail{CampaignID: c.ID})
	})
	return did && err == nil, err
}
