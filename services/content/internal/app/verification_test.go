package app_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/app"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/closing"
)

// mailedPlatform is a platform that records its mails, and whose clock the test moves.
type mailedPlatform struct {
	*platform
	relay *outbox.Relay
	mu    sync.Mutex
	sent  []mails.Mail
	ahead time.Duration
}

func withMails(t *testing.T) *mailedPlatform {
	t.Helper()
	p := &mailedPlatform{}
	now := func() time.Time { return time.Now().Add(p.ahead) }
	p.platform = setupDemo(t, func(o *app.Options, _ *dbtest.DB) { o.Now = now })
	sender, err := mails.NewSender(mails.Options{DB: p.db, PublicURL: publicURL, Zone: p.options.Zone, Now: now, Send: func(_ context.Context, m mails.Mail) error {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.sent = append(p.sent, m)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	p.relay, err = app.NewRelay(app.RelayOptions{DB: p.db, Log: p.options.Log, Now: now, Mails: sender,
		Payments: closing.ClientConfig{URL: "http://payments.invalid", Secret: []byte(serviceSecret), Now: now}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// deliver runs the outbox, and returns the tokens in the mails to an address.
func (p *mailedPlatform) deliver(t *testing.T, to string) (tokens []string) {
	t.Helper()
	if _, err := p.relay.RunOnce(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	for _, m := range p.sent {
		_, token, found := strings.Cut(m.Text, "verify-email/#token=")
		if m.To == to && found {
			tokens = append(tokens, strings.Fields(token)[0])
		}
	}
	return tokens
}

// person registers somebody, and returns their session token.
func (p *mailedPlatform) person(t *testing.T, email, language string) string {
	t.Helper()
	body := fmt.Sprintf(`{"email": %q, "password": "long enough", "first_name": "Aino", "last_name": "V", "language": %q}`, email, language)
	answer := call(t.Context(), p.checked(t), "POST", "/users/", body)
	var made struct{ Token struct{ String string } }
	decode(t, answer.Body.Bytes(), &made)
	return made.Token.String
}

// confirm uses a link in a session.
func (p *mailedPlatform) confirm(t *testing.T, session, link string) int {
	t.Helper()
	return call(t.Context(), p.checked(t), "POST", "/users/verifications/", fmt.Sprintf(`{"token": %q}`, link), bearer(session)...).Code
}

type like struct {
	Likes         int
	Liked         bool
	WaitsForEmail bool `json:"waits_for_email"`
}

func (p *mailedPlatform) like(t *testing.T, method string, campaign int64, token string) (after like) {
	t.Helper()
	answer := call(t.Context(), p.checked(t), method, fmt.Sprintf("/campaigns/%d/likes/", campaign), "", bearer(token)...)
	if answer.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", method, answer.Code, answer.Body)
	}
	decode(t, answer.Body.Bytes(), &after)
	return after
}

func (p *mailedPlatform) noDrift(t *testing.T, when string) {
	t.Helper()
	if drifts, err := campaigns.Recompute(t.Context(), p.db); err != nil || len(drifts) != 0 {
		t.Errorf("%s: totals drift: %v %v", when, drifts, err)
	}
}

func TestEmail_IsConfirmedByALinkThatWorksOnceAndIsStoredNowhere(t *testing.T) {
	p := withMails(t)
	for language, want := range map[string]struct{ subject, prefix string }{
		"fi": {"Vahvista sähköpostiosoitteesi", "/"}, "en": {"Confirm your email address", "/en/"}, "sv": {"Bekräfta din e-postadress", "/sv/"},
	} {
		email := "aino." + language + "@example.fi"
		session := p.person(t, email, language)
		tokens := p.deliver(t, email)
		if len(tokens) != 1 {
			t.Fatalf("%d links to %s", len(tokens), email)
		}
		mail := p.sent[slices.IndexFunc(p.sent, func(m mails.Mail) bool { return m.To == email })]
		if mail.Subject != want.subject || !strings.Contains(mail.Text, publicURL+want.prefix+"verify-email/#token="+tokens[0]) || !strings.Contains(mail.HTML, tokens[0]) {
			t.Errorf("%s: %s\n%s", language, mail.Subject, mail.Text)
		}
		if page := call(t.Context(), p.handler, "GET", want.prefix+"verify-email/", ""); page.Code != http.StatusOK || !strings.Contains(page.Body.String(), "noindex") {
			t.Errorf("the link's page: %d", page.Code)
		}
		kept := p.number(t, `SELECT (SELECT count(*) FROM outbox o WHERE o::text ILIKE @t) + (SELECT count(*) FROM email_verifications v WHERE v::text ILIKE @t)`,
			map[string]any{"t": "%" + tokens[0] + "%"})
		if kept != 0 {
			t.Error("the database holds the link itself")
		}
		for name, c := range map[string]struct {
			token string
			want  int
		}{"nobody's": {"AAAA", 410}, "no link": {"", 422}, "a hash": {"\\\\x00", 410}} {
			if got := p.confirm(t, session, c.token); got != c.want {
				t.Errorf("%s: %d, want %d", name, got, c.want)
			}
		}
		if p.number(t, `SELECT count(*) FROM users WHERE email = ? AND verified`, email) != 0 {
			t.Error("verified before the link was used")
		}
		if got := p.confirm(t, session, tokens[0]); got != http.StatusOK {
			t.Errorf("the link: %d", got)
		}
		if got := p.confirm(t, session, tokens[0]); got != http.StatusGone {
			t.Errorf("the link again: %d", got)
		}
		var profile struct {
			Profile struct {
				Settings struct {
					Confirmed bool `json:"email_confirmed"`
					Verified  bool
				}
			}
		}
		decode(t, call(t.Context(), p.checked(t), "GET", "/users/me/profile/", "", bearer(session)...).Body.Bytes(), &profile)
		if !profile.Profile.Settings.Confirmed || profile.Profile.Settings.Verified {
			t.Error("the link confirms the address, and staff alone verify a profile")
		}
		if answer := call(t.Context(), p.checked(t), "POST", "/users/me/verification/", "", bearer(session)...); answer.Code != http.StatusAccepted {
			t.Errorf("asking when verified: %d", answer.Code)
		}
		if tokens := p.deliver(t, email); len(tokens) != 1 {
			t.Errorf("who is verified gets %d links", len(tokens)-1)
		}
	}
}

func TestEmail_LinksExpire_AndAreSentAgainAFewTimes(t *testing.T) {
	p := withMails(t)
	const email = "aino@example.fi"
	session := p.person(t, email, "fi")
	old := p.deliver(t, email)[0]
	user := p.number(t, `SELECT id FROM users WHERE email = ?`, email)
	p.ahead = 49 * time.Hour
	var later struct{ Token struct{ String string } }
	decode(t, call(t.Context(), p.handler, "POST", "/users/tokens/", `{"email": "`+email+`", "password": "long enough"}`).Body.Bytes(), &later)
	if got := p.confirm(t, later.Token.String, old); got != http.StatusGone {
		t.Errorf("a link of two days ago: %d", got)
	}
	p.ahead = 0
	for i, want := range []int{202, 202, 202, 429} {
		answer := call(t.Context(), p.checked(t), "POST", "/users/me/verification/", "", bearer(p.token(t, user))...)
		if answer.Code != want || (want == 429) != (answer.Header().Get("Retry-After") != "") {
			t.Errorf("asking for the %d. time: %d, want %d", i+1, answer.Code, want)
		}
	}
	tokens := p.deliver(t, email)
	if len(tokens) != 4 {
		t.Fatalf("%d links", len(tokens))
	}
	if got := p.confirm(t, session, tokens[2]); got != http.StatusOK {
		t.Errorf("a later link: %d", got)
	}
	for _, token := range tokens {
		if got := p.confirm(t, session, token); got != http.StatusGone {
			t.Errorf("another link after it: %d", got)
		}
	}
}

func TestLikes_CountFromWhenTheAddressIsConfirmed(t *testing.T) {
	p := withMails(t)
	const email = "aino@example.fi"
	token := p.person(t, email, "fi")
	var open []int64
	if err := p.db.Raw(`SELECT id FROM campaigns WHERE stage = 2 ORDER BY id LIMIT 3`).Scan(&open).Error; err != nil {
		t.Fatal(err)
	}
	before := map[int64]int{}
	for _, id := range open {
		before[id] = int(p.number(t, `SELECT likes FROM campaign_totals WHERE campaign_id = ?`, id))
		for range 2 {
			if got := p.like(t, "POST", id, token); got != (like{before[id], true, true}) {
				t.Errorf("a like before: %+v, want %d that waits", got, before[id])
			}
		}
	}
	if got := p.like(t, "DELETE", open[2], token); got != (like{Likes: before[open[2]]}) {
		t.Errorf("taken back before it counted: %+v", got)
	}
	p.noDrift(t, "before")
	if got := p.confirm(t, token, p.deliver(t, email)[0]); got != http.StatusOK {
		t.Fatalf("confirm: %d", got)
	}
	for range 2 { // a repeated delivery counts once
		p.deliver(t, email)
		if err := p.db.Exec(`UPDATE outbox SET done_at = NULL, next_attempt_at = 'epoch' WHERE kind = 'likes.count'`).Error; err != nil {
			t.Fatal(err)
		}
	}
	for i, gain := range []int{1, 1, 0} {
		if got := int(p.number(t, `SELECT likes FROM campaign_totals WHERE campaign_id = ?`, open[i])); got != before[open[i]]+gain {
			t.Errorf("campaign %d has %d likes, want %d", open[i], got, before[open[i]]+gain)
		}
	}
	p.noDrift(t, "after")
	if got := p.like(t, "DELETE", open[0], token); got != (like{Likes: before[open[0]]}) {
		t.Errorf("taken back: %+v", got)
	}
	if got := p.like(t, "POST", open[0], token); got != (like{before[open[0]] + 1, true, false}) {
		t.Errorf("a like after: %+v", got)
	}
	p.noDrift(t, "at the end")
}

// A like that reads its person before the confirmation and is written after it is counted too: the confirmation waits
// for its transaction.
func TestLikes_AtTheMomentOfTheConfirmationCount(t *testing.T) {
	p := withMails(t)
	campaign := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	token := p.person(t, "aino@example.fi", "fi")
	link := p.deliver(t, "aino@example.fi")[0]
	hold := p.db.Begin() // blocks the like at its foreign key to the campaign
	if err := hold.Exec(`SELECT FROM campaigns WHERE id = ? FOR UPDATE`, campaign).Error; err != nil {
		t.Fatal(err)
	}
	liked, confirmed := make(chan int, 1), make(chan int, 1)
	go func() {
		liked <- call(t.Context(), p.handler, "POST", fmt.Sprintf("/campaigns/%d/likes/", campaign), "", bearer(token)...).Code
	}()
	p.waits(t, 1, confirmed)
	go func() {
		confirmed <- call(t.Context(), p.handler, "POST", "/users/verifications/", fmt.Sprintf(`{"token": %q}`, link), bearer(token)...).Code
	}()
	p.waits(t, 2, confirmed)
	p.deliver(t, "")
	if err := hold.Rollback().Error; err != nil {
		t.Fatal(err)
	}
	if l, c := <-liked, <-confirmed; l != http.StatusOK || c != http.StatusOK {
		t.Errorf("like %d, confirmation %d", l, c)
	}
	p.deliver(t, "")
	if p.number(t, `SELECT count(*) FROM campaign_likes WHERE NOT counted`) != 0 {
		t.Error("the like of a verified person does not count")
	}
	p.noDrift(t, "after")
}

// waits returns when n statements wait for a lock, or one of the calls has ended.
func (p *mailedPlatform) waits(t *testing.T, n int64, ended chan int) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	tooLate := time.After(4 * time.Second)
	for len(ended) == 0 && p.number(t, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) < n {
		select {
		case <-tooLate:
			t.Fatalf("fewer than %d statements wait", n)
		case <-tick.C:
		}
	}
}

func TestSeed_EverybodyIsVerifiedAndEveryLikeCounts(t *testing.T) {
	p := setupDemo(t)
	if n := p.number(t, `SELECT (SELECT count(*) FROM users WHERE NOT verified) + (SELECT count(*) FROM campaign_likes WHERE NOT counted)`); n != 0 {
		t.Errorf("%d demo people or likes do not count", n)
	}
}
