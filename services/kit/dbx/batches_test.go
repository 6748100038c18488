package dbx_test

import (
	"context"
	"errors"
	"testing"
	"testing/fstest"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
)

// However much has piled up, no statement removes so much that it could be ended for its length, and all that is due goes.
func TestPrune_RemovesAllThatIsDue_InStatementsThatEnd(t *testing.T) {
	db := dbtest.New(t, fstest.MapFS{"00001_things.sql": {Data: []byte(`-- +goose Up
CREATE TABLE things (n int);
INSERT INTO things SELECT generate_series(1, 20000);
CREATE TABLE statements (removed int);
-- +goose StatementBegin
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO statements SELECT count(*) FROM gone; RETURN NULL; END $$;
-- +goose StatementEnd
CREATE TRIGGER note AFTER DELETE ON things REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note();
`)}}).Gorm
	n, err := dbx.Prune(t.Context(), db, "things", "n <= ?", 12001)
	if err != nil || n != 12001 {
		t.Fatalf("%d removed, %v", n, err)
	}
	var is struct{ Left, Most, Statements int }
	if err := db.Raw(`SELECT (SELECT count(*) FROM things) AS left, (SELECT max(removed) FROM statements) AS most, (SELECT count(*) FROM statements) AS statements`).
		Scan(&is).Error; err != nil {
		t.Fatal(err)
	}
	if is.Left != 7999 || is.Most > 5000 || is.Statements < 3 {
		t.Errorf("%+v", is)
	}
}

func TestInBatches_EndsWithItsContextOrAFault(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n, err := dbx.InBatches(ctx, func(context.Context) (int64, error) { cancel(); return 7, nil })
	if n != 7 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d, %v", n, err)
	}
	fault := errors.New("fault")
	if n, err := dbx.InBatches(t.Context(), func(context.Context) (int64, error) { return 3, fault }); n != 3 || !errors.Is(err, fault) {
		t.Errorf("%d, %v", n, err)
	}
}
