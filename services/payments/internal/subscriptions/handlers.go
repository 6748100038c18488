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
	"talkoot.fi/payments/internal/payments"
)

// Handlers answers the public calls about subscriptions. A subscription's id is the permission.
type Handlers struct {
	subscriptions   *Service
	perSubscription ratelimit.Limit
	publishableKey  string
}

// NewHandlers makes the handlers; Rules belong before them. perSubscription bounds all calls that change anything;
// publishableKey is the provider's, for browsers.
func NewHandlers(subscriptions *Service, perSubscription ratelimit.Limit, publishableKey string) *Handlers {
	return &Handlers{subscriptions: subscriptions, perSubscription: perSubscription, publishableKey: publishableKey}
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
	if _, err := s.byID(ctx, id); err != nil {
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
	id, err := h.admit(c, subscriptionID, params.IdempotencyKey, nil)
	if err != nil {
		return err
	}
	intent, err := h.subscriptions.Setup(ctx, id, payments.NetworkOf(ctx))
	if err != nil {
		return payments.OnWire(err)
	}
	var answer api.SubscriptionSetupAnswer
	answer.Stripe.PublishableKey = h.publishableKey
	answer.Stripe.PaymentIntent.ID, answer.Stripe.PaymentIntent.ClientSecret = intent.ID, intent.ClientSecret
	if answer.Subscription, err = h.subscriptions.Show(ctx, id); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, answer)
}

// CancelSubscription ends a subscription.
func (h *Handlers) CancelSubscription(c echo.Context, subscriptionID api.SubscriptionID,
	params api.CancelSubscriptionParams) error {
	var body api.SubscriptionCancel
	return h.act(c, subscriptionID, params.IdempotencyKey, &body, func(ctx context.Context, id string) error {
		return h.subscriptions.Cancel(ctx, id, body.At != nil && *body.At == api.Now)
	})
}

// ModifySubscriptionLevel is another amount or reward from the next month on.
func (h *Handlers) ModifySubscriptionLevel(c echo.Context, subscriptionID api.SubscriptionID,
	params api.ModifySubscriptionLevelParams) error {
	var body api.SubscriptionLevelChange
	err := h.act(c, subscriptionID, params.IdempotencyKey, &body, func(ctx context.Context, id string) error {
		amount, err := money.FromNumber(body.Amount, "")
		if err != nil {
			return amountFault(err)
		}
		return h.subscriptions.ChooseLevel(ctx, id, amount.Minor, body.RewardID, c.Request().Header.Get("Accept-Language"))
	})
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		return c.JSONBlob(refusal.Status, refusal.Body)
	}
	return err
}

func amountFault(err error) error {
	rule := apperr.RuleDecimals
	if errors.Is(err, money.ErrOverflow) {
		rule = apperr.RuleType
	}
	return apperr.New(apperr.InvalidFields).WithField("amount", rule)
}

// SkipSubscriptionMonth leaves one month out.
func (h *Handlers) SkipSubscriptionMonth(c echo.Context, subscriptionID api.SubscriptionID) error {
	var body api.SubscriptionSkip
	return h.act(c, subscriptionID, nil, &body, func(ctx context.Context, id string) error {
		return h.subscriptions.Skip(ctx, id, body.Period)
	})
}

// PauseSubscription has nothing charged until a month.
func (h *Handlers) PauseSubscription(c echo.Context, subscriptionID api.SubscriptionID) error {
	var body api.SubscriptionPause
	return h.act(c, subscriptionID, nil, &body, func(ctx context.Context, id string) error {
		return h.subscriptions.Pause(ctx, id, body.UntilPeriod)
	})
}

// ResumeSubscription takes back a pause, a month left out, or an end that has not come.
func (h *Handlers) ResumeSubscription(c echo.Context, subscriptionID api.SubscriptionID) error {
	return h.act(c, subscriptionID, nil, nil, h.subscriptions.Resume)
}

// SetSubscriptionNotices says whether the backer is told the day before each charge.
func (h *Handlers) SetSubscriptionNotices(c echo.Context, subscriptionID api.SubscriptionID) error {
	var body api.SubscriptionNotices
	return h.act(c, subscriptionID, nil, &body, func(ctx context.Context, id string) error {
		return h.subscriptions.SetNotices(ctx, id, body.NotifyBefore)
	})
}

// SetupSubscriptionCard begins to keep another card.
func (h *Handlers) SetupSubscriptionCard(c echo.Context, subscriptionID api.SubscriptionID,
	params api.SetupSubscriptionCardParams) error {
	id, err := h.admit(c, subscriptionID, params.IdempotencyKey, nil)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), payments.CallWait)
	defer cancel()
	setup, err := h.subscriptions.SetupCard(ctx, id)
	if err != nil {
		return payments.OnWire(err)
	}
	var answer api.CardSetupAnswer
	answer.Stripe.PublishableKey = h.publishableKey
	answer.Stripe.SetupIntent.ID, answer.Stripe.SetupIntent.ClientSecret = setup.Ref, setup.ClientSecret
	return c.JSON(http.StatusOK, answer)
}

// ChangeSubscriptionCard takes a card into use that a setup intent has kept, or gives the one that has paid to the others.
func (h *Handlers) ChangeSubscriptionCard(c echo.Context, subscriptionID api.SubscriptionID) error {
	var body api.CardChange
	return h.act(c, subscriptionID, nil, &body, func(ctx context.Context, id string) error {
		ctx, cancel := context.WithTimeout(ctx, payments.CallWait)
		defer cancel()
		also, err := idsOf(body.Also)
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
func (h *Handlers) act(c echo.Context, subscriptionID string, key *string, body any,
	fn func(ctx context.Context, id string) error) error {
	id, err := h.admit(c, subscriptionID, key, body)
	if err != nil {
		return err
	}
	if err := fn(c.Request().Context(), id); err != nil {
		return err
	}
	return h.show(c, id)
}

func (h *Handlers) admit(c echo.Context, subscriptionID string, key *string, body any) (string, error) {
	sent := []byte{}
	if body != nil && c.Request().ContentLength != 0 {
		if err := c.Bind(body); err != nil {
			return "", err
		}
		var err error
		if sent, err = json.Marshal(body); err != nil {
			return "", apperr.New(apperr.MalformedBody).Wrap(err)
		}
	}
	return h.subscriptions.payments.Admit(c.Request().Context(), subscriptionID, h.perSubscription, key,
		[]byte(c.Request().URL.Path), sent)
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
