package main

import (
	"log/slog"
	"testing"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/migrations"
)

func TestDatabase_EndsLongStatementsOfRequestsBeforeThoseOfWorkers(t *testing.T) {
	d := Database{URL: conf.Secret(dbtest.New(t, migrations.FS).URL), MaxConns: 1}
	for process, want := range map[string]string{"serve": "5s", "work": "30s", "seed": "30s"} {
		db, err := d.open(t.Context(), process, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		var got string
		err = db.Raw(`SHOW statement_timeout`).Scan(&got).Error
		if closed := dbx.Close(db); err != nil || closed != nil || got != want {
			t.Errorf("%s: statements end after %s, want %s; %v %v", process, got, want, err, closed)
		}
	}
}
