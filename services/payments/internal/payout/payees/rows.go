package payees

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/events"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// Payee is a creator's account.
type Payee struct {
	ID        string
	UserID    *int64 // nil once the person has erased themselves
	Provider  string
	Kind      provider.PayeeKind
	Number    int
	Ref       string // "" while it is made
	WalletRef string
	State     State
	Needs     Needs `gorm:"serializer:json"`
	ReadyAt   *time.Time
	LookedAt  *time.Time
	// Said is a sum of what was said with the key by which it is made, whose part Number is since KeyedAt; used last at UpdatedAt.
	Said                          string
	CreatedAt, KeyedAt, UpdatedAt time.Time

	Misses   int // as the migration says
	MissedAt *time.Time

	SeenLook      int64
	EventSequence int64
}

// Needs are what is missing.
type Needs []provider.Need

func (n Needs) codes() []string {
	out := make([]string, 0, len(n))
	for _, one := range n {
		out = append(out, one.Code)
	}
	return out
}

const columns = `id, user_id, provider, kind, number, ref, wallet_ref, state, needs, ready_at, looked_at, seen_look, event_sequence, said, misses, missed_at, created_at, keyed_at, updated_at`

func read(ctx context.Context, db *gorm.DB, where string, args ...any) (list []Payee, err error) {
	if err := db.WithContext(ctx).Raw(`SELECT `+columns+` FROM payees `+where, args...).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("read creators' accounts: %w", err)
	}
	return list, nil
}

// Of lists a person's accounts, by provider.
func (s *Service) Of(ctx context.Context, userID int64) ([]Payee, error) {
	return read(ctx, s.db, `WHERE user_id = ? AND state <> 'closed' ORDER BY provider`, userID)
}

// own gives a person's account at a provider, and writes the row of a new one; kind is a new one's, and said a sum of what is said of it, ""
// where an order may be repeated in other words. Another order, and one whose key the provider may have forgotten, gets another key, once
// no call with the key before can be on its way. Error: ProviderUnavailable until then.
func (s *Service) own(ctx context.Context, userID int64, name string, kind provider.PayeeKind, said string) (p Payee, err error) {
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		tx = tx.WithContext(ctx)
		if err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, fmt.Sprintf("payee:%d:%s", userID, name)).Error; err != nil {
			return err
		}
		list, err := read(ctx, tx, theirsSQL+` FOR UPDATE`, userID, name) // an answer that is being written is waited for
		if err != nil {
			return err
		}
		now := s.now()
		if p = first(list); p.ID != "" && p.State != Making {
			return nil
		}
		if p.ID == "" {
			p = Payee{ID: ids.New(), Number: 1, KeyedAt: now}
		} else if said != "" && (p.Said != said || now.Sub(p.KeyedAt) > keyUse) {
			if wait := callLife - now.Sub(p.UpdatedAt); wait > 0 {
				return apperr.New(apperr.ProviderUnavailable).RetryAfter(wait)
			}
			p.Number, p.KeyedAt = p.Number+1, now
		}
		return tx.Raw(`INSERT INTO payees (id, user_id, provider, kind, state, number, said, created_at, keyed_at, updated_at)
			VALUES (@id, @user, @provider, @kind, 'making', @number, @said, @now, @keyed, @now) ON CONFLICT (id) DO UPDATE SET kind = excluded.kind,
			number = excluded.number, said = excluded.said, keyed_at = excluded.keyed_at, updated_at = excluded.updated_at RETURNING `+columns,
			map[string]any{"id": p.ID, "user": userID, "provider": name, "kind": kind, "number": p.Number, "said": said, "now": now, "keyed": p.KeyedAt}).Scan(&p).Error
	})
	if err != nil {
		return Payee{}, fmt.Errorf("write a creator's account: %w", err)
	}
	return p, nil
}

// theirsSQL are a person's accounts at a provider that are not closed, the oldest that is made first.
const theirsSQL = `WHERE user_id = ? AND provider = ? AND state <> 'closed' ORDER BY state = 'making', created_at, id`

// anotherKey gives an account that could not be made another key, once, however many ask for it at the same time.
func (s *Service) anotherKey(ctx context.Context, p Payee) (Payee, error) {
	err := s.db.WithContext(ctx).Exec(`UPDATE payees SET number = number + 1, keyed_at = ? WHERE id = ? AND number = ? AND state = 'making'`, s.now(), p.ID, p.Number).Error
	if err != nil {
		return p, fmt.Errorf("give an account another key: %w", err)
	}
	list, err := read(ctx, s.db, `WHERE id = ?`, p.ID)
	if err == nil && len(list) > 0 {
		p = list[0]
	}
	return p, err
}

// askedAgain numbers a question to the provider about an account.
func (s *Service) askedAgain(ctx context.Context, id string) (look int64, err error) {
	err = s.db.WithContext(ctx).Raw(`UPDATE payees SET looks = looks + 1 WHERE id = ? RETURNING looks`, id).Scan(&look).Error
	if err != nil {
		return 0, fmt.Errorf("number a look at a creator's account: %w", err)
	}
	return look, nil
}

// see applies what a provider has said of an account, unless a later answer was applied before, and tells the content service what has
// changed. Error: NotFound.
func (s *Service) see(ctx context.Context, id string, look int64, seen provider.Payee) (p Payee, err error) {
	isTold := false
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		isTold = false
		list, err := read(ctx, tx, `WHERE id = ? FOR UPDATE`, id)
		if err == nil && len(list) == 0 {
			err = apperr.New(apperr.NotFound)
		}
		if err != nil {
			return err
		}
		was := list[0]
		p = was
		// A later look that did not find it knew nothing of a disconnection: that is why it did not.
		explains := seen.State == gone && was.Misses > 0
		if look < was.SeenLook && !explains || was.State == Closed {
			return nil
		}
		now := s.now()
		p.SeenLook, p.LookedAt = max(look, was.SeenLook), &now
		mended := "the provider has it again"
		if seen.State == missing || seen.State == gone {
			var isBelieved bool
			if p, isBelieved = p.miss(seen.State == gone, now); !isBelieved {
				return errors.Join(s.callMissing(ctx, tx, p, now), p.save(ctx, tx, now))
			}
			seen.State, mended = provider.PayeeClosed, "it was disconnected"
		} else {
			p.Misses, p.MissedAt = 0, nil
		}
		if was.Misses > 0 && (explains || p.Misses == 0) {
			if err := anomalies.Mend(ctx, tx, anomalies.PayeeMissing, p.Provider, p.Ref, mended, now); err != nil {
				return err
			}
		}
		p.State, p.Needs = next(was.State, seen.State), seen.Needs
		if p.Ref == "" {
			p.Ref = seen.Ref
		}
		if seen.Wallet != "" {
			p.WalletRef = seen.Wallet
		}
		if p.State == Ready && p.ReadyAt == nil {
			p.ReadyAt = &now
		}
		isTold = p.UserID != nil && (p.State != was.State || p.WalletRef != was.WalletRef || !slices.Equal(p.Needs.codes(), was.Needs.codes()))
		if isTold {
			p.EventSequence++
			if err := events.AddPayee(ctx, tx, p.ID, p.event()); err != nil {
				return err
			}
		}
		bank, err := s.keepBank(ctx, tx.WithContext(ctx), p, seen.Bank, now)
		if err == nil && bank != nil && p.UserID != nil {
			isTold = true
			p.EventSequence++
			e := p.event()
			e.Bank = bank
			err = events.AddPayee(ctx, tx, p.ID, e)
		}
		return errors.Join(err, p.save(ctx, tx, now))
	})
	if err == nil && isTold {
		s.wakeEvents()
	}
	return p, err
}

// What a question about an account may find besides what a provider says of one.
const (
	missing provider.PayeeState = "missing" // the provider does not have it
	gone    provider.PayeeState = "gone"    // neither, and has said of itself that it was disconnected
)

// callMissing calls a person: nothing is sent to the account meanwhile.
func (s *Service) callMissing(ctx context.Context, tx *gorm.DB, p Payee, now time.Time) error {
	_, err := anomalies.Open(ctx, tx, anomalies.Anomaly{Kind: anomalies.PayeeMissing, Provider: p.Provider, Reference: p.Ref,
		Detail: map[string]string{"state": string(p.State), "times": fmt.Sprintf("%d of %d", p.Misses, missesToClose)}}, now)
	return err
}

func (p Payee) save(ctx context.Context, tx *gorm.DB, now time.Time) error {
	needs, err := json.Marshal(append(Needs{}, p.Needs...))
	if err == nil {
		err = tx.WithContext(ctx).Exec(`UPDATE payees SET ref = @ref, wallet_ref = @wallet, state = @state, needs = CAST(@needs AS jsonb), ready_at = @ready,
			looked_at = @looked, misses = @misses, missed_at = @missed, seen_look = @look, event_sequence = @sequence, said = '', updated_at = @now WHERE id = @id`, map[string]any{
			"ref": p.Ref, "wallet": p.WalletRef, "state": p.State, "needs": string(needs), "ready": p.ReadyAt, "looked": p.LookedAt, "misses": p.Misses, "missed": p.MissedAt,
			"look": p.SeenLook, "sequence": p.EventSequence, "now": now, "id": p.ID}).Error
	}
	if err != nil {
		return fmt.Errorf("save a creator's account: %w", err)
	}
	return nil
}

func (p Payee) event() contentclient.PayeeEvent {
	return contentclient.PayeeEvent{Sequence: p.EventSequence, UserID: *p.UserID, Provider: contentclient.PayeeEventProvider(p.Provider), AccountID: p.Ref,
		WalletID: p.WalletRef, State: contentclient.PayeeEventState(p.State), Needs: p.Needs.codes()}
}

// Merge makes the accounts of one person another's, who is the same, and tells the content service whose they are.
func (s *Service) Merge(ctx context.Context, from, into int64) error {
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		list, err := read(ctx, tx, `WHERE user_id = ? ORDER BY id FOR UPDATE`, from)
		for _, p := range list {
			if p.Ref != "" {
				p.UserID = &into
				p.EventSequence++
				err = events.AddPayee(ctx, tx, p.ID, p.event())
			}
			if err == nil {
				err = tx.WithContext(ctx).Exec(`UPDATE payees SET user_id = ?, event_sequence = ? WHERE id = ?`, into, p.EventSequence, p.ID).Error
			}
			if err != nil {
				return err
			}
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("merge creators' accounts: %w", err)
	}
	s.wakeEvents()
	return nil
}

// Erase forgets whose the accounts of a person are. What the law has the provider keep of them stays there.
func (s *Service) Erase(ctx context.Context, userID int64) error {
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		if err := forgetBanks(ctx, tx, userID, s.now()); err != nil {
			return err
		}
		return tx.WithContext(ctx).Exec(`UPDATE payees SET user_id = NULL WHERE user_id = ?`, userID).Error
	})
	if err != nil {
		return fmt.Errorf("forget a creator's accounts: %w", err)
	}
	return nil
}

var errNoProvider = errors.New("it is no provider that creators have accounts at")
