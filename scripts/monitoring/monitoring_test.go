// Package monitoring holds the alerts, dashboards and runbooks of deploy/ to each other and to what the services show.
package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"talkoot.fi/kit/localpg"
)

func root(t *testing.T) string {
	t.Helper()
	dir, err := localpg.RepoRoot()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{root(t)}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type rule struct {
	Alert, Expr, For    string
	Labels, Annotations map[string]string
}

func rules(t *testing.T) []rule {
	t.Helper()
	var file struct {
		Groups []struct{ Rules []rule }
	}
	if err := yaml.Unmarshal([]byte(read(t, "deploy", "prometheus", "alerts.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	var all []rule
	for _, g := range file.Groups {
		all = append(all, g.Rules...)
	}
	return all
}

// query is a query of a dashboard, or of an alert.
type query struct{ of, text string }

func dashboards(t *testing.T) []query {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root(t), "deploy", "grafana", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no dashboards: %v", err)
	}
	var all []query
	for _, file := range files {
		var board struct {
			Title, UID string
			Panels     []struct {
				Title      string
				Datasource struct{ UID string }
				Targets    []struct{ Expr string }
			}
		}
		name := filepath.Base(file)
		if err := json.Unmarshal([]byte(read(t, "deploy", "grafana", name)), &board); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if board.UID == "" || board.Title == "" {
			t.Errorf("%s has no uid or title", name)
		}
		for _, p := range board.Panels {
			if p.Datasource.UID != "${datasource}" {
				t.Errorf("%s: %s does not take its data from the variable", name, p.Title)
			}
			for _, q := range p.Targets {
				all = append(all, query{name + ": " + p.Title, q.Expr})
			}
		}
	}
	return all
}

// ofEverybody are metrics of Go's client library, which every process shows, and labels say where they are from.
var ofEverybody = []string{"process_resident_memory_bytes", "process_cpu_seconds_total"}

var (
	quoted     = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	grouping   = regexp.MustCompile(`\b(?:by|on|without|ignoring)\s*\([^)]*\)`)
	matchers   = regexp.MustCompile(`\{([^}]*)\}`)
	labelName  = regexp.MustCompile(`([a-z_]+)\s*(?:=|!)`)
	metricName = regexp.MustCompile(`\b(?:talkoot|go_sql|process|go)_[a-z_]+\b`)
	tableName  = regexp.MustCompile("`((?:talkoot_|…)[a-z_]+)`")
)

// exposed are the metrics that the services' own tests hold to what they show, with their types and labels.
func exposed(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for line := range strings.Lines(read(t, "deploy", "prometheus", "exposed.txt")) {
		_, metric, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(metric)
		all[words[0]] = words[1:]
		if words[1] == "histogram" {
			all[words[0]+"_bucket"] = append([]string{"counter", "le"}, words[2:]...)
			all[words[0]+"_count"], all[words[0]+"_sum"] = append([]string{"counter"}, words[2:]...), append([]string{"counter"}, words[2:]...)
		}
	}
	if len(all) < 20 {
		t.Fatalf("only %d metrics are written down", len(all))
	}
	return all
}

// outside are labels that Prometheus adds, by what it scrapes.
var outside = []string{"job", "pod", "instance", "namespace"}

func TestAlertsAndDashboards_AskOnlyForWhatTheServicesShow(t *testing.T) {
	known := exposed(t)
	all := dashboards(t)
	for _, r := range rules(t) {
		all = append(all, query{r.Alert, r.Expr})
	}
	for _, q := range all {
		names := metricName.FindAllString(quoted.ReplaceAllString(grouping.ReplaceAllString(q.text, ""), `""`), -1)
		if len(names) == 0 {
			t.Errorf("%s asks for no metric: %s", q.of, q.text)
		}
		for _, name := range names {
			words, found := known[name]
			if !found && !slices.Contains(ofEverybody, name) {
				t.Errorf("%s asks for %s, which no service shows", q.of, name)
			}
			if found && words[0] == "counter" && !strings.Contains(q.text, "rate("+name) {
				t.Errorf("%s reads the counter %s without a rate", q.of, name)
			}
		}
		asked := matchers.FindAllString(quoted.ReplaceAllString(q.text, `""`), -1)
		for _, l := range labelName.FindAllStringSubmatch(strings.Join(append(asked, ""), ","), -1) {
			of := func(name string) bool { return slices.Contains(known[name], l[1]) }
			if !slices.Contains(outside, l[1]) && !slices.ContainsFunc(names, of) {
				t.Errorf("%s asks for the label %s, which %v has not", q.of, l[1], names)
			}
		}
	}
}

// The written-down names are in the code too: whole, or as the payments worker puts them together.
func TestExposed_IsInTheCode(t *testing.T) {
	var code strings.Builder
	err := filepath.WalkDir(filepath.Join(root(t), "services"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasSuffix(path, ".gen.go") {
			return err
		}
		text, err := os.ReadFile(path)
		code.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range exposed(t) {
		for _, part := range []string{"_bucket", "_sum", "_count"} {
			name = strings.TrimSuffix(name, part)
		}
		short := strings.TrimPrefix(name, "talkoot_payments_")
		if strings.HasPrefix(name, "talkoot_") && !strings.Contains(code.String(), `"`+name+`"`) &&
			!strings.Contains(code.String(), `"`+short+`"`) {
			t.Errorf("%s is nowhere in the services", name)
		}
	}
}

func TestAlerts_EachHasARunbookAndSaysHowUrgentItIs(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules(t) {
		if r.Alert == "" || seen[r.Alert] || r.For == "" || r.Annotations["summary"] == "" {
			t.Errorf("%q is there twice, or has no name, for or summary", r.Alert)
		}
		seen[r.Alert] = true
		if s := r.Labels["severity"]; s != "page" && s != "ticket" {
			t.Errorf("%s is neither page nor ticket: %q", r.Alert, s)
		}
		page := r.Annotations["runbook"]
		if filepath.Dir(page) != "proto-docs/runbooks" {
			t.Errorf("%s has the runbook %q", r.Alert, page)
			continue
		}
		if _, err := os.Stat(filepath.Join(root(t), page)); err != nil {
			t.Errorf("%s: %v", r.Alert, err)
		}
		if !strings.Contains(read(t, "proto-docs", "runbooks", "README.md"), "| "+r.Alert+" | ") {
			t.Errorf("proto-docs/runbooks/README.md does not list %s", r.Alert)
		}
	}
}

// A metric of deploy/README.md has an alert, or a place on a dashboard where its row says that it is for one.
func TestReadme_EveryMetricOfItsTableIsWatched(t *testing.T) {
	table := map[string]bool{} // whether it is for a dashboard
	for line := range strings.Lines(read(t, "deploy", "README.md")) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || !strings.Contains(cells[1], "`talkoot_") {
			continue
		}
		for _, m := range tableName.FindAllStringSubmatch(cells[1], -1) {
			table[strings.Replace(m[1], "…", "talkoot_payments", 1)] = strings.Contains(cells[2], "for dashboards")
		}
	}
	if len(table) < 20 {
		t.Fatalf("the table has only %d metrics: %v", len(table), slices.Sorted(maps.Keys(table)))
	}
	var alerts, boards string
	for _, r := range rules(t) {
		alerts += r.Expr + "\n"
	}
	for _, q := range dashboards(t) {
		boards += q.text + "\n"
	}
	for name, forDashboard := range table {
		word := regexp.MustCompile(`\b` + name + `\b`)
		if !word.MatchString(boards) && (forDashboard || !word.MatchString(alerts)) {
			t.Errorf("nothing watches %s", name)
		}
		if !forDashboard && !word.MatchString(alerts) {
			t.Errorf("no alert watches %s", name)
		}
	}
}

// Kubernetes has the same rules, made from these.
func TestKubernetes_HasTheSameRules(t *testing.T) {
	var ours, theirs any
	var object struct{ Spec any }
	err := errors.Join(yaml.Unmarshal([]byte(read(t, "deploy", "prometheus", "alerts.yaml")), &ours),
		yaml.Unmarshal([]byte(read(t, "deploy", "kubernetes", "monitoring", "rules.yaml")), &object))
	if theirs = object.Spec; err != nil || !reflect.DeepEqual(ours, theirs) {
		t.Errorf("deploy/kubernetes/monitoring/rules.yaml has other rules: run make alerts (%v)", err)
	}
}

// An alert is tried in both directions by `make alerts`.
func TestAlerts_EachHasACaseThatFiresAndOneThatDoesNot(t *testing.T) {
	var file struct {
		Tests []struct {
			Cases []struct {
				Expr    string
				Samples []any `yaml:"exp_samples"`
			} `yaml:"promql_expr_test"`
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "deploy", "prometheus", "alerts_test.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	fires, quiet := map[string]bool{}, map[string]bool{}
	for _, test := range file.Tests {
		for _, c := range test.Cases {
			if len(c.Samples) > 0 {
				fires[c.Expr] = true
			} else {
				quiet[c.Expr] = true
			}
		}
	}
	for _, r := range rules(t) {
		expr := fmt.Sprintf(`ALERTS{alertname=%q,alertstate="firing"}`, r.Alert)
		if !fires[expr] || !quiet[expr] {
			t.Errorf("%s: fires is tried: %v, does not fire is tried: %v", r.Alert, fires[expr], quiet[expr])
		}
	}
}
