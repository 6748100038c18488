package app

import (
	"context"

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
