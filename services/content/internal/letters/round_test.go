//go:build unix

package letters_test

import (
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/letters"
)

// Five thousand letters are written in short transactions, and mails that are queued meanwhile are not behind them all.
func TestLetters_AreWrittenInBatchesThatLetOtherMailsThrough(t *testing.T) {
	p := newPost(t)
	p.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language, reserved_until,
			paid_at, receipt_number, created_at, updated_at)
		SELECT lpad(CAST(i AS text), 26, '0'), ?, 'paid', 1000, 'EUR', 1, '[]', 'b' || i % 5000 || '@a.fi', 'A', 'B', 'fi', now(), now(), 'R' || i, now(), now()
		FROM generate_series(1, 6000) i`, p.campaign)
	began := time.Now()
	publishing := p.Patch(p.address, `{"status": "published"}`, p.creator)
	if publishing.Status != http.StatusOK {
		t.Fatalf("%s", publishing.Body)
	}
	t.Logf("publishing took %v", time.Since(began))
	relay, err := outbox.NewRelay(outbox.Config{DB: p.DB, Handlers: p.handlers(), Now: p.Now, Log: slog.New(slog.DiscardHandler), Concurrency: 8})
	if err != nil {
		t.Fatal(err)
	}
	var waiting, most int
	for {
		n, err := relay.RunOnce(t.Context(), 8)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			break
		}
		p.DB.Raw(`SELECT count(*) FROM outbox WHERE done_at IS NULL`).Scan(&waiting)
		most = max(most, waiting)
	}
	t.Logf("%d batches, the longest %v, at most %d messages waited", p.batches, p.longest, most)
	if p.most > 200 || most > 201 {
		t.Errorf("one batch wrote %d letters, %d messages waited", p.most, most)
	}
	seen := map[string]bool{}
	for _, m := range p.sent {
		seen[m.To] = true
	}
	if len(p.sent) != 5000 || len(seen) != 5000 {
		t.Errorf("%d letters to %d addresses", len(p.sent), len(seen))
	}
}

// A round that is broken off anywhere, or told twice to go on, sends each letter once.
func TestLetters_GoOnAfterACrashAndAfterThePostWasTakenBack(t *testing.T) {
	p := newPost(t)
	p.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language, reserved_until,
			paid_at, receipt_number, created_at, updated_at)
		SELECT lpad(CAST(i AS text), 26, '0'), ?, 'paid', 1000, 'EUR', 1, '[]', 'b' || i || '@a.fi', 'A', 'B', 'fi', now(), now(), 'R' || i, now(), now()
		FROM generate_series(1, 450) i`, p.campaign)
	p.change(`{"status": "published"}`)
	write := letters.WriteBatch(p.DB, p.Now)
	next := func() (m outbox.Message) {
		if err := p.DB.Raw(`SELECT id, kind, payload FROM outbox WHERE kind = ? ORDER BY id DESC LIMIT 1`, letters.KindBatch).Scan(&m).Error; err != nil {
			t.Fatal(err)
		}
		return m
	}
	first := next()
	var all sync.WaitGroup
	for range 4 { // the same message delivered again while it runs
		all.Go(func() {
			if err := write(t.Context(), first); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	p.count(200)
	p.change(`{"status": "draft"}`)
	p.deliver()
	p.count(200)
	if len(p.sent) != 0 {
		t.Errorf("%d letters about a post that is taken back", len(p.sent))
	}
	p.change(`{"status": "published"}`)
	p.deliver()
	p.count(450)
	var rows int
	if err := p.DB.Raw(`SELECT count(*) FROM outbox WHERE kind = ?`, letters.KindMail).Scan(&rows).Error; err != nil || rows != 450 {
		t.Errorf("%d mails were queued, %v", rows, err)
	}
}

func (p *post) count(want int) {
	p.t.Helper()
	var got int
	if err := p.DB.Raw(`SELECT count(*) FROM letters`).Scan(&got).Error; err != nil || got != want {
		p.t.Errorf("%d letters, want %d; %v", got, want, err)
	}
}
