// Package dataset writes campaigns straight into a content database: a few chosen ones for tests and drills, or a great
// many for benchmarks.
//
// It knows the content service's tables, which only the scripts may. It writes rows as the service writes them, but no
// histories of pledges and nothing in the payment service, so that an audit of a filled database finds faults.
// Databases are expected to be empty before Fill.
package dataset

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

//go:embed fill.sql
var fillSQL string

//go:embed previews.sql
var previewsSQL string

//go:embed search.sql
var searchSQL string

// Statements fill a database; they belong to one version of its tables.
type Statements struct{ rows, previews, search string }

// Own are the statements of this checkout.
func Own() Statements { return Statements{fillSQL, previewsSQL, searchSQL} }

// Of are the statements of another checkout, whose tables may differ.
func Of(checkout string) (Statements, error) {
	rows, err := os.ReadFile(filepath.Join(checkout, "scripts/dataset/fill.sql"))
	previews, err2 := os.ReadFile(filepath.Join(checkout, "scripts/dataset/previews.sql"))
	search, err3 := os.ReadFile(filepath.Join(checkout, "scripts/dataset/search.sql"))
	if errors.Is(err3, os.ErrNotExist) {
		err3 = nil // earlier ones have none
	}
	return Statements{string(rows), string(previews), string(search)}, errors.Join(err, err2, err3)
}

// Fill writes n campaigns with three rewards and ten pledges each on average, texts in three languages, 200 tags and 12
// categories. Indexes are made after the rows, and constraints between tables are not checked: the database's role must
// be a superuser, as that of the embedded server is.
func (s Statements) Fill(ctx context.Context, url string, n int) (err error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("fill database: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	for name, value := range map[string]string{
		"dataset.campaigns": strconv.Itoa(n), "dataset.first": "1", "dataset.last": strconv.Itoa(n),
		"session_replication_role": "replica", "synchronous_commit": "off", "maintenance_work_mem": "512MB",
	} {
		if _, err := conn.Exec(ctx, "SELECT set_config($1, $2, false)", name, value); err != nil {
			return fmt.Errorf("set %s: %w", name, err)
		}
	}
	indexes, err := setIndexesAside(ctx, conn)
	if err != nil {
		return err
	}
	for _, step := range []string{s.rows, "ANALYZE", s.previews, s.search, indexes, "VACUUM (ANALYZE)", "CHECKPOINT"} {
		if _, err := conn.Exec(ctx, step); err != nil {
			return fmt.Errorf("fill database: %w", err)
		}
	}
	return nil
}

// setIndexesAside drops the indexes that belong to no constraint and returns the statements that make them again.
func setIndexesAside(ctx context.Context, conn *pgx.Conn) (again string, err error) {
	rows, err := conn.Query(ctx, `SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
		WHERE indrelid IN ('campaign_listings'::regclass, 'campaign_search'::regclass, 'pledges'::regclass, 'rewards'::regclass, 'campaign_tags'::regclass,
		    'search_documents'::regclass, 'search_vocabulary'::regclass)
		AND NOT indisunique`)
	if err != nil {
		return "", fmt.Errorf("list indexes: %w", err)
	}
	drop := ""
	var name, statement string
	_, err = pgx.ForEachRow(rows, []any{&name, &statement}, func() error {
		drop += "DROP INDEX " + name + ";"
		again += strings.Replace(statement, " ON ONLY ", " ON ", 1) + ";" // of a partitioned table: with its parts again
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("list indexes: %w", err)
	}
	if _, err := conn.Exec(ctx, drop); err != nil {
		return "", fmt.Errorf("drop indexes: %w", err)
	}
	return again, nil
}
