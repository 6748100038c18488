package stripe_test

import (
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/provider"
)

// openBody is an intent of ours that nothing was refused of, as far as Stripe remembers.
func openBody(status, last string) string {
	return `{"id":"pi_1","object":"payment_intent","amount":500,"currency":"eur","status":"` + status + `","customer":"cus_1",` +
		`"setup_future_usage":"off_session","metadata":{"payment_id":"` + ids.New() + `"}` + last + `}`
}

// The key gives the same decline again, while the intent has forgotten it or has had another one since.
func TestChargeCard_ReplayedDecline_IsThatDecline(t *testing.T) {
	t.Parallel()
	for name, now := range map[string]string{
		"forgotten":       openBody("requires_payment_method", ""),
		"another since":   openBody("requires_payment_method", `,"last_payment_error":{"type":"card_error","code":"expired_card","charge":"ch_2"}`),
		"the payer is on": openBody("requires_action", ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, p := start(t, nil, says(http.StatusPaymentRequired, declinedBody, "Idempotent-Replayed", "true"), says(http.StatusOK, now))
			snap, err := c.ChargeInstrument(t.Context(), provider.ChargeOrder{Key: "try", Ref: provider.Ref{Object: "pi_1"}, Instrument: "pm_1"})
			if err != nil || snap.Remedy != provider.RemedyCard || snap.FailureCode != "card_declined" || p.calls() != 2 {
				t.Errorf("%+v, %v after %d calls", snap, err, p.calls())
			}
		})
	}
}

// Stripe forgets the decline of an intent with its next update, such as that which has it keep the payer's card.
func TestChargeCard_DeclineThatAnUpdateClears_IsTold(t *testing.T) {
	t.Parallel()
	ours := `"object":"payment_intent","customer":"cus_1","metadata":{"payment_id":"` + ids.New() + `"}`
	c, _ := start(t, nil, says(http.StatusPaymentRequired, strings.Replace(declinedBody, `"object":"payment_intent"`, ours, 1)),
		says(http.StatusOK, openBody("requires_payment_method", "")))
	snap, err := c.ChargeInstrument(t.Context(), provider.ChargeOrder{Key: "try", Ref: provider.Ref{Object: "pi_1"}, Instrument: "pm_1"})
	if err != nil || snap.State != provider.Open || snap.Remedy != provider.RemedyCard || snap.LastDecline != "ch_1" {
		t.Errorf("%+v, %v", snap, err)
	}
}

func TestChargeCard_ReplayedDecline_OfWhatIsPaidSince_IsPaid(t *testing.T) {
	t.Parallel()
	c, _ := start(t, nil, says(http.StatusPaymentRequired, declinedBody, "Idempotent-Replayed", "true"),
		says(http.StatusOK, openBody("succeeded", `,"latest_charge":{"id":"ch_2","object":"charge"}`)))
	snap, err := c.ChargeInstrument(t.Context(), provider.ChargeOrder{Key: "try", Ref: provider.Ref{Object: "pi_1"}, Instrument: "pm_1"})
	if err != nil || snap.State != provider.Succeeded || snap.Remedy != provider.RemedyNone {
		t.Errorf("%+v, %v", snap, err)
	}
}
