package rewards

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/writing/changes"
)

// MostOfCampaign is how many rewards a campaign may have.
const MostOfCampaign = 100

// Admin is a reward as those who may edit it see it.
type Admin struct {
	Record
	Texts Texts
	Sold  []Sold
	// IsMonthly says that it is a level of monthly support, which has no stock.
	IsMonthly bool
}

// CampaignOf is the campaign of a reward. Error: ErrUnknown.
func CampaignOf(ctx context.Context, db *gorm.DB, rewardID int64) (campaignID int64, err error) {
	found := db.WithContext(ctx).Raw(`SELECT campaign_id FROM rewards WHERE id = ? AND deleted_at IS NULL`, rewardID).Scan(&campaignID)
	if found.Error != nil {
		return 0, fmt.Errorf("read campaign of reward %d: %w", rewardID, found.Error)
	}
	if found.RowsAffected == 0 {
		return 0, ErrUnknown
	}
	return campaignID, nil
}

// Read reads a reward for those who may edit it. Error: ErrUnknown.
func Read(ctx context.Context, db *gorm.DB, rewardID int64) (a Admin, err error) {
	err = db.WithContext(ctx).Session(&gorm.Session{QueryFields: true}).Where("deleted_at IS NULL").Take(&a.Record,
		rewardID).Error
	switch {
	case errors.Is(err, gorm.ErrRecordNotFound):
		return a, ErrUnknown
	case err != nil:
		return a, fmt.Errorf("read reward %d: %w", rewardID, err)
	}
	if a.Texts, err = readTexts(ctx, db, rewardID); err != nil {
		return a, err
	}
	if a.Sold, err = listSold(ctx, db, rewardID); err != nil {
		return a, err
	}
	a.IsMonthly, err = isMonthly(ctx, db, a.CampaignID)
	return a, err
}

// isMonthly reports whether a campaign is, or is to be, for monthly support.
func isMonthly(ctx context.Context, db *gorm.DB, campaignID int64) (is bool, err error) {
	err = db.WithContext(ctx).Raw(`SELECT opens_as = ? FROM campaigns WHERE id = ?`, campaigns.StageRecurring, campaignID).Scan(&is).Error
	if err != nil {
		return false, fmt.Errorf("read what campaign %d opens as: %w", campaignID, err)
	}
	return is, nil
}

// Begin makes an empty, hidden reward and returns its id and version. It locks the campaign, so that concurrent calls
// can neither exceed MostOfCampaign nor use a key twice. With an idempotency key (key.Key is empty without one) a
// repeat returns the reward that the first call made, with its version of now. The caller has checked who may do it.
// Errors: TooManyRewards; idempotency_mismatch; ErrUnknown for a repeat after that reward was deleted.
func Begin(ctx context.Context, db *gorm.DB, campaignID int64, key idem.Key, by changes.Actor, now time.Time) (
	id, version int64, err error) {
	return once(ctx, db, campaignID, key, func(tx *gorm.DB) (int64, error) { return begin(ctx, tx, campaignID, by, now) })
}

// once makes a reward of a campaign, which it locks, or finds the one that was made with the key before.
func once(ctx context.Context, db *gorm.DB, campaignID int64, key idem.Key, create func(tx *gorm.DB) (int64, error)) (
	id, version int64, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		if err := tx.WithContext(ctx).Exec(`SELECT FROM campaigns WHERE id = ? FOR NO KEY UPDATE`, campaignID).Error; err != nil {
			return fmt.Errorf("lock campaign %d: %w", campaignID, err)
		}
		if key.Key != "" {
			before, repeated, err := idem.Find(ctx, tx, key)
			if err != nil {
				return err
			}
			if repeated {
				id, version, err = begun(ctx, tx, before)
				return err
			}
		}
		version = 1 // the column's default
		if id, err = create(tx); err != nil || key.Key == "" {
			return err
		}
		_, _, err = idem.Claim(ctx, tx, key, strconv.FormatInt(id, 10))
		return err
	})
	return id, version, err
}

// begun finds the reward that an earlier call made. Error: ErrUnknown.
func begun(ctx context.Context, tx *gorm.DB, made string) (id, version int64, err error) {
	if id, err = strconv.ParseInt(made, 10, 64); err != nil {
		return 0, 0, fmt.Errorf("read the reward that was made: %w", err)
	}
	reward, err := Read(ctx, tx, id)
	return id, reward.Version, err
}

func begin(ctx context.Context, tx *gorm.DB, campaignID int64, by changes.Actor, now time.Time) (id int64, err error) {
	if err := refuseTooMany(ctx, tx, campaignID); err != nil {
		return 0, err
	}
	r := record{CampaignID: campaignID, CreatedAt: now, UpdatedAt: now}
	if err := tx.WithContext(ctx).Create(&r).Error; err != nil {
		return 0, fmt.Errorf("begin reward of campaign %d: %w", campaignID, err)
	}
	err = changes.Record(ctx, tx, "create_reward", "reward", r.ID, by, map[string]any{}, map[string]any{"campaign_id": campaignID}, now)
	if err != nil {
		return 0, err
	}
	return r.ID, campaigns.SettleParts(ctx, tx, campaignID, now)
}

// refuseTooMany refuses one more reward than a campaign may have. Error: TooManyRewards.
func refuseTooMany(ctx context.Context, tx *gorm.DB, campaignID int64) error {
	var there int64
	if err := tx.WithContext(ctx).Table("rewards").Where("campaign_id = ? AND deleted_at IS NULL",
		campaignID).Count(&there).Error; err != nil {
		return fmt.Errorf("count rewards of campaign %d: %w", campaignID, err)
	}
	if there >= MostOfCampaign {
		return apperr.New(apperr.TooManyRewards)
	}
	return nil
}

// Delete deletes a reward that nobody holds or has paid for: all lists leave it out. Its row stays, because payments
// may still arrive for it, which are refunded. The caller has checked who may do it. Errors: ErrUnknown; ErrLast;
// RewardPaidFor with the number of pledges.
func Delete(ctx context.Context, db *gorm.DB, e Edit) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		if err := e.keepLast(ctx, tx); err != nil {
			return err
		}
		r, c, err := e.begin(ctx, tx)
		if err != nil {
			return err
		}
		n, err := holders(ctx, tx, r.ID)
		if err != nil {
			return err
		}
		if n > 0 {
			return apperr.New(apperr.RewardPaidFor).WithField("reward_id", apperr.RulePaidFor, apperr.Params{"count": n})
		}
		hidden, deletedAt := 0, &e.Now
		changes.Set(c, "active", "active", &r.Active, &hidden)
		changes.Set(c, "deleted_at", "deleted_at", &r.DeletedAt, &deletedAt)
		if err := c.Save(ctx, tx, "delete_reward", e.By, e.Now); err != nil {
			return err
		}
		return campaigns.SettleParts(ctx, tx, r.CampaignID, e.Now)
	})
}
