package pledges

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
)

// charge is one of the charges of a pledge whose money was taken: its first, or a further one.
type charge struct {
	PaymentID     string
	PaidMinor     int64
	RefundedMinor int64 // what went back of it, for whatever reason
	ChangedMinor  int64 // of it, what went back because of a change
	LessMinor     int64 // what changes have made the pledge less after this charge and before the next one
	IsContested   bool  // a bank has its money, or has taken it for good
}

// returned is what has become of the money of a pledge's charges.
type returned struct {
	refundedMinor    int64 // of what the pledge comes to
	ofChangesMinor   int64 // of what changes made it less
	uncontestedMinor int64 // of what it comes to: what is neither back nor with a bank
}

// sumUp works out what has become of the money of a pledge that comes to amountMinor. What went back for a change was of the difference, and so
// was, for whatever reason it went back, what the charges of a change's time had too little of for it.
func sumUp(charges []charge, amountMinor int64) (r returned) {
	var paid, back, changed, free int64
	for _, c := range charges {
		paid, back, changed = paid+c.PaidMinor, back+c.RefundedMinor, changed+c.ChangedMinor
		if !c.IsContested {
			free += c.PaidMinor - c.RefundedMinor
		}
	}
	difference := paid - amountMinor
	ofChanges := min(changed, difference) + missingForChanges(charges)
	r.refundedMinor = min(max(back-ofChanges, 0), amountMinor) // another amount than the pledge's may have been paid
	r.ofChangesMinor = min(back-r.refundedMinor, difference)
	r.uncontestedMinor = max(min(free, amountMinor-r.refundedMinor), 0)
	return r
}

// missingForChanges is what changes cannot give back, because it went back before for another reason. A change gives of the charges that there
// were: what is charged afterwards, of a raise, is no money for it.
func missingForChanges(charges []charge) (missing int64) {
	var left int64
	for _, c := range charges {
		left += max(c.PaidMinor-(c.RefundedMinor-c.ChangedMinor), 0)
		gives := min(left, c.LessMinor)
		left -= gives
		missing += c.LessMinor - gives
	}
	return missing
}

// chargesOf reads a pledge's charges, the first one first. Which of several a bank contests is what was told last of each, in whatever order
// that came.
func chargesOf(ctx context.Context, tx *gorm.DB, p *row) ([]charge, error) {
	var further []charge
	err := tx.WithContext(ctx).Raw(`SELECT payment_id, amount_minor AS paid_minor, refunded_minor, changed_minor
		FROM pledge_raises WHERE pledge_id = ? AND status = 'paid' ORDER BY number`, p.ID).Scan(&further).Error
	if err != nil {
		return nil, fmt.Errorf("read the charges of a pledge: %w", err)
	}
	first := charge{PaymentID: p.PaymentID, PaidMinor: p.ChargedMinor, RefundedMinor: p.AmountRefundedMinor + p.ChangeRefundedMinor,
		ChangedMinor: p.ChangeRefundedMinor, IsContested: p.Status == Disputed}
	for _, c := range further { // what the pledge counts is of all of them
		first.PaidMinor -= c.PaidMinor
		first.RefundedMinor -= c.RefundedMinor
		first.ChangedMinor -= c.ChangedMinor
	}
	first.ChangedMinor = max(first.ChangedMinor, 0)
	all := append([]charge{first}, further...)
	if len(further) == 0 {
		return all, nil
	}
	if err := readLess(ctx, tx, p.ID, all); err != nil {
		return nil, err
	}
	var contested []string
	err = tx.WithContext(ctx).Raw(`SELECT c.payment_id FROM pledges p CROSS JOIN LATERAL (`+lastSaid+`) c WHERE p.id = ?`, p.ID).Scan(&contested).Error
	if err != nil {
		return nil, fmt.Errorf("read which charges of a pledge are disputed: %w", err)
	}
	for i := range all {
		all[i].IsContested = slices.Contains(contested, all[i].PaymentID)
	}
	return all, nil
}

// readLess reads what changes took of a pledge with several charges, after each of them: a change to more is the next charge.
func readLess(ctx context.Context, tx *gorm.DB, pledgeID string, charges []charge) error {
	var more []int64
	err := tx.WithContext(ctx).Raw(`SELECT to_minor - from_minor FROM pledge_changes WHERE pledge_id = ? ORDER BY number`, pledgeID).Scan(&more).Error
	if err != nil {
		return fmt.Errorf("read the changes of a pledge: %w", err)
	}
	last := 0
	for _, minor := range more {
		if minor > 0 {
			last++
		} else {
			charges[last].LessMinor -= minor
		}
	}
	return nil
}

// lastSaid are the payments of a pledge p of which a bank was last said to have the money, in whatever order that came.
const lastSaid = `SELECT payment_id FROM (SELECT DISTINCT ON (payment_id) payment_id, type FROM payment_events
	WHERE pledge_id = p.id AND type IN ('payment.disputed', 'payment.reinstated') ORDER BY payment_id, sequence DESC) last WHERE type = 'payment.disputed'`

// ContestedSQL lists the charges of a pledge p that banks have, by their subjects, with what of them went back that was not of a change.
const ContestedSQL = `SELECT subject_id, back_minor FROM (
	SELECT id AS subject_id, payment_id, refunded_minor - changed_minor AS back_minor FROM pledge_raises WHERE pledge_id = p.id AND status = 'paid'
	UNION ALL
	SELECT p.id, p.payment_id, p.amount_refunded_minor
		- coalesce((SELECT sum(refunded_minor - changed_minor) FROM pledge_raises WHERE pledge_id = p.id AND status = 'paid'), 0)) charges
	WHERE payment_id IN (` + lastSaid + `)`

// contestedSQL is what banks have of a pledge p. One that was taken back forgets of which charges that is: what was told last of each counts.
const contestedSQL = `CASE p.status WHEN 'disputed' THEN p.amount_minor - p.amount_refunded_minor - p.uncontested_minor
	WHEN 'withdrawn' THEN least(p.amount_minor - p.amount_refunded_minor, (
		SELECT coalesce(sum(c.left_minor), 0) FROM (
			SELECT payment_id, amount_minor - refunded_minor AS left_minor FROM pledge_raises WHERE pledge_id = p.id AND status = 'paid'
			UNION ALL
			SELECT p.payment_id, coalesce(p.charged_minor, p.amount_minor) - p.amount_refunded_minor - p.change_refunded_minor
				- (SELECT coalesce(sum(amount_minor - refunded_minor), 0) FROM pledge_raises WHERE pledge_id = p.id AND status = 'paid')) c
		WHERE c.payment_id IN (` + lastSaid + `)))
	ELSE 0 END::bigint`

// of gives the place of the charge of a payment, the first one for a payment that is none of the further ones.
func of(charges []charge, paymentID string) int {
	for i := len(charges) - 1; i > 0; i-- {
		if charges[i].PaymentID == paymentID {
			return i
		}
	}
	return 0
}

// FurtherCharges are the subjects of the further charges of a pledge whose money was taken, the newest first, as the payment service knows them:
// money that goes back is taken from these before the first charge. While no bank has some of the pledge, what banks have is left out: a refund of
// that would wait for their decision, and end with a loss.
func FurtherCharges(ctx context.Context, tx *gorm.DB, pledgeID string) (ids []string, err error) {
	err = tx.WithContext(ctx).Raw(`SELECT r.id FROM pledge_raises r JOIN pledges p ON p.id = r.pledge_id WHERE p.id = ? AND r.status = 'paid'
		AND (p.uncontested_minor = 0 OR r.payment_id NOT IN (`+lastSaid+`)) ORDER BY r.paid_at DESC, r.id DESC`, pledgeID).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("read the further charges of a pledge: %w", err)
	}
	return ids, nil
}

// contribution is what a pledge adds to its campaign's totals, its backer if they are not one otherwise. It is the one definition of them;
// campaigns.Recompute and the audit say the same in SQL, to check it.
func contribution(s Status, amountMinor, refundedMinor, uncontestedMinor int64) campaigns.TotalsChange {
	switch s {
	case Paid, PartlyRefunded:
		return campaigns.TotalsChange{ReachedMinor: amountMinor - refundedMinor, Backers: 1}
	case Disputed: // the bank has the money of a charge; the backer and what they chose stay until it is decided
		return campaigns.TotalsChange{ReachedMinor: uncontestedMinor, Backers: 1}
	case Processing:
		return campaigns.TotalsChange{SettlingMinor: amountMinor}
	case Created, AwaitingPayment, Failed, Expired, Refunded, Withdrawn:
		return campaigns.TotalsChange{}
	}
	return campaigns.TotalsChange{}
}
