package audit

import (
	"maps"
	"slices"
)

// serviceChecks compare the two services with each other, and the ledger with its rules.
var serviceChecks = []comparison{
	{"each movement posts what its rule says", replay},
	{"pledge and payment agree", agree},
	{"further charges and their payments agree", agreeRaises},
	{"a payment's order is its pledge's", sameOrder},
	{"pledge and payment have the same refunded", sameRefunds},
	{"the inbox has every event, once", inbox},
	{"the inbox says what became of payments", inboxTells},
	{"a campaign's funds are what its pledges reached", fundsReached},
	{"what backers took back goes back", takenBack},
}

// fits lists by pledge status the payment statuses that agree with it when no event is pending; "" is no payment.
var fits = map[string][]string{
	"created":          {""},
	"awaiting_payment": {"created", "requires_action"},
	"processing":       {"processing"},
	"paid":             {"succeeded"},
	"partly_refunded":  {"partly_refunded"},
	"refunded":         {"refunded"},
	"disputed":         {"disputed"},
	// What was taken back is paid until its money is back, or its bank still confirms it.
	"withdrawn": {"processing", "succeeded", "partly_refunded", "disputed"},
	"failed":    {"failed", "canceled"},
	// What a bank decides about a pledge that had expired by then does not change the pledge.
	"expired": {"", "created", "requires_action", "processing", "canceled", "failed"},
}

// fitsRefused lists by payment status the pledge statuses that agree with it when the content service refused the
// money: it is refunded, unless a dispute has taken it, and until then the pledge keeps its status.
var fitsRefused = map[string][]string{
	"succeeded":       {"created", "awaiting_payment", "processing", "failed", "expired", "withdrawn"},
	"disputed":        {"created", "awaiting_payment", "processing", "failed", "expired", "withdrawn", "refunded"},
	"partly_refunded": {"withdrawn", "refunded"},
	"refunded":        {"refunded"},
}

const stageFunding = 2

// bySubject is the payment of each pledge, and of each raise.
func (s *snapshot) bySubject() map[string]payment {
	out := map[string]payment{}
	for _, p := range s.payments {
		if p.Kind == "pledge" {
			out[p.Subject] = p
		}
	}
	return out
}

// isRefused tells that the content service refused a payment's money.
func (s *snapshot) isRefused(p payment) bool {
	return slices.ContainsFunc(s.events[p.ID], func(e event) bool {
		return e.Type == "payment.succeeded" && (e.Outcome == "reward_gone" || e.Outcome == "pledge_closed")
	})
}

func agree(s *snapshot, found func(format string, args ...any)) {
	payments := s.bySubject()
	for _, id := range slices.Sorted(maps.Keys(s.pledges)) {
		p := s.pledges[id]
		other, begun := payments[id]
		delete(payments, id)
		if further := s.further(id); len(further) > 0 {
			other.Status = s.joined(other, further, s.bySubject())
		}
		switch refused := begun && s.isRefused(other); {
		case refused && !slices.Contains(fitsRefused[other.Status], p.Status),
			refused && other.Status == "succeeded" && !s.goesBack(other):
			found("pledge %s is %s, its payment %s is %s and was refused", id, p.Status, other.ID, other.Status)
		case refused:
		// In a campaign that is not open a pledge stays as it is while a bank processes its payment.
		case p.Status == "awaiting_payment" && p.Stage != stageFunding && (other.Status == "processing" ||
			other.Status == "failed"):
		case p.Status == "paid" && p.ChangeRefunded > 0 && other.Status == "partly_refunded": // what it comes to now is all there
		case p.Status == "refunded" && p.Refunded == p.Amount && p.Amount < p.Charged && other.Status == "disputed": // a bank has some of the difference
		case !slices.Contains(fits[p.Status], other.Status):
			found("pledge %s is %s, its payment %s is %q", id, p.Status, other.ID, other.Status)
		}
		if p.PaymentID != "" && p.PaymentID != other.ID {
			found("pledge %s names payment %s, its payment is %q", id, p.PaymentID, other.ID)
		}
	}
	for id, p := range payments {
		if _, is := s.raises[id]; !is {
			found("payment %s is of pledge %s, which is not there", p.ID, id)
		}
	}
}

// goesBack tells that a refund of a payment's money is not settled yet.
func (s *snapshot) goesBack(p payment) bool {
	a, paid := s.paidBy(p)
	return paid && slices.ContainsFunc(s.refunds[a.Charge], func(r refund) bool { return !r.isSettled() })
}

// sameOrder compares the copy of an order that the payment service keeps with the pledge that it is a copy of.
func sameOrder(s *snapshot, found func(format string, args ...any)) {
	for id, p := range s.bySubject() {
		if of, there := s.pledges[id]; there && (p.Amount != s.chargedFirst(of) || p.Currency != of.Currency ||
			p.Campaign != of.Campaign) {
			found("payment %s is of %d %s for campaign %d, pledge %s of %d %s for %d", p.ID, p.Amount, p.Currency, p.Campaign,
				id, s.chargedFirst(of), of.Currency, of.Campaign)
		}
	}
}

// sameRefunds compares the refunded sums. A pledge whose money was refused may show less than its payment: it ends
// with the first refund, and later ones do not change it.
func sameRefunds(s *snapshot, found func(format string, args ...any)) {
	for id, p := range s.bySubject() {
		of, there := s.pledges[id]
		back := of.Refunded + of.ChangeRefunded
		for _, r := range s.further(id) {
			back -= r.Refunded
		}
		if there && back != p.Refunded && (back > p.Refunded || !s.isRefused(p)) {
			found("pledge %s has %d back, its payment %s %d", id, back, p.ID, p.Refunded)
		}
	}
}

// inbox requires each payment's events in the inbox, numbered without a gap up to the payment's last one. The inbox
// keeps events for good; the payment service's outbox does not.
func inbox(s *snapshot, found func(format string, args ...any)) {
	for id, list := range s.events {
		if p, there := s.payments[id]; !there || !p.isOfContent() {
			found("%d events are of payment %s, which is not there", len(list), id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.payments)) {
		p, next := s.payments[id], int64(1)
		for _, e := range s.events[id] {
			if e.Sequence != next {
				found("payment %s: event %s (%s) is number %d, wanted %d", id, e.ID, e.Type, e.Sequence, next)
			}
			next = e.Sequence + 1
			if e.Subject != p.Subject || e.Amount != p.Amount || e.Currency != p.Currency {
				found("payment %s of %d %s for %s: event %s says %d %s for %s", id, p.Amount, p.Currency, p.Subject, e.ID,
					e.Amount, e.Currency, e.Subject)
			}
		}
		if next-1 != p.Sequence {
			found("payment %s has sent %d events, the last one that arrived is %d", id, p.Sequence, next-1)
		}
	}
}

// inboxTells requires that the events in the inbox lead to each payment's present state.
func inboxTells(s *snapshot, found func(format string, args ...any)) {
	for _, p := range s.payments {
		if !p.isOfContent() {
			continue
		}
		successes, told, refunded, isDisputed := 0, 0, int64(0), false
		for _, e := range s.events[p.ID] {
			switch e.Type {
			case "payment.succeeded":
				successes++
			case "payment.stranded":
				told++
			case "payment.refunded":
				refunded = e.Refunded
			case "payment.disputed":
				isDisputed = true
			case "payment.reinstated":
				isDisputed = false
			}
		}
		if want := map[bool]int{true: 1}[p.Paid != nil]; successes != want {
			found("payment %s is %s, the inbox has %d successes", p.ID, p.Status, successes)
		}
		if want := map[bool]int{true: 1}[p.Stranded]; told != want {
			found("payment %s waits where nothing begins (told: %t), the inbox was told of it %d times", p.ID, p.Stranded, told)
		}
		if refunded != p.Refunded {
			found("payment %s has %d back, the inbox says %d", p.ID, p.Refunded, refunded)
		}
		if p.Status != "refunded" && isDisputed != (p.Status == "disputed") {
			found("payment %s is %s, the inbox says disputed: %t", p.ID, p.Status, isDisputed)
		}
	}
}

// fundsReached compares a campaign's funds in the ledger with what the content service says that it has reached.
//
// For each pledge with the payment that counts, where funds is the balance of its charge in backer_funds:
//
//   - paid, partly refunded: reached = amount − reported, where reported is the refunded sum that events have reported.
//     Refunds that are settled, pending (taken from our balance) or owed have left the charge's funds, and so has what an
//     ended dispute keeps contested until its money is back. So
//     funds = reached + reported − settled − pending − owed − contested;
//     when nothing is pending, funds = reached: a refund that failed after it was reported is owed again.
//     Of a pledge that was changed to a smaller sum the difference is in the funds until its refund is begun.
//   - disputed: reached = 0; funds may keep what the bank did not take.
//   - any other pledge has reached nothing and its charge has no funds; one that refused the money has them until its
//     refund can be promised.
func fundsReached(s *snapshot, found func(format string, args ...any)) {
	for id, p := range s.bySubject() {
		a, paid := s.paidBy(p)
		of, charged, there := s.chargedAs(id)
		if !paid || !there {
			continue
		}
		at := s.balances[a.Charge]
		has, reached, want := at.campaigns(), int64(0), int64(0)
		switch of.Status {
		case "paid", "partly_refunded":
			reached = of.Amount - of.Refunded
			want = charged + at[owed] + at[disputed]
			for _, r := range s.refunds[a.Charge] {
				if r.isSettled() || r.Status == "pending" && !r.Owed {
					want -= r.Amount
				}
			}
		case "disputed":
			want = min(max(has, 0), charged-s.taken(a.Charge, charged))
		default:
			if (s.isRefused(p) || of.Status == "withdrawn") && s.goesBack(p) {
				want = has
			}
		}
		if has != want {
			found("pledge %s (%s) of campaign %d has reached %d; the ledger has %d for it, wanted %d", id, of.Status,
				of.Campaign, reached, has, want)
		}
	}
}

// chargedAs is the pledge of a payment's subject, and what it was charged with that; of a raise whose money was not taken, nothing is the pledge's.
func (s *snapshot) chargedAs(subject string) (of pledge, minor int64, there bool) {
	if r, is := s.raises[subject]; is {
		of, there = s.pledges[r.Pledge]
		if r.Status != "paid" {
			of.Status = r.Status
		}
		return of, r.Amount, there
	}
	of, there = s.pledges[subject]
	return of, s.chargedFirst(of), there
}

// taken is what banks have taken of a charge, at most all of it.
func (s *snapshot) taken(charge string, most int64) (minor int64) {
	for _, d := range s.disputes {
		if d.Charge == charge {
			minor += d.Withdrawn
		}
	}
	return min(minor, most)
}
