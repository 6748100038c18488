package simulate

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	content "talkoot.fi/content/inproc"
	"talkoot.fi/sandbox/stripe"
)

// monthlyCards are the provider's test cards that supporters use besides the good one. Those that are good pay every month
// without their holder; Last4 is how the service shows them.
var monthlyCards = []struct {
	number string
	isGood bool
}{
	{"5555555555554444", true}, {"4000003800000446", true}, {"4000003800000446", true},
	{"4000002500003155", false}, {"4000002760003184", false},
	{"4000000000000341", false}, {"4000000000009995", false}, {"4000000000000259", true}, {"4000000000005126", true},
	{"4000005100000000", false}, {"4000005100000018", false},
}

// hardDecline is the number of a card that its bank has taken off.
const hardDecline = "4000000000009987"

// isGoodNumber tells whether a card pays each month without its holder.
func isGoodNumber(number string) bool {
	if number == goodCard {
		return true
	}
	for _, c := range monthlyCards {
		if c.number == number {
			return c.isGood
		}
	}
	return false
}

// numberOf is the card that the service shows as "Visa ···· 4242".
func numberOf(label string) string {
	end := label[max(0, len(label)-4):]
	for _, c := range monthlyCards {
		if c.number[len(c.number)-4:] == end {
			return c.number
		}
	}
	return goodCard
}

// watch keeps which card each subscription has, and how its bank behaves at first.
func (sim *simulation) watch(ctx context.Context) error {
	rows, err := sim.runner.payments.Query(ctx, `SELECT id, card_ref, card_label, card_expires FROM subscriptions`)
	if err != nil {
		return fmt.Errorf("look at the cards: %w", err)
	}
	defer rows.Close()
	now := sim.clock.peek()
	for rows.Next() {
		var id, ref, label, expires string
		if err := rows.Scan(&id, &ref, &label, &expires); err != nil {
			return fmt.Errorf("look at the cards: %w", err)
		}
		for _, s := range sim.supporters {
			if s.id == id && (len(s.cards) == 0 || s.cards[len(s.cards)-1].ref != ref) {
				s.cards = append(s.cards, keptCard{now, ref})
			}
		}
		if _, known := sim.banks[ref]; ref != "" && !known {
			word := bankWord{from: now, number: numberOf(label)}
			if month, err := time.Parse("2006-01", expires); err == nil {
				word.expYear, word.expMonth = month.Year(), month.Month()
			}
			sim.banks[ref] = []bankWord{word}
		}
	}
	return rows.Err()
}

// kept chooses a subscription that goes on and has a card.
func (sim *simulation) kept(ctx context.Context, n uint32) (ref string, some bool) {
	s, some := sim.one(ctx, n)
	if !some || len(s.cards) == 0 {
		return "", false
	}
	ref = s.cards[len(s.cards)-1].ref
	return ref, ref != "" && len(sim.banks[ref]) > 0
}

// bankSays has a kept card behave otherwise from now on, or as it should again.
func (sim *simulation) bankSays(ctx context.Context, o operation) {
	ref, some := sim.kept(ctx, o.n[0])
	if !some {
		return
	}
	number := []string{goodCard, goodCard, "4000000000000341", "4000000000009995", hardDecline, "4000002760003184",
		"4000000000000119"}[o.n[1]%7]
	sim.say(stripe.CardChange{Method: ref, Card: number})
}

// renewCard has the network tell of a card's successor.
func (sim *simulation) renewCard(ctx context.Context, o operation) {
	if ref, some := sim.kept(ctx, o.n[0]); some {
		in := sim.clock.peek().AddDate(1+int(o.n[1]%4), 0, 0)
		sim.say(stripe.CardChange{Method: ref, Card: goodCard, ExpYear: int64(in.Year()), ExpMonth: int64(in.Month()), Announced: true})
	}
}

func (sim *simulation) say(c stripe.CardChange) {
	got, err := sim.sandbox.ChangeCard(c)
	sim.noteResult(c.Card[12:], err)
	if err == nil {
		sim.banks[c.Method] = append(sim.banks[c.Method], bankWord{from: sim.clock.peek(), number: c.Card,
			expYear: int(got.Card.ExpYear), expMonth: time.Month(got.Card.ExpMonth), isRenewed: c.Announced})
		sim.count("banks", c.Card[12:])
	}
}

// isHopefulNumber tells whether a card pays each month without its holder, or may do so another day.
func isHopefulNumber(number string) bool {
	return isGoodNumber(number) || slices.Contains([]string{"4000000000000341", "4000000000009995", "4000000000000119"}, number)
}

// behaved tells whether a card had numbers as is says all the time between two moments, and had not expired: one that was lost
// does not count before its network has told of another.
func (sim *simulation) behaved(ref string, from, to time.Time, is func(number string) bool) bool {
	words, isGood, wasLost := sim.banks[ref], false, false
	for i, w := range words {
		until := to
		if i+1 < len(words) {
			until = words[i+1].from
		}
		hasExpired := w.expYear > 0 && !time.Date(w.expYear, w.expMonth+1, 1, 0, 0, 0, 0, time.UTC).After(minTime(until, to))
		isGood = is(w.number) && !hasExpired && (i == 0 || w.isRenewed || !wasLost)
		wasLost = !w.isRenewed && wasLost || w.number == hardDecline
		if until.After(from) && !w.from.After(to) && !isGood {
			return false
		}
	}
	return isGood
}

func minTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func (sim *simulation) chargeMonths(ctx context.Context, _ operation) {
	sim.work(sim.payments, "steps", func(p *process) error { return p.payments.Steps(ctx) })
}

func (sim *simulation) endSupport(ctx context.Context, _ operation) {
	sim.work(sim.content, "end", func(p *process) error {
		n, err := p.content.EndSubscriptions(ctx)
		sim.note("%d", n)
		return err
	})
}

// loseWebhooks loses all that are on their way, at the next charge also those to come.
func (sim *simulation) loseWebhooks(_ context.Context, o operation) {
	sim.losing = int(o.n[0] % 12)
	for _, d := range sim.deliveries() {
		sim.noteResult(d.Type, d.DropDelivery(d.ID))
	}
	sim.count("webhooks", "lost in a row")
}

// closeCampaign has an editor close one for good, and another one begin.
func (sim *simulation) closeCampaign(ctx context.Context, o operation) {
	c := sim.campaigns[max(0, len(sim.campaigns)-2)+int(o.n[0]%2)]
	if taskOf(ctx) != nil && o.n[1]%3 > 0 {
		return
	}
	err := sim.content.do(func(p *process) error { return p.content.MoveStage(ctx, c.ID, content.StageClosed) })
	sim.note("%v", err)
	if err != nil || taskOf(ctx) != nil {
		return
	}
	sim.count("stages", "closed")
	if err := sim.openMonthly(ctx); err != nil {
		sim.find("the simulation works", "%v", err)
	}
}

// blockMember has an operator block a person, and give them their account back a while later.
func (sim *simulation) blockMember(ctx context.Context, o operation) {
	address := memberAddress(1 + int(o.n[0]%members))
	for _, blocked := range []bool{true, false} {
		err := sim.content.do(func(p *process) error { return p.content.Block(ctx, address, blocked) })
		sim.note("%v", err)
		if err == nil {
			sim.count("people", fmt.Sprintf("blocked %t", blocked))
		}
		sim.findError(sim.live(ctx, sim.clock.peek().Add(time.Hour)))
	}
}

// failMonthlyCall makes the next calls to the provider fail.
func (sim *simulation) failMonthlyCall(_ context.Context, o operation) {
	kind := []string{"500", "500_stored", "500_stored", "409", "429", "403", "cut_before", "cut_after", "cut_after", "cut_after", "lock",
		"503"}[o.n[0]%12]
	target := []struct{ method, path string }{{"", ""}, {http.MethodPost, ""}, {http.MethodPost, "/v1/payment_intents"},
		{http.MethodPost, "/v1/payment_intents/"}, {http.MethodGet, "/v1/payment_intents/"}, {http.MethodPost, "/v1/refunds"},
		{http.MethodPost, "/v1/customers"}, {http.MethodPost, "/v1/setup_intents"}, {http.MethodGet, "/v1/payment_methods"}}[o.n[1]%9]
	times := 1 + int(o.n[2]%8)
	if err := sim.sandbox.AddFault(stripe.FaultRule{Kind: kind, Times: times, Method: target.method, Path: target.path}); err != nil {
		sim.find("the simulation works", "%v", err)
	}
	sim.note("%s, %d times, %s %s", kind, times, target.method, target.path)
	sim.count("faults", "provider "+kind)
}

// providerAway has the provider fail for up to three days.
func (sim *simulation) providerAway(ctx context.Context, o operation) {
	kind := []string{"cut_before", "503", "cut_after", "500", "429"}[o.n[0]%5]
	if err := sim.sandbox.AddFault(stripe.FaultRule{Kind: kind, Times: 1 << 30}); err != nil {
		sim.find("the simulation works", "%v", err)
	}
	sim.note("%s", kind)
	sim.count("faults", "provider away")
	sim.trouble(ctx, time.Duration(1+o.n[1]%72)*time.Hour)
	if err := sim.sandbox.Calm(); err != nil {
		sim.find("the simulation works", "%v", err)
	}
}

// hostAway has one of our hosts be away for up to three days.
func (sim *simulation) hostAway(ctx context.Context, o operation) {
	h := sim.hosts()[o.n[0]%2]
	h.isDown = true
	sim.note("%s", h.name)
	sim.count("faults", h.name+" away")
	sim.trouble(ctx, time.Duration(1+o.n[1]%72)*time.Hour)
	h.isDown = false
}

// trouble lets a while pass in which something is broken.
func (sim *simulation) trouble(ctx context.Context, how time.Duration) {
	begun := sim.clock.peek()
	sim.pace = time.Hour
	sim.findError(sim.live(ctx, begun.Add(how)))
	sim.pace = 0
	sim.troubles = append(sim.troubles, [2]time.Time{begun, sim.clock.peek()})
}

// skewOneClock sets one host's clock up to five minutes ahead or behind, and the others right.
func (sim *simulation) skewOneClock(_ context.Context, o operation) {
	for _, h := range sim.hosts() {
		h.skew = 0
	}
	h := sim.hosts()[o.n[0]%2]
	h.skew = time.Duration(int(o.n[1]%11)-5) * time.Minute
	sim.note("%s %s", h.name, h.skew)
	sim.count("faults", "wrong clock")
}

func (sim *simulation) findError(err error) {
	if err != nil {
		sim.find("the simulation works", "%v", err)
	}
}
