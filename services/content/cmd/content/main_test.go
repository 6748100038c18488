package main

import (
	"context"
	"encoding/base64"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/metricstest"
	"talkoot.fi/kit/ordertoken"

	"talkoot.fi/content/migrations"
)

// environ is a sandbox's environment; more replaces or adds variables.
func environ(t *testing.T, databaseURL string, more ...string) []string {
	t.Helper()
	return append([]string{
		"DATABASE_URL=" + databaseURL, "REDIS_URL=redis://127.0.0.1:1/0", "BLOB_URL=file://" + filepath.Join(t.TempDir(), "media"),
		"WEB_DIR=" + t.TempDir(), "DEMO_DIR=../../../../scripts/demo", "SANDBOX=1", "SMTP_URL=smtp://127.0.0.1:1",
		"PAYMENTS_URL=http://127.0.0.1:1",
		"SESSION_KEY=" + base64.StdEncoding.EncodeToString(make([]byte, 32)), "SERVICE_SECRET=" + strings.Repeat("s", 32),
	}, more...)
}

// freeAddr is an address that nobody listens on.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// eventually polls until ask returns true.
func eventually(t *testing.T, what string, ask func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	tooLate := time.After(10 * time.Second)
	for !ask() {
		select {
		case <-tooLate:
			t.Fatalf("not within 10 s: %s", what)
		case <-tick.C:
		}
	}
}

func status(ctx context.Context, address string) int {
	status, _ := ask(ctx, address)
	return status
}

func body(ctx context.Context, address string) string {
	_, body := ask(ctx, address)
	return body
}

func ask(ctx context.Context, address string) (status int, body string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return 0, err.Error()
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err.Error()
	}
	return answer.StatusCode, string(text)
}

// All subcommands in the launcher's order, with Redis and the mail server down.
func TestContent_MigrateServeWorkSeed(t *testing.T) {
	db := dbtest.New(t, migrations.FS)
	log := slog.New(slog.DiscardHandler)
	addr, workAddr := freeAddr(t), freeAddr(t)
	var closed atomic.Int64
	payments := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/internal/payments/close" && r.Header.Get("Authorization") != "" {
			closed.Add(1)
		}
		_, _ = io.WriteString(w, `{"status": "none"}`)
	}))
	defer payments.Close()
	env := environ(t, db.URL, "ADDR="+addr, "WORK_ADDR="+workAddr, "PAYMENTS_URL="+payments.URL)
	if err := run(t.Context(), []string{"migrate"}, env, log); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 2)
	began := time.Now()
	go func() { ended <- run(ctx, []string{"serve"}, env, log) }()
	eventually(t, "ready", func() bool { return status(t.Context(), "http://"+addr+"/readyz") == http.StatusOK })
	t.Logf("ready after %s", time.Since(began).Round(time.Millisecond))
	go func() { ended <- run(ctx, []string{"work"}, env, log) }()
	eventually(t, "worker", func() bool { return status(t.Context(), "http://"+workAddr+"/healthz") == http.StatusOK })
	for _, step := range [][]string{{"seed"}, {"seed"}, {"seed", "--finish"}, {"seed", "--finish"}} {
		if err := run(t.Context(), step, env, log); err != nil {
			t.Fatalf("%v: %v", step, err)
		}
	}
	for path, want := range map[string]int{"/campaigns/preview/fi/": 200, "/": 503, "/internal/orders/pledge/00000000000000000000000000": 401} {
		if got := status(t.Context(), "http://"+addr+path); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
	err := db.Gorm.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name,
		language, reserved_until, created_at, updated_at)
		VALUES ('00000000000000000000000001', 1, 'created', 2000, 'EUR', 1, '[]', 'a@b.fi', 'A', 'B', 'fi', now() - interval '1 s', now(), now())`).Error
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the reservation has lapsed", func() bool {
		var n int
		return db.Gorm.Raw(`SELECT count(*) FROM pledges WHERE status = 'expired'`).Scan(&n).Error == nil && n == 1
	})
	given, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, "http://"+addr+"/pledges/00000000000000000000000001/", nil)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := ordertoken.New([]byte(strings.Repeat("s", 32)), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	given.Header.Set(ordertoken.Header, keys.Make(ordertoken.Pledge, "00000000000000000000000001", time.Now()))
	res, err := http.DefaultClient.Do(given)
	if err != nil || res.StatusCode != http.StatusNoContent {
		t.Fatalf("giving the lapsed pledge up: %v, %v", res, err)
	}
	_ = res.Body.Close()
	eventually(t, "the payment service knows", func() bool { return closed.Load() == 1 })
	eventually(t, "metrics that say so", func() bool {
		metrics := body(t.Context(), "http://"+workAddr+"/metrics")
		return strings.Contains(metrics, "\ntalkoot_content_pledges_overdue 0\n") &&
			strings.Contains(metrics, "\ntalkoot_content_outbox_oldest_age_seconds{kind=\"close\"} 0\n")
	})
	metricstest.Hold(t, "content serve", body(t.Context(), "http://"+addr+"/metrics"))
	metricstest.Hold(t, "content work", body(t.Context(), "http://"+workAddr+"/metrics"))
	stop()
	for range 2 {
		if err := <-ended; err != nil {
			t.Errorf("stopped with %v", err)
		}
	}
}

func TestConfig_ReportsEveryFaultWithItsRemedy(t *testing.T) {
	for name, c := range map[string]struct {
		args, env []string
		want      []string
	}{
		"serve without anything": {[]string{"serve"}, nil, []string{"DATABASE_URL", "SESSION_KEY", "SERVICE_SECRET", "PAYMENTS_URL", "BLOB_URL"}},
		"serve with a short secret, and a short hold": {[]string{"serve"}, environ(t, "postgres://x", "SERVICE_SECRET=short", "PLEDGE_HOLD=1s",
			"RATE_LIMIT_PLEDGES=0"), []string{"SERVICE_SECRET", "PLEDGE_HOLD", "RATE_LIMIT_PLEDGES"}},
		"serve with no key":          {[]string{"serve"}, environ(t, "postgres://x", "SESSION_KEY=nonsense"), []string{"signing key"}},
		"seed of a real platform":    {[]string{"seed"}, environ(t, "postgres://x", "SANDBOX=0"), []string{"SANDBOX=1"}},
		"work without a mail server": {[]string{"work"}, environ(t, "postgres://x", "SMTP_URL="), []string{"SMTP_URL"}},
		"work without the payment service": {[]string{"work"}, environ(t, "postgres://x", "PAYMENTS_URL=", "SERVICE_SECRET="),
			[]string{"PAYMENTS_URL", "SERVICE_SECRET"}},
		"work with a short secret":        {[]string{"work"}, environ(t, "postgres://x", "SERVICE_SECRET=short"), []string{"SERVICE_SECRET"}},
		"a public address without scheme": {[]string{"work"}, environ(t, "postgres://x", "PUBLIC_URL=talkoot.fi"), []string{"PUBLIC_URL"}},
		"no such command":                 {[]string{"dance"}, nil, []string{"usage"}},
		"nothing":                         {nil, nil, []string{"usage"}},
	} {
		err := run(t.Context(), c.args, c.env, slog.New(slog.DiscardHandler))
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: no %s in %v", name, want, err)
			}
		}
		if strings.Contains(err.Error(), "nonsense") {
			t.Errorf("%s: a secret is told: %v", name, err)
		}
	}
}

func TestConfig_Defaults(t *testing.T) {
	var c ServeConfig
	if err := conf.Load(&c, environ(t, "postgres://x", "PUBLIC_URL=https://talkoot.fi/")); err != nil {
		t.Fatal(err)
	}
	if c.Addr != "127.0.0.1:8081" || c.PledgeHold != 30*time.Minute || c.PledgesAMinute != 60 ||
		c.MaxConns != 20 || c.PublicURL != "https://talkoot.fi" {
		t.Errorf("%+v", c)
	}
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
}
