package mails

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/migrations"
)

func TestRender_RemindersAndStrandedPledges(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		m, err := r.renderReminder(Reminder{Language: language, Email: "leena@example.fi", CampaignTitle: "Höyry www.evil.example\n sauna",
			URL: "https://talkoot.test/1/hoyry/pledge/", Deadline: time.Date(2026, 12, 1, 23, 59, 59, 0, helsinki), RefuseURL: "https://talkoot.test/reminders/#token=ABC"})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, language+".payable_again.golden", "Subject: "+m.Subject+"\n\n"+m.Text)
		m, err = r.renderStranded(Stranded{Language: language, FirstName: "www.evil.example", Email: "leena@example.fi", CampaignTitle: "Höyry & kylän sauna",
			TotalMinor: 96_50, Until: moment(language, time.Date(2026, 11, 20, 14, 5, 0, 0, helsinki)), URL: "https://talkoot.test/1/hoyry/pay/#token=ABC"})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, language+".stranded.golden", "Subject: "+m.Subject+"\n\n"+m.Text)
	}
}

// The link pays the pledge that it is about, for as long as that waits.
func TestDeliver_AStrandedPledge_LinksToItsPaymentWhileItWaits(t *testing.T) {
	db := dbtest.New(t, migrations.FS).Gorm
	const id = "00000000000000000000000001"
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	err := db.Exec(`
		INSERT INTO categories (key, position) VALUES ('k', 1);
		INSERT INTO campaigns (slug, stage, language, category_id, picture, target_goal_minor, funding_deadline, created_at, updated_at)
			VALUES ('hoyry', 2, 'fi', 1, 'x.svg', 2400000, '2026-11-30 21:59:59Z', now(), now());
		INSERT INTO campaign_previews (campaign_id, language, preview) VALUES (1, 'en', '{"title": "Steam"}');
		INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language,
			reserved_until, created_at, updated_at)
			VALUES ('00000000000000000000000001', 1, 'awaiting_payment', 2050, 'EUR', 1, '[]', 'leena@example.fi', 'Leena', 'H', 'en',
			'2026-11-20 12:20:00Z', '2026-11-20 11:50:00Z', now())`).Error
	if err != nil {
		t.Fatal(err)
	}
	keys, err := ordertoken.New([]byte(strings.Repeat("s", 32)), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	var sent []Mail
	sender, err := NewSender(Options{DB: db, PublicURL: "https://talkoot.test", Zone: helsinki, OrderTokens: keys, Now: func() time.Time { return now },
		Send: func(_ context.Context, m Mail) error { sent = append(sent, m); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	deliver := func() {
		t.Helper()
		payload, err := json.Marshal(PledgeMail{PledgeID: id})
		if err == nil {
			err = sender.Handlers()[KindStranded](t.Context(), outbox.Message{ID: 7, Kind: KindStranded, Payload: payload})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	deliver()
	if len(sent) != 1 || sent[0].To != "leena@example.fi" || !strings.Contains(strings.ReplaceAll(sent[0].Text, noBreak, " "), "until 20 Nov 2026 at 14:20") {
		t.Fatalf("%+v", sent)
	}
	_, token, _ := strings.Cut(sent[0].Text, "https://talkoot.test/en/1/hoyry/pay/#token="+id+".")
	token, _, _ = strings.Cut(token, "\n")
	if !keys.Opens(token, ordertoken.Paying, id) || keys.Opens(token, ordertoken.Pledge, id) {
		t.Errorf("token %q", token)
	}
	for _, over := range []string{`UPDATE pledges SET reserved_until = '2026-11-20 11:59:00Z'`, `UPDATE pledges SET reserved_until = '2026-11-20 12:20:00Z', status = 'expired'`} {
		if err := db.Exec(over).Error; err != nil {
			t.Fatal(err)
		}
		deliver()
	}
	if len(sent) != 1 {
		t.Errorf("mailed of what waits no longer: %+v", sent[1:])
	}
}
