package subscriptions

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/oapi-codegen/runtime/types"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/pledging/holders"
	"talkoot.fi/content/internal/request"
)

// Handlers answers the public calls about subscriptions.
type Handlers struct {
	subscriptions *Service
	tokens        *ordertoken.Keys
}

// NewHandlers makes the handlers; Rules and holders.Guard belong before them. tokens are for what is begun without a session.
func NewHandlers(subscriptions *Service, tokens *ordertoken.Keys) *Handlers {
	return &Handlers{subscriptions, tokens}
}

// Rules are the limits by address; create is how many pledges and subscriptions one may make.
func Rules(create ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{
		"POST /campaigns/:campaign_id/subscriptions": {{Name: "pledge", Limit: create}},
		"POST /v2/subscriptions/:subscription_id":    {{Name: "subscription", Limit: create}},
		"POST /subscription-links/receipt":           {{Name: "subscription", Limit: create}},
	}
}

// CreateSubscription makes a subscription for whoever asks; a session only ties it to a person.
func (h *Handlers) CreateSubscription(ctx context.Context, r api.CreateSubscriptionRequestObject) (
	api.CreateSubscriptionResponseObject, error) {
	in, err := inputOf(ctx, r)
	if err != nil {
		return nil, err
	}
	view, err := h.subscriptions.Create(ctx, in)
	if err != nil {
		return nil, err
	}
	answer := api.CreateSubscription201JSONResponse{Subscription: view.answer()}
	if in.UserID == nil {
		token := h.tokens.Make(ordertoken.Subscription, view.ID, view.CreatedAt)
		answer.OrderToken = &token
	}
	return answer, nil
}

// SubscriptionRecord shows a subscription to its holder.
func (h *Handlers) SubscriptionRecord(ctx context.Context, r api.SubscriptionRecordRequestObject) (
	api.SubscriptionRecordResponseObject, error) {
	view, err := h.subscriptions.View(ctx, r.SubscriptionID, languages.OfQuery(ctx, r.Params.Language))
	if err != nil {
		return nil, err
	}
	return api.SubscriptionRecord200JSONResponse{Subscription: view.answer()}, nil
}

// ChangeSubscription corrects a subscription for its holder.
func (h *Handlers) ChangeSubscription(ctx context.Context, r api.ChangeSubscriptionRequestObject) (
	api.ChangeSubscriptionResponseObject, error) {
	wanted := Change{Email: r.Body.Email, FirstName: r.Body.FirstName, LastName: r.Body.LastName, Amount: r.Body.Amount,
		RewardID: r.Body.RewardID}
	if meta := r.Body.SubscriptionMeta; meta != nil {
		wanted.Anonymous, wanted.HideAmount = meta.Anonymous, meta.HideAmount
		if meta.Language != nil {
			language := languages.Of(*meta.Language)
			wanted.Language = &language
		}
	}
	wanted.OnlyUnpaid = holders.IsByToken(ctx)
	view, err := h.subscriptions.Change(ctx, r.SubscriptionID, wanted)
	if err != nil {
		return nil, err
	}
	return api.ChangeSubscription200JSONResponse{Subscription: view.answer()}, nil
}

// OwnSubscriptions lists what the signed-in person supports, and has supported.
func (h *Handlers) OwnSubscriptions(ctx context.Context, r api.OwnSubscriptionsRequestObject) (
	api.OwnSubscriptionsResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	limit, offset := request.Page(r.Params.Limit, r.Params.Offset)
	list, total, err := h.subscriptions.ListOwn(ctx, who.UserID, languages.Of(r.Language), limit, offset)
	if err != nil {
		return nil, err
	}
	answer := api.OwnSubscriptions200JSONResponse{Subscriptions: make([]api.Subscription, len(list)), Total: total}
	for i, view := range list {
		answer.Subscriptions[i] = view.answer()
	}
	return answer, nil
}

func inputOf(ctx context.Context, r api.CreateSubscriptionRequestObject) (Input, error) {
	meta := request.Value(r.Body.SubscriptionMeta)
	in := Input{CampaignID: r.CampaignID, RewardID: r.Body.RewardID, Amount: r.Body.Amount,
		Person: Person{Email: r.Body.Email, FirstName: r.Body.FirstName, LastName: r.Body.LastName,
			Anonymous: request.Value(meta.Anonymous), HideAmount: request.Value(meta.HideAmount), Language: languages.OfQuery(ctx, meta.Language)},
		Visitor: request.Value(meta.Visitor), Source: string(request.Value(meta.Source)), OnceMore: request.Value(r.Body.OnceMore)}
	in.Caller = "address:" + ratelimit.Address(httpx.ClientIP(ctx))
	if who, ok := session.From(ctx); ok {
		in.UserID, in.Caller = &who.UserID, "user:"+strconv.FormatInt(who.UserID, 10)
	}
	if r.Params.IdempotencyKey != nil {
		in.IdempotencyKey = *r.Params.IdempotencyKey
		// Hashed after decoding, so that spaces and the order of keys make no other request, and without what is only
		// counted: two tabs of one browser may have come from different places.
		ordered := *r.Body
		meta.Visitor, meta.Source = nil, nil
		ordered.SubscriptionMeta = &meta
		body, err := json.Marshal(ordered)
		if err != nil {
			return Input{}, fmt.Errorf("encode request for its hash: %w", err)
		}
		in.RequestHash = idem.Hash(body, strconv.AppendInt(nil, r.CampaignID, 10))
	}
	return in, nil
}

func (v View) answer() api.Subscription {
	a := api.Subscription{SubscriptionID: v.ID, CampaignID: v.CampaignID, RewardID: v.RewardID, RewardTitle: some(v.RewardTitle),
		RewardLanguage: some(v.RewardLanguage), NextRewardLanguage: some(v.NextRewardLanguage),
		NextRewardID: v.NextRewardID, NextRewardTitle: some(v.NextRewardTitle),
		Status: api.SubscriptionStatus(v.Status), Amount: money.Decimal(v.AmountMinor), Currency: string(v.Currency),
		Email: some(v.Email), FirstName: v.FirstName, LastName: some(v.LastName), NameShown: api.FullName, HideAmount: v.HideAmount,
		BegunOn: dayOf(v.BegunOn), NextChargeOn: dayOf(v.NextChargeOn), HeldOn: dayOf(v.HeldOn), PaidUntil: dayOf(v.PaidUntil), EndsOn: dayOf(v.EndsOn),
		EndedBecause: some(v.EndedBecause), PaymentMethod: some(v.PaymentMethod), Campaign: v.Preview,
		Charges: make([]api.ChargeReceipt, len(v.Charges))}
	if v.Anonymous {
		a.NameShown = api.Anonymous
	}
	if v.Status == Created {
		a.PayableUntil = &v.PayableUntil
	}
	if v.NextAmountMinor != nil {
		next := money.Decimal(*v.NextAmountMinor)
		a.NextAmount = &next
	}
	for i, c := range v.Charges {
		a.Charges[i] = c.answer()
	}
	return a
}

func (c Charge) answer() api.ChargeReceipt {
	answer := api.ChargeReceipt{Period: c.Period, Day: types.Date{Time: c.PaidAt}, Amount: money.Decimal(c.AmountMinor),
		AmountRefunded: money.Decimal(c.AmountRefundedMinor), VatIncluded: money.Decimal(c.VATMinor),
		Status: api.ChargeReceiptStatus(c.Status()), ReceiptNumber: c.ReceiptNumber, PaymentMethod: some(c.PaymentMethod)}
	if c.VATTenths > 0 {
		answer.VatPercentage = new(float64(c.VATTenths) / 10)
	}
	return answer
}

// some is nil for a zero value: what is not there yet is left out of the answer.
func some[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func dayOf(t *time.Time) *types.Date {
	if t == nil {
		return nil
	}
	return &types.Date{Time: *t}
}

// InternalHandlers answers what only the payment service may ask about subscriptions, in the words of the internal contract.
type InternalHandlers struct{ subscriptions *Service }

// NewInternalHandlers makes the handlers; the service token's check belongs before them.
func NewInternalHandlers(subscriptions *Service) *InternalHandlers {
	return &InternalHandlers{subscriptions}
}

// Order is what is to be paid for a subscription.
func (h *InternalHandlers) Order(ctx context.Context, r internalapi.OrderRequestObject) (internalapi.OrderResponseObject, error) {
	order, err := h.subscriptions.Order(ctx, r.SubjectID)
	if err != nil {
		return nil, err
	}
	return internalapi.Order200JSONResponse(order), nil
}

// PaymentEvent gives an event of a month's payment its effect, once.
func (h *InternalHandlers) PaymentEvent(ctx context.Context, r internalapi.PaymentEventRequestObject) (
	internalapi.PaymentEventResponseObject, error) {
	outcome, err := h.subscriptions.ApplyPayment(ctx, *r.Body)
	if err != nil {
		return nil, err
	}
	return internalapi.PaymentEvent200JSONResponse{Outcome: outcome}, nil
}

// SubscriptionEvent takes over what has become of a subscription, once.
func (h *InternalHandlers) SubscriptionEvent(ctx context.Context, r internalapi.SubscriptionEventRequestObject) (
	internalapi.SubscriptionEventResponseObject, error) {
	outcome, err := h.subscriptions.ApplyChange(ctx, *r.Body)
	if err != nil {
		return nil, err
	}
	return internalapi.SubscriptionEvent200JSONResponse{Outcome: outcome}, nil
}

// SubscriptionLevel says whether a subscription may have a level, and what it is in words.
func (h *InternalHandlers) SubscriptionLevel(ctx context.Context, r internalapi.SubscriptionLevelRequestObject) (
	internalapi.SubscriptionLevelResponseObject, error) {
	level, err := h.subscriptions.Level(ctx, r.SubscriptionID, r.Body.AmountMinor, r.Body.RewardID)
	if err != nil {
		return nil, err
	}
	return internalapi.SubscriptionLevel200JSONResponse(level), nil
}
