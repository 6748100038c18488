package ledger

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table into proto-docs/ledger.md")

const (
	pagePath  = "../../../../../proto-docs/ledger.md"
	pageBegin = "<!-- the table of rules: go test ./services/payments/internal/book/ledger -update -->"
	pageEnd   = "<!-- end of the table -->"
)

// The page about the ledger shows the table of rules as it is.
func TestPage_ShowsTheTableOfRules(t *testing.T) {
	page, err := os.ReadFile(pagePath)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), pageBegin)
	_, after, ended := strings.Cut(rest, pageEnd)
	if !found || !ended {
		t.Fatal("the page has no place for the table")
	}
	want := before + pageBegin + "\n" + table() + pageEnd + after
	if *update {
		if err := os.WriteFile(pagePath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(page) != want {
		t.Error("proto-docs/ledger.md shows another table: go test ./services/payments/internal/book/ledger -update")
	}
}

func table() string {
	var out strings.Builder
	for _, r := range Rules() {
		forced := ""
		if r.Forced {
			forced = " *Forced.*"
		}
		fmt.Fprintf(&out, "\n**`%s`**: %s%s\n\n", r.Kind, r.Says, forced)
		for _, e := range r.Examples {
			when := ""
			if e.When != "" {
				when = e.When + ": "
			}
			fmt.Fprintf(&out, "- %s%d: debit %s, credit %s\n", when, e.Given.Amount, side(e.Legs, 1), side(e.Legs, -1))
		}
	}
	return out.String() + "\n"
}

func side(legs []Leg, sign int64) string {
	var parts []string
	for _, l := range legs {
		if l.Minor*sign > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", l.Class, l.Minor*sign))
		}
	}
	return strings.Join(parts, " + ")
}
