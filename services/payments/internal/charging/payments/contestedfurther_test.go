package payments_test

import (
	"testing"

	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

// Of a pledge with two charges, of which a bank has one: the other goes back at once, and the bank's when it returns it. What the bank keeps is with
// the backer already.
func TestBack_OfAPledgeOfWhichABankHasOneCharge(t *testing.T) {
	t.Parallel()
	back := map[string]func(w *paymentstest.World, subjects ...string){
		"taken back": func(w *paymentstest.World, subjects ...string) {
			for _, s := range subjects {
				if got := w.CloseFor(s, "withdrawn"); got != "paid" {
					t.Errorf("answered %q", got)
				}
			}
		},
		"everything back": func(w *paymentstest.World, _ ...string) { w.EndCampaign("not_reached", "backers") },
	}
	for how, give := range back {
		for _, c := range []struct {
			name          string
			before, after []string // what the bank decides before and after
			want          string   // what the contested charge is then
		}{
			{"won", nil, []string{"won"}, "refunded"},
			{"lost", nil, []string{"lost"}, "disputed"},
			{"lost, then won on appeal", nil, []string{"lost", "won"}, "refunded"},
			{"lost before", []string{"lost"}, nil, "disputed"},
			{"lost before, then won on appeal", []string{"lost"}, []string{"won"}, "refunded"},
			{"won before", []string{"won"}, nil, "refunded"},
			{"won before, then lost", []string{"won"}, []string{"lost"}, "refunded"},
		} {
			t.Run(how+": "+c.name, func(t *testing.T) {
				t.Parallel()
				w := paymentstest.New(t)
				pledge, _, _ := w.Paid()
				more := w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.AmountMinor, o.PledgeID = 2000, &pledge })
				a := w.MustSetup(more)
				w.MustPay(a)
				w.Settle()
				dispute := w.DisputeByHand(a.Stripe.PaymentIntent.ID, 0)
				w.Settle()
				w.WantStatus(more, "disputed")
				decide := func(decisions []string) {
					for _, d := range decisions {
						w.Decide(dispute, d)
						w.Settle()
					}
				}
				decide(c.before)
				for range 2 { // a word is delivered at least once
					give(w, pledge, more)
					w.Settle()
				}
				w.WantStatus(pledge, "refunded")
				decide(c.after)
				w.WantStatus(more, c.want)
				want := map[string]int{"refunded": 2000, "disputed": 0}[c.want]
				if first, further := sumBack(w, pledge), sumBack(w, more); int64(first) != w.Payment(pledge).AmountMinor || further != want {
					t.Errorf("%d and %d went back, want all and %d", first, further, want)
				}
				w.Audit()
			})
		}
	}
}

// sumBack is what went back of a subject's charge.
func sumBack(w *paymentstest.World, subject string) int {
	return w.Count(`refunds r JOIN payments p ON p.id = r.payment_id CROSS JOIN LATERAL generate_series(1, r.amount_minor)
		WHERE r.status = 'succeeded' AND p.subject_id = '` + subject + `'`)
}
