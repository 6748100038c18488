//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talkoot.fi/scripts/terminal"
)

// fakeNPM stands in for npm: it logs its arguments and recreates node_modules, as npm ci does. It fails while the file
// $NPM_CALLS.broken exists.
const fakeNPM = `#!/bin/sh
echo "$@" >>"$NPM_CALLS"
rm -rf node_modules
[ ! -e "$NPM_CALLS.broken" ] && mkdir node_modules
`

func TestInstall_RunsNpmOnlyForWhatIsMissing(t *testing.T) {
	root, bin := t.TempDir(), t.TempDir()
	calls := filepath.Join(bin, "calls")
	write(t, filepath.Join(bin, "npm"), fakeNPM, 0o700)
	t.Setenv("NPM_CALLS", calls)
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	lock := filepath.Join(root, "frontend", "package-lock.json")
	if err := os.Mkdir(filepath.Dir(lock), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, lock, "one", 0o600)
	p := preparation{root: root, out: terminal.New(io.Discard)}

	for _, step := range []struct {
		name   string
		before func()
		wanted extent
		call   string // what npm was asked; empty: nothing
		fails  bool
	}{
		{name: "the first run", wanted: forRunning, call: "--omit=dev"},
		{name: "a later run", wanted: forRunning},
		{name: "the first tests", wanted: withTools, call: "ci"},
		{name: "later tests", wanted: withTools},
		{name: "a run after tests", wanted: forRunning},
		{name: "a run with other packages", before: func() { write(t, lock, "two", 0o600) }, wanted: forRunning,
			call: "--omit=dev"},
		{name: "tests when npm fails", before: func() { write(t, calls+".broken", "", 0o600) }, wanted: withTools, call: "ci",
			fails: true},
		{name: "a run after that", before: func() { remove(t, calls+".broken") }, wanted: forRunning, call: "--omit=dev"},
	} {
		write(t, calls, "", 0o600)
		if step.before != nil {
			step.before()
		}
		if err := p.install(t.Context(), "frontend", step.wanted); (err != nil) != step.fails {
			t.Fatalf("%s: %v", step.name, err)
		}
		text, err := os.ReadFile(calls)
		if err != nil {
			t.Fatal(err)
		}
		asked := strings.TrimSpace(string(text))
		omits := strings.HasSuffix(asked, "--omit=dev")
		if (asked != "") != (step.call != "") || omits != (step.call == "--omit=dev") {
			t.Errorf("%s: npm was asked %q, want %q", step.name, asked, step.call)
		}
	}
}

// fakeBuild stands in for npm's "run build": it logs its arguments and makes index.html, also when it fails, as webpack does
// when a budget is exceeded.
const fakeBuild = `#!/bin/sh
echo "$@" >>"$NPM_CALLS"
mkdir -p dist && touch dist/index.html
[ ! -e "$NPM_CALLS.broken" ]
`

func TestWeb_IsBuiltWhenWhatItIsMadeOfHasChanged(t *testing.T) {
	root, bin := t.TempDir(), t.TempDir()
	calls := filepath.Join(bin, "calls")
	write(t, filepath.Join(bin, "npm"), fakeBuild, 0o700)
	t.Setenv("NPM_CALLS", calls)
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	app := filepath.Join(root, "frontend")
	for _, folder := range []string{"src", "test", "e2e", ".texts"} {
		if err := os.MkdirAll(filepath.Join(app, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p := preparation{root: root, out: terminal.New(io.Discard)}
	put := func(name, text string) func() {
		return func() { write(t, filepath.Join(app, name), text, 0o600) }
	}

	for _, step := range []struct {
		name   string
		before func()
		builds bool
		fails  bool
	}{
		{name: "the first time", before: put("src/main.tsx", "one"), builds: true},
		{name: "again", before: func() {}},
		{name: "with another test", before: put("src/main.test.tsx", "two")},
		{name: "with another journey", before: put("e2e/a.journey.ts", "two")},
		{name: "with another builder of tests", before: put("test/builders.ts", "two")},
		{name: "with the texts that jest made", before: put(".texts/fi.json", "two")},
		{name: "with another source", before: put("src/main.tsx", "two"), builds: true},
		{name: "with a new source", before: put("src/more.ts", "two"), builds: true},
		{name: "without index.html", before: func() { remove(t, filepath.Join(app, "dist", "index.html")) }, builds: true},
		{name: "too large", before: func() { write(t, calls+".broken", "", 0o600); put("src/main.tsx", "three")() }, builds: true, fails: true},
		{name: "too large, still", before: func() {}, builds: true, fails: true},
		{name: "taken back", before: func() { remove(t, calls+".broken"); put("src/main.tsx", "two")() }, builds: true},
	} {
		write(t, calls, "", 0o600)
		step.before()
		if err := p.web(t.Context()); (err != nil) != step.fails {
			t.Fatalf("%s: %v", step.name, err)
		}
		text, err := os.ReadFile(calls)
		if err != nil {
			t.Fatal(err)
		}
		if built := strings.TrimSpace(string(text)) == "run build"; built != step.builds {
			t.Errorf("%s: the web app was built: %v, want %v", step.name, built, step.builds)
		}
	}
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}
