package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/labstack/echo/v4"
)

// Config is what the shell tells every page.
type Config struct {
	PublicURL string
	// StripePublishableKey is what the browser shows the payment provider; empty switches paying by card off.
	StripePublishableKey string
	// StripeScript is where the payment provider's script is; empty means the provider's own.
	StripeScript string
	// SandboxURL is the stand-in's origin, allowed beside the provider's; empty with real keys.
	SandboxURL string
}

// Shell answers with the app's page.
type Shell struct {
	config Config
	// The built index.html, cut at its markers.
	head, root, data, rest []byte
	api                    http.Handler
	share                  func(picture string) string
	policy                 string
}

// markers are where index.html is filled, in their order.
var markers = [...]string{"<!--tk:head-->", "<!--tk:root-->", "<!--tk:data-->"}

// NewShell reads the built app from webDir. API answers the calls that a page begins with; share is the path of a
// picture's link preview. Errors: the app is not built, or its index.html lacks a marker.
func NewShell(webDir string, config Config, api http.Handler, share func(picture string) string) (*Shell, error) {
	index, err := os.ReadFile(filepath.Join(webDir, "index.html"))
	if err != nil {
		return nil, fmt.Errorf("the web app is not built (npm run build in frontend): %w", err)
	}
	var parts [4][]byte
	for i, marker := range markers {
		before, after, found := bytes.Cut(index, []byte(marker))
		if !found {
			return nil, fmt.Errorf("index.html of the web app lacks %s", marker)
		}
		parts[i], index = before, after
	}
	parts[3] = index
	return &Shell{config: config, head: parts[0], root: parts[1], data: parts[2], rest: parts[3], api: api, share: share,
		policy: contentSecurityPolicy(config)}, nil
}

// Unbuilt answers for pages when the app has not been built; the API works all the same.
func Unbuilt(c echo.Context) error {
	c.Response().Header().Set("Retry-After", "60")
	return c.String(http.StatusServiceUnavailable, "The web app is not built: run \"npm ci\" and \"npm run build\" in frontend/, then start the content service again.\n")
}

// Handle answers GET and HEAD of every address that is nothing else.
func (s *Shell) Handle(c echo.Context) error {
	p, language := describe(c.Request().URL.Path, ask(s.api, c.Request()))
	var body bytes.Buffer
	body.Write(bytes.Replace(s.head, []byte(`<html lang="fi"`), []byte(`<html lang="`+language+`"`), 1))
	if err := headTemplate.Execute(&body, s.headOf(p, language)); err != nil {
		return fmt.Errorf("render head: %w", err)
	}
	body.Write(s.root)
	if err := rootTemplate.Execute(&body, map[string]string{"Heading": p.heading, "Lead": p.lead, "Cover": p.cover, "Kind": p.kind}); err != nil {
		return fmt.Errorf("render first paint: %w", err)
	}
	body.Write(s.data)
	if err := s.writeData(&body, p); err != nil {
		return err
	}
	body.Write(s.rest)
	h := c.Response().Header()
	h.Set("Content-Security-Policy", s.policy)
	h.Set("Cache-Control", "no-cache")
	return c.HTMLBlob(p.status, body.Bytes())
}

// ask calls the service's own API without the reader's session, because pages are the same for everybody.
func ask(own http.Handler, outer *http.Request) asker {
	return func(address string) (int, []byte) {
		r, err := http.NewRequestWithContext(context.WithValue(outer.Context(), asksKey{}, true), http.MethodGet, strings.TrimPrefix(address, "/content"), http.NoBody)
		if err != nil {
			return http.StatusInternalServerError, nil
		}
		r.RemoteAddr = outer.RemoteAddr
		answer := &kept{header: http.Header{}, status: http.StatusOK}
		own.ServeHTTP(answer, r)
		return answer.status, bytes.TrimSpace(answer.body.Bytes())
	}
}

// kept is an answer that the page reads.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *kept) Header() http.Header         { return k.header }
func (k *kept) WriteHeader(status int)      { k.status = status }
func (k *kept) Write(b []byte) (int, error) { return k.body.Write(b) }

type asksKey struct{}

// Asks reports whether a request of the service's API is one that a page began.
func Asks(ctx context.Context) bool { return ctx.Value(asksKey{}) != nil }

func (s *Shell) writeData(body *bytes.Buffer, p page) error {
	data, err := json.Marshal(map[string]any{ // Marshal escapes <, > and & also inside the raw answers
		"config": map[string]any{"sandbox": s.config.SandboxURL != "", "stripe_script": s.config.StripeScript,
			"stripe_publishable_key": s.config.StripePublishableKey},
		"responses": p.responses,
	})
	if err != nil {
		return fmt.Errorf("encode page data: %w", err)
	}
	body.WriteString(`<script type="application/json" id="tk-data">`)
	body.Write(data)
	body.WriteString(`</script>`)
	return nil
}

// contentSecurityPolicy allows the platform itself, the payment provider and the video platforms; no inline script.
func contentSecurityPolicy(c Config) string {
	sandbox := ""
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
		"connect-src 'self' https://api.stripe.com" + sandbox,
		"frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com https://www.youtube-nocookie.com https://player.vimeo.com https://w.soundcloud.com https://open.spotify.com" + sandbox,
		"object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
	}, "; ")
}

// platformPicture stands for the platform itself in link previews: a scene that the server draws.
const platformPicture = "scene-lake-kesayo-talkoot.svg"

// head is the data of headTemplate.
type head struct {
	Title, Description, Canonical, Image, Locale, Cover string
	NoIndex                                             bool
	Alternates                                          map[string]string
}

func (s *Shell) headOf(p page, language string) head {
	h := head{Title: p.title, Description: p.description, Locale: map[string]string{"fi": "fi_FI", "en": "en_GB", "sv": "sv_FI"}[language],
		NoIndex: p.noIndex, Cover: p.cover, Image: s.config.PublicURL + s.share(cmp.Or(p.image, platformPicture))}
	if p.path != "" && !p.noIndex {
		h.Canonical = address(s.config.PublicURL, language, p.path)
		h.Alternates = map[string]string{}
		for _, l := range []string{"fi", "en", "sv"} {
			h.Alternates[l] = address(s.config.PublicURL, l, p.path)
		}
	}
	return h
}

// address is a page's in a language; Finnish has no prefix.
func address(publicURL, language, path string) string {
	if language == "fi" {
		return publicURL + path
	}
	return publicURL + "/" + language + path
}

var headTemplate = template.Must(template.New("head").Parse(`<title>{{.Title}}</title>
{{with .Description}}<meta name="description" content="{{.}}">
<meta property="og:description" content="{{.}}">
{{end}}<meta property="og:title" content="{{.Title}}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Talkoot">
<meta property="og:locale" content="{{.Locale}}">
<meta property="og:image" content="{{.Image}}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
{{if .NoIndex}}<meta name="robots" content="noindex">
{{end}}{{with .Canonical}}<link rel="canonical" href="{{.}}">
<meta property="og:url" content="{{.}}">
{{end}}{{range $language, $address := .Alternates}}<link rel="alternate" hreflang="{{$language}}" href="{{$address}}">
{{end}}{{with .Cover}}<link rel="preload" as="image" fetchpriority="high" href="/media/960x600/{{.}}">
{{end}}`))

// rootTemplate is what a reader sees until the app is there; its classes are the app's own (styles/first.css).
var rootTemplate = template.Must(template.New("root").Parse(`{{if .Heading}}<main class="tk-first{{with .Kind}} tk-first-{{.}}{{end}}"><div class="tk-first-words"><h1>{{.Heading}}</h1>
{{with .Lead}}<p>{{.}}</p>{{end}}</div>
{{with .Cover}}<img src="/media/960x600/{{.}}" width="960" height="600" alt="">{{end}}</main>{{end}}`))
