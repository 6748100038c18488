package disputes_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/paymentstest"
	sandbox "talkoot.fi/sandbox/stripe"
)

// aCharge is one of 50 euros at the provider, of which a refund comes back before, during or after a dispute of a part.
type aCharge struct {
	*paymentstest.World
	name, kind      string
	intent, ref     string
	refund, dispute int64
	fails, end      string
	bank            string // the dispute's id
}

// counts is a charge that is its payment's success.
func counts(w *paymentstest.World) (intent string) {
	w.T.Helper()
	form := w.MustSetup(w.Pledge())
	w.MustPay(form)
	return form.Stripe.PaymentIntent.ID
}

// doesNotFit is a charge that says that it is another payment's: it is held.
func doesNotFit(w *paymentstest.World) (intent string) {
	w.T.Helper()
	form := w.MustSetup(w.Pledge())
	intent = form.Stripe.PaymentIntent.ID
	if status := w.ByHand("/v1/payment_intents/"+intent, url.Values{"metadata[payment_id]": {ids.New()}}); status != http.StatusOK {
		w.T.Fatal(status)
	}
	w.MustPay(form)
	return intent
}

// second is the charge of a pledge that is paid twice, by page and by form, which does not count: the service gives it back.
func second(w *paymentstest.World) (intent string) {
	w.T.Helper()
	pledge := w.Pledge()
	form := w.MustSetup(pledge)
	page := w.MustPage(pledge)
	w.LoseWebhooks()
	w.MustPayOnPage(page)
	w.MustPay(form)
	w.Control("webhooks", `{}`)
	if _, err := w.App.Payments.Advance(w.T.Context(), form.Payment.ID, payments.SignalMoneySweep); err != nil {
		w.T.Fatal(err)
	}
	w.Scan(&intent, `SELECT money_ref FROM attempts a JOIN payments p ON p.id = a.payment_id
		WHERE p.id = ? AND a.status = 'succeeded' AND a.id <> p.paid_attempt_id`, form.Payment.ID)
	return intent
}

// giveBack is a person who sends what is held of the charge back.
func (c *aCharge) giveBack() {
	c.T.Helper()
	if err := c.App.Payments.ReleaseHeld(c.T.Context(), "stripe", c.ref, false, payments.Operator{Actor: "aino", Note: "back"}); err != nil {
		c.T.Errorf("%s: give it back: %v", c.name, err)
	}
}

// comesBack has the charge's refund fail.
func (c *aCharge) comesBack(all []sandbox.Refund) {
	c.T.Helper()
	for _, r := range all {
		if r.Charge != c.ref || r.Amount != c.refund {
			continue
		}
		if _, err := c.Sandbox.FailRefund(sandbox.RefundFailure{Refund: r.ID}); err != nil {
			c.T.Fatal(err)
		}
		return
	}
	c.T.Errorf("%s: there is no refund that could fail", c.name)
}

// has is what the charge has in a class of accounts.
func (c *aCharge) has(class string) (minor int64) {
	c.T.Helper()
	c.Scan(&minor, `SELECT coalesce(-sum(e.amount_minor), 0)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
		JOIN ledger_transactions t ON t.id = e.transaction_id WHERE t.charge_ref = ? AND a.class = ?`, c.ref, class)
	return minor
}

// openRefund is one that has failed or is not made yet.
type openRefund struct {
	ID          string
	AmountMinor int64
	Owed        bool
}

func (c *aCharge) open() (list []openRefund) {
	c.T.Helper()
	c.Scan(&list, `SELECT r.id, r.amount_minor, r.owed FROM refunds r JOIN attempts a ON a.id = r.attempt_id
		WHERE a.charge_ref = ? AND r.status IN ('creating', 'failed') ORDER BY r.created_at, r.id`, c.ref)
	return list
}

// fits wants that every open refund is promised its money, and nothing else is owed.
func (c *aCharge) fits(when string) {
	c.T.Helper()
	left := c.has("owed_to_backers")
	for _, r := range c.open() {
		left -= r.AmountMinor
		if !r.Owed {
			c.T.Errorf("%s, %s: nothing is promised to an open refund of %d", c.name, when, r.AmountMinor)
		}
	}
	if left != 0 {
		c.T.Errorf("%s, %s: %d are owed beyond what open refunds promise", c.name, when, left)
	}
}

// send is a person who sends the backer all that waits for one.
func (c *aCharge) send() {
	c.T.Helper()
	for _, r := range c.open() {
		if err := c.App.Payments.RefundPaidByHand(c.T.Context(), r.ID, payments.Operator{Actor: "aino", Note: "sent"}); err != nil {
			c.T.Errorf("%s: send the refund of %d: %v", c.name, r.AmountMinor, err)
		}
	}
	if c.has("held_funds") > 0 {
		c.giveBack()
	}
}

// Somebody refunds a part of a charge in the provider's pages, that comes back, and a bank takes the most of the charge, in any order: when it
// has decided, what is owed is what open refunds promise, no more and no less; also when it decides anew; and people can send all of it.
// All charges go through each step together, which takes as long as one.
func TestDispute_AndARefundThatComesBack_OwesWhatRefundsPromise(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	var all []*aCharge
	each := func(do func(c *aCharge)) {
		for _, c := range all {
			do(c)
		}
		w.Settle()
		w.Pass(time.Minute)
	}
	add := func(kind string, refund, dispute int64, fails string, ends ...string) {
		pay := map[string]func(w *paymentstest.World) string{
			"counts": counts, "held": doesNotFit, "held and given back": doesNotFit, "second": second}[kind]
		for _, end := range ends {
			c := &aCharge{World: w, kind: kind, intent: pay(w), refund: refund, dispute: dispute, fails: fails, end: end}
			c.ref = w.ChargeOf(c.intent)
			c.name = fmt.Sprintf("%s, %d of it comes back %s the dispute of %d, which is %s", kind, refund, fails, dispute, end)
			all = append(all, c)
		}
	}
	for _, kind := range []string{"counts", "held", "held and given back"} {
		add(kind, 3000, 4500, "before", "lost")
		add(kind, 3000, 4500, "during", "won", "lost")
		add(kind, 3000, 4500, "after", "lost", "partly")
		add(kind, 4900, 4600, "during", "lost")
		add(kind, 4900, 4600, "after", "partly") // more than a bank contests at first
	}
	for _, fails := range []string{"before", "during", "after"} {
		add("second", 5000, 4500, fails, "lost") // which the service gives back
	}
	comeBack := func(now string) {
		made := w.Sandbox.Snapshot().Refunds
		each(func(c *aCharge) {
			if c.fails == now {
				c.comesBack(made)
			}
		})
	}
	w.Settle()
	each(func(c *aCharge) {
		if c.kind != "second" {
			c.RefundByHand(c.intent, c.refund)
		}
	})
	comeBack("before")
	each(func(c *aCharge) { c.bank = c.DisputeByHand(c.intent, c.dispute) })
	comeBack("during")
	each(func(c *aCharge) {
		if c.end == "won" {
			c.Decide(c.bank, "won")
		} else {
			c.Decide(c.bank, "lost")
		}
	})
	each(func(c *aCharge) {
		if c.end == "partly" {
			givePartBack(w, c.bank, 2000)
		}
	})
	each(func(c *aCharge) {
		if c.kind == "held and given back" {
			c.giveBack()
		}
	})
	comeBack("after")
	each(func(c *aCharge) { c.fits("decided") })
	w.Audit()
	each(func(c *aCharge) {
		if c.end != "won" {
			c.Decide(c.bank, "won")
		}
	})
	each(func(c *aCharge) { c.fits("decided at last") })
	w.Audit()
	each((*aCharge).send)
	each((*aCharge).send) // what was held is a refund now
	each(func(c *aCharge) {
		if owed, held := c.has("owed_to_backers"), c.has("held_funds"); owed != 0 || held != 0 {
			c.T.Errorf("%s: %d are owed and %d held at last", c.name, owed, held)
		}
	})
	w.Audit()
}
