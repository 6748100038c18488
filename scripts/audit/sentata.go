package audit

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
)

// sentAtA is money on its way to creators at provider A, by what the payment service has and what the provider has.
type sentAtA struct {
	moves     []moveAtA
	back      []backAtA
	banksAtA  []payeeBank
	transfers []transferAtA
	payoutsTo []payoutAtA
	has       map[string]int64 // what accounts that we may read have, in cents
}

// moveAtA is what was asked of provider A for a run.
type moveAtA struct {
	Run, Kind, State, Ref, Account, Destination, Currency string
	Minor                                                 int64
}

// backAtA is what was taken back of a transfer, or is to be, as we have it.
type backAtA struct {
	ID, Transfer, State, Ref, Currency string
	Minor                              int64
}

const (
	backAtASQL = `SELECT id, transfer_ref, state, ref, currency, amount_minor FROM transfer_reversals WHERE provider = 'stripe' ORDER BY id`

	movesAtASQL = `SELECT run_id, kind, state, ref, payee_ref, destination, currency, amount_minor FROM settlement_moves WHERE provider = 'stripe' ORDER BY at, run_id, kind, try`
	banksAtASQL = `SELECT b.id, y.ref, b.ref, b.state, b.name_check, b.country, b.last_four FROM payee_banks b JOIN payees y ON y.id = b.payee_id
		WHERE y.provider = 'stripe' ORDER BY b.id`
)

func (s *snapshot) readMovesAtA(ctx context.Context, payments querier) (err error) {
	if s.moves, err = rows[moveAtA](ctx, payments, "transfers and payouts at provider A", movesAtASQL); err != nil {
		return err
	}
	if s.back, err = rows[backAtA](ctx, payments, "what was taken back at provider A", backAtASQL); err != nil {
		return err
	}
	s.banksAtA, err = rows[payeeBank](ctx, payments, "creators' bank accounts at provider A", banksAtASQL)
	return err
}

type transferAtA struct {
	ID, Currency, Destination string
	Amount                    int64
	Reversed                  int64  `json:"amount_reversed"`
	Group                     string `json:"transfer_group"`
	Metadata                  map[string]string

	back []reversalAtA
}

type reversalAtA struct {
	ID, Transfer, Currency string
	Amount                 int64
}

type payoutAtA struct {
	ID, Currency, Status, Destination string
	Amount                            int64
	Metadata                          map[string]string
	account                           string
}

// readSentAtA reads transfers, and of each account of ours that can be read its payouts and what it has.
func (s *snapshot) readSentAtA(ctx context.Context, c caller) (err error) {
	if s.transfers, err = listAll(ctx, c, "/v1/transfers", func(t transferAtA) string { return t.ID }); err != nil {
		return err
	}
	for i, t := range s.transfers {
		if t.Reversed > 0 {
			if s.transfers[i].back, err = listAll(ctx, c, "/v1/transfers/"+t.ID+"/reversals", func(r reversalAtA) string { return r.ID }); err != nil {
				return err
			}
		}
	}
	s.has = map[string]int64{}
	for _, o := range s.allOwners {
		if o.Provider != providerName || o.Ref == "" || !slices.ContainsFunc(s.payeesAtA, func(a payeeAtA) bool { return a.ID == o.Ref }) {
			continue
		}
		of := c
		of.account = o.Ref
		list, err := listAll(ctx, of, "/v1/payouts", func(p payoutAtA) string { return p.ID })
		if err != nil {
			return err
		}
		for _, p := range list {
			p.account = o.Ref
			s.payoutsTo = append(s.payoutsTo, p)
		}
		var balance struct {
			Available, Pending []struct {
				Currency string
				Amount   int64
			}
		}
		if err := of.get(ctx, "/v1/balance", &balance); err != nil {
			return err
		}
		for _, one := range slices.Concat(balance.Available, balance.Pending) {
			if one.Currency == "eur" {
				s.has[o.Ref] += one.Amount
			}
		}
	}
	return nil
}

var sentAtAChecks = []comparison{
	{"a transfer at provider A is what a run has sent", sameTransfersAtA},
	{"what was taken back at provider A is here as it is there", sameReversalsAtA},
	{"a payout at provider A is what a run has paid out", samePayoutsAtA},
	{"creators have at provider A what the ledger says", sameCustodyAtA},
	{"a creator's bank account is as provider A has it", sameBanksAtA},
}

// settlementTag is what we write on what a run sends: the run and its try.
const settlementTag = "settlement"

func taggedRun(metadata map[string]string) string {
	tag, _ := url.ParseQuery(metadata[settlementTag])
	return tag.Get("settlement")
}

// sameTransfersAtA compares each transfer of ours with the run that has sent it.
func sameTransfersAtA(s *snapshot, found func(format string, args ...any)) {
	byRef := map[string]moveAtA{}
	for _, m := range s.moves {
		if m.Kind == "transfer" && m.State == "done" {
			byRef[m.Ref] = m
		}
	}
	back := int64(0)
	for _, m := range s.movements {
		if m.provider == providerName && m.kind == "transfer_reversed" {
			back += m.amount
		}
	}
	for _, t := range s.transfers {
		m, known := byRef[t.ID]
		delete(byRef, t.ID)
		run := taggedRun(t.Metadata)
		switch {
		case !known && run == "": // another system's
		case !known:
			found("transfer %s of %d %s to %s is of run %s, which has not sent it", t.ID, t.Amount, t.Currency, t.Destination, run)
		case t.Amount != m.Minor || !sameCurrency(m.Currency, t.Currency) || t.Destination != m.Destination || t.Destination != m.Account || t.Group != m.Run || run != m.Run:
			found("transfer %s is of %d %s to %s for %s (%s), run %s has sent %d %s to %s", t.ID, t.Amount, t.Currency, t.Destination, t.Group, run, m.Run, m.Minor, m.Currency,
				m.Destination)
		}
		if known {
			back -= t.Reversed
		}
	}
	if back != 0 {
		found("what came back of transfers differs by %d from what the ledger has", back)
	}
	for _, ref := range slices.Sorted(maps.Keys(byRef)) {
		found("transfer %s of run %s is not there", ref, byRef[ref].Run)
	}
}

// sameReversalsAtA compares what was taken back of each transfer of ours, by us or in the provider's own pages.
func sameReversalsAtA(s *snapshot, found func(format string, args ...any)) {
	ours, byRef := map[string]bool{}, map[string]backAtA{}
	for _, m := range s.moves {
		ours[m.Ref] = ours[m.Ref] || m.Kind == "transfer" && m.State == "done"
	}
	for _, b := range s.back {
		if b.State == "done" {
			byRef[b.Ref] = b
		}
	}
	for _, t := range s.transfers {
		if !ours[t.ID] {
			continue
		}
		sum := int64(0)
		for _, r := range t.back {
			sum += r.Amount
			b, known := byRef[r.ID]
			delete(byRef, r.ID)
			switch {
			case !known:
				found("reversal %s of %d %s of transfer %s is not here", r.ID, r.Amount, r.Currency, t.ID)
			case b.Minor != r.Amount || b.Transfer != t.ID || !sameCurrency(b.Currency, r.Currency):
				found("reversal %s is of %d %s of transfer %s, here of %d %s of %s", r.ID, r.Amount, r.Currency, t.ID, b.Minor, b.Currency, b.Transfer)
			}
		}
		if sum != t.Reversed {
			found("transfer %s says that %d were taken back, its reversals %d", t.ID, t.Reversed, sum)
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(byRef)) {
		found("reversal %s of %d of transfer %s is not there", ref, byRef[ref].Minor, byRef[ref].Transfer)
	}
}

// samePayoutsAtA compares each payout of a creator's account with the run that has asked for it.
func samePayoutsAtA(s *snapshot, found func(format string, args ...any)) {
	states := map[string][]string{"pending": {"open"}, "in_transit": {"open"}, "paid": {"done", "open"}, "failed": {"refused", "returned"}, "canceled": {"refused", "returned"}}
	byRef := map[string]moveAtA{}
	for _, m := range s.moves {
		if m.Kind == "payout" && m.Ref != "" {
			byRef[m.Ref] = m
		}
	}
	for _, p := range s.payoutsTo {
		m, known := byRef[p.ID]
		delete(byRef, p.ID)
		switch {
		case !known:
			found("payout %s of %d %s from %s is of no run", p.ID, p.Amount, p.Currency, p.account)
		case p.Amount != m.Minor || !sameCurrency(m.Currency, p.Currency) || p.account != m.Account || p.Destination != m.Destination || taggedRun(p.Metadata) != m.Run:
			found("payout %s is of %d %s from %s to %s, run %s has asked for %d %s from %s to %s", p.ID, p.Amount, p.Currency, p.account, p.Destination, m.Run, m.Minor,
				m.Currency, m.Account, m.Destination)
		case !slices.Contains(states[p.Status], m.State):
			found("payout %s of run %s is %s, there it is %s", p.ID, m.Run, m.State, p.Status)
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(byRef)) {
		if _, isRead := s.has[byRef[ref].Account]; isRead {
			found("payout %s of run %s is not there", ref, byRef[ref].Run)
		}
	}
}

// sameCustodyAtA compares what creators' accounts have with the ledger: what is on its way to a bank has left there, and not here.
func sameCustodyAtA(s *snapshot, found func(format string, args ...any)) {
	theirs, ours, unread := map[string]int64{}, map[string]int64{}, map[string]bool{}
	for _, o := range s.allOwners {
		if o.Provider != providerName || o.Ref == "" {
			continue
		}
		name := "at_creator:" + providerName + ":" + strconv.FormatInt(o.Number, 10)
		minor, isRead := s.has[o.Ref]
		theirs[name] += minor
		unread[name] = unread[name] || !isRead
		for _, m := range s.moves {
			if m.Kind == "payout" && m.State == "open" && m.Ref != "" && m.Account == o.Ref {
				theirs[name] += m.Minor
			}
		}
	}
	for _, m := range s.movements {
		for _, l := range m.legs {
			if l.class == "at_creator" && m.provider == providerName {
				ours[l.account] += l.minor
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		if !unread[name] && theirs[name] != ours[name] {
			found("%s is %d, the account has %d", name, ours[name], theirs[name])
		}
	}
}

// sameBanksAtA requires that the bank account that is in use here is the one to which provider A pays an account's euros out, and none without one.
func sameBanksAtA(s *snapshot, found func(format string, args ...any)) {
	active := map[string]payeeBank{}
	for _, b := range s.banksAtA {
		if b.State == "active" {
			active[b.Payee] = b
		}
	}
	for _, o := range s.allOwners {
		at := slices.IndexFunc(s.payeesAtA, func(a payeeAtA) bool { return a.ID == o.Ref })
		if o.Provider != providerName || o.Ref == "" || at < 0 || o.User == 0 {
			continue
		}
		is, has := s.payeesAtA[at].paysTo()
		b, known := active[o.Ref]
		if has != known || has && (is.ID != b.Ref || is.Country != b.Country || is.Last4 != b.LastFour) {
			found("account %s is paid out to %s (%s %s), here it is %s (%s %s)", o.Ref, is.ID, is.Country, is.Last4, b.Ref, b.Country, b.LastFour)
		}
	}
}
