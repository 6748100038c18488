package mail

import (
	"bytes"
	"embed"
	"encoding/json"
	"net/http"
	"strconv"
)

//go:embed web
var web embed.FS

const pagePolicy = "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"

// A mail's HTML may style itself and load pictures, and nothing else; sandbox takes scripts, forms
// and its origin away even when it is opened on its own.
const bodyPolicy = "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src * data:; frame-ancestors 'self'"

func (c *Catcher) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /mail/{$}", c.showInbox)
	mux.HandleFunc("GET /mail/inbox.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, web, "web/inbox.css")
	})
	mux.HandleFunc("GET /mail/messages/{id}", c.showMessage)
	mux.HandleFunc("GET /mail/messages/{id}/html", c.showHTML)
	mux.HandleFunc("GET /mail/api/messages", c.listJSON)
	mux.HandleFunc("DELETE /mail/api/messages", c.clearJSON)
	return mux
}

func (c *Catcher) render(w http.ResponseWriter, name string, data any) {
	var out bytes.Buffer
	if err := c.pages.ExecuteTemplate(&out, name, data); err != nil {
		c.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", pagePolicy)
	_, _ = out.WriteTo(w) // a browser that left needs no page
}

func (c *Catcher) fail(w http.ResponseWriter, err error) {
	c.opts.Log.Error("inbox", "error", err)
	http.Error(w, "The inbox could not be read.", http.StatusInternalServerError)
}

type inboxPage struct {
	To       string
	Messages []*Message
}

const pageLength = 200

func (c *Catcher) showInbox(w http.ResponseWriter, r *http.Request) {
	to := r.URL.Query().Get("to")
	found, err := c.store.list(to, pageLength)
	if err != nil {
		c.fail(w, err)
		return
	}
	c.render(w, "inbox.html", inboxPage{To: to, Messages: found})
}

// message returns the message of the path. When there is none it answers 404 and returns nil.
func (c *Catcher) message(w http.ResponseWriter, r *http.Request) *Message {
	m, err := c.store.get(r.PathValue("id"))
	if err != nil {
		c.fail(w, err)
		return nil
	}
	if m == nil {
		http.Error(w, "There is no such message.", http.StatusNotFound)
	}
	return m
}

func (c *Catcher) showMessage(w http.ResponseWriter, r *http.Request) {
	if m := c.message(w, r); m != nil {
		c.render(w, "message.html", m)
	}
}

func (c *Catcher) showHTML(w http.ResponseWriter, r *http.Request) {
	m := c.message(w, r)
	if m == nil {
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", bodyPolicy)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write([]byte(m.HTML)) // a browser that left needs no mail
}

type messageList struct {
	Messages []*Message `json:"messages"`
}

// listJSON answers ?to=address&limit=n, newest first.
func (c *Catcher) listJSON(w http.ResponseWriter, r *http.Request) {
	limit := pageLength
	if v := r.URL.Query().Get("limit"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > Kept {
			http.Error(w, "limit must be a number from 1 to 5000", http.StatusBadRequest)
			return
		}
		limit = n
	}
	found, err := c.store.list(r.URL.Query().Get("to"), limit)
	if err != nil {
		c.fail(w, err)
		return
	}
	raw, err := json.Marshal(messageList{Messages: found})
	if err != nil {
		c.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(raw) // a client that left needs no answer
}

func (c *Catcher) clearJSON(w http.ResponseWriter, _ *http.Request) {
	if err := c.store.clear(); err != nil {
		c.fail(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
