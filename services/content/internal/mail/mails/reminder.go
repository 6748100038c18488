package mails

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/pledging/reminders"
)

// Reminder is the data of the mail that a campaign can be paid again.
type Reminder struct {
	Language, Email    string
	CampaignTitle, URL string
	Deadline           time.Time // zero for monthly support
	RefuseURL          string
}

// deliverReminder sends a reminder, if it is still wanted, and forgets its address.
func (s *Sender) deliverReminder(ctx context.Context, m outbox.Message) error {
	var payload reminders.Mail
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	due, isDue, err := payload.Read(ctx, s.o.DB, s.o.Now())
	if err != nil {
		return err
	}
	if !isDue {
		return payload.Forget(ctx, s.o.DB)
	}
	prefix, token := s.o.PublicURL+languages.Prefix(due.Language), s.o.Links.Reminders.Token(due.CampaignID, due.AddressHash)
	words := Reminder{Language: due.Language, Email: due.Email, CampaignTitle: due.CampaignTitle,
		URL: fmt.Sprintf("%s%d/%s/pledge/", prefix, due.CampaignID, due.Slug), RefuseURL: prefix + "reminders/#token=" + token}
	if due.Deadline != nil && !due.IsMonthly {
		words.Deadline = due.Deadline.In(s.o.Zone)
	}
	rendered, err := s.renderer.renderReminder(words)
	if err != nil {
		return err
	}
	rendered.Unsubscribe = s.o.PublicURL + "/content/payment-reminders/" + token + "/refuse/"
	err = s.send(ctx, m, rendered)
	if err == nil || outbox.IsFinal(err) {
		err = errors.Join(err, payload.Forget(ctx, s.o.DB))
	}
	return err
}

func (r *renderer) renderReminder(words Reminder) (Mail, error) {
	words.CampaignTitle = oneLine(profiles.WithoutLinks(words.CampaignTitle))
	return r.fill(reminders.KindMail, words.Language, words.Email, words)
}

// Stranded is the data of the mail about a pledge that is not paid and can be paid another way.
type Stranded struct {
	Language, FirstName, Email string
	CampaignTitle              string
	TotalMinor                 int64
	Until                      string // a moment, in words
	URL                        string // secret: whoever has it can pay the pledge, and do nothing else
}

// deliverStranded sends the link that pays a pledge another way, if it still waits.
func (s *Sender) deliverStranded(ctx context.Context, m outbox.Message) error {
	var about PledgeMail
	if err := json.Unmarshal(m.Payload, &about); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	var row struct {
		Stranded
		CampaignID               int64
		Slug                     string
		CreatedAt, ReservedUntil time.Time
	}
	found := s.o.DB.WithContext(ctx).Raw(`
		SELECT p.language, p.first_name, p.email, v.preview ->> 'title' AS campaign_title, p.amount_minor AS total_minor, c.id AS campaign_id,
		       c.slug, p.created_at, p.reserved_until
		FROM pledges p JOIN campaigns c ON c.id = p.campaign_id
		JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = p.language
		WHERE p.id = @id AND p.status IN ('created', 'awaiting_payment') AND p.reserved_until > @now`,
		map[string]any{"id": about.PledgeID, "now": s.o.Now()}).Scan(&row)
	if found.Error != nil {
		return fmt.Errorf("read a pledge for its mail: %w", found.Error)
	}
	if found.RowsAffected == 0 { // paid, or over
		return nil
	}
	words := row.Stranded
	words.Until = moment(words.Language, row.ReservedUntil.In(s.o.Zone))
	words.URL = fmt.Sprintf("%s%s%d/%s/pay/#token=%s.%s", s.o.PublicURL, languages.Prefix(words.Language), row.CampaignID, row.Slug,
		about.PledgeID, s.o.OrderTokens.Make(ordertoken.Paying, about.PledgeID, row.CreatedAt))
	rendered, err := s.renderer.renderStranded(words)
	if err != nil {
		return err
	}
	rendered.PledgeID = about.PledgeID
	return s.send(ctx, m, rendered)
}

func (r *renderer) renderStranded(words Stranded) (Mail, error) {
	words.FirstName, words.CampaignTitle = oneLine(profiles.WithoutLinks(words.FirstName)), oneLine(profiles.WithoutLinks(words.CampaignTitle))
	return r.fill(KindStranded, words.Language, words.Email, words)
}
