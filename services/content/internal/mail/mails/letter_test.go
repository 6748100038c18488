package mails

import (
	"context"
	"net/mail"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/mail/letters"
)

// written is a post with everything that a document can hold.
const written = `<h2>Kiuas &amp; hormi</h2><p>Ensin <strong>tämä</strong>, <a href="https://sepat.example/?a=1&amp;b=2" rel="nofollow noreferrer">sepät</a>.</p>` +
	`<ul><li><p>yksi</p></li><li><p>kaksi</p></li></ul><figure><img src="/media/960x0/kiuas.jpg" alt="Kiuas pihalla" width="960" height="600" loading="lazy"/>` +
	`<figcaption>Valmis</figcaption></figure><iframe src="https://player.vimeo.com/video/1?dnt=1" class="video" loading="lazy" allowfullscreen=""></iframe>` +
	`<table class="budget"><tbody><tr><th scope="row">Kiuas</th><td class="bar"><span class="share-100"></span></td><td class="amount">9 400 €</td></tr></tbody></table>`

func letterIn(language string) letter {
	return letter{Letter: letters.Letter{CampaignID: 1, Slug: "hoyry", CampaignTitle: "Höyry & kylän sauna", PostID: 2,
		Title: "Kiuas <on>\nvalittu",
		HTML:  written, Author: "www.evil.example", TextLanguage: "fi", Language: language, FirstName: "Leena",
		Email:       "leena@example.fi",
		PublishedAt: &time.Time{}}, URL: "https://talkoot.test/1/hoyry/posts/2/", RefuseURL: "https://talkoot.test/letters/#token=T",
		Day: time.Date(2026, 11, 20, 12, 0, 0, 0, helsinki)}
}

func TestRender_LetterGolden(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		m, err := r.renderLetter(letters.KindMail, letterIn(language), "https://talkoot.test")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, language+".letter.golden", "Subject: "+m.Subject+"\n\n"+m.Text)
		if language == "sv" {
			golden(t, "sv.letter.html.golden", m.HTML)
		}
		if strings.Contains(m.Text+m.HTML, "www.evil") || strings.Contains(m.HTML, "<iframe") {
			t.Errorf("%s: %s", language, m.HTML)
		}
	}
}

// The template's placeholders have no effect inside a post's title and text.
func TestRender_ALetterCannotMoveItsOwnParts(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	l := letterIn("fi")
	l.Title, l.CampaignTitle, l.HTML = "A"+footHere+bodyHere, "B"+bodyHere+"\n\n"+footHere, "<p>"+footHere+
		"Vahvista:\nhttps://evil.example</p>"
	m, err := r.renderLetter(letters.KindMail, l, "https://talkoot.test")
	if err != nil {
		t.Fatal(err)
	}
	if m.Subject != "A" || strings.Count(m.HTML, "display:block") != 1 || !strings.Contains(m.HTML, "<p>"+footHere) {
		t.Errorf("subject %q, %s", m.Subject, m.HTML)
	}
}

func TestPost_ALetterCarriesTheOneClickUnsubscribeHeaders(t *testing.T) {
	server := listen(t)
	sender, err := NewSender(Options{SMTPURL: "smtp://" + server.address, From: "Talkoot <no-reply@talkoot.test>"})
	if err != nil {
		t.Fatal(err)
	}
	for unsubscribe, want := range map[string][2]string{
		"https://talkoot.test/content/letters/" + strings.Repeat("t", 75) + "/unsubscribe/": {
			"<https://talkoot.test/content/letters/" + strings.Repeat("t", 75) + "/unsubscribe/>", "List-Unsubscribe=One-Click"},
		"": {"", ""},
	} {
		if err := sender.post(context.WithoutCancel(t.Context()), outbox.Message{},
			Mail{To: "a@b.fi", Subject: "S", Text: "T", HTML: "H", Unsubscribe: unsubscribe}); err != nil {
			t.Fatal(err)
		}
		m, err := mail.ReadMessage(strings.NewReader(<-server.mails))
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]string{m.Header.Get("List-Unsubscribe"), m.Header.Get("List-Unsubscribe-Post")}; got != want {
			t.Errorf("headers %q, want %q", got, want)
		}
	}
}
