package audit

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// posted is a movement of our balance at the provider: the one that a line requires, or the one that the ledger has.
type posted struct {
	kind, reference, account, currency string
	minor                              int64 // added to our balance
}

// key identifies a movement independently of its sum.
func (p posted) key() string { return p.kind + " " + p.reference }

// of is the kind of ledger movement that a line stands for. An adjustment says in its category whether it is a
// dispute's money or a refund that failed (docs.stripe.com/reports/balance-transaction-types).
func (l line) of() string {
	switch l.Type {
	case "charge", "payment":
		return "charge"
	case "refund", "payment_refund":
		return "refund"
	case "refund_failure", "payment_failure_refund":
		return "refund_failed"
	case "payout":
		return "our_payout"
	case "payout_failure", "payout_cancel":
		return "our_payout_failed"
	case "topup":
		return "top_up"
	case "transfer":
		return "transfer"
	case "transfer_refund":
		return "transfer_reversed"
	}
	switch l.Category {
	case "dispute", "dispute_reversal":
		return "dispute"
	case "refund_failure":
		return "refund_failed"
	}
	return "unexplained"
}

// charge is the charge whose money a line moves, "" for none.
func (l line) charge() string {
	if l.of() == "charge" {
		return l.Source.ID
	}
	return l.Source.Is.Charge
}

// isBackers tells that a line is a backer's money; other lines are booked by the daily pass.
func (l line) isBackers() bool {
	switch l.of() {
	case "charge", "refund", "refund_failed", "dispute":
		return true
	}
	return false
}

// movements are those that the ledger must have of a line: its amount, and separately its fee.
func (l line) movements() []posted {
	kind, reference := l.of(), l.Source.ID
	feeKind, feeReference := "other_fee", l.ID // a fee that no other object of the provider states is known by its line
	amount, fee := l.Amount, -l.Fee
	if fee > 0 {
		feeKind = "other_fee_returned"
	}
	switch {
	case kind == "charge" && fee < 0:
		feeKind, feeReference = "provider_fee", l.Source.ID
	case kind == "dispute": // has several lines, so the line's id is the movement's reference
		kind, feeKind, reference = "dispute_opened", "dispute_fee", l.ID
		if amount > 0 {
			kind = "dispute_won"
		}
		if fee > 0 {
			feeKind = "dispute_fee_returned"
		}
	case kind == "unexplained":
		reference, amount, fee = l.ID, amount+fee, 0
		if amount < 0 {
			kind = "unexplained_out"
		}
	}
	account, currency := clearing+":"+providerName+":main", strings.ToUpper(l.Currency)
	var out []posted
	if amount != 0 {
		out = append(out, posted{kind, reference, account, currency, amount})
	}
	if fee != 0 {
		out = append(out, posted{feeKind, feeReference, account, currency, fee})
	}
	return out
}

// isForeign tells that a line is another system's: its charge's payment is not ours.
func (s *snapshot) isForeign(l line) bool { return l.isBackers() && !s.isOurs(l.Source.Is.Intent) }

// isEarly tells that a movement that is known by its line alone is not booked yet, and is younger than a daily pass.
func (s *snapshot) isEarly(l line, p posted) bool {
	isSent := l.of() == "transfer" || l.of() == "transfer_reversed" // which a run books, or is booked with what takes it back
	return (!l.isBackers() && !isSent || strings.HasPrefix(p.kind, "other_fee")) && !s.booked[p.key()] && time.Unix(l.Created,
		0).After(s.now.Add(-dayGrace))
}

// due are the movements of a line that the ledger must have by now.
func (s *snapshot) due(l line) []posted {
	if s.isForeign(l) {
		return nil
	}
	return slices.DeleteFunc(l.movements(), func(p posted) bool { return s.isEarly(l, p) })
}

// sameLines compares every line of our balance with the ledger, by the kind and the reference of the movement, its
// account, sum and currency; and every movement of the ledger with the lines.
func sameLines(s *snapshot, found func(format string, args ...any)) {
	theirs := map[string]posted{}
	for _, l := range s.lines {
		for _, p := range s.due(l) {
			if other, twice := theirs[p.key()]; twice {
				found("the provider has two lines for %s: %d and %d", p.key(), other.minor, p.minor)
			}
			theirs[p.key()] = p
		}
	}
	for _, m := range s.movements {
		for _, l := range m.legs {
			if l.class != clearing || m.provider != providerName {
				continue
			}
			got := posted{m.kind, m.reference, l.account, m.currency, l.minor}
			want, there := theirs[got.key()]
			delete(theirs, got.key())
			if !there {
				found("%s moved our balance by %d %s, and the provider has no such line", m, l.minor, m.currency)
			} else if got != want {
				found("%s moved %s by %d %s, at the provider %s by %d %s", m, got.account, got.minor, got.currency, want.account,
					want.minor, want.currency)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(theirs)) {
		found("the provider moved our balance by %d %s for %s, which the ledger has not", theirs[key].minor,
			theirs[key].currency, key)
	}
}

// sameBalance compares the sum of all lines, by currency, with the account that stands for our balance.
func sameBalance(s *snapshot, found func(format string, args ...any)) {
	theirs, ours := map[string]int64{}, map[string]int64{}
	for _, l := range s.lines {
		for _, p := range s.due(l) {
			theirs[p.currency] += p.minor
		}
	}
	for _, m := range s.movements {
		for _, l := range m.legs {
			if l.account == clearing+":"+providerName+":main" {
				ours[m.currency] += l.minor
			}
		}
	}
	all := maps.Clone(theirs)
	maps.Copy(all, ours)
	for _, currency := range slices.Sorted(maps.Keys(all)) {
		if theirs[currency] != ours[currency] {
			found("our balance is %d %s, the ledger says %d", theirs[currency], currency, ours[currency])
		}
	}
}

// samePayouts compares what the provider has sent to our bank with the ledger.
func samePayouts(s *snapshot, found func(format string, args ...any)) {
	sent, returned := map[string]movement{}, map[string]movement{}
	for _, m := range s.movements {
		if m.provider != providerName {
			continue
		}
		switch m.kind {
		case "our_payout":
			sent[m.reference] = m
		case "our_payout_failed":
			returned[m.reference] = m
		}
	}
	for _, p := range s.payouts {
		m, there := sent[p.ID]
		_, isBack := returned[p.ID]
		delete(sent, p.ID)
		isEarly := time.Unix(p.Created, 0).After(s.now.Add(-dayGrace))
		if !there && isEarly {
			continue
		}
		if m.amount != p.Amount || !sameCurrency(m.currency, p.Currency) {
			found("payout %s sent %d %s, the ledger says %d %s", p.ID, p.Amount, p.Currency, m.amount, m.currency)
		}
		if failed := p.Status == "failed" || p.Status == "canceled"; failed != isBack && (isBack || !s.justFailed(p)) {
			found("payout %s is %s, in the ledger it came back: %t", p.ID, p.Status, isBack)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(sent)) {
		found("payout %s of %d %s is not at the provider", id, sent[id].amount, sent[id].currency)
	}
}

// justFailed tells that a payout has come back so recently that the daily pass need not have booked it.
func (s *snapshot) justFailed(p payout) bool {
	return slices.ContainsFunc(s.lines,
		func(l line) bool { return l.of() == "our_payout_failed" && l.Source.ID == p.ID && len(s.due(l)) == 0 })
}
