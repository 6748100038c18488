package web

import (
	"fmt"

	"talkoot.fi/content/internal/api"
)

// search is the page of the search, with the hits of what is in its address.
func search(p *page, a answers, params map[string]string, _ built) bool {
	p.IsSearch, p.Asked = true, params["q"]
	if p.Asked == "" {
		return true
	}
	p.heading = "" // the app's says how many hits there are, below the field
	p.title = p.T("search.titleOf", "q", p.Asked) + " – " + p.T("site.name")
	found, ok := read[api.SearchAnswer](a, 0)
	switch {
	case !ok:
		p.Line = p.T("search.failed")
	case found.Total == 0:
		p.Line = p.T("search.none", "word", found.Searched)
		return true
	default:
		p.Line = p.counted("search.result", found.Total, "word", found.Searched)
	}
	for _, g := range found.Groups {
		heading := p.T("search.groups." + string(g.Name))
		switch {
		case g.Campaigns != nil:
			p.Lists = append(p.Lists, p.campaigns(heading, *g.Campaigns))
		case g.Experiments != nil:
			p.Lists = append(p.Lists, p.experiments(heading, *g.Experiments))
		case g.Creators != nil:
			people := list{Heading: heading}
			for _, person := range *g.Creators {
				people.Items = append(people.Items, item{Title: person.FirstName + " " + person.LastName, Text: person.ShortDescription,
					Path: fmt.Sprintf("/profile/%d/", person.UserID), Language: person.Language})
			}
			p.Lists = append(p.Lists, people)
		}
	}
	return true
}
