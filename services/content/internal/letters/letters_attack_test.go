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
	relay, err := outbox.NewRelay(outbox.Config{DB: p.DB, Handlers: p.handlers(), Now: p.Now, Log: slog.New(slog.DiscardHandler), Concurrency: 1})
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := relay.RunOnce(p.t.Context(), 1); err != nil {
		p.t.Fatal(err)
	}
}

// A creator who sees a slip takes the post back while its letters wait, mends it and publishes again: its backers get
// their letter then, once.
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

// Of two pledges of an address one goes back: the other one's backer gets the letter.
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
