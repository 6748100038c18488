package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/mail/mails"
)

// Whose mail server refuses their mail for good reads it on their own profile, tries it from there, and a creator's count of letters
// says how many did not arrive. A mail that is taken ends it.
func TestUndeliverable_ItsPersonIsToldAndTheCreatorsCountHasIt(t *testing.T) {
	p := setupDemo(t)
	about := p.target(t, "hoyry-kylan-yhteinen-saunalautta")
	person := p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)
	refuses, sent := true, []mails.Mail{}
	sender, err := mails.NewSender(mails.Options{DB: p.db, PublicURL: publicURL, Zone: p.options.Zone, Now: time.Now, Send: func(_ context.Context, m mails.Mail) error {
		if refuses && strings.EqualFold(m.To, "backer@talkoot.example") {
			return outbox.Final(errors.New("550"))
		}
		sent = append(sent, m)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	deliver := func() {
		t.Helper()
		relay, err := outbox.NewRelay(outbox.Config{DB: p.db, Handlers: sender.Handlers(), Now: time.Now, Log: slog.New(slog.DiscardHandler),
			OnlyHandled: true})
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n > 0; {
			if n, err = relay.RunOnce(t.Context(), 20); err != nil {
				t.Fatal(err)
			}
		}
	}
	ask := func(method, path string, as int64, into any) {
		t.Helper()
		a := call(t.Context(), p.handler, method, path, "", bearer(p.token(t, as))...)
		if a.Code >= http.StatusBadRequest {
			t.Fatalf("%s %s: %d %s", method, path, a.Code, a.Body)
		}
		if into != nil {
			if err := json.Unmarshal(a.Body.Bytes(), into); err != nil {
				t.Fatal(err)
			}
		}
	}
	refusedAt := func() *time.Time {
		t.Helper()
		var answer struct {
			Profile struct {
				Settings struct {
					EmailRefusedAt *time.Time `json:"email_refused_at"`
				}
			}
		}
		ask(http.MethodGet, "/users/me/profile", person, &answer)
		return answer.Profile.Settings.EmailRefusedAt
	}
	post := p.post(t, about)
	undelivered := func() int {
		t.Helper()
		var answer struct {
			Post struct {
				Letters struct{ Undelivered int }
			}
		}
		ask(http.MethodGet, fmt.Sprintf("/campaigns/%d/posts/%d/admin/", about.campaign, post), about.creator, &answer)
		return answer.Post.Letters.Undelivered
	}
	if err := p.db.Exec(`DELETE FROM outbox`).Error; err != nil {
		t.Fatal(err)
	}
	err = p.db.Exec(`INSERT INTO letters (post_id, address_hash, pledge_id, language)
		SELECT ?, sha256(convert_to('backer@talkoot.example', 'UTF8')), ?, 'fi'`, post, p.pledge(t, about.campaign)).Error
	if err != nil {
		t.Fatal(err)
	}
	ask(http.MethodPost, "/users/me/verification/", person, nil)
	deliver()
	if refusedAt() != nil || undelivered() != 0 || len(sent) != 0 {
		t.Fatal("nothing was refused, and nothing is to be tried")
	}
	ask(http.MethodPut, "/users/me/calendar-feed/", person, nil) // which is mailed
	deliver()
	if refusedAt() == nil || undelivered() != 1 {
		t.Errorf("refused at %v, %d letters did not arrive", refusedAt(), undelivered())
	}
	ask(http.MethodPost, "/users/me/verification/", person, nil)
	deliver()
	if refusedAt() == nil {
		t.Error("a trial that is refused ended it")
	}
	refuses = false
	ask(http.MethodPost, "/users/me/verification/", person, nil)
	deliver()
	if refusedAt() != nil || undelivered() != 0 || len(sent) != 1 || strings.Contains(sent[0].Text, "verify-email") {
		t.Errorf("after a mail that was taken: refused at %v, %d letters did not arrive, %+v", refusedAt(), undelivered(), sent)
	}
}
