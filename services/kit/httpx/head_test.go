package httpx_test

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/kit/httpx"
)

// With a real server, because that drops the body.
func TestHead_AnswersAsGetWithoutABody(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	server := httptest.NewServer(service(options(&log)))
	ask := func(method, path string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(httpx.RequestIDHeader, "asked-twice")
		res, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		res.Header.Del("Date")
		return res, string(body)
	}
	for path, status := range map[string]int{"/things/7/": 200, "/things/7": 200, "/": 200, "/fields": 422, "/wrapped": 409, "/panic": 500,
		"/limited": 429, "/nowhere": 404, "/healthz": 200, "/readyz": 200} {
		get, text := ask(http.MethodGet, path)
		head, body := ask(http.MethodHead, path)
		if head.StatusCode != status || get.StatusCode != status || body != "" {
			t.Errorf("%s: HEAD %d with %d bytes, GET %d, want %d", path, head.StatusCode, len(body), get.StatusCode, status)
		}
		if head.ContentLength != int64(len(text)) {
			t.Errorf("%s: HEAD tells %d bytes, GET has %d", path, head.ContentLength, len(text))
		}
		if !maps.EqualFunc(head.Header, get.Header, slices.Equal) {
			t.Errorf("%s: HEAD has %v, GET %v", path, head.Header, get.Header)
		}
	}
	if res, _ := ask(http.MethodHead, "/orders/"); res.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("HEAD of what cannot be read: %d, want 405", res.StatusCode)
	}
	server.Close() // waits for the requests, and with them for their log lines
	if !strings.Contains(log.String(), `"method":"HEAD","route":"/things/:id"`) {
		t.Errorf("the log takes HEAD for another method: %s", log.String())
	}
}
