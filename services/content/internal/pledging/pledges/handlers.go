package pledges

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/languages"
)

// Handlers answers the public calls about pledges.
type Handlers struct {
	pledges *Service
	tokens  *ordertoken.Keys
	mayMail func(ctx context.Context, email string) (bool, error)
}

// NewHandlers makes the handlers; Rules and holders.Guard belong before them. tokens are for what is made without a session; mayMail counts
// the mails that anybody has sent to an address.
func NewHandlers(pledges *Service, tokens *ordertoken.Keys, mayMail func(ctx context.Context, email string) (bool, error)) *Handlers {
	return &Handlers{pledges, tokens, mayMail}
}

// Rules are the limits by address; create is how many pledges one may make.
func Rules(create ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{"POST /campaigns/:campaign_id/pledges": {{Name: "pledge", Limit: create}},
		"POST /pledge-links/receipt": {{Name: "pledge_link", Limit: create}}, "POST /pledge-links/pledge": {{Name: "pledge_link", Limit: create}},
		"POST /pledge-links/withdrawal": {{Name: "pledge_link", Limit: create}}, "POST /pledge-links/change": {{Name: "pledge_link", Limit: create}},
		"POST /pledge-links/choice":  {{Name: "pledge_link", Limit: create}},
		"POST /pledge-links/renewal": {{Name: "pledge_link", Limit: create}}, "POST /pledge-links/closing": {{Name: "pledge_link", Limit: create}}}
}

// CreatePledge makes a pledge for whoever asks; a session only ties it to a person.
func (h *Handlers) CreatePledge(ctx context.Context, r api.CreatePledgeRequestObject) (
	api.CreatePledgeResponseObject, error) {
	in, err := inputOf(ctx, r)
	if err != nil {
		return nil, err
	}
	view, err := h.pledges.Create(ctx, in)
	if err != nil {
		return nil, err
	}
	answer := answerOf(view)
	if in.UserID == nil {
		token := h.tokens.Make(ordertoken.Pledge, view.ID, view.CreatedAt)
		answer.OrderToken = &token
	}
	return api.CreatePledge201JSONResponse(answer), nil
}

// Pledge shows a pledge to its holder.
func (h *Handlers) Pledge(ctx context.Context, r api.PledgeRequestObject) (api.PledgeResponseObject, error) {
	view, err := h.pledges.View(ctx, r.PledgeID, languages.OfQuery(ctx, r.Params.Language))
	if err != nil {
		return nil, err
	}
	return api.Pledge200JSONResponse(answerOf(view)), nil
}

// OwnAddress tells the signed-in person where their last paid pledge went.
func (h *Handlers) OwnAddress(ctx context.Context, _ api.OwnAddressRequestObject) (
	api.OwnAddressResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	last, err := h.pledges.LastAddress(ctx, who.UserID)
	if err != nil || last == nil {
		return api.OwnAddress200JSONResponse{}, err
	}
	address := addressAnswer(*last)
	return api.OwnAddress200JSONResponse{Address: &address}, nil
}

func addressAnswer(a Address) api.Address {
	return api.Address{AddressStreet: a.Street, AddressPostcode: a.Postcode, AddressCity: a.City, AddressCountry: a.Country,
		AddressPhone: a.Phone}
}

// ReleasePledge gives up an unpaid pledge.
func (h *Handlers) ReleasePledge(ctx context.Context, r api.ReleasePledgeRequestObject) (
	api.ReleasePledgeResponseObject, error) {
	if err := h.pledges.Release(ctx, r.PledgeID); err != nil {
		return nil, err
	}
	return api.ReleasePledge204Response{}, nil
}

func inputOf(ctx context.Context, r api.CreatePledgeRequestObject) (Input, error) {
	meta := r.Body.PledgeMeta
	in := Input{CampaignID: r.CampaignID, RewardID: r.Body.RewardID,
		RewardVersion: r.Body.RewardVersion, Amount: r.Body.Amount,
		Language: languages.OfQuery(ctx, meta.Language),
		Meta: Meta{Email: meta.Email, FirstName: meta.FirstName, LastName: meta.LastName, Anonymous: value(meta.Anonymous), HideAmount: value(meta.HideAmount),
			Quantity: value(meta.Quantity), AddedCost: meta.AddedCost, Street: value(meta.AddressStreet),
			Postcode: value(meta.AddressPostcode), City: value(meta.AddressCity), Country: value(meta.AddressCountry),
			Phone: value(meta.AddressPhone), Birthdate: value(meta.Birthdate),
			ResidenceCountry: value(meta.ResidenceCountry), Nationality: value(meta.Nationality),
			Answers: value(meta.CustomQuestions)},
		Visitor: value(meta.Visitor), Source: value(meta.Source), OnceMore: value(r.Body.OnceMore)}
	in.Network = ratelimit.Address(httpx.ClientIP(ctx))
	in.Caller = "address:" + in.Network
	if who, ok := session.From(ctx); ok {
		in.UserID, in.Caller = &who.UserID, "user:"+strconv.FormatInt(who.UserID, 10)
	}
	if r.Params.IdempotencyKey != nil {
		in.IdempotencyKey = *r.Params.IdempotencyKey
		// Hashed after decoding, so that spaces and the order of keys make no other request, and without what is only
		// counted: two tabs of one browser may have come from different places.
		ordered := *r.Body
		ordered.PledgeMeta.Visitor, ordered.PledgeMeta.Source = nil, nil
		body, err := json.Marshal(ordered)
		if err != nil {
			return Input{}, fmt.Errorf("encode request for its hash: %w", err)
		}
		in.RequestHash = idem.Hash(body, strconv.AppendInt(nil, r.CampaignID, 10))
	}
	return in, nil
}

func answerOf(v View) api.PledgeAnswer {
	p := api.Pledge{PledgeID: v.ID, CampaignID: v.CampaignID, RewardID: v.RewardID, Status: api.PledgeStatus(v.Status),
		Amount: money.Decimal(v.Amount.Minor), Currency: string(v.Amount.Currency), Quantity: v.Quantity, Email: v.Email,
		FirstName: v.FirstName, LastName: pointer(v.LastName), VatPercentage: percentage(v.VATTenths),
		Anonymous: &v.Anonymous, ReservedUntil: v.ReservedUntil, Lines: make([]api.PledgeLine, len(v.Lines)),
		PaidAt: v.PaidAt, VatIncluded: pointer(money.Decimal(v.VATMinor)),
		AmountRefunded: pointer(money.Decimal(v.AmountRefundedMinor)),
		ReceiptNumber:  pointer(v.ReceiptNumber), BackerNumber: pointer(v.BackerNumber), NthPledge: pointer(v.NthPledge),
		PaymentMethod: pointer(v.PaymentMethod),
		RefundReason:  pointer(v.RefundReason), Delivery: pointer(v.Delivery), RewardLanguage: pointer(v.RewardLanguage), Campaign: v.Preview}
	if v.ChargedMinor > v.Amount.Minor {
		p.AmountCharged, p.AmountChangeRefunded = new(money.Decimal(v.ChargedMinor)), new(money.Decimal(v.ChangeRefundedMinor))
	}
	for i, line := range v.Lines {
		p.Lines[i] = api.PledgeLine{Label: line.Label, Amount: money.Decimal(line.AmountMinor)}
	}
	return api.PledgeAnswer{Pledge: p}
}

// percentage is a tax rate in per cent, nil for none.
func percentage(tenths int) *float64 {
	if tenths == 0 {
		return nil
	}
	return new(float64(tenths) / 10)
}

// InternalHandlers answers what only the payment service may ask about pledges, in the words of the internal contract.
type InternalHandlers struct{ pledges *Service }

// NewInternalHandlers makes the handlers; the service token's check belongs before them.
func NewInternalHandlers(pledges *Service) *InternalHandlers {
	return &InternalHandlers{pledges: pledges}
}

// Order is what is to be paid for a pledge.
func (h *InternalHandlers) Order(ctx context.Context, r internalapi.OrderRequestObject) (
	internalapi.OrderResponseObject, error) {
	order, err := h.pledges.Order(ctx, r.SubjectID)
	if err != nil {
		return nil, err
	}
	return internalapi.Order200JSONResponse(order), nil
}

// BoughtPledge is what a backer was promised and what was sent.
func (h *InternalHandlers) BoughtPledge(ctx context.Context, r internalapi.BoughtPledgeRequestObject) (
	internalapi.BoughtPledgeResponseObject, error) {
	bought, err := h.pledges.Bought(ctx, r.PledgeID)
	if err != nil {
		return nil, err
	}
	return internalapi.BoughtPledge200JSONResponse(bought), nil
}

// PaymentEvent gives an event its effect, once.
func (h *InternalHandlers) PaymentEvent(ctx context.Context, r internalapi.PaymentEventRequestObject) (
	internalapi.PaymentEventResponseObject, error) {
	pledgeID, err := ids.Parse(r.Body.SubjectID) // one spelling: it is a key in the database
	if err != nil {
		return nil, ErrUnknown
	}
	body, err := json.Marshal(r.Body)
	if err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	e := Event{ID: r.Body.EventID, Sequence: r.Body.Sequence, Type: EventType(r.Body.Type),
		PledgeID: pledgeID, PaymentID: r.Body.PaymentID, Amount: money.New(r.Body.AmountMinor,
			money.Currency(r.Body.Currency)),
		RefundMinor: value(r.Body.RefundMinor), RefundedMinor: value(r.Body.AmountRefundedMinor),
		ChangedMinor: value(r.Body.AmountChangedMinor),
		RefundReason: string(value(r.Body.RefundReason)), Method: value(r.Body.Method), Body: body}
	outcome, err := h.pledges.Apply(ctx, e)
	if err != nil {
		return nil, err
	}
	return internalapi.PaymentEvent200JSONResponse{Outcome: internalapi.EventOutcomeOutcome(outcome)}, nil
}

func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// pointer is nil for a zero value: what is not there yet is left out of the answer.
func pointer[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
