//go:build unix

package main

import (
	"archive/tar"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

var tested = release{version: "v1", revision: "abc", arch: "amd64", time: time.Unix(1700000000, 0).UTC()}

// checkout writes files into a folder of its own, with some mode and age.
func checkout(t *testing.T, mode os.FileMode, age time.Duration, files map[string]string) source {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, []byte(text), mode)); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	return source{program: filepath.Join(dir, "program"), files: map[string]string{"web": filepath.Join(dir, "dist")}, command: []string{"serve"}}
}

func digest(t *testing.T, s source, of release) string {
	t.Helper()
	made, err := s.image("content", of)
	if err != nil {
		t.Fatal(err)
	}
	d, err := made.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return d.String()
}

func TestImage_FollowsFromContentsAndReleaseAlone(t *testing.T) {
	files := map[string]string{"program": "binary", "dist/a.js": "1", "dist/sub/b.js": "2"}
	first := digest(t, checkout(t, 0o600, 0, files), tested)
	if again := digest(t, checkout(t, 0o755, 48*time.Hour, files), tested); again != first {
		t.Errorf("another place, mode and age: %s, then %s", first, again)
	}
	later := tested
	later.version = "v2"
	if digest(t, checkout(t, 0o600, 0, files), later) == first {
		t.Error("another version has the same digest")
	}
	files["dist/sub/b.js"] = "3"
	if digest(t, checkout(t, 0o600, 0, files), tested) == first {
		t.Error("other contents have the same digest")
	}
}

func TestImage_RunsAsNobodyAndHasWhatProgramsExpect(t *testing.T) {
	made, err := checkout(t, 0o600, 0, map[string]string{"program": "binary", "dist/a.js": "1"}).image("content", tested)
	if err != nil {
		t.Fatal(err)
	}
	config, err := made.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if c := config.Config; c.User != "65532:65532" || c.Entrypoint[0] != "/program" || c.Cmd[0] != "serve" ||
		c.Labels["org.opencontainers.image.version"] != "v1" || c.Labels["org.opencontainers.image.revision"] != "abc" {
		t.Errorf("configured as %+v", c)
	}
	headers, texts := unpack(t, made)
	for name, want := range map[string]tar.Header{
		"program":   {Mode: 0o755},
		"web/a.js":  {Mode: 0o644},
		"data":      {Mode: 0o750, Uid: user, Gid: user},
		"tmp":       {Mode: 0o1777},
		"etc/ssl":   {Mode: 0o755},
		"etc/group": {},
	} {
		got, there := headers[name]
		if there != (want.Mode != 0) {
			t.Errorf("%s is there: %t", name, there)
		} else if there && (got.Mode != want.Mode || got.Uid != want.Uid || got.Gid != want.Gid || got.ModTime.Unix() != 0) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(texts["etc/ssl/certs/ca-certificates.crt"])) {
		t.Error("no certificates are trusted")
	}
	if n := strings.Count(texts["etc/ssl/certs/ca-certificates.crt"], "BEGIN CERTIFICATE"); n < 50 {
		t.Errorf("%d certificates are trusted", n)
	}
}

func unpack(t *testing.T, made v1.Image) (headers map[string]*tar.Header, texts map[string]string) {
	t.Helper()
	headers, texts = map[string]*tar.Header{}, map[string]string{}
	flat := mutate.Extract(made)
	defer flat.Close() // read to the end
	for r := tar.NewReader(flat); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return headers, texts
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		headers[header.Name], texts[header.Name] = header, string(text)
	}
}

func TestParts_AreTheModulesThatAProgramWasLinkedFrom(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "parts.json")
	if err := writeParts(program, to, tested); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	var b bill
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	found := map[string]component{}
	for _, c := range b.Components {
		found[c.Name] = c
	}
	if c := found["github.com/google/go-containerregistry"]; !strings.HasPrefix(c.PURL, "pkg:golang/github.com/google/go-containerregistry@v") {
		t.Errorf("the registry's module: %+v", c)
	}
	if c := found["stdlib"]; !strings.HasPrefix(c.Version, "go1.") || !strings.HasPrefix(c.PURL, "pkg:golang/stdlib@1.") {
		t.Errorf("Go itself: %+v", c)
	}
	if b.Format != "CycloneDX" || b.Metadata.Component.Version != "v1" {
		t.Errorf("about %+v", b.Metadata)
	}
}
