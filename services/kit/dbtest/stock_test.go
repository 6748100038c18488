//go:build unix

package dbtest

import (
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// schema has a table that migrations fill, one that tests fill, and what else must be as new.
func schema(name string) fs.FS {
	return fstest.MapFS{"00001_first.sql": {Data: []byte(strings.ReplaceAll(`-- +goose Up
CREATE TABLE NAME_regions (id integer PRIMARY KEY, name text NOT NULL, upper text GENERATED ALWAYS AS (upper(name)) STORED);
INSERT INTO NAME_regions (id, name) VALUES (1, 'Uusimaa'), (2, 'Kainuu');
CREATE TABLE NAME_pledges (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, region integer NOT NULL REFERENCES NAME_regions);
CREATE TABLE NAME_days (day date NOT NULL) PARTITION BY RANGE (day);
CREATE TABLE NAME_days_2026 PARTITION OF NAME_days FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE SEQUENCE NAME_numbers START 7;
`, "NAME", name))}}
}

// found tells what a test finds: rows of each table, and the next numbers.
func found(t *testing.T, db *gorm.DB, name string) string {
	t.Helper()
	var text string
	if err := db.Raw(strings.ReplaceAll(`SELECT concat_ws(' ', (SELECT string_agg(id || upper, ',' ORDER BY id) FROM NAME_regions),
		(SELECT count(*) FROM NAME_pledges), (SELECT count(*) FROM NAME_days), (SELECT last_value || '/' || is_called FROM NAME_numbers),
		(SELECT last_value || '/' || is_called FROM NAME_pledges_id_seq), current_setting('statement_timeout'))`,
		"NAME", name)).Scan(&text).Error; err != nil {
		t.Fatal(err)
	}
	return text
}

func run(t *testing.T, db *gorm.DB, statements ...string) {
	t.Helper()
	for _, sql := range statements {
		if err := db.Exec(sql).Error; err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

func named(db *DB) string {
	address, _, _ := strings.Cut(db.URL, "?")
	return address[strings.LastIndex(address, "/")+1:]
}

func TestNew_IsTheDatabaseOfAnEarlierTestMadeAsNew(t *testing.T) {
	const asNew = "1UUSIMAA,2KAINUU 0 0 7/false 1/false 30s"
	for name, test := range map[string]struct {
		does []string
		anew bool // does not serve another test
	}{
		"rows": {does: []string{"INSERT INTO rows_pledges (region) SELECT 1 FROM generate_series(1, 3)",
			"INSERT INTO rows_days VALUES ('2026-05-01')", "SELECT nextval('rows_numbers')"}},
		"seeds": {does: []string{"DELETE FROM seeds_regions WHERE id = 1", "UPDATE seeds_regions SET name = 'Savo' WHERE id = 2",
			"INSERT INTO seeds_regions VALUES (3, 'Häme')"}},
		"settings": {does: []string{"SET statement_timeout = '1s'", "SELECT pg_advisory_lock(1)", "LISTEN settings"}},
		"table":    {does: []string{"CREATE TABLE of_a_test ()"}, anew: true},
		"column":   {does: []string{"ALTER TABLE column_days ADD of_a_test text"}, anew: true},
		"trigger":  {does: []string{"ALTER TABLE trigger_pledges DISABLE TRIGGER ALL"}, anew: true},
		"replica":  {does: []string{"SET session_replication_role = replica", "DROP TABLE replica_days"}, anew: true},
		"analyzed": {does: []string{"INSERT INTO analyzed_pledges (region) VALUES (1)", "ANALYZE analyzed_pledges"}, anew: true},
		"vacuumed": {does: []string{"INSERT INTO vacuumed_pledges (region) VALUES (1)", "VACUUM vacuumed_pledges"}, anew: true},
	} {
		t.Run(name, func(t *testing.T) {
			var first string
			for i := range 3 { // the third finds what was restored for the second
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					db := New(t, schema(name))
					if got := found(t, db.Gorm, name); got != asNew {
						t.Errorf("found %q, want %q", got, asNew)
					}
					switch {
					case i == 0:
						first = named(db)
					case test.anew == (first == named(db)):
						t.Errorf("%s after %s", named(db), first)
					}
					run(t, db.Gorm, test.does...)
				})
			}
		})
	}
}

func TestNew_SessionsServeTheNextTestWithoutWhatTheyHeld(t *testing.T) {
	session := func(db *gorm.DB) (pid, locks, channels int) {
		if err := db.Raw(`SELECT pg_backend_pid(), (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()),
			(SELECT count(*) FROM pg_listening_channels())`).Row().Scan(&pid, &locks, &channels); err != nil {
			t.Fatal(err)
		}
		return pid, locks, channels
	}
	first := 0
	t.Run("first", func(t *testing.T) {
		db := New(t, schema("held")).Gorm
		run(t, db, "LISTEN held", "SELECT pg_advisory_lock(2)")
		first, _, _ = session(db)
	})
	t.Run("second", func(t *testing.T) {
		if pid, locks, channels := session(New(t, schema("held")).Gorm); pid != first || locks+channels > 0 {
			t.Errorf("session %d after %d, with %d locks and %d channels", pid, first, locks, channels)
		}
	})
}

func TestNew_IsNoDatabaseThatIsStillUsed(t *testing.T) {
	for name, use := range map[string]func(t *testing.T, db *DB){
		"by a pool of the test": func(t *testing.T, db *DB) {
			conn, err := db.Gorm.DB()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := conn.Conn(t.Context()); err != nil { // never given back
				t.Fatal(err)
			}
		},
		"by another pool": func(t *testing.T, db *DB) {
			if _, err := dbx.Open(t.Context(), dbx.Config{URL: db.URL}, slog.New(slog.DiscardHandler)); err != nil { // never closed
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			first := ""
			t.Run("first", func(t *testing.T) {
				db := New(t, schema("used"))
				first = named(db)
				use(t, db)
			})
			t.Run("second", func(t *testing.T) {
				if db := New(t, schema("used")); named(db) == first {
					t.Error("the database of a test that still uses it")
				}
			})
		})
	}
}

func TestJoin_DropsWhatEndedProcessesHaveLeft(t *testing.T) {
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	living := New(t, schema("left"))
	template, err := s.template(t.Context(), schema("left"))
	if err != nil {
		t.Fatal(err)
	}
	left := fmt.Sprintf("t_%d_1", s.number+1) // whose number nobody holds
	if err := s.clone(t.Context(), left, template); err != nil {
		t.Fatal(err)
	}
	if err := s.dropLeft(t.Context()); err != nil {
		t.Fatal(err)
	}
	var names []string
	if err := s.admin.QueryRow(t.Context(), "SELECT array_agg(datname) FROM pg_database WHERE datname IN ($1, $2)",
		left, named(living)).Scan(&names); err != nil {
		t.Fatal(err)
	}
	if len(names) != 1 || names[0] != named(living) {
		t.Errorf("there are %v, want %s alone", names, named(living))
	}
}
