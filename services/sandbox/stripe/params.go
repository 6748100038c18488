package stripe

import (
	"math"
	"strconv"
)

// params are checked parameters. Reading a name that the call's rules lack reads as absent.
type params struct{ n *node }

func (p *params) has(name string) bool { return p.n.kids[name] != nil }

func (p *params) isHash(name string) bool {
	n := p.n.kids[name]
	return n != nil && len(n.order) > 0
}

// text returns the value, or "" when absent or emptied.
func (p *params) text(name string) string {
	if n := p.n.kids[name]; n != nil {
		return n.scalar
	}
	return ""
}

// integer returns the checked value, or 0 when absent or emptied.
func (p *params) integer(name string) int64 {
	v, err := strconv.ParseInt(p.text(name), 10, 64)
	if err != nil {
		return 0
	}
	return min(v, math.MaxInt64)
}

func (p *params) yes(name string) bool { return p.text(name) == "true" }

// sub returns a nested hash; an absent one reads as empty.
func (p *params) sub(name string) *params {
	if n := p.n.kids[name]; n != nil {
		return &params{n: n}
	}
	return &params{n: &node{}}
}

func (p *params) subs(name string) []*params {
	var out []*params
	if n := p.n.kids[name]; n != nil {
		items, _ := n.elements()
		for _, item := range items {
			out = append(out, &params{n: item})
		}
	}
	return out
}

func (p *params) texts(name string) []string {
	var out []string
	for _, item := range p.subs(name) {
		out = append(out, item.n.scalar)
	}
	return out
}

// setText puts the value when the parameter was sent; an empty value unsets it.
func (p *params) setText(name string, dst **string) {
	if p.has(name) {
		*dst = optional(p.text(name))
	}
}

// mergeMetadata applies metadata[k]=v (set), metadata[k]= (drop one) and metadata= (drop all).
func (p *params) mergeMetadata(old map[string]string) map[string]string {
	out := map[string]string{}
	n := p.n.kids["metadata"]
	if n == nil || !n.isLeaf {
		for k, v := range old {
			out[k] = v
		}
	}
	if n == nil {
		return out
	}
	for _, k := range n.order {
		if v := n.kids[k].scalar; v == "" {
			delete(out, k)
		} else {
			out[k] = v
		}
	}
	return out
}

func optional(v string) *string {
	if v == "" {
		return nil
	}
	return &v
}

func value(v *string) string {
	if v == nil {
		return ""
	}
	return *v
}
