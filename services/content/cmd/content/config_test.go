package main

import (
	"log/slog"
	"strings"
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

// Only a sandbox may have something of this machine asked in place of the video platforms.
func TestServeConfig_TakesAStandInOnlyInASandbox(t *testing.T) {
	for sandbox, ok := range map[string]bool{"SANDBOX=1": true, "SANDBOX=": false} {
		var c ServeConfig
		err := conf.Load(&c, []string{"DATABASE_URL=postgres://localhost/x", "BLOB_URL=file:///x", "SESSION_KEY=x",
			"SERVICE_SECRET=" + strings.Repeat("s", 32),
			"SANDBOX_URL=http://localhost:8090", sandbox})
		if (err == nil) != ok {
			t.Errorf("%s with a stand-in: %v", sandbox, err)
		}
	}
}
