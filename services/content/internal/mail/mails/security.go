package mails

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/notices"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/person/sessions"
)

// Reset is the data of the mail with links for a new password: one, or one for each account of an address that nobody has
// confirmed. It names nobody then, because names are what strangers have typed.
type Reset struct {
	Language, FirstName, Email string
	Links                      []AccountLink
	Others                     int // accounts of the address that this mail does not have
}

// AccountLink is the link of one account, with the day and time when it was registered.
type AccountLink struct {
	URL, MadeAt string
	HasPaid     bool
}

// deliverReset sends the links that set a new password, if the address has an account. Tokens are made here, so that they
// are stored nowhere; a retry makes others. They are in the URL's fragment, which browsers do not send to servers.
func (s *Sender) deliverReset(ctx context.Context, m outbox.Message) error {
	var payload sessions.ResetMail
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	links, err := sessions.IssueReset(ctx, s.o.DB, payload.Email, m.CreatedAt, s.o.Now().UTC())
	if err != nil || len(links) == 0 {
		return err
	}
	first := links[0]
	r := Reset{Language: first.Language, FirstName: first.FirstName, Email: first.Email, Others: first.Accounts - len(links)}
	for _, l := range links {
		r.Links = append(r.Links, AccountLink{MadeAt: moment(first.Language, l.CreatedAt.In(s.o.Zone)), HasPaid: l.HasPaid,
			URL: s.resetURL(first.Language) + "#token=" + l.Token + "&email=" + url.QueryEscape(l.Email)})
	}
	rendered, err := s.renderer.renderReset(r)
	if err != nil {
		return err
	}
	return s.send(ctx, m, rendered)
}

func (r *renderer) renderReset(m Reset) (Mail, error) {
	m.FirstName = oneLine(profiles.WithoutLinks(m.FirstName))
	return r.fill(sessions.KindResetMail, m.Language, m.Email, m)
}

func (s *Sender) resetURL(language string) string {
	return s.o.PublicURL + languages.Prefix(language) + "password-reset/"
}

// Notice is the data of a mail about a change of how somebody signs in.
type Notice struct {
	Language, FirstName, Email string
	Event                      notices.Event `gorm:"-"`
	At                         string        `gorm:"-"` // day and time in the platform's time zone
	URL, ResetURL              string        `gorm:"-"` // where the person sees how they sign in, and where they set a new password
}

// deliverNotice sends a mail about a change of how somebody signs in. None is sent to an account that is erased, nor to one
// whose address is not confirmed while another account has the same address: its mail is read by whoever has the other.
func (s *Sender) deliverNotice(ctx context.Context, m outbox.Message) error {
	var payload notices.Mail
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	var n Notice
	found := s.o.DB.WithContext(ctx).Raw(`
		SELECT language, CASE WHEN verified THEN first_name ELSE '' END AS first_name, email FROM users u WHERE id = ? AND erased_at IS NULL
		AND (verified OR NOT EXISTS (SELECT FROM users o WHERE lower(o.email) = lower(u.email) AND o.id <> u.id))`, payload.UserID).Scan(&n)
	if found.Error != nil {
		return fmt.Errorf("read user %d for a mail: %w", payload.UserID, found.Error)
	}
	if found.RowsAffected == 0 {
		return nil
	}
	n.Event, n.At = payload.Event, moment(n.Language, payload.At.In(s.o.Zone))
	n.URL, n.ResetURL = s.o.PublicURL+languages.Prefix(n.Language)+"profile/me/security/", s.resetURL(n.Language)
	rendered, err := s.renderer.renderNotice(n)
	if err != nil {
		return err
	}
	return s.send(ctx, m, rendered)
}

func (r *renderer) renderNotice(n Notice) (Mail, error) {
	n.FirstName = oneLine(profiles.WithoutLinks(n.FirstName))
	return r.fill(notices.KindMail, n.Language, n.Email, n)
}

// deliverErased tells somebody that their account is deleted, and then empties the message, which has their name and address.
func (s *Sender) deliverErased(ctx context.Context, m outbox.Message) error {
	var e notices.Erased
	if err := json.Unmarshal(m.Payload, &e); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	if e.To == "" {
		return nil // sent, and emptied
	}
	rendered, err := s.renderer.renderErased(e, s.o.Zone)
	if err != nil {
		return err
	}
	if err := s.send(ctx, m, rendered); err != nil {
		return err
	}
	return outbox.Empty(ctx, s.o.DB, m.ID)
}

func (r *renderer) renderErased(e notices.Erased, zone *time.Location) (Mail, error) {
	e.FirstName = oneLine(profiles.WithoutLinks(e.FirstName))
	return r.fill(notices.KindErased, e.Language, e.To, struct {
		notices.Erased
		Day string
	}{e, moment(e.Language, e.At.In(zone))})
}

// moment writes a day and a time: 20.11.2026 klo 14.05, 20 Nov 2026 at 14:05, 20 nov. 2026 kl. 14.05.
func moment(language string, t time.Time) string {
	between := map[string]string{"fi": " klo ", "en": " at ", "sv": " kl. "}[language]
	clock := "15.04"
	if language == "en" {
		clock = "15:04"
	}
	return day(language, t) + between + t.Format(clock)
}
