package mails

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/pledging/accounts"
)

// Payee is the data of a mail about the account by which a creator is paid.
type Payee struct {
	Language, FirstName, Email string
	State                      string // ready, restricted, closed, missing, bank_added, bank_replaced, bank_removed, payout_arrived, payout_failed, payout_returned, tax_missing, tax_missing_still
	IsAsked                    bool   // for something that the creator can do
	IsLater                    bool   // campaigns are paid whatever the account is, and only payouts wait for it
	URL                        string // where they go on
	// Of missing: the campaign, and whether it names an account.
	Title    string
	IsLinked bool
	// Of a bank account: its country and last four, from when it is paid to if that is later, and where whoever has not done this sets a
	// new password.
	Bank, PaysFrom, ResetURL string
	// Of a payout: its sum in cents, and the month of support that it is for, "" of pledges; Bank and Title are where it went and of which campaign it is.
	Minor int64
	Month string
	// Of what the law asks for: the day from which payouts wait for it.
	HeldFrom string
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
	if to.CampaignID != 0 {
		about := s.o.DB.WithContext(ctx).Raw(`SELECT v.preview ->> 'title' AS title, c.payment_account_id <> '' OR c.payment_user_id <> '' AS is_linked
			FROM campaigns c JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = ? WHERE c.id = ? AND `+accounts.UnreadySQL, p.Language, to.CampaignID).Scan(&p)
		if about.Error != nil || about.RowsAffected == 0 { // it is ready meanwhile
			return about.Error
		}
	}
	if to.Bank != nil {
		p.Bank, p.ResetURL = to.Bank.Country+" ···· "+to.Bank.LastFour, s.resetURL(p.Language)
		if from := to.Bank.PaysFrom; from != nil && from.After(m.CreatedAt.Add(time.Hour)) { // the first one's is about now
			p.PaysFrom = moment(p.Language, from.In(s.o.Zone))
		}
	}
	if out := to.Payout; out != nil {
		p.Bank, p.Minor = out.Country+" ···· "+out.LastFour, out.AmountMinor
		if out.Month != nil {
			p.Month = month(p.Language, out.Month.Time)
		}
		err := s.o.DB.WithContext(ctx).Raw(`SELECT preview ->> 'title' FROM campaign_previews WHERE campaign_id = ? AND language = ?`, out.CampaignID, p.Language).Scan(&p.Title).Error
		if err != nil {
			return fmt.Errorf("read the title of campaign %d: %w", out.CampaignID, err)
		}
	}
	if to.Tax != nil {
		p.HeldFrom = day(p.Language, to.Tax.HeldFrom.In(s.o.Zone))
	}
	p.IsLater = to.Provider == "stripe"
	p.State, p.URL = to.State, s.o.PublicURL+languages.Prefix(p.Language)+"profile/me/payouts/"
	p.IsAsked = slices.ContainsFunc(to.Needs, func(need string) bool { return !slices.Contains(othersNeeds, need) })
	rendered, err := s.renderer.renderPayee(p)
	if err != nil {
		return err
	}
	return s.send(ctx, m, rendered)
}

// othersNeeds are what the provider, or people of ours, have to do.
var othersNeeds = []string{"blocked_inflows", "blocked_outflows", "review", "rejected", "support"} //nolint:gochecknoglobals // a constant that Go cannot have

func (r *renderer) renderPayee(p Payee) (Mail, error) {
	p.Title = oneLine(profiles.WithoutLinks(p.Title))
	p.FirstName = oneLine(profiles.WithoutLinks(p.FirstName))
	return r.fill(accounts.KindMail, p.Language, p.Email, p)
}
