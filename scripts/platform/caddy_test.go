//go:build unix

package platform_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

const caddyfile = "../../deploy/edge/Caddyfile"

// caddy finds the edge of installations, which takes minutes to build: make edge.
func caddy() (program string, found bool) {
	program, err := filepath.Abs("../../bin/edge")
	if err != nil {
		return "", false
	}
	_, err = os.Stat(program)
	return program, err == nil
}

func needCaddy(t *testing.T) string {
	t.Helper()
	program, found := caddy()
	if !found {
		t.Skip("LEFT OUT: the edge of installations is not built here; make edge does, and tests it")
	}
	return program
}

// startCaddy starts it before two services, with a few variables more, and returns its address.
func startCaddy(t *testing.T, program string, content, payments *url.URL, more []string) string {
	t.Helper()
	web, health := freePort(t), freePort(t)
	cmd := exec.CommandContext(t.Context(), program, "run", "--config", caddyfile)
	cmd.Env = append([]string{
		"CONTENT_URL=" + content.String(), "PAYMENTS_URL=" + payments.String(), "HOME=" + t.TempDir(), "EDGE_WEB_DIR=/nowhere",
		"EDGE_HTTP_PORT=" + strconv.Itoa(web), "EDGE_HEALTH_PORT=" + strconv.Itoa(health), "EDGE_HTTPS_PORT=" + strconv.Itoa(freePort(t)),
	}, more...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }() // the end of the test cancels it
	t.Cleanup(func() { <-ended })
	address := fmt.Sprintf("127.0.0.1:%d", web)
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/healthz", health))
		if err == nil {
			_ = res.Body.Close()
			return address
		}
		select {
		case <-ended:
			t.Fatalf("the edge ended: %s", said.String())
		default:
		}
		if time.Since(begun) > 20*time.Second {
			t.Fatalf("the edge does not answer: %v", err)
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()                     // nobody connected
	return ln.Addr().(*net.TCPAddr).Port //nolint:forcetypeassert // it is TCP
}

func TestCaddyfile_HasTheTextsOfTheErrorCatalogue(t *testing.T) {
	var catalogue struct {
		Errors map[string]struct {
			Text map[string]string `yaml:"text"`
		} `yaml:"errors"`
	}
	texts, err := os.ReadFile("../../proto-docs/errors.yaml")
	if err := errors.Join(err, yaml.Unmarshal(texts, &catalogue)); err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile(caddyfile)
	if err != nil {
		t.Fatal(err)
	}
	for _, status := range []string{"not_found", "body_too_large", "unavailable"} {
		for _, language := range []string{"fi", "en", "sv"} {
			if text := catalogue.Errors[status].Text[language]; text == "" || !strings.Contains(string(config), `"`+text+`"`) {
				t.Errorf("%s in %s: the edge does not say %q", status, language, text)
			}
		}
	}
}

func TestCaddy_RefusesWhatWouldBeInternalIfDecodedAgain(t *testing.T) {
	address := startCaddy(t, needCaddy(t), backend(t, "content"), backend(t, "payments"), nil)
	for _, path := range []string{
		"/content/%25%36%39nternal/x", "/content/x/%252e%252e/internal", "/content/x/..%252finternal", "/content/x/%2e%2e;a/internal",
		"/content/%E2%80%83internal/x", "/content/%C2%A0internal", "/content/%0Binternal", "/%E2%80%83content/internal", "/content/x%5Cy",
		"/content/./tags", "/content/tags/..", "/content/tags/%00",
	} {
		if code, body := rawGet(t, address, path); code != http.StatusNotFound && code != http.StatusBadRequest {
			t.Errorf("%s reached a service: %d %q", path, code, body)
		}
	}
	for path, want := range map[string]string{
		"/content/tags/100%25bambu": "content /tags/100%25bambu", // no escape of ASCII
		"/content/tags/k%C3%A4sity": "content /tags/k%C3%A4sity",
		"/content/tags/a..b":        "content /tags/a..b",
	} {
		if code, body := rawGet(t, address, path); code != http.StatusOK || !strings.HasPrefix(body, want+" ") {
			t.Errorf("%s: %d %q, want %q", path, code, body, want)
		}
	}
}

func TestCaddy_BelievesXForwardedForOfNamedNetworksOnly(t *testing.T) {
	program := needCaddy(t)
	for trusted, want := range map[string]string{"10.0.0.0/8": "127.0.0.1", "10.0.0.0/8 127.0.0.1/32": "6.6.6.6, 127.0.0.1"} {
		address := startCaddy(t, program, backend(t, "content"), backend(t, "payments"), []string{"EDGE_TRUSTED_PROXIES=" + trusted})
		if _, body := rawGet(t, address, "/"); !strings.HasSuffix(body, " talkoot.test "+want) {
			t.Errorf("with %s: told %q, want %s", trusted, body, want)
		}
	}
}

func TestCaddy_HandsOutTheWebAppsFilesAndLeavesThoseOfOtherVersionsToContent(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "assets"), 0o750); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"app.1a.js": "plain", "app.1a.js.br": "brotli", "app.1a.js.gz": "gzip", "font.2b.woff2": "font"} {
		if err := os.WriteFile(filepath.Join(dir, "assets", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	address := "http://" + startCaddy(t, needCaddy(t), backend(t, "content"), backend(t, "payments"), []string{"EDGE_WEB_DIR=" + dir})
	for accepted, want := range map[string]string{"br, gzip": "brotli", "gzip": "gzip", "identity": "plain", "br;q=0, gzip": "gzip"} {
		res := ask(t, address+"/assets/app.1a.js", http.Header{"Accept-Encoding": {accepted}})
		if res.body != want || !strings.HasPrefix(res.header.Get("Content-Type"), "text/javascript") ||
			res.header.Get("Cache-Control") != "public, max-age=31536000, immutable" || res.header.Get("Vary") != "Accept-Encoding" ||
			res.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("accepting %q: %+v", accepted, res)
		}
	}
	if res := ask(t, address+"/assets/font.2b.woff2", http.Header{}); res.header.Get("Access-Control-Allow-Origin") != "*" ||
		res.header.Get("Content-Type") != "font/woff2" {
		t.Errorf("a font: %+v", res)
	}
	for _, path := range []string{"/assets/app.0z.js", "/assets/", "/widget.js"} {
		if res := ask(t, address+path, http.Header{}); !strings.HasPrefix(res.body, "content "+path) {
			t.Errorf("%s: %+v", path, res)
		}
	}
}

func TestCaddy_WaitsForAServiceThatIsBeingRestarted(t *testing.T) {
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	service := &url.URL{Scheme: "http", Host: ln.Addr().String()}
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	address := startCaddy(t, needCaddy(t), service, service, nil)
	again := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "again") }
	server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(again)}
	t.Cleanup(func() { _ = server.Close() })
	go func() {
		time.Sleep(500 * time.Millisecond)
		if ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", service.Host); err == nil {
			_ = server.Serve(ln)
		}
	}()
	if res := ask(t, "http://"+address+"/content/x", http.Header{}); res.code != http.StatusOK || res.body != "again" {
		t.Errorf("%+v", res)
	}
}

func TestCaddy_RefusesTooMuchAndDropsSlowClients(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	t.Cleanup(service.Close)
	target, err := url.Parse(service.URL)
	if err != nil {
		t.Fatal(err)
	}
	address := startCaddy(t, needCaddy(t), target, target, nil)
	body := struct{ io.Reader }{io.LimitReader(zeros{}, 27<<20)} // without a length that could be refused at once
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/content/x", body)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	switch {
	case err == nil && res.StatusCode == http.StatusRequestEntityTooLarge:
		_ = res.Body.Close()
	case err == nil:
		t.Errorf("27 MiB: %s", res.Status)
	case !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, syscall.EPIPE): // it may hang up while we send
		t.Error(err)
	}

	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()                                           // read to the end below
	fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: talkoot.test\r\n") // and never the empty line
	if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(conn); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("a client that does not finish its request is waited for")
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
