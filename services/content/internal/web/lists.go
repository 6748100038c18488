package web

import (
	"fmt"
	"strings"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
)

// list is a list of links with texts.
type list struct {
	Heading string
	Items   []item
}

type item struct {
	Title, Text, Line string
	Path              string // without the language's prefix
	Language          string // of title and text
	Picture           *shownPicture
}

func (w words) campaigns(heading string, previews []api.CampaignPreview) list {
	l := list{Heading: heading}
	for _, c := range previews {
		l.Items = append(l.Items, item{Title: c.Title, Text: c.Tagline, Path: fmt.Sprintf("/%d/%s/", c.CampaignID, c.Slug), Language: c.Language,
			Line: w.progress(standing{c.Stage, c.HideFundingAmount, c.HideMemberCount, c.FundingReached, c.TargetGoal,
				c.NumberOfBackers, c.Subscriptions})})
	}
	return l
}

func (w words) experiments(heading string, previews []api.ExperimentPreview) list {
	l := list{Heading: heading}
	for _, e := range previews {
		l.Items = append(l.Items, item{Title: e.Title, Text: e.ShortDescription, Path: fmt.Sprintf("/experiments/%d/%s/", e.ExperimentID, e.Slug), Language: e.Language})
	}
	return l
}

// standing is what a campaign and its preview say of how it is doing.
type standing struct {
	stage                        int
	isMoneyHidden, isCountHidden bool
	raised, goal                 money.Decimal
	backers                      int
	monthly                      *api.Subscriptions
}

// standingOf is that of a campaign.
func standingOf(c api.Campaign) standing {
	return standing{c.Stage, c.HideFundingAmount, c.HideMemberCount, c.FundingReached, c.TargetGoal, c.NumberOfBackers, c.Subscriptions}
}

// progress is a campaign's progress: money and goal, and backers, unless they are hidden.
func (w words) progress(s standing) string {
	var parts []string
	sum := w.Money(s.raised) + " " + w.T("campaign.raisedOf", "goal", w.Money(s.goal))
	count := w.Count("campaignPage.backersCount", s.backers)
	if campaigns.Stage(s.stage) == campaigns.StageRecurring {
		parts = append(parts, w.T("stage.recurring"))
		var m api.Subscriptions
		if s.monthly != nil {
			m = *s.monthly
		}
		sum = w.T("campaign.aMonth", "amount", w.Money(m.SubscriptionsAmountTotal))
		count = w.Count("campaign.supporters", m.SubscriptionsSubscribersCount)
	}
	if s.isMoneyHidden {
		parts = append(parts, w.T("progress.hidden"))
	} else {
		parts = append(parts, sum)
	}
	if !s.isCountHidden {
		parts = append(parts, count)
	}
	return strings.Join(parts, " · ")
}

// nextGoal is the first goal of monthly support above what is reached; an empty list when there is none.
func (p *page) nextGoal(c api.Campaign) list {
	if c.Subscriptions == nil {
		return list{}
	}
	for _, g := range c.Subscriptions.SubscriptionsGoals { // by target
		if g.Target > c.Subscriptions.SubscriptionsSubscribersCount {
			title := p.T("home.nextStep", "title", g.Title, "supporters", p.Count("campaign.supporters", g.Target))
			return list{Heading: p.T("campaignPage.goals"), Items: []item{{Title: title, Text: g.Description, Language: c.Language, Path: p.path + "#goals"}}}
		}
	}
	return list{}
}
