package campaigns

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/writing/changes"
)

// Stage is a campaign's state, 0 to 6 on the wire.
type Stage int

// The stages of a campaign.
const (
	StageDraft      Stage = iota // seen by its team only
	StagePreparing               // approved, opens on its first funding day
	StageFunding                 // takes one-off pledges
	StageSucceeded               // reached its goal
	StageNotReached              // did not
	StageClosed                  // closed by an editor
	StageRecurring               // takes monthly support
)

// stageMoves is the table of allowed transitions.
var stageMoves = map[Stage][]Stage{
	StageDraft:      {StagePreparing, StageFunding, StageRecurring},
	StagePreparing:  {StageDraft, StageFunding, StageRecurring, StageClosed},
	StageFunding:    {StageSucceeded, StageNotReached, StageClosed},
	StageSucceeded:  {StageClosed},
	StageNotReached: {StageClosed},
	StageRecurring:  {StageClosed},
	StageClosed:     {},
}

// Public reports whether strangers may see a campaign of this stage.
func (s Stage) Public() bool { return s != StageDraft }

// ErrUnknown is a campaign that is not there, or not for this reader.
var ErrUnknown = apperr.New(apperr.NotFound)

// ErrUndecided refuses to settle a campaign while money for it may still come: unpaid pledges whose reservation has
// not ended, or payments that a bank is processing. It is wrapped in campaign_not_open.
var ErrUndecided = errors.New("settlement waits for pledges that are not decided")

// Standing is what a decision about money depends on.
type Standing struct {
	Stage Stage
	Hold  HoldKind
}

// Takes reports whether money of a stage's kind is accepted: pledges in StageFunding, monthly support in StageRecurring.
func (s Standing) Takes(stage Stage) bool { return s.Stage == stage && s.Hold == NotHeld }

// LockStage reads a campaign's stage and whether it is on hold, and locks both until the caller's transaction ends: holders do not block
// each other, but block MoveStage and PutOnHold (FOR UPDATE) and are blocked by them. Inserting a row that refers to the campaign takes
// the same lock anyway, so this costs nothing extra. Decisions about money must read it so. Error: ErrUnknown.
func LockStage(ctx context.Context, tx *gorm.DB, campaignID int64) (Standing, error) {
	var found []Standing
	if err := tx.WithContext(ctx).Raw(`SELECT stage, hold FROM campaigns WHERE id = ? FOR KEY SHARE`, campaignID).Scan(&found).Error; err != nil {
		return Standing{}, fmt.Errorf("hold stage of campaign %d: %w", campaignID, err)
	}
	if len(found) == 0 {
		return Standing{}, ErrUnknown
	}
	return found[0], nil
}

// MoveStage takes a campaign to another stage in the caller's transaction, with its audit row and its previews. It
// waits for all holders of the stage, so a later read of the pledges in the same transaction sees every pledge made at
// the old stage. It locks the campaign, then its totals. Moving from funding to succeeded or not reached needs every
// pledge to be decided; closing does not. A move out of funding is the campaign's ending (Ending). One that opens while its
// creator is blocked is put on hold. Errors: ErrUnknown;
// campaign_not_open when stageMoves does not allow it; the same with ErrUndecided when pledges are undecided; ErrOnHold.
func MoveStage(ctx context.Context, tx *gorm.DB, campaignID int64, to Stage, actor changes.Actor, now time.Time) error {
	r, c, err := lock(ctx, tx, campaignID, changes.ForUpdate)
	if err != nil {
		return err
	}
	if !slices.Contains(stageMoves[r.Stage], to) {
		return apperr.New(apperr.CampaignNotOpen).Wrap(fmt.Errorf("campaign %d from stage %d to %d", campaignID, r.Stage, to))
	}
	if r.Stage == StageFunding && (to == StageSucceeded || to == StageNotReached) {
		if r.Hold != NotHeld {
			return ErrOnHold
		}
		if err := refuseUndecided(ctx, tx, campaignID, now); err != nil {
			return err
		}
	}
	if r.Stage == StageDraft { // what becomes public is what counts as read, if staff have not read it before
		if err := RememberParts(ctx, tx, campaignID, now); err != nil {
			return err
		}
	}
	from := r.Stage
	changes.Set(c, "stage", "stage", &r.Stage, &to)
	e := Edit{CampaignID: campaignID, By: actor, Now: now}
	if err := e.save(ctx, tx, c, "move_stage"); err != nil {
		return err
	}
	if from == StageFunding {
		if err := e.end(ctx, tx, to, r.FundingRule); err != nil {
			return err
		}
	}
	return e.holdOfBlocked(ctx, tx)
}

// refuseUndecided looks for pledges that may still be paid. Money in processing is in the totals, and is not waited for longer than
// waitsForBanks; unpaid pledges are found with the partial index pledges_lapsing, which holds those of the last half hour only.
func refuseUndecided(ctx context.Context, tx *gorm.DB, campaignID int64, now time.Time) error {
	var undecided bool
	err := tx.WithContext(ctx).Raw(`
		SELECT EXISTS (SELECT FROM campaign_totals t JOIN campaigns c ON c.id = t.campaign_id
				WHERE c.id = @id AND t.funding_settling_minor > 0 AND (c.funding_deadline < @late) IS NOT TRUE)
		    OR EXISTS (SELECT FROM pledges WHERE campaign_id = @id AND status IN ('created', 'awaiting_payment') AND reserved_until >= @now)
		    OR EXISTS (SELECT FROM pledge_raises r JOIN pledges p ON p.id = r.pledge_id WHERE p.campaign_id = @id
		        AND r.status IN ('created', 'awaiting_payment') AND r.reserved_until >= @now)`,
		map[string]any{"id": campaignID, "now": now, "late": now.Add(-waitsForBanks)}).Scan(&undecided).Error
	if err != nil {
		return fmt.Errorf("look for undecided pledges of campaign %d: %w", campaignID, err)
	}
	if undecided {
		return apperr.New(apperr.CampaignNotOpen).Wrap(fmt.Errorf("campaign %d: %w", campaignID, ErrUndecided))
	}
	return nil
}
