package richtext

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "write the golden files")

const story = `
- intro: Pielavedellä on 1 200 mökkiä & "yhtä" monta <saunaa>.
- h2: Mitä rahalla tehdään
- p: Kiuas tilataan sepältä.
- budget:
    - {label: Puukiuas ja hormi, amount: 9400}
    - {label: Laituri, amount: 4700.50}
    - {label: Nauloja, amount: 12}
- image: lake-kesayo.svg
  caption: Lopunvesi, elokuun viimeinen ilta.
- quote: Sauna on ainoa paikka.
  by: Reijo Kukkonen, puuseppä
- list: [190 kiloa terästä, lämpiää 50 minuutissa]
`

func document(t *testing.T) Doc {
	t.Helper()
	var blocks []Block
	if err := yaml.Unmarshal([]byte(story), &blocks); err != nil {
		t.Fatal(err)
	}
	doc, err := FromBlocks(blocks)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestRender_WritesAllBlocksOfAStory(t *testing.T) {
	for _, language := range []string{"fi", "en"} {
		markup, plain, err := Render(document(t), language)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(markup, "><", ">\n<") + "\n---\n" + plain + "\n"
		file := "testdata/story." + language + ".golden"
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s:\n%s\nwant\n%s", file, got, want)
		}
	}
}

func TestDoc_KeepsTheEditorsShape(t *testing.T) {
	doc := document(t)
	text, err := json.Marshal(doc)
	if err != nil || !strings.HasPrefix(string(text), `{"type":"doc","content":[{"type":"paragraph","attrs":{"intro":true},"content":[{"type":"text"`) {
		t.Fatalf("%s, %v", text, err)
	}
	var back Doc
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, doc) {
		t.Errorf("read back %+v, %v", back, err)
	}
	if empty, err := json.Marshal(Doc{}); err != nil || string(empty) != `{"type":"doc","content":[]}` {
		t.Errorf("empty: %s, %v", empty, err)
	}
	for _, bad := range []string{`{"type":"paragraph"}`, `[]`, `{"content":[]}`, `{"type":"doc","content":{}}`} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%s was taken as a document", bad)
		}
	}
}

func TestRender_MarksLinksPicturesAndPlayers(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"marks", `{"type":"paragraph","content":[{"type":"text","text":"a<b","marks":[{"type":"bold"},{"type":"italic"},{"type":"strike"}]}]}`,
			`<p><strong><em>a&lt;b</em></strong></p>`},
		{"link", `{"type":"text","text":"x","marks":[{"type":"link","attrs":{"href":"https://a.fi/?q=1&r=\"2\""}}]}`,
			`<a href="https://a.fi/?q=1&amp;r=&#34;2&#34;" rel="nofollow noreferrer">x</a>`},
		{"mail", `{"type":"text","text":"x","marks":[{"type":"link","attrs":{"href":"mailto:a@b.fi"}}]}`, `<a href="mailto:a@b.fi" rel="nofollow noreferrer">x</a>`},
		{"script link", `{"type":"text","text":"x","marks":[{"type":"link","attrs":{"href":"javascript:alert(1)"}}]}`, `x`},
		{"own page link", `{"type":"text","text":"x","marks":[{"type":"link","attrs":{"href":"//evil.example"}}]}`, `x`},
		{"headings are 2 or 3", `{"type":"heading","attrs":{"level":1},"content":[{"type":"text","text":"x"}]},{"type":"heading","attrs":{"level":3}}`, `<h2>x</h2><h3></h3>`},
		{"ordered list", `{"type":"orderedList","content":[{"type":"listItem","content":[{"type":"paragraph"}]}]}`, `<ol><li><p></p></li></ol>`},
		{"a list that goes on", `{"type":"orderedList","attrs":{"start":3},"content":[{"type":"listItem","content":[{"type":"paragraph"}]}]}`,
			`<ol start="3"><li><p></p></li></ol>`},
		{"break", `{"type":"paragraph","content":[{"type":"hardBreak"}]}`, `<p><br/></p>`},
		{"own picture", `{"type":"image","attrs":{"src":"a-1.jpg","alt":"A \"b\"","width":300,"height":200}}`,
			`<img src="/media/960x0/a-1.jpg" width="300" height="200" alt="A &#34;b&#34;" loading="lazy"/>`},
		{"foreign picture", `{"type":"image","attrs":{"src":"https://a.fi/b.png"}}`, `<img src="https://a.fi/b.png" width="960" height="600" alt="" loading="lazy"/>`},
		{"data picture", `{"type":"image","attrs":{"src":"data:image/png;base64,AAAA"}}`, ``},
		{"picture outside", `{"type":"image","attrs":{"src":"../../etc/passwd"}}`, ``},
		{"youtube page", `{"type":"video","attrs":{"src":"https://www.youtube.com/watch?v=h8yrytalk01&list=x"}}`,
			`<iframe src="https://www.youtube-nocookie.com/embed/h8yrytalk01" class="video" loading="lazy" allowfullscreen=""></iframe>`},
		{"youtube short", `{"type":"video","attrs":{"src":"https://youtu.be/h8yrytalk01"}}`,
			`<iframe src="https://www.youtube-nocookie.com/embed/h8yrytalk01" class="video" loading="lazy" allowfullscreen=""></iframe>`},
		{"vimeo", `{"type":"video","attrs":{"src":"https://vimeo.com/12345"}}`,
			`<iframe src="https://player.vimeo.com/video/12345?dnt=1" class="video" loading="lazy" allowfullscreen=""></iframe>`},
		{"first sound host is 200 high", `{"type":"iframe","attrs":{"src":"https://open.spotify.com/track/11dFghVXANMlKmJXsNCbNl?si=1"}}`,
			`<iframe src="https://open.spotify.com/embed/track/11dFghVXANMlKmJXsNCbNl" class="audio" height="200" loading="lazy" allowfullscreen=""></iframe>`},
		{"second sound host is 166 high", `{"type":"iframe","attrs":{"src":"https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/1&auto_play=true"}}`,
			`<iframe src="https://w.soundcloud.com/player/?url=https%3A%2F%2Fapi.soundcloud.com%2Ftracks%2F1" class="audio" height="166" loading="lazy" allowfullscreen=""></iframe>`},
		{"unknown host", `{"type":"iframe","attrs":{"src":"https://evil.example/embed/x"}}`, ``},
		{"lookalike host", `{"type":"iframe","attrs":{"src":"https://www.youtube.com.evil.example/embed/h8yrytalk01"}}`, ``},
		{"script in the id", `{"type":"iframe","attrs":{"src":"https://youtu.be/\"><script>"}}`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var doc Doc
			if err := json.Unmarshal([]byte(`{"type":"doc","content":[`+tt.in+`]}`), &doc); err != nil {
				t.Fatal(err)
			}
			got, _, err := Render(doc, "fi")
			if err != nil || got != tt.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

func TestRender_RefusesWhatIsNoDocument(t *testing.T) {
	deep := Node{Type: Paragraph}
	for range maxDepth + 1 {
		deep = Node{Type: BulletList, Content: []Node{deep}}
	}
	for name, doc := range map[string]Doc{
		"unknown node": {Content: []Node{{Type: "script"}}},
		"a NUL":        {Content: []Node{{Type: TextNode, Text: "a\x00"}}},
		"too deep":     {Content: []Node{deep}},
		"too many":     {Content: make([]Node, 0)},
	} {
		if name == "too many" {
			for range maxNodes + 1 {
				doc.Content = append(doc.Content, Node{Type: HardBreak})
			}
		}
		if _, _, err := Render(doc, "fi"); err == nil {
			t.Errorf("%s was rendered", name)
		}
	}
}

func TestClean_KeepsTheAllowListAndNothingElse(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`<p onclick="x()">a<script>alert(1)</script></p>`, `<p>a</p>`},
		{`<p style="color:red" class="intro evil">a</p><p class="intro">b</p>`, `<p>a</p><p class="intro">b</p>`},
		{`<h1>a</h1><h2>b</h2><div><h4>c</h4></div>`, `a<h2>b</h2>c`},
		{`<a href="javascript:x">a</a><a href=" https://b.fi ">b</a>`, `a<a href="https://b.fi" rel="nofollow noreferrer">b</a>`},
		{`<img src=x onerror=alert(1)><img src="/media/960x0/a.jpg">`, `<img src="/media/960x0/a.jpg" alt="" loading="lazy"/>`},
		{`<iframe src="https://evil.example"></iframe>`, ``},
		{`<iframe src="https://www.youtube.com/embed/h8yrytalk01" onload="x()" srcdoc="<b>">inside</iframe>`,
			`<iframe src="https://www.youtube-nocookie.com/embed/h8yrytalk01" class="video" loading="lazy" allowfullscreen=""></iframe>`},
		{`<p>open<strong>er`, `<p>open<strong>er</strong></p>`},
		{`<svg><a xlink:href="javascript:x">s</a></svg><math><mi>m</mi></math>`, `sm`},
		{`<!-- c -->a&nbsp;&amp;&lt;b&gt;`, "a\u00a0&amp;&lt;b&gt;"},
		{`<span class="share-105"></span><span class="share-35"></span>`, `<span></span><span class="share-35"></span>`},
	} {
		if got := Clean(tt.in); got != tt.want {
			t.Errorf("Clean(%s)\n got %s\nwant %s", tt.in, got, tt.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{story, `<p>a<b`, `<iframe>&lt;b`, `<iframe src="https://youtu.be/h8yrytalk01"><p>`, `<table><p>a<table class=budget><tr><td>`,
		`<a href="https://a.fi"><a href="https://b.fi">x`, `</p><li><ul><p>`, `<svg><p><style><!--</style><img src=x onerror=y>`, `<math><mtext><table><mglyph><style>`,
		`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, "<p\x00>\xff", `<plaintext>`, `<textarea><p>`, `<img src="/media/960x0/a.jpg" width=1>`,
		`<a href="https://a.fi/&quot;%zz">`, `<a href="mailto:a b@c">`, `<h2><a><h3><blockquote></a>`, `<img src="https://a.fi/'&quot;b">`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, markup string) {
		once := Clean(markup)
		if twice := Clean(once); twice != once {
			t.Fatalf("%q\nonce  %q\ntwice %q", markup, once, twice)
		}
		lower := strings.ToLower(once)
		for _, never := range []string{"<script", "<style", "<svg", "<object", "<form", "<base", "<link", "<meta"} {
			if strings.Contains(lower, never) {
				t.Fatalf("%q holds %s: %q", markup, never, once)
			}
		}
	})
}

func FuzzRender(f *testing.F) {
	f.Add(`{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"<b>&amp;","marks":[{"type":"link","attrs":{"href":"https://a.fi/ä?b c"}}]}]}]}`)
	f.Add(`{"type":"doc","content":[{"type":"listItem","content":[{"type":"budget","attrs":{"rows":[{"label":"<","amount_minor":-9223372036854775808}]}}]}]}`)
	f.Add(`{"type":"doc","content":[{"type":"paragraph","content":[{"type":"quote","attrs":{"by":"\u0000"}},{"type":"image","attrs":{"src":"https://a.fi/\"<>","width":99999,"height":1}}]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var doc Doc
		if json.Unmarshal([]byte(text), &doc) != nil {
			return
		}
		markup, _, err := Render(doc, "en")
		if err == nil && Clean(markup) != markup {
			t.Fatalf("%s\nrendered %q\ncleaned  %q", text, markup, Clean(markup))
		}
	})
}

func TestExcerpt_CutsBetweenWords(t *testing.T) {
	for _, tt := range []struct {
		in    string
		limit int
		want  string
	}{
		{"lyhyt\n teksti", 20, "lyhyt teksti"},
		{"yksi kaksi kolme, neljä", 18, "yksi kaksi kolme…"},
		{"ääääääääääääääää", 10, "äääääääää…"},
	} {
		got := Excerpt(tt.in, tt.limit)
		if got != tt.want || len([]rune(got)) > tt.limit {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestFromBlocks_NamesTheFaultyBlock(t *testing.T) {
	for _, bad := range [][]Block{{{P: "a"}, {}}, {{P: "a"}, {Budget: []BudgetLine{{Label: "x", Amount: "1,5"}}}}} {
		if _, err := FromBlocks(bad); err == nil || !strings.Contains(err.Error(), "block 1") {
			t.Errorf("error %v", err)
		}
	}
}

func TestFromHTML_ALinkNeedsNoScheme(t *testing.T) {
	for href, want := range map[string]string{
		"example.fi": "https://example.fi", "www.example.com/a?b=1": "https://www.example.com/a?b=1", " kylätalo.fi/kauppa ": "https://kyl%C3%A4talo.fi/kauppa",
		"https://example.fi/": "https://example.fi/", "tuki@example.fi": "mailto:tuki@example.fi",
		// Of the page that it was copied from.
		"kauppa/": "", "/kauppa/": "", "#alku": "", "sivu.html": "", "kuvat/a.fi": "", "//example.fi": "", "example.fi:80/a": "",
	} {
		got, _, err := Render(FromHTML(`<p>a <a href="`+href+`">b</a></p>`), "fi")
		if link := `<a href="` + want + `" rel="nofollow noreferrer">b</a>`; err != nil || strings.Contains(got, link) != (want != "") ||
			strings.Contains(got, "<a ") != (want != "") {
			t.Errorf("%q: %s, want %q, %v", href, got, want, err)
		}
	}
}

// A list that goes on after something else keeps its numbers, whatever it came as.
func TestFromHTML_AListKeepsTheNumberThatItBeginsWith(t *testing.T) {
	for begin, want := range map[string]string{`<ol start="3">`: `<ol start="3">`, `<ol start="1">`: "<ol>", `<ol start="0">`: "<ol>", `<ol start="-2">`: "<ol>",
		`<ol start="99999">`: "<ol>", `<ol start="kolme">`: "<ol>", `<ul start="3">`: "<ul>"} {
		end := "</" + want[1:3] + ">"
		got, _, err := Render(FromHTML(begin+"<li>a</li>"+end), "fi")
		if want += "<li><p>a</p></li>" + end; err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", begin, got, err, want)
		}
	}
}
