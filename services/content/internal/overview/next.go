package overview

import (
	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaigns"
	"talkoot.fi/content/internal/languages"
)

const (
	// postEvery is after how many days without a post an open campaign's backers should hear again.
	postEvery = 10
	// fewLeft is the share of a limited reward, one of so many, that is running out.
	fewLeft = 10
	// mostNext is how many things to do are told at once.
	mostNext = 4
)

// next is what the team should do next, the most urgent first: what keeps the campaign from opening, what keeps money from
// them, what loses backers now, then what would bring more.
func (f facts) next() (list []api.OverviewNext) {
	list = []api.OverviewNext{}
	add := func(when bool, n api.OverviewNext) {
		if when && len(list) < mostNext {
			list = append(list, n)
		}
	}
	open := f.Stage == campaigns.StageFunding || f.Stage == campaigns.StageRecurring
	before := f.Stage == campaigns.StageDraft || f.Stage == campaigns.StagePreparing
	over := f.Stage == campaigns.StageClosed || f.Stage == campaigns.StageNotReached
	add(before && f.notes > 0, api.OverviewNext{Kind: api.OverviewNextKindMendNotes, Count: &f.notes})
	add(f.Stage == campaigns.StageDraft && f.checklist > 0, api.OverviewNext{Kind: api.OverviewNextKindFinishChecklist, Count: &f.checklist})
	add(!over && !f.hasAccount, api.OverviewNext{Kind: api.OverviewNextKindPaymentAccount})
	if open {
		for _, r := range f.rewards {
			left := r.Stock - r.StockReserved
			add(r.Active == 1 && r.Stock > 0 && left*fewLeft <= r.Stock, api.OverviewNext{Kind: api.OverviewNextKindRewardRunningOut, Count: &left, Title: &r.Title})
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
		add((open || before) && !has[language], api.OverviewNext{Kind: api.OverviewNextKindTranslationMissing, Language: &language})
	}
	add(open, api.OverviewNext{Kind: api.OverviewNextKindShare})
	return list
}
