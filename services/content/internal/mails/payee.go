package mails

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/accounts"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/profiles"
)

// Payee is the data of a mail about the account by which a creator is paid.
type Payee struct {
	Language, FirstName, Email string
	State                      string // ready, restricted, closed
	IsAsked                    bool   // for something that the creator can do
	URL                        string // where they go on
}

// deliverPayee tells a creator that their account takes money, or that it does not any more and what to do.
func (s *Sender) deliverPayee(ctx context.Context, m outbox.Message) error {
	var to accounts.Mail
	if err := json.Unmarshal(m.Payload, &to); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	var p Payee
	found := s.o.DB.WithContext(ctx).Raw(`SELECT language, first_name, email FROM users WHERE id = ? AND erased_at IS NULL AND verified`, to.UserID).Scan(&p)
	if found.Error != nil || found.RowsAffected == 0 {
		return found.Error
	}
	p.State, p.URL = to.State, s.o.PublicURL+languages.Prefix(p.Language)+"profile/me/payouts/"
	p.IsAsked = slices.ContainsFunc(to.Needs, func(need string) bool { return need != "blocked_inflows" && need != "blocked_outflows" })
	rendered, err := s.renderer.renderPayee(p)
	if err != nil {
		return err
	}
	return s.send(ctx, m, rendered)
}

func (r *renderer) renderPayee(p Payee) (Mail, error) {
	p.FirstName = oneLine(profiles.WithoutLinks(p.FirstName))
	return r.fill(accounts.KindMail, p.Language, p.Email, p)
}
