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
	about := Subscription{Language: language, FirstName: `Áile <b>"S"`, Email: "aile@example.fi", CampaignTitle: "A choir & people\tat www.evil.example",
		CampaignURL: "https://talkoot.test/8/kuoro/", Creator: "Reijo Kukkonen", URL: "https://talkoot.test/profile/me/subscriptions/",
		CalendarURL: "https://talkoot.test/profile/me/calendar/", IsLive: true,
		SubscriptionMail: SubscriptionMail{Cause: cause, AmountMinor: 7_00, Method: "Visa ···· 4242",
			Refund: &Refund{Minor: 3_00, AllMinor: 5_00, LeftMinor: 2_00, Reason: "pledge_closed"}},
		Charge: Charge{Period: 1, PaidAt: time.Date(2026, 11, 20, 12, 0, 0, 0, helsinki), Title: "Front row", AmountMinor: 10_00, VATMinor: 1_42, VATTenths: 255,
			ReceiptNumber: "TM-2026-000042", Method: "Visa ···· 4242"},
		Expires: day(1), Links: linksOf(cause)}
	switch cause { // what its event tells besides
	case "": // a receipt's is that of a payment
		about.SubscriptionMail = SubscriptionMail{Refund: about.Refund}
		about.Month = day(20)
	case "charge_coming":
		about.DueMinor, about.NextCharge = 7_00, day(20)
	case "charge_failed", "action_required":
		about.DueMinor, about.NextTry = 7_00, day(21)
	case "past_due":
		about.DueMinor = 7_00
	case "limit_reached":
		about.DueMinor, about.LimitMinor, about.LimitTotalMinor = 7_00, 40_00, 45_00
	case "level_chosen":
		about.NextMinor, about.NextCharge = 15_00, day(20)
	case "paused", "resumed", "skipped", "card_expiring":
		about.NextCharge = day(20)
	case "ending":
		about.Ends = day(19)
	}
	if cause != "" && cause != "ending" && cause != "canceled" { // is about a month
		about.Month, about.After = day(20), day(20).AddDate(0, 1, 0)
	}
	return about
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
	about.NextMinor = 15_00 // chosen from the next month on
	day := func(d int) time.Time { return time.Date(2026, 12, d, 0, 0, 0, 0, time.UTC) }
	about.Tries, about.GivesUp = []time.Time{day(21), day(23), day(25), day(27)}, day(28)
	return about
}

var causes = []string{"charge_coming", "charge_failed", "action_required", "limit_reached", "past_due", "level_chosen", "paused", "resumed", "skipped", "ending", "canceled",
	"card_expiring", FirstMonthRefused}

func TestRender_TheNextMonthsSumIsThatOfTheLevelThatWasChosen(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	resumed, receipt := support("en", "resumed"), support("en", "")
	resumed.NextMinor, receipt.IsChanging = 15_00, true
	for kind, one := range map[string]struct {
		about         Subscription
		says, saysNot string
	}{KindSubscription: {resumed, "goes on, €15.00 a month", "€7.00 a month"}, KindMonthlyReceipt: {receipt, "your receipt", "The same sum"}} {
		m, err := r.renderSubscription(kind, one.about)
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.ReplaceAll(m.Text, "\n", " "); !strings.Contains(text, one.says) || strings.Contains(text, one.saysNot) {
			t.Errorf("%s says %q", kind, m.Text)
		}
	}
}

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
		for _, because := range []string{"campaign_closed", "unpaid", CardsRefused, "person_blocked"} {
			over := support(language, "canceled")
			over.EndedBecause, over.IsBlocked = because, because == "person_blocked"
			add(KindSubscription, over)
		}
		unanswered := support(language, "skipped")
		unanswered.IsUnanswered, unanswered.Links = true, map[string]string{"cancel": unanswered.Links["cancel"]}
		add(KindSubscription, unanswered)
		golden(t, language+".monthly.golden", all)
	}
	m, err := r.renderSubscription(KindSubscription, failed("en"))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "en.charge_failed.html.golden", m.HTML)
	if m, err = r.renderSubscription(KindSubscription, support("fi", "limit_reached")); err != nil {
		t.Fatal(err)
	}
	golden(t, "fi.limit_reached.html.golden", m.HTML)
}

// Money that goes straight back comes with the reason that is its own.
func TestRender_MoneyThatWasNotTakenSaysWhy(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		told := map[string]bool{}
		for _, because := range []string{"", "asked", "campaign_closed", "person_blocked", "refused"} {
			about := support(language, "")
			about.OverBecause, about.IsLive, about.IsBlocked = because, because == "", because == "person_blocked"
			m, err := r.renderSubscription(KindMonthlyRefund, about)
			if err != nil {
				t.Fatal(err)
			}
			reason, _, _ := strings.Cut(m.Text, "3")
			if told[reason] || strings.Contains(m.Text, about.URL) == about.IsBlocked {
				t.Errorf("%s %q:\n%s", language, because, m.Text)
			}
			told[reason] = true
		}
	}
}

// Who is blocked is told so, how to ask why, and of no page that they cannot open.
func TestRender_WhoIsBlockedIsToldSo(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for language, words := range map[string][2]string{"fi": {"sulkeneet tilisi", "profiili"}, "en": {"closed your account", "profile"},
		"sv": {"stängt ditt konto", "profil"}} {
		about := support(language, "canceled")
		about.EndedBecause, about.IsLive, about.IsBlocked, about.Links = "person_blocked", false, true, nil
		m, err := r.renderSubscription(KindSubscription, about)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(m.Text, words[0]) || strings.Contains(m.Text, words[1]) || strings.Contains(m.HTML, "href") {
			t.Errorf("%s:\n%s", language, m.Text)
		}
	}
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

// A month is charged on its day, and at once when that has come.
func TestRender_WhenAMonthIsChargedFollowsItsDay(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for language, words := range map[string]struct{ tomorrow, today, onItsDay, atOnce string }{
		"fi": {"huomenna", "tänään", "se veloitetaan 20.12. tai heti", "se veloitetaan heti."},
		"en": {"tomorrow", "today", "it is charged on 20\u00a0December, or at once", "it is charged at once."},
		"sv": {"i morgon", "i dag", "debiteringen den 20\u00a0december, eller genast", "debiteras den genast."},
	} {
		for _, hasCome := range []bool{false, true} {
			coming, held := support(language, "charge_coming"), support(language, "limit_reached")
			coming.HasCome, held.HasCome = hasCome, hasCome
			m, err := r.renderSubscription(KindSubscription, coming)
			if err != nil {
				t.Fatal(err)
			}
			said, not := words.tomorrow, words.today
			if hasCome {
				said, not = not, said
			}
			subject, text := strings.ToLower(m.Subject), oneLine(m.Text)
			if !strings.Contains(subject, said) || !strings.Contains(text, said) || strings.Contains(subject+text, not) {
				t.Errorf("%s, come %t: %s\n%s", language, hasCome, m.Subject, m.Text)
			}
			if m, err = r.renderSubscription(KindSubscription, held); err != nil {
				t.Fatal(err)
			}
			if text = oneLine(m.Text); strings.Contains(text, words.onItsDay) == hasCome || strings.Contains(text, words.atOnce) != hasCome {
				t.Errorf("%s, come %t:\n%s", language, hasCome, m.Text)
			}
		}
	}
}

// A month may be paid so late that the one after it has come and is left out: its receipt offers nothing about that one.
func TestMonthAfter_LiesAhead(t *testing.T) {
	for _, c := range []struct{ paid, now, want string }{
		{"2026-11-20", "2026-11-20", "2026-12-20"},
		{"2026-11-20", "2026-12-19", "2026-12-20"},
		{"2026-11-20", "2026-12-20", ""},
		{"2026-11-20", "2026-12-28", ""},
		{"2027-01-31", "2027-02-03", "2027-02-28"},
		{"2026-12-31", "2026-12-31", "2027-01-31"},
	} {
		paid, err := time.Parse(time.DateOnly, c.paid)
		now, errNow := time.ParseInLocation(time.DateOnly, c.now, helsinki)
		if err != nil || errNow != nil {
			t.Fatal(err, errNow)
		}
		got := ""
		if after := monthAfter(paid, now.Add(time.Hour)); !after.IsZero() {
			got = after.Format(time.DateOnly)
		}
		if got != c.want {
			t.Errorf("the month after that of %s, on %s: %q, want %q", c.paid, c.now, got, c.want)
		}
	}
}
