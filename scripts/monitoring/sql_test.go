package monitoring

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	contentmigrations "talkoot.fi/content/migrations"
	"talkoot.fi/kit/dbtest"
	paymentsmigrations "talkoot.fi/payments/migrations"
)

func connect(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return conn
}

var question = regexp.MustCompile("`(SELECT [^`]+)`")

// Whoever is called at night copies what a page says. Each question must be one that a database of ours can answer.
func TestRunbooks_AskWhatTheDatabasesKnow(t *testing.T) {
	content, payments := connect(t, dbtest.New(t, contentmigrations.FS).URL), connect(t, dbtest.New(t, paymentsmigrations.FS).URL)
	pages, err := filepath.Glob(filepath.Join(root(t), "proto-docs", "runbooks", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, page := range append(pages, filepath.Join(root(t), "deploy", "backup", "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range question.FindAllStringSubmatch(string(text), -1) {
			asked++
			sql := strings.Join(strings.Fields(q[1]), " ")
			_, ofContent := content.Prepare(t.Context(), sql, sql)
			_, ofPayments := payments.Prepare(t.Context(), sql, sql)
			if ofContent != nil && ofPayments != nil {
				t.Errorf("%s: %s\n  content: %v\n  payments: %v", filepath.Base(page), sql, ofContent, ofPayments)
			}
		}
	}
	if asked < 10 {
		t.Errorf("only %d questions were found", asked)
	}
}

// What is run after a database went back runs on the databases as they are now.
func TestBackup_ItsStatementsRun(t *testing.T) {
	content, payments := connect(t, dbtest.New(t, contentmigrations.FS).URL), connect(t, dbtest.New(t, paymentsmigrations.FS).URL)
	if _, err := content.Exec(t.Context(), read(t, "deploy", "backup", "after-content.sql")); err != nil {
		t.Error(err)
	}
	var lowest int64
	if err := content.QueryRow(t.Context(), "SELECT min(last_value) FROM pg_sequences").Scan(&lowest); err != nil || lowest < 100_000 {
		t.Errorf("a sequence goes on with %d: %v", lowest, err)
	}
	told := strings.ReplaceAll(read(t, "deploy", "backup", "redeliver.sql"), ":since", "'2026-11-29 12:00:00+00'")
	if _, err := payments.Exec(t.Context(), told); err != nil {
		t.Error(err)
	}
}
