package app_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"

	"talkoot.fi/content/internal/app"
)

// decompressed is the decompressed body of an answer.
func decompressed(t *testing.T, answer *httptest.ResponseRecorder) []byte {
	t.Helper()
	if answer.Header().Get("Content-Encoding") != "gzip" {
		return answer.Body.Bytes()
	}
	if got := answer.Header().Get("Content-Length"); got != fmt.Sprint(answer.Body.Len()) {
		t.Errorf("Content-Length %s of %d bytes", got, answer.Body.Len())
	}
	r, err := gzip.NewReader(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestCompression_OfPagesAndPublicAnswersForWhoAcceptsIt(t *testing.T) {
	p := setupDemo(t)
	reader := p.token(t, p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`))
	campaign := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	for _, c := range []struct {
		name, address string
		headers       []string
		status        int
		compressed    bool
	}{
		{"the home page", "/", nil, 200, true},
		{"a campaign's page", fmt.Sprintf("/%d/x/", campaign), nil, 200, true},
		{"the sitemap", "/sitemap.xml", nil, 200, true},
		{"a list", "/campaigns/preview/fi/?limit=24", nil, 200, true},
		{"a campaign", fmt.Sprintf("/campaigns/%d/fi/", campaign), nil, 200, true},
		{"a list for who takes no gzip", "/campaigns/preview/fi/?limit=24", []string{"Accept-Encoding", "br, gzip;q=0"}, 200, false},
		{"what is small", "/campaigns/999999/fi/", nil, 404, false},
		{"an answer to who is signed in", "/campaigns/preview/fi/?limit=24", bearer(reader), 200, false},
		{"a profile", "/users/me/profile/", bearer(reader), 200, false},
	} {
		for _, round := range []string{"compressed now", "cached"} {
			plain := call(t.Context(), p.handler, "GET", c.address, "", slices.Concat(c.headers, []string{"Accept-Encoding", ""})...)
			answer := call(t.Context(), p.handler, "GET", c.address, "", slices.Concat([]string{"Accept-Encoding", "gzip, br"}, c.headers)...)
			if answer.Code != c.status || plain.Code != c.status {
				t.Errorf("%s: %d, plain %d, want %d", c.name, answer.Code, plain.Code, c.status)
			}
			if got := answer.Header().Get("Content-Encoding") == "gzip"; got != c.compressed || plain.Header().Get("Content-Encoding") != "" {
				t.Errorf("%s, %s: is compressed: %t, want %t", c.name, round, got, c.compressed)
			}
			if c.compressed && answer.Body.Len() >= plain.Body.Len()/2 {
				t.Errorf("%s: %d bytes compressed, %d plain", c.name, answer.Body.Len(), plain.Body.Len())
			}
			if c.status == 200 && !bytes.Equal(decompressed(t, answer), plain.Body.Bytes()) {
				t.Errorf("%s, %s: another body than the plain one", c.name, round)
			}
			for _, a := range []*httptest.ResponseRecorder{answer, plain} {
				if !slices.Contains(a.Header().Values("Vary"), "Accept-Encoding") {
					t.Errorf("%s: Vary is %q: a cache would give it to who cannot read it", c.name, a.Header().Values("Vary"))
				}
			}
		}
	}
}

func TestCompression_AWeakETagStillSavesTheBody(t *testing.T) {
	p := setupDemo(t, func(o *app.Options, _ *dbtest.DB) { o.Shared = time.Second })
	const address = "/campaigns/preview/fi/?limit=24"
	tag := call(t.Context(), p.handler, "GET", address, "", "Accept-Encoding", "gzip").Header().Get("ETag")
	if plain := call(t.Context(), p.handler, "GET", address, "").Header().Get("ETag"); tag != plain || !strings.HasPrefix(tag, "W/") {
		t.Errorf("tag %s, plain %s", tag, plain)
	}
	again := call(t.Context(), p.handler, "GET", address, "", "Accept-Encoding", "gzip", "If-None-Match", tag)
	if again.Code != http.StatusNotModified || again.Body.Len() != 0 || again.Header().Get("Content-Encoding") != "" {
		t.Errorf("asked again: %d, %d bytes, %v", again.Code, again.Body.Len(), again.Header())
	}
}
