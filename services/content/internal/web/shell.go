package web

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/languages"
)

// Config is the settings that every page gets.
type Config struct {
	PublicURL string
	// StripePublishableKey is the payment provider's publishable key; without it there is no paying by card.
	StripePublishableKey string
	// CardURL is the origin that takes cards from the browser; empty without provider B.
	CardURL string
	// StripeScript is the address of the payment provider's script; empty for the provider's own.
	StripeScript string
	// ProviderTerms are the addresses of the terms that a creator accepts, by the provider who pays them.
	ProviderTerms map[string]string
	// SandboxURL is the sandbox's origin, which the Content-Security-Policy allows; empty with real keys.
	SandboxURL string
}

// Shell serves the app's pages.
type Shell struct {
	config Config
	index  [len(markers) + 1][]byte // the built index.html, split at its markers
	built  built
	api    http.Handler
	share  func(picture string) string
	policy string
}

// markers are the placeholders in index.html, in this order; each is the name of the template that fills it.
var markers = [...]string{"head", "app", "/app", "root", "plain", "data"}

// NewShell reads the built app from webDir. API serves the calls that a page begins with; share returns the path of a
// picture for link previews. Errors: the app is not built, or its index.html lacks a marker.
func NewShell(webDir string, config Config, api http.Handler, share func(picture string) string) (*Shell, error) {
	index, err := os.ReadFile(filepath.Join(webDir, "index.html"))
	if err != nil {
		return nil, fmt.Errorf("the web app is not built (npm run build in frontend): %w", err)
	}
	var parts [len(markers) + 1][]byte
	for i, name := range markers {
		marker := "<!--tk:" + name + "-->"
		before, after, found := bytes.Cut(index, []byte(marker))
		if !found {
			return nil, fmt.Errorf("index.html of the web app lacks %s", marker)
		}
		parts[i], index = before, after
	}
	parts[len(markers)] = index
	built, err := readBuilt(webDir)
	if err != nil {
		return nil, err
	}
	policy := contentSecurityPolicy(config)
	return &Shell{config: config, index: parts, built: built, api: api, share: share, policy: policy}, nil
}

// Unbuilt serves all pages when the app has not been built; the API works without it.
func Unbuilt(c echo.Context) error {
	c.Response().Header().Set("Retry-After", "60")
	return c.String(http.StatusServiceUnavailable, "The web app is not built: run \"npm ci\" and \"npm run build\" in frontend/, then start the content service again.\n")
}

// Handle serves GET and HEAD of every address that is not a call, a picture or an asset; 404 with the app for unknown
// ones. Error: apperr.NotFound for what came as a call, whose prefix the edge has taken off: its answer is never a page.
func (s *Shell) Handle(c echo.Context) error {
	if c.Request().Header.Get("X-Forwarded-Prefix") != "" {
		return apperr.New(apperr.NotFound)
	}
	path := c.Request().URL.Path
	if rest, hasOwn := strings.CutPrefix(path, "/fi"); hasOwn && (rest == "" || rest[0] == '/') { // Finnish has no prefix
		here := url.URL{Path: "/" + strings.TrimLeft(rest, "/"), RawQuery: c.Request().URL.RawQuery}
		return c.Redirect(http.StatusPermanentRedirect, here.String())
	}
	p := describe(path, c.Request().URL.Query(), ask(s.api, c.Request()), s.built)
	if c.Request().URL.RawQuery != "" && !p.IsCover {
		p.file, p.Cards = "", nil // a filter may begin the list with others
	}
	v := s.viewOf(&p)
	var err error
	if v.Data, err = s.dataOf(&p); err != nil {
		return err
	}
	var body bytes.Buffer
	body.Write(bytes.Replace(s.index[0], []byte(`<html lang="fi"`), []byte(`<html lang="`+p.language+`"`), 1))
	for i, name := range markers {
		if err := templates.ExecuteTemplate(&body, name, v); err != nil {
			return fmt.Errorf("render %s of %s: %w", name, p.name, err)
		}
		body.Write(s.index[i+1])
	}
	h := c.Response().Header()
	h.Set("Content-Security-Policy", s.policy)
	h.Set("Cache-Control", "no-cache")
	return c.HTMLBlob(p.status, body.Bytes())
}

// ask calls the service's own API, without the reader's session: pages are the same for everybody.
func ask(own http.Handler, outer *http.Request) caller {
	return func(address string) (int, []byte) {
		r, err := http.NewRequestWithContext(context.WithValue(outer.Context(), shellCallKey{}, true), http.MethodGet, strings.TrimPrefix(address, "/content"), http.NoBody)
		if err != nil {
			return http.StatusInternalServerError, nil
		}
		r.RemoteAddr = outer.RemoteAddr
		answer := &kept{header: http.Header{}, status: http.StatusOK}
		own.ServeHTTP(answer, r)
		return answer.status, bytes.TrimSpace(answer.body.Bytes())
	}
}

// kept records an answer in memory.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *kept) Header() http.Header         { return k.header }
func (k *kept) WriteHeader(status int)      { k.status = status }
func (k *kept) Write(b []byte) (int, error) { return k.body.Write(b) }

type shellCallKey struct{}

// IsShellCall reports whether ctx is that of an API call made by the shell itself.
func IsShellCall(ctx context.Context) bool { return ctx.Value(shellCallKey{}) != nil }

// dataOf is the block of data that the app begins with.
func (s *Shell) dataOf(p *page) (template.HTML, error) {
	data, err := json.Marshal(map[string]any{ // Marshal escapes <, > and & also inside the raw answers
		"config": map[string]any{"sandbox": s.config.SandboxURL != "", "stripe_script": s.config.StripeScript,
			"stripe_publishable_key": s.config.StripePublishableKey, "provider_terms": s.config.ProviderTerms},
		"responses": p.responses,
	})
	if err != nil {
		return "", fmt.Errorf("encode page data: %w", err)
	}
	return template.HTML(`<script type="application/json" id="tk-data">` + string(data) + `</script>`), nil //nolint:gosec // see above
}

// contentSecurityPolicy allows the platform itself, the payment provider and the video platforms; no inline script.
func contentSecurityPolicy(c Config) string {
	cards, sandbox := "", ""
	if c.CardURL != "" {
		cards = " " + c.CardURL
	}
	if c.SandboxURL != "" {
		sandbox = " " + c.SandboxURL
	}
	return strings.Join([]string{
		"default-src 'self'",
		"script-src 'self' https://js.stripe.com https://*.js.stripe.com" + sandbox,
		"style-src 'self' 'unsafe-inline'",
		"img-src 'self' data: blob:" + sandbox,
		"font-src 'self'",
		"media-src 'self' https:",
		"connect-src 'self' https://api.stripe.com" + cards + sandbox,
		"frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com https://www.youtube-nocookie.com https://player.vimeo.com https://w.soundcloud.com https://open.spotify.com" + sandbox,
		"object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
	}, "; ")
}

// platformPicture is the link preview of pages without a picture: a drawn scene.
const platformPicture = "scene-lake-kesayo-talkoot.svg"

// view is the data of the template.
type view struct {
	*page
	Title, Description, Canonical, Image, Locale, Heading, Lead, Paint string
	NoIndex                                                            bool
	Alternates                                                         map[string]string // for search engines
	InOthers                                                           map[string]string // the same page in each language, for readers
	Feeds                                                              []discovery
	Scripts, Styles                                                    []string
	// Picture is the page's first one, nil for none; Preload are the attributes by which the head fetches it.
	Picture *shownPicture
	Preload template.HTMLAttr
	Data    template.HTML
}

// AppWaits reports whether the app's scripts wait until the first picture is painted. Where nothing but words is
// painted, the app is the page.
func (v view) AppWaits() bool { return v.Picture != nil && (v.IsCover || len(v.Cards) > 0) }

var locales = map[string]string{"fi": "fi_FI", "en": "en_GB", "sv": "sv_FI"}

func (s *Shell) viewOf(p *page) view {
	v := view{page: p, Title: p.title, Description: p.description, Locale: locales[p.language], Heading: p.heading, Lead: p.lead,
		Paint: p.paint, NoIndex: p.noIndex, Image: s.config.PublicURL + s.share(cmp.Or(p.image, platformPicture)), Alternates: map[string]string{}, InOthers: map[string]string{}}
	if p.file != "" {
		v.Picture = p.picture.of(p.file)
		// The template would take this list of addresses for one; names are escaped for paths, which leaves no quotes.
		v.Preload = template.HTMLAttr(`imagesrcset="` + v.Picture.Srcset + `"`) //nolint:gosec // see above
	}
	if p.path != "" && !p.noIndex {
		v.Canonical = address(s.config.PublicURL, p.language, p.path)
		for _, l := range languages.All {
			v.Alternates[l] = address(s.config.PublicURL, l, p.path)
		}
	}
	if p.asked != "" {
		for _, l := range languages.All {
			v.InOthers[l] = address(s.config.PublicURL, l, p.asked)
		}
	}
	v.Feeds = s.discoveries(p)
	for _, file := range slices.Concat(s.built.Catalogues[p.language][p.name], s.built.Chunks[p.name]) {
		if strings.HasSuffix(file, ".css") {
			v.Styles = append(v.Styles, file)
		} else {
			v.Scripts = append(v.Scripts, file)
		}
	}
	return v
}

// discovery is a link by which programs find another form of the page: its feed, its oEmbed.
type discovery struct {
	IsFeed      bool // Atom; else oEmbed
	Title, Href string
}

func (s *Shell) discoveries(p *page) []discovery {
	switch {
	case p.campaign != 0:
		page := address(s.config.PublicURL, p.language, p.path)
		return []discovery{{true, p.heading + " – " + p.T("campaignPage.updates"), s.config.PublicURL + updatesFeedPath(p.language, p.campaign)},
			{false, p.heading, s.config.PublicURL + oEmbedPath(page)}}
	case p.hasCampaigns:
		return []discovery{{true, p.T("campaigns.title"), s.config.PublicURL + campaignFeedPath(p.language)}}
	}
	return nil
}

// Names are the languages' own names.
func (view) Names() map[string]string {
	return map[string]string{"fi": "Suomi", "en": "English", "sv": "Svenska"}
}

// InfoNames are the text pages that every page links to.
func (view) InfoNames() []string {
	return []string{"start", "pricing", "money", "terms", "privacy", "accessibility"}
}

// address is the URL of a page in a language.
func address(publicURL, language, path string) string {
	if language == "fi" {
		return publicURL + path
	}
	return publicURL + "/" + language + path
}

//go:embed templates/page.html
var templateText string

var templates = template.Must(template.New("page").Parse(templateText))
