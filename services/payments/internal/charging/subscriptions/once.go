package subscriptions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/payments/internal/api"
)

// once does an act of whoever has a subscription's id, and gives the answer: how the subscription stands then. With an idempotency key
// (its Key is empty without) the answer is kept with it, in the act's transaction: a repeat gets it and does nothing, whatever was done
// since. The key's scope has the subscription's id in it, so that repeats wait for its row. Errors: NotFound, idem.ErrMismatch, those
// of fn.
func (s *Service) once(ctx context.Context, id string, key idem.Key, fn func(c *change) error) (answer []byte, err error) {
	if key.Key != "" {
		if err := key.Check(); err != nil {
			return nil, err
		}
	}
	errRepeated := errors.New("done before") // takes the transaction back, which has changed nothing
	var c *change
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
		c, err = s.changeIn(ctx, tx, id, func(c *change) error {
			before, isRepeated, err := idem.Find(ctx, tx, key)
			if err == nil && isRepeated {
				answer, err = []byte(before), errRepeated
			}
			if err != nil {
				return err
			}
			return fn(c)
		})
		if err != nil {
			return err
		}
		sub, err := show(ctx, tx, id, c.now)
		if err != nil {
			return err
		}
		if answer, err = json.Marshal(api.SubscriptionAnswer{Subscription: sub}); err != nil {
			return fmt.Errorf("answer with a subscription: %w", err)
		}
		if key.Key != "" {
			_, _, err = idem.Claim(ctx, tx, key, string(answer))
		}
		return err
	})
	if errors.Is(err, errRepeated) {
		return answer, nil
	}
	if err != nil {
		return nil, err
	}
	s.wakeFor(c)
	return answer, nil
}
