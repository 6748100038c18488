package mails

import (
	"strings"
	"testing"
	"time"
)

// What a bank has is told apart from what we give back.
func TestRender_WithdrawalOfWhichABankHasSome(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		p := pledge(language)
		p.Withdrawal = Withdrawal{At: time.Date(2026, 11, 22, 9, 12, 0, 0, helsinki), Minor: 96_50, ContestedMinor: 31_07}
		m, err := r.render(KindWithdrawal, p)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(m.Text, euros(language, 96_50)) != 1 || strings.Count(m.Text, euros(language, 31_07)) != 1 {
			t.Errorf("%s: %s", language, m.Text)
		}
	}
}

// What mails about taking back after a campaign say, and what a receipt says of it for each kind of reward.
func TestRender_WithdrawalByLaw(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 22, 9, 12, 0, 0, helsinki)
	until, sentOn := time.Date(2026, 12, 14, 23, 59, 59, 0, helsinki), time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	for _, language := range []string{"fi", "en", "sv"} {
		all := ""
		add := func(m Mail, err error) {
			if err != nil {
				t.Fatal(err)
			}
			all += "Subject: " + m.Subject + "\n\n" + m.Text + "\n"
		}
		p := pledge(language)
		p.Withdraw = TakeBack{State: "open", Reason: "sent", Until: &until, SentOn: &sentOn, Days: 14, FromDelivery: true}
		add(r.render(KindSent, p))
		p.Withdrawal = Withdrawal{At: at, Minor: 96_50, IsAfter: true, IsSent: true}
		add(r.render(KindWithdrawal, p))
		for _, sent := range []bool{true, false} {
			add(r.renderCampaign(KindWithdrawnAfter, Campaign{Language: language, FirstName: "Reijo", Email: "reijo@example.fi", Title: "Höyry",
				URL:       "https://talkoot.test/7/hoyry/overview/",
				Withdrawn: Withdrawn{Backer: "Leena Halonen", Reward: "Iltavuoro", ReceiptNumber: "TK-2026-000042", Minor: 96_50, BackMinor: 96_50, At: at, IsSent: sent}}))
		}
		golden(t, language+".withdrawal_by_law.golden", all)

		told := map[string]bool{}
		for _, kind := range []struct {
			hasReward, fromDelivery bool
			days                    int
		}{{true, true, 14}, {true, false, 14}, {true, false, 0}, {false, false, 0}} {
			p := pledge(language)
			p.HasReward, p.Withdraw = kind.hasReward, TakeBack{Days: kind.days, FromDelivery: kind.fromDelivery}
			m, err := r.render(KindReceipt, p)
			if err != nil {
				t.Fatal(err)
			}
			if kind.days > 0 != strings.Contains(m.Text, "14 ") {
				t.Errorf("%s: %+v is told as\n%s", language, kind, m.Text)
			}
			told[m.Text[strings.Index(m.Text, "23"):]] = true
		}
		if len(told) != 4 {
			t.Errorf("%s: %d texts for four kinds", language, len(told))
		}
	}
}

// The team is told what goes back, and not the whole sum as if all of it did.
func TestRender_WithdrawnAfterOfWhichABankHasSome(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		for _, contested := range []int64{31_07, 0} { // 0: a part went back before
			m, err := r.renderCampaign(KindWithdrawnAfter, Campaign{Language: language, Email: "reijo@example.fi",
				Withdrawn: Withdrawn{Reward: "Iltavuoro", Minor: 96_50, BackMinor: 65_43, ContestedMinor: contested, At: time.Now()}})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(m.Text, euros(language, 65_43)) != 1 || contested > 0 && strings.Count(m.Text, euros(language, contested)) != 1 {
				t.Errorf("%s: %s", language, m.Text)
			}
		}
	}
}
