package personaldata

import (
	"context"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/accounts"
	"talkoot.fi/content/internal/campaigns"
	"talkoot.fi/content/internal/changes"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/pledges"
	"talkoot.fi/content/internal/subscriptions"
)

// TakeIn gives what a person has in one account to another one of theirs: the pledges, the monthly support, the places in teams
// and the accounts for payouts. The first stays as it is else, with its profile, for them to erase.
func (s *Service) TakeIn(ctx context.Context, tx *gorm.DB, from, to int64) error {
	if err := pledges.TakeOver(ctx, tx, from, to); err != nil {
		return err
	}
	if err := subscriptions.TakeOver(ctx, tx, from, to); err != nil {
		return err
	}
	teams, err := campaigns.HoldOf(ctx, tx, from)
	if err != nil {
		return err
	}
	by, now := changes.Actor{Name: "user"}, s.now()
	for _, id := range teams {
		if err := (campaigns.Edit{CampaignID: id, By: by, Now: now}).TakeOver(ctx, tx, from, to); err != nil {
			return err
		}
	}
	if err := experiments.TakeOver(ctx, tx, from, to, by, now); err != nil {
		return err
	}
	return accounts.TakeOver(ctx, tx, from, to)
}
