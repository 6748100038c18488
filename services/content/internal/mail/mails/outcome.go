package mails

import (
	"time"

	"talkoot.fi/content/internal/campaign/campaigns"
)

// funding is what decides what becomes of a campaign's money. Amounts are minor units; a minimum goal of 0 is none.
type funding struct {
	FundingRule                                        campaigns.FundingRule
	Stage                                              campaigns.Stage
	MinGoalMinor, TargetGoalMinor, FundingReachedMinor int64
	HideFundingAmount                                  bool
}

// outcome is what happens to a backer's money, as the app's moneyTexts has it: open (returned if the goal is missed),
// reached, kept (the creator gets it in any case), returned, or closed (staff ended the campaign, and no rule
// applies: while it was raising money all goes back).
func (f funding) outcome() string {
	switch {
	case f.Stage == campaigns.StageClosed:
		return "closed"
	case f.FundingRule == campaigns.KeepWhatIsRaised:
		return "kept"
	case f.Stage == campaigns.StageNotReached:
		return "returned"
	case f.Stage == campaigns.StageSucceeded:
		return "reached"
	case !f.HideFundingAmount && f.goalMinor() > 0 && f.FundingReachedMinor >= f.goalMinor():
		return "reached" // of a hidden sum this would reveal something
	}
	return "open"
}

// goalMinor is the goal that decides whether the creator gets the money.
func (f funding) goalMinor() int64 { return campaigns.DecidingGoal(f.MinGoalMinor, f.TargetGoalMinor) }

// takesPledges reports whether people can pledge to the campaign until its deadline.
func (f funding) takesPledges(deadline *time.Time, now time.Time) bool {
	return f.Stage == campaigns.StageFunding && (deadline == nil || now.Before(*deadline))
}
