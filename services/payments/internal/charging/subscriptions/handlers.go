package subscriptions

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/api/internalapi"
	"talkoot.fi/payments/internal/charging/holders"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/provider"
)

// Handlers answers the public calls about subscriptions.
type Handlers struct {
	subscriptions   *Service
	alsoHolds       func(ctx context.Context, ids []string) error
	perSubscription ratelimit.Limit
	publishableKey  string
}

// NewHandlers makes the handlers; Rules and holders.Guard belong before them. alsoHolds says whether a caller holds other
// subscriptions too; perSubscription bounds all calls that change anything; publishableKey is the provider's, for browsers.
func NewHandlers(subscriptions *Service, alsoHolds func(ctx context.Context, ids []string) error, perSubscription ratelimit.Limit,
	publishableKey string) *Handlers {
	return &Handlers{subscriptions: subscriptions, alsoHolds: alsoHolds, perSubscription: perSubscription, publishableKey: publishableKey}
}

// Rules are the limits by address, which belong before the handlers.
func Rules(calls ratelimit.Limit) ratelimit.Rules {
	rule := []ratelimit.Rule{{Name: "payment_address", Limit: calls}}
	out := ratelimit.Rules{"PUT /api/subscriptions/:subscription_id/card": rule}
	for _, call := range []string{"setup", "cancel", "modify-level", "skip", "pause", "resume", "notices", "card"} {
		out["POST /api/subscriptions/:subscription_id/"+call] = rule
	}
	for _, call := range []string{"look", "setup", "act"} {
		out["POST /api/subscription-links/"+call] = rule
	}
	return out
}

// Subscription shows one.
func (h *Handlers) Subscription(c echo.Context, subscriptionID api.SubscriptionID) error {
	id, err := payments.ParseID(subscriptionID)
	if err != nil {
		return err
	}
	return h.show(c, id)
}

func (h *Handlers) show(c echo.Context, id string) error {
	sub, err := h.subscriptions.Show(c.Request().Context(), id)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.SubscriptionAnswer{Subscription: sub})
}

// SubscriptionPayment shows one after it has asked the provider about the month that is to be paid.
func (h *Handlers) SubscriptionPayment(c echo.Context, subscriptionID api.SubscriptionID) error {
	id, err := payments.ParseID(subscriptionID)
	if err != nil {
		return err
	}
	if err := h.subscriptions.AdvanceDue(c.Request().Context(), id); err != nil {
		return err
	}
	return h.show(c, id)
}

// AdvanceDue asks the provider about the month that is to be paid, for a browser that waits. Error: NotFound.
func (s *Service) AdvanceDue(ctx context.Context, id string) error {
	if _, err := byID(ctx, s.db, id); err != nil {
		return err
	}
	open, err := readOpen(ctx, s.db, id)
	if err != nil || open.due == nil {
		return err
	}
	p, err := s.payments.Payment(ctx, open.due.PaymentID)
	if err == nil {
		_, err = s.payments.AdvanceForBrowser(ctx, p)
	}
	return err
}

// SetupSubscriptionPayment makes or gives the payment intent of the month that is to be paid now.
func (h *Handlers) SetupSubscriptionPayment(c echo.Context, subscriptionID api.SubscriptionID,
	params api.SetupSubscriptionPaymentParams) error {
	ctx := c.Request().Context()
	id, _, err := h.admit(c, subscriptionID, nil)
	if err != nil {
		return err
	}
	var intent payments.Intent
	key := payments.KeyOf(params.IdempotencyKey, "subscription setup", id)
	err = h.subscriptions.payments.Keyed(ctx, key, func(string) (string, error) {
		intent, err = h.subscriptions.Setup(ctx, id, payments.NetworkOf(ctx))
		return intent.ID, err
	})
	if err != nil {
		return payments.OnWire(err)
	}
	var answer api.SubscriptionSetupAnswer
	answer.Stripe.PublishableKey = h.publishableKey
	answer.Stripe.PaymentIntent.ID = intent.ID
	if answer.Stripe.PaymentIntent.ClientSecret, err = provider.SecretOf(intent.Next); err != nil {
		return err
	}
	if answer.Subscription, err = h.subscriptions.Show(ctx, id); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, answer)
}

// CancelSubscription ends a subscription.
func (h *Handlers) CancelSubscription(c echo.Context, subscriptionID api.SubscriptionID,
	params api.CancelSubscriptionParams) error {
	var body api.SubscriptionCancel
	id, sent, err := h.admit(c, subscriptionID, &body)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	how := Ending{Now: body.At != nil && *body.At == api.Now,
		OnlyUnpaid: holders.Of(ctx).OnlyUnpaid || body.OnlyUnpaid != nil && *body.OnlyUnpaid}
	answer, err := h.subscriptions.Cancel(ctx, id, how,
		payments.KeyOf(params.IdempotencyKey, "cancel", id, sent))
	if err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, answer)
}

// ModifySubscriptionLevel is another amount or reward from the next month on.
func (h *Handlers) ModifySubscriptionLevel(c echo.Context, subscriptionID api.SubscriptionID,
	params api.ModifySubscriptionLevelParams) error {
	var body api.SubscriptionLevelChange
	id, sent, err := h.admit(c, subscriptionID, &body)
	if err != nil {
		return err
	}
	amount, bad := money.FromInput("amount", body.Amount, "")
	if bad != nil {
		return apperr.New(apperr.InvalidFields).WithFields(bad)
	}
	ctx := c.Request().Context()
	wish := Wish{AmountMinor: amount.Minor, RewardID: body.RewardID, HasConfirmed: holders.Of(ctx).HasConfirmed}
	answer, err := h.subscriptions.ChooseLevel(ctx, id, wish, c.Request().Header.Get("Accept-Language"), payments.KeyOf(params.IdempotencyKey, "modify-level", id, sent))
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		return c.JSONBlob(refusal.Status, refusal.Body)
	}
	if err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, answer)
}

// SkipSubscriptionMonth leaves one month out.
func (h *Handlers) SkipSubscriptionMonth(c echo.Context, subscriptionID api.SubscriptionID) error {
	var body api.SubscriptionSkip
	return h.act(c, subscriptionID, &body, func(ctx context.Context, id string) error {
		return h.subscriptions.Skip(ctx, id, body.Period)
	})
}

// PauseSubscription has nothing charged until a month.
func (h *Handlers) PauseSubscription(c echo.Context, subscriptionID api.SubscriptionID) error {
	var body api.SubscriptionPause
	return h.act(c, subscriptionID, &body, func(ctx context.Context, id string) error {
		return h.subscriptions.Pause(ctx, id, body.UntilPeriod)
	})
}

// ResumeSubscription takes back a pause, a month left out, or an end that has not come.
func (h *Handlers) ResumeSubscription(c echo.Context, subscriptionID api.SubscriptionID) error {
	return h.act(c, subscriptionID, nil, h.subscriptions.Resume)
}

// SetSubscriptionNotices says whether the backer is told the day before each charge.
func (h *Handlers) SetSubscriptionNotices(c echo.Context, subscriptionID api.SubscriptionID) error {
	var body api.SubscriptionNotices
	return h.act(c, subscriptionID, &body, func(ctx context.Context, id string) error {
		return h.subscriptions.SetNotices(ctx, id, body.NotifyBefore)
	})
}

// SetupSubscriptionCard begins to keep another card.
func (h *Handlers) SetupSubscriptionCard(c echo.Context, subscriptionID api.SubscriptionID,
	params api.SetupSubscriptionCardParams) error {
	id, _, err := h.admit(c, subscriptionID, nil)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), payments.CallWait)
	defer cancel()
	var setup provider.Setup
	err = h.subscriptions.payments.Keyed(ctx, payments.KeyOf(params.IdempotencyKey, "card", id), func(before string) (string, error) {
		if before != "" { // also once it has kept a card: a repeat begins no other
			setup, err = h.subscriptions.lookSetup(ctx, id, before)
		} else {
			setup, err = h.subscriptions.SetupCard(ctx, id)
		}
		return setup.Ref, err
	})
	if err != nil {
		return payments.OnWire(err)
	}
	var answer api.CardSetupAnswer
	answer.Stripe.PublishableKey = h.publishableKey
	answer.Stripe.SetupIntent.ID = setup.Ref
	if answer.Stripe.SetupIntent.ClientSecret, err = provider.SecretOf(setup.Next); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, answer)
}

// ChangeSubscriptionCard takes a card into use that a setup intent has kept, or gives the one that has paid to the others.
func (h *Handlers) ChangeSubscriptionCard(c echo.Context, subscriptionID api.SubscriptionID) error {
	var body api.CardChange
	return h.act(c, subscriptionID, &body, func(ctx context.Context, id string) error {
		ctx, cancel := context.WithTimeout(ctx, payments.CallWait)
		defer cancel()
		also, err := idsOf(body.Also)
		if err == nil {
			err = h.alsoHolds(ctx, also)
		}
		if err != nil {
			return err
		}
		if body.SetupIntent == nil {
			return payments.OnWire(h.subscriptions.ShareCard(ctx, id, also))
		}
		return payments.OnWire(h.subscriptions.ChangeCard(ctx, id, *body.SetupIntent, also))
	})
}

func idsOf(sent *[]string) (ids []string, err error) {
	if sent == nil {
		return nil, nil
	}
	for _, one := range *sent {
		id, err := payments.ParseID(one)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// act is a call that changes a subscription and answers with it; body, unless nil, is read from the request, which may
// have none.
func (h *Handlers) act(c echo.Context, subscriptionID string, body any, fn func(ctx context.Context, id string) error) error {
	id, _, err := h.admit(c, subscriptionID, body)
	if err != nil {
		return err
	}
	if err := fn(c.Request().Context(), id); err != nil {
		return err
	}
	return h.show(c, id)
}

// admit reads a call's body, unless it is nil, and checks its subscription's id and rate limit. sent is the body as it was read.
func (h *Handlers) admit(c echo.Context, subscriptionID string, body any) (id string, sent []byte, err error) {
	if body != nil && c.Request().ContentLength != 0 {
		if err := c.Bind(body); err != nil {
			return "", nil, err
		}
		if sent, err = json.Marshal(body); err != nil {
			return "", nil, apperr.New(apperr.MalformedBody).Wrap(err)
		}
	}
	id, err = h.subscriptions.payments.Admit(c.Request().Context(), subscriptionID, h.perSubscription)
	return id, sent, err
}

// ClosePayment ends a subscription at the content service's word.
func (s *Service) ClosePayment(ctx context.Context, r internalapi.ClosePaymentRequestObject) (
	internalapi.ClosePaymentResponseObject, error) {
	sub, found, err := s.Close(ctx, r.Body.SubjectID, Reason(r.Body.Reason))
	if err != nil {
		return nil, err
	}
	answer := internalapi.ClosePayment200JSONResponse{Status: internalapi.None}
	switch {
	case !found:
	case sub.Status.IsOver():
		answer.Status = internalapi.Ended
	default:
		answer.Status = internalapi.Paid
	}
	return answer, nil
}
