//go:build unix

package audit_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"talkoot.fi/scripts/audit"
)

// column is one of a database, or a key of one that has JSON objects.
type column struct {
	database, table, name string
	key                   string // "" for the whole value
	kind                  string // PostgreSQL's name of its type
	literals              []string
}

func (c column) String() string {
	return strings.TrimSuffix(strings.Join([]string{c.database, c.table, c.name, c.key}, "."), ".")
}

// seen is what became of another value in a column.
type seen int

const (
	missed  seen = iota // no check named it
	found               // a check did
	refused             // the database's own rules do not let it in
	absent              // there is no row to change
)

// TestAudit_SeesEveryColumnOrSaysWhyNot puts another value into each column of both databases, one after the other, and
// requires that the audit names it, or that notCompared says why it need not.
func TestAudit_SeesEveryColumnOrSaysWhyNot(t *testing.T) {
	w := newWorld(t)
	w.live()
	if report, err := audit.Run(t.Context(), w.sources()); err != nil || report.Err() != nil {
		t.Fatalf("consistent data: %v, %v", err, report.Err())
	}
	dbs := map[string]*pgx.Conn{"content": w.withoutTriggers(w.contentURL), "payments": w.withoutTriggers(w.paymentsURL)}
	answers, excused := map[string][]byte{}, map[string]bool{}
	for _, name := range []string{"content", "payments"} {
		for _, c := range w.columns(name, dbs[name]) {
			table := c.database + "." + c.table
			if notCompared[table] != "" { // it has nothing to do with money
				excused[table] = true
				continue
			}
			reason := ""
			for _, known := range []string{table + "." + c.name, c.String()} {
				if notCompared[known] != "" {
					reason, excused[known] = notCompared[known], true
				}
			}
			if reason != "" {
				continue
			}
			isThere := false
			for _, row := range rowsOf[table].orAny() {
				got := w.change(t, dbs, answers, c, row)
				isThere = isThere || got != absent
				if got == missed {
					t.Errorf("%s (%s, row %s): another value is not seen, and nothing says why", c, c.kind, row)
				}
			}
			if !isThere {
				t.Errorf("%s (%s): no row has any, and nothing says why it need not be seen", c, c.kind)
			}
		}
	}
	for _, known := range slices.Sorted(maps.Keys(notCompared)) {
		if !excused[known] {
			t.Errorf("%s is excused and is not there", known)
		}
	}
}

// selection are conditions; each picks the rows of a table of which one is changed.
type selection []string

func (s selection) orAny() []string {
	if len(s) == 0 {
		return []string{"true"}
	}
	return s
}

// rowsOf picks rows of tables that have rows of several kinds.
var rowsOf = map[string]selection{
	"payments.payments":                {"id = @given_payment", "id = @supporter_second"},
	"payments.attempts":                {"payment_id = @given_payment", "payment_id = @supporter_second"},
	"payments.subscriptions":           {"id = @supporter", "id = @saver", "id = @giver"},
	"payments.outbox":                  {"payload ? 'event_id' AND payload ->> 'occurred_at' > (SELECT (max(payload ->> 'occurred_at')::timestamptz - interval '5 days')::text FROM outbox)"},
	"payments.refunds":                 {"actor <> ''"},
	"payments.provider_invoices":       {"number = 'S-1'", "number = 'S-1-K'"},
	"content.subscriptions":            {"id = @supporter", "id = @saver", "id = @giver"},
	"content.subscription_charges":     {"subscription_id = @supporter AND period = 2"},
	"content.subscription_transitions": {"event_id <> '' AND cause LIKE 'level%'"},
	"content.pledge_transitions":       {"event_id <> ''"},
	"content.pledges":                  {"id = @given"},
	"content.campaign_previews":        {"campaign_id = @campaign"},
	"content.outbox":                   {"kind = 'mail.subscription'"},
	"content.payment_events":           {"received_at > (SELECT max(received_at) FROM payment_events) - interval '6 days'"},
	"content.subscription_events":      {"received_at > (SELECT max(received_at) FROM subscription_events) - interval '6 days'"},
}

// columns are those of a database, of JSON objects their keys.
func (w *world) columns(database string, db *pgx.Conn) (out []column) {
	w.t.Helper()
	rows, err := db.Query(w.ctx(), `
		SELECT c.table_name, c.column_name, c.data_type,
			coalesce((SELECT string_agg(pg_get_constraintdef(k.oid), ' ') FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
				WHERE k.contype = 'c' AND k.conrelid = format('public.%I', c.table_name)::regclass AND a.attname = c.column_name), '')
		FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
		WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
			AND NOT EXISTS (SELECT FROM pg_class p WHERE p.oid = format('public.%I', c.table_name)::regclass AND p.relispartition)
		ORDER BY c.table_name, c.ordinal_position`)
	w.must(err)
	var rules string
	c := column{database: database}
	_, err = pgx.ForEachRow(rows, []any{&c.table, &c.name, &c.kind, &rules}, func() error {
		one := c
		for _, m := range literal.FindAllStringSubmatch(rules, -1) {
			one.literals = append(one.literals, m[1])
		}
		out = append(out, one)
		return nil
	})
	w.must(err)
	for i := 0; i < len(out); i++ {
		if keys := w.keys(db, out[i]); len(keys) > 0 {
			out = slices.Replace(out, i, i+1, keys...)
			i += len(keys) - 1
		}
	}
	return out
}

// literal matches the words that a rule of the database lets in.
var literal = regexp.MustCompile(`'(\w*)'`)

// keys are the keys of the objects in a column of JSON.
func (w *world) keys(db *pgx.Conn, c column) (out []column) {
	w.t.Helper()
	if c.kind != "jsonb" && c.kind != "json" {
		return nil
	}
	rows, err := db.Query(w.ctx(), fmt.Sprintf(`SELECT DISTINCT k FROM %s x CROSS JOIN LATERAL jsonb_object_keys(
		CASE jsonb_typeof(x.%s::jsonb) WHEN 'object' THEN x.%[2]s::jsonb ELSE '{}' END) k ORDER BY k`, c.table, quoted(c.name)))
	w.must(err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	w.must(err)
	for _, key := range names {
		c.key = key
		out = append(out, c)
	}
	return out
}

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }

// others are expressions for another value, the first choice first.
func (c column) others() (out []string) {
	is := quoted(c.name)
	if c.key != "" {
		is = fmt.Sprintf("(%s::jsonb -> '%s')", is, c.key)
		other := fmt.Sprintf(`CASE jsonb_typeof(%s) WHEN 'number' THEN to_jsonb(%[1]s::numeric + 1) WHEN 'string' THEN
			CASE WHEN %[1]s #>> '{}' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' THEN to_jsonb(((%[1]s #>> '{}')::date - 40)::text)
				WHEN %[1]s #>> '{}' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T' THEN to_jsonb(((%[1]s #>> '{}')::timestamptz - interval '40 days')::text)
				ELSE to_jsonb('x' || (%[1]s #>> '{}')) END
			WHEN 'boolean' THEN to_jsonb(NOT %[1]s::boolean) WHEN 'null' THEN '1' ELSE 'null' END`, is)
		return []string{fmt.Sprintf(`jsonb_set(%s::jsonb, '{%s}', %s)::%s`, quoted(c.name), c.key, other, c.kind)}
	}
	switch c.kind {
	case "smallint", "integer", "bigint", "numeric":
		return []string{fmt.Sprintf("coalesce(%s + 1, 1)", is), fmt.Sprintf("%s - 1", is)}
	case "boolean":
		return []string{fmt.Sprintf("NOT coalesce(%s, false)", is)}
	case "timestamp with time zone":
		return []string{fmt.Sprintf("coalesce(%s, now()) - interval '40 days'", is)}
	case "date":
		return []string{fmt.Sprintf("coalesce(%s, current_date) - 40", is)}
	case "bytea":
		return []string{`'\x00'`}
	case "jsonb", "json":
		return []string{`'[]'`, `'{}'`}
	case "ARRAY":
		return []string{`'{}'`}
	case "text", "character", "character varying":
		for _, word := range c.literals {
			out = append(out, fmt.Sprintf("nullif('%s', %s)", word, is))
		}
		return append(out, fmt.Sprintf(`CASE left(%s, 1) WHEN 'x' THEN 'y' ELSE 'x' END || substr(%[1]s, 2)`, is), "'x'")
	}
	return nil
}

// change puts another value into a column of one row, in a transaction that is rolled back, and tells what became of it.
func (w *world) change(t *testing.T, dbs map[string]*pgx.Conn, answers map[string][]byte, c column, where string) (got seen) {
	t.Helper()
	got = absent
	for _, other := range c.others() {
		err := w.tried(dbs[c.database], c, where, other, func(tx pgx.Tx) {
			on := map[string]pgx.Tx{c.database: tx}
			for name, db := range dbs {
				if name != c.database {
					calm, err := db.Begin(w.ctx())
					w.must(err)
					defer func() { w.must(calm.Rollback(w.ctx())) }()
					on[name] = calm
				}
			}
			is, err := audit.FindsAnything(w.ctx(), w.sourcesVia(edited{w.sandbox.Transport(), answers, nil}), on["content"], on["payments"],
				c.database == "content")
			got = map[bool]seen{true: found, false: missed}[err != nil || is] // what cannot be read is seen, too
		})
		if rule := new(pgconn.PgError); errors.As(err, &rule) {
			got = refused
			continue
		}
		if errors.Is(err, errSame) {
			continue
		}
		w.must(err)
		return got
	}
	return got
}

// errSame is a change that changed nothing.
var errSame = errors.New("no row has another value now")

// tried runs look in a transaction that has another value in a column of one row and is rolled back.
func (w *world) tried(db *pgx.Conn, c column, where, other string, look func(pgx.Tx)) (err error) {
	tx, err := db.Begin(w.ctx())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback(context.WithoutCancel(w.ctx()))) }()
	given := fmt.Sprintf("%s IS NOT NULL", quoted(c.name))
	if c.key != "" {
		given = fmt.Sprintf("%s::jsonb ? '%s'", quoted(c.name), c.key)
	}
	done, err := tx.Exec(w.ctx(), fmt.Sprintf(`UPDATE %s SET %s = %s WHERE ctid = (SELECT ctid FROM %[1]s WHERE %[4]s
		ORDER BY NOT (%[5]s), %[2]s::text IN ('', '0', 'false'), ctid LIMIT 1) AND (%[3]s)::text IS DISTINCT FROM %[2]s::text`,
		c.table, quoted(c.name), other, where, given), w.names)
	if err != nil {
		return err
	}
	if done.RowsAffected() == 0 {
		return errSame
	}
	look(tx)
	return nil
}
