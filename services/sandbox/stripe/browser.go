package stripe

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"

	"talkoot.fi/sandbox/standin"
)

//go:embed web
var web embed.FS

// pages are the browser's side: templates and their texts in fi, en and sv.
type pages struct {
	templates *template.Template
	texts     map[string]map[string]string
}

func loadPages() (*pages, error) {
	templates, err := template.ParseFS(web, "web/*.html")
	if err != nil {
		return nil, fmt.Errorf("parse pages: %w", err)
	}
	raw, err := web.ReadFile("web/texts.json")
	if err != nil {
		return nil, fmt.Errorf("read texts: %w", err)
	}
	p := &pages{templates: templates}
	if err := json.Unmarshal(raw, &p.texts); err != nil {
		return nil, fmt.Errorf("read texts: %w", err)
	}
	return p, nil
}

// language picks fi, en or sv: the asked locale, else the browser's, else English.
func (p *pages) language(r *http.Request, fallback string) string {
	return standin.Language(r, r.FormValue("locale"), fallback)
}

// Any page that loads the script embeds the element frames, so any page may frame them, and they may load its fonts.
const framePolicy = "default-src 'none'; style-src 'self'; font-src http: https:; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors *"
const pagePolicy = "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'"

func (s *Sandbox) page(w http.ResponseWriter, name, policy string, status int, data any) {
	var out bytes.Buffer
	if err := s.pages.templates.ExecuteTemplate(&out, name, data); err != nil {
		s.log.Error("render page", "page", name, "error", err)
		http.Error(w, "The page could not be shown.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = out.WriteTo(w) // a browser that left needs no page
}

func (s *Sandbox) browserRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /stripe.js", s.asset("stripe.js", "text/javascript; charset=utf-8"))
	for name, kind := range map[string]string{
		"element.css": "text/css; charset=utf-8", "pages.css": "text/css; charset=utf-8",
		"card.js": "text/javascript; charset=utf-8", "element.js": "text/javascript; charset=utf-8",
		"challenge.js": "text/javascript; charset=utf-8", "checkout.js": "text/javascript; charset=utf-8",
	} {
		mux.HandleFunc("GET /assets/"+name, s.asset(name, kind))
	}
	mux.HandleFunc("GET /elements/frame", s.elementFrame)
	mux.HandleFunc("GET /3ds/{id}", s.showChallenge)
	mux.HandleFunc("POST /3ds/{id}", s.takeChallengeAnswer)
	mux.HandleFunc("GET /c/pay/{id}", s.showCheckout)
	mux.HandleFunc("POST /c/pay/{id}", s.takePayment)
	mux.HandleFunc("GET /c/return/{id}", s.returnToCheckout)
	mux.HandleFunc("GET /setup/e/{account}/{link}", s.showOnboarding)
	mux.HandleFunc("GET "+expressEnd, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><html lang="en"><title>Express</title><main><h1>Express</h1><p>This page can be closed.</p></main></html>`)
	})
	mux.HandleFunc("POST /setup/e/{account}/{link}", s.takeOnboarding)
	mux.HandleFunc("GET /{$}", s.showHeld)
}

func (s *Sandbox) asset(name, contentType string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		body, err := web.ReadFile("web/" + name)
		if name == "pages.css" {
			body, err = []byte(standin.PagesCSS), nil
		}
		if err != nil {
			http.Error(w, "not found", http.StatusNotFound)
			return
		}
		h := w.Header()
		h.Set("Content-Type", contentType)
		h.Set("Cache-Control", "no-cache")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		h.Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(body) // a browser that left needs no file
	}
}

type elementPage struct {
	Lang string
	T    map[string]string
}

func (s *Sandbox) elementFrame(w http.ResponseWriter, r *http.Request) {
	lang := s.pages.language(r, "")
	s.page(w, "element.html", framePolicy, http.StatusOK, elementPage{Lang: lang, T: s.pages.texts[lang]})
}

type challengePage struct {
	Lang, ID, Amount, Outcome, Back string
	T                               map[string]string
	Embedded, Open                  bool
}

func (s *Sandbox) showChallenge(w http.ResponseWriter, r *http.Request) {
	var ch *secureChallenge
	var of challenged
	err := s.read(&call{}, func(c *call) (err error) {
		ch, of, err = c.challenge(r.PathValue("id"))
		return err
	})
	if err != nil {
		s.pageError(w, r, err)
		return
	}
	s.challengePage(w, r, ch, of)
}

func (s *Sandbox) challengePage(w http.ResponseWriter, r *http.Request, ch *secureChallenge, of challenged) {
	lang := s.pages.language(r, "")
	data := challengePage{
		Lang: lang, T: s.pages.texts[lang], ID: ch.ID, Amount: of.sum(lang),
		Embedded: r.FormValue("embedded") == "1" && ch.ReturnURL == "", Open: ch.State == challengeOpen,
	}
	if !data.Open {
		data.Outcome = string(ch.State)
		if ch.ReturnURL != "" {
			data.Back = ch.returnAddress(of)
		}
	}
	s.page(w, "challenge.html", framePolicy, http.StatusOK, data)
}

func (s *Sandbox) takeChallengeAnswer(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	outcome := r.PostFormValue("outcome")
	if outcome != "pass" && outcome != "fail" {
		http.Error(w, "outcome must be pass or fail", http.StatusBadRequest)
		return
	}
	var ch *secureChallenge
	var of challenged
	err := s.write(&call{}, func(c *call) (err error) {
		ch, of, err = c.answerChallenge(r.PathValue("id"), outcome == "pass")
		return err
	})
	if err != nil && !isCommitting(err) { // a decline after the challenge is an outcome, not a fault
		s.pageError(w, r, err)
		return
	}
	if ch.ReturnURL != "" {
		http.Redirect(w, r, ch.returnAddress(of), http.StatusSeeOther)
		return
	}
	s.challengePage(w, r, ch, of)
}

func (s *Sandbox) pageError(w http.ResponseWriter, r *http.Request, err error) {
	e := s.asAPIError(err, "")
	text := s.pages.texts[s.pages.language(r, "")]
	message := text["other"]
	if e.status == http.StatusNotFound {
		message = text["notFound"]
	}
	http.Error(w, message, e.status)
}

// messageFor is the payer's text for an error of the API.
func (p *pages) messageFor(err error, lang string) string {
	text := p.texts[lang]
	var e *apiError
	if !errors.As(err, &e) {
		return text["other"]
	}
	for _, code := range []string{e.body.DeclineCode, e.body.Code} {
		if m := text[code]; m != "" {
			return m
		}
	}
	return text["other"]
}
