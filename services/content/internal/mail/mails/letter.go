package mails

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/mail/letters"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/writing/richtext"
)

// letter is the data of the mail that brings a post to a backer.
type letter struct {
	letters.Letter
	URL, RefuseURL string
	Day            time.Time // of publication, in the platform's time zone
	IsTest         bool
}

// deliverLetter sends one letter, unless it must not be sent any more.
func (s *Sender) deliverLetter(ctx context.Context, m outbox.Message) error {
	var payload letters.Mail
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("decode letter %d: %w", m.ID, err)
	}
	l, ok, err := payload.Read(ctx, s.o.DB, s.o.Now())
	if err != nil {
		return err
	}
	if !ok {
		return payload.Withhold(ctx, s.o.DB, l)
	}
	return s.sendLetter(ctx, m, l, false)
}

// deliverTest sends a test letter to the person who asked for it.
func (s *Sender) deliverTest(ctx context.Context, m outbox.Message) error {
	var payload letters.Test
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("decode test letter %d: %w", m.ID, err)
	}
	l, ok, err := payload.Read(ctx, s.o.DB)
	if err != nil || !ok {
		return err
	}
	return s.sendLetter(ctx, m, l, true)
}

func (s *Sender) sendLetter(ctx context.Context, m outbox.Message, from letters.Letter, isTest bool) error {
	token := s.o.Links.Letters.Token(from.CampaignID, from.AddressHash)
	l := letter{Letter: from, IsTest: isTest,
		URL: fmt.Sprintf("%s%s%d/%s/posts/%d/", s.o.PublicURL, languages.Prefix(from.Language), from.CampaignID,
			from.Slug, from.PostID),
		RefuseURL: s.o.PublicURL + languages.Prefix(from.Language) + "letters/#token=" + token}
	if l.PublishedAt != nil {
		l.Day = l.PublishedAt.In(s.o.Zone)
	}
	rendered, err := s.renderer.renderLetter(m.Kind, l, s.o.PublicURL)
	if err != nil {
		return err
	}
	if rendered.ReplyTo, err = s.replyTo(ctx, from.CampaignID); err != nil {
		return err
	}
	rendered.Unsubscribe = s.o.PublicURL + "/content/letters/" + token + "/unsubscribe/"
	return s.send(ctx, m, rendered)
}

func (r *renderer) renderLetter(kind string, l letter, publicURL string) (Mail, error) {
	written, err := bodyOf(l.HTML, publicURL, l.URL, playWords[l.Language])
	if err != nil {
		return Mail{}, err
	}
	if l.TextLanguage != l.Language {
		written.Language = l.TextLanguage
	}
	l.Author, l.Title, l.CampaignTitle = oneLine(profiles.WithoutLinks(l.Author)), richtext.Line(l.Title), richtext.Line(
		l.CampaignTitle)
	mail, err := r.fillAround(written, "mail.letter", l.Language, l.Email, l)
	mail.Kind = kind
	return mail, err
}
