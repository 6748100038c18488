package subscriptions

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/payments/internal/provider"
)

// defrauded is support of which a bank, or a person here, has decided that the card's owner did not know of a month's charge, and that card.
type defrauded struct{ ID, Provider, Card string }

// defraudedSQL finds those that go on, and those that are over whose card others are still charged with: banks decide after months. Of a
// month that was paid before its card was written down it is the one of our try, else the one that its support has since. Another
// reason of a dispute, and one that is open or won, is a question and ends nothing. A month that was refunded after it was reported as fraud, wherever, is not
// disputed any more: that decision counts as the bank's. The indexes disputes_fraud, refunds_attempt and subscriptions_card serve it.
const defraudedSQL = `
	SELECT DISTINCT s.id, s.provider, used.card
	FROM (SELECT payment_id FROM disputes WHERE status = 'lost' AND reason = 'fraudulent'
		UNION SELECT w.payment_id FROM fraud_warnings w WHERE w.status = 'refunded'
			AND EXISTS (SELECT FROM refunds r WHERE r.attempt_id = w.attempt_id AND r.created_at >= w.opened_at)) d JOIN payments p ON p.id = d.payment_id AND p.subject_kind = 'subscription' JOIN subscriptions s ON s.id = p.subject_id
		JOIN subscription_periods m ON m.payment_id = p.id
		CROSS JOIN LATERAL (SELECT coalesce(nullif(m.paid_card, ''), (SELECT t.card_ref FROM subscription_tries t
			WHERE t.subscription_id = s.id AND t.period = p.period AND t.outcome = 'taken'), s.card_ref) AS card) used
	WHERE s.status IN ('active', 'past_due', 'paused')
		OR used.card <> '' AND EXISTS (SELECT FROM subscriptions o WHERE o.provider = s.provider AND o.card_ref = used.card
			AND o.status IN ('active', 'past_due', 'paused') AND NOT o.card_refused)`

// EndDefrauded ends support whose charge was decided to be fraud: the next month would be the next dispute. That card is charged for
// no other support either before its backer gives one anew; theirs goes on, as everybody else's. It is repeated until all is done.
func (s *Service) EndDefrauded(ctx context.Context) error {
	var list []defrauded
	if err := s.db.WithContext(ctx).Raw(defraudedSQL).Scan(&list).Error; err != nil {
		return fmt.Errorf("look for support that a bank calls fraud: %w", err)
	}
	var faults []error
	for _, d := range list {
		if err := s.endDefrauded(ctx, d); err != nil { // one that cannot be ended must not keep the others
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// endDefrauded takes the card from others first, so that what a crash leaves is found again.
func (s *Service) endDefrauded(ctx context.Context, d defrauded) error {
	if d.Card != "" {
		others, err := read(ctx, s.db, `WHERE provider = ? AND card_ref = ? AND id <> ? AND NOT card_refused AND status IN ('active', 'past_due', 'paused')
			ORDER BY id`, d.Provider, d.Card, d.ID)
		if err != nil {
			return err
		}
		for _, other := range others {
			if _, err := s.change(ctx, other.ID, func(c *change) error { return c.loseTrust(ctx, d.Card) }); err != nil {
				return err
			}
		}
	}
	return s.EndReported(ctx, d.ID)
}

// loseTrust has a card not charged any more that a bank calls misused; the backer is asked for another with the next month, or now when
// one is to be paid.
func (c *change) loseTrust(ctx context.Context, card string) error {
	if c.sub.Card.Ref != card || c.sub.Status.IsOver() {
		return nil
	}
	if due := c.months.due; due != nil && due.takesCard() {
		return c.refused(ctx, "generic", provider.RemedyCard)
	}
	c.sub.Card.Refused = true
	return c.note(ctx, "card disputed", 0, "")
}

// SameCard is monthly support that goes on with the card that has paid a pledge.
type SameCard struct {
	ID, Title   string
	AmountMinor int64 // a month
	Currency    string
}

// OnCardOf lists the support that is charged to the card of a pledge's payment: of the account that has paid it, by what the card is called, because
// providers name one card otherwise each time that it is given. Of who has paid without an account none is known.
func (s *Service) OnCardOf(ctx context.Context, paymentID string) (list []SameCard, err error) {
	err = s.db.WithContext(ctx).Raw(`SELECT s.id, s.title, CAST(s.level ->> 'amount_minor' AS bigint) AS amount_minor, s.level ->> 'currency' AS currency
		FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id JOIN subscriptions s ON s.backer_user_id = p.backer_user_id AND s.provider = a.provider
			AND s.card_label = p.method
		WHERE p.id = ? AND p.subject_kind = 'pledge' AND p.method <> '' AND NOT s.card_refused AND s.status IN ('active', 'past_due', 'paused') ORDER BY s.id`,
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
