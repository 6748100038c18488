package app_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"sync"
	"testing"

	"talkoot.fi/payments/internal/app"
)

// between stands between the service and its provider, and may answer in the provider's place or change an answer.
type between struct {
	mu     sync.Mutex
	answer func(rw http.ResponseWriter, r *http.Request) bool // true: it has answered
	change func(r *http.Request, body []byte) []byte
}

func (b *between) set(answer func(rw http.ResponseWriter, r *http.Request) bool, change func(r *http.Request, body []byte) []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answer, b.change = answer, change
}

func (b *between) hooks() (func(http.ResponseWriter, *http.Request) bool, func(*http.Request, []byte) []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.answer, b.change
}

// newWorldBetween is a world whose calls to the provider go through b.
func newWorldBetween(t *testing.T, options ...option) (*world, *between) {
	t.Helper()
	b := &between{}
	options = append(options, func(c *app.Config) {
		target := mustURL(t, c.StripeAPIURL)
		proxy := &httputil.ReverseProxy{
			Rewrite:  func(p *httputil.ProxyRequest) { p.SetURL(&target) },
			ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
			ModifyResponse: func(res *http.Response) error {
				_, change := b.hooks()
				if change == nil {
					return nil
				}
				body, err := io.ReadAll(res.Body)
				if err != nil {
					return err
				}
				body = change(res.Request, body)
				res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
				res.Header.Del("Content-Length")
				return nil
			},
		}
		server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if answer, _ := b.hooks(); answer != nil && answer(rw, r) {
				return
			}
			proxy.ServeHTTP(rw, r)
		}))
		t.Cleanup(server.Close)
		c.StripeAPIURL = server.URL
	})
	return newWorld(t, options...), b
}

func isCall(r *http.Request, method, path string) bool {
	return r.Method == method && strings.HasPrefix(r.URL.Path, path)
}

// refuse answers with an error of the provider's own shape.
func refuse(rw http.ResponseWriter, status int, body string) bool {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(status)
	_, _ = io.WriteString(rw, `{"error":`+body+`}`)
	return true
}
