package overview

import (
	"time"

	"github.com/oapi-codegen/runtime/types"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
)

const (
	// mostDays is how many days are listed at most; what was paid before them is added to the first one.
	mostDays = 400
	// mostSources is how many sources are listed at most; the others count as unknown.
	mostSources = 20
	// recentDays are how many whole days before today the pace is measured on.
	recentDays = 7
	// enoughVisitors is how many visitors a conversion rate needs; with fewer it would be chance.
	enoughVisitors = 100
)

// answer is the overview under the contract's names.
func (f facts) answer() (api.CampaignOverview, error) {
	days := f.days()
	a := api.CampaignOverview{CampaignID: f.ID, Slug: f.Slug, Title: f.Title, ProjectPic: f.Picture, Stage: int(f.Stage),
		Currency: f.Currency, FundingReached: money.Decimal(f.Reached), FundingSettling: money.Decimal(f.Settling),
		MinGoal:    money.Decimal(f.MinGoal),
		TargetGoal: money.Decimal(f.TargetGoal), NumberOfBackers: f.Backers, Visitors: &f.Visitors, Today: day(f.today()),
		Days: days, Pace: f.pace(days), Rewards: []api.OverviewReward{},
		Settling: []api.OverviewSettling{},
		Posts:    []api.OverviewPost{}, Next: f.next(), ContentExperiment: f.experiment.Answer()}
	if f.LegalCreator != "" {
		a.LegalCreator = &f.LegalCreator
	}
	if f.FirstDay != nil {
		a.FirstDayOfFunding = day(*f.FirstDay)
	}
	if f.LastDay != nil {
		a.LastDayOfFunding = day(*f.LastDay)
	}
	if f.Visitors >= enoughVisitors {
		conversion := min(1, float64(f.payers)/float64(f.Visitors))
		a.Conversion = &conversion
	}
	for _, r := range f.rewards {
		a.Rewards = append(a.Rewards, api.OverviewReward{RewardID: r.ID, Title: r.Title, Amount: int(r.AmountMinor / 100),
			Stock: r.Stock, StockReserved: r.StockReserved, Backers: r.Backers, Active: api.OverviewRewardActive(r.Active)})
	}
	for _, s := range f.settling {
		a.Settling = append(a.Settling, api.OverviewSettling{Method: s.Method, Day: *day(s.Day), Pledges: s.Pledges,
			Amount: money.Decimal(s.Minor)})
	}
	for _, p := range f.posts {
		a.Posts = append(a.Posts, api.OverviewPost{PostID: p.ID, Title: p.Title, PublishedAt: p.PublishedAt})
	}
	if f.monthly != nil {
		return a, f.answerMonthly(&a)
	}
	f.answerPledges(&a)
	return a, nil
}

// answerPledges adds what is of pledges to the overview of a campaign without monthly support.
func (f facts) answerPledges(a *api.CampaignOverview) {
	a.Sources = f.sources()
	if f.Backers > 0 {
		average := money.Decimal(f.Reached / int64(f.Backers))
		a.Average = &average
	}
	for _, m := range f.money {
		if m.Kind == "reward" && *m.Plain {
			a.WithoutReward = api.OverviewWithoutReward{Backers: m.Backers, Amount: money.Decimal(m.Minor)}
		}
	}
}

// days lists every day from the first one of funding to today, or, once funding is over, to its last day or the last
// day with money. Money from outside of them is added to the first or the last one, so that the days add up to the
// totals.
func (f facts) days() []api.OverviewDay {
	start, end, ok := f.span()
	if !ok {
		return []api.OverviewDay{}
	}
	list := make([]api.OverviewDay, int(end.Sub(start).Hours()/24)+1)
	for i := range list {
		list[i].Day = *day(start.AddDate(0, 0, i))
	}
	at := func(d time.Time) *api.OverviewDay {
		return &list[min(max(int(d.Sub(start).Hours()/24), 0), len(list)-1)]
	}
	for _, m := range f.money {
		if m.Kind == "day" {
			d := at(*m.Day)
			d.Amount += money.Decimal(m.Minor)
			d.Backers += m.Backers
		}
	}
	for _, s := range f.settling {
		at(s.Day).Settling += money.Decimal(s.Minor)
	}
	return list
}

// span is the first and the last of the days; false when there is none.
func (f facts) span() (start, end time.Time, ok bool) {
	var known []time.Time // with money
	for _, m := range f.money {
		if m.Kind == "day" {
			known = append(known, *m.Day)
		}
	}
	for _, s := range f.settling {
		known = append(known, s.Day)
	}
	switch {
	case f.FirstDay != nil:
		start = *f.FirstDay
	case len(known) > 0:
		start = known[0]
	}
	end = f.today()
	if f.LastDay != nil && f.LastDay.Before(end) {
		end = *f.LastDay
		for _, d := range known {
			if d.After(end) {
				end = d
			}
		}
	}
	if start.IsZero() || start.After(end) {
		if len(known) == 0 {
			return start, end, false
		}
		start, end = known[0], known[len(known)-1]
	}
	if oldest := end.AddDate(0, 0, 1-mostDays); start.Before(oldest) {
		start = oldest
	}
	return start, end, true
}

// pace is what is missing to the next goal and how fast money comes; nil without a goal that is not reached yet.
func (f facts) pace(days []api.OverviewDay) *api.OverviewPace {
	goal := f.MinGoal
	if goal <= f.Reached {
		goal = f.TargetGoal
	}
	if f.Stage != campaigns.StageFunding || goal <= f.Reached || f.LastDay == nil || f.LastDay.Before(f.today()) {
		return nil
	}
	missing, left := goal-f.Reached, int64(f.LastDay.Sub(f.today()).Hours()/24)+1 // today counts
	recent := days[max(0, len(days)-1-recentDays):max(0, len(days)-1)]            // today is not over
	var came int64
	for _, d := range recent {
		came += int64(d.Amount)
	}
	return &api.OverviewPace{Missing: money.Decimal(missing), DaysLeft: int(left),
		NeededADay: money.Decimal((missing + left - 1) / left), RecentDays: len(recent),
		RecentADay: money.Decimal(came / int64(max(1, len(recent))))}
}

// sources are sorted by amount, the largest first, as moneySQL sorts them.
func (f facts) sources() []api.OverviewSource {
	list := []api.OverviewSource{}
	var rest api.OverviewSource
	for _, m := range f.money {
		switch {
		case m.Kind != "source":
		case *m.Source == "" || len(list) >= mostSources:
			rest.Backers += m.Backers
			rest.Amount += money.Decimal(m.Minor)
		default:
			list = append(list, api.OverviewSource{Source: *m.Source, Backers: m.Backers, Amount: money.Decimal(m.Minor)})
		}
	}
	if rest.Backers > 0 || rest.Amount > 0 {
		list = append(list, rest)
	}
	return list
}

// today is the day in the platform's zone, as PostgreSQL's dates are read: its beginning in UTC.
func (f facts) today() time.Time {
	y, m, d := f.now.In(f.zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

func day(d time.Time) *api.Day { return &types.Date{Time: d} }
