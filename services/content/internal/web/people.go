package web

import (
	"fmt"
	"slices"

	"talkoot.fi/content/internal/api"
)

func peopleIndex(p *page, a answers, _ map[string]string, _ built) bool {
	p.lead, p.description = p.T("people.lead"), p.T("people.lead")
	found, _ := read[api.UserPreviewsAnswer](a, 0)
	l := list{}
	for _, person := range found.Previews {
		l.Items = append(l.Items, item{Title: person.FirstName + " " + person.LastName, Text: person.ShortDescription,
			Path: fmt.Sprintf("/profile/%d/", person.UserID), Language: person.Language})
	}
	p.Lists = []list{l}
	if len(found.Previews) > 0 {
		p.file = found.Previews[0].ImageFilename
	}
	return true
}

func profile(p *page, a answers, _ map[string]string, _ built) bool {
	answer, ok := read[api.PublicProfileAnswer](a, 0)
	who := answer.Profile
	name := who.FirstName + " " + who.LastName
	p.path = fmt.Sprintf("/profile/%d/", who.UserID)
	p.title, p.heading = name+" – "+p.T("site.name"), name
	p.lead, p.description, p.file = who.ShortDescription, who.ShortDescription, who.ImageCollection.Profile.Filename
	experiments := list{Heading: p.T("people.experimentsTitle")}
	for _, e := range who.Experiments {
		experiments.Items = append(experiments.Items, item{Title: e.Title, Text: e.ShortDescription, Language: e.Language,
			Path: fmt.Sprintf("/experiments/%d/%s/", e.ExperimentID, e.Slug)})
	}
	p.Lists = []list{p.campaigns(p.T("people.campaignsTitle"), who.Campaigns), experiments}
	return ok
}

func admin(p *page, _ answers, params map[string]string, _ built) bool {
	section := params["section"]
	if !slices.Contains([]string{"campaigns", "categories", "tags", "home", "people", "audit"}, section) {
		return false
	}
	p.title = p.T("people.staff."+section) + " – " + p.T("site.name")
	return true
}

// moneyDesk is the operators' desk, of which the payment service knows everything.
func moneyDesk(p *page, _ answers, params map[string]string, _ built) bool {
	parts := []string{"", "payments", "anomalies", "runs", "refunds", "webhooks", "switches", "balances", "journal"}
	if !slices.Contains(parts, params["part"]) {
		return false
	}
	p.title = p.T("people.staff.money") + " – " + p.T("site.name")
	return true
}
