//go:build unix

package letters_test

import (
	"fmt"
	"log/slog"
	"testing"

	"talkoot.fi/kit/outbox"
)

// batch writes the letters of the queued batch and leaves their mails in the outbox, as when the worker is busy.
func (p *post) batch() {
	p.t.Helper()
	relay, err := outbox.NewRelay(outbox.Config{DB: p.DB, Handlers: p.handlers(), Now: p.Now,
		Log: slog.New(slog.DiscardHandler), Concurrency: 1})
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := relay.RunOnce(p.t.Context(), 1); err != nil {
		p.t.Fatal(err)
	}
}

// A creator who notices a mistake takes the post back while its letters wait, corrects it and publishes it again: its
// backers get their letter then, once.
func TestLetters_ThatWaitedWhileThePostWasTakenBackLeaveLater(t *testing.T) {
	p := newPost(t)
	p.back("aino@a.fi fi 10", "bo@a.fi sv 10")
	p.change(`{"status": "published"}`)
	p.batch()
	p.change(`{"status": "draft"}`)
	p.deliver() // the mails find a draft
	if len(p.sent) != 0 {
		t.Fatalf("letters of a draft went to %s", p.receivers())
	}
	p.change(`{"status": "published", "content": {"title": "Korjattu"}}`)
	p.deliver()
	if got := p.receivers(); got != "aino@a.fi bo@a.fi" {
		t.Errorf("letters went to %q", got)
	}
}

// A level that is raised while letters wait holds for them too.
func TestLetters_AskWhoMayReadWhenTheyAreSent(t *testing.T) {
	p := newPost(t)
	p.back("aino@a.fi fi 10", "bo@a.fi fi 100")
	p.change(`{"status": "published"}`)
	p.batch()
	p.change(`{"meta": {"level": 50}}`)
	p.deliver()
	if got := p.receivers(); got != "bo@a.fi" {
		t.Errorf("the whole of a post of level 50 went to %q", got)
	}
}

// When one of an address's two pledges is refunded, the other one still gets it the letter.
func TestLetters_OfWhoHasAnotherPledgeLeave(t *testing.T) {
	p := newPost(t)
	p.back("aino@a.fi fi 10", "aino@a.fi fi 20")
	p.change(`{"status": "published"}`)
	p.batch()
	p.Exec(`UPDATE pledges SET status = 'refunded', amount_refunded_minor = amount_minor WHERE amount_minor = 2000`)
	p.deliver()
	if got := fmt.Sprint(p.receivers()); got != "aino@a.fi" {
		t.Errorf("letters went to %q", got)
	}
}

// A backer whose letter was withheld because of the level, and who may read the post when it is published again, gets
// the letter then.
func TestLetters_ThatALevelWithheldMeanwhileLeaveLater(t *testing.T) {
	p := newPost(t)
	p.back("aino@a.fi fi 10", "bo@a.fi fi 100")
	p.change(`{"status": "published"}`)
	p.batch()
	p.change(`{"status": "draft", "meta": {"level": 50}}`)
	p.deliver()
	p.change(`{"status": "published", "meta": {"level": 5}}`)
	p.deliver()
	if got := p.receivers(); got != "aino@a.fi bo@a.fi" {
		t.Errorf("letters went to %q", got)
	}
	p.count(2)
}

// An account's pledges let it read whichever address they were made with; so do its letters come to these addresses.
func TestLetters_ReachAnAccountWithTwoAddresses(t *testing.T) {
	p := newPost(t)
	twice, confirmed, unconfirmed := p.Person("Twice"), p.Person("Confirmed"), p.Person("Unconfirmed")
	p.Exec(`UPDATE users SET verified = false WHERE id = ?`, unconfirmed)
	p.Exec(`UPDATE users SET email = split_part(email, '.', 1) || '@a.fi'`)
	p.back("one@a.fi fi 60", "two@a.fi fi 60", "confirmed@A.fi fi 60", "three@a.fi fi 60",
		"unconfirmed@a.fi fi 60", "four@a.fi fi 60", "alone@a.fi fi 60", "enough@a.fi fi 120")
	for address, owner := range map[string]int64{"one": twice, "two": twice, "three": confirmed, "four": unconfirmed} {
		p.Exec(`UPDATE pledges SET user_id = ? WHERE email = ?`, owner, address+"@a.fi")
	}
	p.change(`{"meta": {"level": 120}}`)
	const want = "confirmed@A.fi enough@a.fi one@a.fi three@a.fi two@a.fi"
	if got := p.change(`{}`).Letters.Total; got != 5 {
		t.Errorf("%d letters are promised, want those to %s", got, want)
	}
	p.change(`{"status": "published"}`)
	p.deliver()
	if got := p.receivers(); got != want {
		t.Errorf("letters went to %s, want %s", got, want)
	}
}
