// Package metricstest holds what a process shows on /metrics against what alerts and dashboards may count on, which is written
// down in deploy/prometheus/exposed.txt.
package metricstest

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/kit/localpg"
)

// ours begin the names that are written down; those of Go's runtime differ by system and version.
var ours = []string{"talkoot_", "go_sql_"} // a constant list

var (
	typeLine = regexp.MustCompile(`^# TYPE (\S+) (\S+)$`)        // a compiled constant
	sample   = regexp.MustCompile(`^([a-z_]+)(?:\{(.*)\})? .*$`) // a compiled constant
	label    = regexp.MustCompile(`([a-z_]+)="(?:[^"\\]|\\.)*"`) // a compiled constant
)

// Hold fails the test unless the text, a process's /metrics, shows exactly what is written down for the process, such as
// "content work": the names, types and labels.
func Hold(t *testing.T, process, text string) {
	t.Helper()
	root, err := localpg.RepoRoot()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(root, "deploy", "prometheus", "exposed.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(string(file)) {
		if of, metric, found := strings.Cut(strings.TrimSpace(line), ": "); found && of == process {
			want = append(want, metric)
		}
	}
	shown := families(text)
	for _, w := range want {
		if !slices.Contains(shown, w) {
			t.Errorf("%s does not show %q, which deploy/prometheus/exposed.txt promises", process, w)
		}
	}
	for _, s := range shown {
		if !slices.Contains(want, s) {
			t.Errorf("deploy/prometheus/exposed.txt lacks this line:\n%s: %s", process, s)
		}
	}
}

// families are the metrics of a text, each with its type and its labels.
func families(text string) []string {
	kinds, labels := map[string]string{}, map[string]map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := typeLine.FindStringSubmatch(line); m != nil {
			kinds[m[1]], labels[m[1]] = m[2], map[string]bool{}
			continue
		}
		m := sample.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := m[1]
		for _, part := range []string{"_bucket", "_sum", "_count"} {
			if whole := strings.TrimSuffix(name, part); kinds[whole] == "histogram" {
				name = whole
			}
		}
		for _, l := range label.FindAllStringSubmatch(m[2], -1) {
			if l[1] != "le" && labels[name] != nil {
				labels[name][l[1]] = true
			}
		}
	}
	var all []string
	for name, kind := range kinds {
		if slices.ContainsFunc(ours, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			all = append(all, strings.TrimSpace(name+" "+kind+" "+strings.Join(slices.Sorted(maps.Keys(labels[name])), " ")))
		}
	}
	slices.Sort(all)
	return all
}
