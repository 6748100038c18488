package richtext_test

import (
	"strings"
	"testing"

	"talkoot.fi/content/internal/writing/richtext"
)

func TestWithLinks_LoadsNoPlayer(t *testing.T) {
	words := func(isVideo bool) string {
		if isVideo {
			return "Katso <video>"
		}
		return "Kuuntele"
	}
	for markup, want := range map[string]string{
		`<p>a</p><iframe src="https://youtu.be/dQw4w9WgXcQ"></iframe><p>b</p>`: `<p>a</p><div class="player video">` +
			`<a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ" rel="nofollow noreferrer">Katso &lt;video&gt;</a></div><p>b</p>`,
		`<iframe src="https://vimeo.com/76979871"></iframe>`: `<div class="player video">` +
			`<a href="https://vimeo.com/76979871" rel="nofollow noreferrer">Katso &lt;video&gt;</a></div>`,
		`<iframe src="https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC"></iframe>`: `<div class="player audio">` +
			`<a href="https://open.spotify.com/embed/track/4uLU6hMCjMI75M1A2tKUQC" rel="nofollow noreferrer">Kuuntele</a></div>`,
		`<p>No player.</p>`: `<p>No player.</p>`,
	} {
		got := richtext.WithLinks(richtext.Clean(markup), words)
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", markup, got, want)
		}
		if strings.Contains(got, "<iframe") {
			t.Errorf("%s: a frame is left", markup)
		}
	}
}
