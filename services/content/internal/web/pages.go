package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/writing/richtext"
)

// page is what the shell shows of one address.
type page struct {
	words
	name        string
	status      int
	title       string
	description string
	image       string // file name under /media of the link preview, empty for the platform's own
	path        string // canonical, without the language's prefix
	asked       string // the address as it was asked for, with the part of its query that the page takes
	heading     string // of the first paint
	lead        string
	picture     picture // how the app shows the page's first picture
	file        string  // file name of that picture under /media, empty for none
	IsCover     bool    // the first paint has it, under the heading
	Tries       string  // the field of which each visitor sees another: title, tagline, project_pic
	Cards       []item  // the first row of the page's list, which the first paint has; each with its picture
	paint       string  // the first paint's shape, empty for the ordinary one
	noIndex     bool
	// campaign is the campaign whose page this is, 0 for none; hasCampaigns says that the page lists campaigns.
	campaign     int64
	hasCampaigns bool
	// The page's content for browsers without script.
	Line  string
	Story template.HTML
	// StoryLanguage is that of the story, and of the heading above it.
	StoryLanguage string
	Lists         []list
	Info          infoPage
	// NeedsScript says that the page can do nothing, or not all, without script; Contact is then whom to write to, if anybody.
	NeedsScript, Contact string
	IsSearch             bool   // the page has a form of its own
	Asked                string // what is in it
	responses            map[string]json.RawMessage
}

// caller calls the public API as an anonymous visitor and returns status and body.
type caller func(address string) (int, []byte)

// answers are the bodies of a page's calls in the order of the table, nil for a failed call.
type answers []json.RawMessage

// read decodes the answer to a call; ok is false if it has failed.
func read[T any](a answers, call int) (answer T, ok bool) {
	if call >= len(a) || a[call] == nil {
		return answer, false
	}
	return answer, json.Unmarshal(a[call], &answer) == nil
}

// describe finds the page of a path and makes its calls. While the API fails nobody knows whether the page exists:
// then the answer is 503 with the app, which shows the error, and search engines come back later.
func describe(path string, asked url.Values, ask caller, b built) page {
	language, rest := splitLanguage(path)
	w := b.in(language)
	e, params := find(rest)
	if e == nil {
		return missing(w)
	}
	p := page{words: w, name: e.Name, status: http.StatusOK, paint: e.Paint, picture: e.Picture, noIndex: e.Private,
		path: rest, responses: map[string]json.RawMessage{}}
	if !strings.HasSuffix(p.path, "/") {
		p.path += "/"
	}
	p.asked = p.path
	if len(e.Query) > 0 && asked.Get(e.Query[0]) != "" {
		p.asked += queryOf(e.Query, asked)
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
		if len(e.Query) > 0 {
			if asked.Get(e.Query[0]) == "" {
				continue
			}
			address += queryOf(e.Query, asked)
			params[e.Query[0]] = asked.Get(e.Query[0])
		}
		status, body := ask(address)
		if status == http.StatusOK {
			p.responses[address], given[i] = body, body
		}
		failing = failing || status >= http.StatusInternalServerError
	}
	if e.hasSubject() && len(given) > 0 && given[0] == nil && failing {
		return page{words: w, status: http.StatusServiceUnavailable, title: w.T("site.name"), noIndex: true, responses: map[string]json.RawMessage{}}
	}
	if !screens[e.Name](&p, given, params, b) {
		return missing(w)
	}
	p.description = cmp.Or(p.description, w.T("site.tagline"))
	p.tellOfScript(e, given)
	return p
}

// tellOfScript says what readers without script cannot do. Pages that are not for search engines are forms or one's own.
func (p *page) tellOfScript(e *entry, given answers) {
	switch {
	case e.Private || e.Paint == "page":
		p.NeedsScript = p.T("pledge.noScript")
	case e.Name == "campaign":
		p.NeedsScript = p.T("pledge.noScriptPay")
	}
	if p.NeedsScript == "" || len(e.Calls) == 0 || !strings.HasPrefix(e.Calls[0], "/campaigns/:campaignId/:language/") {
		return
	}
	if a, ok := read[api.CampaignAnswer](given, 0); ok {
		p.Contact = a.Campaign.Settings.ContactEmail
	}
}

// fill replaces the placeholders of a call's address by the page's parameters.
func fill(call, language string, params map[string]string) string {
	pairs := []string{":language", language}
	for name, value := range params {
		pairs = append(pairs, ":"+name, value)
	}
	return strings.NewReplacer(pairs...).Replace(call)
}

// queryOf is the part of a page's query that its calls take, in the order and the spelling of the app.
func queryOf(names []string, asked url.Values) string {
	var parts []string
	for _, name := range names {
		if value := strings.TrimSpace(asked.Get(name)); value != "" {
			parts = append(parts, name+"="+url.QueryEscape(value))
		}
	}
	return "?" + strings.Join(parts, "&")
}

func missing(w words) page {
	title := w.T("errorPage.notFoundTitle")
	return page{words: w, status: http.StatusNotFound, title: title + " – " + w.T("site.name"), heading: title,
		lead: w.T("errorPage.notFoundText"), paint: "missing", noIndex: true, responses: map[string]json.RawMessage{}}
}

func home(p *page, a answers, _ map[string]string, _ built) bool {
	p.lead, p.description = p.T("home.lead"), p.T("home.lead")
	p.hasCampaigns = true
	popular, _ := read[api.CampaignPreviewsAnswer](a, 0)
	ending, _ := read[api.CampaignPreviewsAnswer](a, 1)
	monthly, _ := read[api.CampaignPreviewsAnswer](a, 2)
	trials, _ := read[api.ExperimentPreviewsAnswer](a, 3)
	if len(popular.Previews) > 0 {
		first := popular.Previews[0]
		p.heading, p.lead = first.Title, cmp.Or(first.ShortDescription, first.Tagline)
		p.file, p.IsCover = first.ProjectPic, true
	}
	p.Lists = []list{p.campaigns(p.T("home.funding"), popular.Previews), p.campaigns(p.T("home.ending"), ending.Previews),
		p.campaigns(p.T("footer.monthly"), monthly.Previews), p.experiments(p.T("nav.experiments"), trials.Previews)}
	return true
}

// firstRow is how many cards a wide screen shows side by side.
const firstRow = 3

func campaignIndex(p *page, a answers, _ map[string]string, _ built) bool {
	p.lead = p.T("campaigns.lead")
	p.hasCampaigns = true
	found, _ := read[api.CampaignPreviewsAnswer](a, 0)
	p.Lists = []list{p.campaigns("", found.Previews)}
	if len(found.Previews) > 0 {
		p.file = found.Previews[0].ProjectPic
	}
	for i, c := range found.Previews[:min(firstRow, len(found.Previews))] {
		card := p.Lists[0].Items[i]
		card.Picture = p.picture.of(c.ProjectPic)
		card.Picture.IsLazy = i > 0
		p.Cards = append(p.Cards, card)
	}
	return true
}

func experimentIndex(p *page, a answers, _ map[string]string, _ built) bool {
	p.lead = p.T("experiments.lead")
	found, _ := read[api.ExperimentPreviewsAnswer](a, 0)
	p.Lists = []list{p.experiments("", found.Previews)}
	if len(found.Previews) > 0 {
		p.file = found.Previews[0].Image
	}
	return true
}

func experiment(p *page, a answers, _ map[string]string, _ built) bool {
	answer, ok := read[api.ExperimentAnswer](a, 0)
	e := answer.Experiment
	p.path = fmt.Sprintf("/experiments/%d/%s/", e.ExperimentID, e.Slug)
	p.title, p.description, p.image = e.Title+" – "+p.T("site.name"), e.ShortDescription, e.Image
	p.heading, p.lead, p.file, p.IsCover = e.Title, e.ShortDescription, e.Image, true
	p.setStory(e.HTMLDescription, e.Language)
	return ok
}

func campaign(p *page, a answers, _ map[string]string, _ built) bool {
	c, ok := p.ofCampaign(a)
	// The same texts as at the top of the app's page, so that the first paint does not change when the app starts.
	p.heading, p.lead, p.file, p.IsCover = c.Title, cmp.Or(c.ShortDescription, c.Tagline), c.ProjectPic, true
	p.campaign = c.CampaignID
	p.Tries = tried(c)
	p.title = c.Title + " – " + p.T("site.name")
	p.Line = p.progress(standingOf(c))
	p.setStory(c.HTMLDescription, c.Language)
	rewards, _ := read[api.RewardsAnswer](a, 1)
	ofRewards := list{Heading: p.T("campaignPage.rewards")}
	isMonthly := campaigns.Stage(c.Stage) == campaigns.StageRecurring
	for _, r := range rewards.Rewards {
		line, chosen := p.Money(money.Decimal(r.Amount)*100), r.RewardID
		if isMonthly { // the checkout of monthly support is told the amount
			line, chosen = p.T("campaign.aMonth", "amount", line), int64(r.Amount)
		}
		path := fmt.Sprintf("/%d/%s/pledge/%d", c.CampaignID, c.Slug, chosen)
		if c.Hold != nil { // nobody joins it now
			path = p.path
		}
		ofRewards.Items = append(ofRewards.Items, item{Title: r.Title, Text: r.Description, Language: c.Language, Line: line,
			Path: path})
	}
	posts, _ := read[api.PostPreviewsAnswer](a, 2)
	ofPosts := list{Heading: p.T("campaignPage.updates")}
	for _, post := range posts.Previews {
		ofPosts.Items = append(ofPosts.Items, item{Title: post.Title, Text: post.Intro, Language: post.Language,
			Path: fmt.Sprintf("%sposts/%d/", p.path, post.ID)})
	}
	p.Lists = []list{p.nextGoal(c), ofRewards, ofPosts}
	return ok
}

// tried is the field of which the campaign shows variations; empty for none. Which variation a visitor sees is known in
// the browser only, so the first paint reserves the space of the field and leaves it empty if the app will fill it in.
func tried(c api.Campaign) string {
	if c.ContentVariations == nil || len(*c.ContentVariations) == 0 {
		return ""
	}
	return string((*c.ContentVariations)[0].Field)
}

func post(p *page, a answers, params map[string]string, _ built) bool {
	c, ok := p.ofCampaign(a)
	answer, found := read[api.PostAnswer](a, 1)
	p.Lists = []list{{Items: []item{{Title: p.T("post.backTo", "title", c.Title), Path: p.path, Language: p.language}}}}
	p.path += "posts/" + params["postId"] + "/"
	p.title, p.description = answer.Post.Title+" – "+p.T("site.name"), answer.Post.Intro
	p.heading = answer.Post.Title
	// As on the app's page: a text that begins with its introduction has no lead above it, which would say the same.
	if !strings.HasPrefix(answer.Post.Content.HTML, `<p class="intro">`) {
		p.lead = answer.Post.Intro
	}
	p.setStory(answer.Post.Content.HTML, answer.Post.Language)
	return ok && found
}

// step is a page of the pledge flow, which shows the campaign.
func step(p *page, a answers, _ map[string]string, _ built) bool {
	_, ok := p.ofCampaign(a)
	return ok
}

// begin is the page where a campaign begins.
func begin(p *page, _ answers, _ map[string]string, _ built) bool {
	p.lead, p.description = p.T("begin.lead"), p.T("begin.lead")
	return true
}

// beginExperiment is the page where an experiment begins.
func beginExperiment(p *page, _ answers, _ map[string]string, _ built) bool {
	p.lead, p.description = p.T("beginExperiment.lead"), p.T("beginExperiment.lead")
	return true
}

// recommendations is the test bed of the widget.
func recommendations(p *page, _ answers, _ map[string]string, _ built) bool {
	p.lead, p.description = p.T("recommendations.lead"), p.T("recommendations.lead")
	return true
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

// setStory sets the page's story, HTML that was sanitised when it was written. Its players are links until the app comes,
// which loads one when it is asked for.
func (p *page) setStory(html, language string) {
	linked := richtext.WithLinks(html, func(isVideo bool) string {
		if isVideo {
			return p.T("video.watch")
		}
		return p.T("player.listen")
	})
	p.Story, p.StoryLanguage = template.HTML(linked), language //nolint:gosec // see above
}

// ofCampaign reads the campaign, which is the page's first call, and sets canonical address and picture.
func (p *page) ofCampaign(a answers) (api.Campaign, bool) {
	answer, ok := read[api.CampaignAnswer](a, 0)
	c := answer.Campaign
	p.path = fmt.Sprintf("/%d/%s/", c.CampaignID, c.Slug)
	p.description, p.image = cmp.Or(c.Tagline, c.ShortDescription), c.ProjectPic
	return c, ok
}
