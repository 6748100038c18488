//go:build unix

package posts_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/posts"
)

// Readers below a post's level get a part of its text from every call, never the whole.
func TestPreview_IsNeverTheWholeText(t *testing.T) {
	f := newWriting(t)
	const paragraph = `{"type":"paragraph","content":[{"type":"text","text":"%s"}]}`
	whole := "Salainen koodi on pöydän alla, ja avain siihen on rannassa kolmannen kiven takana."
	for name, c := range map[string]struct{ content, want string }{
		"one paragraph": {fmt.Sprintf(paragraph, whole), "<p>Salainen koodi on pöydän…</p>"},
		"a short second one": {fmt.Sprintf(paragraph, whole) + "," + fmt.Sprintf(paragraph, "Moi!"),
			"<p>Salainen koodi on pöydän…</p>"},
		"a long second one": {fmt.Sprintf(paragraph, "Rannalla.") + "," + fmt.Sprintf(paragraph, whole), "<p>Rannalla.</p>"},
		"one word":          {fmt.Sprintf(paragraph, "Pöydänalla"), ""},
		"an introduction by itself": {`{"type":"paragraph","attrs":{"intro":true},"content":[{"type":"text",
			"text":"` + whole + `","marks":[{"type":"bold"}]}]}`,
			`<p class="intro">Salainen koodi on pöydän…</p>`},
	} {
		address, _ := f.post(`{"status": "published", "content": {"title": "T",
			"json": {"type":"doc","content":[` + c.content + `]}}}`)
		if got := f.read(address, 0); got.Restricted || !strings.Contains(got.Content.HTML+got.Intro, "alla") {
			t.Errorf("%s, for everybody: %+v", name, got)
		}
		f.change(address, `{"meta": {"level": 1}}`) // the text stays as it was written
		intro := strings.NewReplacer("<p>", "", `<p class="intro">`, "", "</p>", "").Replace(c.want)
		got := f.read(address, 0)
		if got.Content.HTML != c.want || got.Intro != intro {
			t.Errorf("%s: %q, %q, want %q", name, got.Content.HTML, got.Intro, c.want)
		}
		var list api.PostPreviewsAnswer
		f.Get(f.posts+"preview/?limit=1", 0).JSON(&list)
		if list.Previews[0].Intro != intro {
			t.Errorf("%s, in lists: %q, want %q", name, list.Previews[0].Intro, intro)
		}
		f.Advance(time.Second)
	}
}

// An introduction that was written for everybody is the preview.
func TestPreview_OfAWrittenIntroduction(t *testing.T) {
	f := newWriting(t)
	id := write(f.World, posts.New{CampaignID: f.id, AuthorID: f.creator, Language: "fi", Level: 1,
		Texts: map[string]posts.Text{
			"fi": {Title: "T", Intro: "Mitä rannalla on", Story: story("Avain on kolmannen kiven takana rannassa.")}}}, f.Now())
	got := f.read(fmt.Sprintf("%s%d/", f.posts, id), 0)
	if got.Intro != "Mitä rannalla on" || got.Content.HTML != "<p>Avain on…</p>" {
		t.Errorf("%+v", got)
	}
}
