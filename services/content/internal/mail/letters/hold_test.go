//go:build unix

package letters_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/mail/letters"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/writing/changes"
)

func (p *post) edit() campaigns.Edit {
	return campaigns.Edit{CampaignID: p.campaign, By: changes.Actor{Name: "operator"}, Now: p.Now()}
}

func (p *post) hold() {
	p.t.Helper()
	p.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return campaigns.PutOnHold(ctx, tx, p.edit(), campaigns.HoldWords{Reason: "looked_into"})
	})
}

func (p *post) lift() {
	p.t.Helper()
	p.Tx(func(ctx context.Context, tx *gorm.DB) error { return campaigns.Lift(ctx, tx, p.edit()) })
}

// letters are the addresses of the post's letters.
func (p *post) letters() string {
	all := p.sent
	defer func() { p.sent = all }()
	p.sent = slices.DeleteFunc(slices.Clone(all), func(m mails.Mail) bool { return m.Kind != letters.KindMail })
	return p.receivers()
}

// once delivers one message.
func (p *post) once() {
	p.t.Helper()
	relay, err := outbox.NewRelay(outbox.Config{DB: p.DB, Handlers: p.handlers(), Now: p.Now, Log: slog.New(slog.DiscardHandler), Concurrency: 1})
	if err == nil {
		_, err = relay.RunOnce(p.t.Context(), 1)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// Whoever has been stopped does not write to the backers, and what they published meanwhile leaves once, when it goes on.
func TestLetters_WaitWhileTheirCampaignIsOnHold(t *testing.T) {
	for name, begin := range map[string]func(*post){
		"published while it is on hold":  func(p *post) { p.hold(); p.change(`{"status": "published"}`) },
		"on hold before the first batch": func(p *post) { p.change(`{"status": "published"}`); p.hold() },
		"published twice meanwhile": func(p *post) {
			p.hold()
			p.change(`{"status": "published"}`)
			p.change(`{"status": "draft"}`)
			p.change(`{"status": "published"}`)
		},
		"on hold before the letters leave": func(p *post) { p.change(`{"status": "published"}`); p.once(); p.hold() },
	} {
		p := newPost(t)
		p.back("aino@a.fi fi 10", "bo@a.fi sv 19")
		begin(p)
		p.deliver()
		if got := p.letters(); got != "" {
			t.Errorf("%s: letters went to %s", name, got)
		}
		if got := p.change(`{}`).Letters; got.WaitsFor == nil || *got.WaitsFor != "on_hold" || got.SentAt != nil || got.Total != 2 {
			t.Errorf("%s: the post says %+v", name, got)
		}
		p.lift()
		p.deliver()
		if got := p.letters(); got != "aino@a.fi bo@a.fi" {
			t.Errorf("%s: once it goes on, letters went to %q", name, got)
		}
		if got := p.change(`{}`).Letters; got.WaitsFor != nil || got.SentAt == nil || got.Total != 2 {
			t.Errorf("%s: then the post says %+v", name, got)
		}
		p.hold()
		p.lift()
		p.deliver()
		if got := p.letters(); got != "aino@a.fi bo@a.fi" {
			t.Errorf("%s: after another hold, letters went to %q", name, got)
		}
	}
}

// What was written before the hold, and has left in part, goes on with the others.
func TestLetters_OfARoundThatAHoldBreaksOff_LeaveOnce(t *testing.T) {
	p := newPost(t)
	for i := range 450 {
		p.back(fmt.Sprintf("b%03d@a.fi fi 10", i))
	}
	p.change(`{"status": "published"}`)
	for range 120 { // the first batch and some of its letters
		p.once()
	}
	left := strings.Count(p.letters(), "@")
	p.hold()
	p.deliver()
	if n := strings.Count(p.letters(), "@"); n != left {
		t.Errorf("%d letters left while it was on hold", n-left)
	}
	if left == 0 || left >= 200 {
		t.Fatalf("%d letters have left before", left)
	}
	seen := map[string]int{}
	p.lift()
	p.deliver()
	for _, m := range p.sent {
		if m.Kind == letters.KindMail {
			seen[m.To]++
		}
	}
	for to, n := range seen {
		if n != 1 {
			t.Errorf("%s got %d", to, n)
		}
	}
	if len(seen) != 450 {
		t.Errorf("%d addresses got the letter", len(seen))
	}
}
