package richtext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"talkoot.fi/kit/apperr"
)

// Bounds of a document that a person sends.
const (
	maxKilobytes = 100
	// maxNesting is the depth of the tree, a paragraph on its own being 1: a text in five lists in each other has 12.
	maxNesting = 12
)

// Fault is why a document is refused: the path within it (content[2].attrs.level, empty for the whole) and the rule.
type Fault struct {
	Path, Rule string
	Params     apperr.Params
}

// At is the fault of a field that holds the document.
func (f Fault) At(field string) apperr.Field {
	if f.Path != "" {
		field += "." + f.Path
	}
	return apperr.Field{Path: field, Rule: f.Rule, Params: f.Params}
}

// Read reads a document that a person sends. Reading a stored one (UnmarshalJSON) skips what it does not know; here
// everything that would be lost on the way to readers is refused instead: unknown nodes, marks and attributes, nodes in
// the wrong place, pictures and players of other hosts. Only attributes that are null count as left out, because
// editors send their unset ones so. What it accepts Render renders.
func Read(data []byte) (Doc, *Fault) {
	if len(data) > maxKilobytes<<10 {
		return Doc{}, &Fault{Rule: apperr.RuleMaxKilobytes, Params: apperr.Params{"max": maxKilobytes}}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var root map[string]any
	if err := dec.Decode(&root); err != nil || root == nil {
		return Doc{}, &Fault{Rule: apperr.RuleType}
	}
	r := reader{}
	r.members(root, "", "type", "content")
	if root["type"] != "doc" {
		r.refuse("type", apperr.RuleOneOf)
	}
	r.content(root, "", block, 1)
	if r.fault != nil {
		return Doc{}, r.fault
	}
	var doc Doc
	if err := json.Unmarshal(data, &doc); err != nil {
		return Doc{}, &Fault{Rule: apperr.RuleType}
	}
	if _, _, err := Render(doc, "fi"); err != nil {
		return Doc{}, &Fault{Rule: apperr.RuleRichText}
	}
	return doc, nil
}

// Equal reports whether two documents are the same to readers and editors: a list that is empty is one that is not
// there.
func (d Doc) Equal(other Doc) bool {
	first, err := json.Marshal(d)
	if err != nil {
		return false
	}
	second, err := json.Marshal(other)
	return err == nil && bytes.Equal(first, second)
}

// place is where a node may stand.
type place int

// mostStart is the highest number that a list may begin with.
const mostStart = 9999

const (
	block place = iota
	inline
	item   // of a list
	either // words or blocks
)

// shape is what a node may have.
type shape struct {
	in       place
	contains place            // of its content, when it has any
	leaf     bool             // it has no content
	attrs    map[string]check // required ones are checked by their absence, too: check(nil)
}

// check reports whether an attribute's value may be kept; nil is an absent one.
type check func(value any) bool

var (
	pictureAttrs = map[string]check{"src": address(ownPicture), "alt": short(300), "width": number(0, 9999),
		"height": number(0, 9999)}
	shapes = map[Type]shape{
		Paragraph:   {in: block, contains: inline, attrs: map[string]check{"intro": boolean}},
		Heading:     {in: block, contains: inline, attrs: map[string]check{"level": required(number(2, 3))}},
		BulletList:  {in: block, contains: item},
		OrderedList: {in: block, contains: item, attrs: map[string]check{"start": number(1, mostStart)}},
		ListItem:    {in: item, contains: block},
		Quote:       {in: block, contains: either, attrs: map[string]check{"by": short(200)}},
		HardBreak:   {in: inline, leaf: true},
		Image:       {in: block, leaf: true, attrs: pictureAttrs},
		Figure:      {in: block, leaf: true, attrs: with(pictureAttrs, "caption", short(500))},
		Video:       {in: block, leaf: true, attrs: map[string]check{"src": isVideo}},
		IFrame:      {in: block, leaf: true, attrs: map[string]check{"src": isPlayer}},
		Budget: {in: block, leaf: true, attrs: map[string]check{
			"rows": rows(map[string]check{"label": required(short(200)), "amount_minor": required(number(0, 1e12))})}},
		Figures: {in: block, leaf: true, attrs: map[string]check{"figures": rows(
			map[string]check{"label": required(short(200)), "value": required(short(100)), "share": required(number(0, 100))})}},
	}
	marks = map[string]map[string]check{Bold: nil, Italic: nil, Link: {"href": address(linkTarget)}}
)

// reader walks a document and keeps the first fault.
type reader struct{ fault *Fault }

func (r *reader) refuse(path, rule string) {
	if r.fault == nil {
		r.fault = &Fault{Path: path, Rule: rule}
	}
}

// content reads the children of a node, which stand in a place of theirs.
func (r *reader) content(node map[string]any, path string, in place, depth int) {
	value, there := node["content"]
	if !there {
		return
	}
	path = join(path, "content")
	list, ok := value.([]any)
	if !ok {
		r.refuse(path, apperr.RuleType)
		return
	}
	if depth > maxNesting && len(list) > 0 {
		r.refuse(path, apperr.RuleRichText)
		return
	}
	for i, child := range list {
		if r.fault != nil {
			return
		}
		r.node(child, fmt.Sprintf("%s[%d]", path, i), in, depth)
	}
}

func (r *reader) node(value any, path string, in place, depth int) {
	node, ok := value.(map[string]any)
	if !ok {
		r.refuse(path, apperr.RuleType)
		return
	}
	name, _ := node["type"].(string)
	words := in == inline || in == either
	if Type(name) == TextNode && words {
		r.text(node, path)
		return
	}
	s, known := shapes[Type(name)]
	// An editor may set pictures among words.
	if fits := s.in == in || in == either && s.in != item || words && Type(name) == Image; !known || !fits {
		r.refuse(join(path, "type"), apperr.RuleRichText)
		return
	}
	if s.leaf {
		r.members(node, path, "type", "attrs")
	} else {
		r.members(node, path, "type", "attrs", "content")
		r.content(node, path, s.contains, depth+1)
	}
	r.attributes(node, path, s.attrs)
}

func (r *reader) text(node map[string]any, path string) {
	r.members(node, path, "type", "text", "marks")
	if words, ok := node["text"].(string); !ok || strings.ContainsFunc(words, isControl) {
		r.refuse(join(path, "text"), apperr.RuleFormat)
	}
	list, ok := node["marks"].([]any)
	if node["marks"] != nil && !ok {
		r.refuse(join(path, "marks"), apperr.RuleType)
	}
	for i, value := range list {
		at := fmt.Sprintf("%s.marks[%d]", path, i)
		mark, _ := value.(map[string]any)
		name, _ := mark["type"].(string)
		attrs, known := marks[name]
		if !known || i >= len(marks) {
			r.refuse(join(at, "type"), apperr.RuleRichText)
			return
		}
		r.members(mark, at, "type", "attrs")
		r.attributes(mark, at, attrs)
	}
}

// attributes checks those of a node or mark; what is null is left out.
func (r *reader) attributes(of map[string]any, path string, allowed map[string]check) {
	path = join(path, "attrs")
	given, ok := of["attrs"].(map[string]any)
	if of["attrs"] != nil && !ok {
		r.refuse(path, apperr.RuleType)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if given[name] != nil && allowed[name] == nil {
			r.refuse(join(path, name), apperr.RuleUnknownField)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		if !allowed[name](given[name]) {
			r.refuse(join(path, name), apperr.RuleRichText)
		}
	}
}

// members refuses what an object has beside these.
func (r *reader) members(object map[string]any, path string, names ...string) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(names, name) {
			r.refuse(join(path, name), apperr.RuleUnknownField)
		}
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
