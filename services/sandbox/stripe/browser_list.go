package stripe

import (
	"errors"
	"fmt"
	"strings"

	"talkoot.fi/sandbox/standin"
)

func (c *call) heldTables() ([]heldTable, error) {
	intentTable, err1 := held(c, intents, "Payment intents", []string{"Created", "Intent", "Amount", "Status", "Last error"},
		func(o *paymentIntent) ([]string, error) {
			last := ""
			if o.LastPaymentError != nil {
				last = strings.TrimSpace(o.LastPaymentError.Code + " " + o.LastPaymentError.DeclineCode)
			}
			return []string{clock(o.Created), o.ID, standin.FormatAmount(o.Amount, o.Currency, "en"), string(o.Status), last}, nil
		})
	refundTable, err2 := held(c, refunds, "Refunds", []string{"Created", "Refund", "Amount", "Status", "Intent"},
		func(o *refund) ([]string, error) {
			return []string{clock(o.Created), o.ID, standin.FormatAmount(o.Amount, o.Currency, "en"), o.Status, value(o.PaymentIntent)}, nil
		})
	payoutTable, err7 := held(c, payouts, "Payouts", []string{"Created", "Payout", "Amount", "Status", "Arrives", "Failure"},
		func(o *payout) ([]string, error) {
			return []string{clock(o.Created), o.ID, standin.FormatAmount(o.Amount, o.Currency, "en"), o.Status, clock(o.ArrivalDate), value(o.FailureCode)}, nil
		})
	disputeTable, err6 := held(c, disputes, "Disputes", []string{"Created", "Dispute", "Amount", "Status", "Charge", "Intent"},
		func(o *dispute) ([]string, error) {
			return []string{clock(o.Created), o.ID, standin.FormatAmount(o.Amount, o.Currency, "en"), o.Status, o.Charge, value(o.PaymentIntent)}, nil
		})
	disputeTable.Note = `Decide one with POST /_control/disputes/decide, for example ` +
		`curl -H "Content-Type: application/json" -d '{"dispute":"dp_…","status":"won"}' ` + c.s.opts.PublicURL + `/_control/disputes/decide (or "lost").`
	sessionTable, err3 := held(c, sessions, "Checkout sessions", []string{"Created", "Session", "Amount", "Status", "Payment", "Intent"},
		func(o *storedSession) ([]string, error) {
			return []string{clock(o.Created), o.ID, standin.FormatAmount(o.AmountTotal, o.Currency, "en"), o.Status, o.PaymentStatus, value(o.PaymentIntent)}, nil
		})
	endpointTable, err4 := held(c, endpoints, "Webhook endpoints", []string{"Endpoint", "URL", "Version", "Status"},
		func(o *webhookEndpoint) ([]string, error) {
			return []string{o.ID, o.URL, value(o.APIVersion), o.Status}, nil
		})
	eventTable, err5 := held(c, events, "Events", []string{"Created", "Event", "Type", "Deliveries"},
		func(o *event) ([]string, error) {
			sent, _, err := deliveries.page(c.tx, pageQuery{limit: 10, index: "event=" + o.ID}, nil)
			if err != nil {
				return nil, err
			}
			var states []string
			for _, d := range sent {
				states = append(states, fmt.Sprintf("%s (attempts %d, last answer %d)", d.State, d.Attempts, d.LastStatus))
			}
			return []string{clock(o.Created), o.ID, o.Type, strings.Join(states, ", ")}, nil
		})
	return []heldTable{intentTable, sessionTable, refundTable, disputeTable, payoutTable, eventTable, endpointTable}, errors.Join(err1, err2, err3, err4, err5, err6, err7)
}
