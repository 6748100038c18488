package paper

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"
)

// rendered are pages as images, each of which is whole.
func rendered(t *testing.T, title string, parts []Part) (raw [][]byte, pages []image.Image) {
	t.Helper()
	raw, err := Draw(title, parts)
	if err != nil {
		t.Fatal(err)
	}
	for i, one := range raw {
		page, err := png.Decode(bytes.NewReader(one))
		if err != nil || page.Bounds() != image.Rect(0, 0, width, height) {
			t.Fatalf("page %d: %v", i+1, err)
		}
		pages = append(pages, page)
		if folder := os.Getenv("PAGES_TO"); folder != "" { // for people who want to see them
			if err := os.WriteFile(fmt.Sprintf("%s/%s-%d.png", folder, t.Name(), i+1), one, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return raw, pages
}

// lined is what is set, as one text.
func lined(t *testing.T, parts []Part) (text string, lines []line) {
	t.Helper()
	p, err := newPen()
	if err != nil {
		t.Fatal(err)
	}
	lines = p.set("Evidence", parts)
	var words []string
	for _, l := range lines {
		words = append(words, l.text)
	}
	return strings.Join(words, " "), lines
}

// isDark tells whether anything is drawn in a part of a page.
func isDark(page image.Image, in image.Rectangle) bool {
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if r, _, _, _ := page.At(x, y).RGBA(); r < 0x8000 {
				return true
			}
		}
	}
	return false
}

func TestDraw_LongTexts_GoOnOverPages_AndNothingIsCut(t *testing.T) {
	t.Parallel()
	var story []string
	for i := range 180 {
		story = append(story, fmt.Sprintf("day%d: the creator wrote to the customer that reward%d is on its way, and had no answer to letter%d of that day.", i, i, i))
	}
	long := strings.Repeat("Donaudampfschifffahrtsgesellschaft", 12) // a word without a place to break
	parts := []Part{{"What happened", strings.Join(story, "\n")}, {"Empty", " \n"}, {"Link", "https://talkoot.example/" + long + "END"}}
	text, lines := lined(t, parts)
	p, _ := newPen()
	for _, word := range strings.Fields(strings.Join(story, " ")) {
		if !strings.Contains(text, word) {
			t.Fatalf("%q is missing", word)
		}
	}
	if !strings.Contains(strings.ReplaceAll(text, " ", ""), long+"END") || strings.Contains(text, "Empty") {
		t.Error("the long word is cut, or a part without a text is there")
	}
	drawn := 0
	for i, page := range p.pages(lines) {
		for j, l := range page {
			drawn += len(l.text)
			if j == 0 && l.text == "" || j == len(page)-1 && l.kind == headingLine {
				t.Errorf("page %d begins with a gap or ends with a heading", i+1)
			}
		}
	}
	set := 0
	for _, l := range lines {
		set += len(l.text)
	}
	raw, pages := rendered(t, "Evidence", parts)
	if drawn != set || len(pages) < 4 || len(pages) != len(p.pages(lines)) {
		t.Errorf("%d of %d signs on %d pages", drawn, set, len(pages))
	}
	for i, page := range pages {
		beside := image.Rect(width-margin+1, 0, width, height)
		between := image.Rect(0, last+10, width, foot-20)
		if isDark(page, beside) || isDark(page, between) || !isDark(page, image.Rect(margin, margin, width-margin, last)) ||
			!isDark(page, image.Rect(margin, foot-20, width, foot+1)) {
			t.Errorf("page %d: something is beside the margins, or nothing within them", i+1)
		}
		if size := len(raw[i]); size < 1<<10 || size > 1<<20 {
			t.Errorf("page %d has %d bytes", i+1, size)
		}
	}
	again, _ := rendered(t, "Evidence", parts)
	for i := range raw {
		if !bytes.Equal(raw[i], again[i]) {
			t.Errorf("page %d is another one the second time", i+1)
		}
	}
}

func TestDraw_NamesInOtherScripts_AreReadableOrSaidToBeLeftOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ shown, said string }{
		"Åsa Häkkinen-Šimůnková": {"Åsa Häkkinen-Šimůnková", ""},
		"Ελένη Παπαδοπούλου":     {"Ελένη Παπαδοπούλου", ""},
		"Олександр Ґалаґан":      {"Олександр Ґалаґан", ""},
		"A\u030asa":              {"Åsa", ""}, // a letter and its mark
		"Nguyễn":                 {"Nguyên", "without all of their accents: 1"},
		"李明 (Li Ming)":           {"□□ (Li Ming)", "left out (Han: 2)"},
		"محمد":                   {"□□□□", "left out (Arabic: 4)"},
		"jam 🎉\u200b€":           {"jam □€", "left out (symbols: 1)"},
	} {
		text, _ := lined(t, []Part{{"Customer", name}})
		want := "Evidence  Customer " + c.shown
		if !strings.HasPrefix(text, want) || !strings.Contains(text, c.said) || c.said == "" && text != want {
			t.Errorf("%s: %q", name, text)
		}
	}
	rendered(t, "Evidence", []Part{{"Customers", "Åsa Häkkinen-Šimůnková\nΕλένη Παπαδοπούλου\nОлександр Ґалаґан\nNguyễn\n李明 (Li Ming)\nمحمد"}})
}
