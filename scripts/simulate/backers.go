package simulate

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"talkoot.fi/sandbox/stripe"
)

// mostPledges bounds the pledges of a run, so that many operations concern the same one.
const mostPledges = 14

// otherCards are the provider's test cards that backers use besides the good one; a repeated card is drawn more often.
var otherCards = []struct{ name, number string }{
	{"declined", "4000000000000002"}, {"without funds", "4000000000009995"}, {"3-D Secure", "4000002760003184"},
	{"3-D Secure", "4000002760003184"}, {"3-D Secure, then declined", "4000008400001629"},
	{"disputed", "4000000000000259"},
	{"refunds fail", "4000000000005126"}, {"refunds pend", "4000000000007726"},
	{"its bank takes days", "4000005100000000"},
	{"its bank takes days", "4000005100000000"}, {"its bank takes days and refuses", "4000005100000018"},
	{"its bank takes days and refuses", "4000005100000018"},
}

const goodCard = "4242424242424242"

// create sends the pledge form as often as times says, with the same idempotency key: for a limited or unlimited
// reward of a campaign, or for a sum of the backer's choice.
func (sim *simulation) create(ctx context.Context, o operation, times int) {
	if len(sim.pledges) >= mostPledges {
		return
	}
	at := int(o.n[0]) % len(sim.campaigns)
	c := sim.campaigns[at]
	sim.backer = len(sim.pledges)
	var euros int64
	quantity := 1
	body := map[string]any{"pledge_meta": map[string]any{"email": fmt.Sprintf("backer%d@example.com", sim.backer),
		"first_name": []string{"Testi", "Testi", "Fickle", "Penniless"}[o.n[2]%4], "last_name": "Tukija"}} // by which banks of debits go
	switch o.n[1] % 5 {
	case 0:
		euros = 10 + int64(o.n[2]%90)
	case 1, 2:
		body["reward_id"], euros = c.RewardIDs[1], 20
	default:
		body["reward_id"], euros = c.RewardIDs[0], 50
		if o.n[2]%6 == 0 {
			quantity = 2
		}
	}
	euros *= int64(quantity)
	body["amount"] = euros
	body["pledge_meta"].(map[string]any)["quantity"] = quantity //nolint:forcetypeassert // made above
	key := fmt.Sprintf("pledge-%d-%d", sim.step, o.n[3])
	isMembers := o.n[3]%3 == 0
	if isMembers {
		body["pledge_meta"].(map[string]any)["email"] = memberAddress(member) //nolint:forcetypeassert // made above
	}
	for range times {
		var made struct {
			Pledge struct {
				ID string `json:"pledge_id"`
			}
			Token string `json:"order_token"`
		}
		status := 0
		sim.asBacker(ctx, pledge{isMembers: isMembers}, func(ctx context.Context) {
			status = sim.askWith(ctx, sim.content, http.MethodPost, fmt.Sprintf("/campaigns/%d/pledges/", c.ID), key, body, &made)
		})
		if status != http.StatusCreated {
			continue
		}
		for _, p := range sim.pledges {
			if p.id == made.Pledge.ID {
				return
			}
		}
		if made.Token != "" {
			sim.orders[made.Pledge.ID] = made.Token
		}
		sim.pledges = append(sim.pledges, pledge{made.Pledge.ID, at, euros * 100, made.Token == "", false})
	}
}

func (sim *simulation) createPledge(ctx context.Context, o operation) { sim.create(ctx, o, 1) }
func (sim *simulation) createTwice(ctx context.Context, o operation)  { sim.create(ctx, o, 2) }

func (sim *simulation) releasePledge(ctx context.Context, o operation) {
	if p, some := pick(sim.pledges, o.n[0]); some {
		sim.asBacker(ctx, p, func(ctx context.Context) {
			path := "/pledges/"
			if p.isRaise {
				path = "/raises/"
			}
			sim.ask(ctx, sim.content, http.MethodDelete, path+p.id+"/", nil, nil)
		})
	}
}

// takeBack takes any pledge back.
func (sim *simulation) takeBack(ctx context.Context, o operation) {
	if p, some := pick(sim.pledges, o.n[0]); some {
		sim.withdraw(ctx, p)
	}
}

// takeBackRest takes back a pledge of which a bank has one charge, and not the others.
func (sim *simulation) takeBackRest(ctx context.Context, o operation) {
	torn, err := query[string](ctx, sim.runner.content, `SELECT id FROM pledges WHERE status = 'disputed' AND uncontested_minor > 0 ORDER BY created_at, id`)
	id, some := pick(torn, o.n[0])
	if err != nil || !some {
		return
	}
	for _, p := range sim.pledges {
		if p.id == id {
			sim.withdraw(ctx, p)
		}
	}
}

// withdraw is by the account of a pledge, or by the link of a mail, which nobody reads here.
func (sim *simulation) withdraw(ctx context.Context, p pledge) {
	if p.isMembers {
		sim.asBacker(ctx, p, func(ctx context.Context) {
			sim.ask(ctx, sim.content, http.MethodPost, "/pledges/"+p.id+"/withdrawal/", nil, nil)
		})
		return
	}
	if sim.linkTo(ctx, p.id) {
		sim.ask(ctx, sim.content, http.MethodPost, "/pledge-links/withdrawal/", map[string]any{"token": "link of " + p.id}, nil)
	}
}

// linkTo makes the link of a mail, which nobody reads here.
func (sim *simulation) linkTo(ctx context.Context, pledge string) bool {
	_, err := query[int64](ctx, sim.runner.content, `INSERT INTO receipt_links (token_hash, pledge_id, opens, created_at, expires_at)
		SELECT sha256(convert_to('link of ' || id, 'UTF8')), id, 'pledge', created_at, created_at + interval '1 year' FROM pledges WHERE id = $1
		ON CONFLICT DO NOTHING RETURNING 1`, pledge)
	return err == nil
}

// changeChoice makes a pledge smaller, by support without a reward or by fewer of the reward; a key may come again.
func (sim *simulation) changeChoice(ctx context.Context, o operation) {
	p, some := pick(sim.pledges, o.n[0])
	if !some {
		return
	}
	var number, quantity, amount, unit int64
	var reward *int64
	err := sim.runner.content.QueryRow(ctx, `SELECT (SELECT count(*) FROM pledge_changes WHERE pledge_id = p.id), quantity, amount_minor, reward_id,
		coalesce((bought ->> 'amount_minor')::bigint, 0) FROM pledges p WHERE id = $1`, p.id).Scan(&number, &quantity, &amount, &reward, &unit)
	if err != nil {
		return
	}
	c := map[string]any{"key": fmt.Sprintf("change %d", o.n[1]%4), "number": number, "reward_id": nil, "quantity": 1, "amount": float64(max(50, amount/2)) / 100}
	if reward != nil && quantity > 1 && o.n[2]%2 == 0 {
		c["reward_id"], c["quantity"], c["amount"] = *reward, quantity-1, float64(amount-unit)/100
	}
	if !p.isMembers {
		if sim.linkTo(ctx, p.id) {
			sim.ask(ctx, sim.content, http.MethodPost, "/pledge-links/choice/", map[string]any{"token": "link of " + p.id, "choice": c}, nil)
		}
		return
	}
	sim.asBacker(ctx, p, func(ctx context.Context) {
		sim.ask(ctx, sim.content, http.MethodPost, "/pledges/"+p.id+"/choice/", c, nil)
	})
}

func (sim *simulation) readPledge(ctx context.Context, o operation) {
	if p, some := pick(sim.pledges, o.n[0]); some {
		sim.asBacker(ctx, p, func(ctx context.Context) { sim.ask(ctx, sim.content, http.MethodGet, "/pledges/"+p.id+"/", nil, nil) })
	}
}

func (sim *simulation) setUp(ctx context.Context, o operation) {
	p, some := pick(sim.pledges, o.n[0])
	if !some {
		return
	}
	var answer struct {
		Stripe struct {
			PaymentIntent struct{ ID string } `json:"payment_intent"`
		}
	}
	status := 0
	sim.asBacker(ctx, p, func(ctx context.Context) {
		status = sim.ask(ctx, sim.payments, http.MethodPost, "/api/pledges/"+p.id+"/setup", nil, &answer)
	})
	if status != http.StatusOK {
		return
	}
	sim.given(answer.Stripe.PaymentIntent.ID)
}

// given notes an intent that a browser has received and may confirm at any later time.
func (sim *simulation) given(intent string) {
	for _, known := range sim.intents {
		if known == intent {
			return
		}
	}
	sim.intents = append(sim.intents, intent)
}

func (sim *simulation) openPage(ctx context.Context, o operation) {
	x := "card" // of whoever takes the campaign's pages
	if o.n[1]%5 == 0 {
		x = "stripe"
	}
	if p, some := pick(sim.pledges, o.n[0]); some {
		sim.asBacker(ctx, p, func(ctx context.Context) {
			sim.ask(ctx, sim.payments, http.MethodPost, "/api/pledges/"+p.id+"/payment-page/"+x, nil, nil)
		})
	}
}

func (sim *simulation) askPayment(ctx context.Context, o operation) {
	if p, some := pick(sim.pledges, o.n[0]); some {
		sim.asBacker(ctx, p, func(ctx context.Context) {
			sim.ask(ctx, sim.payments, http.MethodGet, "/api/pledges/"+p.id+"/payment", nil, nil)
		})
	}
}

// noteResult notes the provider's response in the trace. A refusal is no finding, nor is an operation whose operands
// fit nothing.
func (sim *simulation) noteResult(what string, err error) {
	var no *stripe.Refusal
	switch {
	case err == nil:
		sim.note("%s", what)
	case errors.As(err, &no):
		sim.note("refused: %s %s", no.Code, no.DeclineCode)
	default:
		sim.note("%v", err)
	}
}

func (sim *simulation) confirmGood(_ context.Context, o operation) {
	sim.confirm(o, goodCard)
}

func (sim *simulation) confirmOther(_ context.Context, o operation) {
	card := otherCards[int(o.n[1])%len(otherCards)]
	sim.note("%s", card.name)
	sim.confirm(o, card.number)
}

func (sim *simulation) confirm(o operation, card string) {
	if id, some := pick(sim.intents, o.n[0]); some {
		got, err := sim.sandbox.ConfirmIntent(id, card)
		sim.noteResult(got.Status, err)
	}
}

// answerChallenge answers an open 3-D Secure challenge, perhaps long after it began.
func (sim *simulation) answerChallenge(_ context.Context, o operation) {
	var waiting []string
	for _, in := range sim.sandbox.Snapshot().Intents {
		if in.Status == "requires_action" {
			waiting = append(waiting, in.ID)
		}
	}
	if id, some := pick(waiting, o.n[0]); some {
		got, err := sim.sandbox.AnswerChallenge(id, o.n[1]%4 != 0)
		sim.noteResult(got.Status, err)
	}
}

func (sim *simulation) openSessions() []string {
	var out []string
	for _, s := range sim.sandbox.Snapshot().Sessions {
		if s.Status == "open" {
			out = append(out, s.ID)
		}
	}
	return out
}

func (sim *simulation) payPage(_ context.Context, o operation) {
	card := goodCard
	if o.n[1]%3 == 0 {
		card = otherCards[int(o.n[2])%len(otherCards)].number
	}
	if id, some := pick(sim.openSessions(), o.n[0]); some {
		got, err := sim.sandbox.PayCheckout(id, card)
		sim.noteResult(got.Status, err)
	}
}

func (sim *simulation) leavePage(_ context.Context, o operation) {
	if id, some := pick(sim.openSessions(), o.n[0]); some {
		_, err := sim.sandbox.CancelCheckout(id)
		sim.noteResult("left", err)
	}
}
