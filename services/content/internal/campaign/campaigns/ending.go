package campaigns

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/pledging/closing"
)

// Outcome is how a campaign that took one-off pledges ended.
type Outcome string

// The outcomes; constraint campaign_endings_outcome has the same.
const (
	Reached    Outcome = "reached"
	NotReached Outcome = "not_reached"
	Canceled   Outcome = "canceled" // closed before its last day was over
)

// GoesTo is whose the money of a campaign is that has ended.
type GoesTo string

// Whose it can be; constraint campaign_endings_goes_to has the same.
const (
	ToCreator GoesTo = "creator"
	ToBackers GoesTo = "backers"
)

// Ending is written once, with the move out of StageFunding.
type Ending struct {
	Outcome       Outcome
	GoesTo        GoesTo
	EndedAt       time.Time
	Accepted      int   // pledges that had uncontested money then
	AcceptedMinor int64 // less what was refunded
	Currency      string
}

// DecidingGoal is the goal that decides whether a campaign succeeds, in minor units; 0 when it has none.
func DecidingGoal(minGoalMinor, targetGoalMinor int64) int64 {
	if minGoalMinor > 0 {
		return min(minGoalMinor, targetGoalMinor)
	}
	return targetGoalMinor
}

// StageAfter is where a campaign goes when its last day is over and all its money is decided about.
func StageAfter(reachedMinor, goalMinor int64) Stage {
	if reachedMinor >= goalMinor {
		return StageSucceeded
	}
	return StageNotReached
}

// ends is how a campaign ends that goes from StageFunding to another stage, and whose its money is then.
func ends(to Stage, rule FundingRule) (Outcome, GoesTo) {
	switch {
	case to == StageSucceeded:
		return Reached, ToCreator
	case to == StageNotReached && rule == KeepWhatIsRaised:
		return NotReached, ToCreator
	case to == StageNotReached:
		return NotReached, ToBackers
	}
	return Canceled, ToBackers // whatever its rule: what it promised is not going to be
}

// end writes how a campaign ends, and tells the payment service. Its row is locked, so the pledges that have money are those that will
// ever have been accepted, but for what a bank confirms late (TakesLate).
func (e Edit) end(ctx context.Context, tx *gorm.DB, to Stage, rule FundingRule) error {
	outcome, goesTo := ends(to, rule)
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO campaign_endings (campaign_id, outcome, goes_to, ended_at, currency, accepted, accepted_minor)
		SELECT c.id, @outcome, @goes_to, @now, c.currency, count(p.id),
		       coalesce(sum(CASE p.status WHEN 'disputed' THEN p.uncontested_minor ELSE p.amount_minor - p.amount_refunded_minor END), 0)
		FROM campaigns c LEFT JOIN pledges p ON p.campaign_id = c.id AND (p.status IN ('paid', 'partly_refunded') OR p.uncontested_minor > 0)
		WHERE c.id = @id GROUP BY c.id`,
		map[string]any{"id": e.CampaignID, "outcome": outcome, "goes_to": goesTo, "now": e.Now}).Error
	if err != nil {
		return fmt.Errorf("write how campaign %d ends: %w", e.CampaignID, err)
	}
	return closing.End(ctx, tx, e.CampaignID)
}

// EndingOf is how a campaign ended; false of one that has not, or never took one-off pledges.
func EndingOf(ctx context.Context, db *gorm.DB, campaignID int64) (found Ending, ended bool, err error) {
	read := db.WithContext(ctx).Raw(`SELECT outcome, goes_to, ended_at, accepted, accepted_minor, currency FROM campaign_endings WHERE campaign_id = ?`,
		campaignID).Scan(&found)
	if read.Error != nil {
		return found, false, fmt.Errorf("read how campaign %d ended: %w", campaignID, read.Error)
	}
	return found, read.RowsAffected > 0, nil
}

// TakesLate reports whether a campaign that has ended takes what a bank confirms only now: what its creator gets does not depend on it.
func TakesLate(ctx context.Context, tx *gorm.DB, campaignID int64) (bool, error) {
	e, ended, err := EndingOf(ctx, tx, campaignID)
	return ended && e.GoesTo == ToCreator, err
}

const (
	// lateTellers is how long after its last second a campaign is decided about at the earliest: what was reserved then can be paid for
	// half an hour, and is told a little later.
	lateTellers = time.Hour
	// waitsForBanks is how long it is waited for what banks confirm.
	waitsForBanks = 14 * 24 * time.Hour
)

// DueToEnd is a campaign whose last day is over.
type DueToEnd struct {
	ID     int64
	IsLate bool // what banks have not confirmed is waited for no longer
}

// ListDueToEnd lists campaigns whose last day is over and of which nothing is undecided here, those that have waited longest first and at
// most limit. The index campaigns_due has those that are open.
func ListDueToEnd(ctx context.Context, db *gorm.DB, now time.Time, limit int) (list []DueToEnd, err error) {
	err = db.WithContext(ctx).Raw(`SELECT c.id, c.funding_deadline < @late AS is_late`+dueToEnd+` ORDER BY c.funding_deadline, c.id LIMIT @limit`,
		endArgs(now, 0, limit)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("look for campaigns that end: %w", err)
	}
	return list, nil
}

// CountOverdue counts campaigns, at most limit, that should have ended at a moment and have not: the payment service says that something of
// theirs is undecided, or no worker asks it.
func CountOverdue(ctx context.Context, db *gorm.DB, at time.Time, limit int) (n int, err error) {
	err = db.WithContext(ctx).Raw(`SELECT count(*) FROM (SELECT`+dueToEnd+` LIMIT @limit) x`, endArgs(at, 0, limit)).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count campaigns that should have ended: %w", err)
	}
	return n, nil
}

// Totals are looked up by campaign, in a subquery, so that no plan reads them all.
const dueToEnd = ` FROM campaigns c WHERE c.stage = 2 AND c.hold = '' AND c.funding_deadline < @due
	AND (c.funding_deadline < @late OR (SELECT t.funding_settling_minor FROM campaign_totals t WHERE t.campaign_id = c.id) = 0)
	AND NOT EXISTS (SELECT FROM pledges p WHERE p.campaign_id = c.id AND p.status IN ('created', 'awaiting_payment') AND p.reserved_until >= @now)
	AND NOT EXISTS (SELECT FROM pledge_raises r JOIN pledges p ON p.id = r.pledge_id WHERE p.campaign_id = c.id
		AND r.status IN ('created', 'awaiting_payment') AND r.reserved_until >= @now)`

func endArgs(now time.Time, campaignID int64, limit int) map[string]any {
	return map[string]any{"now": now, "due": now.Add(-lateTellers), "late": now.Add(-waitsForBanks), "id": campaignID, "limit": limit}
}

// EndIfDue ends a campaign of ListDueToEnd in the caller's transaction and returns the stage that it has then; 0 for one that has ended
// meanwhile, is undecided again, or that somebody else is at, whom it does not wait for.
func EndIfDue(ctx context.Context, tx *gorm.DB, campaignID int64, now time.Time) (Stage, error) {
	// In a statement of its own: what decides is read when nobody can have money accepted any more.
	held := tx.WithContext(ctx).Exec(`SELECT FROM campaigns WHERE id = ? FOR UPDATE SKIP LOCKED`, campaignID)
	if held.Error != nil {
		return 0, fmt.Errorf("lock campaign %d to end it: %w", campaignID, held.Error)
	}
	if held.RowsAffected == 0 {
		return 0, nil
	}
	var due []struct{ FundingReachedMinor, MinGoalMinor, TargetGoalMinor int64 }
	err := tx.WithContext(ctx).Raw(`SELECT (SELECT funding_reached_minor FROM campaign_totals WHERE campaign_id = c.id) AS funding_reached_minor,
			c.min_goal_minor, c.target_goal_minor`+dueToEnd+` AND c.id = @id`, endArgs(now, campaignID, 1)).Scan(&due).Error
	if err != nil {
		return 0, fmt.Errorf("read whether campaign %d ends: %w", campaignID, err)
	}
	if len(due) == 0 {
		return 0, nil
	}
	to := StageAfter(due[0].FundingReachedMinor, DecidingGoal(due[0].MinGoalMinor, due[0].TargetGoalMinor))
	return to, MoveStage(ctx, tx, campaignID, to, Scheduler(), now)
}
