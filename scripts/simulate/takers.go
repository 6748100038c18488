package simulate

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/standin"
	"talkoot.fi/sandbox/stripe"
)

// The providers' names, as the services have them.
const (
	providerA = "stripe"
	providerB = "mangopay"
)

// standIn is what both stand-ins do alike: their hooks, their own time and their faults.
type standIn interface {
	Deliveries() []standin.Delivery
	Deliver(ctx context.Context, id string) error
	DropDelivery(id string) error
	DuplicateDelivery(id string) (string, error)
	RunDue(ctx context.Context) (int, error)
	NextDue() (at time.Time, some bool)
	Calm() error
}

// taker is a provider as a run uses it: its stand-in, and what it alone can say and have done. What a run does to providers in general
// goes through it, so that one more provider is one more of these, and its operations.
type taker struct {
	standIn
	name string
	// ahead is how long before something is due there the clock is moved to it when nothing else is.
	ahead time.Duration
	// act does what only people and banks there can at the end of a run, and reports whether anything was done.
	act func() bool
	// truth is what became of each charge.
	truth func() truth
	// state lists what is on record, for the trace.
	state func() []string
}

// truth is what a provider knows about money.
type truth struct {
	net     map[string]int64  // of each charge of ours: what is left of the backer's money there, without fees
	taken   map[string]string // charges with our tag that took money, with their payments
	balance int64             // all that is there, without what moved for others, and without what creators have
	sent    int64             // to creators' own accounts, less what was taken back from there
}

// takers are the providers of a run.
func (sim *simulation) takers() []taker {
	// Most of what provider A does by itself is an hourly clean-up, for which the clock need not be moved.
	out := []taker{{sim.sandbox, providerA, time.Minute, sim.decideAll,
		func() truth { return readStripe(sim.sandbox.Snapshot()) }, func() []string { return stripeState(sim.sandbox.Snapshot()) }}}
	if sim.theme.takesB {
		out = append(out, taker{sim.mangopay, providerB, 20 * 24 * time.Hour, sim.decideAllAtB,
			func() truth { return readMangopay(sim.mangopay.Snapshot(), sim.payeeWallet) }, func() []string { return mangopayState(sim.mangopay.Snapshot()) }})
	}
	return out
}

// told is a webhook that is on its way, with who sends it.
type told struct {
	taker
	standin.Delivery
}

// deliveries lists the webhooks that are on their way, in the order in which they would be sent.
func (sim *simulation) deliveries() []told {
	var out []told
	for _, t := range sim.takers() {
		for _, d := range t.Deliveries() {
			out = append(out, told{t, d})
		}
	}
	slices.SortStableFunc(out, func(a, b told) int { return a.Due.Compare(b.Due) })
	return out
}

// decideAll has banks decide every dispute that is open at provider A.
func (sim *simulation) decideAll() bool {
	open := sim.openDisputes()
	for i, d := range open {
		sim.decide(d, uint32(i+len(d.ID)+int(d.Amount/100))) // #nosec G115 -- small
	}
	return len(open) > 0
}

func readStripe(b stripe.Snapshot) truth {
	out := truth{net: map[string]int64{}, taken: map[string]string{}, balance: b.Net["eur"]}
	chargeOf, ours := map[string]string{}, map[string]bool{} // of every object that moved money
	for _, c := range b.Charges {
		chargeOf[c.ID] = c.ID
		if ours[c.ID] = c.Metadata["payment_id"] != ""; ours[c.ID] && c.Status == "succeeded" {
			out.taken[c.ID] = c.Metadata["payment_id"]
		}
	}
	for _, r := range b.Refunds {
		chargeOf[r.ID] = r.Charge
	}
	for _, d := range b.Disputes {
		chargeOf[d.ID] = d.Charge
	}
	for _, t := range b.Transfers {
		out.sent += t.Amount - t.AmountReversed
	}
	for _, t := range b.BalanceTransactions {
		charge, isBackers := chargeOf[t.Source]
		switch {
		case isBackers && ours[charge]:
			out.net[charge] += t.Amount
		case isBackers:
			out.balance -= t.Net
		}
	}
	return out
}

func readMangopay(b mangopay.Snapshot, own string) truth {
	out := truth{net: map[string]int64{}, taken: map[string]string{}}
	for _, w := range b.Wallets {
		if w.ID != own {
			out.balance += w.Balance.Amount
		}
	}
	of := map[string]string{} // the pay-in of a repudiation
	for _, d := range b.Disputes {
		of[d.RepudiationID] = d.InitialTransactionID
	}
	for _, t := range b.Transactions {
		if t.Status != "SUCCEEDED" {
			continue
		}
		switch {
		case t.Type == "TRANSFER" && t.CreditedWalletID == own:
			out.sent += t.CreditedFunds.Amount
		case t.Type == "TRANSFER" && t.DebitedWalletID == own:
			out.sent -= t.DebitedFunds.Amount
		}
		tag, _ := url.ParseQuery(t.Tag)
		switch t.Type + " " + t.Nature {
		case "PAYIN REGULAR":
			out.net[t.ID] += t.CreditedFunds.Amount
			if tag.Get("payment") != "" {
				out.taken[t.ID] = tag.Get("payment")
			}
		case "PAYOUT REFUND":
			if t.DebitedWalletID == "" { // of a payout that came back
				continue
			}
			out.net[t.Refund.InitialTransactionID] -= t.DebitedFunds.Amount
		case "PAYOUT REPUDIATION":
			out.net[of[t.ID]] -= t.DebitedFunds.Amount
		case "PAYIN REFUND":
			out.net[of[t.Refund.InitialTransactionID]] += t.CreditedFunds.Amount
		}
	}
	return out
}

func stripeState(b stripe.Snapshot) (out []string) {
	for _, in := range b.Intents {
		out = append(out, fmt.Sprintf("intent %s of %d: %s %v", in.ID, in.Amount, in.Status, in.Metadata))
	}
	for _, t := range b.BalanceTransactions {
		out = append(out, fmt.Sprintf("%s %s %s: %d, fee %d", t.ID, t.ReportingCategory, t.Source, t.Amount, t.Fee))
	}
	for _, r := range b.Refunds {
		out = append(out, fmt.Sprintf("refund %s of %s: %d %s %v", r.ID, r.Charge, r.Amount, r.Status, r.Metadata))
	}
	for _, d := range b.Disputes {
		out = append(out, fmt.Sprintf("dispute %s of %s: %d %s", d.ID, d.Charge, d.Amount, d.Status))
	}
	return out
}

func mangopayState(b mangopay.Snapshot) (out []string) {
	for _, u := range b.Users {
		if u.UserCategory == "OWNER" {
			out = append(out, fmt.Sprintf("owner %s: %s", u.ID, u.KYCLevel))
		}
	}
	for _, w := range b.Wallets {
		out = append(out, fmt.Sprintf("wallet %s: %d", w.ID, w.Balance.Amount))
	}
	for _, t := range b.Transactions {
		out = append(out, fmt.Sprintf("%s %s %s (%s%s) of %d, from %s to %s%s: %s %s at %s, tag %s", t.ID, t.Type, t.Nature, t.PayIn.PaymentType,
			t.PayIn.ExecutionType, t.DebitedFunds.Amount, t.DebitedWalletID, t.CreditedWalletID,
			strings.TrimSuffix(" of "+t.Refund.InitialTransactionID, " of "), t.Status, t.ResultCode,
			time.Unix(t.CreationDate, 0).UTC().Format(time.DateTime), t.Tag))
	}
	for _, d := range b.Disputes {
		out = append(out, fmt.Sprintf("dispute %s of %s: %s of %d, %s %s, repudiation %s", d.ID, d.InitialTransactionID, d.DisputeType,
			d.DisputedFunds.Amount, d.Status, d.ResultCode, d.RepudiationID))
	}
	return out
}
