package reconcile

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// slack is how far the two clocks may be apart before a movement counts as missing.
const slack = 15 * time.Minute

// Lines compares the movements of [from, to) on both sides, after it has taken up what the lines tell and the book has
// not. A movement that is only minutes from an end of the window is not missed on the other side. Differences that an
// earlier pass found, and that are none now, are mended.
func (s *Service) Lines(ctx context.Context, p Provider, from, to time.Time) (found Found, err error) {
	found, _, err = s.lines(ctx, p, from, to)
	return found, err
}

// lines gives what another system moved as well.
func (s *Service) lines(ctx context.Context, p Provider, from, to time.Time) (found Found, foreign map[movement]bool, err error) {
	theirs, inside := map[movement]money.Amount{}, map[movement]bool{}
	foreign = map[movement]bool{}
	creators, err := s.ownPlaces(ctx, p.Name())
	if err != nil {
		return found, foreign, err
	}
	err = inBatches(func(fn func(provider.Line) error) error {
		return p.EachLine(ctx, from.Add(-slack), to.Add(slack), fn)
	},
		func(batch []provider.Line) error {
			known, err := s.known(ctx, p, batch)
			if err != nil {
				return err
			}
			for _, l := range batch {
				if creators[l.Place] {
					continue
				}
				if l.Kind == provider.LineTransferBack && l.From != "" && !creators[l.From] { // it came from elsewhere
					l.Kind = provider.LineOther
				}
				alien, err := s.takeIn(ctx, p, l, known)
				if err != nil {
					return err
				}
				for m, amount := range movements(l) {
					if alien {
						foreign[m] = true
						continue
					}
					amount.Minor += theirs[m].Minor // summed, so that a movement that the provider lists twice differs
					theirs[m] = amount
					inside[m] = !l.Happened.Before(from) && l.Happened.Before(to)
				}
			}
			return nil
		})
	if err != nil {
		return found, foreign, err
	}
	differing, err := s.compare(ctx, p, theirs, inside, from, to)
	found.Differ, found.Foreign = len(differing), len(foreign)
	if err != nil {
		return found, foreign, err
	}
	return found, foreign, s.mend(ctx, p, theirs, differing, from, to)
}

// ownPlaces are creators' own accounts at a provider: what moves there is theirs, and package settlements compares what they have.
func (s *Service) ownPlaces(ctx context.Context, name string) (map[string]bool, error) {
	var list []string
	err := s.db.WithContext(ctx).Raw(`SELECT wallet_ref FROM payees WHERE provider = ? AND wallet_ref <> ''`, name).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read creators' own accounts at %s: %w", name, err)
	}
	out := make(map[string]bool, len(list))
	for _, place := range list {
		out[place] = true
	}
	return out, nil
}

// known are the movements of a batch that the book has with the provider's sum.
func (s *Service) known(ctx context.Context, p Provider, batch []provider.Line) (
	map[movement]money.Amount, error) {
	var references []string
	for _, l := range batch {
		for m := range movements(l) {
			references = append(references, m.reference)
		}
	}
	posted, err := ledger.Find(ctx, s.db, p.Name(), references)
	out := map[movement]money.Amount{}
	for _, m := range posted {
		out[inBook(m)] = m.Amount
	}
	return out, err
}

// takeIn sees to a line that the book does not have, and says whether it is another system's. What is a backer's money
// is taken up by its payment; what is nobody's is booked here.
func (s *Service) takeIn(ctx context.Context, p Provider, l provider.Line, known map[movement]money.Amount) (
	foreign bool, err error) {
	missing := false
	for m := range movements(l) {
		_, there := known[m]
		missing = missing || !there
	}
	if !missing {
		return false, nil
	}
	switch l.Kind {
	case provider.LinePayout, provider.LinePayoutFailed, provider.LineTopUp, provider.LineOther:
	case provider.LineTransferBack: // whose hook was lost
		if l.Money != "" {
			if err := s.reversed(ctx, p.Name(), l.Money); err != nil {
				s.log.WarnContext(ctx, "line not taken up", "line", l.Ref, "source", l.Source, "error", err)
			}
		}
		return false, nil
	case provider.LineTransfer, provider.LineTransferFee: // booked by the run that sent it: what no run knows stays a difference
		return false, nil
	case provider.LineCharge, provider.LineRefund, provider.LineRefundFailed, provider.LineDispute, provider.LineReturned, provider.LineMove:
		money := l.Money
		if money == "" && l.Kind == provider.LineRefund {
			if money, err = p.MoneyOf(ctx, provider.AboutRefund, l.Source); err != nil && !errors.Is(err, provider.ErrNotFound) {
				return false, fmt.Errorf("find the payment of line %s: %w", l.Ref, err)
			}
		}
		payment, found, err := s.payments.FindByRef(ctx, p.Name(), money)
		if err != nil || !found && !l.Tag.IsOurs() && !l.IsBrief {
			return err == nil, err
		}
		signal := payments.SignalMoneySweep
		if l.Kind == provider.LineDispute || l.Kind == provider.LineReturned || l.Kind == provider.LineMove {
			signal = payments.SignalDispute
		}
		if found {
			_, err = s.payments.AdvanceFound(ctx, payment, signal, money)
		} else {
			foreign, err = s.payments.ReconcileByRef(ctx, p.Name(), money, signal)
		}
		if err == nil && foreign {
			return true, nil
		}
		if err != nil {
			s.log.WarnContext(ctx, "line not taken up", "line", l.Ref, "source", l.Source, "error", err)
		}
	}
	// One odd line keeps no other from being compared: the comparison tells.
	if err := s.bookOurs(ctx, p, l); err != nil {
		s.log.WarnContext(ctx, "line not booked", "line", l.Ref, "raw", l.Raw, "error", err)
	}
	return false, nil
}

// bookOurs books what only the line tells. What no rule knows goes to suspense, and an operator explains it.
func (s *Service) bookOurs(ctx context.Context, p Provider, l provider.Line) error {
	now := s.now()
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		for m, amount := range movements(l) {
			if !bookedHere(m.kind) {
				continue
			}
			if amount.Minor < 0 {
				amount.Minor = -amount.Minor
			}
			isNew, err := ledger.Post(ctx, tx, ledger.Movement{
				Kind: m.kind, Provider: p.Name(), Reference: m.reference, Place: m.place, Amount: amount, Happened: l.Happened, Booked: now,
				Note: l.Raw,
			})
			if err != nil {
				return err
			}
			if !isNew || m.kind != ledger.Unexplained && m.kind != ledger.UnexplainedOut {
				continue
			}
			if _, err := anomalies.Open(ctx, tx, anomalies.Anomaly{
				Kind: anomalies.LedgerDifference, Provider: p.Name(), Reference: m.String(),
				Detail: map[string]string{"theirs": amount.String(), "is": l.Raw, "source": l.Source, "booked": "in suspense"},
			}, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("book line %s: %w", l.Ref, err)
	}
	return nil
}

// compare compares each movement of the window on both sides.
func (s *Service) compare(ctx context.Context, p Provider, theirs map[movement]money.Amount,
	inside map[movement]bool, from, to time.Time) (map[movement]bool, error) {
	ours := map[movement]money.Amount{}
	references := make([]string, 0, len(theirs))
	for m := range theirs {
		references = append(references, m.reference)
	}
	for start := 0; start < len(references); start += lookup {
		posted, err := ledger.Find(ctx, s.db, p.Name(), references[start:min(start+lookup, len(references))])
		if err != nil {
			return nil, err
		}
		for _, m := range posted {
			ours[inBook(m)] = m.Amount
		}
	}
	wanted := map[movement]bool{}
	for m, in := range inside {
		if in {
			wanted[m] = true
		}
	}
	inWindow, err := ledger.Movements(ctx, s.db, p.Name(), from.Add(slack), to.Add(-slack))
	if err != nil {
		return nil, err
	}
	for _, m := range inWindow {
		ours[inBook(m)], wanted[inBook(m)] = m.Amount, true
	}
	differing := map[movement]bool{}
	for m := range wanted {
		if ours[m] == theirs[m] {
			continue
		}
		differing[m] = true
		isNew, err := anomalies.Open(ctx, s.db, anomalies.Anomaly{
			Kind: anomalies.LedgerDifference, Provider: p.Name(), Reference: m.String(),
			Detail: map[string]string{"ours": ours[m].String(), "theirs": theirs[m].String(), foundFrom: from.UTC().Format(time.RFC3339)},
		}, s.now())
		if err != nil {
			return nil, err
		}
		if isNew {
			s.log.ErrorContext(ctx, "the book and the provider differ", "provider", p.Name(), "movement", m.String(), "ours",
				ours[m].String(), "theirs", theirs[m].String())
		}
	}
	return differing, nil
}

// mend closes the differences that are none any more: both sides have the movement and agree. Of one that is older than
// the window theirs is what it was, as no line changes. What stands in suspense is left to a person.
func (s *Service) mend(ctx context.Context, p Provider, theirs map[movement]money.Amount,
	differing map[movement]bool, from, to time.Time) error {
	open, err := anomalies.OpenOf(ctx, s.db, anomalies.LedgerDifference, p.Name())
	if err != nil {
		return err
	}
	for _, a := range open {
		m := movementOf(a.Reference)
		if a.Detail["booked"] != "" || differing[m] {
			continue
		}
		told := a.Detail["theirs"]
		if amount, there := theirs[m]; there {
			told = amount.String()
		}
		posted, err := ledger.Find(ctx, s.db, p.Name(), []string{m.reference})
		if err != nil {
			return err
		}
		for _, one := range posted {
			if inBook(one) != m || one.Amount.String() != told {
				continue
			}
			if err := anomalies.Mend(ctx, s.db, a.Kind, a.Provider, a.Reference, "both sides agree now", s.now()); err != nil {
				return err
			}
		}
	}
	return nil
}
