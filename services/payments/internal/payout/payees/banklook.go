package payees

import (
	"context"
	"errors"
	"time"

	"talkoot.fi/payments/internal/provider"
)

// turnsUpFor is how long a bank account that was not there is looked for.
const turnsUpFor = 48 * time.Hour

// lookBanks asks the provider about the bank accounts of an account, and has those end there that are in use no more.
func (s *Service) lookBanks(ctx context.Context, p Payee) error {
	prov, has := s.providers[p.Provider].(provider.PayeeBanks)
	if !has {
		return nil
	}
	rows, err := readBanks(ctx, s.db, `WHERE payee_id = ? AND (state IN ('asking', 'pending', 'active', 'ending') OR state IN ('unmade', 'refused') AND created_at > ?)
		ORDER BY created_at`, p.ID, s.now().Add(-turnsUpFor))
	if err != nil || len(rows) == 0 {
		return err
	}
	there, err := prov.Banks(ctx, p.Ref)
	if errors.Is(err, provider.ErrNotFound) {
		if p.State != Closed {
			return nil // the whole account, which is not believed yet: see miss
		}
		there, err = nil, nil
	}
	if err != nil {
		return err
	}
	for _, b := range rows {
		e, seen := SeenNowhere, provider.PayeeBank{}
		for _, one := range there {
			if one.ID == b.ID || b.Ref != "" && one.Ref == b.Ref {
				e, seen = BankEvent(one.State), one
			}
		}
		if e == SeenNowhere && b.State == BankAsking && s.now().Sub(b.CreatedAt) < callLife {
			continue
		}
		if _, failed := s.stepBank(ctx, b, e, seen); failed != nil {
			err = errors.Join(err, failed)
		}
	}
	s.endDropped(ctx, prov, p)
	return err
}

// endDropped has the bank accounts of an account end at the provider that are in use no more. What fails is done by the next look, and stops
// no other.
func (s *Service) endDropped(ctx context.Context, prov provider.PayeeBanks, p Payee) {
	list, err := readBanks(ctx, s.db, `WHERE payee_id = ? AND state = 'ending'`, p.ID)
	for _, b := range list {
		failed := prov.EndBank(ctx, b.Ref)
		if failed == nil {
			_, failed = s.stepBank(ctx, b, SeenEnded, provider.PayeeBank{Ref: b.Ref})
		}
		err = errors.Join(err, failed)
	}
	if err != nil {
		s.log.WarnContext(ctx, "a bank account has not ended at its provider yet", "provider", p.Provider, "error", err)
	}
}
