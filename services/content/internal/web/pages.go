package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
)

// page is what the shell says about one address.
type page struct {
	words
	name        string
	status      int
	title       string
	description string
	image       string // file name under /media of the link preview, empty for the platform's own
	path        string // canonical, without the language's prefix
	heading     string // of the first paint
	lead        string
	cover       string // file name under /media, drawn large in the first paint
	paint       string // the first paint's shape, empty for the ordinary one
	noIndex     bool
	// What the page has below its first screen for readers without script.
	Line  string
	Story template.HTML
	// StoryLanguage is that of the story, and of the heading above it.
	StoryLanguage string
	Lists         []list
	Info          infoPage
	responses     map[string]json.RawMessage
}

// asker answers a call of the public API as an anonymous visitor: status and body.
type asker func(address string) (int, []byte)

// answers are those of a page's calls in the order of the table, nil where there was none.
type answers []json.RawMessage

// read takes the answer of a call; the zero value without one.
func read[T any](a answers, call int) (answer T, ok bool) {
	if call >= len(a) || a[call] == nil {
		return answer, false
	}
	return answer, json.Unmarshal(a[call], &answer) == nil
}

// screens fill in what is particular to a page; false when there is no such thing.
var screens = map[string]func(p *page, a answers, params map[string]string, b built) bool{
	"home": home, "campaigns": campaignIndex, "experiments": experimentIndex, "experiment": experiment, "campaign": campaign,
	"post": post, "pledge": step, "thanks": step, "payment-return": plain, "verify-email": plain, "info": info,
}

// describe finds what the shell says about a path. While the API fails nobody knows whether there is a page: then the app
// starts without data and says so itself, and search engines come back later.
func describe(path string, ask asker, b built) page {
	language, rest := splitLanguage(path)
	w := b.in(language)
	e, params := find(rest)
	if e == nil {
		return missing(w)
	}
	p := page{words: w, name: e.Name, status: http.StatusOK, paint: e.Paint, noIndex: e.Private, path: rest, responses: map[string]json.RawMessage{}}
	if !strings.HasSuffix(p.path, "/") {
		p.path += "/"
	}
	if e.Title != "" {
		p.title = w.T(e.Title) + " – " + w.T("site.name")
	}
	if e.Heading != "" {
		p.heading = w.T(e.Heading)
	}
	given, failing := make(answers, len(e.Calls)), false
	for i, call := range e.Calls {
		address := "/content" + fill(call, language, params)
		status, body := ask(address)
		if status == http.StatusOK {
			p.responses[address], given[i] = body, body
		}
		failing = failing || status >= http.StatusInternalServerError
	}
	if e.hasSubject() && given[0] == nil && failing {
		return page{words: w, status: http.StatusServiceUnavailable, title: w.T("site.name"), noIndex: true, responses: map[string]json.RawMessage{}}
	}
	if !screens[e.Name](&p, given, params, b) {
		return missing(w)
	}
	p.description = cmp.Or(p.description, w.T("site.tagline"))
	return p
}

// fill puts a page's parameters into the address of a call.
func fill(call, language string, params map[string]string) string {
	pairs := []string{":language", language}
	for name, value := range params {
		pairs = append(pairs, ":"+name, value)
	}
	return strings.NewReplacer(pairs...).Replace(call)
}

func missing(w words) page {
	title := w.T("errorPage.notFoundTitle")
	return page{words: w, status: http.StatusNotFound, title: title + " – " + w.T("site.name"), heading: title, lead: w.T("errorPage.notFoundText"),
		noIndex: true, responses: map[string]json.RawMessage{}}
}

func home(p *page, a answers, _ map[string]string, _ built) bool {
	p.lead, p.description = p.T("home.lead"), p.T("home.lead")
	popular, _ := read[api.CampaignPreviewsAnswer](a, 0)
	ending, _ := read[api.CampaignPreviewsAnswer](a, 1)
	monthly, _ := read[api.CampaignPreviewsAnswer](a, 2)
	trials, _ := read[api.ExperimentPreviewsAnswer](a, 3)
	if len(popular.Previews) > 0 {
		first := popular.Previews[0]
		p.heading, p.lead, p.cover = first.Title, cmp.Or(first.ShortDescription, first.Tagline), first.ProjectPic
	}
	p.Lists = []list{p.campaigns(p.T("home.funding"), popular.Previews), p.campaigns(p.T("home.ending"), ending.Previews),
		p.campaigns(p.T("footer.monthly"), monthly.Previews), p.experiments(p.T("nav.experiments"), trials.Previews)}
	return true
}

func campaignIndex(p *page, a answers, _ map[string]string, _ built) bool {
	p.lead = p.T("campaigns.lead")
	found, _ := read[api.CampaignPreviewsAnswer](a, 0)
	p.Lists = []list{p.campaigns("", found.Previews)}
	return true
}

func experimentIndex(p *page, a answers, _ map[string]string, _ built) bool {
	p.lead = p.T("experiments.lead")
	found, _ := read[api.ExperimentPreviewsAnswer](a, 0)
	p.Lists = []list{p.experiments("", found.Previews)}
	return true
}

func experiment(p *page, a answers, _ map[string]string, _ built) bool {
	answer, ok := read[api.ExperimentAnswer](a, 0)
	e := answer.Experiment
	p.path = fmt.Sprintf("/experiments/%d/%s/", e.ExperimentID, e.Slug)
	p.title, p.description, p.image = e.Title+" – "+p.T("site.name"), e.ShortDescription, e.Image
	p.heading, p.lead, p.cover = e.Title, e.ShortDescription, e.Image
	p.tell(e.HTMLDescription, e.Language)
	return ok
}

func campaign(p *page, a answers, _ map[string]string, _ built) bool {
	c, ok := p.ofCampaign(a)
	// The app's page leads with the same words, so that nothing is exchanged under the reader's eyes.
	p.heading, p.lead, p.cover = c.Title, cmp.Or(c.ShortDescription, c.Tagline), c.ProjectPic
	p.title = c.Title + " – " + p.T("site.name")
	p.Line = p.lineOf(c.Stage, c.HideFundingAmount, c.FundingReached, c.TargetGoal, c.NumberOfBackers)
	p.tell(c.HTMLDescription, c.Language)
	rewards, _ := read[api.RewardsAnswer](a, 1)
	ofRewards := list{Heading: p.T("campaign.rewards")}
	for _, r := range rewards.Rewards {
		ofRewards.Items = append(ofRewards.Items, item{Title: r.Title, Text: r.Description, Language: c.Language,
			Line: p.Money(money.Decimal(r.Amount) * 100), Path: fmt.Sprintf("/%d/%s/pledge/%d", c.CampaignID, c.Slug, r.RewardID)})
	}
	posts, _ := read[api.PostPreviewsAnswer](a, 2)
	ofPosts := list{Heading: p.T("campaign.updates")}
	for _, post := range posts.Previews {
		ofPosts.Items = append(ofPosts.Items, item{Title: post.Title, Text: post.Intro, Language: post.Language, Path: fmt.Sprintf("%sposts/%d/", p.path, post.ID)})
	}
	p.Lists = []list{ofRewards, ofPosts}
	return ok
}

func post(p *page, a answers, params map[string]string, _ built) bool {
	c, ok := p.ofCampaign(a)
	answer, found := read[api.PostAnswer](a, 1)
	p.Lists = []list{{Items: []item{{Title: p.T("post.backTo", "title", c.Title), Path: p.path, Language: p.language}}}}
	p.path += "posts/" + params["postId"] + "/"
	p.title, p.description = answer.Post.Title+" – "+p.T("site.name"), answer.Post.Intro
	p.heading, p.lead = answer.Post.Title, answer.Post.Intro
	p.tell(answer.Post.Content.HTML, answer.Post.Language)
	return ok && found
}

// step is a page on the way of a pledge, which has the campaign's data.
func step(p *page, a answers, _ map[string]string, _ built) bool {
	_, ok := p.ofCampaign(a)
	return ok
}

func plain(*page, answers, map[string]string, built) bool { return true }

func info(p *page, _ answers, params map[string]string, b built) bool {
	text, ok := b.Info[p.language][params["page"]]
	if !ok {
		return false
	}
	p.title, p.heading, p.Info = text.Title+" – "+p.T("site.name"), text.Title, text
	return true
}

// tell gives the page its story, which is as the API gives it: sanitised when it was written.
func (p *page) tell(html, language string) {
	p.Story, p.StoryLanguage = template.HTML(html), language //nolint:gosec // see above
}

// ofCampaign takes the campaign, which is a page's first call, and its address and picture.
func (p *page) ofCampaign(a answers) (api.Campaign, bool) {
	answer, ok := read[api.CampaignAnswer](a, 0)
	c := answer.Campaign
	p.path = fmt.Sprintf("/%d/%s/", c.CampaignID, c.Slug)
	p.description, p.image = cmp.Or(c.Tagline, c.ShortDescription), c.ProjectPic
	return c, ok
}
