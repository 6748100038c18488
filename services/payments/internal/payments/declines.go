package payments

import (
	"context"
	"strconv"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/anomalies"
	"talkoot.fi/payments/internal/provider"
)

// Whoever has stolen numbers tries them on forms like ours. A payment ends after mostDeclines refused cards, counted by the
// provider's own list, so that no lost or late word hides any; and what many payments have in common (where they began, the
// card, the campaign) bounds how many an hour may see.
const (
	mostDeclines = 10
	// tooManyDeclines is the failure code of a payment that has ended so.
	tooManyDeclines = "too_many_declines"
)

// countDeclines takes the provider's count over, and ends the payment's time when it is too high.
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
	c.payment.ClosingAt, c.payment.FailureCode = &c.now, tooManyDeclines
}

// velocity is how many declines an hour what some payments have in common may see.
type velocity struct {
	what, key string
	most      int
}

// velocities of a payment. A network is many people's; a campaign everybody's, so that nobody stops it cheaply.
func (s *Service) velocities(network string, campaign int64) []velocity {
	list := []velocity{{"campaign", strconv.FormatInt(campaign, 10), 10 * s.declinesPerHour}}
	if network != "" {
		list = append(list, velocity{"network", network, s.declinesPerHour})
	}
	return list
}

func (v velocity) limit() ratelimit.Limit { return ratelimit.Per(v.most, time.Hour) }

// mayTry refuses another way to pay where too many cards were refused. Error: TooManyRequests.
func (s *Service) mayTry(ctx context.Context, network string, campaign int64) error {
	for _, v := range s.velocities(network, campaign) {
		if d := s.limiter.Peek(ctx, "decline_"+v.what, v.key, v.limit()); !d.Allowed {
			return apperr.New(apperr.TooManyRequests).RetryAfter(d.RetryAfter)
		}
	}
	return nil
}

// noteDeclines counts new declines against what they have in common with others, calls a person when it is too many, and ends
// a payment whose card was refused too often elsewhere. What a crash leaves uncounted here is counted in the payment.
func (s *Service) noteDeclines(ctx context.Context, p Payment, network string, fresh []provider.Decline) (Payment, error) {
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
			Kind: anomalies.CardTesting, Provider: p.Provider, Reference: "campaign " + strconv.FormatInt(p.CampaignID, 10) + ", one " + what,
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
