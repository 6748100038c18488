package subscriptions_test

import (
	"strings"
	"testing"

	"talkoot.fi/kit/dbx"
)

// The number of statements of a charge that goes through: more of them means a query crept into a loop.
func TestRenewal_StatementCount(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, "")
	ctx, statements := dbx.CountStatements(t.Context())
	if err := w.App.Subscriptions.Steps(ctx); err != nil {
		t.Fatal(err)
	}
	wantMonths(w, id, 2)
	if statements.Count() > 50 {
		t.Errorf("%d statements:\n%s", statements.Count(), strings.Join(statements.List(), "\n"))
	}
}
