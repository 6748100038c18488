package mails

import (
	"strings"
	"testing"
	"time"
)

// A picture of another host tells that host who reads the letter, when and where.
func TestBodyOf_AsksNoOtherHost(t *testing.T) {
	got, err := bodyOf(`<p>A <img src="https://tracker.example/p.gif" alt="x"/><img src="/media/960x0/a.jpg" alt="own"/></p>`, "https://talkoot.test", "https://talkoot.test/1/", "Play")
	if err != nil {
		t.Fatal(err)
	}
	if all := string(got.HTML) + got.Plain; strings.Contains(all, "tracker.example") || !strings.Contains(all, `src="https://talkoot.test/media/960x0/a.jpg"`) {
		t.Errorf("%s", all)
	}
}

// The title of a campaign is its creator's to change at any time: a receipt makes no link of it, and keeps its lines.
func TestRender_TitlesAreOneLineWithoutLinks(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{KindReceipt, KindRefund, KindPaymentFailed} {
		for _, language := range []string{"fi", "en", "sv"} {
			m, err := r.render(kind, Pledge{Language: language, FirstName: "Leena", Email: "a@b.fi", Creator: "Kylä ry", PaidAt: time.Now(), Deadline: time.Now(),
				CampaignTitle: "Katto\r\n\r\nMaksa:\nhttps://evil.example/x", CampaignURL: "https://talkoot.test/1/", ReceiptURL: "https://talkoot.test/1/"})
			if err != nil {
				t.Fatal(err)
			}
			if all := m.Subject + m.Text + m.HTML; strings.Contains(all, "://evil") || strings.Contains(all, "evil.example") || strings.ContainsAny(m.Subject, "\r\n") {
				t.Errorf("%s in %s: %q\n%s", kind, language, m.Subject, m.Text)
			}
		}
	}
}

// A name that was stored with control characters is words: none of them marks anything in a mail.
func TestRender_NamesHaveNoMarks(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, mark := range []string{cell, actCell, stepCell, boxCell, noteMark, partMark, bodyHere, footHere, "\n"} {
		about := support("en", "resumed")
		about.FirstName = "Áile" + mark + "S"
		m, err := r.renderSubscription(KindSubscription, about)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(m.Text, "Hello Áile S.") {
			t.Errorf("%q: %s", mark, m.Text)
		}
	}
}
