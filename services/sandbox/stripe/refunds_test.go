package stripe_test

import (
	"slices"
	"testing"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

func (b *fixture) refund(pi *stripego.PaymentIntent, amount int64) *stripego.Refund {
	b.t.Helper()
	r, err := b.api.Refunds.New(&stripego.RefundParams{PaymentIntent: &pi.ID, Amount: &amount})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// eventsAbout are the types of the events whose object has the id, sorted.
func (b *fixture) eventsAbout(id string) (types []string) {
	b.t.Helper()
	for it := b.api.Events.List(&stripego.EventListParams{}); it.Next(); {
		if it.Event().Data.Object["id"] == id {
			types = append(types, string(it.Event().Type))
		}
	}
	slices.Sort(types)
	return types
}

func TestRefund_ThatSucceededFailsDaysLater(t *testing.T) {
	for name, tc := range map[string]struct {
		silent string
		events []string
	}{
		"told":   {"false", []string{"charge.refund.updated", "refund.created", "refund.updated"}},
		"silent": {"true", []string{"refund.created"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t, stripe.Options{})
			pi := b.pay("pm_card_visa")
			r := b.refund(pi, 400)
			b.refund(pi, 100)
			b.control("clock", `{"advance_seconds": 432000}`)
			b.control("refunds/fail", `{"refund":"`+r.ID+`","reason":"expired_or_canceled_card","silent":`+tc.silent+`}`)

			params := &stripego.RefundParams{}
			params.AddExpand("balance_transaction")
			params.AddExpand("failure_balance_transaction")
			failed, err := b.api.Refunds.Get(r.ID, params)
			if err != nil || failed.Status != "failed" || failed.FailureReason != "expired_or_canceled_card" || failed.BalanceTransaction.Amount != -400 {
				t.Fatalf("%+v %v", failed, err)
			}
			back := failed.FailureBalanceTransaction
			if back.Type != "refund_failure" || back.ReportingCategory != "refund_failure" || back.Amount != 400 || back.Net != 400 ||
				back.Source.ID != r.ID || back.Created < r.Created+432000 {
				t.Errorf("%+v", back)
			}
			ch, err := b.api.Charges.Get(pi.LatestCharge.ID, nil)
			if err != nil || ch.AmountRefunded != 100 || ch.Refunded {
				t.Errorf("%+v %v", ch, err)
			}
			if held := b.heldInAll(); held != 860 {
				t.Errorf("the balance is %d", held)
			}
			if got := b.eventsAbout(r.ID); !slices.Equal(got, tc.events) {
				t.Errorf("events %v", got)
			}

			list := &stripego.RefundListParams{PaymentIntent: &pi.ID}
			list.AddExpand("data.failure_balance_transaction")
			list.AddExpand("data.balance_transaction")
			it, seen := b.api.Refunds.List(list), 0
			for it.Next() {
				seen++
				one := it.Refund()
				if one.BalanceTransaction.Type != "refund" || (one.FailureBalanceTransaction != nil) != (one.ID == r.ID) {
					t.Errorf("%+v", one)
				}
			}
			if it.Err() != nil || seen != 2 {
				t.Errorf("%d refunds listed, %v", seen, it.Err())
			}
			if again := b.refund(pi, 900); again.Status != "succeeded" {
				t.Errorf("what failed can be refunded again: %+v", again)
			}
		})
	}
}

func TestRefund_FailsOnceOnly(t *testing.T) {
	b := start(t, stripe.Options{})
	r := b.refund(b.pay("pm_card_pendingRefund"), 400)
	if r.Status != "pending" {
		t.Fatalf("%+v", r)
	}
	if got, err := b.sandbox.FailRefund(stripe.RefundFailure{Refund: r.ID}); err != nil || got.FailureReason != "lost_or_stolen_card" {
		t.Errorf("a pending refund fails too: %+v %v", got, err)
	}
	for name, in := range map[string]stripe.RefundFailure{
		"twice": {Refund: r.ID}, "unknown refund": {Refund: "re_none"}, "unknown reason": {Refund: r.ID, Reason: "mood"},
	} {
		if _, err := b.sandbox.FailRefund(in); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	b.control("clock", `{"advance_seconds": 60}`)
	if held := b.heldInAll(); held != 960 {
		t.Errorf("the balance is %d", held)
	}
	b.eventually(func() bool {
		got, err := b.api.Refunds.Get(r.ID, nil)
		return err == nil && got.Status == "failed"
	}, "what settles later leaves it failed")
}

func TestRefund_OfTheFailingCardFailsByItself(t *testing.T) {
	b := start(t, stripe.Options{})
	r := b.refund(b.pay("pm_card_refundFail"), 400)
	b.control("clock", `{"advance_seconds": 11}`)
	b.eventually(func() bool {
		got, err := b.api.Refunds.Get(r.ID, nil)
		return err == nil && got.Status == "failed" && got.FailureReason == "expired_or_canceled_card"
	}, "its refund fails")
}

func TestRefund_CostsTheFeeThatTheControlSets(t *testing.T) {
	for name, tc := range map[string]struct {
		returned string
		held     int64
	}{"kept": {"false", 935}, "returned": {"true", 960}} {
		t.Run(name, func(t *testing.T) {
			b := start(t, stripe.Options{})
			b.control("refunds/cost", `{"amount":25,"returned":`+tc.returned+`}`)
			r := b.refund(b.pay("pm_card_visa"), 400)
			params := &stripego.RefundParams{}
			params.AddExpand("balance_transaction")
			got, err := b.api.Refunds.Get(r.ID, params)
			if err != nil || got.Amount != 400 || got.BalanceTransaction.Amount != -400 || got.BalanceTransaction.Fee != 25 || b.heldInAll() != 535 {
				t.Errorf("%+v %v", got, err)
			}
			b.control("refunds/fail", `{"refund":"`+r.ID+`"}`)
			if held := b.heldInAll(); held != tc.held {
				t.Errorf("after it failed the balance is %d", held)
			}
			b.control("calm", `{}`)
			b.refund(b.pay("pm_card_visa"), 100)
			if held := b.heldInAll(); held != tc.held+860 {
				t.Errorf("when calm the balance is %d", held)
			}
		})
	}
	b := start(t, stripe.Options{})
	if err := b.sandbox.SetRefundCost(stripe.RefundCost{Amount: -1}); err == nil {
		t.Error("a refund earns money")
	}
}
