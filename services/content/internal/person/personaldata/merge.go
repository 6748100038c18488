package personaldata

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/posts"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/pledging/accounts"
	"talkoot.fi/content/internal/pledging/claims"
	"talkoot.fi/content/internal/pledging/moneycalendar"
	"talkoot.fi/content/internal/pledging/payers"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/subscriptions"
	"talkoot.fi/content/internal/writing/changes"
)

// Merge gives what a person has in one account to another one of theirs: the pledges, the monthly support, the places in teams,
// the posts and the accounts for payouts. The first stays as it is else, with its profile, for them to erase. The histories name the
// account that is signed in.
func (s *Service) Merge(ctx context.Context, tx *gorm.DB, from, to, signedIn int64) error {
	pledged, err := pledges.Merge(ctx, tx, from, to)
	if err != nil {
		return err
	}
	supported, err := subscriptions.Merge(ctx, tx, from, to)
	if err != nil {
		return err
	}
	teams, err := campaigns.LockOf(ctx, tx, from)
	if err != nil {
		return err
	}
	by, now := changes.User(signedIn), s.now()
	err = changes.Record(ctx, tx, "merge_accounts", "user", to, by, map[string]any{"account": from}, map[string]any{"account": to}, now)
	if err != nil {
		return err
	}
	for _, id := range teams {
		if err := (campaigns.Edit{CampaignID: id, By: by, Now: now}).Merge(ctx, tx, from, to); err != nil {
			return err
		}
	}
	if err := posts.Merge(ctx, tx, from, to); err != nil {
		return err
	}
	if err := experiments.Merge(ctx, tx, from, to, by, now); err != nil {
		return err
	}
	if err := claims.Merge(ctx, tx, from, to); err != nil {
		return err
	}
	if err := accounts.Merge(ctx, tx, from, to); err != nil {
		return err
	}
	if err := moneycalendar.Merge(ctx, tx, from); err != nil {
		return err
	}
	given := slices.Concat(pledged, supported)
	if err := payers.Merge(ctx, tx, from, to, given, now); err != nil {
		return err
	}
	return campaigns.RecountPeople(ctx, tx, given) // last, because it locks totals
}
