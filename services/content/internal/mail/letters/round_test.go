//go:build unix

package letters_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
	"talkoot.fi/content/internal/mail/letters"
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
	relay, err := outbox.NewRelay(outbox.Config{DB: p.DB, Handlers: p.handlers(), Now: p.Now,
		Log: slog.New(slog.DiscardHandler), Concurrency: 8})
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

// A round that is interrupted anywhere, or whose message is delivered twice, sends each letter once.
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
	p.count(0) // those that waited are deleted; the next publication writes them anew
	if len(p.sent) != 0 {
		t.Errorf("%d letters about a post that is taken back", len(p.sent))
	}
	p.change(`{"status": "published"}`)
	p.deliver()
	p.count(450)
	addresses := map[string]bool{}
	for _, m := range p.sent {
		addresses[m.To] = true
	}
	if len(p.sent) != 450 || len(addresses) != 450 {
		t.Errorf("%d letters to %d addresses", len(p.sent), len(addresses))
	}
}

func (p *post) count(want int) {
	p.t.Helper()
	var got int
	if err := p.DB.Raw(`SELECT count(*) FROM letters`).Scan(&got).Error; err != nil || got != want {
		p.t.Errorf("%d letters, want %d; %v", got, want, err)
	}
}

func TestLetters_ReadNoGrowingTableWhole(t *testing.T) {
	w := contenttest.NewBulk(t)
	ctx, ran := dbx.CountStatements(t.Context())
	if _, err := letters.Count(ctx, w.DB, 9, 9, 20, w.Now()); err != nil {
		t.Fatal(err)
	}
	first := outbox.Message{Kind: letters.KindBatch, Payload: []byte(`{"post_id": 9, "batch": 0}`)}
	if err := letters.WriteBatch(w.DB, w.Now)(ctx, first); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := (letters.Mail{PostID: 9, PledgeID: fmt.Sprintf("%026d", 6008)}).Read(ctx, w.DB, w.Now()); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if n := len(ran.List()); n < 6 {
		t.Errorf("only %d statements were looked at", n)
	}
	bulk.MustNotReadWhole(t, w.DB, ran.List())
}
