package richtext

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

const dropsAll = ""

// hostileHTML is markup made to run or to load something, and what becomes of it as a document that is rendered.
var hostileHTML = []struct{ name, in, want string }{
	{"script", `<script>alert(1)</script><p>a</p>`, `<p>a</p>`},
	{"script in script", `<scr<script>ipt>alert(1)</scr</script>ipt><p>a</p>`, `<p>ipt&gt;alert(1)ipt&gt;</p><p>a</p>`},
	{"script from elsewhere", `<script src=//evil.example></script>`, dropsAll},
	{"unclosed script", `<p>a<script>alert(1)`, `<p>a</p>`},
	{"handler", `<p onclick=alert(1) onmouseover="alert(1)">a</p>`, `<p>a</p>`},
	{"handler on a picture", `<img src=x onerror=alert(1)>`, `<img src="/media/960x0/x" width="960" height="600" alt="" loading="lazy"/>`},
	{"handler without quotes", `<img src="https://a.fi/b.png"onload=alert(1)>`, `<img src="https://a.fi/b.png" width="960" height="600" alt="" loading="lazy"/>`},
	{"slashes for spaces", `<img/src="x:y"/onerror=alert(1)>`, dropsAll},
	{"body handler", `<body onload=alert(1)>a`, `<p>a</p>`},
	{"details", `<details open ontoggle=alert(1)><summary>a</summary>b</details>`, `<p>a</p><p>b</p>`},
	{"marquee", `<marquee onstart=alert(1)>a</marquee>`, `<p>a</p>`},
	{"link that looks like another", `<a href="https://talkoot.fi:pw@evil.example/">a</a>`, `<p>a</p>`},
	{"javascript link", `<a href="javascript:alert(1)">a</a>`, `<p>a</p>`},
	{"javascript link in capitals", `<a href="JaVaScRiPt:alert(1)">a</a>`, `<p>a</p>`},
	{"javascript link with a tab", "<a href=\"java\tscript:alert(1)\">a</a>", `<p>a</p>`},
	{"javascript link with a line", "<a href=\"java&#10;script:alert(1)\">a</a>", `<p>a</p>`},
	{"javascript link by entities", `<a href="&#106;&#97;vascript&colon;alert(1)">a</a>`, `<p>a</p>`},
	{"javascript link after a control", "<a href=\"\x01javascript:alert(1)\">a</a>", `<p>a</p>`},
	{"vbscript link", `<a href="vbscript:msgbox(1)">a</a>`, `<p>a</p>`},
	{"data link", `<a href="data:text/html,<script>alert(1)</script>">a</a>`, `<p>a</p>`},
	{"blob link", `<a href="blob:https://a.fi/1">a</a>`, `<p>a</p>`},
	{"file link", `<a href="file:///etc/passwd">a</a>`, `<p>a</p>`},
	{"link without a scheme", `<a href="//evil.example">a</a>`, `<p>a</p>`},
	{"link to our own pages", `<a href="/profile/me/">a</a>`, `<p>a</p>`},
	{"link with a target", `<a href="https://b.fi" target=_blank ping=//evil.example download>a</a>`, `<p><a href="https://b.fi" rel="nofollow noreferrer">a</a></p>`},
	{"link in a link", `<a href="https://b.fi"><a href="javascript:alert(1)">a</a></a>`, `<p>a</p>`},
	{"data picture", `<img src="data:image/svg+xml;base64,PHN2Zz4=">`, dropsAll},
	{"picture by http", `<img src="http://a.fi/b.png">`, dropsAll},
	{"picture with srcset", `<img src="https://a.fi/b.png" srcset="javascript:alert(1) 2x" style="position:fixed">`, `<img src="https://a.fi/b.png" width="960" height="600" alt="" loading="lazy"/>`},
	{"picture that leaves its folder", `<img src="/media/960x0/../../users/me/">`, dropsAll},
	{"quotes in an alt text", `<img src="https://a.fi/b.png" alt="&quot; onerror=alert(1) x=&quot;">`, `<img src="https://a.fi/b.png" width="960" height="600" alt="&#34; onerror=alert(1) x=&#34;" loading="lazy"/>`},
	{"huge picture", `<img src="https://a.fi/b.png" width=99999 height=1>`, `<img src="https://a.fi/b.png" width="960" height="600" alt="" loading="lazy"/>`},
	{"svg", `<svg onload=alert(1)><script>alert(1)</script></svg>`, dropsAll},
	{"svg link", `<svg><a xlink:href="javascript:alert(1)"><text>a</text></a></svg>`, dropsAll},
	{"svg animation", `<svg><animate attributeName=href values=javascript:alert(1) /></svg>`, dropsAll},
	{"math", `<math><maction actiontype="statusline#http://evil.example" xlink:href="javascript:alert(1)">a</maction></math>`, dropsAll},
	{"frame of another host", `<iframe src="https://evil.example"></iframe>`, dropsAll},
	{"frame with a page inside", `<iframe srcdoc="<script>alert(1)</script>"></iframe>`, dropsAll},
	{"player with a page inside", `<iframe src="https://youtu.be/h8yrytalk01" srcdoc="<script>alert(1)</script>" onload=alert(1) allow=camera></iframe>`,
		`<iframe src="https://www.youtube-nocookie.com/embed/h8yrytalk01" class="video" loading="lazy" allowfullscreen=""></iframe>`},
	{"javascript frame", `<iframe src="javascript:alert(1)"></iframe>`, dropsAll},
	{"frame of a lookalike", `<iframe src="https://www.youtube.com@evil.example/embed/h8yrytalk01"></iframe>`, dropsAll},
	{"object and embed", `<object data="javascript:alert(1)">a</object><embed src="javascript:alert(1)">`, dropsAll},
	{"form", `<form action="https://evil.example"><input name=password><button formaction="javascript:alert(1)">a</button></form>`, `<p>a</p>`},
	{"base and meta", `<base href="https://evil.example/"><meta http-equiv=refresh content="0;url=https://evil.example"><link rel=stylesheet href="//evil.example">a`, `<p>a</p>`},
	{"style", `<style>@import "//evil.example"</style><p style="background:url(javascript:alert(1))">a</p>`, `<p>a</p>`},
	{"classes of our own", `<p class="tk-dialog intro">a</p><span class="bar share-100">b</span>`, `<p>a</p><p>b</p>`},
	{"ids that hide our own", `<p id="root" name="tk-data">a</p>`, `<p>a</p>`},
	{"mutation by noscript", `<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, `<img src="/media/960x0/x" width="960" height="600" alt="" loading="lazy"/><p>&#34;&gt;</p>`},
	{"mutation by a table in math", `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`, dropsAll},
	{"mutation by a template", `<template><script>alert(1)</script></template><p>a</p>`, `<p>a</p>`},
	{"mutation by a text area", `<textarea><img src=x onerror=alert(1)></textarea><p>a</p>`, `<p>a</p>`},
	{"mutation by an old tag", `<xmp><p title="</xmp><img src=x:y onerror=alert(1)>">`, `<p>&#34;&gt;</p>`},
	{"comment", `<!--><img src=x:y onerror=alert(1)>--><p>a</p>`, `<p>--&gt;</p><p>a</p>`},
	{"conditional comment", `<!--[if IE]><script>alert(1)</script><![endif]--><p>a</p>`, `<p>a</p>`},
	{"escaped markup stays a text", `&lt;script&gt;alert(1)&lt;/script&gt;`, `<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>`},
	{"template words", `{{constructor.constructor('alert(1)')()}}`, `<p>{{constructor.constructor(&#39;alert(1)&#39;)()}}</p>`},
	{"reversed text", "<p>fi.\u202eelpmaxe\u202c.a\u2066b\u2069</p>", `<p>fi.elpmaxe.ab</p>`},
	{"controls", "<p>a\x00b\x07c\u0085d\ufeffe</p>", `<p>abcde</p>`},
	{"UTF-7", `+ADw-script+AD4-alert(1)+ADw-/script+AD4-`, `<p>+ADw-script+AD4-alert(1)+ADw-/script+AD4-</p>`},
	{"broken UTF-8", "<p>a\xc0\xbcscript\xc0\xbe</p>", "<p>a\ufffd\ufffdscript\ufffd\ufffd</p>"},
}

func TestFromHTML_HostileMarkupBecomesADocumentThatHarmsNobody(t *testing.T) {
	for _, tt := range hostileHTML {
		doc := FromHTML(tt.in)
		got, _, err := Render(doc, "fi")
		if err != nil || got != tt.want {
			t.Errorf("%s: %s\n got %s, %v\nwant %s", tt.name, tt.in, got, err, tt.want)
		}
		mustBeHarmless(t, tt.name, got)
		document, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		_, fault := Read(document)
		// A picture or player of another host is all that is refused, before anything is stored.
		if fault != nil && fault.Path+" "+fault.Rule != "content[0].attrs.src rich_text" {
			t.Errorf("%s: the editor could not send back %s: %+v", tt.name, document, fault)
		}
		mustBeHarmless(t, tt.name+", cleaned as it is", Clean(tt.in))
		if again, _, err := Render(FromHTML(got), "fi"); err != nil || again != got {
			t.Errorf("%s: read again it is %s, %v", tt.name, again, err)
		}
	}
}

// hostileDocuments are parts of a document as somebody without our editor could send them.
var hostileDocuments = []struct{ name, in, want string }{
	{"markup in a text", `{"type":"paragraph","content":[{"type":"text","text":"<img src=x onerror=alert(1)>"}]}`, `<p>&lt;img src=x onerror=alert(1)&gt;</p>`},
	{"link that looks like another", `{"type":"text","text":"a","marks":[{"type":"link","attrs":{"href":"https://talkoot.fi:pw@evil.example/"}}]}`, `a`},
	{"javascript link", `{"type":"text","text":"a","marks":[{"type":"link","attrs":{"href":"javascript:alert(1)"}}]}`, `a`},
	{"link with quotes", `{"type":"text","text":"a","marks":[{"type":"link","attrs":{"href":"https://b.fi/\" onclick=\"alert(1)"}}]}`,
		`<a href="https://b.fi/%22%20onclick=%22alert%281%29" rel="nofollow noreferrer">a</a>`},
	{"link with attributes", `{"type":"text","text":"a","marks":[{"type":"link","attrs":{"href":"https://b.fi","target":"_top","class":"x","onclick":"alert(1)"}}]}`,
		`<a href="https://b.fi" rel="nofollow noreferrer">a</a>`},
	{"mark of our own making", `{"type":"text","text":"a","marks":[{"type":"script"},{"type":"textStyle","attrs":{"color":"red;position:fixed"}}]}`, `a`},
	{"picture by data", `{"type":"image","attrs":{"src":"data:image/svg+xml,<svg onload=alert(1)>"}}`, ``},
	{"picture with quotes", `{"type":"image","attrs":{"src":"https://a.fi/\"onerror=alert(1) x=\".png","alt":"\"><script>"}}`,
		`<img src="https://a.fi/%22onerror=alert%281%29%20x=%22.png" width="960" height="600" alt="&#34;&gt;&lt;script&gt;" loading="lazy"/>`},
	{"figure with markup", `{"type":"figure","attrs":{"src":"a.jpg","caption":"<script>alert(1)</script>"}}`,
		`<figure><img src="/media/960x0/a.jpg" width="960" height="600" alt="" loading="lazy"/><figcaption>&lt;script&gt;alert(1)&lt;/script&gt;</figcaption></figure>`},
	{"frame of another host", `{"type":"iframe","attrs":{"src":"https://evil.example/embed/h8yrytalk01"}}`, ``},
	{"video by javascript", `{"type":"video","attrs":{"src":"javascript:alert(1)"}}`, ``},
	{"level of a heading", `{"type":"heading","attrs":{"level":-1},"content":[{"type":"text","text":"a"}]}`, `<h2>a</h2>`},
	{"reversed text", `{"type":"text","text":"a\u202eb"}`, `ab`},
	{"markup in a budget", `{"type":"budget","attrs":{"rows":[{"label":"<b onclick=x>","amount_minor":100}]}}`,
		`<table class="budget"><tbody><tr><th scope="row">&lt;b onclick=x&gt;</th><td class="bar"><span class="share-100"></span></td><td class="amount">1` + "\u00a0" + `€</td></tr></tbody></table>`},
}

func TestRender_HostileDocumentsHarmNobody(t *testing.T) {
	for _, tt := range hostileDocuments {
		var doc Doc
		if err := json.Unmarshal([]byte(`{"type":"doc","content":[`+tt.in+`]}`), &doc); err != nil {
			t.Fatal(err)
		}
		got, _, err := Render(doc, "fi")
		if err != nil || got != tt.want {
			t.Errorf("%s\n got %s, %v\nwant %s", tt.name, got, err, tt.want)
		}
		mustBeHarmless(t, tt.name, got)
	}
}

func TestFromHTML_HugeAndDeepMarkupEnds(t *testing.T) {
	for name, markup := range map[string]string{
		"deep":        strings.Repeat("<div>", 20_000) + "a" + strings.Repeat("</div>", 20_000),
		"deep lists":  strings.Repeat("<ul><li>", 5_000) + "a",
		"deep marks":  strings.Repeat("<b><i><a href=https://a.fi>", 5_000) + "a",
		"deep tables": strings.Repeat("<table><tr><td>", 2_000) + "a",
		"wide":        strings.Repeat("<p>a</p>", 25_000),
		"attributes":  "<p " + strings.Repeat("a=1 ", 50_000) + ">a</p>",
		"open tags":   strings.Repeat("<", 200_000),
	} {
		got, _, err := Render(FromHTML(markup), "fi")
		if err == nil {
			mustBeHarmless(t, name, got)
		}
		if name == "wide" && err == nil {
			t.Error("more nodes than the bound were rendered")
		}
	}
}

var harm = regexp.MustCompile(`(?i)<(script|style|svg|math|object|embed|form|input|base|link|meta|template|noscript)\b|<[^>]*\s(on[a-z]+|srcdoc|srcset|style|formaction|xlink:href)=|` +
	`(href|src)="\s*(javascript|data|vbscript|blob|file):`)

// players are the frames that there may be.
var players = regexp.MustCompile(`<iframe src="https://(www\.youtube-nocookie\.com/embed|player\.vimeo\.com/video|open\.spotify\.com/embed|w\.soundcloud\.com/player)/`)

// quoted is what stands in an attribute for people: there, words are words.
var quoted = regexp.MustCompile(`alt="[^"]*"`)

func mustBeHarmless(t *testing.T, name, markup string) {
	t.Helper()
	if found := harm.FindString(quoted.ReplaceAllString(markup, "")); found != "" {
		t.Errorf("%s: %q in %s", name, found, markup)
	}
	if frames := strings.Count(markup, "<iframe"); frames != len(players.FindAllString(markup, -1)) {
		t.Errorf("%s: a frame of another host in %s", name, markup)
	}
	if again := Clean(markup); again != markup {
		t.Errorf("%s: cleaned again\n     %s\nwas  %s", name, again, markup)
	}
}

// Documents as Tiptap makes them, with the attributes that it sends as null, keep all that they can say.
func TestDoc_OfTheEditorComesBackAsItWas(t *testing.T) {
	const made = `{"type":"doc","content":[
		{"type":"heading","attrs":{"level":2,"textAlign":null},"content":[{"type":"text","text":"Otsikko"}]},
		{"type":"heading","attrs":{"level":3},"content":[{"type":"text","text":"Väliotsikko"}]},
		{"type":"paragraph","content":[{"type":"text","text":"a"},{"type":"text","marks":[{"type":"bold"},{"type":"italic"}],"text":"b"},{"type":"hardBreak"},
			{"type":"text","marks":[{"type":"link","attrs":{"href":"https://a.fi/","target":null,"rel":null,"class":null}}],"text":"c"}]},
		{"type":"bulletList","content":[{"type":"listItem","content":[{"type":"paragraph","content":[{"type":"text","text":"yksi"}]},
			{"type":"orderedList","attrs":{"start":1,"type":null},"content":[{"type":"listItem","content":[{"type":"paragraph","content":[{"type":"text","text":"kaksi"}]}]}]}]}]},
		{"type":"image","attrs":{"src":"a-1.jpg","alt":"Kuva","title":null,"width":null,"height":null}},
		{"type":"figure","attrs":{"src":"a-1.jpg","alt":"Kuva","caption":"Kuvassa","width":1200,"height":800}},
		{"type":"video","attrs":{"src":"https://vimeo.com/12345"}},
		{"type":"iframe","attrs":{"src":"https://open.spotify.com/track/11dFghVXANMlKmJXsNCbNl"}},
		{"type":"iframe","attrs":{"src":"https://w.soundcloud.com/player/?url=https%3A%2F%2Fapi.soundcloud.com%2Ftracks%2F1"}}]}`
	doc, fault := Read([]byte(made))
	if fault != nil {
		t.Fatalf("%+v", fault)
	}
	var again Doc
	kept, err := json.Marshal(doc)
	if err == nil {
		err = json.Unmarshal(kept, &again)
	}
	if err != nil || !reflect.DeepEqual(doc, again) {
		t.Errorf("kept as %s, %v", kept, err)
	}
	markup, _, err := Render(doc, "fi")
	want := `<h2>Otsikko</h2><h3>Väliotsikko</h3><p>a<strong><em>b</em></strong><br/><a href="https://a.fi/" rel="nofollow noreferrer">c</a></p>` +
		`<ul><li><p>yksi</p><ol><li><p>kaksi</p></li></ol></li></ul>` +
		`<img src="/media/960x0/a-1.jpg" width="960" height="600" alt="Kuva" loading="lazy"/>` +
		`<figure><img src="/media/960x0/a-1.jpg" width="1200" height="800" alt="Kuva" loading="lazy"/><figcaption>Kuvassa</figcaption></figure>` +
		`<iframe src="https://player.vimeo.com/video/12345?dnt=1" class="video" loading="lazy" allowfullscreen=""></iframe>` +
		`<iframe src="https://open.spotify.com/embed/track/11dFghVXANMlKmJXsNCbNl" class="audio" height="200" loading="lazy" allowfullscreen=""></iframe>` +
		`<iframe src="https://w.soundcloud.com/player/?url=https%3A%2F%2Fapi.soundcloud.com%2Ftracks%2F1" class="audio" height="166" loading="lazy" allowfullscreen=""></iframe>`
	if err != nil || markup != want {
		t.Errorf("rendered\n%s, %v, want\n%s", markup, err, want)
	}
	if back, _, err := Render(FromHTML(markup), "fi"); err != nil || back != markup {
		t.Errorf("read from its HTML\n%s, %v, want\n%s", back, err, markup)
	}
	if first, _, err := Render(doc.FirstParagraph(), "fi"); err != nil || !strings.HasPrefix(first, "<p>a<strong>") ||
		strings.Contains(first, "yksi") {
		t.Errorf("first paragraph %s, %v", first, err)
	}
}

func FuzzFromHTML(f *testing.F) {
	for _, tt := range hostileHTML {
		f.Add(tt.in)
	}
	f.Fuzz(func(t *testing.T, markup string) {
		got, _, err := Render(FromHTML(markup), "fi")
		if err == nil {
			mustBeHarmless(t, "fuzz", got)
		}
	})
}
