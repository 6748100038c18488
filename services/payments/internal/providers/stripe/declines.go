package stripe

import (
	"context"
	"slices"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/payments/internal/provider"
)

// Declines lists the failed charges of an intent, newest first. A failed 3-D Secure makes no charge and tells nobody
// whether the card is good, so it is none.
func (c *Client) Declines(ctx context.Context, intentID string) ([]provider.Decline, error) {
	var out []provider.Decline
	err := c.call(ctx, "list charges of "+intentID, func(ctx context.Context) error {
		out = out[:0]
		params := &sdk.ChargeListParams{PaymentIntent: sdk.String(intentID)}
		params.Context, params.Limit, params.Single = ctx, sdk.Int64(100), true
		list := c.charges.List(params)
		for list.Next() {
			if ch := list.Charge(); ch.Status == sdk.ChargeStatusFailed {
				out = append(out, declineOf(ch))
			}
		}
		return list.Err()
	})
	return out, err
}

func declineOf(ch *sdk.Charge) provider.Decline {
	out := provider.Decline{Ref: ch.ID}
	if ch.PaymentMethodDetails != nil && ch.PaymentMethodDetails.Card != nil {
		out.Card = ch.PaymentMethodDetails.Card.Fingerprint
	}
	return out
}

// failureCode maps a decline to the codes of payment_failed. Unknown ones are generic: new values come without notice.
func failureCode(e *sdk.Error) string {
	switch {
	case e.DeclineCode == "insufficient_funds":
		return "insufficient_funds"
	case e.Code == sdk.ErrorCodeExpiredCard, e.Code == sdk.ErrorCodeIncorrectCVC, e.Code == sdk.ErrorCodeProcessingError,
		e.Code == sdk.ErrorCodeCardDeclined:
		return string(e.Code)
	case e.Code == sdk.ErrorCodePaymentIntentAuthenticationFailure, e.Code == sdk.ErrorCodeSetupIntentAuthenticationFailure,
		e.Code == sdk.ErrorCodeAuthenticationRequired:
		return "authentication_failed"
	}
	return "generic"
}

// isSpent reports whether a card is gone for good, so that it is not to be offered again.
func isSpent(e *sdk.Error) bool {
	return e.Code == sdk.ErrorCodeExpiredCard ||
		slices.Contains([]string{"expired_card", "lost_card", "stolen_card", "pickup_card", "invalid_account"}, string(e.DeclineCode))
}

// remedyOf tells what may help after a decline. The names are of docs.stripe.com/declines/codes and, where the bank gave
// no reason, of docs.stripe.com/error-codes. Those that are new to us are tried again: names come without notice, and a
// subscription gives a card up by itself after some days.
func remedyOf(e *sdk.Error) provider.Remedy {
	if known, ok := remedies[string(e.DeclineCode)]; ok {
		return known
	}
	if known, ok := remedies[string(e.Code)]; ok {
		return known
	}
	return provider.RemedyLater
}

// remedies by decline codes and error codes. What another day does not change is for another card: a card that is gone
// or blocked, data that is wrong, a bank or holder who has said no for good.
var remedies = map[string]provider.Remedy{
	"card_not_supported":                provider.RemedyCard,
	"currency_not_supported":            provider.RemedyCard,
	"do_not_try_again":                  provider.RemedyCard,
	"expired_card":                      provider.RemedyCard,
	"fraudulent":                        provider.RemedyCard,
	"incorrect_address":                 provider.RemedyCard,
	"incorrect_cvc":                     provider.RemedyCard,
	"incorrect_number":                  provider.RemedyCard,
	"incorrect_zip":                     provider.RemedyCard,
	"invalid_account":                   provider.RemedyCard,
	"invalid_cvc":                       provider.RemedyCard,
	"invalid_expiry_month":              provider.RemedyCard,
	"invalid_expiry_year":               provider.RemedyCard,
	"invalid_number":                    provider.RemedyCard,
	"lost_card":                         provider.RemedyCard,
	"merchant_blacklist":                provider.RemedyCard,
	"new_account_information_available": provider.RemedyCard,
	"not_permitted":                     provider.RemedyCard,
	"pickup_card":                       provider.RemedyCard,
	"pin_try_exceeded":                  provider.RemedyCard,
	"restricted_card":                   provider.RemedyCard,
	"revocation_of_all_authorizations":  provider.RemedyCard,
	"revocation_of_authorization":       provider.RemedyCard,
	"security_violation":                provider.RemedyCard,
	"service_not_allowed":               provider.RemedyCard,
	"stolen_card":                       provider.RemedyCard,
	"stop_payment_order":                provider.RemedyCard,
	"testmode_decline":                  provider.RemedyCard,
	"transaction_not_allowed":           provider.RemedyCard,

	"authentication_not_handled":            provider.RemedyPayer,
	"authentication_required":               provider.RemedyPayer,
	"mobile_device_authentication_required": provider.RemedyPayer,
	"offline_pin_required":                  provider.RemedyPayer,
	"online_or_offline_pin_required":        provider.RemedyPayer,
	// Error codes: the payer has failed or left the bank's challenge.
	"payment_intent_authentication_failure": provider.RemedyPayer,
	"setup_intent_authentication_failure":   provider.RemedyPayer,

	"approve_with_id":                 provider.RemedyLater,
	"call_issuer":                     provider.RemedyLater,
	"card_velocity_exceeded":          provider.RemedyLater,
	"do_not_honor":                    provider.RemedyLater,
	"duplicate_transaction":           provider.RemedyLater,
	"generic_decline":                 provider.RemedyLater,
	"incorrect_pin":                   provider.RemedyLater,
	"insufficient_funds":              provider.RemedyLater,
	"invalid_amount":                  provider.RemedyLater,
	"invalid_pin":                     provider.RemedyLater,
	"issuer_not_available":            provider.RemedyLater,
	"no_action_taken":                 provider.RemedyLater,
	"processing_error":                provider.RemedyLater,
	"reenter_transaction":             provider.RemedyLater,
	"try_again_later":                 provider.RemedyLater,
	"withdrawal_count_limit_exceeded": provider.RemedyLater,
}
