package mails

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talkoot.fi/content/internal/person/notices"
	"talkoot.fi/content/internal/person/verifications"
)

var update = flag.Bool("update", false, "write the golden files")

var helsinki = time.FixedZone("EET", 2*3600)

// pledge is a pledge with values that could break a template.
func pledge(language string) Pledge {
	return Pledge{Language: language, FirstName: `Leena <b>"H"`, Email: "leena@example.fi", CampaignTitle: "Höyry & kylän sauna",
		CampaignURL: "https://talkoot.test/1/hoyry/", ReceiptURL: "https://talkoot.test/pledge-link/#token=0A",
		Creator:    "Reijo Kukkonen",
		Lines:      []Line{{"2 × Iltavuoro", 90_00}, {"Kirje", 6_50}, {"Vapaa lisä", 1_234_567_05}},
		TotalMinor: 1_234_663_55, VATMinor: 10_71, VATTenths: 255, GoalMinor: 24_000_00,
		Refund:     Refund{Minor: 96_50, AllMinor: 96_50, Reason: "reward_gone"},
		Withdrawal: Withdrawal{At: time.Date(2026, 11, 22, 9, 12, 0, 0, helsinki), Minor: 96_50},
		Change: Change{At: time.Date(2026, 11, 22, 9, 12, 0, 0, helsinki), FromMinor: 141_50, ToMinor: 96_50,
			Before: []Line{{"3 × Iltavuoro", 135_00}, {"Kirje", 6_50}}, After: []Line{{"2 × Iltavuoro", 90_00}, {"Kirje", 6_50}}},
		ReceiptNumber: "TK-2026-000042", Method: "Visa ···· 4242",
		PaidAt: time.Date(2026, 11, 20, 12, 0, 0, 0, helsinki), Deadline: time.Date(2026, 12, 1, 23, 59, 59, 0, helsinki),
		Outcome: "open", IsOpen: true, HasReward: true, RewardTitle: "Iltavuoro",
		Withdraw: TakeBack{State: "open", Reason: "campaign", Days: 14, FromDelivery: true}}
}

func TestRender_Golden(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		for _, kind := range []string{KindReceipt, KindRefund, KindPaymentFailed, KindWithdrawal, KindChanged, KindPledgeLink} {
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
		m, err = r.renderLink(KindRegisteredAgain, Link{Language: language, FirstName: "www.evil.example", Email: "leena@example.fi",
			URL: "https://talkoot.test/verify-email/#token=ABC", ResetURL: "https://talkoot.test/password-reset/"})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, language+".registered_again.golden", "Subject: "+m.Subject+"\n\n"+m.Text)
		m, err = r.renderLink(KindAddressTried, Link{Language: language, FirstName: "www.evil.example", Email: "leena@example.fi"})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, language+".address_tried.golden", "Subject: "+m.Subject+"\n\n"+m.Text)
		links := []AccountLink{{URL: "https://talkoot.test/password-reset/#token=ABC", MadeAt: "20.11.2026", HasPaid: true},
			{URL: "https://talkoot.test/password-reset/#token=DEF", MadeAt: "21.11.2026"}}
		for name, links := range map[string][]AccountLink{"password_reset": links[:1], "password_reset_of_several": links} {
			m, err = r.renderReset(Reset{Language: language, FirstName: "www.evil.example", Email: "leena@example.fi", Links: links,
				Others: 24 * (len(links) - 1)})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, language+"."+name+".golden", "Subject: "+m.Subject+"\n\n"+m.Text)
		}
		all := ""
		for _, event := range []notices.Event{notices.PasswordChanged, notices.PasswordReset, notices.TOTPAdded, notices.TOTPRemoved,
			notices.PasskeyAdded, notices.PasskeyRemoved, notices.BackupCodesMade, notices.BackupCodeUsed, notices.CalendarFeedMade,
			notices.SecondStepsRemoved, notices.NewDevice} {
			m, err := r.renderNotice(Notice{Language: language, FirstName: "www.evil.example", Email: "leena@example.fi", Event: event,
				At: moment(language, time.Date(2026, 11, 20, 14, 5, 0, 0, time.UTC)), URL: "https://talkoot.test/profile/me/security/",
				ResetURL: "https://talkoot.test/password-reset/"})
			if err != nil {
				t.Fatal(err)
			}
			all += "Subject: " + m.Subject + "\n\n" + m.Text + "\n"
		}
		golden(t, language+".security.golden", all)
		m, err = r.renderErased(notices.Erased{To: "leena@example.fi", Language: language, FirstName: "www.evil.example",
			At: time.Date(2026, 11, 20, 14, 5, 0, 0, time.UTC), Monthly: []notices.EndedSupport{{Supports: 2, AmountMinor: 6_00}}}, helsinki)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, language+".account_erased.golden", "Subject: "+m.Subject+"\n\n"+m.Text)
	}
}

func TestRender_EveryRefundReason(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		told := map[string]bool{}
		for _, reason := range []string{"reward_gone", "pledge_closed", "pledge_closed released", "campaign_failed",
			"campaign_canceled", "withdrawn", "requested", "claim", "by_creator", "changed"} {
			p := pledge(language)
			p.Refund.Reason, _, p.Refund.IsReleased = strings.Cut(reason, " ")
			m, err := r.render(KindRefund, p)
			if err != nil {
				t.Fatal(err)
			}
			told[m.Text] = true
		}
		if len(told) != 10 {
			t.Errorf("%s: %d texts for ten reasons", language, len(told))
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
