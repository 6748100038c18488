package simulate

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"talkoot.fi/sandbox/stripe"
)

// mostPledges bounds the pledges of a life, so that many operations meet on each.
const mostPledges = 7

// otherCards are what backers pay with beside a good one: numbers of the provider's list.
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

// create sends the pledge form: for a limited or unlimited reward of a campaign, or for a sum of the backer's choice.
func (l *life) create(ctx context.Context, o operation, times int) {
	if len(l.pledges) >= mostPledges {
		return
	}
	at := int(o.n[0]) % len(l.campaigns)
	c := l.campaigns[at]
	l.backer = len(l.pledges)
	var euros int64
	quantity := 1
	body := map[string]any{"pledge_meta": map[string]any{"email": fmt.Sprintf("backer%d@example.com", l.backer),
		"first_name": "Testi", "last_name": "Tukija"}}
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
	key := fmt.Sprintf("pledge-%d-%d", l.step, o.n[3])
	for range times {
		var made struct {
			Pledge struct {
				ID string `json:"pledge_id"`
			}
		}
		status := l.askWith(ctx, l.content, http.MethodPost, fmt.Sprintf("/campaigns/%d/pledges/", c.ID), key, body, &made)
		if status != http.StatusCreated {
			continue
		}
		for _, p := range l.pledges {
			if p.id == made.Pledge.ID {
				return
			}
		}
		l.pledges = append(l.pledges, pledge{made.Pledge.ID, at, euros * 100})
	}
}

func (l *life) createPledge(ctx context.Context, o operation) { l.create(ctx, o, 1) }
func (l *life) createTwice(ctx context.Context, o operation)  { l.create(ctx, o, 2) }

func (l *life) releasePledge(ctx context.Context, o operation) {
	if p, some := pick(l.pledges, o.n[0]); some {
		l.ask(ctx, l.content, http.MethodDelete, "/pledges/"+p.id+"/", nil, nil)
	}
}

func (l *life) readPledge(ctx context.Context, o operation) {
	if p, some := pick(l.pledges, o.n[0]); some {
		l.ask(ctx, l.content, http.MethodGet, "/pledges/"+p.id+"/", nil, nil)
	}
}

func (l *life) setUp(ctx context.Context, o operation) {
	p, some := pick(l.pledges, o.n[0])
	if !some {
		return
	}
	var answer struct {
		Stripe struct {
			PaymentIntent struct{ ID string } `json:"payment_intent"`
		}
	}
	if l.ask(ctx, l.payments, http.MethodPost, "/api/pledges/"+p.id+"/setup", nil, &answer) != http.StatusOK {
		return
	}
	l.given(answer.Stripe.PaymentIntent.ID)
}

// given notes what a browser can pay from now on, however late.
func (l *life) given(intent string) {
	for _, known := range l.intents {
		if known == intent {
			return
		}
	}
	l.intents = append(l.intents, intent)
}

func (l *life) openPage(ctx context.Context, o operation) {
	if p, some := pick(l.pledges, o.n[0]); some {
		l.ask(ctx, l.payments, http.MethodPost, "/api/pledges/"+p.id+"/payment-page/stripe", nil, nil)
	}
}

func (l *life) askPayment(ctx context.Context, o operation) {
	if p, some := pick(l.pledges, o.n[0]); some {
		l.ask(ctx, l.payments, http.MethodGet, "/api/pledges/"+p.id+"/payment", nil, nil)
	}
}

// told notes in the story what the provider answered. A refusal is an answer too, as is an operation whose operands fit
// nothing.
func (l *life) told(what string, err error) {
	var no *stripe.Refusal
	switch {
	case err == nil:
		l.note("%s", what)
	case errors.As(err, &no):
		l.note("refused: %s %s", no.Code, no.DeclineCode)
	default:
		l.note("%v", err)
	}
}

func (l *life) confirmGood(_ context.Context, o operation) {
	l.confirm(o, goodCard)
}

func (l *life) confirmOther(_ context.Context, o operation) {
	card := otherCards[int(o.n[1])%len(otherCards)]
	l.note("%s", card.name)
	l.confirm(o, card.number)
}

func (l *life) confirm(o operation, card string) {
	if id, some := pick(l.intents, o.n[0]); some {
		got, err := l.sandbox.ConfirmIntent(id, card)
		l.told(got.Status, err)
	}
}

// answerChallenge answers a 3-D Secure challenge that waits, perhaps long after it was asked.
func (l *life) answerChallenge(_ context.Context, o operation) {
	var waiting []string
	for _, in := range l.sandbox.Books().Intents {
		if in.Status == "requires_action" {
			waiting = append(waiting, in.ID)
		}
	}
	if id, some := pick(waiting, o.n[0]); some {
		got, err := l.sandbox.AnswerChallenge(id, o.n[1]%4 != 0)
		l.told(got.Status, err)
	}
}

func (l *life) openSessions() []string {
	var out []string
	for _, s := range l.sandbox.Books().Sessions {
		if s.Status == "open" {
			out = append(out, s.ID)
		}
	}
	return out
}

func (l *life) payPage(_ context.Context, o operation) {
	card := goodCard
	if o.n[1]%3 == 0 {
		card = otherCards[int(o.n[2])%len(otherCards)].number
	}
	if id, some := pick(l.openSessions(), o.n[0]); some {
		got, err := l.sandbox.PayCheckout(id, card)
		l.told(got.Status, err)
	}
}

func (l *life) leavePage(_ context.Context, o operation) {
	if id, some := pick(l.openSessions(), o.n[0]); some {
		_, err := l.sandbox.CancelCheckout(id)
		l.told("left", err)
	}
}
