package stripe_test

import (
	"net/http"
	"strings"
	"testing"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/stripe"
)

// published are the decline codes of cards on docs.stripe.com/declines/codes.
const published = `
authentication_required authentication_not_handled approve_with_id call_issuer card_not_supported card_velocity_exceeded
currency_not_supported do_not_honor do_not_try_again duplicate_transaction expired_card fraudulent generic_decline
incorrect_address incorrect_cvc incorrect_number incorrect_pin incorrect_zip insufficient_funds invalid_account
invalid_amount invalid_cvc invalid_expiry_month invalid_expiry_year invalid_number invalid_pin issuer_not_available
lost_card merchant_blacklist new_account_information_available no_action_taken not_permitted offline_pin_required
online_or_offline_pin_required pickup_card pin_try_exceeded processing_error reenter_transaction restricted_card
revocation_of_all_authorizations revocation_of_authorization security_violation service_not_allowed stolen_card
stop_payment_order testmode_decline transaction_not_allowed try_again_later withdrawal_count_limit_exceeded
mobile_device_authentication_required`

func TestRemedy_EveryPublishedDeclineIsDecided(t *testing.T) {
	t.Parallel()
	names := strings.Fields(published)
	if len(names) != 50 {
		t.Fatalf("%d names", len(names))
	}
	for _, name := range names {
		if !stripe.HasRemedy(name) {
			t.Errorf("what helps after %s?", name)
		}
	}
}

func TestRemedy_TellsHardDeclinesFromOthers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code, declineCode string
		want              provider.Remedy
	}{
		{"card_declined", "lost_card", provider.RemedyCard},
		{"card_declined", "stolen_card", provider.RemedyCard},
		{"card_declined", "pickup_card", provider.RemedyCard},
		{"card_declined", "fraudulent", provider.RemedyCard},
		{"card_declined", "do_not_try_again", provider.RemedyCard},
		{"card_declined", "revocation_of_authorization", provider.RemedyCard},
		{"expired_card", "expired_card", provider.RemedyCard},
		{"expired_card", "", provider.RemedyCard},
		{"incorrect_number", "", provider.RemedyCard},
		{"authentication_required", "authentication_required", provider.RemedyPayer},
		{"payment_intent_authentication_failure", "", provider.RemedyPayer},
		{"card_declined", "insufficient_funds", provider.RemedyLater},
		{"card_declined", "generic_decline", provider.RemedyLater},
		{"card_declined", "try_again_later", provider.RemedyLater},
		{"processing_error", "processing_error", provider.RemedyLater},
		{"card_declined", "a_name_of_tomorrow", provider.RemedyLater},
		{"card_decline_rate_limit_exceeded", "", provider.RemedyLater},
	} {
		e := &sdk.Error{Code: sdk.ErrorCode(c.code), DeclineCode: sdk.DeclineCode(c.declineCode)}
		if got := stripe.RemedyOf(e); got != c.want {
			t.Errorf("%s/%s: %s, want %s", c.code, c.declineCode, got, c.want)
		}
	}
}

const declinedBody = `{"error":{"type":"card_error","code":"card_declined","decline_code":"lost_card","charge":"ch_1","message":"secret words",
	"payment_intent":{"id":"pi_1","object":"payment_intent","amount":500,"currency":"eur","status":"requires_payment_method",
	"last_payment_error":{"type":"card_error","code":"card_declined","decline_code":"lost_card","charge":"ch_1","message":"secret words"}}}}`

// A decline is an answer: it is not repeated, and says nothing about Stripe's health.
func TestChargeCard_Declined_IsNeitherRepeatedNorAnOutage(t *testing.T) {
	t.Parallel()
	c, p := start(t, func(c *stripe.Config) { c.BreakAfter = 2 }, says(http.StatusPaymentRequired, declinedBody))
	for n := range 4 {
		snap, err := c.ChargeInstrument(t.Context(), provider.ChargeOrder{Key: "try", Ref: provider.Ref{Object: "pi_1"}, Instrument: "pm_1"})
		if err != nil || snap.State != provider.Open || snap.Remedy != provider.RemedyCard || snap.LastDecline != "ch_1" {
			t.Errorf("%+v, %v", snap, err)
		}
		if p.calls() != n+1 || p.keys[n] != "try" {
			t.Errorf("%d calls after %d tries: %v", p.calls(), n+1, p.keys)
		}
	}
	if c.Health() != 0 {
		t.Error("the breaker opened")
	}
}

// Only what came of our own key is a decline of the payment: another refusal with status 402 is an error without its text.
func TestChargeCard_RefusedWithoutAnIntent_IsAnError(t *testing.T) {
	t.Parallel()
	c, _ := start(t, nil, says(http.StatusPaymentRequired, `{"error":{"type":"card_error","code":"card_declined","message":"secret words"}}`))
	_, err := c.ChargeInstrument(t.Context(), provider.ChargeOrder{Key: "try", Ref: provider.Ref{Object: "pi_1"}, Instrument: "pm_1"})
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}
