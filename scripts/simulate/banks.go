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
func (l *life) openDispute(_ context.Context, o operation) {
	taken := l.taken("")
	charges := slices.DeleteFunc(l.ourCharges(), func(c stripe.Charge) bool { return taken[c.ID] })
	if c, some := pick(charges, o.n[0]); some {
		amount := int64(0)
		if o.n[1]%3 == 0 {
			amount = min(100*int64(1+o.n[2]%60), c.AmountCaptured)
		}
		_, err := l.sandbox.OpenDispute(stripe.DisputeOrder{Charge: c.ID, Amount: amount})
		l.told("opened", err)
		if err == nil {
			l.count("at the provider", "dispute opened")
		}
	}
}

// taken tells which charges have a dispute, other than the given one, by which a bank has or may get money.
func (l *life) taken(without string) map[string]bool {
	out := map[string]bool{}
	for _, d := range l.sandbox.Books().Disputes {
		out[d.Charge] = out[d.Charge] || d.Status != "won" && d.ID != without
	}
	return out
}

func (l *life) openDisputes() []stripe.Dispute {
	var out []stripe.Dispute
	for _, d := range l.sandbox.Books().Disputes {
		if d.Status != "won" && d.Status != "lost" && !strings.HasPrefix(d.Status, "warning_closed") {
			out = append(out, d)
		}
	}
	return out
}

func (l *life) decideDispute(_ context.Context, o operation) {
	if d, some := pick(l.openDisputes(), o.n[0]); some {
		l.decide(d, o.n[1])
	}
}

func (l *life) decide(d stripe.Dispute, n uint32) {
	status := []string{"won", "lost"}[n%2]
	_, err := l.sandbox.DecideDispute(stripe.DisputeDecision{Dispute: d.ID, Status: status, KeepFee: n%3 == 0})
	l.told(status, err)
	if err == nil {
		l.count("at the provider", "dispute "+status)
	}
}

// bankStep is the shortest time between two steps of a bank: the provider's times are whole seconds, and must tell the
// steps apart.
const bankStep = time.Second

// closedDisputes lists the disputes of these statuses; has is how much of our balance each dispute has taken and not
// returned, by its id.
func (l *life) closedDisputes(statuses ...string) (list []stripe.Dispute, has map[string]int64) {
	books := l.sandbox.Books()
	has = map[string]int64{}
	for _, t := range books.BalanceTransactions {
		has[t.Source] -= t.Amount
	}
	return slices.DeleteFunc(books.Disputes,
		func(d stripe.Dispute) bool { return !slices.Contains(statuses, d.Status) }), has
}

// appeal has a bank decide a dispute the other way. It does not take a charge that another dispute has taken.
func (l *life) appeal(_ context.Context, o operation) {
	list, _ := l.closedDisputes("won", "lost")
	d, some := pick(list, o.n[0])
	if !some || d.Status == "won" && l.taken(d.ID)[d.Charge] {
		return
	}
	l.clock.pass(bankStep)
	to := map[string]string{"won": "lost", "lost": "won"}[d.Status]
	_, err := l.sandbox.DecideDispute(stripe.DisputeDecision{Dispute: d.ID, Status: to, KeepFee: o.n[1]%3 == 0})
	l.told(d.Status+", then "+to, err)
	if err == nil {
		l.count("at the provider", "dispute "+to+" on appeal")
	}
}

// returnDisputed has a bank give a part back of what it keeps.
func (l *life) returnDisputed(_ context.Context, o operation) {
	list, has := l.closedDisputes("lost")
	d, some := pick(list, o.n[0])
	if !some || has[d.ID] < 2 {
		return
	}
	l.clock.pass(bankStep)
	_, err := l.sandbox.ReturnDisputed(stripe.DisputeReturn{Dispute: d.ID, Amount: 1 + int64(o.n[1])%(has[d.ID]-1)})
	l.told("returned a part", err)
	if err == nil {
		l.count("at the provider", "part of a lost dispute returned")
	}
}
