package subscriptions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"
	"talkoot.fi/payments/internal/provider"
)

// KindForget is the outbox message about what a provider still has and nobody here needs any more. It is written in the
// transaction that ceases to need it.
const KindForget = "provider.forget"

// leftoverKind is what is to be forgotten.
type leftoverKind string

const (
	leftCard     leftoverKind = "card"
	leftCustomer leftoverKind = "customer"
	leftSetup    leftoverKind = "setup"
)

// leftover is the payload of KindForget.
type leftover struct {
	Provider string       `json:"provider"`
	Kind     leftoverKind `json:"kind"`
	Ref      string       `json:"ref"`
}

// keepForgotten is how long it is remembered that something is or was to be forgotten: longer than a provider knows the key that
// made it, and than any call that saw it before can last.
const keepForgotten = 30 * 24 * time.Hour

func forgetLater(ctx context.Context, tx *gorm.DB, l leftover) error {
	payload, err := json.Marshal(l)
	if err == nil {
		_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindForget, Payload: payload})
	}
	if err != nil {
		return fmt.Errorf("have a %s forgotten: %w", l.Kind, err)
	}
	return nil
}

// Forget is the outbox's handler of KindForget. First it is written that nothing takes the card or customer into use any more,
// unless a subscription that is not over has it: that one's end, or another card for it, is another message. Then the provider
// is asked, as often as it takes.
func (s *Service) Forget(ctx context.Context, m outbox.Message) error {
	var l leftover
	if err := json.Unmarshal(m.Payload, &l); err != nil {
		return fmt.Errorf("decode message %d: %w", m.ID, err)
	}
	prov, err := s.provider(l.Provider)
	if err != nil {
		return err
	}
	if l.Kind == leftSetup {
		return s.endSetup(ctx, prov, l.Ref)
	}
	return s.forget(ctx, prov, l)
}

func (s *Service) forget(ctx context.Context, prov Provider, l leftover) error {
	isFree, err := s.release(ctx, l)
	if err != nil || !isFree {
		return err
	}
	if l.Kind == leftCustomer {
		return prov.ForgetPayer(ctx, l.Ref)
	}
	return prov.ForgetInstrument(ctx, l.Ref)
}

// endSetup ends the keeping of a card that came to nothing, or forgets the card that it kept and nobody took into use.
func (s *Service) endSetup(ctx context.Context, prov Provider, ref string) error {
	setup, err := prov.LookSetup(ctx, ref)
	switch {
	case errors.Is(err, provider.ErrNotFound):
		return nil
	case err != nil:
		return err
	case setup.Instrument != nil:
		return s.forget(ctx, prov, leftover{prov.Name(), leftCard, setup.Instrument.Ref})
	case setup.State == provider.Open || setup.State == provider.NeedsPayer:
		return prov.EndSetup(ctx, ref) // used meanwhile is an error, and the repeat sees its card
	}
	return nil
}

// release writes that a card or customer is not to be used any more, unless a subscription that is not over has it.
func (s *Service) release(ctx context.Context, l leftover) (isFree bool, err error) {
	column := map[leftoverKind]string{leftCard: "card_ref", leftCustomer: "customer_ref"}[l.Kind]
	if column == "" {
		return false, fmt.Errorf("a %q cannot be forgotten", l.Kind)
	}
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		tx = tx.WithContext(ctx)
		if err := lockRef(tx, l.Provider, l.Ref); err != nil {
			return err
		}
		err := tx.Raw(`SELECT NOT EXISTS (SELECT FROM subscriptions WHERE provider = ? AND `+column+` = ? AND status NOT IN ('canceled', 'expired'))`,
			l.Provider, l.Ref).Scan(&isFree).Error
		if err != nil || !isFree {
			return err
		}
		if err := remember(tx, l.Provider, l.Ref, s.now()); err != nil || l.Kind != leftCustomer {
			return err
		}
		return tx.Exec(`UPDATE subscriptions SET customer_ref = '' WHERE provider = ? AND customer_ref = ?`, l.Provider, l.Ref).Error
	})
	if err != nil {
		return false, fmt.Errorf("release a %s: %w", l.Kind, err)
	}
	return isFree, nil
}

// remember writes that a card or customer is not to be used any more; lockRef comes before it.
func remember(tx *gorm.DB, name, ref string, now time.Time) error {
	return tx.Exec(`INSERT INTO forgotten (provider, ref, at) VALUES (?, ?, ?) ON CONFLICT (provider, ref) DO UPDATE SET at = excluded.at`,
		name, ref, now).Error
}

// lockRef has a transaction wait for others that take a card or customer into use or release it.
func lockRef(tx *gorm.DB, name, ref string) error {
	err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, name+":"+ref).Error
	if err != nil {
		return fmt.Errorf("lock what a provider keeps: %w", err)
	}
	return nil
}

// use has a card or customer not forgotten before the transaction ends, which writes who uses it. It reports whether it is forgotten
// already.
func use(ctx context.Context, tx *gorm.DB, name, ref string) (isForgotten bool, err error) {
	tx = tx.WithContext(ctx)
	if err := lockRef(tx, name, ref); err != nil {
		return false, err
	}
	err = tx.Raw(`SELECT EXISTS (SELECT FROM forgotten WHERE provider = ? AND ref = ?)`, name, ref).Scan(&isForgotten).Error
	if err != nil {
		return false, fmt.Errorf("read what is forgotten: %w", err)
	}
	return isForgotten, nil
}

// leave has forgotten at the provider what the change takes out of use: the card that is charged no longer, the setup before the
// one that has begun, and at the end of a subscription also that, with a customer that is its alone.
func (c *change) leave(ctx context.Context) error {
	was := c.before
	ends := c.sub.Status.IsOver() && !was.Status.IsOver()
	if c.sub.Status.IsOver() {
		c.sub.SetupRef = ""
	}
	var list []leftover
	if was.Card.Ref != "" && was.Card.Ref != c.sub.Card.Ref {
		list = append(list, leftover{was.Provider, leftCard, was.Card.Ref})
	}
	if was.SetupRef != "" && was.SetupRef != c.sub.SetupRef {
		list = append(list, leftover{was.Provider, leftSetup, was.SetupRef})
	}
	if ends && was.BackerUserID == nil && was.Customer != "" {
		list = append(list, leftover{was.Provider, leftCustomer, was.Customer})
	}
	for _, l := range list {
		c.told = true
		if err := forgetLater(ctx, c.tx, l); err != nil {
			return err
		}
	}
	return nil
}

// forgetCard takes its card from a subscription that is over.
func (s *Service) forgetCard(ctx context.Context, sub Subscription) error {
	_, err := s.change(ctx, sub.ID, func(c *change) error {
		if c.sub.Status.IsOver() {
			c.sub.Card = card{}
		}
		return nil
	})
	return err
}

// PruneForgotten removes what was forgotten long ago.
func (s *Service) PruneForgotten(ctx context.Context) error {
	err := s.db.WithContext(ctx).Exec(`DELETE FROM forgotten WHERE at < ?`, s.now().Add(-keepForgotten)).Error
	if err != nil {
		return fmt.Errorf("prune what is forgotten: %w", err)
	}
	return nil
}
