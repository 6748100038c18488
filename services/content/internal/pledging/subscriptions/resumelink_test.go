//go:build unix

package subscriptions_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oapi-codegen/runtime/types"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/supportlinks"
)

// The payment service must know what a mail told of, because its link takes nothing back that came later; also when the mail is late.
func TestLinkToResume_NamesTheEventThatItsMailToldOf(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "10", w.choir)
	w.mustTell(w.told(s, 2, internalapi.SubscriptionEventCauseSkipped, active), taken)
	w.mustTell(w.told(s, 3, internalapi.SubscriptionEventCauseEnding, active), taken)
	told := slices.DeleteFunc(w.mailed(), func(m mails.Mail) bool { return m.Kind != mails.KindSubscription })
	if len(told) != 2 {
		t.Fatalf("%d mails", len(told))
	}
	for i, m := range told {
		links := w.linksIn(m)
		if links[supportlinks.Resume].Sequence != int64(i+2) {
			t.Errorf("mail %d links to take back event %d", i, links[supportlinks.Resume].Sequence)
		}
		for act, link := range links {
			if act != supportlinks.Resume && link.Sequence != 0 {
				t.Errorf("a link to %s names event %d", act, link.Sequence)
			}
		}
	}
}

// Nobody asked for what the limit has held and left out, so nothing can be taken back, and the next charge may be held too.
func TestMonthLeftOutUnanswered_IsToldWithItsReason_AndNotOfferedBack(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "10", w.choir)
	left := w.told(s, 2, internalapi.SubscriptionEventCauseSkipped, active)
	left.IsUnanswered, left.Period, left.PeriodDay = new(true), new(2), &types.Date{Time: time.Date(2026, 12, 20, 0, 0, 0, 0, time.UTC)}
	next := types.Date{Time: time.Date(2027, 1, 20, 0, 0, 0, 0, time.UTC)}
	left.NextChargeOn = &next
	w.mustTell(left, taken)
	left.EventID, left.Sequence, left.NextChargeOn = "again", 3, nil
	w.mustTell(left, taken)
	told := slices.DeleteFunc(w.mailed(), func(m mails.Mail) bool { return m.Kind != mails.KindSubscription })
	if len(told) != 2 {
		t.Fatalf("%d mails", len(told))
	}
	for i, m := range told {
		text := strings.Join(strings.Fields(m.Text), " ")
		if !strings.Contains(text, "joulukuulta väliin: se olisi ylittänyt kattosi") || strings.Contains(text, "20.1.2027") != (i == 0) {
			t.Errorf("mail %d:\n%s", i, m.Text)
		}
		links := w.linksIn(m)
		if _, ok := links[supportlinks.Cancel]; !ok || len(links) != 1 {
			t.Errorf("mail %d links %v", i, links)
		}
	}
}

// A mail that says tomorrow on the day itself would let its reader skip too late.
func TestChargeComing_IsSaidToBeTodayOnceItsDayHasCome(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "10", w.choir)
	coming := w.told(s, 2, internalapi.SubscriptionEventCauseChargeComing, active)
	coming.Period, coming.PeriodDay, coming.DueAmountMinor = new(2), &types.Date{Time: time.Date(2026, 12, 20, 0, 0, 0, 0, time.UTC)}, new(int64(10_00))
	w.mustTell(coming, taken)
	for _, c := range []struct{ at, want string }{
		{"2026-12-19T07:00:00Z", "huomenna"}, {"2026-12-19T21:59:00Z", "huomenna"}, {"2026-12-19T22:01:00Z", "tänään"}, {"2026-12-20T06:00:00Z", "tänään"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		w.Advance(at.Sub(w.Now()))
		sent := w.mailed()
		m := sent[len(sent)-1]
		if !strings.Contains(strings.ToLower(m.Subject), c.want+" veloitetaan 10,00") || !strings.Contains(m.Text, "veloitetaan "+c.want) {
			t.Errorf("at %s: %s\n%s", c.at, m.Subject, m.Text)
		}
	}
}
