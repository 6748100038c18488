package campaigns

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// list is a page of previews as it goes out: the contract's CampaignPreviewsAnswer.
type list []byte

// readList gives a query's page at a moment.
func readList(ctx context.Context, db *gorm.DB, q query, now time.Time) (list, error) {
	if len(q.stages) == 0 {
		return encodeList(found{}, 1), nil
	}
	if len(q.words) > 0 && !q.few() {
		return search(ctx, db, q, now)
	}
	s := q.walk(now, q.end())
	if q.few() {
		s = q.pick(now)
	}
	f, err := find(ctx, db, s)
	if err != nil {
		return nil, err
	}
	return encodeList(f, q.end()), nil
}

// search looks at campaigns in the list's order when a sample promises that this finds the page soon, and else asks the
// trigram index.
func search(ctx context.Context, db *gorm.DB, q query, now time.Time) (list, error) {
	known, err := find(ctx, db, q.sample())
	if err != nil {
		return nil, err
	}
	for {
		budget := q.budget(now, known)
		if budget == 0 {
			break
		}
		f, err := find(ctx, db, q.walk(now, budget))
		if err != nil {
			return nil, err
		}
		if f.Total == q.pageEnd() || f.Looked < budget { // the page is full, or nothing is left to look at
			return encodeList(f, q.pageEnd()), nil
		}
		known.Looked, known.Total = f.Looked, f.Total // the walk knows better; the next one is twice as long at least
	}
	f, err := find(ctx, db, q.pick(now))
	if err != nil {
		return nil, err
	}
	return encodeList(f, q.end()), nil
}

// found is what a statement found of a list.
type found struct {
	Looked   int    // how many campaigns were looked at for their words
	Total    int    // how many of them belong to the list, or of a list without words all, as far as it was read
	All      int    // how many campaigns there are, roughly; of a sample only
	Previews string // of the page, ready JSON with commas between
}

func find(ctx context.Context, db *gorm.DB, s statement) (found, error) {
	rows, err := dbx.Select[found](ctx, db, s.sql, s.params)
	if err != nil {
		return found{}, fmt.Errorf("list campaigns: %w", err)
	}
	return rows[0], nil // counts are one row
}

// encodeList puts an answer together. Its list was read to the given end.
func encodeList(f found, end int) list {
	b := bytes.NewBuffer(make([]byte, 0, len(f.Previews)+64))
	b.WriteString(`{"previews":[`)
	b.WriteString(f.Previews)
	b.WriteString(`],"total":` + strconv.Itoa(f.Total))
	if f.Total >= end {
		b.WriteString(`,"total_is_more":true`)
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// write sends the list.
func (l list) write(w http.ResponseWriter) error {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(l)))
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(l)
	return err
}
