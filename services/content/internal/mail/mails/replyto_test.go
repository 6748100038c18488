package mails

import (
	"context"
	"encoding/json"
	"net/mail"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/mail/addresslinks"
	"talkoot.fi/content/internal/mail/letters"
	"talkoot.fi/content/migrations"
)

// Answers go to the campaign's contact address if somebody of its team has confirmed it, and never to anybody else's.
func TestReplyTo_IsTheContactAddressThatTheTeamHasConfirmed(t *testing.T) {
	db := dbtest.New(t, migrations.FS).Gorm
	exec := func(sql string) {
		t.Helper()
		if err := db.Exec(sql).Error; err != nil {
			t.Fatal(err)
		}
	}
	exec(`
		INSERT INTO users (email, password_hash, first_name, last_name, verified, created_at) VALUES ('reijo@example.fi', '', 'Reijo', 'K', true, now()),
			('stranger@example.fi', '', 'S', 'S', true, now());
		INSERT INTO categories (key, position) VALUES ('k', 1);
		INSERT INTO campaigns (slug, stage, language, category_id, picture, target_goal_minor, funding_deadline, contact_email, created_at, updated_at)
			VALUES ('hoyry', 2, 'fi', 1, 'x.svg', 2400000, '2026-11-30 21:59:59Z', 'Reijo@Example.fi', now(), now());
		INSERT INTO campaign_team (campaign_id, user_id, position) VALUES (1, 1, 0);
		INSERT INTO campaign_totals (campaign_id) VALUES (1);
		INSERT INTO campaign_previews (campaign_id, language, preview) VALUES (1, 'en', '{"title": "Steam", "creator": {"name": "Reijo K"}}');
		INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language, reserved_until,
			receipt_number, paid_at, created_at, updated_at)
			VALUES ('00000000000000000000000001', 1, 'paid', 2050, 'EUR', 1, '[]', 'leena@example.fi', 'Leena', 'H', 'en', now(), 'TK-1', now(), now(), now());
		INSERT INTO subscriptions (id, campaign_id, status, amount_minor, currency, email, first_name, last_name, language, payable_until, created_at, updated_at)
			VALUES ('00000000000000000000000002', 1, 'active', 700, 'EUR', 'leena@example.fi', 'Leena', 'H', 'en', now(), now(), now())`)
	server := listen(t)
	links, err := addresslinks.New([]byte(strings.Repeat("s", 32)))
	if err != nil {
		t.Fatal(err)
	}
	sender, err := NewSender(Options{DB: db, SMTPURL: "smtp://" + server.address, From: "Talkoot <no-reply@talkoot.test>",
		PublicURL: "https://talkoot.test", Zone: helsinki, Links: links, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	payload := func(of any) []byte {
		t.Helper()
		text, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	receipt := outbox.Message{ID: 1, Kind: KindReceipt, Payload: payload(PledgeMail{PledgeID: "00000000000000000000000001"})}
	monthly := outbox.Message{ID: 2, Kind: KindSubscription, Payload: payload(SubscriptionMail{SubscriptionID: "00000000000000000000000002", Cause: "resumed"})}
	send := map[string]func(ctx context.Context) error{
		"a receipt":         func(ctx context.Context) error { return sender.Handlers()[KindReceipt](ctx, receipt) },
		"a mail of support": func(ctx context.Context) error { return sender.Handlers()[KindSubscription](ctx, monthly) },
		"a letter": func(ctx context.Context) error {
			return sender.sendLetter(ctx, outbox.Message{ID: 3, Kind: letters.KindMail}, letters.Letter{CampaignID: 1, Language: "en", TextLanguage: "en",
				Email: "leena@example.fi", Title: "News", CampaignTitle: "Steam"}, false)
		},
	}
	answers := func(to string) {
		t.Helper()
		for what, act := range send {
			if err := act(t.Context()); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			m, err := mail.ReadMessage(strings.NewReader(<-server.mails))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Trim(m.Header.Get("Reply-To"), "<>"); got != to {
				t.Errorf("answers to %s go to %q, want %q", what, got, to)
			}
		}
	}
	answers("Reijo@example.fi")
	for _, change := range []string{
		`UPDATE campaigns SET contact_email = 'stranger@example.fi'`,
		`UPDATE campaigns SET contact_email = ''`,
		`UPDATE campaigns SET contact_email = 'reijo@example.fi'; UPDATE users SET verified = false`,
		`UPDATE users SET verified = true, blocked_at = now()`,
	} {
		exec(change)
		answers("")
	}
}
