package richtext

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func doc(content string) []byte { return []byte(`{"type": "doc", "content": [` + content + `]}`) }

func TestRead_KeepsAllThatEditorsMake(t *testing.T) {
	for name, content := range map[string]string{
		"nothing":             ``,
		"words":               `{"type": "paragraph", "content": [{"type": "text", "text": "a", "marks": [{"type": "bold"}, {"type": "link", "attrs": {"href": "https://a.fi", "target": null}}]}, {"type": "hardBreak"}]}`,
		"an empty line":       `{"type": "paragraph"}`,
		"an introduction":     `{"type": "paragraph", "attrs": {"intro": true}, "content": [{"type": "text", "text": "a"}]}`,
		"headings":            `{"type": "heading", "attrs": {"level": 2}}, {"type": "heading", "attrs": {"level": 3}}`,
		"a numbered list":     `{"type": "orderedList", "attrs": {"start": 1, "type": null}, "content": [{"type": "listItem", "content": [{"type": "paragraph"}]}]}`,
		"a list that goes on": `{"type": "orderedList", "attrs": {"start": 3}, "content": [{"type": "listItem", "content": [{"type": "paragraph"}]}]}`,
		"pictures":            `{"type": "image", "attrs": {"src": "campaign-0a.jpg", "alt": "Sauna", "title": null}}, {"type": "image", "attrs": {"src": "/media/960x0/campaign-0a.jpg"}}, {"type": "figure", "attrs": {"src": "a.jpg", "caption": "A", "width": 960, "height": 600}}`,
		"players":             `{"type": "video", "attrs": {"src": "https://youtu.be/h8yrytalk01"}}, {"type": "iframe", "attrs": {"src": "https://open.spotify.com/episode/0123456789abcdef"}}`,
		"quotes":              `{"type": "quote", "attrs": {"by": "Aino"}, "content": [{"type": "text", "text": "a"}]}, {"type": "quote", "content": [{"type": "paragraph"}]}`,
		"figures":             `{"type": "budget", "attrs": {"rows": [{"label": "Puu", "amount_minor": 100}]}}, {"type": "figures", "attrs": {"figures": [{"label": "a", "value": "b", "share": 50}]}}`,
		"five lists":          nested(5),
	} {
		read, fault := Read(doc(content))
		if fault != nil {
			t.Errorf("%s: refused %+v", name, *fault)
			continue
		}
		encoded, err := json.Marshal(read)
		if err != nil {
			t.Fatal(err)
		}
		again, fault := Read(encoded)
		if fault != nil || !again.Equal(read) {
			t.Errorf("%s: read again it is %v, %+v", name, again, fault)
		}
	}
}

func TestRead_RefusesWhatWouldBeLostAndSaysWhere(t *testing.T) {
	for content, want := range map[string]string{
		`{"type": "script"}`:                                 "content[0].type rich_text",
		`{"type": "paragraph"}, {"type": "table"}`:           "content[1].type rich_text",
		`{"type": "paragraph", "attrs": {"onclick": "x()"}}`: "content[0].attrs.onclick unknown_field",
		`{"type": "paragraph", "style": "color: red"}`:       "content[0].style unknown_field",
		`{"type": "paragraph", "content": [{"type": "text", "text": "a", "marks": [{"type": "underline"}]}]}`:                                                      "content[0].content[0].marks[0].type rich_text",
		`{"type": "paragraph", "content": [{"type": "text", "text": "a", "marks": [{"type": "link", "attrs": {"href": "javascript:alert(1)"}}]}]}`:                 "content[0].content[0].marks[0].attrs.href rich_text",
		`{"type": "paragraph", "content": [{"type": "text", "text": "a", "marks": [{"type": "link", "attrs": {"href": "https://talkoot.fi:pw@evil.example/"}}]}]}`: "content[0].content[0].marks[0].attrs.href rich_text",
		`{"type": "paragraph", "content": [{"type": "text", "text": "a", "marks": [{"type": "link"}]}]}`:                                                           "content[0].content[0].marks[0].attrs.href rich_text",
		`{"type": "paragraph", "content": [{"type": "text", "text": "a\u0000"}]}`:                                                                                  "content[0].content[0].text format",
		`{"type": "paragraph", "content": [{"type": "text", "text": 7}]}`:                                                                                          "content[0].content[0].text format",
		`{"type": "paragraph", "content": {}}`:                                                                 "content[0].content type",
		`{"type": "paragraph", "content": [{"type": "paragraph"}]}`:                                            "content[0].content[0].type rich_text",
		`{"type": "bulletList", "content": [{"type": "paragraph"}]}`:                                           "content[0].content[0].type rich_text",
		`{"type": "heading", "attrs": {"level": 1}}`:                                                           "content[0].attrs.level rich_text",
		`{"type": "heading"}`:                                                                                  "content[0].attrs.level rich_text",
		`{"type": "image", "attrs": {"src": "http://a.fi/a.jpg"}}`:                                             "content[0].attrs.src rich_text",
		`{"type": "image", "attrs": {"src": "https://a.fi/a.jpg"}}`:                                            "content[0].attrs.src rich_text",
		`{"type": "figure", "attrs": {"src": "https://a.fi/media/960x0/a.jpg", "caption": "A"}}`:               "content[0].attrs.src rich_text",
		`{"type": "figure", "attrs": {"src": "//a.fi/media/960x0/a.jpg"}}`:                                     "content[0].attrs.src rich_text",
		`{"type": "image", "attrs": {"src": "/media/../api/x"}}`:                                               "content[0].attrs.src rich_text",
		`{"type": "image", "attrs": {"src": "data:image/svg+xml,<svg onload=alert(1)>"}}`:                      "content[0].attrs.src rich_text",
		`{"type": "video", "attrs": {"src": "https://evil.example/h8yrytalk01"}}`:                              "content[0].attrs.src rich_text",
		`{"type": "iframe", "attrs": {"src": "https://www.youtube.com.evil.example/embed/h8yrytalk01"}}`:       "content[0].attrs.src rich_text",
		`{"type": "budget", "attrs": {"rows": [{"label": "Puu", "amount_minor": 1.5}]}}`:                       "content[0].attrs.rows rich_text",
		`{"type": "figures", "attrs": {"figures": [{"label": "a", "value": "b", "share": 50, "class": "x"}]}}`: "content[0].attrs.figures rich_text",
		`7`:       "content[0] type",
		nested(6): "content[0]" + strings.Repeat(".content[0]", 11) + ".content rich_text",
		`{"type": "paragraph", "content": [{"type": "text", "text": "` + strings.Repeat("x", 100<<10) + `"}]}`: " max_kilobytes",
	} {
		_, fault := Read(doc(content))
		if fault == nil || fault.Path+" "+fault.Rule != want {
			t.Errorf("%.120s: %+v, want %s", content, fault, want)
		}
	}
	for _, data := range []string{`[]`, `null`, `{"type": "doc"`, `{"Type": "doc", "content": []}`, `{"content": []}`, `{"type": "doc", "content": [], "x": 1}`} {
		if _, fault := Read([]byte(data)); fault == nil {
			t.Errorf("%s was read", data)
		}
	}
}

// nested is a text in so many lists in each other.
func nested(lists int) string {
	return strings.Repeat(`{"type": "bulletList", "content": [{"type": "listItem", "content": [`, lists) +
		`{"type": "paragraph", "content": [{"type": "text", "text": "a", "marks": [{"type": "bold"}]}]}` + strings.Repeat(`]}]}`, lists)
}

// What Read accepts is not changed by Clean: nothing of it is lost on the way to readers.
func FuzzRead(f *testing.F) {
	f.Add(string(doc(nested(2))))
	f.Add(string(doc(`{"type": "figure", "attrs": {"src": "a.jpg", "caption": "<b>"}}`)))
	f.Fuzz(func(t *testing.T, text string) {
		read, fault := Read([]byte(text))
		if fault != nil {
			return
		}
		markup, _, err := Render(read, "en")
		if err != nil || Clean(markup) != markup {
			t.Fatalf("%s\nrendered %q, %v", text, markup, err)
		}
	})
}

// What a text costs is bounded by its length: else a few kilobytes of marks are megabytes for each reader.
func TestFromMarkdown_RefusesWhatMakesMuchMoreThanItself(t *testing.T) {
	most := 4000 // of a text of its own, see the contract
	for _, in := range []string{
		strings.Repeat(">", most), strings.Repeat("> ", most/2), strings.Repeat("* + - ", most/6), strings.Repeat(">1. ", most/4),
		strings.Repeat("1) ", most/3), strings.Repeat("[", most), strings.Repeat("[", most/2) + strings.Repeat("]", most/2),
		strings.Repeat("![", most/2), strings.Repeat("[a](", most/4), "text\n" + strings.Repeat(">", most-5), "-\t" + strings.Repeat("-\t", most/2-1),
		strings.Repeat(strings.Repeat(">", maxNesting)+"x\n\n", most/(maxNesting+3)), strings.Repeat("*a **", most/5), strings.Repeat("`", most),
		strings.Repeat("a<b ", most/4), strings.Repeat("_*", most/2), strings.Repeat("&amp;", most/5), strings.Repeat("\n", most-1) + "x",
	} {
		html, err := FromMarkdown(in)
		if len(html) > maxMarkdownHTML || err != nil && !errors.Is(err, ErrTooMuch) {
			t.Errorf("%.20q…: %d bytes, %v", in, len(html), err)
		}
	}
	for _, in := range []string{strings.Repeat("> ", maxNesting) + "x", "- a\n  - b\n    - c\n      1. d", "[a](https://example.fi) [b][c] [x] -5 * 3 > 2", strings.Repeat("- item\n", 500),
		strings.Repeat("**bold** and [link](https://example.fi)\n\n", 90)} {
		if _, err := FromMarkdown(in); err != nil {
			t.Errorf("%.30q: %v", in, err)
		}
	}
}

func TestFromMarkdown_LeavesHTMLOut(t *testing.T) {
	for in, want := range map[string]string{
		"**Kunta** antaa [puolet](https://kunta.fi).": `<p><strong>Kunta</strong> antaa <a href="https://kunta.fi" rel="nofollow noreferrer">puolet</a>.</p>`,
		"<script>alert(1)</script>":                   "",
		"[x](javascript:alert(1))":                    "<p>x</p>",
	} {
		got, err := FromMarkdown(in)
		if got = strings.TrimSpace(got); err != nil || got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := FromText("a <b>\nc\n\n d"); got != "<p>a &lt;b&gt;<br/>c</p><p>d</p>" {
		t.Errorf("text %q", got)
	}
}
