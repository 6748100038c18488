package campaigns

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/cespare/xxhash/v2"
)

// list is a page of previews as it goes out: the contract's CampaignPreviewsAnswer.
type list struct {
	body []byte
	etag string
}

func (l list) size() int { return len(l.body) }

// readList gives a query's page. Public ones are shared by all readers for a second.
func (h *Handlers) readList(ctx context.Context, q query) (list, error) {
	if q.teamMember != 0 {
		return h.makeList(ctx, q)
	}
	return h.lists.get(ctx, q.key(), func(ctx context.Context) (list, error) { return h.makeList(ctx, q) })
}

func (h *Handlers) makeList(ctx context.Context, q query) (list, error) {
	var previews []string
	var total count
	if len(q.stages) > 0 {
		statement, params := q.page(h.now())
		if err := h.db.WithContext(ctx).Raw(statement, params).Scan(&previews).Error; err != nil {
			return list{}, fmt.Errorf("list campaigns: %w", err)
		}
		var err error
		if total, err = h.totalOf(ctx, q, len(previews)); err != nil {
			return list{}, err
		}
	}
	return encodeList(previews, total), nil
}

// count is how many campaigns a query lists.
type count struct {
	total int
	more  bool // counting ended before the list did: there are total or more
}

// totalOf counts only when the page itself does not show how many there are.
func (h *Handlers) totalOf(ctx context.Context, q query, onPage int) (count, error) {
	if onPage < q.limit && (onPage > 0 || q.offset == 0) {
		return count{total: q.offset + onPage}, nil
	}
	read := func(ctx context.Context) (c count, err error) {
		statement, params := q.total(h.now())
		if err := h.db.WithContext(ctx).Raw(statement, params).Scan(&c.total).Error; err != nil {
			return count{}, fmt.Errorf("count campaigns: %w", err)
		}
		c.more = c.total >= q.countEnds()
		return c, nil
	}
	if q.teamMember != 0 {
		return read(ctx)
	}
	return h.totals.get(ctx, fmt.Sprint(q.filterKey(), q.countEnds()), read)
}

// encodeList puts an answer together from texts that are ready JSON already.
func encodeList(previews []string, c count) list {
	size := 64
	for _, p := range previews {
		size += len(p) + 1
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteString(`{"previews":[`)
	for i, p := range previews {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(p)
	}
	b.WriteString(`],"total":` + strconv.Itoa(c.total))
	if c.more {
		b.WriteString(`,"total_is_more":true`)
	}
	b.WriteString("}\n")
	return list{body: b.Bytes(), etag: `"` + strconv.FormatUint(xxhash.Sum64(b.Bytes()), 36) + `"`}
}

// listAnswer is a list on its way to a reader, who may have it already.
type listAnswer struct {
	list
	have    string // the reader's If-None-Match
	private bool
}

func (a listAnswer) write(w http.ResponseWriter) error {
	header := w.Header()
	header.Set("ETag", a.etag)
	header.Set("Cache-Control", "no-cache")
	if a.private {
		header.Set("Cache-Control", "private, no-cache")
	}
	if matches(a.have, a.etag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(a.body)
	return err
}
