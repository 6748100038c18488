package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// owners says which packages write to a table: one, or there is a comment that says why.
var owners = map[string][]string{
	"audit_log":             {"changes"},
	"history_totals":        {"changes"},
	"campaigns":             {"campaigns", "changes"}, // changes writes the columns that a change of campaigns names
	"campaign_custom_texts": {"campaigns"},
	"campaign_totals":       {"campaigns"}, "campaign_texts": {"campaigns"}, "campaign_categories": {"campaigns"},
	"campaign_tags": {"campaigns"},
	"campaign_team": {"campaigns"}, "campaign_likes": {"campaigns"}, "campaign_listings": {"campaigns"},
	"campaign_search":   {"campaigns"},
	"campaign_previews": {"campaigns"}, "subscription_goals": {"campaigns"}, "subscription_goal_texts": {"campaigns"},
	"rewards": {"rewards"}, "reward_texts": {"rewards"},
	"content_variations": {"variations"}, "campaign_visits": {"variations"}, "campaign_visit_counts": {"variations"},
	"upload_totals": {"uploads"},
	"posts":         {"posts"}, "post_texts": {"posts"},
	"letter_rounds": {"letters"}, "letters": {"letters"}, "letter_refusals": {"letters"},
	// rewards marks what counts in the stock of a reward that becomes limited
	"pledges":            {"pledges", "rewards"},
	"pledge_transitions": {"pledges"}, "payment_events": {"pledges"},
	"experiments": {"experiments"}, "experiment_texts": {"experiments"}, "experiment_team": {"experiments"},
	"experiment_tags": {"experiments"},
	// sessions registers accounts, verifications confirms their addresses
	"users":    {"profiles", "sessions", "verifications"},
	"sessions": {"sessions"}, "password_failures": {"sessions"}, "email_verifications": {"verifications"},
	"demo_content": {"seed"},
	"categories":   {"taxonomy"}, "category_texts": {"taxonomy"}, "tags": {"taxonomy"}, "tag_texts": {"taxonomy"},
	"review_events": {"review"}, "review_notes": {"review"}, "payout_accounts": {"accounts"},
	"team_invitations": {"team"}, "team_invitation_links": {"team"},
	"place_names":      {"migrations"}, // filled by the migration, written by nobody
	"idempotency_keys": {"kit/idem"}, "outbox": {"kit/outbox"},
}

var (
	writing = regexp.MustCompile(`\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE)\s+([a-z_]+)`)
	created = regexp.MustCompile(`(?m)^CREATE TABLE ([a-z_]+) \(`)
)

// A package writes to its own tables only, and calls other packages to change theirs.
func TestTables_AreWrittenByTheirOwnersOnly(t *testing.T) {
	found := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == "contenttest" {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasSuffix(path, ".gen.go") {
			return nil
		}
		domain := strings.Split(filepath.ToSlash(path), "/")[1]
		for _, table := range written(t, path) {
			found++
			if !slices.Contains(owners[table], domain) {
				t.Errorf("%s writes to %s, which %v owns", path, table, owners[table])
			}
		}
		return nil
	})
	if err != nil || found < 30 {
		t.Errorf("%d writes are found, %v", found, err)
	}
}

func TestTables_HaveAnOwnerEach(t *testing.T) {
	files, err := filepath.Glob("../../migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range created.FindAllSubmatch(text, -1) {
			tables = append(tables, string(match[1]))
		}
	}
	for _, table := range tables {
		if len(owners[table]) == 0 {
			t.Errorf("nobody owns %s", table)
		}
	}
	for table := range owners {
		if !slices.Contains(tables, table) {
			t.Errorf("there is no table %s", table)
		}
	}
}

// written lists the tables that a file's SQL and its GORM models name for writing.
func written(t *testing.T, path string) (tables []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil {
				for _, match := range writing.FindAllStringSubmatch(text, -1) {
					tables = append(tables, match[1])
				}
			}
		case *ast.FuncDecl:
			if n.Name.Name == "TableName" {
				if name, ok := n.Body.List[0].(*ast.ReturnStmt).Results[0].(*ast.BasicLit); ok {
					table, _ := strconv.Unquote(name.Value)
					tables = append(tables, table)
				}
			}
		}
		return true
	})
	return tables
}
