package overview

import (
	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
)

const (
	// postEvery is after how many days without a post an open campaign's backers should hear again.
	postEvery = 10
	// fewLeft: a limited reward is running out when at most 1/fewLeft of its stock is left.
	fewLeft = 10
	// accountBefore is how many days before the end of funding, the last day included, a missing account is urgent.
	accountBefore = 7
	// mostNext is how many things to do are listed at most.
	mostNext = 4
)

// next is what the team should do next, the most urgent first: what prevents the opening; a missing payment account if
// money is to be paid out soon; what loses backers now; what would bring more. Without money to pay out a missing
// account costs nothing yet, so it comes near the end.
func (f facts) next() (list []api.OverviewNext) {
	list = []api.OverviewNext{}
	add := func(when bool, n api.OverviewNext) {
		if when && len(list) < mostNext {
			list = append(list, n)
		}
	}
	account := api.OverviewNext{Kind: api.OverviewNextKindPaymentAccount}
	open := f.Stage == campaigns.StageFunding || f.Stage == campaigns.StageRecurring
	draft := f.Stage == campaigns.StageDraft
	before := draft || f.Stage == campaigns.StagePreparing
	add(before && f.notes > 0, api.OverviewNext{Kind: api.OverviewNextKindMendNotes, Count: &f.notes})
	add(draft && f.checklist > 0, api.OverviewNext{Kind: api.OverviewNextKindFinishChecklist, Count: &f.checklist})
	add(draft && f.notes == 0 && f.checklist == 0 && f.mayAsk, api.OverviewNext{Kind: api.OverviewNextKindAskReview})
	add(!f.hasAccount && f.paysOutSoon(), account)
	if open {
		for _, r := range f.rewards {
			left := r.Stock - r.StockReserved
			add(r.Active == 1 && r.Stock > 0 && left*fewLeft <= r.Stock,
				api.OverviewNext{Kind: api.OverviewNextKindRewardRunningOut, Count: &left, Title: &r.Title})
		}
	}
	if n := len(f.posts); n == 0 {
		add(open, api.OverviewNext{Kind: api.OverviewNextKindFirstPost})
	} else {
		days := int(f.now.Sub(f.posts[n-1].PublishedAt).Hours() / 24)
		add(open && days >= postEvery, api.OverviewNext{Kind: api.OverviewNextKindPostDue, Days: &days})
	}
	has := map[string]bool{}
	for _, language := range f.Languages {
		has[language] = true
	}
	for _, language := range languages.All {
		add((open || before) && !has[language], api.OverviewNext{Kind: api.OverviewNextKindTranslationMissing,
			Language: &language})
	}
	add(!f.hasAccount && (open || before) && !f.paysOutSoon(), account)
	add(open, api.OverviewNext{Kind: api.OverviewNextKindShare})
	return list
}

// paysOutSoon reports whether money is, or within accountBefore days will be, ready to leave for the team's account.
func (f facts) paysOutSoon() bool {
	switch f.Stage {
	case campaigns.StageSucceeded, campaigns.StageRecurring:
		return true
	case campaigns.StageFunding:
		return f.LastDay != nil && f.LastDay.Before(f.today().AddDate(0, 0, accountBefore))
	default:
		return false
	}
}
