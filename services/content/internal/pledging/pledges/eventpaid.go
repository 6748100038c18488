package pledges

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
)

// process records that the bank is still confirming the payment; the campaign is not settled meanwhile. When the campaign is
// not open any more it is ignored, because the money will not be accepted either.
func (s *Service) process(ctx context.Context, tx *gorm.DB, p *row, st step) (Outcome, error) {
	st.to = Processing
	if !p.Status.CanMove(st.to) {
		return Ignored, nil
	}
	if standing, err := campaigns.LockStage(ctx, tx, p.CampaignID); err != nil || !standing.Takes(campaigns.StageFunding) {
		return Ignored, err
	}
	return s.applied(ctx, tx, p, st)
}

// succeed accepts the money, or says why the pledge cannot have it any more.
func (s *Service) succeed(ctx context.Context, tx *gorm.DB, p *row, e Event, st step) (Outcome, error) {
	if p.Status == Withdrawn {
		return PledgeClosed, nil
	}
	if !p.Status.CanMove(Paid) || p.Status.HasMoney() { // only payment.reinstated ends a dispute
		return Ignored, nil // the money is here already, or has gone back
	}
	if e.Amount != p.Amount {
		s.logForeign(ctx, "payment of another amount than the pledge's", p, e)
		return PledgeClosed, nil
	}
	if p.ReleasedAt != nil {
		return PledgeClosed, nil
	}
	// Only stage and hold count, not the deadline: a payment that was begun in time may take a bank days.
	standing, err := campaigns.LockStage(ctx, tx, p.CampaignID)
	if err != nil {
		return "", err
	}
	if !standing.Takes(campaigns.StageFunding) {
		isLate := false
		if p.Status == Processing {
			isLate, err = campaigns.TakesLate(ctx, tx, p.CampaignID)
		}
		if err != nil || !isLate {
			return PledgeClosed, err
		}
	}
	st.to = Paid
	switch err := s.advance(ctx, tx, p, st); {
	case errors.Is(err, rewards.ErrGone), errors.Is(err, rewards.ErrAboveStock), errors.Is(err, rewards.ErrClosed):
		return RewardGone, nil
	case err != nil:
		return "", err
	}
	return Applied, nil
}
