package paymentstest

import (
	"bytes"
	"encoding/json"
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

// Between stands between the service and its provider, and may answer in the provider's place or change an answer.
type Between struct {
	mu     sync.Mutex
	answer func(rw http.ResponseWriter, r *http.Request) bool
	change func(r *http.Request, body []byte) []byte
}

// Set has answer asked first, which reports whether it has answered, and change afterwards; nil is neither.
func (b *Between) Set(answer func(rw http.ResponseWriter, r *http.Request) bool,
	change func(r *http.Request, body []byte) []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answer, b.change = answer, change
}

func (b *Between) hooks() (func(http.ResponseWriter, *http.Request) bool, func(*http.Request, []byte) []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.answer, b.change
}

// NewBetween is a world whose calls to the provider go through a Between.
func NewBetween(t *testing.T, options ...Option) (*World, *Between) {
	t.Helper()
	b := &Between{}
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
	return New(t, options...), b
}

// IsCall reports whether a request is of a method and begins with a path.
func IsCall(r *http.Request, method, path string) bool {
	return r.Method == method && strings.HasPrefix(r.URL.Path, path)
}

// Refuse answers with an error of the provider's own shape.
func Refuse(rw http.ResponseWriter, status int, body string) bool {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(status)
	_, _ = io.WriteString(rw, `{"error":`+body+`}`)
	return true
}

// RewriteDisputes changes each dispute that the provider lists before it comes to us.
func (b *Between) RewriteDisputes(change func(dispute map[string]any)) {
	b.Set(nil, func(r *http.Request, body []byte) []byte {
		if !strings.HasPrefix(r.URL.Path, "/v1/disputes") {
			return body
		}
		var list map[string]any
		if json.Unmarshal(body, &list) != nil {
			return body
		}
		for _, d := range list["data"].([]any) {
			change(d.(map[string]any))
		}
		out, err := json.Marshal(list)
		if err != nil {
			return body
		}
		return out
	})
}
