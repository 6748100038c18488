package claims

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/pledges"
)

// pledge is what a claim needs to know of its pledge.
type pledge struct {
	ID                                      string
	CampaignID                              int64
	Status                                  pledges.Status
	AmountMinor, RefundedMinor, AgreedMinor int64
	UncontestedMinor                        int64 // of a disputed one: what of it no bank has
	// Of RefundedMinor and AgreedMinor, what is of charges that banks have: what is agreed of those waits for them, and comes from no other.
	ContestedBackMinor, ContestedAgreedMinor int64
	Currency                                 money.Currency
	HasReward                                bool
	Delivery                                 string
	EndedAt                                  *time.Time
	GoesTo                                   string
}

// leftMinor is what has not gone back, as far as is known here; what is agreed is told back only later. While banks have some of a pledge, it is
// the rest. Of one of which they have everything it is all: what is agreed of that before waits for them.
func (p pledge) leftMinor() int64 {
	left := p.AmountMinor - max(p.RefundedMinor, p.AgreedMinor)
	if p.UncontestedMinor > 0 {
		left = p.UncontestedMinor - max(p.AgreedMinor-p.ContestedAgreedMinor-(p.RefundedMinor-p.ContestedBackMinor), 0)
	}
	return left
}

// isContested reports whether banks have all that is left of a pledge: nothing new is asked or given of it while they decide.
func (p pledge) isContested() bool { return p.Status == pledges.Disputed && p.UncontestedMinor == 0 }

const pledgeSQL = `SELECT p.id, p.campaign_id, p.status, p.amount_minor, p.amount_refunded_minor AS refunded_minor, p.uncontested_minor, p.currency,
		coalesce((SELECT sum(coalesce(begun_minor, amount_minor)) FROM agreed_refunds WHERE pledge_id = p.id), 0) AS agreed_minor,
		coalesce((SELECT sum(b.value::bigint) FROM agreed_refunds a CROSS JOIN jsonb_each_text(a.begun_of) b
			WHERE a.pledge_id = p.id AND b.key IN (SELECT subject_id FROM (` + pledges.ContestedSQL + `) c)), 0) AS contested_agreed_minor,
		coalesce((SELECT sum(c.back_minor) FROM (` + pledges.ContestedSQL + `) c), 0) AS contested_back_minor,
		p.reward_id IS NOT NULL AS has_reward, coalesce(p.bought ->> 'delivery', '') AS delivery, e.ended_at, coalesce(e.goes_to, '') AS goes_to
	FROM pledges p LEFT JOIN campaign_endings e ON e.campaign_id = p.campaign_id WHERE p.id = ?`

// readPledge reads a pledge. Error: ErrUnknown.
func readPledge(ctx context.Context, db *gorm.DB, id string) (p pledge, err error) {
	found := db.WithContext(ctx).Raw(pledgeSQL, id).Scan(&p)
	if found.Error != nil {
		return p, fmt.Errorf("read a pledge for its claim: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return p, ErrUnknown
	}
	return p, nil
}

// lockPledge is readPledge of one that nobody else changes until the transaction ends: what was agreed about it is all there.
func lockPledge(ctx context.Context, tx *gorm.DB, id string) (pledge, error) {
	if err := tx.WithContext(ctx).Exec(`SELECT FROM pledges WHERE id = ? FOR NO KEY UPDATE`, id).Error; err != nil {
		return pledge{}, fmt.Errorf("lock a pledge for its claim: %w", err)
	}
	return readPledge(ctx, tx, id)
}

// ownSQL is whether pledge p is the person's @user.
const ownSQL = `EXISTS (SELECT FROM users u WHERE u.id = @user AND ` + mails.OwnPledge + `)`

// notOwn keeps staff from deciding about their own money: it gives refusal of a pledge that is somebody's own.
func notOwn(ctx context.Context, db *gorm.DB, pledgeID string, userID int64, refusal error) error {
	var own bool
	err := db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM pledges p WHERE p.id = @id AND `+ownSQL+`)`, map[string]any{"id": pledgeID, "user": userID}).Scan(&own).Error
	switch {
	case err != nil:
		return fmt.Errorf("read whose the pledge of a claim is: %w", err)
	case own:
		return refusal
	}
	return nil
}
