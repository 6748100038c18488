package subscriptions_test

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

func TestWebhook_BeforeTheAnswer_IsOneSuccess(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	during(b, false, func() {
		w.AwaitWebhooks()
		w.Drain()
		wantMonths(w, id, 2)
	})
	w.Settle()
	wantMonths(w, id, 2)
	w.WantTold(id, "activated", "renewed")
	w.Audit()
}

func TestCharge_WhoseAnswerIsLost_IsOneCharge_WithoutWebhooks(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"cut_after", "cut_before", "500", "500_stored", "409", "429", "503"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w, id := renewing(t, "")
			w.LoseWebhooks()
			w.Fault(kind, 6, http.MethodPost, "/v1/payment_intents")
			w.Settle()
			for range 12 {
				w.Pass(10 * time.Minute)
				w.Settle()
			}
			wantMonths(w, id, 2)
			if n := charges(w); n != 2 {
				t.Errorf("%d charges", n)
			}
			w.WantTold(id, "activated", "renewed")
			w.Audit()
		})
	}
}

// The provider repeats a stored failure for a day; who wants to begin does not wait for that.
func TestPayerWhomAFailureIsStoredInsteadOf_BeginsAMinuteLater(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	id := w.Subscription()
	w.Fault("500_stored", 4, http.MethodPost, "/v1/customers")
	for range 3 {
		if status, answer := keyed(w, "/api/subscriptions/"+id+"/setup", "", "key-of-a-form"); status != http.StatusServiceUnavailable {
			t.Fatalf("answered %d %s", status, answer)
		}
	}
	w.Pass(time.Minute)
	mustKey(w, "/api/subscriptions/"+id+"/setup", "", "key-of-a-form")
	w.Audit()
}

func TestWorker_KilledBetweenTheChargeAndItsRow_IsOneCharge(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	w.LoseWebhooks()
	killed := w.Another(w.Now)
	during(b, false, func() {
		if err := dbx.Close(killed.DB); err != nil {
			t.Error(err)
		}
	})
	_ = killed.Subscriptions.Steps(t.Context()) // its database is gone
	b.Set(nil, nil)
	if n := charges(w); n != 2 || w.Count(`subscription_tries WHERE outcome = 'unknown'`) != 1 {
		t.Fatalf("%d charges when it was killed", n)
	}
	wantMonths(w, id, 1)
	w.Pass(2 * time.Minute)
	w.Settle()
	wantMonths(w, id, 2)
	if n := charges(w); n != 2 {
		t.Errorf("%d charges", n)
	}
	w.WantTold(id, "activated", "renewed")
	w.Audit()
}

func TestWorker_ThatHangs_IsOvertakenByAnother_WithOneCharge(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	other := w.Another(w.Now)
	during(b, true, func() {
		w.Pass(2 * time.Minute) // its lease is over
		if err := other.Subscriptions.Steps(t.Context()); err != nil {
			t.Error(err)
		}
	})
	w.Settle()
	wantMonths(w, id, 2)
	if n := charges(w); n != 2 {
		t.Errorf("%d charges", n)
	}
	w.Audit()
}

func TestProvider_DownOverTheDayForThreeDays_ChargesOnceAfterwards(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa)
	w.GoTo(calendar.At(day(2027, 2, 10), 9).Add(time.Second))
	b.Set(func(rw http.ResponseWriter, _ *http.Request) bool {
		return paymentstest.Refuse(rw, http.StatusServiceUnavailable, `{"type":"api_error"}`)
	}, nil)
	for range 36 {
		_ = w.App.Subscriptions.Steps(t.Context())
		w.Pass(2 * time.Hour)
	}
	wantStatus(w, id, "active")
	if sub := w.Show(id); sub.Due != nil || sub.NextCharge != nil || sub.Charges[0].Period != 2 || sub.Charges[0].Status != "processing" {
		t.Errorf("while no charge has been answered it is %+v, to pay %+v", sub, sub.Due)
	}
	b.Set(nil, nil)
	w.Eventually("the charge", func() bool {
		w.Pass(31 * time.Minute)
		w.Settle()
		return w.Show(id).NextCharge != nil
	})
	sub := w.Show(id)
	if sub.Status != "active" || !sub.NextCharge.Day.Equal(day(2027, 3, 10)) || charges(w) != 2 {
		t.Errorf("after %d charges it is %+v", charges(w), sub)
	}
	w.WantTold(id, "activated", "renewed")
	w.Audit()
}

// The confirm's answer is lost, and the provider is away until it has forgotten the key.
func TestTry_WhoseKeyTheProviderHasForgotten_IsLookedAtAndMadeAnew(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	w.LoseWebhooks()
	away := atomic.Bool{}
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		if isConfirm(r) {
			away.Store(true)
		}
		return away.Load() && paymentstest.Refuse(rw, http.StatusServiceUnavailable, `{"type":"api_error"}`)
	}, nil)
	_ = w.App.Subscriptions.Steps(t.Context())
	if n := w.Count(`subscription_tries WHERE outcome = 'unknown'`); n != 1 {
		t.Fatalf("%d tries are not answered", n)
	}
	b.Set(nil, nil)
	w.Pass(30 * time.Hour)
	w.Eventually("the charge", func() bool {
		w.Pass(31 * time.Minute)
		w.Settle()
		return w.Show(id).NextCharge != nil
	})
	if n := w.Count(`subscription_tries WHERE outcome = 'void'`); n != 1 || charges(w) != 2 {
		t.Errorf("%d tries came to nothing, %d charges", n, charges(w))
	}
	w.Audit()
}

func TestCard_ReplacedWhileAChargeIsRefused_IsTriedAtOnce(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	w.BankSays(id, paymentstest.Lost)
	during(b, true, func() {
		setup := w.SetupCardOf(id, paymentstest.Mastercard)
		if status, code, _ := w.Act(http.MethodPut, id, "/card", `{"setup_intent":"`+setup+`"}`); status != http.StatusOK {
			t.Errorf("the card answered %d %s", status, code)
		}
	})
	w.Settle()
	wantMonths(w, id, 2)
	wantStatus(w, id, "active")
	w.WantTold(id, "activated", "card_changed", "renewed")
	w.Audit()
}

// A refusal of our call, as of an account that is restricted, says nothing of the card.
func TestProvider_RefusesTheCall_TheCardIsTriedAgain(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		if !isConfirm(r) {
			return false
		}
		rw.WriteHeader(http.StatusBadRequest)
		_, _ = rw.Write([]byte(`{"error": {"type": "invalid_request_error", "message": "Your account is restricted."}}`))
		return true
	}, nil)
	w.Settle()
	wantMonths(w, id, 1)
	w.WantTold(id, "activated")
	b.Set(nil, nil)
	w.Pass(time.Hour)
	w.Settle()
	wantMonths(w, id, 2)
	w.WantTold(id, "activated", "renewed")
	w.Audit()
}

// The backer has chosen another card while the bank was asked about the old one: the next month is that one's.
func TestCard_ReplacedWhileAChargeSucceeds_IsChargedNextMonth(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	during(b, true, func() {
		setup := w.SetupCardOf(id, paymentstest.Mastercard)
		if status, code, _ := w.Act(http.MethodPut, id, "/card", `{"setup_intent":"`+setup+`"}`); status != http.StatusOK {
			t.Errorf("the card answered %d %s", status, code)
		}
	})
	w.Settle()
	wantMonths(w, id, 2)
	if label := w.Show(id).Card.Label; !strings.Contains(label, "Mastercard") {
		t.Errorf("the card is %s", label)
	}
	w.Audit()
}

// The bank has sent a new card by itself, after it refused the old one: the month is charged without the backer.
func TestCard_RenewedByItsBankAfterARefusal_IsTriedAtOnce(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	w.BankSays(id, paymentstest.Lost)
	w.GoTo(calendar.At(day(2027, 2, 10), 10))
	w.Settle()
	wantMonths(w, id, 1)
	w.BankSays(id, paymentstest.WorksAgain)
	if err := w.RenewCard(id, 2030, 3); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	wantMonths(w, id, 2)
	wantStatus(w, id, "active")
	w.Audit()
}

func TestCard_RenewedByItsBankWhileItsRefusalIsOnTheWay_IsTriedAtOnce(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	w.BankSays(id, paymentstest.Lost)
	during(b, false, func() {
		w.BankSays(id, paymentstest.WorksAgain)
		err := errors.Join(w.RenewCard(id, 2030, 3), w.App.Subscriptions.RefreshCard(t.Context(), w.Stripe().Name(), w.CardOf(id)))
		if err != nil {
			t.Error(err)
		}
	})
	w.Settle()
	wantMonths(w, id, 2)
	wantStatus(w, id, "active")
	w.Audit()
}

func TestClock_FiveMinutesAhead_ChargesOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa)
	ahead := w.Another(func() time.Time { return w.Now().Add(5 * time.Minute) })
	w.GoTo(calendar.At(day(2027, 2, 10), 9).Add(-4 * time.Minute))
	if err := ahead.Subscriptions.Steps(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Pass(5 * time.Minute)
	w.Settle()
	wantMonths(w, id, 2)
	if n := charges(w); n != 2 {
		t.Errorf("%d charges", n)
	}
	w.Audit()
}

func TestSuccess_ThatTheContentServiceRefuses_GoesBackAndEndsTheSubscription(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, "")
	w.Outcome(id, contentclient.EventOutcomeOutcomePledgeClosed)
	w.Settle()
	if sub := w.Show(id); sub.Status != "canceled" || *sub.Meta.EndedBecause != "campaign_closed" {
		t.Errorf("the subscription is %+v", sub)
	}
	if n := w.Count(`payments WHERE period = 2 AND status = 'refunded'`); n != 1 {
		t.Errorf("%d months went back", n)
	}
	w.Audit()
}

// Thieves try cards in its form, or its backer has bad luck: the month is over, and their support is not.
func TestTooManyRefusedCards_EndTheMonth_AndTheSupportGoesOn(t *testing.T) {
	t.Parallel()
	for name, until := range map[string]time.Time{
		"after one try of ours": day(2027, 2, 10), "after four of ours": day(2027, 2, 16), "while it is past due": day(2027, 2, 20),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, id := renewing(t, paymentstest.Insufficient)
			overDays(w, until)
			form := w.SetupMonth(id)
			for range 10 {
				w.Confirm(form, "pm_card_chargeDeclined")
			}
			w.Settle()
			sub := w.Show(id)
			if sub.Status != "active" || sub.Due != nil || !sub.NextCharge.Day.Equal(day(2027, 3, 10)) || sub.Charges[0].Status != "failed" {
				t.Errorf("the subscription is %+v with %+v", sub, sub.Charges)
			}
			if a := w.SetupMonth(id); a.Code != "subscription_not_payable" {
				t.Errorf("the form afterwards answered %+v", a)
			}
			if told := w.Told(id); told[len(told)-1].Cause != "skipped" || *told[len(told)-1].Period != 2 {
				t.Errorf("it was told as %+v", told[len(told)-1])
			}
			keepCard(w, id, paymentstest.Mastercard)
			overDays(w, day(2027, 3, 11))
			wantMonths(w, id, 2)
			w.Audit()
		})
	}
}

func TestRefundAndDisputeOfOneCharge_AreShown_AndTheSubscriptionGoesOn(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, "")
	w.Settle()
	var payments []string
	w.Scan(&payments, `SELECT payment_id FROM subscription_periods WHERE subscription_id = ? ORDER BY period`, id)
	w.Refund(payments[0], 0, "requested")
	w.Settle()
	var intent string
	w.Scan(&intent, `SELECT object_ref FROM attempts WHERE payment_id = ?`, payments[1])
	w.DisputeByHand(intent, 0)
	w.Settle()
	sub := w.Show(id)
	if sub.Charges[0].Status != "disputed" || sub.Charges[1].Status != "refunded" || sub.Charges[1].AmountRefundedMinor != 1000 ||
		sub.Status != "active" {
		t.Errorf("the subscription is %+v", sub)
	}
	overDays(w, day(2027, 3, 11))
	wantMonths(w, id, 1) // the third; the others are refunded and disputed
	w.Audit()
}

func TestBlockedPerson_IsNotChargedAnyMore_AlsoWhileACardIsTried(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	during(b, true, func() { w.CloseSubscription(id, "person_blocked") })
	w.Settle()
	if sub := w.Show(id); sub.Status != "canceled" || *sub.Meta.EndedBecause != "person_blocked" {
		t.Errorf("the subscription is %+v", sub)
	}
	wantUnwanted(w, id)
}

func TestMonth_ThatABankDecidesAboutLater(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		card string
		want []string
	}{
		"takes it":   {"4000005100000000", []string{"activated", "renewed"}},
		"refuses it": {"4000005100000018", []string{"activated", "charge_failed"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, id := renewing(t, c.card)
			w.Settle()
			sub := w.Show(id)
			if sub.Due != nil || sub.Charges[0].Status != "processing" {
				t.Errorf("while the bank decides it is %+v", sub)
			}
			bankDecides(w)
			if _, err := w.App.Deliver(t.Context(), 100); err != nil {
				t.Fatal(err)
			}
			w.WantTold(id, c.want...)
			w.Audit()
		})
	}
}

// A bank takes a month's charge for days, and then refuses it: the card that pays the month in its form is another one, which is the month's then.
func TestMonth_RefusedByABankDaysLater_IsPaidByAnotherCardInItsForm(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, "4000005100000018")
	for range 2 { // our second try comes days later, and goes the same way
		w.Settle()
		bankDecides(w)
		w.Pass(6 * 24 * time.Hour)
	}
	if n := w.Count(`subscription_tries WHERE outcome <> 'declined' OR failure_code = ''`); n != 0 {
		t.Errorf("%d tries are told to have taken money", n)
	}
	w.PayMonth(id, paymentstest.Visa)
	w.Settle()
	if sub := w.Show(id); sub.Due != nil || sub.Charges[0].Status != "paid" {
		t.Errorf("it is %+v", sub)
	}
	w.Audit()
}

func TestFirstMonth_PaidAndRefundedBeforeWeHear_IsASuccessAllTheSame(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.LoseWebhooks()
	id := w.Subscription()
	a := w.SetupMonth(id)
	w.MustPay(a)
	w.RefundByHand(a.Stripe.PaymentIntent.ID, 400)
	w.Pass(2 * time.Minute)
	w.CheckOpen()
	w.Settle()
	sub := w.Show(id)
	if sub.Status != "active" || sub.Charges[0].Status != "partly_refunded" || sub.Charges[0].AmountRefundedMinor != 400 {
		t.Errorf("the subscription is %+v", sub)
	}
	w.Audit()
}

// bankDecides has the bank decide about what it was to think of, and the service hear of it.
func bankDecides(w *paymentstest.World) {
	w.T.Helper()
	w.Eventually("the bank's decision", func() bool {
		w.Control("clock", `{"advance_seconds":3600}`)
		w.AwaitWebhooks()
		w.Drain()
		return w.Count(`payments WHERE status = 'processing'`) == 0
	})
}

func TestFirstMonth_OfABankThatRefusesLater_MayBePaidWithAnotherCard(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	id := w.Subscription(func(o *contentclient.Order) { o.PayableUntil = o.PayableUntil.Add(200 * time.Hour) })
	if got := w.Confirm(w.SetupMonth(id), "pm_card_bankRefusesLater"); got.Status != "processing" {
		t.Fatalf("paying gave %+v", got)
	}
	w.Settle()
	if a := w.SetupMonth(id); a.Code != "subscription_not_payable" {
		t.Errorf("while the bank decides setup answered %+v", a)
	}
	bankDecides(w)
	wantStatus(w, id, "created")
	w.PayMonth(id, paymentstest.Visa)
	wantStatus(w, id, "active")
	w.Audit()
}

// Who is told that nothing is paid pays again: while a bank has the first month it is on its way, to everybody who asks.
func TestFirstMonth_WhileItsBankHasIt_IsNeverToldToBeUnpaid(t *testing.T) {
	t.Parallel()
	for card, want := range map[string]string{"pm_card_bankTakesLater": "active", "pm_card_bankRefusesLater": "created"} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			id := w.Subscription(func(o *contentclient.Order) { o.PayableUntil = o.PayableUntil.Add(200 * time.Hour) })
			w.Confirm(w.SetupMonth(id), card)
			w.Settle()
			for _, call := range []string{"", "/payment"} {
				status, code, sub := w.Act(http.MethodGet, id, call, "")
				if status != http.StatusOK || sub.Status != "created" {
					t.Fatalf("the call %q answered %d %s %+v", call, status, code, sub)
				}
				if sub.Due == nil || sub.Due.Period != 1 || sub.Due.Payment.Status != api.PaymentStatusProcessing {
					t.Errorf("the call %q tells of the month %+v", call, sub.Due)
				}
				if len(sub.Charges) != 1 || sub.Charges[0].Status != "processing" || sub.Charges[0].AmountMinor != 1000 {
					t.Errorf("the call %q tells the charges %+v", call, sub.Charges)
				}
			}
			bankDecides(w)
			sub := w.Show(id)
			if isOpen := sub.Due != nil && len(sub.Charges) == 0; string(sub.Status) != want || isOpen != (want == "created") {
				t.Errorf("once the bank has decided it is %+v, to pay %+v", sub, sub.Due)
			}
			decided := contentclient.PaymentSucceeded
			if want == "created" {
				decided = contentclient.PaymentFailed
			}
			w.Settle()
			heard := w.Content.Heard(id)
			if len(heard) != 2 || heard[0].Type != contentclient.PaymentProcessing || heard[1].Type != decided {
				t.Errorf("the content service is told %+v", heard)
			}
			w.Audit()
		})
	}
}
