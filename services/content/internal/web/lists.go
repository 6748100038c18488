package web

import (
	"fmt"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaigns"
)

// list is things to read, each with its page.
type list struct {
	Heading string
	Items   []item
}

type item struct {
	Title, Text, Line string
	Path              string // without the language's prefix
	Language          string // of title and text
}

func (w words) campaigns(heading string, previews []api.CampaignPreview) list {
	l := list{Heading: heading}
	for _, c := range previews {
		l.Items = append(l.Items, item{Title: c.Title, Text: c.Tagline, Path: fmt.Sprintf("/%d/%s/", c.CampaignID, c.Slug), Language: c.Language,
			Line: w.lineOf(c.Stage, c.HideFundingAmount, c.FundingReached, c.TargetGoal, c.NumberOfBackers)})
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

// lineOf says how a campaign stands: its sum and goal unless they are hidden, and its backers.
func (w words) lineOf(stage int, isHidden bool, raised, goal money.Decimal, backers int) string {
	switch {
	case campaigns.Stage(stage) == campaigns.StageRecurring:
		return w.T("stage.recurring")
	case isHidden:
		return w.Count("campaign.backersCount", backers)
	}
	return w.Money(raised) + " " + w.T("campaign.raisedOf", "goal", w.Money(goal)) + " · " + w.Count("campaign.backersCount", backers)
}
