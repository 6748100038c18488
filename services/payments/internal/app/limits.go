package app

import (
	"context"

	"talkoot.fi/payments/internal/api/internalapi"
	"talkoot.fi/payments/internal/charging/limits"
)

// SpendingLimits are a person's.
func (s internalServer) SpendingLimits(ctx context.Context, r internalapi.SpendingLimitsRequestObject) (
	internalapi.SpendingLimitsResponseObject, error) {
	answer, err := s.limitsOf(ctx, r.UserID)
	return internalapi.SpendingLimits200JSONResponse(answer), err
}

// SetSpendingLimit sets one; months that waited for it and fit now are charged. Error: ConfirmationRequired for a looser one.
func (s internalServer) SetSpendingLimit(ctx context.Context, r internalapi.SetSpendingLimitRequestObject) (
	internalapi.SetSpendingLimitResponseObject, error) {
	err := s.app.Subscriptions.SetLimit(ctx, limits.Limit{UserID: r.UserID, Currency: r.Currency,
		AmountMinor: r.Body.AmountMinor, CountsPledges: r.Body.CountsPledges}, isTrue(r.Body.HasConfirmed))
	if err != nil {
		return nil, err
	}
	answer, err := s.limitsOf(ctx, r.UserID)
	return internalapi.SetSpendingLimit200JSONResponse(answer), err
}

// EndSpendingLimit takes one away; months that waited for it are charged. Error: ConfirmationRequired.
func (s internalServer) EndSpendingLimit(ctx context.Context, r internalapi.EndSpendingLimitRequestObject) (
	internalapi.EndSpendingLimitResponseObject, error) {
	if err := s.app.Subscriptions.EndLimit(ctx, r.UserID, r.Currency, isTrue(r.Params.HasConfirmed)); err != nil {
		return nil, err
	}
	answer, err := s.limitsOf(ctx, r.UserID)
	return internalapi.EndSpendingLimit200JSONResponse(answer), err
}

func isTrue(is *bool) bool { return is != nil && *is }

func (s internalServer) limitsOf(ctx context.Context, user int64) (internalapi.SpendingLimits, error) {
	list, err := s.app.Subscriptions.Limits(ctx, user)
	answer := internalapi.SpendingLimits{SpendingLimits: make([]internalapi.SpendingLimit, len(list))}
	for i, l := range list {
		answer.SpendingLimits[i] = internalapi.SpendingLimit{Currency: l.Currency, AmountMinor: l.AmountMinor,
			CountsPledges: l.CountsPledges}
	}
	return answer, err
}
