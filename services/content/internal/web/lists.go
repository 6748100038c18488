package web

import (
	"fmt"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaigns"
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
			Line: w.progress(c.Stage, c.HideFundingAmount, c.FundingReached, c.TargetGoal, c.NumberOfBackers)})
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

// progress is a campaign's progress: money and goal unless they are hidden, and backers.
func (w words) progress(stage int, isHidden bool, raised, goal money.Decimal, backers int) string {
	switch {
	case campaigns.Stage(stage) == campaigns.StageRecurring:
		return w.T("stage.recurring")
	case isHidden:
		return w.Count("campaignPage.backersCount", backers)
	}
	return w.Money(raised) + " " + w.T("campaign.raisedOf", "goal", w.Money(goal)) + " · " + w.Count("campaignPage.backersCount", backers)
}
