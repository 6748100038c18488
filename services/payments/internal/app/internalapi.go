package app

import (
	"context"
	"fmt"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/api/internalapi"
	"talkoot.fi/payments/internal/charging/holds"
	"talkoot.fi/payments/internal/charging/payments"
)

// routeInternal registers what only the content service may call; the public edge answers 404 on it.
func (a *App) routeInternal(e *echo.Echo) error {
	spec, err := internalapi.GetSpecJSON()
	if err != nil {
		return fmt.Errorf("read the internal contract: %w", err)
	}
	promised, err := contract.Load(spec)
	if err != nil {
		return err
	}
	secret, others := a.config.ServiceSecret.Keys()
	verifier, err := servicetoken.NewVerifier(secret, servicetoken.Content, servicetoken.Payments, a.now, others...)
	if err != nil {
		return fmt.Errorf("service token: %w", err)
	}
	routes := httpx.Routes(e, servicetoken.Require(verifier), promised.Middleware())
	internalapi.RegisterHandlers(routes, internalapi.NewStrictHandler(internalServer{a}, nil))
	return nil
}

// internalServer is the internal contract: what is closed is a payment or a subscription.
type internalServer struct{ app *App }

// HoldCampaign has nothing charged for a campaign, or lets it go on.
func (s internalServer) HoldCampaign(ctx context.Context, r internalapi.HoldCampaignRequestObject) (
	internalapi.HoldCampaignResponseObject, error) {
	word := holds.Word{Number: r.Body.Number, IsOnHold: r.Body.IsOnHold, PaysOut: r.Body.PaysOut != nil && *r.Body.PaysOut}
	return internalapi.HoldCampaign204Response{}, s.app.Subscriptions.HoldCampaign(ctx, r.CampaignID, word)
}

// ClosePayment ends what nobody wants paid any more.
func (s internalServer) ClosePayment(ctx context.Context, r internalapi.ClosePaymentRequestObject) (
	internalapi.ClosePaymentResponseObject, error) {
	if r.Body.SubjectKind == internalapi.Subscription {
		return s.app.Subscriptions.ClosePayment(ctx, r)
	}
	return payments.NewInternalHandlers(s.app.Payments).ClosePayment(ctx, r)
}

// RefundPledge begins a refund that people have agreed or decided about.
func (s internalServer) RefundPledge(ctx context.Context, r internalapi.RefundPledgeRequestObject) (
	internalapi.RefundPledgeResponseObject, error) {
	return payments.NewInternalHandlers(s.app.Payments).RefundPledge(ctx, r)
}
