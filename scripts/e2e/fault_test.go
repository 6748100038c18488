//go:build unix

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

// until repeats done until it holds, for at most settles.
func (s scene) until(done func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(s.ctx, settles)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		yes, err := done()
		if yes && err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("not within %s", settles), err)
		case <-tick.C:
		}
	}
}

// awaitPayment polls until the payment of a pledge has a status.
func (s scene) awaitPayment(v *browser.Visitor, pledgeID, status string) {
	s.Helper()
	last := ""
	if err := s.until(func() (bool, error) {
		p, err := v.ReadPayment(s.ctx, pledgeID)
		last = p.Status
		return last == status, err
	}); err != nil {
		s.Fatalf("payment is %q, want %q: %v", last, status, err)
	}
}

// payLate pays a pledge after its reservation has expired, with an intent that was opened before; before is called in
// between, unless it is nil.
func (s scene) payLate(c dataset.Added, before func(v *browser.Visitor, form browser.NewPledge)) browser.Pledge {
	s.Helper()
	v, form := stranger("fi")
	form = forReward(form, c.Rewards[0], "25")
	made := s.pledge(v, c.ID, form)
	intent, err := v.Setup(s.ctx, made.ID)
	s.must(err)
	s.await(v, made.ID, "awaiting_payment") // which prolongs the reservation
	_, err = world.Content.Exec(s.ctx, `UPDATE pledges SET reserved_until = now() - interval '1 second' WHERE id = $1`, made.ID)
	s.must(err)
	s.await(v, made.ID, "expired")
	if before != nil {
		before(v, form)
	}
	_, err = v.Confirm(s.ctx, intent, browser.GoodCard)
	s.must(err)
	return s.await(v, made.ID, "paid", "refunded")
}

func TestLatePaymentReservesStockAgain(t *testing.T) {
	s := begin(t)
	c := s.campaign(dataset.Reward{Title: "Kirja", Euros: 25, Stock: 1})
	if p := s.payLate(c, nil); p.Status != "paid" {
		t.Errorf("late money with stock left: %+v", p)
	}
	if got := s.reward(c.ID, c.Rewards[0]).StockReserved; got != 1 {
		t.Errorf("%d reserved, want 1", got)
	}
}

func TestLatePaymentIsRefundedWhenTheRewardIsSoldOut(t *testing.T) {
	s := begin(t)
	c := s.campaign(dataset.Reward{Title: "Kirja", Euros: 25, Stock: 1})
	var late *browser.Visitor
	email := ""
	p := s.payLate(c, func(v *browser.Visitor, form browser.NewPledge) {
		late, email = v, form.Meta.Email
		other, otherForm := stranger("fi")
		quick := s.pledge(other, c.ID, forReward(otherForm, c.Rewards[0], "25"))
		s.pay(other, quick.ID)
		s.await(other, quick.ID, "paid")
	})
	if p.Status != "refunded" || p.RefundReason != "reward_gone" {
		t.Errorf("late money without stock: %+v", p)
	}
	s.awaitPayment(late, p.ID, "refunded")
	if m := s.mail(email, ""); m.Subject == "" {
		t.Error("the mail about the refund has no subject")
	}
}

func TestReconciliationFindsWhatWebhooksLost(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	s.must(world.Disturb(s.ctx, harness.Webhooks{Drop: 1000}))
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.pay(v, made.ID)
	s.must(world.MakeDue(s.ctx)) // the sweeper's next check, which is a minute after the last
	s.await(v, made.ID, "paid")
}

func TestBrowserThatComesBackFindsWhatWebhooksLost(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	s.must(world.Disturb(s.ctx, harness.Webhooks{Drop: 1000}))
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.pay(v, made.ID)
	if status := s.paymentStatus(v, made.ID); status != "succeeded" {
		t.Errorf("asked by the browser the payment is %s", status)
	}
	s.await(v, made.ID, "paid")
}

func TestWebhooksManyTimesAndOutOfOrderPayOnce(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	s.must(world.Disturb(s.ctx, harness.Webhooks{Duplicate: 4, ShuffleMS: 800}))
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.challenge(v, made.ID, browser.SecureCard, true)
	s.await(v, made.ID, "paid")
	s.must(s.until(func() (bool, error) {
		n, err := harness.Number(s.ctx, world.Payments, `SELECT count(*) FROM webhook_events e JOIN attempts a ON a.money_ref = e.money_ref
			JOIN payments p ON p.id = a.payment_id WHERE p.subject_id = $1 AND e.status = 'processed'`, made.ID)
		return n >= 2, err
	}))
	page, err := v.Campaign(s.ctx, c.ID)
	s.must(err)
	if page.FundingReached != 25 || page.NumberOfBackers != 1 {
		t.Errorf("campaign has %v from %d backers", page.FundingReached, page.NumberOfBackers)
	}
}

func TestForgedWebhookIsRefused(t *testing.T) {
	s := begin(t)
	r, err := http.NewRequestWithContext(s.ctx, http.MethodPost, world.WebURL+"/payments/api/webhooks/stripe", http.NoBody)
	s.must(err)
	r.Header.Set("Stripe-Signature", "t=1,v1=00")
	answer, err := http.DefaultClient.Do(r)
	s.must(err)
	s.must(answer.Body.Close())
	if answer.StatusCode != http.StatusBadRequest {
		t.Errorf("a forged webhook is answered %d", answer.StatusCode)
	}
}

func TestRedisKilledLosesNothing(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	before := s.pledge(v, c.ID, form)
	s.must(world.Proc("redis").Kill())
	s.pay(v, before.ID)
	s.await(v, before.ID, "paid") // by the sweepers alone
	during := s.pledge(v, c.ID, form)
	s.must(world.Proc("redis").Start(s.ctx))
	page, err := v.PaymentPage(s.ctx, during.ID, 2*settles)
	s.must(err)
	s.must(v.PayPage(s.ctx, page, form.Meta.Email, browser.GoodCard))
	s.await(v, during.ID, "paid")
}

func TestContentDownWhileAWebhookArrivesLosesNothing(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	intent, err := v.Setup(s.ctx, made.ID)
	s.must(err)
	s.must(world.Proc("content").Stop(s.ctx))
	_, err = v.Confirm(s.ctx, intent, browser.GoodCard)
	s.must(err)
	s.awaitPayment(v, made.ID, "succeeded")
	_, err = v.ReadPledge(s.ctx, made.ID)
	s.refused(err, http.StatusServiceUnavailable, "unavailable")
	s.must(world.Proc("content").Start(s.ctx))
	s.await(v, made.ID, "paid")
}

func TestPaymentsDownWhileAWebhookArrivesLosesNothing(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	intent, err := v.Setup(s.ctx, made.ID)
	s.must(err)
	s.must(world.Proc("payments").Kill())
	_, err = v.Confirm(s.ctx, intent, browser.GoodCard)
	s.must(err)
	s.must(world.Proc("payments").Start(s.ctx))
	s.await(v, made.ID, "paid")
}

func TestKilledWorkersLeaveNoPledgeBehind(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	var ids []string
	v, _ := stranger("fi")
	for range 10 {
		_, form := stranger("fi")
		made := s.pledge(v, c.ID, form)
		s.pay(v, made.ID)
		ids = append(ids, made.ID)
	}
	for _, worker := range []string{"payments-work", "content-work"} {
		s.must(world.Proc(worker).Kill())
		s.must(world.Proc(worker).Start(s.ctx))
	}
	s.must(world.MakeDue(s.ctx)) // ends the leases of the killed workers
	for _, id := range ids {
		s.await(v, id, "paid")
	}
}

func TestProviderThatHangsUpAfterTheEffectMakesNoSecondIntent(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.must(world.Break(s.ctx, harness.Fault{Kind: "cut_after", Times: 1, Method: http.MethodPost,
		Path: "/v1/payment_intents"}))
	s.must(browser.Retry(s.ctx, settles, func(ctx context.Context) error {
		_, err := v.Setup(ctx, made.ID)
		return err
	}))
	s.pay(v, made.ID)
	s.await(v, made.ID, "paid") // the audit compares the provider's intents with ours
}

func TestEdgeRefusesInternalCalls(t *testing.T) {
	s := begin(t)
	const order = "orders/pledge/00000000000000000000000000"
	for _, path := range []string{"/content/internal/" + order, "/content//internal/" + order,
		"/content/%69nternal/" + order, "/internal/" + order, "/content/metrics", "/payments/metrics"} {
		r, err := http.NewRequestWithContext(s.ctx, http.MethodGet, world.WebURL+path, http.NoBody)
		s.must(err)
		answer, err := http.DefaultClient.Do(r)
		s.must(err)
		s.must(answer.Body.Close())
		if answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s is answered %d", path, answer.StatusCode)
		}
	}
}

func TestSignedOutSessionIsOver(t *testing.T) {
	s := begin(t)
	v, form := stranger("fi")
	s.must(v.Register(s.ctx, browser.Account{Email: form.Meta.Email, Password: "talkoot-2026-e2e", FirstName: "Aino",
		LastName: "Korhonen"}))
	s.must(v.Get(s.ctx, "/users/me/profile", nil))
	s.must(v.SignOut(s.ctx))
	s.refused(v.Get(s.ctx, "/users/me/profile", nil), http.StatusUnauthorized, "token_expired")
	s.must(v.SignIn(s.ctx, form.Meta.Email, "talkoot-2026-e2e"))
	s.must(v.Get(s.ctx, "/users/me/profile", nil))
}

func TestTwoThousandConcurrentPledgesReserveExactlyTheStockOfAHundred(t *testing.T) {
	s := begin(t)
	const crowd, stock = 2000, 100
	c := s.campaign(dataset.Reward{Title: "Kirja", Euros: 25, Stock: stock})
	var reserved, gone atomic.Int64
	var other sync.Map
	start := make(chan struct{})
	var all sync.WaitGroup
	for n := range crowd {
		all.Go(func() {
			v := &browser.Visitor{Site: world.Site, Address: addressOf(people.Add(1))}
			form := browser.NewPledge{Amount: json.Number("25"), RewardID: &c.Rewards[0], Meta: browser.PledgeMeta{
				Email: fmt.Sprintf("crowd%d@posti.example", n), FirstName: "Aino", LastName: "Korhonen"}}
			<-start
			err := browser.Retry(s.ctx, time.Minute, func(ctx context.Context) error {
				_, err := v.Pledge(ctx, c.ID, fmt.Sprintf("crowd-%d-%d", c.ID, n), form)
				return err
			})
			var p *browser.Problem
			switch {
			case err == nil:
				reserved.Add(1)
			case errors.As(err, &p) && p.Status == "reward_gone":
				gone.Add(1)
			default:
				other.Store(err.Error(), true)
			}
		})
	}
	close(start)
	all.Wait()
	other.Range(func(text, _ any) bool { t.Error(text); return true })
	if reserved.Load() != stock || gone.Load() != crowd-stock {
		t.Errorf("%d reserved, %d found it gone, want %d and %d", reserved.Load(), gone.Load(), stock, crowd-stock)
	}
	if got := s.reward(c.ID, c.Rewards[0]).StockReserved; got != stock {
		t.Errorf("%d reserved in the end, want %d", got, stock)
	}
	s.must(world.ExpireHolds(s.ctx))
}
