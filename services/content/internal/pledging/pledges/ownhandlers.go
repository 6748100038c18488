package pledges

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/request"
)

// changesOfPerson bounds how often one person changes their pledges, in all their sessions.
var changesOfPerson = ratelimit.Per(60, time.Hour)

// PersonRules are the limits by person.
func PersonRules() ratelimit.Rules {
	return ratelimit.Rules{"PATCH /pledges/:pledge_id": {{Name: "own_pledges", Limit: changesOfPerson}},
		"POST /pledges/:pledge_id/withdrawal": {{Name: "own_pledges", Limit: changesOfPerson}},
		"POST /pledges/:pledge_id/choice":     {{Name: "own_pledges", Limit: changesOfPerson}}}
}

// OwnPledges lists what the signed-in person has backed.
func (h *Handlers) OwnPledges(ctx context.Context, r api.OwnPledgesRequestObject) (api.OwnPledgesResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	limit, offset := request.Page(r.Params.Limit, r.Params.Offset)
	group := Group(request.Value(r.Params.Show))
	page, err := h.pledges.ListOwn(ctx, who.UserID, languages.Of(r.Language), group, limit, offset)
	if err != nil {
		return nil, err
	}
	return api.OwnPledges200JSONResponse(page.answer(group)), nil
}

// ChangePledge changes how the signed-in person and their sum are shown among the backers, or where their reward is sent.
func (h *Handlers) ChangePledge(ctx context.Context, r api.ChangePledgeRequestObject) (api.ChangePledgeResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	own, err := h.pledges.ChangeOwn(ctx, who.UserID, r.PledgeID, languages.OfQuery(ctx, r.Params.Language), changeOf(*r.Body))
	if err != nil {
		return nil, err
	}
	return api.ChangePledge200JSONResponse{Pledge: own.answer()}, nil
}

func changeOf(c api.PledgeChange) OwnChange {
	wanted := OwnChange{NameShown: (*NameShown)(c.NameShown), HideAmount: c.HideAmount}
	if a := c.Address; a != nil {
		wanted.Address = &Address{a.AddressStreet, a.AddressPostcode, a.AddressCity, value(a.AddressCountry), value(a.AddressPhone)}
	}
	return wanted
}

// ChangeChoice changes what the signed-in person's pledge is for.
func (h *Handlers) ChangeChoice(ctx context.Context, r api.ChangeChoiceRequestObject) (api.ChangeChoiceResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	wanted, err := wantedChoice(*r.Body)
	if err != nil {
		return nil, err
	}
	own, err := h.pledges.ChangeOwnChoice(ctx, who.UserID, r.PledgeID, languages.OfQuery(ctx, r.Params.Language), wanted)
	if err != nil {
		return nil, err
	}
	return api.ChangeChoice200JSONResponse{Pledge: own.answer()}, nil
}

func wantedChoice(c api.PledgeChoice) (Choice, error) {
	body, err := json.Marshal(c)
	if err != nil {
		return Choice{}, fmt.Errorf("encode request for its hash: %w", err)
	}
	wanted := Choice{RewardID: c.RewardID, RewardVersion: c.RewardVersion, Quantity: c.Quantity, Amount: c.Amount, AddedCost: c.AddedCost,
		Answers: value(c.CustomQuestions), Number: c.Number, Key: c.Key, Hash: idem.Hash(body)}
	if c.AddressStreet != nil || c.AddressPostcode != nil || c.AddressCity != nil {
		wanted.Address = &Address{value(c.AddressStreet), value(c.AddressPostcode), value(c.AddressCity), value(c.AddressCountry), value(c.AddressPhone)}
	}
	return wanted, nil
}

// WithdrawPledge takes the signed-in person's pledge back.
func (h *Handlers) WithdrawPledge(ctx context.Context, r api.WithdrawPledgeRequestObject) (api.WithdrawPledgeResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	own, err := h.pledges.WithdrawOwn(ctx, who.UserID, r.PledgeID, languages.OfQuery(ctx, r.Params.Language))
	if err != nil {
		return nil, err
	}
	return api.WithdrawPledge200JSONResponse{Pledge: own.answer()}, nil
}

func (p OwnPage) answer(group Group) api.OwnPledgesAnswer {
	a := api.OwnPledgesAnswer{Pledges: make([]api.OwnPledge, len(p.List)), Sums: []api.PledgeSums{}}
	for i, own := range p.List {
		a.Pledges[i] = own.answer()
	}
	for _, s := range p.Sums {
		a.GoingOn += s.GoingOn
		a.Over += s.Over
		if s.HeldMinor+s.OnItsWayMinor+s.ContestedMinor+s.ReturnedMinor > 0 {
			a.Sums = append(a.Sums, api.PledgeSums{Currency: string(s.Currency), Held: money.Decimal(s.HeldMinor),
				OnItsWay: money.Decimal(s.OnItsWayMinor), Contested: money.Decimal(s.ContestedMinor), Returned: money.Decimal(s.ReturnedMinor)})
		}
	}
	switch group {
	case GoingOn:
		a.Total = a.GoingOn
	case Over:
		a.Total = a.Over
	default:
		a.Total = a.GoingOn + a.Over
	}
	return a
}

func (o Own) answer() api.OwnPledge {
	p := answerOf(o.View).Pledge
	a := api.OwnPledge{PledgeID: p.PledgeID, CampaignID: p.CampaignID, RewardID: p.RewardID, Status: api.OwnPledgeStatus(p.Status), Amount: p.Amount,
		AmountRefunded: p.AmountRefunded, AmountCharged: p.AmountCharged, AmountChangeRefunded: p.AmountChangeRefunded, RefundReason: p.RefundReason, Currency: p.Currency, Quantity: p.Quantity, Lines: p.Lines,
		VatIncluded: p.VatIncluded, VatPercentage: p.VatPercentage, Email: p.Email, FirstName: p.FirstName, Anonymous: p.Anonymous, ReservedUntil: p.ReservedUntil,
		ReceiptNumber: p.ReceiptNumber, BackerNumber: p.BackerNumber, PaidAt: p.PaidAt, PaymentMethod: p.PaymentMethod,
		Delivery: p.Delivery, RewardLanguage: p.RewardLanguage, Campaign: p.Campaign,
		LastName: o.LastName, FundingRule: api.FundingRule(o.FundingRule), NameShown: api.NameShown(o.NameShown), HideAmount: o.HideAmount, RewardTitle: o.RewardTitle, PromisedAt: o.PromisedAt,
		ChargedAt: o.ChargedAt, RefundedAt: o.RefundedAt, FailedAt: o.FailedAt}
	if o.ContestedMinor > 0 {
		a.AmountContested = new(money.Decimal(o.ContestedMinor))
	}
	a.Withdrawal = o.Withdrawal.answer()
	a.Choice = api.PledgeChoiceState{State: api.PledgeChoiceStateState(o.Choice), Number: o.Changes, ChangedAt: o.ChangedAt}
	if o.Choice == ChoiceOpen {
		a.Choice.Until = o.Withdrawal.At // the same moment: its campaign's last second
		a.Choice.Extra = new(money.Decimal(o.Parts.ExtraMinor))
		if o.RewardID != nil {
			a.Choice.Unit, a.Choice.Added = new(money.Decimal(o.Parts.UnitMinor)), new(money.Decimal(o.Parts.AddedMinor))
		}
	}
	raisedAnswer(&a.Choice, o)
	if s := o.Shipping; s != nil {
		a.Shipping = &api.PledgeShipping{State: api.PledgeShippingState(s.State), Address: addressAnswer(s.Address)}
		if s.State == AddressOpen {
			a.Shipping.LocksAt = s.At
		} else {
			a.Shipping.LockedAt = s.At
		}
	}
	return a
}

func (w Withdrawal) answer() api.PledgeWithdrawal {
	a := api.PledgeWithdrawal{State: api.PledgeWithdrawalState(w.State)}
	if w.Reason != "" {
		a.Reason = new(api.PledgeWithdrawalReason(w.Reason))
	}
	if w.State == WithdrawalOpen {
		a.Until = w.At
	}
	if w.State == WithdrawalDone {
		a.At = w.At
	}
	if w.Days > 0 {
		a.Days = &w.Days
	}
	if w.SentOn != nil {
		a.SentOn = &api.Day{Time: *w.SentOn}
	}
	return a
}
