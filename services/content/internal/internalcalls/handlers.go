// Package internalcalls answers what only the payment service may ask: orders and payment events. It
// translates between the internal contract and the domains and decides nothing itself. Its routes are registered behind
// the service token's check, and the public edge answers 404 on them.
package internalcalls

import (
	"context"
	"encoding/json"
	"fmt"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/pledges"
)

// Handlers implements the internal contract.
type Handlers struct{ Pledges *pledges.Service }

// Order is what is to be paid for a subject; the contract knows pledges only.
func (h *Handlers) Order(ctx context.Context, r internalapi.OrderRequestObject) (internalapi.OrderResponseObject, error) {
	o, err := h.Pledges.Order(ctx, r.SubjectID)
	if err != nil {
		return nil, err
	}
	return internalapi.Order200JSONResponse{SubjectKind: internalapi.Pledge, SubjectID: o.PledgeID, State: internalapi.OrderState(o.State),
		AmountMinor: o.Amount.Minor, Currency: string(o.Amount.Currency), Description: o.Description, Language: o.Language,
		Email: o.Email, Name: o.Name, CampaignID: o.CampaignID, CampaignTitle: o.CampaignTitle, PayeeUserID: &o.PayeeUserID,
		ReturnPath: o.ReturnPath, PayableUntil: o.PayableUntil}, nil
}

// PaymentEvent gives an event its effect, once.
func (h *Handlers) PaymentEvent(ctx context.Context, r internalapi.PaymentEventRequestObject) (internalapi.PaymentEventResponseObject, error) {
	pledgeID, err := ids.Parse(r.Body.SubjectID) // one spelling: it is a key in the database
	if err != nil {
		return nil, pledges.ErrUnknown
	}
	body, err := json.Marshal(r.Body)
	if err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	e := pledges.Event{ID: r.Body.EventID, Sequence: r.Body.Sequence, Type: pledges.EventType(r.Body.Type),
		PledgeID: pledgeID, PaymentID: r.Body.PaymentID, Amount: money.New(r.Body.AmountMinor, money.Currency(r.Body.Currency)), Body: body}
	if r.Body.RefundMinor != nil {
		e.RefundMinor = *r.Body.RefundMinor
	}
	if r.Body.AmountRefundedMinor != nil {
		e.RefundedMinor = *r.Body.AmountRefundedMinor
	}
	if r.Body.RefundReason != nil {
		e.RefundReason = string(*r.Body.RefundReason)
	}
	if r.Body.Method != nil {
		e.Method = *r.Body.Method
	}
	outcome, err := h.Pledges.Apply(ctx, e)
	if err != nil {
		return nil, err
	}
	return internalapi.PaymentEvent200JSONResponse{Outcome: internalapi.EventOutcomeOutcome(outcome)}, nil
}
