//go:build unix

package letters_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
	"talkoot.fi/content/internal/mail/letters"
)

// support makes monthly support of addresses, as "address language euros [status [days that are paid yet]]".
func (p *post) support(all ...string) {
	p.t.Helper()
	for _, one := range all {
		var address, language string
		var euros, days int
		status := "active"
		if n, _ := fmt.Sscan(one, &address, &language, &euros, &status, &days); n < 4 {
			status = "active"
		}
		p.Exec(`INSERT INTO subscriptions (id, campaign_id, status, amount_minor, currency, email, first_name, last_name, language, payable_until, paid_until,
				created_at, updated_at)
			VALUES (?, ?, ?, ?, 'EUR', ?, 'Leena', 'B', ?, now(), ?, ?, now())`,
			ids.New(), p.campaign, status, euros*100, address, language, p.Now().AddDate(0, 0, days).Format(time.DateOnly), p.Now())
		p.Advance(time.Second)
	}
}

func TestLetters_ReachWhoSupportsMonthlyAtTheirLevel(t *testing.T) {
	p := newPost(t)
	p.support("aino@a.fi fi 20", "bo@a.fi sv 19", "refuser@a.fi fi 40", "left@a.fi en 30 canceled 3", "gone@a.fi fi 30 canceled -1",
		"unpaid@a.fi fi 30 past_due -1", "resting@a.fi en 30 paused 0", "never@a.fi fi 50 created", "late@a.fi fi 50 expired")
	p.refuse("refuser@a.fi")
	if got := p.change(`{"meta": {"level": 20}}`); got.Letters.Total != 3 || got.Letters.Declined != 1 || got.Letters.ByLanguage["en"] != 2 ||
		fmt.Sprint(got.Readers) != "[{0 5} {1 5} {20 4}]" {
		t.Errorf("before: %+v, readers %v", got.Letters, got.Readers)
	}
	p.change(`{"status": "published"}`)
	p.deliver()
	if got := p.receivers(); got != "aino@a.fi left@a.fi resting@a.fi" {
		t.Errorf("letters went to %s", got)
	}
	for _, m := range p.sent {
		if m.Unsubscribe == "" || !strings.Contains(m.Text, "Leena") && !strings.Contains(m.Text, "Sitten.") {
			t.Errorf("%+v", m)
		}
	}
}

// One who has pledged and supports monthly is one address: one letter, and the sums count together.
func TestLetters_OfWhoPledgesAndSupportsMonthlyAreOne(t *testing.T) {
	p := newPost(t)
	p.back("aino@a.fi fi 10", "bo@a.fi fi 15")
	p.support("AINO@a.fi en 10", "bo@a.fi fi 4")
	p.change(`{"meta": {"level": 20}, "status": "published"}`)
	p.deliver()
	if got := p.receivers(); got != "AINO@a.fi" {
		t.Errorf("letters went to %s", got)
	}
	p.count(1)
}

// An account's support lets it read whichever address it was begun with.
func TestLetters_CountAnAccountsSupportTogether(t *testing.T) {
	p := newPost(t)
	person := p.Person("Twice")
	p.back("one@a.fi fi 12")
	p.support("two@a.fi fi 8", "alone@a.fi fi 8")
	p.Exec(`UPDATE pledges SET user_id = ?`, person)
	p.Exec(`UPDATE subscriptions SET user_id = ? WHERE email = 'two@a.fi'`, person)
	p.change(`{"meta": {"level": 20}, "status": "published"}`)
	p.deliver()
	if got := p.receivers(); got != "one@a.fi two@a.fi" {
		t.Errorf("letters went to %s", got)
	}
}

func TestLetters_OfSupportThatEndsBeforeTheyLeaveDoNotLeave(t *testing.T) {
	p := newPost(t)
	p.support("aino@a.fi fi 10", "bo@a.fi fi 10")
	p.change(`{"meta": {"level": 1}, "status": "published"}`)
	p.batch()
	p.Exec(`UPDATE subscriptions SET status = 'canceled', paid_until = ? WHERE email = 'bo@a.fi'`, p.Now().AddDate(0, 0, -1).Format(time.DateOnly))
	p.deliver()
	if got := p.receivers(); got != "aino@a.fi" {
		t.Errorf("letters went to %s", got)
	}
	p.count(1)
}

// After midnight in Finland, what was paid until the day before has run out, also while it is still that day in UTC.
func TestLetters_CountDaysInThePlatformsZone(t *testing.T) {
	p := newPost(t)
	p.Advance(10*time.Hour + 30*time.Minute)
	p.support("over@a.fi fi 30 canceled 0", "still@a.fi fi 30 canceled 1")
	if got := p.change(`{"meta": {"level": 1}}`); got.Letters.Total != 1 {
		t.Errorf("%+v", got.Letters)
	}
}

func TestUnsubscribe_FromTheLetterOfMonthlySupport(t *testing.T) {
	p := newPost(t)
	p.support("aino@a.fi fi 10")
	p.change(`{"status": "published"}`)
	p.deliver()
	link := strings.TrimPrefix(p.sent[0].Unsubscribe, "https://talkoot.test/content")
	p.Post(link, "List-Unsubscribe=One-Click", 0, "Content-Type", "application/x-www-form-urlencoded")
	p.Post(fmt.Sprintf("/campaigns/%d/posts/", p.campaign), `{"status": "published", "content": {"title": "Toinen", "html": "<p>Teksti.</p>"}}`, p.creator)
	p.deliver()
	if len(p.sent) != 1 {
		t.Errorf("letters went to %s", p.receivers())
	}
}

// More than a batch of both kinds: each address once, and no statement reads a growing table whole.
func TestLetters_OfManyOfBothKindsReachEachOnce(t *testing.T) {
	p := newPost(t)
	p.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language, reserved_until, paid_at,
			receipt_number, created_at, updated_at)
		SELECT lpad(n::text, 26, '0'), ?, 'paid', 1000, 'EUR', 1, '[]', 'p' || n || '@b.fi', 'A', 'B', 'fi', now(), now(), n::text, now(), now() FROM generate_series(1, 300) n`, p.campaign)
	p.Exec(`INSERT INTO subscriptions (id, campaign_id, status, amount_minor, currency, email, first_name, last_name, language, payable_until, created_at, updated_at)
		SELECT lpad(n::text, 26, '0'), ?, 'active', 1000, 'EUR', 'P' || n || '@b.fi', 'A', 'B', 'fi', now(), now(), now() FROM generate_series(201, 500) n`, p.campaign)
	p.change(`{"status": "published"}`)
	p.deliver()
	p.count(500)
	if len(p.sent) != 500 || p.most > 200 {
		t.Errorf("%d letters, at most %d in a batch", len(p.sent), p.most)
	}
}

func TestLetters_ToManySupportersReadNoGrowingTableWhole(t *testing.T) {
	w := contenttest.NewBulk(t)
	w.Exec(`INSERT INTO subscriptions (id, campaign_id, status, amount_minor, currency, email, first_name, last_name, language, payable_until, created_at, updated_at)
		SELECT lpad(n::text, 26, '0'), 1 + n % 2000, 'active', 1000, 'EUR', 's' || n || '@b.fi', 'A', 'B', 'fi', now(), now(), now() FROM generate_series(1, 12000) n`)
	w.Exec(`VACUUM ANALYZE`)
	ctx, ran := dbx.CountStatements(t.Context())
	if _, err := letters.Count(ctx, w.DB, 9, 9, 20, w.Now()); err != nil {
		t.Fatal(err)
	}
	first := outbox.Message{Kind: letters.KindBatch, Payload: []byte(`{"post_id": 9, "batch": 0}`)}
	if err := letters.WriteBatch(w.DB, w.Now)(ctx, first); err != nil {
		t.Fatal(err)
	}
	if _, _, err := (letters.Mail{PostID: 9, SubscriptionID: fmt.Sprintf("%026d", 8)}).Read(ctx, w.DB, w.Now()); err != nil {
		t.Fatal(err)
	}
	bulk.MustNotReadWhole(t, w.DB, ran.List())
}

func TestErase_ForgetsTheAddressOfALetterToASupporter(t *testing.T) {
	p := newPost(t)
	p.support("aino@a.fi fi 10", "bo@a.fi fi 10")
	p.change(`{"status": "published"}`)
	p.deliver()
	var id string
	if err := p.DB.Raw(`SELECT id FROM subscriptions WHERE email = 'aino@a.fi'`).Scan(&id).Error; err != nil {
		t.Fatal(err)
	}
	p.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return letters.Erase(ctx, tx, nil, []string{id}, "aino@a.fi")
	})
	var known []string
	err := p.DB.Raw(`SELECT s.email FROM letters l JOIN subscriptions s ON l.address_hash = sha256(convert_to(lower(s.email), 'UTF8'))`).Scan(&known).Error
	if err != nil || len(known) != 1 || known[0] != "bo@a.fi" {
		t.Errorf("letters are known to have gone to %v, %v", known, err)
	}
	p.count(2)
}
