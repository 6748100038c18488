package mails

import (
	"encoding/json"
	"mime"
	"net/mail"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/migrations"
)

func TestDeliver_SendsWhatIsTrueNow(t *testing.T) {
	db := dbtest.New(t, migrations.FS).Gorm
	err := db.Exec(`
		INSERT INTO users (email, password_hash, first_name, last_name, created_at) VALUES ('r@example.fi', '', 'Reijo', 'K', now());
		INSERT INTO categories (key, position) VALUES ('k', 1);
		INSERT INTO campaigns (slug, stage, language, category_id, picture, target_goal_minor, funding_deadline, created_at, updated_at)
			VALUES ('hoyry', 2, 'fi', 1, 'x.svg', 2400000, '2026-11-30 21:59:59Z', now(), now());
		INSERT INTO campaign_totals (campaign_id, funding_reached_minor) VALUES (1, 2400000);
		INSERT INTO campaign_previews (campaign_id, language, preview)
			VALUES (1, 'en', '{"title": "Steam", "creator": {"name": "Reijo K"}}');
		INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language,
			vat_minor, reserved_until, payment_method, receipt_number, paid_at, created_at, updated_at)
			VALUES ('00000000000000000000000001', 1, 'paid', 2050, 'EUR', 1, '[{"label": "Support", "amount_minor": 2050}]', 'leena@example.fi',
			'Leena', 'H', 'en', 123, now(), 'Visa ···· 4242', 'TK-2026-000001', '2026-11-20 22:30:00Z', now(), now())`).Error
	if err != nil {
		t.Fatal(err)
	}
	server := listen(t)
	sender, err := NewSender(Options{DB: db, SMTPURL: "smtp://" + server.address, From: "Talkoot <no-reply@talkoot.test>",
		PublicURL: "https://talkoot.test", Zone: helsinki, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	payload, err := json.Marshal(PledgeMail{PledgeID: "00000000000000000000000001"})
	if err != nil {
		t.Fatal(err)
	}
	message := outbox.Message{ID: 7, Kind: KindReceipt, Payload: payload, CreatedAt: time.UnixMicro(1)}
	if err := sender.Handlers()[KindReceipt](t.Context(), message); err != nil {
		t.Fatal(err)
	}
	got := <-server.mails
	m, err := mail.ReadMessage(strings.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil || subject != "Receipt TK-2026-000001: Steam" {
		t.Errorf("subject %q, %v", subject, err)
	}
	if m.Header.Get("Message-Id") != "<outbox.7.1@talkoot>" || !strings.Contains(m.Header.Get("To"), "leena@example.fi") {
		t.Errorf("headers %v", m.Header)
	}
	text := textPart(t, m)
	for _, want := range []string{"Leena", "€20.50", "€1.23", "21\u00a0Nov\u00a02026", "€24,000 has been raised",
		"https://talkoot.test/en/pledge-link/#token="} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.Contains(text, "reward") {
		t.Errorf("a reward is spoken of, and there is none: %s", text)
	}
	if !strings.Contains(got, "text/html") {
		t.Error("no HTML part")
	}

	// A receipt that leaves late says what has become of the money meanwhile.
	for _, late := range []struct{ change, want string }{
		{`UPDATE campaigns SET hide_funding_amount = true`, "If €24,000 is not reached by 30\u00a0Nov\u00a02026, you get it all"},
		{`UPDATE campaigns SET stage = 3`, "€24,000 has been raised"},
		{`UPDATE campaigns SET stage = 4`, "€24,000 was not reached, so you get it all back"},
		{`UPDATE pledges SET status = 'refunded'`, ""},
	} {
		if err := db.Exec(late.change).Error; err != nil {
			t.Fatal(err)
		}
		if err := sender.Handlers()[KindReceipt](t.Context(), message); err != nil {
			t.Fatal(err)
		}
		if m, err = mail.ReadMessage(strings.NewReader(<-server.mails)); err != nil {
			t.Fatal(err)
		}
		text := textPart(t, m)
		if !strings.Contains(text, late.want) || (late.want == "" && strings.Contains(text, "€24,000")) {
			t.Errorf("after %s: no %q in %s", late.change, late.want, text)
		}
	}

	refund, err := json.Marshal(PledgeMail{PledgeID: "00000000000000000000000001",
		Refund: &Refund{Minor: 5_00, AllMinor: 5_00, LeftMinor: 15_50, Reason: "requested"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := sender.Handlers()[KindRefund](t.Context(), outbox.Message{ID: 8, Kind: KindRefund,
		Payload: refund}); err != nil {
		t.Fatal(err)
	}
	m, err = mail.ReadMessage(strings.NewReader(<-server.mails))
	if err != nil {
		t.Fatal(err)
	}
	if text := textPart(t, m); !strings.Contains(text, "returned €5.00.") ||
		!strings.Contains(text, "€15.50 of your payment stays charged") {
		t.Errorf("the refund's own figures are not told: %s", text)
	}

	for name, bad := range map[string]outbox.Message{
		"a pledge that is not there": {Kind: KindReceipt, Payload: []byte(`{"pledge_id": "00000000000000000000000009"}`)},
		"no payload":                 {Kind: KindReceipt, Payload: []byte(`7`)},
	} {
		if err := sender.Handlers()[bad.Kind](t.Context(), bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	server.close()
	if err := sender.Handlers()[KindReceipt](t.Context(), message); err == nil {
		t.Error("the mail server is down: no error")
	}
}

func TestNewSender_RefusesMalformedAddresses(t *testing.T) {
	for _, address := range []string{"", "host:25", "http://host", "smtp://", "smtp://host:port"} {
		if _, err := NewSender(Options{SMTPURL: address}); err == nil {
			t.Errorf("%q was taken", address)
		}
	}
}

// A receipt stays what it was: the pledge keeps the rate that it was bought by, whatever becomes of its reward's.
func TestDeliver_ReceiptHasTheRateThatWasBoughtBy(t *testing.T) {
	db := dbtest.New(t, migrations.FS).Gorm
	err := db.Exec(`
		INSERT INTO categories (key, position) VALUES ('k', 1);
		INSERT INTO campaigns (slug, stage, language, category_id, picture, target_goal_minor, funding_deadline,
			created_at, updated_at) VALUES ('hoyry', 2, 'fi', 1, 'x.svg', 2400000, '2026-11-30 21:59:59Z', now(), now());
		INSERT INTO campaign_totals (campaign_id) VALUES (1);
		INSERT INTO campaign_previews (campaign_id, language, preview)
			VALUES (1, 'en', '{"title": "Steam", "creator": {"name": "Reijo K"}}');
		INSERT INTO rewards (campaign_id, amount_minor, vat_tenths, created_at) VALUES (1, 1000, 255, now());
		INSERT INTO pledges (id, campaign_id, reward_id, status, amount_minor, currency, quantity, lines, email, first_name,
			last_name, language, vat_minor, bought, reserved_until, receipt_number, paid_at, created_at, updated_at)
			VALUES ('00000000000000000000000001', 1, 1, 'paid', 1000, 'EUR', 1, '[{"label": "Ladle", "amount_minor": 1000}]',
			'leena@example.fi', 'Leena', 'H', 'en', 203, '{"vat_tenths": 255}', now(), 'TK-2026-000001', now(), now(), now());
		UPDATE rewards SET vat_tenths = 135`).Error
	if err != nil {
		t.Fatal(err)
	}
	sender, err := NewSender(Options{DB: db, SMTPURL: "smtp://127.0.0.1:1", From: "Talkoot <no-reply@talkoot.test>",
		PublicURL: "https://talkoot.test", Zone: helsinki, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	p, err := sender.pledge(t.Context(), "00000000000000000000000001")
	if err != nil {
		t.Fatal(err)
	}
	renderer, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := renderer.render(KindReceipt, p)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(receipt.Text, "incl. VAT 25.5%") || !strings.Contains(receipt.Text, "€2.03") {
		t.Errorf("the receipt says %s", receipt.Text)
	}
}
