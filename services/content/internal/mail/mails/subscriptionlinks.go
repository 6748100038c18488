package mails

import (
	"context"

	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/pledging/supportlinks"
)

// actsOf are the links of a mail about a subscription, by its kind or cause. Those about a month are about the mail's own, of a
// receipt about the one after it.
var actsOf = map[string][]supportlinks.Act{
	KindMonthlyReceipt: {supportlinks.Receipt, supportlinks.Skip, supportlinks.Pause, supportlinks.Cancel},
	KindMonthlyRefund:  {supportlinks.Receipt},
	"charge_coming":    {supportlinks.Skip, supportlinks.Pause, supportlinks.Cancel},
	"charge_failed":    {supportlinks.Pay, supportlinks.Skip, supportlinks.Pause, supportlinks.Cancel},
	"action_required":  {supportlinks.Pay, supportlinks.Skip, supportlinks.Pause, supportlinks.Cancel},
	"limit_reached":    {supportlinks.Skip},
	"past_due":         {supportlinks.Pay, supportlinks.Cancel},
	"level_chosen":     {supportlinks.Cancel},
	"paused":           {supportlinks.Resume, supportlinks.Cancel},
	"resumed":          {supportlinks.Skip, supportlinks.Pause, supportlinks.Cancel},
	"skipped":          {supportlinks.Resume, supportlinks.Cancel},
	"ending":           {supportlinks.Resume},
	"card_expiring":    {supportlinks.Card, supportlinks.Cancel},
}

// links makes the links of a mail. Their tokens are made here, so that they are stored nowhere; a retry makes others. A token
// is in the URL's fragment, which browsers do not send to servers.
func (s *Sender) links(ctx context.Context, kind string, about Subscription) (map[string]string, error) {
	acts := actsOf[kind]
	if kind == KindSubscription {
		acts = actsOf[about.Cause]
	}
	made := map[string]string{}
	for _, act := range acts {
		link := supportlinks.Link{SubscriptionID: about.SubscriptionID, Act: act, Period: about.Period}
		page := "support-link/"
		switch act {
		case supportlinks.Receipt:
			page = "support-receipt/"
			if about.Charge.ReceiptNumber == "" {
				continue
			}
		case supportlinks.Skip, supportlinks.Pause:
			if kind == KindMonthlyReceipt {
				link.Period++
			}
		case supportlinks.Resume:
			if about.IsUnanswered { // nobody asked for it, so there is nothing to take back
				continue
			}
			link.Period, link.Sequence = 0, about.Sequence
		case supportlinks.Cancel, supportlinks.Card:
			link.Period = 0
		case supportlinks.Pay:
		}
		isOfMonth := act == supportlinks.Skip || act == supportlinks.Pause || act == supportlinks.Pay
		if act != supportlinks.Receipt && !about.IsLive || isOfMonth && (link.Period == 0 || about.Month.IsZero()) {
			continue
		}
		token, err := supportlinks.Issue(ctx, s.o.DB, link, s.o.Now().UTC())
		if err != nil {
			return nil, err
		}
		made[string(act)] = s.o.PublicURL + languages.Prefix(about.Language) + page + "#token=" + token
	}
	return made, nil
}
