package mails

import (
	"cmp"
	"strings"
	"testing"
	"time"
)

// support is a subscription with values that could break a template.
func support(language, cause string) Subscription {
	day := func(d int) time.Time { return time.Date(2026, 12, d, 0, 0, 0, 0, time.UTC) }
	return Subscription{Language: language, FirstName: `Áile <b>"S"`, Email: "aile@example.fi", CampaignTitle: "A choir & people\tat www.evil.example",
		CampaignURL: "https://talkoot.test/8/kuoro/", Creator: "Reijo Kukkonen", URL: "https://talkoot.test/profile/me/subscriptions/", IsLive: true,
		SubscriptionMail: SubscriptionMail{Cause: cause, AmountMinor: 7_00, NextMinor: 15_00, DueMinor: 7_00, Method: "Visa ···· 4242",
			Refund: &Refund{Minor: 3_00, AllMinor: 5_00, LeftMinor: 2_00, Reason: "pledge_closed"}},
		Charge: Charge{Period: 1, PaidAt: time.Date(2026, 11, 20, 12, 0, 0, 0, helsinki), Title: "Front row", AmountMinor: 10_00, VATMinor: 1_42, VATTenths: 255,
			ReceiptNumber: "TM-2026-000042", Method: "Visa ···· 4242"},
		NextCharge: day(20), NextTry: day(21), Ends: day(19), Expires: day(1), Month: day(20), After: day(20).AddDate(0, 1, 0),
		Links: linksOf(cause)}
}

// linksOf are the links of a mail's cause, or of a receipt.
func linksOf(cause string) map[string]string {
	links := map[string]string{}
	for _, act := range actsOf[cmp.Or(cause, KindMonthlyReceipt)] {
		links[string(act)] = "https://talkoot.test/support-link/#token=" + strings.ToUpper(string(act))
	}
	return links
}

// failed is a charge that did not go through, with its tries to come.
func failed(language string) Subscription {
	about := support(language, "charge_failed")
	day := func(d int) time.Time { return time.Date(2026, 12, d, 0, 0, 0, 0, time.UTC) }
	about.Tries, about.GivesUp = []time.Time{day(21), day(23), day(25), day(27)}, day(28)
	return about
}

var causes = []string{"charge_coming", "charge_failed", "action_required", "past_due", "level_chosen", "paused", "resumed", "skipped", "ending", "canceled",
	"card_expiring"}

func TestRender_MonthlySupportGolden(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		all := ""
		add := func(kind string, about Subscription) {
			t.Helper()
			m, err := r.renderSubscription(kind, about)
			if err != nil {
				t.Fatal(err)
			}
			all += "Subject: " + m.Subject + "\n\n" + m.Text + "\n"
		}
		add(KindMonthlyReceipt, support(language, ""))
		later := support(language, "")
		later.Charge.Period, later.Charge.Title, later.Charge.VATMinor, later.IsLive = 2, "", 0, false
		later.Links = map[string]string{"receipt": later.Links["receipt"]}
		add(KindMonthlyReceipt, later)
		add(KindMonthlyRefund, support(language, ""))
		for _, cause := range causes {
			add(KindSubscription, support(language, cause))
		}
		add(KindSubscription, failed(language))
		for _, because := range []string{"campaign_closed", "unpaid", "person_blocked"} {
			over := support(language, "canceled")
			over.EndedBecause = because
			add(KindSubscription, over)
		}
		golden(t, language+".monthly.golden", all)
	}
	m, err := r.renderSubscription(KindSubscription, failed("en"))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "en.charge_failed.html.golden", m.HTML)
}

// Each cause has words of its own in every language, says what it is about, leads to one's own list, and
// has each of its links once.
func TestRender_EveryCauseHasItsWords(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		told := map[string]bool{}
		for _, cause := range causes {
			m, err := r.renderSubscription(KindSubscription, support(language, cause))
			if err != nil {
				t.Fatal(err)
			}
			subject, _, _ := strings.Cut(m.Subject, ": A choir")
			if subject == "" || told[subject] || !strings.Contains(m.Text, "https://talkoot.test/profile/me/subscriptions/") || strings.Contains(m.Text, "\n\n\n") {
				t.Errorf("%s %s: %q\n%s", language, cause, m.Subject, m.Text)
			}
			told[subject] = true
			for act, url := range linksOf(cause) {
				if strings.Count(m.Text, url+"\n") != 1 || strings.Count(m.HTML, url) != 1 {
					t.Errorf("%s %s: the link to %s in\n%s", language, cause, act, m.Text)
				}
			}
		}
	}
}
