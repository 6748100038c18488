package simulate

import (
	"context"
	"slices"
	"strings"
	"time"

	"talkoot.fi/sandbox/stripe"
)

// openDispute is a bank that disputes a charge, all of it or a part. A charge of which a bank has money already, or has
// kept money by a lost dispute, is not disputed again; one whose dispute we won may be.
func (sim *simulation) openDispute(_ context.Context, o operation) {
	taken := sim.taken("")
	charges := slices.DeleteFunc(sim.ourCharges(), func(c stripe.Charge) bool { return taken[c.ID] })
	if c, some := pick(charges, o.n[0]); some {
		amount := int64(0)
		if o.n[1]%3 == 0 {
			amount = min(100*int64(1+o.n[2]%60), c.AmountCaptured)
		}
		// A bank that calls a month fraud ends its support, which lives of subscriptions do not reckon with.
		_, err := sim.sandbox.OpenDispute(stripe.DisputeOrder{Charge: c.ID, Amount: amount, Reason: "product_not_received"})
		sim.noteResult("opened", err)
		if err == nil {
			sim.count("at the provider", "dispute opened")
		}
	}
}

// taken tells which charges have a dispute, other than the given one, that we have not won.
func (sim *simulation) taken(without string) map[string]bool {
	out := map[string]bool{}
	for _, d := range sim.sandbox.Snapshot().Disputes {
		out[d.Charge] = out[d.Charge] || d.Status != "won" && d.ID != without
	}
	return out
}

func (sim *simulation) openDisputes() []stripe.Dispute {
	var out []stripe.Dispute
	for _, d := range sim.sandbox.Snapshot().Disputes {
		if d.Status != "won" && d.Status != "lost" && !strings.HasPrefix(d.Status, "warning_closed") {
			out = append(out, d)
		}
	}
	return out
}

func (sim *simulation) decideDispute(_ context.Context, o operation) {
	if d, some := pick(sim.openDisputes(), o.n[0]); some {
		sim.decide(d, o.n[1])
	}
}

func (sim *simulation) decide(d stripe.Dispute, n uint32) {
	status := []string{"won", "lost"}[n%2]
	_, err := sim.sandbox.DecideDispute(stripe.DisputeDecision{Dispute: d.ID, Status: status, KeepFee: n%3 == 0})
	sim.noteResult(status, err)
	if err == nil {
		sim.count("at the provider", "dispute "+status)
	}
}

// bankStep is the shortest time between two steps of a bank: the provider's times are whole seconds, and must tell the
// steps apart.
const bankStep = time.Second

// closedDisputes lists the disputes of these statuses; has is how much each dispute has taken from our balance and not
// returned, by its id, in minor units.
func (sim *simulation) closedDisputes(statuses ...string) (list []stripe.Dispute, has map[string]int64) {
	snapshot := sim.sandbox.Snapshot()
	has = map[string]int64{}
	for _, t := range snapshot.BalanceTransactions {
		has[t.Source] -= t.Amount
	}
	return slices.DeleteFunc(snapshot.Disputes,
		func(d stripe.Dispute) bool { return !slices.Contains(statuses, d.Status) }), has
}

// appeal has a bank decide a dispute the other way. It does not take a charge that another dispute has taken.
func (sim *simulation) appeal(_ context.Context, o operation) {
	list, _ := sim.closedDisputes("won", "lost")
	d, some := pick(list, o.n[0])
	if !some || d.Status == "won" && sim.taken(d.ID)[d.Charge] {
		return
	}
	sim.clock.pass(bankStep)
	to := map[string]string{"won": "lost", "lost": "won"}[d.Status]
	_, err := sim.sandbox.DecideDispute(stripe.DisputeDecision{Dispute: d.ID, Status: to, KeepFee: o.n[1]%3 == 0})
	sim.noteResult(d.Status+", then "+to, err)
	if err == nil {
		sim.count("at the provider", "dispute "+to+" on appeal")
	}
}

// returnDisputed has a bank return a part of a dispute that we lost.
func (sim *simulation) returnDisputed(_ context.Context, o operation) {
	list, has := sim.closedDisputes("lost")
	d, some := pick(list, o.n[0])
	if !some || has[d.ID] < 2 {
		return
	}
	sim.clock.pass(bankStep)
	_, err := sim.sandbox.ReturnDisputed(stripe.DisputeReturn{Dispute: d.ID, Amount: 1 + int64(o.n[1])%(has[d.ID]-1)})
	sim.noteResult("returned a part", err)
	if err == nil {
		sim.count("at the provider", "part of a lost dispute returned")
	}
}
