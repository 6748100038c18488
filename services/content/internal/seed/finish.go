package seed

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
)

// Finish closes the campaigns that the demo shows as closed: it sets the funding days and the stage of the files. It
// runs after the demo pledges have been paid. Campaigns that are closed already are skipped, and so are those with
// undecided pledges, which is logged.
func Finish(ctx context.Context, o Options) error {
	s, dir, err := newSeeder(o)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }() // only read from
	found, err := readCampaigns(dir)
	if err != nil {
		return err
	}
	open := map[string]int64{}
	if err := s.known(ctx, `SELECT slug AS key, id FROM campaigns WHERE stage = 2`, open); err != nil {
		return err
	}
	for _, c := range found {
		id, isOpen := open[c.Slug]
		if !isOpen || !c.closed() || c.DeadlineDays == nil {
			continue
		}
		err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
			edit := campaigns.Edit{CampaignID: id, By: actor, Now: s.now}
			err := campaigns.SetFundingDays(ctx, tx, edit, campaigns.Days{First: s.day(c.FundingStartDays), Last: s.day(*c.DeadlineDays)}, s.zone)
			if err != nil {
				return err
			}
			return campaigns.MoveStage(ctx, tx, id, c.Stage, actor, s.now)
		})
		if errors.Is(err, campaigns.ErrUndecided) {
			o.Log.WarnContext(ctx, "a demo campaign stays open: it has pledges that are not decided", "slug", c.Slug)
			continue
		}
		if err != nil {
			return fmt.Errorf("finish campaign %s: %w", c.Slug, err)
		}
	}
	return nil
}
