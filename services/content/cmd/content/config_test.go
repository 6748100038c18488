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

// Requests to the video platforms may go to a stand-in on this machine only in a sandbox.
func TestServeConfig_TakesAStandInOnlyInASandbox(t *testing.T) {
	for sandbox, ok := range map[string]bool{"SANDBOX=1": true, "SANDBOX=": false} {
		var c ServeConfig
		err := conf.Load(&c, []string{"DATABASE_URL=postgres://localhost/x", "BLOB_URL=file:///x", "SESSION_KEY=x",
			"SERVICE_SECRET=" + strings.Repeat("s", 32), "PAYMENTS_URL=http://127.0.0.1:1",
			"SANDBOX_URL=http://localhost:8090", sandbox})
		if (err == nil) != ok {
			t.Errorf("%s with a stand-in: %v", sandbox, err)
		}
	}
}

// Card numbers go to an origin over TLS; only in a sandbox to a stand-in on this machine.
func TestServeConfig_TakesAnOriginForCards(t *testing.T) {
	for address, want := range map[string]struct{ inSandbox, isReal bool }{
		"https://cards.example": {true, true}, "http://localhost:8091": {true, false}, "https://cards.example/path": {}, "https://cards.example; script-src *": {},
		"cards.example": {}, "": {true, true},
	} {
		for sandbox, ok := range map[string]bool{"SANDBOX=1": want.inSandbox, "SANDBOX=": want.isReal} {
			var c ServeConfig
			err := conf.Load(&c, []string{"DATABASE_URL=postgres://localhost/x", "BLOB_URL=file:///x", "SESSION_KEY=x",
				"SERVICE_SECRET=" + strings.Repeat("s", 32), "PAYMENTS_URL=http://127.0.0.1:1", "MANGOPAY_CARD_URL=" + address, sandbox})
			if (err == nil) != ok {
				t.Errorf("%s with %q: %v", sandbox, address, err)
			}
		}
	}
}

// A forum is a secret with the addresses that it takes answers at; one without the other is a mistake.
func TestServeConfig_TakesAForumWholeOrNotAtAll(t *testing.T) {
	secret, addresses := "DISCOURSE_CONNECT_SECRET="+strings.Repeat("s", 32), "FORUM_RETURN_URLS=https://forum.example/a, https://forum.example/b"
	for name, c := range map[string]struct {
		environ []string
		ok      bool
	}{"neither": {nil, true}, "both": {[]string{secret, addresses}, true}, "secret alone": {[]string{secret}, false}, "addresses alone": {[]string{addresses}, false}} {
		var config ServeConfig
		err := conf.Load(&config, append(c.environ, "DATABASE_URL=postgres://localhost/x", "BLOB_URL=file:///x", "SESSION_KEY=x",
			"SERVICE_SECRET="+strings.Repeat("s", 32), "PAYMENTS_URL=http://127.0.0.1:1"))
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
		if name == "both" && len(config.forum().ReturnURLs) != 2 {
			t.Errorf("addresses %q", config.forum().ReturnURLs)
		}
	}
}
