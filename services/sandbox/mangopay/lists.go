package mangopay

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"talkoot.fi/sandbox/standin"
)

// row is what lists go by.
type row struct {
	CreationDate int64
	Date         int64 // of events
	Status       string
	Type         string
	Nature       string
	ResultCode   string
	EventType    string
}

// listed answers a list call: the objects under an index entry ("" for all) as shown, those that pass the filters, one page.
func listed[T any](c *call, k standin.Kind[T], index string, show func(*T) (any, bool)) (any, error) {
	page, err1 := c.number("page", 1, 1<<30)
	size, err2 := c.number("per_page", 10, 100)
	if err := firstOf(err1, err2); err != nil {
		return nil, err
	}
	passes, newestFirst, err := c.filters()
	if err != nil {
		return nil, err
	}
	found := []any{}
	err = k.Walk(c.tx, index, nil, !newestFirst, func(id []byte) (bool, error) {
		var r row
		if err := json.Unmarshal(k.Raw(c.tx, id), &r); err != nil {
			return false, fmt.Errorf("read stored object: %w", err)
		}
		if !passes(r) {
			return true, nil
		}
		o, err := k.Find(c.tx, string(id))
		if err != nil {
			return false, err
		}
		if shown, visible := show(o); visible {
			found = append(found, shown)
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	c.pageHeaders(page, size, len(found))
	from := min((page-1)*size, len(found))
	return found[from:min(from+size, len(found))], nil
}

// whole shows objects as they are stored.
func whole[T any](o *T) (any, bool) { return o, true }

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *call) number(name string, fallback, most int) (int, error) {
	text := c.query.Get(name)
	if text == "" {
		return fallback, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, paramError(name, "The value must be a number from 1 to "+strconv.Itoa(most)+".")
	}
	return n, nil
}

// filters reads what a list is narrowed by, and its order.
func (c *call) filters() (passes func(row) bool, newestFirst bool, err error) {
	before, err1 := c.number("beforedate", 1<<40, 1<<40)
	after, err2 := c.number("afterdate", 1, 1<<40)
	if err := firstOf(err1, err2); err != nil {
		return nil, false, err
	}
	switch sort := strings.ToLower(c.query.Get("sort")); sort {
	case "", "creationdate:asc", "date:asc":
	case "creationdate:desc", "date:desc":
		newestFirst = true
	default:
		return nil, false, paramError("Sort", "The order "+sort+" is unknown.")
	}
	status, kind, nature := c.values("status"), c.values("type"), c.values("nature")
	code, event := c.values("resultcode"), c.values("eventtype")
	oneOf := func(want []string, is string) bool { return len(want) == 0 || slices.Contains(want, is) }
	return func(r row) bool {
		at := max(r.CreationDate, r.Date)
		return at < int64(before) && (after == 1 || at > int64(after)) && oneOf(status, r.Status) && oneOf(kind, r.Type) &&
			oneOf(nature, r.Nature) && oneOf(code, r.ResultCode) && oneOf(event, r.EventType)
	}, newestFirst, nil
}

// values are a filter's, which may be repeated or separated by commas.
func (c *call) values(name string) []string {
	var out []string
	for _, v := range c.query[name] {
		for part := range strings.SplitSeq(v, ",") {
			if part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}

func (c *call) pageHeaders(page, size, items int) {
	pages := (items + size - 1) / size
	c.page = http.Header{}
	c.page.Set("X-Number-Of-Pages", strconv.Itoa(pages))
	c.page.Set("X-Number-Of-Items", strconv.Itoa(items))
	var links []string
	link := func(rel string, n int) {
		u := url.URL{Scheme: "http", Host: c.r.Host, Path: c.r.URL.Path}
		q := c.r.URL.Query()
		for name := range q {
			if strings.EqualFold(name, "page") || strings.EqualFold(name, "per_page") {
				q.Del(name)
			}
		}
		q.Set("page", strconv.Itoa(n))
		q.Set("per_page", strconv.Itoa(size))
		u.RawQuery = q.Encode()
		links = append(links, fmt.Sprintf(`<%s>; rel="%s"`, u.String(), rel))
	}
	link("first", 1)
	if page > 1 {
		link("prev", page-1)
	}
	if page < pages {
		link("next", page+1)
	}
	link("last", max(pages, 1))
	c.page.Set("Link", strings.Join(links, ", "))
}
