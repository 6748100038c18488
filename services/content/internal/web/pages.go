package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"talkoot.fi/content/internal/api"
)

// page is what the shell says about one address.
type page struct {
	status      int
	title       string
	description string
	image       string // file name under /media of the link preview, empty for the platform's own
	path        string // canonical, without the language's prefix
	heading     string // of the first paint
	lead        string
	cover       string // file name under /media, drawn large in the first paint
	kind        string // of the first paint's shape, empty for the ordinary one
	noIndex     bool
	failing     bool // the API could not say whether there is such a thing
	responses   map[string]json.RawMessage
}

// asker answers a call of the public API as an anonymous visitor: status and body.
type asker func(address string) (int, []byte)

// route is one kind of page.
type route struct {
	pattern *regexp.Regexp // of the path without the language's prefix
	build   func(p *page, language string, match []string, ask asker)
}

// routes in the order they are tried. Addresses that match none are pages of the app without data, or its 404.
var routes = []route{
	{regexp.MustCompile(`^/$`), home},
	{regexp.MustCompile(`^/campaigns/?$`), campaignIndex},
	{regexp.MustCompile(`^/experiments/?$`), experimentIndex},
	{regexp.MustCompile(`^/experiments/(\d{1,18})(?:/[^/]*)?/?$`), experiment},
	{regexp.MustCompile(`^/(\d{1,18})(?:/[^/]*)?/?$`), campaign},
	{regexp.MustCompile(`^/(\d{1,18})/[^/]+/posts/(\d{1,18})/?$`), post},
	{regexp.MustCompile(`^/(\d{1,18})/[^/]+/(pledge|thanks|subscription-success)(?:/[^/]*)?/?$`), campaignStep},
	{regexp.MustCompile(`^/(?:payment-return|verify-email|info/[a-z-]+)/?$`), plain},
}

// words are the shell's own texts; everything else comes from the content.
var words = map[string]struct{ name, home, lead, campaigns, experiments, notFound string }{
	"fi": {"Talkoot", "Joukkorahoitusta ja kokeiluja yhdessä", "Kukin tuo, mitä on. Kymppi, ilta tai hyvä ajatus.",
		"Kampanjat", "Kokeilut", "Tätä sivua ei löydy"},
	"en": {"Talkoot", "Crowdfunding and experiments, together", "Everyone brings what they have. A tenner, an evening or a good idea.",
		"Campaigns", "Experiments", "This page is not to be found"},
	"sv": {"Talkoot", "Gräsrotsfinansiering och experiment tillsammans", "Var och en bidrar med det den har. En tia, en kväll eller en god idé.",
		"Kampanjer", "Experiment", "Den här sidan finns inte"},
}

func home(p *page, language string, _ []string, ask asker) {
	w := words[language]
	p.path, p.title, p.description = "/", w.name+" – "+w.home, w.lead
	popular := p.take(ask, "/content/campaigns/preview/"+language+"/?limit=7&sort=popular")
	p.take(ask, "/content/campaigns/preview/"+language+"/?limit=3&sort=ending")
	p.take(ask, "/content/campaigns/preview/subscriptions/"+language+"/?limit=3&sort=popular")
	p.take(ask, "/content/experiments/preview/"+language+"/?limit=4&sort=activity")
	p.take(ask, "/content/campaigns/categories/?language="+language)
	var list api.CampaignPreviewsAnswer
	p.heading, p.lead, p.kind = w.home, w.lead, "home"
	if json.Unmarshal(popular, &list) == nil && len(list.Previews) > 0 {
		first := list.Previews[0]
		p.heading, p.lead, p.cover = first.Title, cmp.Or(first.ShortDescription, first.Tagline), first.ProjectPic
	}
}

func campaignIndex(p *page, language string, _ []string, ask asker) {
	w := words[language]
	p.path, p.title, p.heading = "/campaigns/", w.campaigns+" – "+w.name, w.campaigns
	p.description = w.lead
	p.take(ask, "/content/campaigns/categories/?language="+language)
	p.take(ask, "/content/v6/campaigns/preview/"+language+"/?limit=24&offset=0")
}

func experimentIndex(p *page, language string, _ []string, ask asker) {
	w := words[language]
	p.path, p.title, p.heading, p.description = "/experiments/", w.experiments+" – "+w.name, w.experiments, w.lead
	p.take(ask, "/content/experiments/preview/"+language+"/?limit=24&offset=0")
}

func experiment(p *page, language string, match []string, ask asker) {
	body := p.take(ask, "/content/experiments/"+match[1]+"/"+language+"/")
	var answer api.ExperimentAnswer
	if body == nil || json.Unmarshal(body, &answer) != nil {
		p.missing(language)
		return
	}
	e := answer.Experiment
	p.path = fmt.Sprintf("/experiments/%d/%s/", e.ExperimentID, e.Slug)
	p.title, p.description, p.image = e.Title+" – "+words[language].name, e.ShortDescription, e.Image
	p.heading, p.lead, p.cover = e.Title, e.ShortDescription, e.Image
}

func campaign(p *page, language string, match []string, ask asker) {
	c, ok := p.takeCampaign(language, match[1], ask)
	if !ok {
		return
	}
	base := "/content/campaigns/" + match[1]
	p.take(ask, base+"/rewards/"+language+"/")
	p.take(ask, base+"/posts/preview/?language="+language+"&limit=3")
	p.take(ask, base+"/backers/?limit=6")
	p.path = fmt.Sprintf("/%d/%s/", c.CampaignID, c.Slug)
}

// campaignStep is a page on the way of a pledge: it has the campaign's data, and search engines leave it alone.
func campaignStep(p *page, language string, match []string, ask asker) {
	c, ok := p.takeCampaign(language, match[1], ask)
	if !ok {
		return
	}
	p.take(ask, "/content/campaigns/"+match[1]+"/rewards/"+language+"/")
	p.path, p.noIndex, p.cover = fmt.Sprintf("/%d/%s/", c.CampaignID, c.Slug), true, ""
	if match[2] == "pledge" {
		p.kind = "checkout"
	}
}

func post(p *page, language string, match []string, ask asker) {
	c, ok := p.takeCampaign(language, match[1], ask)
	if !ok {
		return
	}
	var answer api.PostAnswer
	body := p.take(ask, "/content/campaigns/"+match[1]+"/posts/"+match[2]+"/")
	if body == nil || json.Unmarshal(body, &answer) != nil {
		p.missing(language)
		return
	}
	p.path = fmt.Sprintf("/%d/%s/posts/%s/", c.CampaignID, c.Slug, match[2])
	p.title, p.description = answer.Post.Title+" – "+c.Title, answer.Post.Intro
	p.heading, p.lead, p.cover = answer.Post.Title, answer.Post.Intro, ""
}

func plain(p *page, language string, _ []string, _ asker) {
	p.title, p.noIndex = words[language].name, true
}

// takeCampaign asks for the campaign and fills the page with it; false when readers have no such campaign.
func (p *page) takeCampaign(language, id string, ask asker) (api.Campaign, bool) {
	var answer api.CampaignAnswer
	body := p.take(ask, "/content/campaigns/"+id+"/"+language+"/")
	if body == nil || json.Unmarshal(body, &answer) != nil {
		p.missing(language)
		return api.Campaign{}, false
	}
	c := answer.Campaign
	p.title, p.description, p.image = c.Title+" – "+words[language].name, c.Tagline, c.ProjectPic
	if p.description == "" {
		p.description = c.ShortDescription
	}
	// The app's page leads with the same words, so that nothing is exchanged under the reader's eyes.
	p.heading, p.lead, p.cover = c.Title, cmp.Or(c.ShortDescription, c.Tagline), c.ProjectPic
	return c, true
}

// take asks the API and keeps a good answer for the app; nil when there is none.
func (p *page) take(ask asker, address string) json.RawMessage {
	status, body := ask(address)
	if status != http.StatusOK {
		p.failing = p.failing || status >= http.StatusInternalServerError
		return nil
	}
	p.responses[address] = body
	return body
}

// missing makes it the page of what is not there. While the API fails nobody knows that: then the app starts without
// data and says so itself, and search engines come back later.
func (p *page) missing(language string) {
	w := words[language]
	if p.failing {
		*p = page{status: http.StatusServiceUnavailable, title: w.name, noIndex: true, responses: map[string]json.RawMessage{}}
		return
	}
	*p = page{status: http.StatusNotFound, title: w.notFound + " – " + w.name, heading: w.notFound, noIndex: true,
		responses: map[string]json.RawMessage{}}
}

// callNotPage are calls of the API that have the form of a page's address.
var callNotPage = regexp.MustCompile(`^/experiments/\d{1,18}/(?i:fi|en|sv)/?$`)

// IsPage reports whether a path is one that the app has a page for.
func IsPage(path string) bool {
	_, rest := splitLanguage(path)
	if rest == path && callNotPage.MatchString(path) {
		return false
	}
	for _, r := range routes {
		if r.pattern.MatchString(rest) {
			return true
		}
	}
	return false
}

// splitLanguage takes the language's prefix from a page's path.
func splitLanguage(path string) (language, rest string) {
	for _, l := range []string{"en", "sv"} {
		if path == "/"+l || strings.HasPrefix(path, "/"+l+"/") {
			return l, "/" + strings.TrimPrefix(strings.TrimPrefix(path, "/"+l), "/")
		}
	}
	return "fi", path
}

// describe finds what the shell says about a path.
func describe(path string, ask asker) (page, string) {
	language, rest := splitLanguage(path)
	p := page{status: http.StatusOK, responses: map[string]json.RawMessage{}}
	for _, r := range routes {
		if match := r.pattern.FindStringSubmatch(rest); match != nil {
			r.build(&p, language, match, ask)
			return p, language
		}
	}
	p.missing(language)
	return p, language
}
