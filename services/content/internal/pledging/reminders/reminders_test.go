//go:build unix

package reminders_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/reminders"
)

type world struct {
	*contenttest.World
	t        *testing.T
	campaign int64
	creator  int64
	sent     []mails.Mail
	fails    error
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: contenttest.New(t), t: t}
	w.creator = w.Person("Reijo")
	w.campaign = w.open("hoyry")
	return w
}

func (w *world) open(slug string) int64 {
	w.t.Helper()
	return w.Campaign(campaigns.New{Slug: slug, Language: "fi", CategoryID: w.Category("c-" + slug), TeamUserIDs: []int64{w.creator}, LastDay: "2026-12-01",
		Texts: map[string]campaigns.Text{"fi": {Title: "Höyry"}, "en": {Title: "Steam"}}}, campaigns.StageFunding)
}

// check asks the payment service, and delivers what follows.
func (w *world) check() {
	w.t.Helper()
	if err := reminders.Check(w.t.Context(), w.DB, w.Payments, w.Now()); err != nil {
		w.t.Fatal(err)
	}
	sender, err := mails.NewSender(mails.Options{DB: w.DB, PublicURL: "https://talkoot.test", Zone: w.Zone, Links: w.Links, OrderTokens: w.OrderTokens,
		Now: w.Now, Send: func(_ context.Context, m mails.Mail) error {
			if w.fails == nil {
				w.sent = append(w.sent, m)
			}
			return w.fails
		}})
	if err != nil {
		w.t.Fatal(err)
	}
	relay, err := outbox.NewRelay(outbox.Config{DB: w.DB, Handlers: sender.Handlers(), Now: w.Now, Log: slog.New(slog.DiscardHandler), Concurrency: 1})
	if err != nil {
		w.t.Fatal(err)
	}
	for range 20 {
		if n, err := relay.RunOnce(w.t.Context(), 100); err != nil || n == 0 {
			return
		}
	}
}

func (w *world) ask(campaign int64, body string, as int64) (isPayable bool) {
	w.t.Helper()
	answer := w.Post(fmt.Sprintf("/campaigns/%d/payment_reminders/", campaign), body, as)
	var said struct {
		IsPayable bool `json:"is_payable"`
	}
	if err := json.Unmarshal(answer.Body, &said); err != nil || answer.Status != http.StatusAccepted {
		w.t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	return said.IsPayable
}

func (w *world) waiting() (list string) {
	w.t.Helper()
	if err := w.DB.Raw(`SELECT coalesce(string_agg(email, ' ' ORDER BY id), '') FROM payment_reminders`).Scan(&list).Error; err != nil {
		w.t.Fatal(err)
	}
	return list
}

func (w *world) got() string {
	list := make([]string, len(w.sent))
	for i, m := range w.sent {
		list[i] = m.To + " " + strings.Split(m.Subject, ":")[0]
	}
	return strings.Join(list, ", ")
}

func (w *world) saysUnpayable(campaign int64) bool {
	w.t.Helper()
	var page struct {
		Campaign struct {
			IsUnpayable bool `json:"is_unpayable"`
		} `json:"campaign"`
	}
	w.Get(fmt.Sprintf("/campaigns/%d/fi/", campaign), 0).JSON(&page)
	return page.Campaign.IsUnpayable
}

func TestReminder_OneMailToEachWhenTheCampaignCanBePaidAgain(t *testing.T) {
	w := newWorld(t)
	maija := w.Person("Maija")
	w.Exec(`UPDATE users SET email = 'maija@example.fi', language = 'en', verified = true WHERE id = ?`, maija)
	if !w.ask(w.campaign, `{"email": "early@example.fi"}`, 0) || w.waiting() != "" {
		t.Errorf("of a campaign that can be paid %q is kept", w.waiting())
	}
	w.Unpayable[w.campaign] = true
	w.check()
	if !w.saysUnpayable(w.campaign) {
		t.Error("the page does not say so")
	}
	for _, body := range []string{`{"email": " Aino@example.fi", "language": "sv"}`, `{"email": "aino@EXAMPLE.fi"}`, `{"email": "bo@example.fi", "language": "fi"}`} {
		if w.ask(w.campaign, body, 0) {
			t.Errorf("%s: it can be paid", body)
		}
	}
	w.ask(w.campaign, `{}`, maija)
	w.check()
	if w.got() != "" {
		t.Errorf("mailed too early: %s", w.got())
	}
	delete(w.Unpayable, w.campaign)
	w.check()
	w.check()
	if got := w.got(); strings.ToLower(got) != "aino@example.fi nu går det att betala igen, bo@example.fi nyt voi taas maksaa, maija@example.fi payments work again" {
		t.Errorf("mailed %s", got)
	}
	if w.waiting() != "" || w.saysUnpayable(w.campaign) {
		t.Errorf("kept %q", w.waiting())
	}
	for _, m := range w.sent {
		if !strings.Contains(m.Text, fmt.Sprintf("/%d/hoyry/pledge/", w.campaign)) || m.Unsubscribe == "" {
			t.Errorf("%s\n%s", m.Unsubscribe, m.Text)
		}
	}
	var outside string
	w.DB.Raw(`SELECT coalesce(string_agg(payload::text, ' '), '') FROM outbox`).Scan(&outside)
	if strings.Contains(outside, "@") {
		t.Errorf("an address is left in %s", outside)
	}
}

func TestReminder_TellsNobodyAndBombsNobody(t *testing.T) {
	w := newWorld(t)
	var others []int64
	for i := range 7 {
		others = append(others, w.open(fmt.Sprintf("muu-%d", i)))
		w.Unpayable[others[i]] = true
	}
	w.Unpayable[w.campaign] = true
	for _, id := range append(others, w.campaign) {
		w.ask(id, `{"email": "victim@example.fi"}`, 0)
	}
	if n := strings.Count(w.waiting(), "victim"); n != 5 {
		t.Errorf("one address waits for %d campaigns", n)
	}
	for body, want := range map[string]int{`{}`: 422, `{"email": "nobody"}`: 422} {
		if got := w.Post(fmt.Sprintf("/campaigns/%d/payment_reminders/", w.campaign), body, 0); got.Status != want {
			t.Errorf("%s: %d %s", body, got.Status, got.Body)
		}
	}
	w.IsAway = true
	if got := w.Post(fmt.Sprintf("/campaigns/%d/payment_reminders/", w.campaign), `{"email": "a@example.fi"}`, 0); got.Status != http.StatusServiceUnavailable {
		t.Errorf("while nobody knows: %d", got.Status)
	}
	if err := reminders.Check(t.Context(), w.DB, w.Payments, w.Now()); err == nil {
		t.Error("a check without an answer")
	}
	w.IsAway = false
	w.Exec(`UPDATE campaigns SET stage = 3 WHERE id = ?`, w.campaign)
	if got := w.Post(fmt.Sprintf("/campaigns/%d/payment_reminders/", w.campaign), `{"email": "a@example.fi"}`, 0); got.Status != http.StatusConflict {
		t.Errorf("of one that has ended: %d", got.Status)
	}
}

func TestReminder_IsRefusedByItsMailsLink(t *testing.T) {
	w := newWorld(t)
	w.Unpayable[w.campaign] = true
	w.ask(w.campaign, `{"email": "aino@example.fi"}`, 0)
	delete(w.Unpayable, w.campaign)
	w.check()
	if len(w.sent) != 1 {
		t.Fatalf("mailed %s", w.got())
	}
	_, token, _ := strings.Cut(w.sent[0].Unsubscribe, "/payment-reminders/")
	token = strings.TrimSuffix(token, "/refuse/")
	letter := w.Links.Letters.Token(w.campaign, make([]byte, 32))
	if got := w.Call(http.MethodPost, "/payment-reminders/"+letter+"/refuse/", 0); got.Status != http.StatusNotFound {
		t.Errorf("a letter's link: %d", got.Status)
	}
	if got := w.Call(http.MethodGet, "/payment-reminders/"+token+"/refuse/", 0); got.Status != http.StatusSeeOther || !strings.Contains(got.Header.Get("Location"), "reminders/#token="+token) {
		t.Errorf("opened: %d %s", got.Status, got.Header.Get("Location"))
	}
	w.Unpayable[w.campaign] = true
	w.ask(w.campaign, `{"email": "aino@example.fi"}`, 0)
	for range 2 {
		if got := w.Call(http.MethodPost, "/payment-reminders/"+token+"/refuse/", 0); got.Status != http.StatusNoContent {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
	}
	if w.waiting() != "" {
		t.Errorf("waits: %s", w.waiting())
	}
	w.ask(w.campaign, `{"email": "AINO@example.fi"}`, 0)
	if w.waiting() != "" {
		t.Error("a stranger asks again for who has refused")
	}
	aino := w.Person("Aino")
	w.Exec(`UPDATE users SET email = 'aino@example.fi', verified = false WHERE id = ?`, aino)
	w.ask(w.campaign, `{}`, aino)
	if w.waiting() != "" {
		t.Error("so does an account whose address is not confirmed")
	}
	w.Exec(`UPDATE users SET verified = true WHERE id = ?`, aino)
	w.ask(w.campaign, `{}`, aino)
	if w.waiting() == "" {
		t.Error("who has confirmed the address is not heard")
	}
}

func TestReminder_IsForgottenWithoutItsMail(t *testing.T) {
	w := newWorld(t)
	w.Unpayable[w.campaign] = true
	w.ask(w.campaign, `{"email": "aino@example.fi"}`, 0)
	w.Exec(`INSERT INTO reminder_refusals VALUES (?, 'x', now())`, w.campaign)
	w.check()
	w.Advance(30 * 24 * time.Hour)
	w.check()
	var left int
	w.DB.Raw(`SELECT (SELECT count(*) FROM payment_reminders) + (SELECT count(*) FROM reminder_refusals) + (SELECT count(*) FROM unpayable_campaigns)`).Scan(&left)
	if left != 0 || w.got() != "" {
		t.Errorf("%d rows are left of a campaign that has ended; mailed %s", left, w.got())
	}

	other := w.Campaign(campaigns.New{Slug: "toinen", Language: "fi", CategoryID: w.Category("d"), TeamUserIDs: []int64{w.creator}, LastDay: "2027-02-01",
		Texts: map[string]campaigns.Text{"fi": {Title: "Toinen"}}}, campaigns.StageFunding)
	w.Unpayable[other] = true
	w.ask(other, `{"email": "gone@example.fi"}`, 0)
	delete(w.Unpayable, other)
	w.fails = outbox.Final(fmt.Errorf("no such mailbox"))
	w.check()
	if w.waiting() != "" {
		t.Errorf("an address that takes no mail is kept: %s", w.waiting())
	}
}
