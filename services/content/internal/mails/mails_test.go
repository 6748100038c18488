package mails

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/verifications"
	"talkoot.fi/content/migrations"
)

var update = flag.Bool("update", false, "write the golden files")

var helsinki = time.FixedZone("EET", 2*3600)

// pledge is a pledge with values that could break a template.
func pledge(language string) Pledge {
	return Pledge{Language: language, FirstName: `Leena <b>"H"`, Email: "leena@example.fi", CampaignTitle: "Höyry & kylän sauna",
		CampaignURL: "https://talkoot.test/1/hoyry/", ReceiptURL: "https://talkoot.test/1/hoyry/thanks/?pledge=0A",
		Creator:    "Reijo Kukkonen",
		Lines:      []Line{{"2 × Iltavuoro", 90_00}, {"Kirje", 6_50}, {"Vapaa lisä", 1_234_567_05}},
		TotalMinor: 1_234_663_55, VATMinor: 10_71, VATTenths: 255, GoalMinor: 24_000_00,
		Refund:        Refund{Minor: 96_50, AllMinor: 96_50, Reason: "reward_gone"},
		ReceiptNumber: "TK-2026-000042", Method: "Visa ···· 4242",
		PaidAt: time.Date(2026, 11, 20, 12, 0, 0, 0, helsinki), Deadline: time.Date(2026, 12, 1, 23, 59, 59, 0, helsinki),
		AllOrNothing: true, HasReward: true}
}

func TestRender_Golden(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		for _, kind := range []string{KindReceipt, KindRefund, KindPaymentFailed} {
			m, err := r.render(kind, pledge(language))
			if err != nil {
				t.Fatal(err)
			}
			golden(t, language+"."+strings.TrimPrefix(kind, "mail.")+".golden", "Subject: "+m.Subject+"\n\n"+m.Text)
		}
	}
	m, err := r.render(KindReceipt, pledge("fi"))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "fi.receipt.html.golden", m.HTML)
	for _, language := range []string{"fi", "en", "sv"} {
		m, err := r.renderLink(verifications.KindMail, Link{Language: language, FirstName: "www.evil.example",
			Email: "leena@example.fi", URL: "https://talkoot.test/verify-email/#token=ABC"})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, language+".verification.golden", "Subject: "+m.Subject+"\n\n"+m.Text)
	}
}

func TestRender_EveryRefundReasonAndRule(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		told := map[string]bool{}
		for _, reason := range []string{"reward_gone", "pledge_closed", "pledge_closed released", "campaign_failed",
			"requested"} {
			p := pledge(language)
			p.Refund.Reason, _, p.Refund.IsReleased = strings.Cut(reason, " ")
			m, err := r.render(KindRefund, p)
			if err != nil {
				t.Fatal(err)
			}
			told[m.Text] = true
		}
		if len(told) != 5 {
			t.Errorf("%s: %d texts for five reasons", language, len(told))
		}
		all, keep := pledge(language), pledge(language)
		keep.AllOrNothing = false
		a, errA := r.render(KindReceipt, all)
		k, errK := r.render(KindReceipt, keep)
		if errA != nil || errK != nil || a.Text == k.Text {
			t.Errorf("%s: both funding rules read the same: %v %v", language, errA, errK)
		}
	}
}

func TestRender_AReceiptPromisesWhatTheRuleTheSumAndTheRewardAllow(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for language, words := range map[string]struct{ comesBack, isThere, reward string }{
		"fi": {"takaisin", "on jo koossa", "Vastikkeen"},
		"en": {"get it all back", "has already been raised", "reward"},
		"sv": {"tillbaka", "har redan samlats in", "Belöningen"},
	} {
		for _, isAllOrNothing := range []bool{true, false} {
			for _, isReached := range []bool{true, false} {
				for _, hasReward := range []bool{true, false} {
					p := pledge(language)
					p.AllOrNothing, p.IsReached, p.HasReward = isAllOrNothing, isReached, hasReward
					m, err := r.render(KindReceipt, p)
					if err != nil {
						t.Fatal(err)
					}
					for word, isTrue := range map[string]bool{
						words.comesBack: isAllOrNothing && !isReached,
						words.isThere:   isAllOrNothing && isReached,
						words.reward:    hasReward,
					} {
						if strings.Contains(m.Text, word) != isTrue {
							t.Errorf("%s, all or nothing %t, reached %t, reward %t: %q said: %t\n%s", language, isAllOrNothing, isReached,
								hasReward, word, !isTrue, m.Text)
						}
					}
				}
			}
		}
	}
}

func TestRender_ARefundSaysWhatGoesBackNowInAllAndWhatStays(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	const now, all, left = 5_00, 12_34, 7_66
	for _, language := range []string{"fi", "en", "sv"} {
		nothingLeft := map[string]string{"fi": "ei veloiteta enempää", "en": "not charged any more",
			"sv": "Inget mer debiteras"}[language]
		for name, c := range map[string]struct {
			refund       Refund
			told, untold []string
		}{
			"all at once": {Refund{Minor: all, AllMinor: all}, []string{euros(language, all), nothingLeft}, nil},
			"a part": {Refund{Minor: now, AllMinor: now, LeftMinor: left},
				[]string{euros(language, now), euros(language, left)}, []string{nothingLeft}},
			"a second part": {Refund{Minor: now, AllMinor: all, LeftMinor: left},
				[]string{euros(language, now), euros(language, all), euros(language, left)},
				[]string{nothingLeft}},
			"the rest": {Refund{Minor: now, AllMinor: all}, []string{euros(language, now), euros(language, all), nothingLeft},
				nil},
			"a part of what the bank has": {Refund{Minor: now, AllMinor: now, LeftMinor: left, IsDisputed: true},
				[]string{euros(language, now)},
				[]string{euros(language, left), nothingLeft}},
		} {
			p := pledge(language)
			p.Refund = c.refund
			m, err := r.render(KindRefund, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.told {
				if strings.Count(m.Text, want) != 1 {
					t.Errorf("%s, %s: not once %q in %s", language, name, want, m.Text)
				}
			}
			for _, lie := range c.untold {
				if strings.Contains(m.Text, lie) {
					t.Errorf("%s, %s: %q in %s", language, name, lie, m.Text)
				}
			}
		}
		part := pledge(language)
		part.Refund = Refund{Minor: now, AllMinor: all, LeftMinor: left, Reason: "requested"}
		m, err := r.render(KindRefund, part)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, language+".refund_part.golden", "Subject: "+m.Subject+"\n\n"+m.Text)
	}
}

func TestRender_NoNameIsALink(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		for _, kind := range []string{KindReceipt, KindRefund, KindPaymentFailed} {
			p := pledge(language)
			p.FirstName, p.Creator = "Voita https://evil.example/nyt", "www.evil.example"
			m, err := r.render(kind, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{m.Text, m.HTML, m.Subject} {
				if strings.Contains(text, "evil.example") || strings.Contains(text, "www.") && !strings.Contains(text, "www. ") {
					t.Errorf("%s, %s: %s", language, kind, text)
				}
			}
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

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
		PublicURL: "https://talkoot.test", Zone: helsinki})
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
	for _, want := range []string{"Leena", "€20.50", "€1.23", "21\u00a0Nov\u00a02026", "€24,000 has already been raised",
		"https://talkoot.test/en/1/hoyry/thanks/?pledge=00000000000000000000000001"} {
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

func textPart(t *testing.T, m *mail.Message) string {
	t.Helper()
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	part, err := multipart.NewReader(m.Body, params["boundary"]).NextRawPart()
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(quotedprintable.NewReader(part))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// smtpServer is a minimal SMTP server (RFC 5321).
type smtpServer struct {
	address  string
	mails    chan string
	listener net.Listener
}

func (s *smtpServer) close() { _ = s.listener.Close() }

func listen(t *testing.T) *smtpServer {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &smtpServer{address: l.Addr().String(), mails: make(chan string, 10), listener: l}
	t.Cleanup(s.close)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go s.talk(t.Context(), conn)
		}
	}()
	return s
}

func (s *smtpServer) talk(_ context.Context, conn net.Conn) {
	defer func() { _ = conn.Close() }()
	say := func(line string) { _, _ = fmt.Fprintf(conn, "%s\r\n", line) }
	say("220 test")
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		switch verb, _, _ := strings.Cut(strings.ToUpper(lines.Text()), " "); verb {
		case "EHLO":
			say("250-test")
			say("250 8BITMIME")
		case "DATA":
			say("354 go on")
			var body strings.Builder
			for lines.Scan() && lines.Text() != "." {
				body.WriteString(strings.TrimPrefix(lines.Text(), ".") + "\r\n")
			}
			s.mails <- body.String()
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 fine")
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
		PublicURL: "https://talkoot.test", Zone: helsinki})
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
