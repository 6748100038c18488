package simulate

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/stripe"
)

// mostRaised bounds the pledges of a run with the further charges of them.
const mostRaised = mostPledges + 10

// raiseChoice makes a pledge larger, by more of its reward, a dearer one or a larger sum, and may go on to pay what is charged further: that is paid
// as a pledge is, so it is one of the pledges that later operations choose from.
func (sim *simulation) raiseChoice(ctx context.Context, o operation) {
	list, err := query[string](ctx, sim.runner.content, `SELECT id FROM pledges WHERE status = 'paid' ORDER BY created_at, id`)
	id, some := pick(list, o.n[0])
	if err != nil || !some || len(sim.pledges) >= mostRaised {
		return
	}
	var p pledge
	for _, known := range sim.pledges {
		if known.id == id {
			p = known
		}
	}
	var number, quantity, amount, unit int64
	var reward *int64
	err = sim.runner.content.QueryRow(ctx, `SELECT (SELECT count(*) FROM pledge_changes WHERE pledge_id = p.id), quantity, amount_minor, reward_id,
		coalesce((bought ->> 'amount_minor')::bigint, 0) FROM pledges p WHERE id = $1`, id).Scan(&number, &quantity, &amount, &reward, &unit)
	if err != nil || p.id == "" {
		return
	}
	more := 1000 + int64(o.n[2]%3)*700
	c := map[string]any{"key": fmt.Sprintf("raise %d", o.n[1]%4), "number": number, "reward_id": reward, "quantity": quantity, "amount": float64(amount+more) / 100}
	switch rewards := sim.campaigns[p.campaign].RewardIDs; {
	case o.n[2]%4 == 0 && reward != nil && quantity < 3:
		c["quantity"], c["amount"] = quantity+1, float64(amount+unit)/100
	case o.n[2]%4 == 1 && amount < 5000:
		c["reward_id"], c["quantity"], c["amount"] = rewards[0], 1, float64(amount+5000)/100
	}
	var answer struct {
		Pledge struct {
			Choice struct {
				Raise *struct {
					ID     string  `json:"raise_id"`
					Token  string  `json:"order_token"`
					Amount float64 `json:"amount"`
				} `json:"raise"`
			} `json:"choice"`
		} `json:"pledge"`
	}
	if p.isMembers {
		sim.asBacker(ctx, p, func(ctx context.Context) {
			sim.ask(ctx, sim.content, http.MethodPost, "/pledges/"+id+"/choice/", c, &answer)
		})
	} else {
		sim.linkTo(ctx, id)
		sim.ask(ctx, sim.content, http.MethodPost, "/pledge-links/choice/", map[string]any{"token": "link of " + id, "choice": c}, &answer)
	}
	r := answer.Pledge.Choice.Raise
	if r == nil {
		sim.count("raises", "refused")
		return
	}
	sim.count("raises", "asked for")
	for _, known := range sim.pledges {
		if known.id == r.ID {
			return
		}
	}
	if r.Token != "" {
		sim.orders[r.ID] = r.Token
	}
	sim.pledges = append(sim.pledges, pledge{r.ID, p.campaign, int64(r.Amount*100 + 0.5), p.isMembers, true})
	how := o.n[3] % 8
	switch o.n[0] = newest; {
	case how >= 5: // perhaps later
	case p.campaign == 0:
		if sim.setUp(ctx, o); how < 4 {
			sim.confirm(o, goodCard)
		}
	case how == 0:
		sim.payByDebit(ctx, o)
	case how == 1:
		sim.openPage(ctx, o)
	default:
		sim.payByCard(ctx, o)
	}
}

// tear is a bank that disputes one charge of a pledge with several, which the services then hear of; with none, one is charged further first.
func (sim *simulation) tear(ctx context.Context, o operation) {
	known := func() (list []string) {
		list, err := query[string](ctx, sim.runner.payments, `SELECT further_of FROM payments
			WHERE further_of IS NOT NULL AND paid_attempt_id IS NOT NULL AND NOT refused GROUP BY 1 ORDER BY min(created_at), 1`)
		if err != nil {
			sim.find("the simulation works", "%v", err)
		}
		return list
	}
	hear := func() {
		sim.runProvider(ctx, o)
		sim.reconcile(ctx, o)
		sim.relayPayments(ctx, o)
	}
	if len(known()) == 0 {
		pays := o
		pays.n[3] = 2
		sim.raiseChoice(ctx, pays)
		hear()
	}
	id, some := pick(known(), o.n[0])
	if !some {
		return
	}
	charges, err := query[string](ctx, sim.runner.payments, `SELECT a.charge_ref FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id
		WHERE $1 IN (p.subject_id, p.further_of) ORDER BY p.created_at, p.id`, id)
	charge, some := pick(charges, o.n[1])
	if err != nil || !some || sim.taken("")[charge] {
		return
	}
	if sim.theme.takesB && slices.Contains(sim.paidAtB(false), charge) {
		sim.disputeAtB(mangopay.DisputeOrder{PayIn: charge, Type: "CONTESTABLE", Reason: "FRAUD"})
	} else {
		_, err = sim.sandbox.OpenDispute(stripe.DisputeOrder{Charge: charge, Reason: "product_not_received"})
		sim.noteResult("torn", err)
	}
	hear()
	sim.count("raises", "torn")
	if o.n[2]%4 > 0 {
		sim.takeBackRest(ctx, o)
	}
}
