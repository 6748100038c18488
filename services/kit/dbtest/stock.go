//go:build unix

package dbtest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// mostUses bounds how many tests a database serves one after the other: rows that are deleted stay in its files.
const mostUses = 100

// errUsed means that a database cannot be made as new.
var errUsed = errors.New("the database cannot be used again")

// database is a clone of a template that serves one test after the other.
type database struct {
	name, template string
	sessions       sessions
	left           int // uses

	clean *pgx.Conn // once it has been emptied
	seeds []*seed
}

// seed is a table that the migrations have filled. A row that was written later has a transaction number of its own.
type seed struct {
	Name, Columns string
	Rows, Newest  int64
}

// prepareStock makes in a template what emptying its clones needs: copies of the rows that migrations have written, what the
// sequences stand at, and a note of every change of structure. It is a schema of its own.
const prepareStock = `
CREATE SCHEMA dbtest;
CREATE TABLE dbtest.changes ();
CREATE TABLE dbtest.seeds (name text, columns text, rows bigint, newest bigint);
CREATE TABLE dbtest.sequences (name text, value bigint, called boolean);
DO $$
DECLARE t record; rows bigint; newest bigint;
BEGIN
	FOR t IN SELECT oid::regclass::text AS name, (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
			WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
		FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
	LOOP
		EXECUTE format('SELECT count(*), max(xmin::text::bigint) FROM %s', t.name) INTO rows, newest;
		IF rows > 0 THEN
			INSERT INTO dbtest.seeds VALUES (t.name, t.columns, rows, newest);
			EXECUTE format('CREATE TABLE dbtest.%I AS SELECT %s FROM %s', 'seed ' || t.name, t.columns, t.name);
		END IF;
	END LOOP;
	FOR t IN SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace
	LOOP
		EXECUTE format('INSERT INTO dbtest.sequences SELECT %L, last_value, is_called FROM %s', t.name, t.name);
	END LOOP;
END $$;
CREATE TABLE dbtest.planned AS
	SELECT sum(relpages) AS pages, sum(reltuples) AS rows FROM pg_class WHERE relnamespace = 'public'::regnamespace;
CREATE FUNCTION dbtest.note_change() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS
	$$ BEGIN INSERT INTO dbtest.changes DEFAULT VALUES; END $$;
CREATE EVENT TRIGGER dbtest_changes ON ddl_command_end EXECUTE FUNCTION dbtest.note_change();
ALTER EVENT TRIGGER dbtest_changes ENABLE ALWAYS`

// take returns a database that another test has left, made as new, or nil.
func (s *server) take(ctx context.Context, template string) *database {
	for {
		s.mu.Lock()
		i := slices.IndexFunc(s.stock, func(d *database) bool { return d.template == template })
		if i < 0 {
			s.mu.Unlock()
			return nil
		}
		d := s.stock[i]
		s.stock = slices.Delete(s.stock, i, i+1)
		s.mu.Unlock()
		if err := s.empty(ctx, d); err == nil {
			return d
		}
		if err := s.end(ctx, d); err != nil {
			return nil // the server is in trouble, which the next clone says
		}
	}
}

// end drops the database with all its sessions.
func (s *server) end(ctx context.Context, d *database) error {
	d.sessions.close()
	if d.clean != nil {
		_ = d.clean.Close(ctx) // the database is dropped by force
	}
	return s.drop(ctx, d.name)
}

// empty makes a database as new, or tells why that is not possible: something else is connected to it, or a test has changed its
// structure or what its plans follow from.
func (s *server) empty(ctx context.Context, d *database) (err error) {
	if d.clean == nil {
		if err := d.open(ctx, s.url(d.name)); err != nil {
			return err
		}
	}
	lent, idle := d.sessions.count()
	if lent > 0 {
		return errUsed
	}
	var others int
	var changed bool
	var filled []string
	if err := d.clean.QueryRow(ctx, `
		SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) - 1 - $1,
			EXISTS (SELECT FROM dbtest.changes) OR EXISTS (SELECT FROM pg_statistic WHERE starelid >= 16384)
				OR (SELECT (sum(relpages), sum(reltuples)) FROM pg_class WHERE relnamespace = 'public'::regnamespace)
					<> (SELECT (pages, rows) FROM dbtest.planned),
			array(SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
				AND (pg_stat_file(pg_relation_filepath(oid))).size > 0)`, idle).Scan(&others, &changed, &filled); err != nil {
		return err
	}
	if others > 0 || changed {
		return errUsed
	}
	var batch pgx.Batch
	for _, table := range filled {
		if !slices.ContainsFunc(d.seeds, func(s *seed) bool { return s.Name == table }) {
			batch.Queue("DELETE FROM " + table)
		}
	}
	batch.Queue("SELECT setval(name::regclass, value, called) FROM dbtest.sequences")
	if err := d.clean.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("empty: %w", err)
	}
	for _, s := range d.seeds {
		if err := s.restore(ctx, d.clean); err != nil {
			return err
		}
	}
	return nil
}

// restore writes the migrations' rows anew when they have been changed.
func (s *seed) restore(ctx context.Context, conn *pgx.Conn) error {
	look := func() (rows, newest int64, err error) {
		err = conn.QueryRow(ctx, "SELECT count(*), coalesce(max(xmin::text::bigint), 0) FROM "+s.Name).Scan(&rows, &newest)
		return rows, newest, err
	}
	rows, newest, err := look()
	if err != nil || rows == s.Rows && newest == s.Newest {
		return err
	}
	kept := pgx.Identifier{"dbtest", "seed " + s.Name}.Sanitize()
	for _, sql := range []string{
		"DELETE FROM " + s.Name,
		"INSERT INTO " + s.Name + " (" + s.Columns + ") OVERRIDING SYSTEM VALUE SELECT * FROM " + kept,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("restore %s: %w", s.Name, err)
		}
	}
	s.Rows, s.Newest, err = look()
	return err
}

// open connects the session that empties. It changes rows as a replica, past triggers and foreign keys.
func (d *database) open(ctx context.Context, address string) (err error) {
	if d.clean, err = pgx.Connect(ctx, address); err != nil {
		return err
	}
	if _, err := d.clean.Exec(ctx, "SET session_replication_role = replica"); err != nil {
		return err
	}
	found, err := d.clean.Query(ctx, "SELECT name, columns, rows, newest FROM dbtest.seeds")
	if err != nil {
		return err
	}
	d.seeds, err = pgx.CollectRows(found, pgx.RowToAddrOfStructByName[seed])
	return err
}
