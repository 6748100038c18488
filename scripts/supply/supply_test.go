package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/kit/localpg"
)

func root(t *testing.T) string {
	t.Helper()
	root, err := localpg.RepoRoot()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// The edge's modules are not on every machine that runs the tests, so of it the list only has to be of this go.sum.
func TestWhatShipsIsListedUnderAnAllowedLicence(t *testing.T) {
	root := root(t)
	text, err := os.ReadFile(filepath.Join(root, listFile))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := edgeHash(root)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), sum) {
		t.Errorf("the edge's modules have changed since %s was made: make supply", listFile)
	}
	list, err := npmPackages(filepath.Join(root, "frontend", "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"content", "payments"} {
		some, err := goPackages(t.Context(), root, name, programs()[name])
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, some...)
	}
	if err := refuse(list); err != nil {
		t.Error(err)
	}
	for _, one := range list {
		row := "| " + one.name + " | " + one.version + " | " + strings.Join(one.licences, " and ")
		if !strings.Contains(string(text), row) {
			t.Errorf("%s %s is not in %s as it is now: make supply", one.name, one.version, listFile)
		}
	}
}

func TestPackageUnderALicenceOutsideTheListIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"GNU GENERAL PUBLIC LICENSE\n  Version 3, 29 June 2007":                                                     "GPL",
		"GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3. The GNU General Public License permits …":                    "AGPL-3.0",
		"GNU LESSER GENERAL PUBLIC\n License, which adds to the GNU General Public License":                         "LGPL",
		"Server Side Public License\nVERSION 1":                                                                     "SSPL",
		"Mozilla Public License Version 2.0\n\"Secondary License\" means the GNU General Public License, Version 2": "MPL-2.0",
		"Business Source License 1.1":                                                                               "BUSL",
		"All rights reserved. Ask us.":                                                                              "",
		"Eclipse Public License - v 2.0":                                                                            "EPL",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "LICENSE.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		licences, _, err := ofFolder(dir)
		if err != nil || strings.Join(licences, " ") != want {
			t.Errorf("%.30q is %q, want %q (%v)", text, licences, want, err)
		}
		if refuse([]shipped{{name: "example.org/m", version: "v1.0.0", licences: licences}}) == nil {
			t.Errorf("%.30q is not refused", text)
		}
	}
}

func TestSecondLicenceBesideAnAllowedOneIsSeen(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"LICENSE": "Permission is hereby granted, free of charge, to any person obtaining a copy", "COPYING.lib": "GNU LESSER GENERAL PUBLIC LICENSE",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, _, err := ofFolder(dir); err != nil || !slices.Equal(got, []string{"LGPL", "MIT"}) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestPackagesThatAPackageNeedsAreReadWhereNodeFindsThem(t *testing.T) {
	file := filepath.Join(t.TempDir(), "package-lock.json")
	text := `{"packages": {"": {"dependencies": {"a": "1", "webpack": "1"}},
		"node_modules/a": {"version": "1", "license": "MIT", "dependencies": {"b": "2"}, "peerDependencies": {"c": "1", "d": "1"}, "peerDependenciesMeta": {"d": {"optional": true}}},
		"node_modules/a/node_modules/b": {"version": "2", "license": "(GPL-3.0 OR ISC)"}, "node_modules/b": {"version": "1", "license": "GPL-3.0"},
		"node_modules/c": {"version": "1", "license": "Apache-2.0 AND MIT"}, "node_modules/d": {"version": "1"}, "node_modules/webpack": {"version": "1", "license": "GPL-3.0"}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := npmPackages(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, one := range list {
		got = append(got, one.name+" "+one.version+" "+strings.Join(one.licences, "+"))
	}
	if want := []string{"a 1 MIT", "b 2 ISC", "c 1 Apache-2.0+MIT"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNoFileOfTheCheckoutHoldsASecret(t *testing.T) {
	if err := secrets(t.Context(), root(t)); err != nil {
		t.Error(err)
	}
}

// Each secret is put together here, so that this file has none.
func TestSecretInAFileIsFound(t *testing.T) {
	root := root(t)
	scanner, err := tool(t.Context(), root, "gitleaks", "github.com/zricethezav/gitleaks/v8")
	if err != nil {
		t.Fatal(err)
	}
	const random = "T9vQx2LkZ7mWb4RcY8nHs3JfD6gKp5Aq"
	for what, text := range map[string]string{
		"a provider's key":        `key := "sk_` + `live_51` + random + `"`,
		"a webhook's secret":      "STRIPE_WEBHOOK_SECRET=whsec" + "_" + random,
		"provider B's key":        "MANGOPAY_API_KEY" + "=" + random,
		"the key of sessions":     "SESSION_KEY" + ": '" + random + "='",
		"a private key":           "-----BEGIN RSA PRIVATE " + "KEY-----\n" + strings.Repeat(random+"\n", 20) + "-----END RSA PRIVATE " + "KEY-----",
		"a key of a cloud":        `aws = "AKIA` + `Q3EGW4T7ZP2XK6LD"`,
		"a token of a code forge": `token = "ghp_` + random + `abcd"`,
	} {
		dir := t.TempDir()
		if err := exec.CommandContext(t.Context(), "git", "init", "-q", dir).Run(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "settings.txt"), []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if scan(t.Context(), scanner, dir, filepath.Join(root, ".gitleaks.toml")) == nil {
			t.Errorf("%s is not found", what)
		}
	}
}

func TestRulesForUpdatesNamePackagesThatWeHave(t *testing.T) {
	root := root(t)
	var rules struct {
		PackageRules []struct{ MatchPackageNames, MatchFileNames []string }
	}
	text, err := os.ReadFile(filepath.Join(root, ".github", "renovate.json"))
	if err == nil {
		err = json.Unmarshal(text, &rules)
	}
	if err != nil {
		t.Fatal(err)
	}
	have := ""
	for _, file := range []string{"frontend/package.json", "services/content/go.mod", "services/payments/go.mod", "services/kit/go.mod"} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		have += string(text)
	}
	for _, r := range rules.PackageRules {
		for _, name := range r.MatchPackageNames {
			if !strings.Contains(have, strings.TrimSuffix(name, "**")) {
				t.Errorf("there is a rule for %s, which we do not have", name)
			}
		}
		for _, name := range r.MatchFileNames {
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Errorf("there is a rule for %s, which we do not have", name)
			}
		}
	}
}

func TestDatabaseThatCannotBeReachedIsNoPass(t *testing.T) {
	failed := errors.New("exit status 1")
	for _, said := range []string{
		`govulncheck: fetching vulnerabilities: Get "https://vuln.go.dev/index/modules.json.gz": dial tcp: no such host`,
		"npm error audit endpoint returned an error",
	} {
		if err := judge("content", []byte(said), failed); !errors.Is(err, errNotChecked) {
			t.Errorf("%q is %v", said, err)
		}
	}
	if err := judge("content", []byte("Vulnerability #1: GO-2026-1"), failed); err == nil || errors.Is(err, errNotChecked) {
		t.Errorf("a vulnerability is %v", err)
	}
	if err := judge("content", []byte("No vulnerabilities found."), nil); err != nil {
		t.Error(err)
	}
}
