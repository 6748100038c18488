package pledges

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"
	"talkoot.fi/kit/typed"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/withdrawal"
	"talkoot.fi/content/internal/request"
	"talkoot.fi/content/internal/writing/changes"
)

// ErrNotEnded: rewards are sent once it is certain that the money is their creator's.
var ErrNotEnded = apperr.New(apperr.CampaignNotEnded)

// Delivery is how far the backers of a reward have got it.
type Delivery struct {
	RewardID      int64
	Title         string
	Kind          withdrawal.Kind
	Waiting, Sent int        // pledges
	LastSentOn    *time.Time // the day
}

// owed are the pledges whose reward is owed to their backer, or was sent.
const owed = `p.status IN ('processing', 'paid', 'partly_refunded', 'disputed')`

// Deliveries are those of a campaign's rewards that somebody has chosen, and the day on which it ended, "" while the money is not its creator's.
func (s *Service) Deliveries(ctx context.Context, campaignID int64, language string) (list []Delivery, endedOn campaigns.Day, err error) {
	if endedOn, err = s.endedOn(ctx, campaignID); err != nil || endedOn == "" {
		return nil, "", err
	}
	err = s.db.WithContext(ctx).Raw(`
		SELECT r.id AS reward_id, r.kind, coalesce(x.title, '') AS title, count(*) FILTER (WHERE p.sent_on IS NULL) AS waiting,
		       count(p.sent_on) AS sent, max(p.sent_on) AS last_sent_on
		FROM rewards r JOIN pledges p ON p.reward_id = r.id AND `+owed+`
		LEFT JOIN LATERAL (SELECT title FROM reward_texts WHERE reward_id = r.id AND title <> ''
			ORDER BY language = @language DESC, language LIMIT 1) x ON true
		WHERE r.campaign_id = @campaign GROUP BY r.id, x.title ORDER BY r.amount_minor, r.id`,
		map[string]any{"campaign": campaignID, "language": language}).Scan(&list).Error
	if err != nil {
		return nil, "", fmt.Errorf("list what campaign %d delivers: %w", campaignID, err)
	}
	return list, endedOn, nil
}

// endedOn is the day on which a campaign ended with the money for its creator, "" of any other.
func (s *Service) endedOn(ctx context.Context, campaignID int64) (campaigns.Day, error) {
	ending, ended, err := campaigns.EndingOf(ctx, s.db, campaignID)
	if err != nil || !ended || ending.GoesTo != campaigns.ToCreator {
		return "", err
	}
	return campaigns.DayOf(ending.EndedAt.In(s.zone)), nil
}

// Sent is what a creator says of a reward.
type Sent struct {
	CampaignID, RewardID int64
	On                   campaigns.Day
	Receipt              *string // of the one pledge; nil for all that wait
}

// MarkSent notes the day on which a reward was sent or handed over, and mails each of its backers until when they may take their pledge back. All
// that wait get the day; one pledge that is named gets it also in place of an earlier one, never of a later one, which would take days from its
// backer. The caller has checked who may do it. Errors: ErrNotEnded; InvalidFields with the fault of a day, reward or receipt.
func (s *Service) MarkSent(ctx context.Context, sent Sent, by changes.Actor) error {
	endedOn, err := s.endedOn(ctx, sent.CampaignID)
	if err != nil {
		return err
	}
	today := campaigns.DayOf(s.now().In(s.zone))
	faults := apperr.New(apperr.InvalidFields)
	switch {
	case endedOn == "":
		return ErrNotEnded
	case sent.On < endedOn:
		return faults.WithField("day", apperr.RuleDateFrom, apperr.Params{"min": string(endedOn)})
	case sent.On > today:
		return faults.WithField("day", apperr.RuleDateTo, apperr.Params{"max": string(today)})
	}
	if sent.Receipt != nil {
		receipt := strings.ToUpper(typed.Line(*sent.Receipt))
		if receipt == "" { // which is not all
			return faults.WithField("receipt_number", apperr.RuleRequired)
		}
		sent.Receipt = &receipt
	}
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		ids, err := s.markSent(ctx, tx, sent)
		if err != nil || len(ids) == 0 {
			return err
		}
		told := make([]outbox.Message, len(ids))
		for i, id := range ids {
			payload, err := json.Marshal(mails.PledgeMail{PledgeID: id})
			if err != nil {
				return fmt.Errorf("encode a mail about a reward that was sent: %w", err)
			}
			told[i] = outbox.Message{Kind: mails.KindSent, Payload: payload, DedupeKey: mails.KindSent + ":" + id + ":" + string(sent.On)}
		}
		if err := outbox.AddAll(ctx, tx, told); err != nil {
			return err
		}
		return changes.Record(ctx, tx, "mark_sent", "campaign", sent.CampaignID, by, map[string]any{},
			map[string]any{"reward_id": sent.RewardID, "day": string(sent.On), "pledges": len(ids)}, s.now())
	})
}

// markSent gives the pledges that now have the day.
func (s *Service) markSent(ctx context.Context, tx *gorm.DB, sent Sent) (ids []string, err error) {
	var known struct{ Reward, Receipt bool }
	args := map[string]any{"campaign": sent.CampaignID, "reward": sent.RewardID, "day": sent.On, "receipt": request.Value(sent.Receipt), "now": s.now()}
	err = tx.WithContext(ctx).Raw(`
		SELECT EXISTS (SELECT FROM rewards WHERE id = @reward AND campaign_id = @campaign) AS reward,
		       @receipt = '' OR EXISTS (SELECT FROM pledges p WHERE p.reward_id = @reward AND p.receipt_number = @receipt AND `+owed+`) AS receipt`, args).Scan(&known).Error
	faults := apperr.New(apperr.InvalidFields)
	switch {
	case err != nil:
		return nil, fmt.Errorf("look for a reward that was sent: %w", err)
	case !known.Reward:
		return nil, faults.WithField("reward_id", apperr.RuleUnknownReward)
	case !known.Receipt:
		return nil, faults.WithField("receipt_number", apperr.RuleUnknownReceipt)
	}
	// In the order of ids, as all who lock many pledges.
	err = tx.WithContext(ctx).Raw(`
		UPDATE pledges SET sent_on = CAST(@day AS date), updated_at = @now WHERE id IN (
			SELECT p.id FROM pledges p WHERE p.reward_id = @reward AND p.campaign_id = @campaign AND `+owed+`
			AND (@receipt = '' AND p.sent_on IS NULL OR p.receipt_number = @receipt AND (p.sent_on IS NULL OR p.sent_on < CAST(@day AS date)))
			ORDER BY p.id FOR UPDATE) RETURNING id`, args).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("note that reward %d was sent: %w", sent.RewardID, err)
	}
	return ids, nil
}
