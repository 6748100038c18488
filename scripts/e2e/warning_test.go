//go:build unix

package e2e

import (
	"testing"

	"talkoot.fi/scripts/harness"
)

// What a cardholder has reported as fraud waits for a person, whatever becomes of the provider's messages; the refund ends it, here and there.
func TestWarningOfFraudWaitsForAPerson(t *testing.T) {
	for _, hooks := range []harness.Webhooks{{}, {Duplicate: 3, ShuffleMS: 200}} {
		s := begin(t)
		c := s.campaign()
		v, form := stranger("fi")
		made := s.pledge(v, c.ID, form)
		s.pay(v, made.ID)
		s.await(v, made.ID, "paid")
		payment, err := v.ReadPayment(s.ctx, made.ID)
		s.must(err)
		charge, err := s.text(`SELECT a.charge_ref FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id WHERE p.subject_id = $1`, made.ID)
		s.must(err)
		s.must(world.Disturb(s.ctx, hooks))
		s.must(world.Warn(s.ctx, charge))
		stands := func(want string) {
			s.Helper()
			s.must(s.until(func() (bool, error) {
				got, err := s.text(`SELECT string_agg(w.status, ',') FROM fraud_warnings w JOIN payments p ON p.id = w.payment_id WHERE p.subject_id = $1`, made.ID)
				return got == want, err
			}))
		}
		stands("open")
		if p := s.await(v, made.ID, "paid"); p.Amount != 25 { // nothing goes back by itself
			t.Errorf("pledge %+v", p)
		}
		s.operate("refund", "-payment", payment.ID, "-all", "-key", "reported "+payment.ID, "-note", "its payer does not know of it")
		s.await(v, made.ID, "refunded")
		stands("refunded")
		s.must(world.Calm(s.ctx))
		s.wantCharges(made.ID, harness.Money{Charges: 1, Charged: 2500, Returned: 2500})
	}
}
