package payers_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"
	"talkoot.fi/kit/servicetoken"

	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/payers"
	"talkoot.fi/content/migrations"
)

const someID = "01arz3ndektsv4rrffq69g5fav"

var secret = []byte(strings.Repeat("s", servicetoken.MinSecretBytes))

// An erasure that overtook the merging before it would leave the merged account's support to somebody who is erased.
func TestMessages_ReachThePaymentServiceInTheirOrder_UntilItHasTakenThem(t *testing.T) {
	db := dbtest.New(t, migrations.FS).Gorm
	verifier, err := servicetoken.NewVerifier(secret, servicetoken.Content, servicetoken.Payments, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	refusals := []int{http.StatusServiceUnavailable, http.StatusOK, http.StatusNotFound} // none of them has taken it
	payments := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if err := verifier.Verify(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")); err != nil {
			t.Errorf("token: %v", err)
		}
		if len(refusals) > 0 {
			w.WriteHeader(refusals[0])
			refusals = refusals[1:]
			return
		}
		text := string(body)
		if n := strings.Count(text, someID); n > 1 {
			text = fmt.Sprint(n, " ids")
		}
		asked = append(asked, r.Method+" "+r.URL.Path+" "+text)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer payments.Close()
	client, err := closing.NewClient(closing.ClientConfig{URL: payments.URL, Secret: secret, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	for _, add := range []func(tx *gorm.DB) error{
		func(tx *gorm.DB) error {
			return payers.Merge(t.Context(), tx, 7, 8, []string{someID}, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		},
		func(tx *gorm.DB) error {
			return payers.Merge(t.Context(), tx, 8, 9, slices.Repeat([]string{someID}, 1001), time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		},
		func(tx *gorm.DB) error { return payers.Erase(t.Context(), tx, 8) },
		func(tx *gorm.DB) error { // as it was written before it had ids
			_, err := outbox.Add(t.Context(), tx, outbox.Message{Kind: payers.KindMerge, Stream: "payers",
				Payload: []byte(`{"from_user_id":1,"into_user_id":2,"merged_at":"2026-11-20T12:00:00Z"}`)})
			return err
		},
	} {
		if err := dbx.InTx(t.Context(), db, add); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	handle := payers.NewSender(client).Handle
	relay, err := outbox.NewRelay(outbox.Config{DB: db, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler), Concurrency: 1,
		Handlers: map[string]outbox.Handler{payers.KindMerge: handle, payers.KindErase: handle}})
	if err != nil {
		t.Fatal(err)
	}
	for range 12 {
		if _, err := relay.RunOnce(t.Context(), 10); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Hour)
	}
	const call = "POST /internal/payers/merge "
	if want := []string{
		call + `{"from_user_id":7,"into_user_id":8,"merged_at":"2026-11-20T12:00:00Z","subject_ids":["` + someID + `"]}`,
		call + "500 ids", call + "500 ids",
		call + `{"from_user_id":8,"into_user_id":9,"merged_at":"2026-11-20T12:00:00Z","subject_ids":["` + someID + `"]}`,
		`DELETE /internal/payers/8 `,
		call + `{"from_user_id":1,"into_user_id":2,"merged_at":"2026-11-20T12:00:00Z","subject_ids":[]}`,
	}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
}
