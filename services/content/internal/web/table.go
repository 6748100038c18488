package web

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// The table of pages. The web app has a copy of it, which scripts/generate.sh makes.
//
//go:embed pages.json
var tableText []byte

// entry is one kind of page.
type entry struct {
	// Name is that of the app's chunk, of the template and of the screen.
	Name string
	// Path is without the language's prefix, as the app's router writes it: ":campaignId" is an id when it ends with Id,
	// else a word; "?" makes it optional.
	Path string
	// Title is a key of the app's texts, empty when the content has the title.
	Title string
	// Heading is a key likewise, empty also where only the browser knows what there is to say.
	Heading string
	// Paint is the shape of the first paint, empty for the ordinary one.
	Paint string
	// Private pages are nothing for search engines.
	Private bool
	// Calls of the API that the app begins with, whose answers come with the page. Without a good answer to the first there
	// is no such page, when the path has an id.
	Calls []string

	pattern *regexp.Regexp
}

// table is in the order in which it is tried.
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
		case isOptional:
			fmt.Fprintf(&b, `(?:/(?P<%s>%s))?`, name, word)
		default:
			fmt.Fprintf(&b, `/(?P<%s>%s)`, name, word)
		}
	}
	return regexp.MustCompile(b.String() + "/?$")
}

// find gives the entry of a path without its language's prefix and the values of its parameters; nil for no page.
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

// hasSubject reports whether the page is about one thing, which may be missing.
func (e *entry) hasSubject() bool { return strings.Contains(e.Path, "Id") }

// callNotPage are calls of the API that have the form of a page's address.
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

// splitLanguage takes the language's prefix from a page's path.
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
