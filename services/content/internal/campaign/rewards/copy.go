package rewards

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/idem"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/writing/changes"
)

// copied is what another reward takes over of this one: not who has bought it, and not whether it shows.
func (a Admin) copied() New {
	n := New{CampaignID: a.CampaignID, AmountMinor: int64(a.AmountMinor), Stock: a.Stock, VATTenths: a.VATTenths.tenths(),
		Delivery: a.Delivery, Kind: a.Kind, Image: a.Image, AddedCosts: a.AddedCosts, Texts: a.Texts}
	if len(n.Texts) == 0 {
		n.Texts = Texts{"fi": {}}
	}
	return n
}

// CopyOne makes a hidden reward that says and costs what another one does, in its campaign, as Begin. The caller has
// checked who may do it. Errors: ErrUnknown; those of Begin.
func CopyOne(ctx context.Context, db *gorm.DB, e Edit, key idem.Key) (id, version int64, err error) {
	campaignID, err := CampaignOf(ctx, db, e.RewardID)
	if err != nil {
		return 0, 0, err
	}
	return once(ctx, db, campaignID, key, func(tx *gorm.DB) (int64, error) {
		before, err := Read(ctx, tx, e.RewardID)
		if err != nil {
			return 0, err
		}
		if err := refuseTooMany(ctx, tx, campaignID); err != nil {
			return 0, err
		}
		id, err := e.copy(ctx, tx, before.copied())
		if err != nil {
			return 0, err
		}
		return id, campaigns.SettleParts(ctx, tx, campaignID, e.Now)
	})
}

// CopyAll makes the rewards of one campaign in another one, in the caller's transaction. The months in which they were to
// be delivered stay behind.
func CopyAll(ctx context.Context, tx *gorm.DB, from, to int64, e Edit) error {
	var ids []int64
	err := tx.WithContext(ctx).Raw(`SELECT id FROM rewards WHERE campaign_id = ? AND deleted_at IS NULL ORDER BY id`, from).Scan(&ids).Error
	if err != nil {
		return fmt.Errorf("list rewards of campaign %d: %w", from, err)
	}
	for _, id := range ids {
		before, err := Read(ctx, tx, id)
		if err != nil {
			return err
		}
		n := before.copied()
		n.CampaignID, n.Delivery, n.Active = to, "", before.Active == 1
		e.RewardID = id
		if _, err := e.copy(ctx, tx, n); err != nil {
			return err
		}
	}
	return nil
}

// copy makes a reward that was copied from the one of the edit.
func (e Edit) copy(ctx context.Context, tx *gorm.DB, n New) (id int64, err error) {
	if id, err = Create(ctx, tx, n, e.Now); err != nil {
		return 0, err
	}
	after := map[string]any{"campaign_id": n.CampaignID, "copied_from": e.RewardID}
	return id, changes.Record(ctx, tx, "create_reward", "reward", id, e.By, map[string]any{}, after, e.Now)
}
