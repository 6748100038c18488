package closing_test

import (
	"io"
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
	"talkoot.fi/content/migrations"
)

const pledge = "00000000000000000000000001"

var secret = []byte(strings.Repeat("s", servicetoken.MinSecretBytes))

func TestAdd_OneMessageForAPledgeAndReason(t *testing.T) {
	db := dbtest.New(t, migrations.FS).Gorm
	for _, reason := range []closing.Reason{closing.Released, closing.CampaignClosed, closing.Released} {
		err := dbx.InTx(t.Context(), db, func(tx *gorm.DB) error { return closing.Add(t.Context(), tx, closing.Pledge, pledge, reason) })
		if err != nil {
			t.Fatal(err)
		}
	}
	var kept []string
	if err := db.Raw(`SELECT payload ->> 'reason' FROM outbox WHERE kind = ? ORDER BY id`, closing.Kind).Scan(&kept).Error; err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(kept, []string{"released", "campaign_closed"}) {
		t.Errorf("kept %v, want one of each, in their order", kept)
	}
}

func TestHandle_TellsThePaymentServiceWithAServiceToken(t *testing.T) {
	verifier, err := servicetoken.NewVerifier(secret, servicetoken.Content, servicetoken.Payments, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var body string
	var answer func(http.ResponseWriter)
	payments := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		body = r.Method + " " + r.URL.Path + " " + string(text)
		if err := verifier.Verify(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")); err != nil {
			t.Errorf("token: %v", err)
		}
		answer(w)
	}))
	defer payments.Close()
	client, err := closing.NewClient(closing.ClientConfig{URL: payments.URL, Secret: secret, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	send := func() error {
		return closing.NewSender(client).Handle(t.Context(), outbox.Message{Kind: closing.Kind,
			Payload: []byte(`{"subject_kind": "pledge", "subject_id": "` + pledge + `", "reason": "lapsed"}`)})
	}
	say := func(status int, text string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { w.WriteHeader(status); _, _ = io.WriteString(w, text) }
	}
	for _, word := range []string{"none", "open", "ended", "paid"} {
		answer = say(http.StatusOK, `{"status": "`+word+`"}`)
		if err := send(); err != nil {
			t.Errorf("%s: %v", word, err)
		}
	}
	if want := `POST /internal/payments/close {"reason":"lapsed","subject_id":"` + pledge + `","subject_kind":"pledge"}`; body != want {
		t.Errorf("asked %s, want %s", body, want)
	}
	for name, a := range map[string]func(http.ResponseWriter){ // all of them are tried again
		"not found": say(404, `{}`), "broken": say(500, ``), "another's page": say(200, `<html>`), "an unknown word": say(200, `{"status": "x"}`),
		"moved": func(w http.ResponseWriter) { w.Header().Set("Location", "/elsewhere"); w.WriteHeader(http.StatusFound) },
	} {
		answer = a
		if err := send(); err == nil {
			t.Errorf("%s counts as taken", name)
		}
	}
	payments.Close()
	if err := send(); err == nil {
		t.Error("nobody answers: no error")
	}
}

func TestNewClient_RefusesAShortSecret(t *testing.T) {
	if _, err := closing.NewClient(closing.ClientConfig{URL: "http://payments", Secret: secret[1:], Now: time.Now}); err == nil {
		t.Error("taken")
	}
}
