package stripe

import (
	"slices"

	bolt "go.etcd.io/bbolt"

	"talkoot.fi/sandbox/standin"
)

// pageQuery selects one page of a list: newest first, after or before a cursor.
type pageQuery struct {
	limit         int
	startingAfter string
	endingBefore  string
	index         string // "field=value", or "" for all objects of the kind
}

// list is Stripe's list object.
type list struct {
	Object  string `json:"object"`
	Data    []any  `json:"data"`
	HasMore bool   `json:"has_more"`
	URL     string `json:"url"`
}

// page returns the objects that match, newest first, and whether more follow in the direction read.
func (k kind[T]) page(tx *bolt.Tx, q pageQuery, match func(*T) bool) ([]*T, bool, error) {
	backwards := q.endingBefore != "" // towards newer objects
	cursorID, param := q.startingAfter, "starting_after"
	if backwards {
		cursorID, param = q.endingBefore, "ending_before"
	}
	var from []byte
	if cursorID != "" {
		raw := tx.Bucket([]byte(k.Bucket)).Get([]byte(cursorID))
		if raw == nil {
			return nil, false, missingResource(k.noun, cursorID, param)
		}
		from = raw[:standin.SeqBytes]
	}
	var found []*T
	more := false
	err := k.Walk(tx, q.index, from, backwards, func(id []byte) (bool, error) {
		obj, err := k.Find(tx, string(id))
		if err != nil || obj == nil {
			return err == nil, err
		}
		if match != nil && !match(obj) {
			return true, nil
		}
		if len(found) == q.limit {
			more = true
			return false, nil
		}
		found = append(found, obj)
		return true, nil
	})
	if backwards {
		slices.Reverse(found)
	}
	return found, more, err
}

// listPage answers a list call: the common parameters, an optional index, and a filter.
func listPage[T any](c *call, k kind[T], index string, match func(*T) bool) (any, error) {
	q := pageQuery{
		limit: 10, index: index,
		startingAfter: c.p.text("starting_after"), endingBefore: c.p.text("ending_before"),
	}
	if c.p.has("limit") {
		q.limit = int(c.p.integer("limit"))
	}
	if q.limit < 1 || q.limit > 100 {
		return nil, invalidParam("limit", "", "limit must be between 1 and 100")
	}
	found, more, err := k.page(c.tx, q, match)
	if err != nil {
		return nil, err
	}
	l := list{Object: "list", Data: make([]any, 0, len(found)), HasMore: more, URL: c.path}
	for _, obj := range found {
		l.Data = append(l.Data, obj)
	}
	return l, nil
}

// createdFilter tells whether a creation time passes created=… or created[gte]=….
func (p *params) createdFilter() func(int64) bool { return p.rangeFilter("created") }

// rangeFilter reads name=… or name[gte]=… and tells whether a number passes.
func (p *params) rangeFilter(name string) func(int64) bool {
	if !p.has(name) {
		return func(int64) bool { return true }
	}
	if !p.isHash(name) {
		want := p.integer(name)
		return func(at int64) bool { return at == want }
	}
	r := p.sub(name)
	return func(at int64) bool {
		return (!r.has("gt") || at > r.integer("gt")) && (!r.has("gte") || at >= r.integer("gte")) &&
			(!r.has("lt") || at < r.integer("lt")) && (!r.has("lte") || at <= r.integer("lte"))
	}
}
