package settlements

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/provider"
)

// What was sent is taken back from the creator's own account at the provider when they owe us something, as far as it is still there.

// ReversalState of a row of transfer_reversals; constraint transfer_reversals_state has the same.
type ReversalState string

// The states.
const (
	ReversalOpen    ReversalState = "open"    // the provider is asked for it
	ReversalDone    ReversalState = "done"    // and has made it, or somebody has in its own pages
	ReversalRefused ReversalState = "refused" // and has not
	ReversalBurned  ReversalState = "burned"  // its key is of no use, and nothing was made by it
)

// ReversalEvent is what happens to one.
type ReversalEvent string

// The events.
const (
	ReversalAsked  ReversalEvent = "asked"
	ReversalMade   ReversalEvent = "made"
	ReversalDenied ReversalEvent = "denied"
	ReversalLost   ReversalEvent = "lost"
)

// reversalTransitions is which event leads from a state to which. What the provider has is believed before what it had answered.
//
//nolint:gochecknoglobals // a table
var reversalTransitions = map[ReversalState]map[ReversalEvent]ReversalState{
	"":              {ReversalAsked: ReversalOpen, ReversalMade: ReversalDone},
	ReversalOpen:    {ReversalMade: ReversalDone, ReversalDenied: ReversalRefused, ReversalLost: ReversalBurned},
	ReversalRefused: {ReversalMade: ReversalDone},
	ReversalBurned:  {ReversalMade: ReversalDone},
	ReversalDone:    {},
}

// NextReversal is the state after an event; false when the event cannot happen then.
func NextReversal(from ReversalState, e ReversalEvent) (ReversalState, bool) {
	to, can := reversalTransitions[from][e]
	return to, can
}

// Reversal is a row of transfer_reversals: a part of a run's transfer that was taken back, or is to be.
type Reversal struct {
	ID, RunID, Provider   string
	PayeeID               int64
	PayeeRef, TransferRef string
	Place                 string // of our balance, to which it comes
	CampaignID            *int64 // whose place that is, when it is another campaign's than the run's
	AmountMinor           int64
	Currency              money.Currency
	IsOurs                bool // asked for here
	State                 ReversalState
	Ref, Code             string
	PaidMinor             int64 // what of it has paid debts; the rest is payable to the creator again
	At                    time.Time
	BurnedAt, EndedAt     *time.Time
}

const reversalColumns = `id, run_id, provider, payee_id, payee_ref, transfer_ref, place, campaign_id, amount_minor, currency, is_ours, state, ref, code,
	paid_minor, at, burned_at, ended_at`

// ReversalsOf lists what was taken back of a run's transfer, or was to be.
func ReversalsOf(ctx context.Context, db *gorm.DB, runID string) (list []Reversal, err error) {
	err = db.WithContext(ctx).Raw(`SELECT `+reversalColumns+` FROM transfer_reversals WHERE run_id = ? ORDER BY at, id`, runID).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read what was taken back of run %s: %w", runID, err)
	}
	return list, nil
}

// tagOfReversal names ours in what is written on one at the provider.
const tagOfReversal = "reversal"

// order is what the provider is asked for; at is where the money lies.
func (v Reversal) order(at string) provider.ReversalOrder {
	return provider.ReversalOrder{Key: "settle:" + v.RunID + ":reversal:" + v.ID, Tag: url.Values{tagOfReversal: {v.ID}}.Encode(),
		Sent: provider.Sent{Transfer: v.TransferRef, Payee: v.PayeeRef, At: at, Since: v.At}, To: v.Place, Amount: money.New(v.AmountMinor, v.Currency)}
}

// reversalAgain is how long nothing is asked for of a run after the provider has refused, since what was not there is not there an hour later;
// reversalBefore the same before the run is paid out, since then it has just been seen there.
const (
	reversalAgain  = 24 * time.Hour
	reversalBefore = time.Hour
)

// sweepReversals asks about the one that waits longest, else it takes back what creators owe us, and returns of how many runs; 0 when nothing is to be
// done. A provider that fails stops no other's.
func (s *Service) sweepReversals(ctx context.Context) (n int, err error) {
	var due []Reversal
	now := s.Now()
	err = s.DB.WithContext(ctx).Raw(`UPDATE transfer_reversals SET next_at = CAST(@now AS timestamptz) + @lease * interval '1 second'
		WHERE id = (SELECT id FROM transfer_reversals WHERE next_at <= @now ORDER BY next_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING `+reversalColumns, map[string]any{"now": now, "lease": lease.Seconds()}).Scan(&due).Error
	if err != nil {
		return 0, fmt.Errorf("claim a reversal: %w", err)
	}
	if len(due) > 0 {
		return 1, s.reversing(ctx, due[0], false)
	}
	runs, err := read(ctx, s.DB, `WHERE state = 'sent' AND provider IN ? AND EXISTS (SELECT FROM ledger_accounts a
			WHERE a.name = 'creator_debt:' || settlement_runs.provider || ':' || payee_id AND a.currency = settlement_runs.currency AND `+ledger.BalanceSQL+` > 0)
		ORDER BY created_at, id`, append(s.canReverse(), ""))
	for _, r := range runs {
		began, failed := s.reverse(ctx, r, reversalAgain)
		if err = errors.Join(err, failed); began {
			n++
		}
	}
	return n, err
}

// canReverse are the providers that can take transfers back.
func (s *Service) canReverse() (names []string) {
	for name, p := range s.Providers {
		if _, can := p.(provider.Reversing); can {
			names = append(names, name)
		}
	}
	return names
}

// wanted is what of a run is to be taken back, and to where.
type wanted struct {
	Minor int64
	place
}

// place is one of our balance at a provider.
type place struct {
	Place      string
	CampaignID *int64 // whose it is, when it is another campaign's than the run's
}

// reversible is how much of a run that is on its creator's account pays what they owe us; 0 when nothing can be taken back, or was refused within a
// while. It goes to where the money of the oldest debt's charge was, and is for the debts of that place; to the run's own where that is no place of
// this account's. Within a transaction nobody else pays the debts until it ends.
func (s *Service) reversible(ctx context.Context, tx *gorm.DB, r Run, within time.Duration) (w wanted, err error) {
	if r.State != Sent || !slices.Contains(s.canReverse(), r.Provider) {
		return w, nil
	}
	var isRefused bool
	err = tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM transfer_reversals WHERE run_id = ? AND state = 'refused' AND ended_at > ?)`,
		r.ID, s.Now().Add(-within)).Scan(&isRefused).Error
	if err != nil {
		return w, fmt.Errorf("ask what was refused of run %s: %w", r.ID, err)
	}
	if isRefused {
		return w, nil
	}
	debts, err := debtsOf(ctx, tx, r.Provider, r.PayeeID, r.Currency)
	if err != nil || len(debts) == 0 {
		return w, err
	}
	var places []string
	err = tx.WithContext(ctx).Raw(`SELECT DISTINCT place FROM settlement_runs WHERE provider = ? AND payee_ref = ?`, r.Provider, r.PayeeRef).Scan(&places).Error
	if err != nil {
		return w, fmt.Errorf("read where money of account %s is: %w", r.PayeeRef, err)
	}
	for _, d := range debts {
		to := place{Place: r.Place}
		if d.Place != r.Place && slices.Contains(places, d.Place) {
			to = place{d.Place, &d.CampaignID}
		}
		if w.Place == "" {
			w.place = to
		}
		if to.Place == w.Place {
			w.Minor += d.Minor
		}
	}
	w.Minor = max(min(w.Minor, r.ToPayOut()), 0)
	return w, nil
}

// reverse takes back what the creator of a run owes us, as far as it is on their account and can be taken now, unless that was refused within a while.
// It reports whether it has asked.
func (s *Service) reverse(ctx context.Context, r Run, within time.Duration) (began bool, err error) {
	if wanted, err := s.reversible(ctx, s.DB, r, within); err != nil || wanted.Minor == 0 {
		return false, err
	}
	if isOff, err := s.off(ctx, r.Provider); err != nil || isOff {
		return false, err
	}
	held, err := s.balance(ctx, r, r.ToPlace, 1)
	var why stop
	switch {
	case errors.As(err, &why), errors.Is(err, provider.ErrNotFound): // nothing is there, or something is just on its way: it is looked at again
		return false, nil
	case err != nil:
		return false, err
	}
	v := Reversal{}
	err = s.locked(ctx, r.ID, func(tx *gorm.DB, now *Run) (err error) {
		v = Reversal{}
		wanted, err := s.reversible(ctx, tx, *now, within)
		if err != nil || wanted.Minor == 0 {
			return err
		}
		if err := s.alone(ctx, tx, *now); err != nil {
			return err
		}
		sent, err := movesOf(ctx, tx, `WHERE run_id = ? AND kind = ? AND state = ?`, now.ID, moveTransfer, moveDone)
		if err != nil || len(sent) == 0 {
			return err
		}
		one := Reversal{ID: ids.New(), RunID: now.ID, Provider: now.Provider, PayeeID: now.PayeeID, PayeeRef: now.PayeeRef, TransferRef: sent[0].Ref,
			Place: wanted.Place, CampaignID: wanted.CampaignID, AmountMinor: min(wanted.Minor, held.Available.Minor, sent[0].AmountMinor-now.ReversedMinor),
			Currency: now.Currency, IsOurs: true, State: ReversalOpen, At: s.Now()}
		if one.AmountMinor <= 0 {
			return nil
		}
		v = one
		return insertReversal(ctx, tx, v, s.in(lease))
	})
	if errors.As(err, &why) {
		return false, nil
	}
	if err != nil || v.ID == "" {
		return false, err
	}
	return true, s.reversing(ctx, v, true)
}

func insertReversal(ctx context.Context, tx *gorm.DB, v Reversal, next *time.Time) error {
	err := tx.WithContext(ctx).Exec(`INSERT INTO transfer_reversals (id, run_id, provider, payee_id, payee_ref, transfer_ref, place, campaign_id, amount_minor,
			currency, is_ours, state, ref, at, next_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		v.ID, v.RunID, v.Provider, v.PayeeID, v.PayeeRef, v.TransferRef, v.Place, v.CampaignID, v.AmountMinor, v.Currency, v.IsOurs, v.State, v.Ref, v.At, next, v.EndedAt).Error
	if err != nil {
		return fmt.Errorf("write what is taken back of run %s: %w", v.RunID, err)
	}
	return nil
}

// reversing asks the provider for a reversal, or what has become of it, and books that.
func (s *Service) reversing(ctx context.Context, v Reversal, isFirst bool) error {
	p, can := s.Providers[v.Provider].(provider.Reversing)
	if !can { // it has no key now: what was asked for is looked for when it has one again
		return s.reversalLater(ctx, v, again)
	}
	list, err := read(ctx, s.DB, `WHERE id = ?`, v.RunID)
	if err != nil || len(list) == 0 {
		return err
	}
	order := v.order(list[0].ToPlace)
	out, isOver, err := s.called(call{burnedAt: v.BurnedAt,
		make: func() (provider.Outgoing, error) { return p.Reverse(ctx, order) },
		find: func() (*provider.Outgoing, error) {
			list, err := p.Reversals(ctx, order.Sent)
			if at := slices.IndexFunc(list, func(one provider.Reversal) bool { return one.Tag == order.Tag }); at >= 0 {
				return &list[at].Outgoing, err
			}
			return nil, err //nolint:wrapcheck // the provider's say all
		},
		burn: func() error {
			return s.DB.WithContext(ctx).Exec(`UPDATE transfer_reversals SET burned_at = coalesce(burned_at, ?) WHERE id = ? AND state = 'open'`, s.Now(), v.ID).Error
		}}, isFirst)
	var no unsent
	if err != nil && !errors.As(err, &no) {
		return errors.Join(err, s.reversalLater(ctx, v, afterFault))
	}
	return s.locked(ctx, v.RunID, func(tx *gorm.DB, r *Run) error {
		switch {
		case no.reason == Need:
			return s.endReversal(ctx, tx, v, ReversalDenied, no.detail)
		case no.reason != "":
			return s.endReversal(ctx, tx, v, ReversalDenied, string(no.reason))
		case isOver:
			return s.endReversal(ctx, tx, v, ReversalLost, "")
		case out == nil || out.State == provider.OutgoingPending:
			return s.reversalLater(ctx, v, afterFault)
		case out.State == provider.OutgoingRefused:
			return s.endReversal(ctx, tx, v, ReversalDenied, out.Code)
		}
		return s.reversed(ctx, tx, r, v, *out)
	})
}

// reversalLater has one be asked about again.
func (s *Service) reversalLater(ctx context.Context, v Reversal, after time.Duration) error {
	err := s.DB.WithContext(ctx).Exec(`UPDATE transfer_reversals SET next_at = ? WHERE id = ? AND state = 'open'`, s.Now().Add(after), v.ID).Error
	if err != nil {
		return fmt.Errorf("plan reversal %s: %w", v.ID, err)
	}
	return nil
}

// endReversal writes that one was not made, unless it is over already.
func (s *Service) endReversal(ctx context.Context, tx *gorm.DB, v Reversal, e ReversalEvent, code string) error {
	to, can := NextReversal(ReversalOpen, e)
	if !can {
		return fmt.Errorf("%s of reversal %s: %w", e, v.ID, ErrNotThen)
	}
	err := tx.WithContext(ctx).Exec(`UPDATE transfer_reversals SET state = ?, code = ?, ended_at = ?, next_at = NULL WHERE id = ? AND state = ?`,
		to, code, s.Now(), v.ID, ReversalOpen).Error
	if err != nil {
		return fmt.Errorf("end reversal %s: %w", v.ID, err)
	}
	return nil
}
