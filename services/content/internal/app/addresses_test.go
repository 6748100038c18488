package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/content/internal/mails"
)

const aino = "aino@example.fi"

// registered is an account of Aino's address with a password of its own.
func (p *mailedPlatform) registered(t *testing.T, email, password string) (session string, id int64) {
	t.Helper()
	body := fmt.Sprintf(`{"email": %q, "password": %q, "first_name": "Aino", "last_name": "V", "language": "en"}`, email, password)
	answer := call(t.Context(), p.checked(t), "POST", "/users/", body)
	if answer.Code != http.StatusCreated {
		t.Fatalf("register %s: %d %s", email, answer.Code, answer.Body)
	}
	var made struct {
		Token struct{ String string }
		User  struct {
			UserID int64 `json:"user_id"`
		}
	}
	decode(t, answer.Body.Bytes(), &made)
	return made.Token.String, made.User.UserID
}

func (p *mailedPlatform) verified(t *testing.T) (ids []int64) {
	t.Helper()
	if err := p.db.Raw(`SELECT id FROM users WHERE lower(email) = ? AND verified`, aino).Scan(&ids).Error; err != nil {
		t.Fatal(err)
	}
	return ids
}

// Any link of the mailbox confirms the account that one is signed in to, and only that one: a stranger who registers the
// address has it confirmed by nobody.
func TestAddress_IsConfirmedForWhoIsSignedIn(t *testing.T) {
	p := withMails(t)
	_, _ = p.registered(t, aino, "a stranger's word")
	strangers := p.deliver(t, aino)[0]
	own, id := p.registered(t, aino, "the owner's word")
	elsewhere, _ := p.registered(t, "other@example.fi", "the owner's word")
	for name, c := range map[string]struct {
		session string
		want    int
	}{"nobody": {"", 401}, "another address": {elsewhere, 409}} {
		if got := p.confirm(t, c.session, strangers); got != c.want || len(p.verified(t)) != 0 {
			t.Errorf("%s: %d, want %d; confirmed %v", name, got, c.want, p.verified(t))
		}
	}
	if got := p.confirm(t, own, strangers); got != http.StatusOK || !slices.Equal(p.verified(t), []int64{id}) {
		t.Errorf("%d, confirmed %v, want %d", got, p.verified(t), id)
	}
}

// Only one account of an address is confirmed, whoever is faster.
func TestAddress_IsConfirmedForOne(t *testing.T) {
	p := withMails(t)
	const pairs = 6
	for i := range pairs {
		email := fmt.Sprintf("aino%d@example.fi", i)
		a, _ := p.registered(t, email, "one word of mine")
		p.deliver(t, email)
		b, _ := p.registered(t, email, "two words of mine")
		links := p.deliver(t, email) // the first account's first
		codes := make(chan int, 2)
		for n, session := range []string{a, b} {
			go func() { codes <- p.confirm(t, session, links[n]) }()
		}
		got := []int{<-codes, <-codes}
		slices.Sort(got)
		if !slices.Equal(got, []int{200, 409}) {
			t.Errorf("%v", got)
		}
	}
	if n := p.number(t, `SELECT count(*) FROM users WHERE email LIKE 'aino%' AND verified`); n != pairs {
		t.Errorf("%d are confirmed", n)
	}
}

// Who has an account and registers again gets a mail that says so; its link brings into the first account what the second
// one has, and closes that.
func TestAddress_RegisteredAgainIsBroughtTogether(t *testing.T) {
	p := withMails(t)
	first, firstID := p.registered(t, aino, "the first word")
	if got := p.confirm(t, first, p.deliver(t, aino)[0]); got != http.StatusOK {
		t.Fatal(got)
	}
	second, secondID := p.registered(t, aino, "the second word")
	link := p.deliver(t, aino)[1]
	if mail := p.sent[len(p.sent)-1]; mail.Kind != mails.KindRegisteredAgain || !strings.Contains(mail.Text, "password-reset/") {
		t.Errorf("%s\n%s", mail.Kind, mail.Text)
	}
	if made := call(t.Context(), p.checked(t), "POST", "/campaigns/", "", bearer(second)...); made.Code/100 != 2 {
		t.Fatalf("a draft: %d %s", made.Code, made.Body)
	}
	open := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	pledged := call(t.Context(), p.handler, "POST", fmt.Sprintf("/campaigns/%d/pledges/", open),
		`{"amount": 20, "pledge_meta": {"email": "`+aino+`", "first_name": "Aino", "last_name": "V"}}`, bearer(second)...)
	if pledged.Code/100 != 2 {
		t.Fatalf("a pledge: %d %s", pledged.Code, pledged.Body)
	}
	if got := p.confirm(t, second, link); got != http.StatusConflict {
		t.Errorf("confirming the second account: %d", got)
	}
	if got := p.confirm(t, first, link); got != http.StatusConflict {
		t.Errorf("bringing together unasked: %d", got)
	}
	body := fmt.Sprintf(`{"token": %q, "take_in": true}`, link)
	if got := call(t.Context(), p.checked(t), "POST", "/users/verifications/", body, bearer(first)...); got.Code != http.StatusOK || !strings.Contains(got.Body.String(), "taken_in") {
		t.Fatalf("bringing together: %d %s", got.Code, got.Body)
	}
	for what, query := range map[string]string{
		"pledges": `SELECT count(*) FROM pledges WHERE user_id = ?`, "campaigns": `SELECT count(*) FROM campaign_team WHERE user_id = ? AND position = 0`,
	} {
		if had, has := p.number(t, query, secondID), p.number(t, query, firstID); had != 0 || has != 1 {
			t.Errorf("%s: %d stay, %d are there", what, had, has)
		}
	}
	if got := call(t.Context(), p.handler, "GET", "/users/me/profile/", "", bearer(second)...).Code; got != http.StatusUnauthorized {
		t.Errorf("the second account's session: %d", got)
	}
	if got := p.confirm(t, first, link); got != http.StatusGone {
		t.Errorf("the link again: %d", got)
	}
	if n := p.number(t, `SELECT count(*) FROM users WHERE lower(email) = ?`, aino); n != 1 {
		t.Errorf("%d accounts have the address", n)
	}
}

// Anyone may register an address, so it gets few mails a day, and each of them is of use to its owner.
func TestAddress_GetsFewMailsHoweverOftenItIsRegistered(t *testing.T) {
	p := withMails(t)
	var last string
	for i := range 14 {
		last, _ = p.registered(t, aino, fmt.Sprintf("word number %d", i))
	}
	links := p.deliver(t, aino)
	if len(links) != 10 {
		t.Fatalf("%d mails", len(links))
	}
	if got := p.confirm(t, last, links[0]); got != http.StatusOK {
		t.Errorf("the owner, who has registered last, by the first link: %d", got)
	}
}
