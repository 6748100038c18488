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

	"gorm.io/gorm"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/letters"
	"talkoot.fi/content/internal/mails"
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
	p.campaign = w.Campaign(campaigns.New{Slug: "hoyry", Language: "fi", CategoryID: w.Category("c"), TeamUserIDs: []int64{p.creator}, LastDay: "2026-12-01",
		Texts: map[string]campaigns.Text{"fi": {Title: "Höyry"}, "en": {Title: "Steam"}}}, campaigns.StageFunding)
	at := fmt.Sprintf("/campaigns/%d/posts/", p.campaign)
	made := w.Send(http.MethodPost, at, `{"content": {"title": "Kiuas on valittu", "html": "<p>Ensin.</p><p>Sitten.</p>"}}`, p.creator)
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
	sender, err := mails.NewSender(mails.Options{DB: p.DB, PublicURL: "https://talkoot.test", Zone: p.Zone, Links: p.Links, Now: p.Now,
		Send: func(_ context.Context, m mails.Mail) error {
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
	relay, err := outbox.NewRelay(outbox.Config{DB: p.DB, Handlers: p.handlers(), Now: p.Now, Log: slog.New(slog.DiscardHandler), Concurrency: 1})
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

func TestLetters_LeaveOnceToEachAddressThatMayReadAndWants(t *testing.T) {
	p := newPost(t)
	p.back("aino@a.fi fi 10", "Aino@a.fi en 10", "bo@a.fi sv 19", "carl@a.fi fi 20", "gone@a.fi fi 50 refunded", "slow@a.fi fi 50 processing",
		"disputed@a.fi en 30 disputed", "refuser@a.fi fi 40")
	p.refuse("refuser@a.fi")
	if got := p.change(`{"meta": {"level": 20}}`).Letters; got.Total != 3 || got.Declined != 1 || got.ByLanguage["en"] != 2 || got.ByLanguage["fi"] != 1 || got.SentAt != nil {
		t.Errorf("before: %+v", got)
	}
	p.change(`{"status": "published"}`)
	p.deliver()
	if got := p.receivers(); got != "Aino@a.fi carl@a.fi disputed@a.fi" {
		t.Errorf("letters went to %s", got)
	}
	for _, body := range []string{`{"status": "draft"}`, `{"status": "published"}`, `{"meta": {"level": 0}}`, `{"content": {"title": "Korjattu"}}`} {
		p.change(body)
		p.deliver()
	}
	p.back("late@a.fi fi 100")
	p.deliver()
	if len(p.sent) != 3 {
		t.Errorf("letters went to %s", p.receivers())
	}
	got := p.change(`{}`)
	if got.Letters.SentAt == nil || got.Letters.Total != 3 || got.Letters.ByLanguage["en"] != 2 || got.Letters.Declined != 1 {
		t.Errorf("after: %+v", got.Letters)
	}
	if readers := fmt.Sprint(got.Readers); readers != "[{0 6} {1 6}]" {
		t.Errorf("readers %s", readers)
	}
	if readers := fmt.Sprint(p.change(`{"meta": {"level": 30}}`).Readers); readers != "[{0 6} {1 6} {30 3}]" {
		t.Errorf("readers of level 30: %s", readers)
	}
}

func (p *post) refuse(address string) {
	p.t.Helper()
	var hash []byte
	if err := p.DB.Raw(`SELECT sha256(convert_to(lower(?), 'UTF8'))`, address).Row().Scan(&hash); err != nil {
		p.t.Fatal(err)
	}
	if got := p.Call(http.MethodPost, "/letters/"+p.Links.Token(p.campaign, hash)+"/unsubscribe/", 0); got.Status != http.StatusNoContent {
		p.t.Fatalf("%d %s", got.Status, got.Body)
	}
}

func TestLetters_AreInTheBackersLanguageElseInThePostsOwn(t *testing.T) {
	p := newPost(t)
	p.change(`{"language": "sv", "content": {"title": "Bara en rubrik"}}`)
	p.change(`{"language": "en", "content": {"title": "The stove is chosen", "html": "<p>First.</p>"}}`)
	p.back("fi@a.fi fi 10", "en@a.fi en 10", "sv@a.fi sv 10")
	p.change(`{"status": "published"}`)
	p.deliver()
	for _, m := range p.sent {
		want := map[string][]string{
			"fi@a.fi": {"Kiuas on valittu", "Sitten.", "En halua enää kirjeitä", "Höyry", "https://talkoot.test/1/hoyry/posts/1/", "https://talkoot.test/letters/?token="},
			"en@a.fi": {"The stove is chosen", "First.", "No more letters", "Steam", "https://talkoot.test/en/1/hoyry/posts/1/", "https://talkoot.test/en/letters/?token="},
			"sv@a.fi": {"Kiuas on valittu", "Sitten.", "Inga fler brev", "Höyry", "https://talkoot.test/sv/1/hoyry/posts/1/", `lang="fi"`},
		}[m.To]
		if m.Subject != want[0] {
			t.Errorf("%s: subject %q", m.To, m.Subject)
		}
		for _, words := range want[1:] {
			if !strings.Contains(m.HTML, words) || !strings.HasPrefix(words, "lang") && !strings.Contains(m.Text, words) {
				t.Errorf("%s: no %q in %s\n%s", m.To, words, m.Text, m.HTML)
			}
		}
	}
	if len(p.sent) != 3 {
		t.Errorf("letters went to %s", p.receivers())
	}
}

func TestUnsubscribe_TakesTheMailedLinkFromMailProgramsAndPeople(t *testing.T) {
	p := newPost(t)
	p.back("leena@a.fi fi 10", "toinen@a.fi fi 10")
	p.change(`{"status": "published"}`)
	p.deliver()
	link := strings.TrimPrefix(p.sent[0].Unsubscribe, "https://talkoot.test/content")
	if !strings.HasPrefix(link, "/letters/") || !strings.Contains(p.sent[0].Text, strings.Split(link, "/")[2]) {
		t.Fatalf("link %q", p.sent[0].Unsubscribe)
	}
	for range 2 { // RFC 8058's form, twice
		if got := p.Send(http.MethodPost, link, "List-Unsubscribe=One-Click", 0, "Content-Type", "application/x-www-form-urlencoded"); got.Status != http.StatusNoContent {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
	token := strings.Split(link, "/")[2]
	flipped := strings.Map(func(r rune) rune {
		if r == rune(token[10]) {
			return r ^ 1
		}
		return r
	}, token)
	for name, bad := range map[string]string{"changed": flipped, "short": token[:30], "longer": token + "AA", "of another key": strings.Repeat("A", len(token))} {
		if got := p.Call(http.MethodPost, "/letters/"+bad+"/unsubscribe/", 0).Status; got != http.StatusNotFound {
			t.Errorf("%s: %d", name, got)
		}
	}
	left := map[string]string{"leena@a.fi": "toinen@a.fi", "toinen@a.fi": "leena@a.fi"}[p.sent[0].To]
	p.sent = nil
	made := p.Send(http.MethodPost, fmt.Sprintf("/campaigns/%d/posts/", p.campaign),
		`{"status": "published", "content": {"title": "Toinen", "html": "<p>Teksti.</p>"}}`, p.creator)
	if made.Status != http.StatusCreated {
		t.Fatalf("%s", made.Body)
	}
	p.deliver()
	if got := p.receivers(); got != left {
		t.Errorf("after one refusal letters go to %q", got)
	}
}

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

func TestTestLetter_GoesToWhoWritesIfTheirAddressIsConfirmed(t *testing.T) {
	p := newPost(t)
	p.back("backer@a.fi fi 10")
	ask := func(want int) {
		t.Helper()
		if got := p.Call(http.MethodPost, p.address+"test_letter/?language=en", p.creator); got.Status != want {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		p.deliver()
	}
	ask(http.StatusAccepted)
	if len(p.sent) != 1 || !strings.HasPrefix(p.sent[0].To, "Reijo.") || p.sent[0].Subject != "Test: Kiuas on valittu" || p.sent[0].Unsubscribe == "" {
		t.Errorf("sent %+v", p.sent)
	}
	p.Exec(`UPDATE users SET verified = false`)
	ask(http.StatusAccepted)
	p.Exec(`UPDATE post_texts SET title = ''`)
	ask(http.StatusUnprocessableEntity)
	if len(p.sent) != 1 {
		t.Errorf("letters went to %s", p.receivers())
	}
	p.count(0)
}

// A post that cannot be published queues nothing.
func TestLetters_AreQueuedByThePublishingTransaction(t *testing.T) {
	p := newPost(t)
	err := p.DB.Transaction(func(tx *gorm.DB) error {
		if err := letters.Begin(t.Context(), tx, p.id); err != nil {
			return err
		}
		return context.Canceled
	})
	var queued int
	if scan := p.DB.Raw(`SELECT count(*) FROM outbox`).Scan(&queued).Error; err == nil || scan != nil || queued != 0 {
		t.Errorf("%d messages, %v %v", queued, err, scan)
	}
}
