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

// list is a page of previews as JSON: the contract's CampaignPreviewsAnswer.
type list []byte

// readList reads the page of a query; now decides which deadlines are over and the day's mixed order.
func readList(ctx context.Context, db *gorm.DB, q query, now time.Time) (list, error) {
	if len(q.stages) == 0 {
		return encodeList(found{}, 1), nil
	}
	if len(q.words) > 0 && !q.isSmallSet() {
		return search(ctx, db, q, now)
	}
	s := q.walk(now, q.end())
	if q.isSmallSet() {
		s = q.pick(now)
	}
	f, err := find(ctx, db, s)
	if err != nil {
		return nil, err
	}
	return encodeList(f, q.end()), nil
}

// search reads campaigns in the list's order when a sample shows that the words are common enough to fill the page
// soon, and otherwise uses the trigram index.
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
		if f.Total == q.pageEnd() || f.Looked < budget { // the page is full, or the list is at its end
			return encodeList(f, q.pageEnd()), nil
		}
		known.Looked, known.Total = f.Looked, f.Total // better than the sample; the next budget is at least twice as large
	}
	f, err := find(ctx, db, q.pick(now))
	if err != nil {
		return nil, err
	}
	return encodeList(f, q.end()), nil
}

// found is the result row of a list's statement.
type found struct {
	Looked   int    // campaigns whose words were compared
	Total    int    // campaigns of the list, as far as it was read
	All      int    // estimate of all campaigns; of a sample only
	Previews string // the page's previews: JSON objects separated by commas
}

func find(ctx context.Context, db *gorm.DB, s statement) (found, error) {
	rows, err := dbx.Select[found](ctx, db, s.sql, s.params)
	if err != nil {
		return found{}, fmt.Errorf("list campaigns: %w", err)
	}
	return rows[0], nil // an aggregate: always one row
}

// encodeList makes the answer. End is how far the list was read.
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
