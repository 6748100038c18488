package forum

import (
	"bytes"
	"crypto/rand"
	"embed"
	"html/template"
	"net/http"
)

//go:embed web
var web embed.FS

var page = template.Must(template.ParseFS(web, "web/forum.html"))

const (
	policy = "default-src 'none'; style-src 'self'; img-src http: https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	// returnPath is where the platform sends the browser back to, as at a Discourse forum.
	returnPath = "/forum/session/sso_login"
	cookieName = "forum_browser"
)

// Handler serves /forum/.
func (f *Forum) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /forum/{$}", f.show)
	mux.HandleFunc("GET /forum/forum.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, web, "web/forum.css")
	})
	mux.HandleFunc("GET /forum/session/sso", f.logIn)
	mux.HandleFunc("GET "+returnPath, f.comeBack)
	mux.HandleFunc("POST /forum/logout", func(w http.ResponseWriter, r *http.Request) {
		f.logOut(browserOf(r))
		http.Redirect(w, r, "/forum/", http.StatusSeeOther)
	})
	return mux
}

// shown is what the page shows.
type shown struct {
	Member   *Member
	Failure  string
	Language string
}

func (f *Forum) show(w http.ResponseWriter, r *http.Request) {
	s := shown{Language: r.URL.Query().Get("language")}
	if m, ok := f.member(browserOf(r)); ok {
		s.Member = &m
	}
	render(w, http.StatusOK, s)
}

func (f *Forum) logIn(w http.ResponseWriter, r *http.Request) {
	browser := browserOf(r)
	if browser == "" {
		browser = rand.Text()
		// #nosec G124 -- a stand-in on this machine, which has no HTTPS
		http.SetCookie(w, &http.Cookie{Name: cookieName, Value: browser, Path: "/forum/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	}
	http.Redirect(w, r, f.begin(browser, r.URL.Query().Get("language")), http.StatusFound)
}

func (f *Forum) comeBack(w http.ResponseWriter, r *http.Request) {
	if err := f.take(browserOf(r), r.URL.Query()); err != nil {
		render(w, http.StatusForbidden, shown{Failure: err.Error()})
		return
	}
	http.Redirect(w, r, "/forum/", http.StatusSeeOther)
}

func browserOf(r *http.Request) string {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return ""
	}
	return cookie.Value
}

func render(w http.ResponseWriter, status int, s shown) {
	var out bytes.Buffer
	if err := page.Execute(&out, s); err != nil {
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = out.WriteTo(w) // a browser that left needs no page
}
