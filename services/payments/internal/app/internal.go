package app

import (
	"context"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/api/internalapi"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/payout/endings"
	"talkoot.fi/payments/internal/providers/mangopay"
	"talkoot.fi/payments/internal/providers/stripe"
)

// MergePayers makes what a person supports another account's of theirs.
func (s internalServer) MergePayers(ctx context.Context, r internalapi.MergePayersRequestObject) (
	internalapi.MergePayersResponseObject, error) {
	if err := s.app.TaxData.Merge(ctx, r.Body.FromUserID, r.Body.IntoUserID); err != nil {
		return nil, err
	}
	if err := s.app.Payees.Merge(ctx, r.Body.FromUserID, r.Body.IntoUserID); err != nil {
		return nil, err
	}
	return internalapi.MergePayers204Response{}, s.app.Subscriptions.MergePayers(ctx, r.Body.FromUserID, r.Body.IntoUserID, r.Body.SubjectIds, r.Body.MergedAt)
}

// ErasePayer forgets who a person was.
func (s internalServer) ErasePayer(ctx context.Context, r internalapi.ErasePayerRequestObject) (
	internalapi.ErasePayerResponseObject, error) {
	if err := s.app.TaxData.Erase(ctx, r.UserID); err != nil {
		return nil, err
	}
	if err := s.app.Payees.Erase(ctx, r.UserID); err != nil {
		return nil, err
	}
	return internalapi.ErasePayer204Response{}, s.app.Subscriptions.ErasePayer(ctx, r.UserID)
}

// DecidedDisputes tells of which payments banks keep the money by their decisions.
func (s internalServer) DecidedDisputes(ctx context.Context, r internalapi.DecidedDisputesRequestObject) (
	internalapi.DecidedDisputesResponseObject, error) {
	ids, err := disputes.DecidedOf(ctx, s.app.DB, r.Body.PaymentIds)
	return internalapi.DecidedDisputes200JSONResponse{PaymentIds: ids}, err
}

// OwnTaxData is what a creator has said for the tax office, and what is reported of them, for the file of their own data.
func (s internalServer) OwnTaxData(ctx context.Context, r internalapi.OwnTaxDataRequestObject) (internalapi.OwnTaxDataResponseObject, error) {
	own, err := s.app.TaxData.Own(ctx, r.UserID)
	return internalapi.OwnTaxData200JSONResponse(own), err
}

// SetCampaignAccounts keeps by which accounts a campaign is paid.
func (s internalServer) SetCampaignAccounts(ctx context.Context, r internalapi.SetCampaignAccountsRequestObject) (
	internalapi.SetCampaignAccountsResponseObject, error) {
	return internalapi.SetCampaignAccounts204Response{}, s.app.Payees.SetAccounts(ctx, r.CampaignID, r.Body.Number,
		map[string]string{stripe.Name: r.Body.StripeAccountID, mangopay.Name: r.Body.MangopayUserID})
}

// PayableCampaigns says which campaigns can be paid to now.
func (s internalServer) PayableCampaigns(ctx context.Context, r internalapi.PayableCampaignsRequestObject) (
	internalapi.PayableCampaignsResponseObject, error) {
	asked := make([]payments.Way, len(r.Body.Campaigns))
	for i, c := range r.Body.Campaigns {
		asked[i] = payments.Way{CampaignID: c.CampaignID, Amount: money.New(0, money.Currency(c.Currency)), IsMonthly: c.IsMonthly}
	}
	list, err := s.app.Routes.Payable(ctx, s.app.DB, asked)
	return internalapi.PayableCampaigns200JSONResponse{CampaignIds: list}, err
}

// CampaignStanding tells what can still come of a campaign's payments.
func (s internalServer) CampaignStanding(ctx context.Context, r internalapi.CampaignStandingRequestObject) (
	internalapi.CampaignStandingResponseObject, error) {
	found, err := s.app.Endings.Standing(ctx, r.CampaignID)
	return internalapi.CampaignStanding200JSONResponse(found), err
}

// EndCampaign keeps that a campaign has ended, and has its money sent back when it is backers'.
func (s internalServer) EndCampaign(ctx context.Context, r internalapi.EndCampaignRequestObject) (internalapi.EndCampaignResponseObject, error) {
	e := r.Body
	return internalapi.EndCampaign204Response{}, s.app.Endings.End(ctx, endings.Ending{CampaignID: r.CampaignID,
		Outcome: endings.Outcome(e.Outcome), GoesTo: endings.GoesTo(e.GoesTo), EndedAt: e.EndedAt,
		Accepted: e.Accepted, AcceptedMinor: e.AcceptedMinor, Currency: e.Currency})
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
