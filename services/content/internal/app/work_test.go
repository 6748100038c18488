package app_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/httpx"

	"talkoot.fi/content/internal/app"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/migrations"
)

// paymentsDown is a payment service that is down until the test starts it.
type paymentsDown struct {
	isUp  atomic.Bool
	asked atomic.Int64
}

func (p *paymentsDown) RoundTrip(*http.Request) (*http.Response, error) {
	p.asked.Add(1)
	answer := httptest.NewRecorder()
	if p.isUp.Load() {
		_, _ = io.WriteString(answer, `{"status": "ended"}`)
	} else {
		answer.WriteHeader(http.StatusServiceUnavailable)
	}
	return answer.Result(), nil
}

func insertPledge(t *testing.T, db *gorm.DB, id, status string, reservedUntil time.Time) {
	t.Helper()
	err := db.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name,
		language, reserved_until, created_at, updated_at)
		VALUES (?, 1, ?, 2000, 'EUR', 1, '[]', 'a@b.fi', 'A', 'B', 'fi', ?, now(), now())`, strings.Repeat("0", 26-len(id))+id, status, reservedUntil).Error
	if err != nil {
		t.Fatal(err)
	}
}

func withCampaign(t *testing.T) *gorm.DB {
	t.Helper()
	db := dbtest.New(t, migrations.FS).Gorm
	err := db.Exec(`
		INSERT INTO categories (key, position) VALUES ('k', 1);
		INSERT INTO campaigns (slug, stage, language, category_id, picture, funding_deadline, created_at, updated_at)
			VALUES ('hoyry', 2, 'fi', 1, 'x.svg', now() + interval '1 day', now(), now())`).Error
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func TestRelay_TriesTheEndOfAPaymentUntilItIsTaken_AtLeastEveryFewMinutes(t *testing.T) {
	db := withCampaign(t)
	var now atomic.Pointer[time.Time]
	set := func(at time.Time) { now.Store(&at) }
	set(time.Now())
	sender, err := mails.NewSender(mails.Options{DB: db, Send: func(context.Context, mails.Mail) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	payments := &paymentsDown{}
	relay, err := app.NewRelay(app.RelayOptions{DB: db, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return *now.Load() }, Mails: sender,
		Payments: closing.ClientConfig{URL: "http://payments.invalid", Secret: []byte(serviceSecret), Now: time.Now, Transport: payments}})
	if err != nil {
		t.Fatal(err)
	}
	if relay.Interval > 250*time.Millisecond {
		t.Errorf("who changes their mind waits %s", relay.Interval)
	}
	if err := closing.Add(t.Context(), db, closing.Pledge, "00000000000000000000000001", closing.Released); err != nil {
		t.Fatal(err)
	}
	const most = 6 * time.Minute // five minutes and jitter
	for try := range int64(60) {
		if _, err := relay.RunOnce(t.Context(), 10); err != nil {
			t.Fatal(err)
		}
		if payments.asked.Load() != try+1 {
			t.Fatalf("asked %d times after %d pauses", payments.asked.Load(), try)
		}
		set(now.Load().Add(most))
	}
	payments.isUp.Store(true)
	for range 2 {
		if _, err := relay.RunOnce(t.Context(), 10); err != nil {
			t.Fatal(err)
		}
	}
	var left int
	if err := db.Raw(`SELECT count(*) FROM outbox WHERE done_at IS NULL`).Scan(&left).Error; err != nil || left != 0 || payments.asked.Load() != 61 {
		t.Errorf("%d left, asked %d times, %v", left, payments.asked.Load(), err)
	}
}

func TestQueueMetrics_MeasuresOldMessagesByKindAndOverduePledges(t *testing.T) {
	db := withCampaign(t)
	now := time.Now().Truncate(time.Second)
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(app.NewQueueMetrics(db, func() time.Time { return now }, slog.New(slog.DiscardHandler)))
	e := httpx.New(httpx.Options{Log: slog.New(slog.DiscardHandler), Now: time.Now, Name: "content-work", Metrics: metrics})
	scrape := func(wants ...string) {
		t.Helper()
		text := call(t.Context(), e, "GET", "/metrics", "").Body.String()
		for _, want := range wants {
			if !strings.Contains(text, "\n"+want+"\n") {
				t.Errorf("the metrics lack %s", want)
			}
		}
		if t.Failed() {
			t.Log(text)
		}
	}
	scrape(`talkoot_content_outbox_oldest_age_seconds{kind="mail"} 0`, `talkoot_content_outbox_oldest_age_seconds{kind="close"} 0`, `talkoot_content_pledges_overdue 0`, `talkoot_content_campaigns_overdue 0`)
	for _, m := range []struct {
		kind string
		age  time.Duration
		done bool
	}{
		{mails.KindReceipt, 90 * time.Second, false}, {mails.KindRefund, 120 * time.Second, false}, {mails.KindRefund, time.Hour, true},
		{closing.Kind, 30 * time.Second, false}, {closing.Kind, time.Hour, true},
	} {
		err := db.Exec(`INSERT INTO outbox (kind, payload, created_at, done_at) VALUES (?, '{}', ?, CASE WHEN ? THEN now() END)`, m.kind, now.Add(-m.age), m.done).Error
		if err != nil {
			t.Fatal(err)
		}
	}
	insertPledge(t, db, "1", "created", now.Add(-11*time.Minute))
	insertPledge(t, db, "2", "awaiting_payment", now.Add(-time.Hour))
	insertPledge(t, db, "3", "created", now.Add(-9*time.Minute)) // not overdue yet
	insertPledge(t, db, "4", "created", now.Add(time.Minute))
	insertPledge(t, db, "5", "expired", now.Add(-time.Hour))
	insertPledge(t, db, "6", "processing", now.Add(-time.Hour)) // in processing
	scrape(`talkoot_content_outbox_oldest_age_seconds{kind="mail"} 120`, `talkoot_content_outbox_oldest_age_seconds{kind="close"} 30`, `talkoot_content_pledges_overdue 2`)
	// A campaign ends an hour after its last second, once nothing of it is undecided; an hour more, and people are called.
	if err := db.Exec(`DELETE FROM pledges`).Error; err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		deadline time.Duration
		settling int
		want     string
	}{{-110 * time.Minute, 0, "0"}, {-130 * time.Minute, 0, "1"}, {-130 * time.Minute, 500, "0"}, {-15 * 24 * time.Hour, 500, "1"}} {
		err := db.Exec(`UPDATE campaigns SET funding_deadline = ?`, now.Add(c.deadline)).Error
		if err == nil {
			err = db.Exec(`INSERT INTO campaign_totals (campaign_id, funding_settling_minor) SELECT id, ? FROM campaigns
				ON CONFLICT (campaign_id) DO UPDATE SET funding_settling_minor = excluded.funding_settling_minor`, c.settling).Error
		}
		if err != nil {
			t.Fatal(err)
		}
		scrape("talkoot_content_campaigns_overdue " + c.want)
	}
}
