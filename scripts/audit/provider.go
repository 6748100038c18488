package audit

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// providerChecks compare our rows and our ledger with the provider's own lists.
var providerChecks = []comparison{
	{"each success at the provider is ours", successes},
	{"nobody is charged twice", chargedOnce},
	{"nobody can pay what is over", unpayable},
	{"the provider's refunds are ours", sameRefundsThere},
	{"the provider's disputes are ours", sameDisputesThere},
	{"the provider's warnings of fraud are ours", sameWarningsThere},
	{"the provider's lines are the ledger's movements", sameLines},
	{"our payouts are the provider's", samePayouts},
	{"the provider holds what the ledger says", sameBalance},
}

// soleChecks hold when nobody else uses our account at the provider.
var soleChecks = []comparison{
	{"money at the provider has an order", func(s *snapshot, found func(format string, args ...any)) {
		for _, id := range slices.Sorted(maps.Keys(s.foreign)) {
			found("charge %s carries no tag of ours, and no attempt has it", id)
		}
	}},
}

// successes compares each successful intent of ours with its attempt: its sum, its charge, and the payment and
// campaign in its metadata. Money must have been held exactly when it does not match its payment.
func successes(s *snapshot, found func(format string, args ...any)) {
	there := map[string]bool{}
	for _, i := range s.intents {
		if i.Status != "succeeded" || !s.isOurs(i.ID) {
			continue
		}
		there[i.ID] = true
		a, known := s.byMoney[i.ID]
		if !known || !a.tookMoney() {
			found("payment %s of %d %s for our payment %q succeeded, our attempt is %q", i.ID, i.AmountReceived, i.Currency,
				i.Metadata["payment_id"], a.Status)
			continue
		}
		if a.Amount != i.AmountReceived || a.Amount != i.Charge.Is.Captured || !sameCurrency(a.Currency, i.Currency) ||
			a.Charge != i.Charge.ID {
			found("payment %s took %d (%d) %s by charge %s, our attempt %d took %d %s by %q", i.ID, i.AmountReceived,
				i.Charge.Is.Captured, i.Currency,
				i.Charge.ID, a.ID, a.Amount, a.Currency, a.Charge)
		}
		p := s.payments[a.Payment]
		_, isThere := s.payments[i.Metadata["payment_id"]]
		isNamed := i.Metadata["payment_id"] == a.Payment || a.Attached || p.Kind == "unclaimed" && !isThere
		if !isNamed {
			found("payment %s names our payment %q, our attempt %d is of payment %s", i.ID, i.Metadata["payment_id"], a.ID,
				a.Payment)
		}
		if campaign := strconv.FormatInt(p.Campaign, 10); !a.WasHeld && i.Metadata["campaign_id"] != campaign {
			found("payment %s is for campaign %q, our payment %s for %s", i.ID, i.Metadata["campaign_id"], a.Payment, campaign)
		}
		isFitting := a.Method != "unasked" && i.Metadata["payment_id"] == p.ID && i.AmountReceived == p.Amount &&
			sameCurrency(p.Currency, i.Currency)
		if isFitting == a.WasHeld {
			found("payment %s of %d %s for %q, our payment %s of %d %s: fits %t, was held %t", i.ID, i.AmountReceived,
				i.Currency,
				i.Metadata["payment_id"], p.ID, p.Amount, p.Currency, isFitting, a.WasHeld)
		}
	}
	for _, a := range s.attempts {
		if a.Provider == providerName && a.tookMoney() && !there[a.Money] {
			found("attempt %d of payment %s took %d %s by %s, which has not succeeded at the provider", a.ID, a.Payment,
				a.Amount, a.Currency, a.Money)
		}
	}
}

func sameCurrency(ours, theirs string) bool { return ours == strings.ToUpper(theirs) }

// chargedOnce finds double charges: more than one charge, not refunded, for the same payment in the metadata, the same
// subject, or the same payment of ours. A charge that an operator attached to another payment counts for that one
// alone. Refunds paid by hand and refunds in progress count as refunded.
func chargedOnce(s *snapshot, found func(format string, args ...any)) {
	left := map[string]int64{} // by charge
	for _, l := range s.lines {
		left[l.charge()] += l.Amount
	}
	kept := map[string]map[string]bool{}
	for _, i := range s.intents {
		if i.Status != "succeeded" || !s.isOurs(i.ID) {
			continue
		}
		keeps := left[i.Charge.ID]
		for _, r := range s.refunds[i.Charge.ID] {
			if r.Status == "by_hand" || r.isOnItsWay() && !s.isTaken(r.Ref) {
				keeps -= r.Amount
			}
		}
		if keeps <= 0 {
			continue
		}
		a := s.byMoney[i.ID]
		subject := i.Metadata["subject"]
		if p := s.payments[i.Metadata["payment_id"]]; subject != "" && p.Period > 0 { // each month is paid once
			subject = fmt.Sprintf("month %d of %s", p.Period, subject)
		}
		for what, id := range map[string]string{"payment ": i.Metadata["payment_id"], "": subject, "our payment ": a.Payment} {
			if id == "" || a.Attached && id != a.Payment {
				continue
			}
			if kept[what+id] == nil {
				kept[what+id] = map[string]bool{}
			}
			kept[what+id][i.Charge.ID] = true
		}
	}
	for _, who := range slices.Sorted(maps.Keys(kept)) {
		if charges := kept[who]; len(charges) > 1 {
			found("%s has %d charges that were not given back: %v", who, len(charges), slices.Sorted(maps.Keys(charges)))
		}
	}
}

// isTaken tells that the provider has taken a refund from our balance.
func (s *snapshot) isTaken(ref string) bool {
	return slices.ContainsFunc(s.theirRefunds,
		func(r theirRefund) bool { return ref != "" && r.ID == ref && r.Taken.ID != "" })
}

// unpayable finds intents that can still be paid although our payment is over. Those younger than a daily pass are
// left out: it cancels intents that we do not know because the response to their creation was lost.
func unpayable(s *snapshot, found func(format string, args ...any)) {
	for _, i := range s.intents {
		p, there := s.payments[i.Metadata["payment_id"]]
		isOpen := p.Status == "created" || p.Status == "requires_action" || p.Status == "processing"
		if there && !i.isOver() && !isOpen && time.Unix(i.Created, 0).Before(s.now.Add(-dayGrace)) {
			found("payment %s is %s and was made %s, our payment %s is %s", i.ID, i.Status, time.Unix(i.Created, 0).UTC(), p.ID,
				p.Status)
		}
	}
}

// sameRefundsThere compares each refund at the provider with ours.
func sameRefundsThere(s *snapshot, found func(format string, args ...any)) {
	ours := map[string]refund{}
	for _, list := range s.refunds {
		for _, r := range list {
			if r.Provider == providerName && r.Ref != "" {
				ours[r.Ref] = r
			}
		}
	}
	made := map[string]string{}
	for _, t := range s.theirRefunds {
		if !s.isOurs(t.Intent) {
			continue
		}
		id := t.Metadata["refund_id"]
		if other := made[id]; id != "" && other != "" {
			found("our refund %s was made twice: %s and %s", id, other, t.ID)
		}
		made[id] = t.ID
		r, known := ours[t.ID]
		delete(ours, t.ID)
		switch {
		case !known:
			found("refund %s of %d %s of charge %s is not known", t.ID, t.Amount, t.Currency, t.Charge)
		case r.Amount != t.Amount || !sameCurrency(r.Currency, t.Currency) || r.Charge != t.Charge || id != "" && id != r.ID:
			found("refund %s gives %d %s of charge %s back for %q, our refund %s %d %s of %s", t.ID, t.Amount, t.Currency,
				t.Charge, id, r.ID, r.Amount,
				r.Currency, r.Charge)
		case !slices.Contains(t.standing(), r.Status):
			found("refund %s is %s at the provider, our refund %s is %s", t.ID, t.Status, r.ID, r.Status)
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(ours)) {
		found("refund %s (our %s of %d) is not at the provider", ref, ours[ref].ID, ours[ref].Amount)
	}
}

// standing lists the statuses that our refund may have. One that failed is pending until its money is back.
func (t theirRefund) standing() []string {
	switch {
	case t.Status == "succeeded":
		return []string{"succeeded"}
	case t.Status != "failed" && t.Status != "canceled", t.Taken.ID != "" && t.Returned.ID == "":
		return []string{"pending"}
	}
	return []string{"failed", "repeated", "by_hand", "canceled"}
}

// sameDisputesThere compares each dispute at the provider with ours.
func sameDisputesThere(s *snapshot, found func(format string, args ...any)) {
	ours := maps.Clone(s.disputes)
	maps.DeleteFunc(ours, func(_ string, d dispute) bool { return d.Provider != providerName })
	for _, t := range s.theirDisputes {
		if !s.isOurs(t.Intent) {
			continue
		}
		want := dispute{t.ID, t.Charge, t.standing(), t.Reason, strings.ToUpper(t.Currency), t.Amount, t.withdrawn(), t.fee(),
			providerName, ours[t.ID].Opened}
		if got, known := ours[t.ID]; !known {
			found("dispute %s of charge %s is not known", t.ID, t.Charge)
		} else if got != want {
			found("dispute %s is %+v with us, at the provider %+v", t.ID, got, want)
		}
		delete(ours, t.ID)
	}
	for _, ref := range slices.Sorted(maps.Keys(ours)) {
		found("dispute %s is not at the provider", ref)
	}
}
