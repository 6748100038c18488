//go:build unix

package posts_test

import (
	"testing"

	"talkoot.fi/content/internal/api"
)

// "Write an update" opens an empty draft, so whatever somebody has put into one makes it theirs: a picture alone, or another language.
func TestPreviews_SayOfADraftWhetherThereIsAnythingInIt(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want bool
	}{
		"nothing":                {`{}`, true},
		"an empty line":          {`{"content": {"json": {"type": "doc", "content": [{"type": "paragraph"}]}}}`, true},
		"a title":                {`{"content": {"title": "Katto"}}`, false},
		"a title of another one": {`{"language": "sv", "content": {"title": "Taket"}}`, false},
		"words":                  {`{"content": {"json": ` + twoParagraphs + `}}`, false},
		"a picture alone":        {`{"content": {"json": {"type": "doc", "content": [{"type": "image", "attrs": {"src": "a-1.jpg", "alt": "Katto"}}]}}}`, false},
		"a video alone":          {`{"content": {"json": {"type": "doc", "content": [{"type": "video", "attrs": {"src": "https://vimeo.com/76979871"}}]}}}`, false},
	} {
		f := newWriting(t)
		address, _ := f.post(`{}`)
		f.change(address, c.body)
		var list api.PostPreviewsAnswer
		f.Get(f.posts+"preview/", f.creator).JSON(&list)
		if len(list.Previews) != 1 || list.Previews[0].IsEmpty == nil || *list.Previews[0].IsEmpty != c.want {
			t.Errorf("%s: %+v", name, list.Previews)
		}
	}
}
