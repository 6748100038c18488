//go:build unix

package letters_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/mail/letters"
	"talkoot.fi/content/internal/mail/mails"
)

// post is the fixture of a campaign with a draft, whose mails are kept.
type post struct {
	*contenttest.World
	t             testing.TB
	campaign      int64
	creator, id   int64
	address       string
	mu            sync.Mutex
	sent          []mails.Mail
	batches, most int           // calls of WriteBatch; the most letters of one
	longest       time.Duration // of a call
}

func newPost(t testing.TB) *post {
	w := contenttest.New(t)
	p := &post{World: w, t: t, creator: w.Person("Reijo")}
	p.campaign = w.Campaign(campaigns.New{Slug: "hoyry", Language: "fi", CategoryID: w.Category("c"),
		TeamUserIDs: []int64{p.creator}, LastDay: "2026-12-01",
		Texts: map[string]campaigns.Text{"fi": {Title: "Höyry"}, "en": {Title: "Steam"}}}, campaigns.StageFunding)
	at := fmt.Sprintf("/campaigns/%d/posts/", p.campaign)
	made := w.Post(at, `{"content": {"title": "Kiuas on valittu", "html": "<p>Ensin.</p><p>Sitten.</p>"}}`, p.creator)
	if made.Status != http.StatusCreated {
		t.Fatalf("%s", made.Body)
	}
	if err := w.DB.Raw(`SELECT id FROM posts`).Scan(&p.id).Error; err != nil {
		t.Fatal(err)
	}
	p.address = fmt.Sprintf("%s%d/", at, p.id)
	return p
}

// back makes paid pledges of addresses, as "address language euros [status]".
func (p *post) back(pledges ...string) {
	p.t.Helper()
	for _, pledge := range pledges {
		var address, language, status string
		var euros, refunded int
		if n, _ := fmt.Sscan(pledge, &address, &language, &euros, &status); n == 3 {
			status = "paid"
		}
		if status == "refunded" {
			refunded = euros * 100
		}
		p.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, amount_refunded_minor, currency, quantity, lines, email, first_name, last_name,
				language, reserved_until, paid_at, receipt_number, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, 'EUR', 1, '[]', ?, 'Leena', 'B', ?, now(), ?, ?, now(), now())`,
			ids.New(), p.campaign, status, euros*100, refunded, address, language, p.Now(), ids.New())
		p.Advance(time.Second)
	}
}

func (p *post) change(body string) api.PostAdmin {
	p.t.Helper()
	var got api.PostAdminAnswer
	p.Patch(p.address, body, p.creator).JSON(&got)
	return got.Post
}

func (p *post) handlers() map[string]outbox.Handler {
	sender, err := mails.NewSender(mails.Options{DB: p.DB, PublicURL: "https://talkoot.test", Zone: p.Zone, Links: p.Links,
		Now: p.Now, Send: func(_ context.Context, m mails.Mail) error {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.sent = append(p.sent, m)
			return nil
		}})
	if err != nil {
		p.t.Fatal(err)
	}
	handlers := sender.Handlers()
	write := letters.WriteBatch(p.DB, p.Now)
	handlers[letters.KindBatch] = func(ctx context.Context, m outbox.Message) error {
		var before, after int
		p.DB.Raw(`SELECT count(*) FROM letters`).Scan(&before)
		began := time.Now()
		err := write(ctx, m)
		p.longest = max(p.longest, time.Since(began))
		p.DB.Raw(`SELECT count(*) FROM letters`).Scan(&after)
		p.batches, p.most = p.batches+1, max(p.most, after-before)
		return err
	}
	return handlers
}

// deliver runs the outbox until nothing is due.
func (p *post) deliver() {
	p.t.Helper()
	relay, err := outbox.NewRelay(outbox.Config{DB: p.DB, Handlers: p.handlers(), Now: p.Now,
		Log: slog.New(slog.DiscardHandler), Concurrency: 1})
	if err != nil {
		p.t.Fatal(err)
	}
	for {
		n, err := relay.RunOnce(p.t.Context(), 100)
		if err != nil {
			p.t.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
}

// receivers are the addresses of the mails, sorted.
func (p *post) receivers() string {
	all := make([]string, len(p.sent))
	for i, m := range p.sent {
		all[i] = m.To
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}
