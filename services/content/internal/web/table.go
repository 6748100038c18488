package web

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strings"
)

// The table of pages. The web app has a copy of it, which scripts/generate.sh makes.
//
//go:embed pages.json
var tableText []byte

// entry is one page of the table.
type entry struct {
	// Name is also the name of the app's chunk and the key in screens.
	Name string
	// Path is without the language's prefix, as the app's router writes it: ":campaignId" is an id when it ends with Id,
	// ":subscription", ":claim" and ":payout" a random one, others are words; "?" makes it optional.
	Path string
	// Title is a key of the app's texts, empty when the content has the title.
	Title string
	// Heading is a key of the app's texts too, empty if the heading depends on data or on the browser.
	Heading string
	// Paint is the layout of the first paint, empty for the usual one.
	Paint string
	// Picture is how the app shows the page's first picture, so that the server fetches and paints the very same.
	Picture picture
	// Private pages are not indexed by search engines.
	Private bool
	// Calls are the app's first API calls, whose answers are embedded in the page. If the path has an id and the first
	// call finds nothing, the page does not exist.
	Calls []string
	// Query are the parameters of the page's address that its calls take; without the first there is nothing to call for.
	Query []string

	pattern *regexp.Regexp
}

// picture is how a picture is shown: its crop, and what the browser chooses the size by.
type picture struct {
	Ratio  float64 // width over height
	Widths []int   // pixels, ascending
	Sizes  string  // as in <img sizes>
}

// shownPicture is what <img> says of a picture; its size, pixels, is that of its largest form.
type shownPicture struct {
	Src, Srcset, Sizes string
	Width, Height      int
	IsLazy             bool // fetched only when it comes near the screen
}

// of shows a file under /media so.
func (p picture) of(file string) *shownPicture {
	width := p.Widths[len(p.Widths)-1]
	height := p.height(width)
	return &shownPicture{Src: mediaPath(file, width, height), Srcset: p.srcset(file), Sizes: p.Sizes, Width: width, Height: height}
}

func (p picture) height(width int) int { return int(math.Round(float64(width) / p.Ratio)) }

// srcset lists the forms of a file as <img srcset> does; the app's Picture writes the same addresses.
func (p picture) srcset(file string) string {
	parts := make([]string, len(p.Widths))
	for i, w := range p.Widths {
		parts[i] = fmt.Sprintf("%s %dw", mediaPath(file, w, p.height(w)), w)
	}
	return strings.Join(parts, ", ")
}

func mediaPath(file string, width, height int) string {
	return fmt.Sprintf("/media/%dx%d/%s", width, height, url.PathEscape(file))
}

// table is all entries, in the order in which they are matched.
var table = readTable()

func readTable() []entry {
	var list []entry
	if err := json.Unmarshal(tableText, &list); err != nil {
		panic(fmt.Sprintf("pages.json: %v", err))
	}
	for i := range list {
		list[i].pattern = patternOf(list[i].Path)
	}
	return list
}

func patternOf(path string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString("^")
	for part := range strings.SplitSeq(strings.TrimSuffix(path, "/"), "/") {
		name, isParam := strings.CutPrefix(part, ":")
		name, isOptional := strings.CutSuffix(name, "?")
		switch word := "[^/]+"; {
		case part == "":
		case !isParam:
			b.WriteString("/" + regexp.QuoteMeta(part))
		case strings.HasSuffix(name, "Id") && !isOptional:
			fmt.Fprintf(&b, `/(?P<%s>[1-9]\d{0,14})`, name)
		case name == "subscription" || name == "claim" || name == "payout":
			fmt.Fprintf(&b, `/(?P<%s>[0-9A-Za-z]{26})`, name)
		case isOptional:
			fmt.Fprintf(&b, `(?:/(?P<%s>%s))?`, name, word)
		default:
			fmt.Fprintf(&b, `/(?P<%s>%s)`, name, word)
		}
	}
	return regexp.MustCompile(b.String() + "/?$")
}

// find matches a path without its language's prefix, and returns its entry and parameters; nil if it is no page.
func find(path string) (*entry, map[string]string) {
	for i := range table {
		match := table[i].pattern.FindStringSubmatch(path)
		if match == nil {
			continue
		}
		params := map[string]string{}
		for n, name := range table[i].pattern.SubexpNames() {
			if name != "" {
				params[name] = match[n]
			}
		}
		return &table[i], params
	}
	return nil, nil
}

// hasSubject reports whether the page is about one entity, which may not exist.
func (e *entry) hasSubject() bool {
	return strings.Contains(e.Path, "Id")
}

// callNotPage are API calls whose path also matches a page.
var callNotPage = regexp.MustCompile(`^/experiments/\d{1,18}/(?i:fi|en|sv)/?$`)

// IsPage reports whether a path is one that the app has a page for.
func IsPage(path string) bool {
	_, rest := splitLanguage(path)
	if rest == path && callNotPage.MatchString(path) {
		return false
	}
	e, _ := find(rest)
	return e != nil
}

// splitLanguage splits a page's path into language and rest.
func splitLanguage(path string) (language, rest string) {
	for _, l := range []string{"en", "sv"} {
		if path == "/"+l || strings.HasPrefix(path, "/"+l+"/") {
			return l, "/" + strings.TrimPrefix(strings.TrimPrefix(path, "/"+l), "/")
		}
	}
	return "fi", path
}

// PageNames are the names of all pages.
func PageNames() []string {
	names := make([]string, len(table))
	for i, e := range table {
		names[i] = e.Name
	}
	return names
}
