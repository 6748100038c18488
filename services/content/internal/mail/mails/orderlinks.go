package mails

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/pledging/orderlinks"
	"talkoot.fi/content/internal/pledging/receiptlinks"
	"talkoot.fi/content/internal/pledging/supportlinks"
)

// OrderLinks is the data of the mail with links to what an address supports and has paid for without an account.
type OrderLinks struct {
	Language, Email, URL string // URL is where one signs in
	Supports             []LinkedSupport
	Receipts             []LinkedReceipt
}

// LinkedSupport is monthly support with its links, by supportlinks.Act.
type LinkedSupport struct {
	CampaignTitle string
	AmountMinor   int64
	NextCharge    time.Time // zero when none is coming
	IsAtBank      bool      // its first month
	Links         map[string]string
}

// LinkedReceipt is a pledge; ReceiptNumber is empty while its bank confirms it.
type LinkedReceipt struct{ CampaignTitle, ReceiptNumber, URL string }

// deliverOrderLinks sends the links, if the address has anything. Their tokens are made here, so that they are stored nowhere; a
// retry makes others.
func (s *Sender) deliverOrderLinks(ctx context.Context, m outbox.Message) error {
	var payload orderlinks.Mail
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	supports, paid, err := orderlinks.Of(ctx, s.o.DB, payload.Email, payload.Language)
	if err != nil || len(supports)+len(paid) == 0 {
		return err
	}
	prefix := s.o.PublicURL + languages.Prefix(payload.Language)
	words := OrderLinks{Language: payload.Language, Email: payload.Email, URL: prefix + "profile/me/subscriptions/"}
	for _, one := range supports {
		linked := LinkedSupport{CampaignTitle: oneLine(profiles.WithoutLinks(one.CampaignTitle)), AmountMinor: one.AmountMinor, IsAtBank: one.IsAtBank, Links: map[string]string{}}
		if one.NextChargeOn != nil {
			linked.NextCharge = *one.NextChargeOn
		}
		for _, link := range actsFor(one) {
			token, err := supportlinks.Issue(ctx, s.o.DB, link, s.o.Now().UTC())
			if err != nil {
				return err
			}
			linked.Links[string(link.Act)] = prefix + "support-link/#token=" + token
		}
		words.Supports = append(words.Supports, linked)
	}
	for _, one := range paid {
		address, err := s.receiptURL(ctx, one.ID, payload.Language)
		if err != nil {
			return err
		}
		words.Receipts = append(words.Receipts, LinkedReceipt{oneLine(profiles.WithoutLinks(one.CampaignTitle)), one.ReceiptNumber, address})
	}
	rendered, err := s.renderer.fill(m.Kind, words.Language, words.Email, words)
	if err != nil {
		return err
	}
	return s.send(ctx, m, rendered)
}

// actsFor are the links to support as it is now: what is coming can be paused, what was asked for be taken back.
func actsFor(one orderlinks.Support) []supportlinks.Link {
	of := func(act supportlinks.Act, period int) supportlinks.Link {
		return supportlinks.Link{SubscriptionID: one.ID, Act: act, Period: period}
	}
	var list []supportlinks.Link
	if one.IsAtBank { // all else is of support that has begun
		return append(list, of(supportlinks.Cancel, 0))
	}
	isPaused := one.Status == "paused"
	switch {
	case one.DueOn != nil:
		list = append(list, of(supportlinks.Pay, one.Period(*one.DueOn)))
	case one.NextChargeOn != nil && !isPaused && !one.IsEnding:
		list = append(list, of(supportlinks.Skip, one.Period(*one.NextChargeOn)), of(supportlinks.Pause, one.Period(*one.NextChargeOn)))
	}
	if isPaused || one.IsEnding {
		resume := of(supportlinks.Resume, 0)
		resume.Sequence = one.Sequence
		list = append(list, resume)
	}
	if one.DueOn == nil {
		list = append(list, of(supportlinks.Card, 0))
	}
	if !one.IsEnding {
		list = append(list, of(supportlinks.Cancel, 0))
	}
	return list
}

// receiptURL is the link that opens the page of a pledge, with its receipt. Its token is in the fragment, which browsers do not send to servers.
func (s *Sender) receiptURL(ctx context.Context, pledgeID, language string) (string, error) {
	token, err := receiptlinks.Issue(ctx, s.o.DB, pledgeID, s.o.Now().UTC())
	if err != nil {
		return "", err
	}
	return s.o.PublicURL + languages.Prefix(language) + "pledge-link/#token=" + token, nil
}
