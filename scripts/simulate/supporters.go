package simulate

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// beginSupport sends the form and opens the card form of the first month. Every third waits for the end of a month, which
// not all months have.
func (sim *simulation) beginSupport(ctx context.Context, o operation) {
	living := len(sim.rows(ctx, `SELECT id FROM subscriptions WHERE status NOT IN ('canceled', 'expired')`))
	if living >= mostSupporters || len(sim.supporters) >= 4+mostBegun*int(sim.theme.span/(365*24*time.Hour)) {
		return
	}
	if o.n[3]%3 == 0 {
		today := dayOf(sim.clock.peek())
		last := time.Date(today.Year(), today.Month()+1, 0, 12, 0, 0, 0, time.UTC)
		if err := sim.live(ctx, last); err != nil || sim.hasFindings() {
			sim.findError(err)
			return
		}
	}
	c := sim.campaigns[max(0, len(sim.campaigns)-2)+int(o.n[0]%2)]
	s := &supporter{member: int(o.n[1] % (members + 1))}
	sim.backer = len(sim.supporters)
	body := map[string]any{"email": memberAddress(s.member), "first_name": "Testi", "last_name": "Tukija"}
	switch o.n[2] % 3 {
	case 0:
		body["amount"] = 1 + o.n[2]%30
	case 1:
		body["reward_id"], body["amount"] = c.RewardIDs[0], 5+o.n[2]%10
	default:
		body["reward_id"], body["amount"] = c.RewardIDs[1], 20
	}
	begin := func(ctx context.Context) {
		var made struct {
			Subscription struct {
				ID string `json:"subscription_id"`
			}
			Token string `json:"order_token"`
		}
		path := fmt.Sprintf("/campaigns/%d/subscriptions/", c.ID)
		if sim.askWith(ctx, sim.content, http.MethodPost, path, fmt.Sprintf("support-%d", o.n[3]), body, &made) == http.StatusCreated {
			s.id = made.Subscription.ID
			if made.Token != "" {
				sim.orders[s.id] = made.Token
			}
		}
	}
	if s.member == guest {
		begin(ctx)
	} else {
		sim.as(ctx, s.member, begin)
	}
	if s.id != "" {
		sim.supporters = append(sim.supporters, s)
		sim.formOf(ctx, s)
	}
}

// support is beginSupport with a card that pays at once, or after a challenge that is passed.
func (sim *simulation) support(ctx context.Context, o operation) {
	before := len(sim.intents)
	sim.beginSupport(ctx, o)
	if len(sim.intents) == before {
		return
	}
	card := goodCard
	if o.n[3]%4 == 1 {
		card = monthlyCards[int(o.n[1])%len(monthlyCards)].number
	}
	sim.payForm(sim.intents[len(sim.intents)-1], card)
}

// payForm pays in the form and passes the challenge, if there is one.
func (sim *simulation) payForm(intent, card string) {
	got, err := sim.sandbox.ConfirmIntent(intent, card)
	if err == nil && got.Status == "requires_action" {
		got, err = sim.sandbox.AnswerChallenge(intent, true)
	}
	sim.noteResult(got.Status, err)
}

func (sim *simulation) confirmMonthly(_ context.Context, o operation) {
	sim.confirm(o, monthlyCards[int(o.n[1])%len(monthlyCards)].number)
}

// one chooses a subscription; half of all numbers choose one that goes on.
func (sim *simulation) one(ctx context.Context, n uint32) (*supporter, bool) {
	going := map[string]bool{}
	for _, id := range sim.rows(ctx, `SELECT id FROM subscriptions WHERE status NOT IN ('canceled', 'expired')`) {
		going[id] = true
	}
	var list []*supporter
	for _, s := range sim.supporters {
		if going[s.id] || n%16 == 0 {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return nil, false
	}
	return list[int(n/16)%len(list)], true
}

// formOf opens the card form of the month that is to be paid.
func (sim *simulation) formOf(ctx context.Context, s *supporter) bool {
	var answer struct {
		Stripe struct {
			PaymentIntent struct{ ID string } `json:"payment_intent"`
		}
	}
	status := 0
	sim.as(ctx, s.member, func(ctx context.Context) {
		status = sim.ask(ctx, sim.payments, http.MethodPost, "/api/subscriptions/"+s.id+"/setup", nil, &answer)
	})
	if status != http.StatusOK {
		return false
	}
	sim.given(answer.Stripe.PaymentIntent.ID)
	return true
}

func (sim *simulation) supporterOf(subscription string) *supporter {
	return sim.supporters[slices.IndexFunc(sim.supporters, func(s *supporter) bool { return s.id == subscription })]
}

// setUpMonth opens the form of a month that is to be paid, and mostly pays it.
func (sim *simulation) setUpMonth(ctx context.Context, o operation) {
	s, some := sim.one(ctx, o.n[0])
	if id, isDue := pick(sim.rows(ctx, `SELECT subscription_id FROM subscription_periods WHERE status = 'open' ORDER BY begun_at`), o.n[2]); isDue {
		s, some = sim.supporterOf(id), true
	}
	if some && sim.formOf(ctx, s) && o.n[1]%3 > 0 {
		sim.payForm(sim.intents[len(sim.intents)-1], goodCard)
	}
}

func (sim *simulation) askMonth(ctx context.Context, o operation) {
	if s, some := sim.one(ctx, o.n[0]); some {
		sim.as(ctx, s.member, func(ctx context.Context) {
			sim.ask(ctx, sim.payments, http.MethodGet, "/api/subscriptions/"+s.id+"/payment", nil, nil)
		})
	}
}

// act makes a call that changes a subscription, sometimes twice, as impatient people do.
func (sim *simulation) act(ctx context.Context, o operation, call string, body func(next int) any) (s *supporter, done bool) {
	s, some := sim.one(ctx, o.n[0])
	if !some {
		return nil, false
	}
	sim.as(ctx, s.member, func(ctx context.Context) { done = sim.actOn(ctx, s, o, call, body) })
	return s, done
}

func (sim *simulation) actOn(ctx context.Context, s *supporter, o operation, call string, body func(next int) any) (done bool) {
	var shown struct {
		Subscription struct {
			NextCharge struct{ Period int } `json:"next_charge"`
			Due        struct{ Period int }
		}
	}
	if body != nil {
		sim.ask(ctx, sim.payments, http.MethodGet, "/api/subscriptions/"+s.id, nil, &shown)
	}
	next := shown.Subscription.NextCharge.Period
	if next == 0 {
		next = shown.Subscription.Due.Period
	}
	var of any
	if body != nil {
		of = body(max(next, 1))
	}
	for range 1 + o.n[1]%5/4 {
		status := sim.ask(ctx, sim.payments, http.MethodPost, "/api/subscriptions/"+s.id+"/"+call, of, nil)
		done = done || status == http.StatusOK
		sim.count("supporters", fmt.Sprintf("%s: %d", call, status))
	}
	return done
}

func (sim *simulation) skip(ctx context.Context, o operation) {
	sim.act(ctx, o, "skip", func(next int) any { return map[string]any{"period": next} })
}

func (sim *simulation) pauseSupport(ctx context.Context, o operation) {
	sim.act(ctx, o, "pause", func(next int) any { return map[string]any{"until_period": next + 1 + int(o.n[2]%4)} })
}

func (sim *simulation) resume(ctx context.Context, o operation) { sim.act(ctx, o, "resume", nil) }

func (sim *simulation) wishNotices(ctx context.Context, o operation) {
	sim.act(ctx, o, "notices", func(int) any { return map[string]any{"notify_before": o.n[2]%2 == 0} })
}

func (sim *simulation) chooseLevel(ctx context.Context, o operation) {
	sim.act(ctx, o, "modify-level", func(int) any {
		level := map[string]any{"amount": 1 + o.n[2]%40}
		if c := sim.campaigns[int(o.n[3])%len(sim.campaigns)]; o.n[2]%3 == 0 {
			level["reward_id"] = c.RewardIDs[int(o.n[3]/8)%2]
		}
		if o.n[3]%2 == 0 { // without it a large raise is refused
			sim.ask(ctx, sim.content, http.MethodPost, "/users/me/confirmations/", map[string]any{"password": membersPassword}, nil)
		}
		return level
	})
}

func (sim *simulation) cancelSupport(ctx context.Context, o operation) {
	sim.act(ctx, o, "cancel", func(int) any { return map[string]any{"at": "period_end"} })
}

func (sim *simulation) cancelAtOnce(ctx context.Context, o operation) {
	s, done := sim.act(ctx, o, "cancel", func(int) any { return map[string]any{"at": "now"} })
	if done && s.ended.IsZero() {
		s.ended = sim.clock.peek()
	}
}

// mostCards is how many subscriptions get a card at once, as the contract has it.
const mostCards = 300

// changeCard keeps another card and takes it into use; half the time for all support of the same person.
func (sim *simulation) changeCard(ctx context.Context, o operation) {
	s, some := sim.one(ctx, o.n[0])
	if some {
		sim.as(ctx, s.member, func(ctx context.Context) { sim.changeCardOf(ctx, s, o) })
	}
}

func (sim *simulation) changeCardOf(ctx context.Context, s *supporter, o operation) {
	var answer struct {
		Stripe struct {
			SetupIntent struct{ ID string } `json:"setup_intent"`
		}
	}
	path := "/api/subscriptions/" + s.id + "/card"
	if sim.ask(ctx, sim.payments, http.MethodPost, path, nil, &answer) != http.StatusOK {
		return
	}
	card := goodCard
	if o.n[1]%4 == 0 {
		card = monthlyCards[int(o.n[2])%len(monthlyCards)].number
	}
	setup := answer.Stripe.SetupIntent.ID
	got, err := sim.sandbox.ConfirmSetup(setup, card)
	if err == nil && got.Status == "requires_action" {
		got, err = sim.sandbox.AnswerSetupChallenge(setup, o.n[1]%8 != 1)
	}
	sim.noteResult(got.Status, err)
	body := map[string]any{"setup_intent": setup}
	if o.n[3]%2 == 0 {
		var also []string
		begun := sim.rows(ctx, `SELECT id FROM subscriptions WHERE status NOT IN ('created', 'expired')`)
		for _, other := range sim.supporters[:min(len(sim.supporters), mostCards)] {
			if other.member == s.member && slices.Contains(begun, other.id) {
				also = append(also, other.id)
			}
		}
		body["also"] = also
	}
	if sim.ask(ctx, sim.payments, http.MethodPut, path, body, nil) != http.StatusOK {
		return
	}
	sim.count("supporters", "card changed")
}
