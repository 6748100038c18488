package personaldata_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"talkoot.fi/kit/dbtest"

	"talkoot.fi/content/migrations"
)

// columnsSQL are the columns that can hold words or keys of people: of users, of what names a person, a pledge, a subscription
// or an address, of what belongs to such a table, and of the copies that have people's names in them.
const columnsSQL = `
	WITH named AS (
		SELECT DISTINCT c.table_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
		WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND (c.table_name IN ('users', 'reviewed_parts', 'search_documents', 'search_vocabulary')
		    OR c.column_name ~ '(^|_)(user_id|email|address_hash|author_id|invited_by|pledge_id|subscription_id|visitor|payload|made)$')
		UNION
		SELECT r.relname FROM pg_constraint f JOIN pg_class r ON r.oid = f.conrelid
		WHERE f.contype = 'f' AND f.confrelid IN ('users'::regclass, 'pledges'::regclass, 'subscriptions'::regclass, 'team_invitations'::regclass))
	SELECT c.table_name || '.' || c.column_name FROM information_schema.columns c JOIN named USING (table_name)
	WHERE c.table_schema = 'public' AND c.data_type IN ('text', 'character', 'ARRAY', 'json', 'jsonb', 'bytea', 'inet', 'point')
	ORDER BY 1`

var inventoryRow = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([^|]+) \\| ([^|]+) \\|$")

// What the page about personal data says of each column is the erasure table: a new column is a decision.
func TestPersonalDataPage_SaysOfEveryColumnWhatBecomesOfIt(t *testing.T) {
	page, err := os.ReadFile("../../../../../proto-docs/personal-data.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, row := range inventoryRow.FindAllStringSubmatch(string(page), -1) {
		if strings.TrimSpace(row[3]) == "" {
			t.Errorf("%s: nothing is said of %s", row[1], row[2])
		}
		for column := range strings.SplitSeq(row[2], ",") {
			told[row[1]+"."+strings.Trim(column, " `")] = true
		}
	}
	var columns []string
	if err := dbtest.New(t, migrations.FS).Gorm.Raw(columnsSQL).Scan(&columns).Error; err != nil {
		t.Fatal(err)
	}
	if len(columns) < 60 {
		t.Fatalf("only %d columns are found", len(columns))
	}
	for _, column := range columns {
		if !told[column] {
			t.Errorf("%s: proto-docs/personal-data.md does not say what becomes of it", column)
		}
		delete(told, column)
	}
	for column := range told {
		t.Errorf("%s is on the page and not in the database", column)
	}
}
