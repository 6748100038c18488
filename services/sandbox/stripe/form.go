package stripe

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// node is one place in a form-encoded parameter tree: a scalar, or named (or numbered) children.
type node struct {
	scalar string
	isLeaf bool
	kids   map[string]*node
	order  []string // children as they came
}

const maxFormDepth = 8

// parseForm reads Stripe's bracket encoding: a[b]=1, a[0]=x, a[]=x, percent-encoded or not.
func parseForm(encoded string) (*node, *apiError) {
	root := &node{}
	for pair := range strings.SplitSeq(encoded, "&") {
		if pair == "" {
			continue
		}
		rawKey, rawValue, _ := strings.Cut(pair, "=")
		key, err1 := url.QueryUnescape(rawKey)
		value, err2 := url.QueryUnescape(rawValue)
		if err1 != nil || err2 != nil {
			return nil, invalidRequest(http.StatusBadRequest, "", "Invalid form encoding.")
		}
		path, ok := keyPath(key)
		if !ok || len(path) > maxFormDepth {
			return nil, invalidParam(key, "parameter_unknown", "Received unknown parameter: "+key)
		}
		root.set(path, value)
	}
	return root, nil
}

// keyPath cuts "a[b][0]" into a, b, 0.
func keyPath(key string) ([]string, bool) {
	name, rest, _ := strings.Cut(key, "[")
	if name == "" {
		return nil, false
	}
	path := []string{name}
	if rest == "" && !strings.Contains(key, "[") {
		return path, true
	}
	if !strings.HasSuffix(rest, "]") {
		return nil, false
	}
	return append(path, strings.Split(strings.TrimSuffix(rest, "]"), "][")...), true
}

func (n *node) set(path []string, value string) {
	at := n
	for i, name := range path {
		if name == "" { // "a[]": a new element, unless the last one still lacks the next name
			name = at.autoIndex(path[i+1:])
		}
		if at.kids == nil {
			at.kids = map[string]*node{}
		}
		kid := at.kids[name]
		if kid == nil {
			kid = &node{}
			at.kids[name] = kid
			at.order = append(at.order, name)
		}
		at = kid
	}
	at.scalar, at.isLeaf = value, true
}

func (n *node) autoIndex(rest []string) string {
	count := len(n.order)
	if len(rest) > 0 && count > 0 {
		last := n.kids[n.order[count-1]]
		if _, taken := last.kids[rest[0]]; !taken {
			return n.order[count-1]
		}
	}
	return strconv.Itoa(count)
}

// elements returns a list's members by index, or false when the children are not numbered.
func (n *node) elements() ([]*node, bool) {
	indexes := make([]int, 0, len(n.order))
	for _, name := range n.order {
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 {
			return nil, false
		}
		indexes = append(indexes, i)
	}
	slices.Sort(indexes)
	out := make([]*node, 0, len(indexes))
	for _, i := range indexes {
		out = append(out, n.kids[strconv.Itoa(i)])
	}
	return out, true
}

// canonical writes the tree so that two requests with equal parameters give equal text.
func (n *node) canonical(b *strings.Builder) {
	if n.isLeaf {
		b.WriteString("=" + strconv.Quote(n.scalar))
	}
	for _, name := range slices.Sorted(slices.Values(n.order)) {
		b.WriteString("[" + strconv.Quote(name))
		n.kids[name].canonical(b)
		b.WriteString("]")
	}
}
