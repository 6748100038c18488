package inproc

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/writing/changes"
)

// Stage is where a campaign stands.
type Stage = campaigns.Stage

// The stages after funding. A campaign is moved from funding to the first two only when each pledge is decided.
const (
	StageFunding    = campaigns.StageFunding
	StageSucceeded  = campaigns.StageSucceeded
	StageNotReached = campaigns.StageNotReached
	StageClosed     = campaigns.StageClosed // by an editor, at once
)

// ErrUndecided is what MoveStage returns while a campaign's pledges are not decided.
var ErrUndecided = campaigns.ErrUndecided

// CampaignSpec is a campaign to be made. Its texts are in Finnish.
type CampaignSpec struct {
	Slug      string // unique
	GoalMinor int64
	// FirstDay and LastDay are moments of the first and the last day of funding, both counted.
	FirstDay, LastDay time.Time
	CreatorID         int64 // 0: one of its own is made
	IsMonthly         bool  // takes monthly support, not pledges
	KeepWhatIsRaised  bool  // also when the goal is not reached; otherwise pledges are refunded
	Rewards           []RewardSpec
}

// RewardSpec is a reward to be made, without questions, added costs or tax.
type RewardSpec struct {
	AmountMinor int64 // whole euros
	Stock       int   // 0 is unlimited
}

// Campaign is one that was made; RewardIDs are in the order of the spec.
type Campaign struct {
	ID        int64
	CreatorID int64
	RewardIDs []int64
}

var actor = changes.Actor{Name: "simulation"}

// NewCampaign makes a campaign that takes pledges or monthly support, in one transaction.
func (s *Service) NewCampaign(ctx context.Context, spec CampaignSpec) (made Campaign, err error) {
	rule := campaigns.AllOrNothing
	if spec.KeepWhatIsRaised {
		rule = campaigns.KeepWhatIsRaised
	}
	now := s.now()
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
		made = Campaign{CreatorID: spec.CreatorID}
		category, err := simulated(ctx, tx)
		if err != nil {
			return err
		}
		if made.CreatorID == 0 {
			made.CreatorID, err = profiles.Create(ctx, tx, profiles.New{Email: spec.Slug + "@creators.invalid", FirstName: "Tekijä",
				LastName: "Testinen", Language: "fi", Scope: []string{"view"}}, now)
		}
		if err != nil {
			return err
		}
		made.ID, err = campaigns.Create(ctx, tx, campaigns.New{Slug: spec.Slug, Language: "fi", CategoryID: category,
			TeamUserIDs: []int64{made.CreatorID}, TargetGoalMinor: spec.GoalMinor, FundingRule: rule,
			FirstDay: campaigns.DayOf(spec.FirstDay.In(s.zone)), LastDay: campaigns.DayOf(spec.LastDay.In(s.zone)), Zone: s.zone,
			Texts: map[string]campaigns.Text{"fi": {Title: spec.Slug}}}, now)
		if err != nil {
			return err
		}
		for i, r := range spec.Rewards {
			id, err := rewards.Create(ctx, tx, rewards.New{CampaignID: made.ID, AmountMinor: r.AmountMinor, Stock: r.Stock, Active: true,
				Texts: map[string]rewards.Text{"fi": {Title: fmt.Sprintf("Vastike %d", i+1)}}}, now)
			if err != nil {
				return err
			}
			made.RewardIDs = append(made.RewardIDs, id)
		}
		opens := campaigns.StageFunding
		if spec.IsMonthly {
			opens = campaigns.StageRecurring
		}
		return campaigns.MoveStage(ctx, tx, made.ID, opens, actor, now)
	})
	return made, err
}

// simulated is the id of the category of all simulated campaigns.
func simulated(ctx context.Context, tx *gorm.DB) (int64, error) {
	const key = "simulation"
	var known []int64
	if err := tx.WithContext(ctx).Raw(`SELECT id FROM categories WHERE key = ?`, key).Scan(&known).Error; err != nil {
		return 0, fmt.Errorf("look for the category: %w", err)
	}
	if len(known) > 0 {
		return known[0], nil
	}
	return taxonomy.CreateCategory(ctx, tx, key, 1, map[string]string{"fi": "Simulaatio"})
}

// MoveStage takes a campaign to another stage, in a transaction of its own.
// Errors: those of campaigns.MoveStage, ErrUndecided among them.
func (s *Service) MoveStage(ctx context.Context, campaignID int64, to Stage) error {
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		return campaigns.MoveStage(ctx, tx, campaignID, to, actor, s.now())
	})
}

// LiftHold lets a campaign go on, in a transaction of its own. Errors: those of campaigns.Lift.
func (s *Service) LiftHold(ctx context.Context, campaignID int64) error {
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		return campaigns.Lift(ctx, tx, campaigns.Edit{CampaignID: campaignID, By: actor, Now: s.now()})
	})
}
