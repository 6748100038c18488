package payments_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
)

// Whatever backers, provider and time do, in whatever order: at the end every payment is in one final state, nobody has
// paid twice, and the book agrees with the provider's balance.
func TestRandomStories_EndWell(t *testing.T) {
	t.Parallel()
	for range 4 {
		seed := rand.Uint64()
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			s := &story{World: w, random: rand.New(rand.NewPCG(seed, 1)), setups: map[string]paymentstest.SetupAnswer{},
				pages: map[string]string{}, challenges: map[string]paymentstest.IntentAnswer{}}
			for range 4 {
				s.pledges = append(s.pledges, w.Pledge())
			}
			for range 70 {
				s.step()
			}
			s.end()
		})
	}
}

type story struct {
	*paymentstest.World
	random     *rand.Rand
	pledges    []string
	setups     map[string]paymentstest.SetupAnswer
	pages      map[string]string
	challenges map[string]paymentstest.IntentAnswer
}

func (s *story) one(of ...string) string { return of[s.random.IntN(len(of))] }

func (s *story) step() {
	pledge := s.one(s.pledges...)
	switch s.random.IntN(15) {
	case 0, 1:
		if a := s.Setup(pledge); a.Status == 200 {
			s.setups[pledge] = a
		}
	case 2:
		s.pageOf(pledge)
	case 3, 4:
		if a, ok := s.setups[pledge]; ok {
			card := s.one("pm_card_visa", "pm_card_visa_chargeDeclined", "pm_card_authenticationRequired",
				"pm_card_pendingRefund", "pm_card_mastercard",
				"pm_card_createDispute", "pm_card_createIssuerFraudRecord")
			if got := s.Confirm(a, card); got.NextAction.UseStripeSDK.Source != "" {
				s.challenges[pledge] = got
			}
		}
	case 5:
		if c, ok := s.challenges[pledge]; ok {
			s.AnswerChallenge(c, s.one("pass", "fail"))
		}
	case 6:
		if page := s.pages[pledge]; page != "" {
			s.PayOnPage(page, s.one("4242424242424242", "4000000000000002"))
		}
	case 7:
		s.Control("webhooks", s.one(`{}`, `{"drop":5}`, `{"duplicate":2,"shuffle_ms":20}`))
	case 8:
		where := s.one(`"path":"/v1/refunds"`, `"path":"/v1/checkout/sessions"`, `"method":"GET","path":"/v1/payment_intents"`) // not the browser's own calls
		s.Control("faults", `{"kind":"`+s.one("500", "500_stored", "cut_after", "cut_before", "409", "429")+`","times":2,`+where+`}`)
	case 9:
		s.Outcome(pledge, contentclient.EventOutcomeOutcome(s.one("applied", "applied", "reward_gone", "pledge_closed")))
	case 10:
		if id := s.PaymentOf(pledge); id != "" {
			// refusals are part of the story
			_, _, _ = s.App.Payments.Refund(s.T.Context(), id, refunds.Wish{AmountMinor: s.random.Int64N(3000),
				Reason: refunds.Requested})
		}
	case 11:
		s.Pass(time.Duration(s.random.IntN(150)) * time.Second)
		s.CloseLapsed()
	case 12:
		s.Drain()
		_ = s.App.Payments.Tidy(s.T.Context())
	case 14:
		if s.random.IntN(3) == 0 {
			s.Content.End(pledge, contentclient.Closed)
			s.Outcome(pledge, contentclient.EventOutcomeOutcomePledgeClosed)
			s.ClosePayment(pledge)
		}
	case 13:
		s.Control("clock", `{"advance_seconds":11}`)
		s.decideDisputes(1)
	}
}

// decideDisputes has the bank decide some that are open.
func (s *story) decideDisputes(atMost int) {
	s.T.Helper()
	var list struct{ Data []paymentstest.WireDispute }
	s.At("/v1/disputes?limit=100", &list)
	for _, d := range list.Data {
		if d.Status == "needs_response" && atMost > 0 {
			s.Decide(d.ID, s.one("won", "lost"))
			atMost--
		}
	}
}

func (s *story) pageOf(pledge string) {
	before := s.Count("attempts WHERE method = 'page' AND status = 'creating'")
	if before == 0 && s.random.IntN(2) == 0 {
		s.Redis.SetError("gone") // so that nobody waits for a job without a worker
		defer s.Redis.SetError("")
	}
	s.Page(pledge, "stripe")
	s.MakePages()
	var url string
	s.Scan(&url, `SELECT a.page_url FROM attempts a JOIN payments p ON p.id = a.payment_id WHERE p.subject_id = ? AND a.page_url <> '' LIMIT 1`, pledge)
	if url != "" {
		s.pages[pledge] = url
	}
}

func (s *story) end() {
	s.T.Helper()
	s.Control("calm", `{}`)
	for i := range 12 {
		if i > 3 { // the others are in dispute for a while
			s.decideDisputes(100)
		}
		s.Pass(10 * time.Minute)
		s.Control("clock", `{"advance_seconds":1}`) // does what is due
		s.CloseLapsed()
		s.Settle()
		_ = s.App.Payments.CheckOpen(s.T.Context())
	}
	s.Reconcile()
	s.Settle()
	if n := s.Count("payments WHERE status IN ('created', 'requires_action', 'processing')"); n > 0 {
		s.T.Errorf("%d payments are still open", n)
	}
	if n := s.Count("refunds WHERE status IN ('creating', 'pending')"); n > 0 {
		s.T.Errorf("%d refunds are still open", n)
	}
	if n := s.Anomalies(""); n > 0 {
		s.T.Errorf("a person is called %d times", n)
	}
	if n := s.Count("outbox WHERE done_at IS NULL"); n > 0 {
		s.T.Errorf("%d events are undelivered", n)
	}
	for _, pledge := range s.pledges {
		var row struct {
			Status string
			Kept   int64 // what the backer has paid and not got back
		}
		s.Scan(&row, `SELECT p.status, coalesce(sum(a.amount_minor), 0) - (SELECT coalesce(sum(amount_minor), 0) FROM refunds r
			WHERE r.payment_id = p.id AND r.status = 'succeeded')
			- (SELECT coalesce(sum(withdrawn_minor), 0) FROM disputes d WHERE d.payment_id = p.id) AS kept
			FROM payments p LEFT JOIN attempts a ON a.payment_id = p.id AND a.status = 'succeeded' WHERE p.subject_id = ? GROUP BY p.id`, pledge)
		if row.Kept > 5000 || row.Status == "canceled" && row.Kept != 0 || row.Status == "succeeded" && row.Kept != 5000 ||
			row.Status == "refunded" && row.Kept != 0 || row.Status == "disputed" && row.Kept != 0 {
			s.T.Errorf("a backer's payment is %s and %d of it is kept", row.Status, row.Kept)
		}
	}
	s.Audit()
}
