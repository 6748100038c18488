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
