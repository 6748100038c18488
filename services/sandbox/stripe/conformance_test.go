package stripe_test

import (
	"net/http"
	"strconv"
	"testing"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

func TestCards_EveryPublishedOutcomeOfACharge(t *testing.T) {
	b := start(t, stripe.Options{})
	for _, tc := range []struct{ number, method, status, code, decline string }{
		{"4242424242424242", "pm_card_visa", "succeeded", "", ""},
		{"4000000000000002", "pm_card_chargeDeclined", "", "card_declined", "generic_decline"},
		{"4000000000000002", "pm_card_visa_chargeDeclined", "", "card_declined", "generic_decline"},
		{"4000000000009995", "pm_card_visa_chargeDeclinedInsufficientFunds", "", "card_declined", "insufficient_funds"},
		{"4000000000009987", "pm_card_visa_chargeDeclinedLostCard", "", "card_declined", "lost_card"},
		{"4000000000009979", "pm_card_visa_chargeDeclinedStolenCard", "", "card_declined", "stolen_card"},
		{"4000000000000069", "pm_card_chargeDeclinedExpiredCard", "", "expired_card", "expired_card"},
		{"4000000000000127", "pm_card_chargeDeclinedIncorrectCvc", "", "incorrect_cvc", "incorrect_cvc"},
		{"4000000000000119", "pm_card_chargeDeclinedProcessingError", "", "processing_error", "processing_error"},
		{"4242424242424241", "", "", "incorrect_number", ""},
		{"4111111111111111", "", "", "incorrect_number", ""},
		{"4000000000000341", "pm_card_chargeCustomerFail", "", "card_declined", "generic_decline"},
		{"4000002500003155", "pm_card_authenticationRequiredOnSetup", "requires_action", "", ""},
		{"4000002760003184", "pm_card_authenticationRequired", "requires_action", "", ""},
		{"4000003800000446", "pm_card_authenticationRequiredSetupForOffSession", "requires_action", "", ""},
		{"4000008260003178", "", "requires_action", "", ""},
		{"4000008400001629", "pm_card_threeDSecureRequiredChargeDeclined", "requires_action", "", ""},
		{"4000000000000077", "pm_card_bypassPending", "succeeded", "", ""},
		{"4000000000000259", "pm_card_createDispute", "succeeded", "", ""},
		{"4000000000005126", "pm_card_refundFail", "succeeded", "", ""},
		{"4000000000007726", "pm_card_pendingRefund", "succeeded", "", ""},
		{"4000002460000001", "pm_card_fi", "succeeded", "", ""},
		{"378282246310005", "pm_card_amex", "succeeded", "", ""},
	} {
		check := func(how string, change func(*stripego.PaymentIntentParams)) {
			pi, err := b.intent(change)
			if tc.code == "" {
				if err != nil || string(pi.Status) != tc.status {
					t.Errorf("%s %s: status %s, error %v; want %s", tc.number, how, pi.Status, err, tc.status)
				}
				return
			}
			e := stripeError(t, err)
			if e.HTTPStatusCode != 402 || e.Type != stripego.ErrorTypeCard || string(e.Code) != tc.code || string(e.DeclineCode) != tc.decline {
				t.Errorf("%s %s: %d %s %s %s", tc.number, how, e.HTTPStatusCode, e.Type, e.Code, e.DeclineCode)
			}
			if tc.decline != "" && (e.PaymentIntent == nil || e.PaymentIntent.Status != "requires_payment_method" || e.PaymentIntent.PaymentMethod != nil || e.ChargeID == "") {
				t.Errorf("%s %s: a decline names its charge and leaves the intent waiting for a method", tc.number, how)
			}
		}
		check("by number", func(p *stripego.PaymentIntentParams) {
			p.Confirm = stripego.Bool(true)
			p.PaymentMethodData = &stripego.PaymentIntentPaymentMethodDataParams{Type: stripego.String("card")}
			p.AddExtra("payment_method_data[card][number]", tc.number)
			p.AddExtra("payment_method_data[card][exp_month]", "12")
			p.AddExtra("payment_method_data[card][exp_year]", "2040")
			p.AddExtra("payment_method_data[card][cvc]", "123")
		})
		if tc.method != "" {
			check("ready-made", func(p *stripego.PaymentIntentParams) {
				p.Confirm, p.PaymentMethod = stripego.Bool(true), stripego.String(tc.method)
			})
		}
	}
}

func TestDecline_LeavesAFailedChargeAndAnIntentThatASecondCardPays(t *testing.T) {
	b := start(t, stripe.Options{})
	pi, err := b.intent(nil)
	if err != nil {
		t.Fatal(err)
	}
	confirm := &stripego.PaymentIntentConfirmParams{PaymentMethod: stripego.String("pm_card_chargeDeclined")}
	_, err = b.api.PaymentIntents.Confirm(pi.ID, confirm)
	e := stripeError(t, err)
	failed, err := b.api.Charges.Get(e.ChargeID, nil)
	if err != nil || failed.Status != "failed" || failed.Paid || failed.FailureCode != "card_declined" {
		t.Fatalf("failed charge: %+v %v", failed, err)
	}
	pi, err = b.api.PaymentIntents.Get(pi.ID, nil)
	if err != nil || pi.LastPaymentError == nil || pi.LastPaymentError.PaymentMethod == nil || pi.PaymentMethod != nil {
		t.Fatalf("intent after decline: %+v %v", pi, err)
	}
	pi, err = b.api.PaymentIntents.Confirm(pi.ID, &stripego.PaymentIntentConfirmParams{PaymentMethod: stripego.String("pm_card_visa")})
	if err != nil || pi.Status != "succeeded" || pi.AmountReceived != 1000 || pi.LastPaymentError != nil {
		t.Fatalf("second card: %+v %v", pi, err)
	}
	n := 0
	for it := b.api.Charges.List(&stripego.ChargeListParams{PaymentIntent: &pi.ID}); it.Next(); n++ {
	}
	if n != 2 {
		t.Errorf("%d charges, want the failed and the succeeded one", n)
	}
}

func TestErrors_TypeCodeAndParam(t *testing.T) {
	b := start(t, stripe.Options{})
	paid := b.pay("pm_card_visa")
	cases := map[string]struct {
		call   func() error
		status int
		code   string
		param  string
	}{
		"missing": {func() error {
			_, err := b.api.PaymentIntents.New(&stripego.PaymentIntentParams{Currency: stripego.String("eur")})
			return err
		}, 400, "parameter_missing", "amount"},
		"unknown": {func() error {
			_, err := b.intent(func(p *stripego.PaymentIntentParams) { p.AddExtra("colour", "red") })
			return err
		}, 400, "parameter_unknown", "colour"},
		"unknown nested": {func() error {
			_, err := b.intent(func(p *stripego.PaymentIntentParams) { p.AddExtra("shipping[address][planet]", "x") })
			return err
		}, 400, "parameter_unknown", "shipping[address][planet]"},
		"not an integer": {func() error {
			_, err := b.api.PaymentIntents.New(func() *stripego.PaymentIntentParams {
				p := &stripego.PaymentIntentParams{Currency: stripego.String("eur")}
				p.AddExtra("amount", "10.5")
				return p
			}())
			return err
		}, 400, "parameter_invalid_integer", "amount"},
		"too small": {func() error {
			_, err := b.intent(func(p *stripego.PaymentIntentParams) { p.Amount = stripego.Int64(49) })
			return err
		}, 400, "amount_too_small", "amount"},
		"enum": {func() error {
			_, err := b.intent(func(p *stripego.PaymentIntentParams) { p.CaptureMethod = stripego.String("later") })
			return err
		}, 400, "", "capture_method"},
		"another version, whose shapes nobody renders": {func() error {
			p := &stripego.PaymentIntentParams{}
			p.Headers = http.Header{"Stripe-Version": {"2024-06-20"}}
			_, err := b.api.PaymentIntents.Get(paid.ID, p)
			return err
		}, 400, "", ""},
		"no such intent": {func() error {
			_, err := b.api.PaymentIntents.Get("pi_none", nil)
			return err
		}, 404, "resource_missing", "intent"},
		"no such customer": {func() error {
			_, err := b.intent(func(p *stripego.PaymentIntentParams) { p.Customer = stripego.String("cus_none") })
			return err
		}, 404, "resource_missing", "customer"},
		"confirm a paid intent": {func() error {
			_, err := b.api.PaymentIntents.Confirm(paid.ID, &stripego.PaymentIntentConfirmParams{PaymentMethod: stripego.String("pm_card_visa")})
			return err
		}, 400, "payment_intent_unexpected_state", ""},
		"cancel a paid intent": {func() error {
			_, err := b.api.PaymentIntents.Cancel(paid.ID, &stripego.PaymentIntentCancelParams{})
			return err
		}, 400, "payment_intent_unexpected_state", ""},
		"change a paid amount": {func() error {
			_, err := b.api.PaymentIntents.Update(paid.ID, &stripego.PaymentIntentParams{Amount: stripego.Int64(500)})
			return err
		}, 400, "payment_intent_unexpected_state", ""},
		"confirm without a method": {func() error {
			pi, err := b.intent(nil)
			if err != nil {
				return err
			}
			_, err = b.api.PaymentIntents.Confirm(pi.ID, &stripego.PaymentIntentConfirmParams{})
			return err
		}, 400, "payment_intent_unexpected_state", ""},
		"confirm automatic methods without a return address": {func() error {
			_, err := b.api.PaymentIntents.New(&stripego.PaymentIntentParams{
				Amount: stripego.Int64(1000), Currency: stripego.String("eur"),
				PaymentMethod: stripego.String("pm_card_visa"), Confirm: stripego.Bool(true),
			})
			return err
		}, 400, "", ""},
	}
	for name, tc := range cases {
		e := stripeError(t, tc.call())
		if e.HTTPStatusCode != tc.status || e.Type != stripego.ErrorTypeInvalidRequest || string(e.Code) != tc.code || e.Param != tc.param || e.RequestID == "" {
			t.Errorf("%s: %d %s code %q param %q request %q", name, e.HTTPStatusCode, e.Type, e.Code, e.Param, e.RequestID)
		}
		if tc.code == "payment_intent_unexpected_state" && e.PaymentIntent == nil {
			t.Errorf("%s: the error must carry the intent", name)
		}
	}
}

func TestRefund_NeverExceedsTheChargeAndBalanceAddsUp(t *testing.T) {
	b := start(t, stripe.Options{})
	pi := b.pay("pm_card_visa")
	refund := func(amount int64) (*stripego.Refund, error) {
		return b.api.Refunds.New(&stripego.RefundParams{PaymentIntent: &pi.ID, Amount: &amount})
	}
	if _, err := refund(400); err != nil {
		t.Fatal(err)
	}
	_, err := refund(601)
	if e := stripeError(t, err); e.HTTPStatusCode != 400 || e.Param != "amount" {
		t.Errorf("too large a refund: %v", e)
	}
	if _, err = refund(600); err != nil {
		t.Fatal(err)
	}
	_, err = refund(1)
	if e := stripeError(t, err); e.Code != stripego.ErrorCodeChargeAlreadyRefunded {
		t.Errorf("refund of nothing: %v", e)
	}
	params := &stripego.ChargeParams{}
	params.AddExpand("refunds")
	params.AddExpand("balance_transaction")
	ch, err := b.api.Charges.Get(pi.LatestCharge.ID, params)
	if err != nil || !ch.Refunded || ch.AmountRefunded != 1000 || len(ch.Refunds.Data) != 2 || ch.BalanceTransaction.Fee != 40 || ch.BalanceTransaction.Net != 960 {
		t.Fatalf("charge after refunds: %+v %v", ch, err)
	}
	total := int64(0)
	for it := b.api.BalanceTransactions.List(&stripego.BalanceTransactionListParams{}); it.Next(); {
		total += it.BalanceTransaction().Net
	}
	held, err := b.api.Balance.Get(nil)
	if err != nil || held.Available[0].Amount+held.Pending[0].Amount != total || total != -40 {
		t.Errorf("balance %+v, transactions %d, %v", held, total, err)
	}
}

func TestRefund_OfTheTwoSlowCardsFailsLaterOrPendsFirst(t *testing.T) {
	b := start(t, stripe.Options{})
	for _, tc := range []struct{ card, first, last string }{
		{"pm_card_refundFail", "succeeded", "failed"}, {"pm_card_pendingRefund", "pending", "succeeded"},
	} {
		pi := b.pay(tc.card)
		r, err := b.api.Refunds.New(&stripego.RefundParams{PaymentIntent: &pi.ID})
		if err != nil || string(r.Status) != tc.first {
			t.Fatalf("%s: %+v %v", tc.card, r, err)
		}
		b.control("clock", `{"advance_seconds": 60}`)
		b.eventually(func() bool {
			r, err = b.api.Refunds.Get(r.ID, nil)
			return err == nil && string(r.Status) == tc.last
		}, tc.card+" becomes "+tc.last)
		ch, err := b.api.Charges.Get(pi.LatestCharge.ID, nil)
		if err != nil || ch.Refunded == (tc.last == "failed") {
			t.Errorf("%s: charge refunded %v, %v", tc.card, ch.Refunded, err)
		}
	}
}

func TestManualCapture_HoldsThenTakesPartAndReleasesTheRest(t *testing.T) {
	b := start(t, stripe.Options{})
	hold := func(p *stripego.PaymentIntentParams) {
		p.CaptureMethod, p.PaymentMethod, p.Confirm = stripego.String("manual"), stripego.String("pm_card_visa"), stripego.Bool(true)
	}
	pi, err := b.intent(hold)
	if err != nil || pi.Status != "requires_capture" || pi.AmountCapturable != 1000 {
		t.Fatalf("%+v %v", pi, err)
	}
	pi, err = b.api.PaymentIntents.Capture(pi.ID, &stripego.PaymentIntentCaptureParams{AmountToCapture: stripego.Int64(700)})
	if err != nil || pi.Status != "succeeded" || pi.AmountReceived != 700 || pi.AmountCapturable != 0 {
		t.Fatalf("%+v %v", pi, err)
	}
	lapsing, err := b.intent(hold)
	if err != nil {
		t.Fatal(err)
	}
	b.control("clock", `{"advance_seconds": 604801}`)
	b.eventually(func() bool {
		lapsing, err = b.api.PaymentIntents.Get(lapsing.ID, nil)
		return err == nil && lapsing.Status == "canceled" && lapsing.CancellationReason == "automatic"
	}, "an uncaptured hold lapses")
}

func TestLists_PageForwardsAndBackwardsThroughTheOfficialIterator(t *testing.T) {
	b := start(t, stripe.Options{})
	var ids []string
	for i := range 25 {
		cus, err := b.api.Customers.New(&stripego.CustomerParams{Name: stripego.String("n" + strconv.Itoa(i))})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, cus.ID)
	}
	params := &stripego.CustomerListParams{}
	params.Limit = stripego.Int64(7)
	i := len(ids)
	it := b.api.Customers.List(params)
	for it.Next() {
		i--
		if it.Customer().ID != ids[i] {
			t.Fatalf("forwards: place %d is %s", i, it.Customer().ID)
		}
	}
	if it.Err() != nil || i != 0 {
		t.Fatalf("forwards ended %d early: %v", i, it.Err())
	}
	params = &stripego.CustomerListParams{}
	params.Limit, params.EndingBefore = stripego.Int64(7), &ids[4]
	i = 4
	for it = b.api.Customers.List(params); it.Next(); {
		i++
		if it.Customer().ID != ids[i] {
			t.Fatalf("backwards: place %d is %s", i, it.Customer().ID)
		}
	}
	if it.Err() != nil || i != 24 {
		t.Fatalf("backwards ended at %d: %v", i, it.Err())
	}
}

func TestMetadata_MergesDropsOneAndDropsAll(t *testing.T) {
	b := start(t, stripe.Options{})
	cus, err := b.api.Customers.New(&stripego.CustomerParams{Metadata: map[string]string{"a": "1", "b": "2"}})
	if err != nil {
		t.Fatal(err)
	}
	cus, err = b.api.Customers.Update(cus.ID, &stripego.CustomerParams{Metadata: map[string]string{"a": "", "c": "3"}})
	if err != nil || len(cus.Metadata) != 2 || cus.Metadata["b"] != "2" || cus.Metadata["c"] != "3" {
		t.Fatalf("%v %v", cus.Metadata, err)
	}
	all := &stripego.CustomerParams{}
	all.AddExtra("metadata", "")
	cus, err = b.api.Customers.Update(cus.ID, all)
	if err != nil || len(cus.Metadata) != 0 {
		t.Fatalf("%v %v", cus.Metadata, err)
	}
}

func TestSearch_FindsByStatusAndMetadata(t *testing.T) {
	b := start(t, stripe.Options{})
	for _, pledge := range []string{"8", "9"} {
		if _, err := b.intent(func(p *stripego.PaymentIntentParams) { p.AddMetadata("pledge_id", pledge) }); err != nil {
			t.Fatal(err)
		}
	}
	b.pay("pm_card_visa")
	params := &stripego.PaymentIntentSearchParams{}
	params.Query = `status:'requires_payment_method' AND metadata['pledge_id']:'9'`
	it := b.api.PaymentIntents.Search(params)
	n := 0
	for it.Next() {
		n++
		if it.PaymentIntent().Metadata["pledge_id"] != "9" {
			t.Errorf("found %v", it.PaymentIntent().Metadata)
		}
	}
	if it.Err() != nil || n != 1 {
		t.Errorf("%d found, %v", n, it.Err())
	}
}

func TestSavedMethod_IsChargedOffSessionAsItsCardAllows(t *testing.T) {
	b := start(t, stripe.Options{})
	for _, tc := range []struct{ card, code string }{
		{"pm_card_visa", ""}, {"pm_card_authenticationRequiredSetupForOffSession", ""},
		{"pm_card_authenticationRequired", "authentication_required"},
		{"pm_card_authenticationRequiredOnSetup", "authentication_required"},
		{"pm_card_chargeCustomerFail", "card_declined"},
	} {
		cus, err := b.api.Customers.New(&stripego.CustomerParams{})
		if err != nil {
			t.Fatal(err)
		}
		pm, err := b.api.PaymentMethods.Attach(tc.card, &stripego.PaymentMethodAttachParams{Customer: &cus.ID})
		if err != nil {
			t.Fatalf("%s: %v", tc.card, err)
		}
		pi, err := b.intent(func(p *stripego.PaymentIntentParams) {
			p.Customer, p.PaymentMethod, p.OffSession, p.Confirm = &cus.ID, &pm.ID, stripego.Bool(true), stripego.Bool(true)
		})
		if tc.code == "" {
			if err != nil || pi.Status != "succeeded" {
				t.Errorf("%s: %v %v", tc.card, pi.Status, err)
			}
			continue
		}
		e := stripeError(t, err)
		if string(e.Code) != tc.code || e.PaymentIntent.Status != "requires_payment_method" || e.PaymentIntent.NextAction != nil {
			t.Errorf("%s: %s %s", tc.card, e.Code, e.PaymentIntent.Status)
		}
	}
}
