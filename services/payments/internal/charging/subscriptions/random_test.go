package subscriptions_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/paymentstest"
)

// Lives of some subscriptions over a year, with everything that backers, banks, the network and the content service do,
// drawn by seed: a month is charged once, never after the end, and nothing is left over.
func TestRandomLives_ChargeEachMonthOnce(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			l := &lives{World: paymentstest.New(t, func(c *app.Config) {
				c.StripePause, c.StripeBreakAfter = time.Microsecond, 1<<30 // they run on the machine's clock
			}), random: rand.New(rand.NewPCG(seed, 10))}
			l.GoTo(noon(day(2027, 1, 28+int(seed))))
			l.ids = make([]string, 5)
			l.SetLimit(careful, carefulMost, true)
			for range 150 {
				for i, id := range l.ids {
					if id == "" || l.Count(`subscriptions WHERE id = ? AND status IN ('canceled', 'expired')`, id) > 0 {
						l.ids[i] = l.begin(int64(i/2 + 1))
					}
				}
				l.Pass(time.Duration(l.random.IntN(5*24)+1) * time.Hour)
				l.CloseLapsed()
				l.CheckOpen()
				l.Settle()
				l.happen(l.ids[l.random.IntN(len(l.ids))])
			}
			l.calm()
			l.check()
		})
	}
}

// Who sets a limit once and keeps it, and who changes theirs all the time.
const (
	careful, carefulMost = 1, 2500
	fickle               = 2
)

type lives struct {
	*paymentstest.World
	random *rand.Rand
	ids    []string
}

// begin is somebody who begins; a fault may have them give up, or pay without hearing of it.
func (l *lives) begin(user int64) string {
	l.T.Helper()
	id := l.Subscription(paymentstest.OfUser(user))
	for range 5 {
		if a := l.SetupMonth(id); a.Status == http.StatusOK {
			l.pay(a, "4242424242424242")
			l.Settle()
			return id
		}
	}
	return ""
}

// pay is the form, whose calls the network does not break: the backer would press again.
func (l *lives) pay(a paymentstest.SetupAnswer, number string) {
	l.T.Helper()
	if _, err := l.Sandbox.ConfirmIntent(a.Stripe.PaymentIntent.ID, number); err != nil {
		l.T.Logf("the form was refused: %v", err)
	}
}

// happen is one thing of many. What a rule refuses is refused.
func (l *lives) happen(id string) {
	l.T.Helper()
	if id == "" || l.Count(`subscriptions WHERE id = ?`, id) == 0 {
		return
	}
	sub := l.Show(id)
	next := 2
	if sub.NextCharge != nil {
		next = sub.NextCharge.Period
	}
	act := func(call, body string) {
		if status, code, _ := l.Act(http.MethodPost, id, "/"+call, body); status >= http.StatusInternalServerError &&
			code != "provider_unavailable" {
			l.T.Errorf("%s answered %d %s", call, status, code)
		}
	}
	goesOn := sub.Status == "active" || sub.Status == "past_due" || sub.Status == "paused"
	switch n := l.random.IntN(22); {
	case n < 4 && goesOn && sub.Card != nil:
		numbers := []string{paymentstest.WorksAgain, paymentstest.WorksAgain, paymentstest.WorksAgain,
			paymentstest.Insufficient, paymentstest.Lost, paymentstest.MustConfirm}
		l.BankSays(id, numbers[l.random.IntN(len(numbers))])
	case n < 6 && sub.Due != nil:
		if a := l.SetupMonth(id); a.Status == http.StatusOK {
			l.pay(a, "5555555555554444")
		}
	case n < 8 && sub.Card != nil:
		setup := l.SetupCardOf(id, paymentstest.Visa)
		also := []string{}
		if n == 7 { // of which those of others are passed over
			l.Scan(&also, `SELECT id FROM subscriptions ORDER BY id LIMIT 300`)
		}
		list, err := json.Marshal(also)
		if err != nil {
			l.T.Fatal(err)
		}
		status, code, _ := l.Act(http.MethodPut, id, "/card", fmt.Sprintf(`{"setup_intent":%q,"also":%s}`, setup, list))
		if status != http.StatusOK {
			l.T.Errorf("the card answered %d %s", status, code)
		}
	case n == 8:
		act("skip", fmt.Sprintf(`{"period":%d}`, next))
	case n == 9:
		act("pause", fmt.Sprintf(`{"until_period":%d}`, next+1+l.random.IntN(3)))
	case n == 10:
		act("resume", "")
	case n < 13:
		act("modify-level", fmt.Sprintf(`{"amount":%d}`, 5+l.random.IntN(20)))
	case n == 13 && l.random.IntN(4) == 0:
		act("cancel", `{"at":"now"}`)
	case n == 14 && l.random.IntN(3) == 0:
		act("cancel", "")
	case n < 17:
		kinds := []string{"cut_after", "cut_before", "500", "500_stored", "503", "429", "409"}
		l.Fault(kinds[l.random.IntN(len(kinds))], 1+l.random.IntN(5), http.MethodPost, "/v1/payment_intents")
	case n == 17:
		l.Control("webhooks", `{"drop":3}`)
	case n == 18:
		l.Content.Forget(2)
	case n == 19 && l.random.IntN(6) == 0:
		l.CloseSubscription(id, "person_blocked")
	case n == 20:
		l.SetLimit(fickle, 500+l.random.Int64N(3000), true)
	case n == 21:
		l.EndLimit(fickle)
	}
}

// calm lets faults pass and whatever waits come to its end.
func (l *lives) calm() {
	l.T.Helper()
	for range 30 {
		l.Pass(20 * time.Minute)
		l.CheckOpen()
		l.Settle()
	}
}

func (l *lives) check() {
	l.T.Helper()
	if n := l.Count(`subscription_tries WHERE outcome = 'unknown'`); n > 0 {
		l.T.Errorf("%d tries are not answered", n)
	}
	if n := l.Count(`attempts a JOIN payments p ON p.id = a.payment_id WHERE p.subject_kind = 'subscription' AND a.status = 'succeeded'
		GROUP BY p.subject_id, p.period HAVING count(*) > 1`); n > 0 {
		l.T.Errorf("%d months were charged twice", n)
	}
	if n := l.Count(`subscription_tries t JOIN subscriptions s ON s.id = t.subscription_id WHERE s.status = 'canceled' AND t.begun_at > (
		SELECT max(at) FROM subscription_transitions x WHERE x.subscription_id = s.id AND x.to_status = 'canceled' AND x.from_status <> 'canceled')`); n > 0 {
		l.T.Errorf("%d tries after the end", n)
	}
	var paid []struct {
		ID     string
		Period int
		Day    time.Time
		At     time.Time
	}
	l.Scan(&paid, `SELECT m.subscription_id AS id, m.period, p.period_day AS day, m.settled_at AS at FROM subscription_periods m
		JOIN payments p ON p.id = m.payment_id WHERE m.status = 'paid' AND m.period > 1`)
	for _, p := range paid {
		if p.At.Before(calendar.At(p.Day, 9)) {
			l.T.Errorf("month %d of %s was paid %s before its time", p.Period, p.ID, calendar.At(p.Day, 9).Sub(p.At))
		}
	}
	if n := l.Count(`payments p JOIN subscription_periods m ON m.payment_id = p.id WHERE p.backer_user_id = ? AND m.status = 'paid'
		GROUP BY date_trunc('month', p.paid_on) HAVING sum(p.amount_minor - p.amount_refunded_minor) > ?`, careful, carefulMost); n > 0 {
		l.T.Error("in a calendar month a person was charged above their limit")
	}
	if n := l.Count(`subscription_transitions WHERE cause = 'held'`); n == 0 {
		l.T.Error("no month was held: the lives do too little")
	}
	if len(paid) < 10 {
		l.T.Errorf("only %d months were paid: the lives do too little", len(paid))
	}
	l.Audit()
}
