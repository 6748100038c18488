// Package internalcalls answers what only the payment service may ask: orders, payment events, ended sessions. It
// translates between the internal contract and the domains and decides nothing itself. Its routes are registered behind
// the service token's check, and the public edge answers 404 on them.
package internalcalls

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/pledges"
	"talkoot.fi/content/internal/sessions"
)

// Handlers implements the internal contract.
type Handlers struct {
	Pledges  *pledges.Service
	Sessions *sessions.Service
}

// PledgeOrder is what is to be paid for a pledge.
func (h *Handlers) PledgeOrder(ctx context.Context, r internalapi.PledgeOrderRequestObject) (internalapi.PledgeOrderResponseObject, error) {
	o, err := h.Pledges.Order(ctx, r.PledgeID)
	if err != nil {
		return nil, err
	}
	return internalapi.PledgeOrder200JSONResponse{PledgeID: o.PledgeID, Status: string(o.Status), Payable: o.Payable,
		AmountMinor: o.AmountMinor, Currency: o.Currency, Description: o.Description, Language: o.Language, Email: o.Email,
		Name: o.Name, CampaignID: o.CampaignID, CampaignSlug: o.CampaignSlug, CampaignTitle: o.CampaignTitle,
		RewardID: o.RewardID, PayeeUserID: &o.PayeeUserID, ReservedUntil: o.ReservedUntil}, nil
}

// PaymentEvent gives an event its effect, once.
func (h *Handlers) PaymentEvent(ctx context.Context, r internalapi.PaymentEventRequestObject) (internalapi.PaymentEventResponseObject, error) {
	body, err := json.Marshal(r.Body)
	if err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	e := pledges.Event{ID: r.Body.EventID, Sequence: r.Body.Sequence, Type: pledges.EventType(r.Body.Type),
		PledgeID: r.Body.PledgeID, PaymentID: r.Body.PaymentID, AmountMinor: r.Body.AmountMinor, Body: body}
	if r.Body.AmountRefundedMinor != nil {
		e.AmountRefundedMinor = *r.Body.AmountRefundedMinor
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

// SessionRevocations is the feed of sessions that ended before their token did.
func (h *Handlers) SessionRevocations(ctx context.Context, r internalapi.SessionRevocationsRequestObject) (internalapi.SessionRevocationsResponseObject, error) {
	var after int64
	if r.Params.After != nil {
		after = *r.Params.After
	}
	ended, cursor, err := h.Sessions.Revocations(ctx, after)
	if err != nil {
		return nil, err
	}
	answer := internalapi.SessionRevocations200JSONResponse{Cursor: cursor}
	answer.Revocations = make([]struct {
		ExpiresAt time.Time `json:"expires_at"`
		SessionID string    `json:"session_id"`
	}, len(ended))
	for i, s := range ended {
		answer.Revocations[i].SessionID, answer.Revocations[i].ExpiresAt = s.SessionID, s.ExpiresAt
	}
	return answer, nil
}
