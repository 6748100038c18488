package payments

import (
	"context"
	"strconv"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// Card testing: thieves try stolen card numbers on forms like ours. A payment ends after mostDeclines refused cards,
// counted in the provider's own list, so that a lost webhook hides none. Across payments, refused cards are limited an
// hour: by network, by card and by campaign.
const (
	mostDeclines = 10
	// TooManyDeclines is the failure code of a payment that has ended so.
	TooManyDeclines = "too_many_declines"
)

// countDeclines takes over the provider's count, and closes the payment when it is too high.
func (c *change) countDeclines(a *attempt, one snapshot) {
	if len(one.declines) <= a.Declines {
		return
	}
	c.fresh = append(c.fresh, one.declines[:len(one.declines)-a.Declines]...)
	a.Declines, a.LastDecline = len(one.declines), one.snap.LastDecline
	total := 0
	for _, other := range c.attempts {
		total += other.Declines
	}
	if total >= mostDeclines {
		c.endForDeclines()
	}
}

func (c *change) endForDeclines() {
	if c.payment.ClosingAt != nil || !c.payment.Status.IsOpen() || c.payment.Status == StatusProcessing {
		return
	}
	c.payment.ClosingAt, c.payment.FailureCode = &c.now, TooManyDeclines
}

// velocity is a limit of declines an hour for payments that have something in common: what (such as "network") and its
// value, key.
type velocity struct {
	what, key string
	most      int
}

// velocities of a payment. Many people share a network. A campaign's limit is much higher: anybody could use it to stop
// the campaign's payments.
func (s *Service) velocities(network string, campaign int64) []velocity {
	list := []velocity{{"campaign", strconv.FormatInt(campaign, 10), 10 * s.declinesPerHour}}
	if network != "" {
		list = append(list, velocity{"network", network, s.declinesPerHour})
	}
	return list
}

func (v velocity) limit() ratelimit.Limit { return ratelimit.Per(v.most, time.Hour) }

// mayTry refuses a new attempt when the network or the campaign has had too many refused cards. Error: TooManyRequests.
func (s *Service) mayTry(ctx context.Context, network string, campaign int64) error {
	for _, v := range s.velocities(network, campaign) {
		if d := s.limiter.Peek(ctx, "decline_"+v.what, v.key, v.limit()); !d.Allowed {
			return apperr.New(apperr.TooManyRequests).RetryAfter(d.RetryAfter)
		}
	}
	return nil
}

// noteDeclines counts new declines in the limits of velocities, opens an anomaly when one is exceeded, and closes a
// payment whose card was refused too often elsewhere. After a crash some may be missing in these limits; the payment's
// own count, made by countDeclines, has them. Later months of a subscription do not count: their cards are known, and it
// is mostly we who try them, many on one morning.
func (s *Service) noteDeclines(ctx context.Context, p Payment, network string, fresh []provider.Decline) (
	Payment, error) {
	if p.Subject.Period > 1 {
		return p, nil
	}
	spent := map[string]bool{}
	for _, d := range fresh {
		list := s.velocities(network, p.CampaignID)
		if d.Card != "" {
			list = append(list, velocity{"card", d.Card, max(1, s.declinesPerHour/3)})
		}
		for _, v := range list {
			if !s.limiter.Allow(ctx, "decline_"+v.what, v.key, v.limit()).Allowed {
				spent[v.what] = true
			}
		}
	}
	for what := range spent {
		s.log.WarnContext(ctx, "too many cards are refused", "of_one", what, "campaign_id", p.CampaignID, "payment_id", p.ID)
		_, err := anomalies.Open(ctx, s.db, anomalies.Anomaly{
			Kind: anomalies.CardTesting, Provider: p.Provider, Reference: "campaign " + strconv.FormatInt(p.CampaignID, 10) +
				", one " + what,
			PaymentID: &p.ID, Detail: map[string]string{"why": "too many cards were refused within an hour", "of_one": what},
		}, s.now())
		if err != nil {
			return p, err
		}
	}
	if !spent["card"] {
		return p, nil
	}
	return s.change(ctx, p.ID, SignalClose, func(c *change) error {
		c.endForDeclines()
		return nil
	})
}
