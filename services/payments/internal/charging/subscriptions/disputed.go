package subscriptions

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/payments/internal/provider"
)

// defrauded is support of which a bank, or a person here, has decided that the card's owner did not know of a charge: the charge was a month of it,
// and it ends, or it has the card, which it is not charged any more.
type defrauded struct {
	ID, Card string
	IsMonth  bool
}

// defraudedSQL finds what is left to be done of all charges that were lost as fraud, also after months, and when the support of a month is over. A card
// that is known by its reference has it until its backer gives another. One that was given anew has another reference, so an account's other support
// is found by what the card is called; what was given since the decision is the backer's own word. Of who pays without an account each payment and
// support is a payer of its own. Of a month that was paid before its card was written down it is the card of our try, else the one that its support
// has since. Another reason of a dispute, and one that is open or won, is a question. What was refunded after it was reported as fraud, wherever, is
// not disputed any more: that decision counts as the bank's. The indexes disputes_fraud, refunds_attempt, subscriptions_card and subscriptions_backer
// serve it.
const defraudedSQL = `
	WITH charges AS (SELECT f.at, p.provider, p.backer_user_id, p.method, m.subscription_id,
			coalesce(nullif(m.paid_card, ''), (SELECT t.card_ref FROM subscription_tries t
				WHERE t.subscription_id = m.subscription_id AND t.period = m.period AND t.outcome = 'taken'), s.card_ref, '') AS card
		FROM (SELECT payment_id, decided_at AS at FROM disputes WHERE status = 'lost' AND reason IN ('fraudulent', 'fraud')
			UNION ALL SELECT w.payment_id, r.created_at FROM fraud_warnings w JOIN refunds r ON r.attempt_id = w.attempt_id AND r.created_at >= w.opened_at
				WHERE w.status = 'refunded') f
		JOIN payments p ON p.id = f.payment_id LEFT JOIN subscription_periods m ON m.payment_id = p.id LEFT JOIN subscriptions s ON s.id = m.subscription_id)
	SELECT id, card, is_month FROM (
		SELECT s.id, '' AS card, true AS is_month FROM charges c JOIN subscriptions s ON s.id = c.subscription_id
			WHERE s.status IN ('active', 'past_due', 'paused')
		UNION SELECT o.id, o.card_ref, false FROM charges c JOIN subscriptions o ON o.provider = c.provider AND o.card_ref = c.card
			WHERE c.card <> '' AND o.id IS DISTINCT FROM c.subscription_id AND o.status IN ('active', 'past_due', 'paused') AND NOT o.card_refused
		UNION SELECT o.id, o.card_ref, false FROM charges c JOIN subscriptions o ON o.backer_user_id = c.backer_user_id AND o.card_label = c.method
			WHERE c.method <> '' AND o.id IS DISTINCT FROM c.subscription_id AND o.status IN ('active', 'past_due', 'paused') AND NOT o.card_refused
				AND (o.card_given_at IS NULL OR o.card_given_at < c.at)) todo
	ORDER BY is_month, id`

// EndDefrauded is the one rule of a card that was misused, whatever it was charged for: no support is charged to it any more before its backer gives a
// card anew, and support whose own month it was ends, since the next month would be the next dispute. Everybody else's support goes on, and
// theirs by another card. It is repeated until all is done, so a crash between two leaves nothing out.
func (s *Service) EndDefrauded(ctx context.Context) error {
	var list []defrauded
	if err := s.db.WithContext(ctx).Raw(defraudedSQL).Scan(&list).Error; err != nil {
		return fmt.Errorf("look for support that a bank calls fraud: %w", err)
	}
	var faults []error
	for _, d := range list {
		var err error
		if d.IsMonth {
			err = s.EndReported(ctx, d.ID)
		} else {
			_, err = s.change(ctx, d.ID, func(c *change) error { return c.loseTrust(ctx, d.Card) })
		}
		if err != nil { // one that cannot be changed must not keep the others
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// loseTrust has a card not charged any more that a bank calls misused; the backer is asked for another with the next month, or now when
// one is to be paid.
func (c *change) loseTrust(ctx context.Context, card string) error {
	if c.sub.Card.Ref != card || c.sub.Card.Refused || c.sub.Status.IsOver() {
		return nil
	}
	if err := c.note(ctx, cardDisputed, 0, ""); err != nil {
		return err
	}
	if due := c.months.due; due != nil && due.takesCard() {
		return c.refused(ctx, "generic", provider.RemedyCard)
	}
	c.sub.Card.Refused = true
	return nil
}

// cardDisputed is the cause of a transition: a bank has called the card misused.
const cardDisputed = "card disputed"

// isMisused reports whether a bank has called the card misused since its backer gave it.
func (c *change) isMisused(ctx context.Context) (is bool, err error) {
	err = c.tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM subscription_transitions t JOIN subscriptions s ON s.id = t.subscription_id
		WHERE s.id = ? AND t.cause = ? AND t.at >= coalesce(s.card_given_at, '-infinity'))`, c.sub.ID, cardDisputed).Scan(&is).Error
	if err != nil {
		return false, fmt.Errorf("ask whether a card was misused: %w", err)
	}
	return is, nil
}

// SameCard is monthly support that goes on and has the card that has paid a pledge.
type SameCard struct {
	ID, Title   string
	AmountMinor int64 // a month
	Currency    string
}

// OnCardOf lists the support that has the card of a pledge's payment, charged to it still or not any more: of the account that has paid it, by what
// the card is called, because providers name one card otherwise each time that it is given. Of who has paid without an account none is known.
func (s *Service) OnCardOf(ctx context.Context, paymentID string) (list []SameCard, err error) {
	err = s.db.WithContext(ctx).Raw(`SELECT s.id, s.title, CAST(s.level ->> 'amount_minor' AS bigint) AS amount_minor, s.level ->> 'currency' AS currency
		FROM payments p JOIN subscriptions s ON s.backer_user_id = p.backer_user_id AND s.card_label = p.method
		WHERE p.id = ? AND p.subject_kind = 'pledge' AND p.method <> '' AND s.status IN ('active', 'past_due', 'paused') ORDER BY s.id`,
		paymentID).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("look for support with the card of payment %s: %w", paymentID, err)
	}
	return list, nil
}

// EndReported ends support at an operator's word, because its card was reported as used without its owner's knowledge; a repeat changes nothing.
func (s *Service) EndReported(ctx context.Context, id string) error {
	_, err := s.change(ctx, id, func(c *change) error {
		if c.sub.Status.IsOver() {
			return nil
		}
		return c.end(ctx, FraudDisputed)
	})
	return err
}
