package app

import (
	"context"
	"time"

	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/api/internalapi"
)

// MergePayers makes what a person supports another account's of theirs.
func (s internalServer) MergePayers(ctx context.Context, r internalapi.MergePayersRequestObject) (
	internalapi.MergePayersResponseObject, error) {
	return internalapi.MergePayers204Response{}, s.app.Subscriptions.MergePayers(ctx, r.Body.FromUserID, r.Body.IntoUserID, r.Body.SubjectIds, r.Body.MergedAt)
}

// ErasePayer forgets who a person was.
func (s internalServer) ErasePayer(ctx context.Context, r internalapi.ErasePayerRequestObject) (
	internalapi.ErasePayerResponseObject, error) {
	return internalapi.ErasePayer204Response{}, s.app.Subscriptions.ErasePayer(ctx, r.UserID)
}

// PaymentPage makes or gives the hosted page of a pledge, whose holder the content service has let through.
func (s internalServer) PaymentPage(ctx context.Context, r internalapi.PaymentPageRequestObject) (internalapi.PaymentPageResponseObject, error) {
	id, err := s.app.Payments.Admit(ctx, r.Body.PledgeID, ratelimit.Per(s.app.config.SetupPerPledgeMinute, time.Minute))
	if err != nil {
		return nil, err
	}
	address, err := s.app.Payments.PageBy(ctx, id, r.Body.Network, r.Body.X)
	if err != nil {
		return nil, err
	}
	if address == "" {
		return internalapi.PaymentPage200JSONResponse{IsPending: true}, nil
	}
	return internalapi.PaymentPage200JSONResponse{URL: &address}, nil
}
