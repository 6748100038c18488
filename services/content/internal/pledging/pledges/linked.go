package pledges

import (
	"context"

	"talkoot.fi/kit/ordertoken"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/pledging/receiptlinks"
)

// OpenPledge shows a pledge to whoever has a link that opens it.
func (h *Handlers) OpenPledge(ctx context.Context, r api.OpenPledgeRequestObject) (api.OpenPledgeResponseObject, error) {
	opened, err := h.pledges.Open(ctx, r.Body.Token, languages.OfQuery(ctx, r.Params.Language))
	if err != nil {
		return nil, err
	}
	return api.OpenPledge200JSONResponse(h.openedAnswer(opened)), nil
}

// WithdrawOpenedPledge takes back the pledge that a link opens.
func (h *Handlers) WithdrawOpenedPledge(ctx context.Context, r api.WithdrawOpenedPledgeRequestObject) (
	api.WithdrawOpenedPledgeResponseObject, error) {
	opened, err := h.pledges.WithdrawOpened(ctx, r.Body.Token, languages.OfQuery(ctx, r.Params.Language))
	if err != nil {
		return nil, err
	}
	return api.WithdrawOpenedPledge200JSONResponse(h.openedAnswer(opened)), nil
}

// ChangeOpenedChoice changes what the pledge that a link opens is for.
func (h *Handlers) ChangeOpenedChoice(ctx context.Context, r api.ChangeOpenedChoiceRequestObject) (api.ChangeOpenedChoiceResponseObject, error) {
	wanted, err := wantedChoice(r.Body.Choice)
	if err != nil {
		return nil, err
	}
	opened, err := h.pledges.ChangeOpenedChoice(ctx, r.Body.Token, languages.OfQuery(ctx, r.Params.Language), wanted)
	if err != nil {
		return nil, err
	}
	return api.ChangeOpenedChoice200JSONResponse(h.openedAnswer(opened)), nil
}

// ChangeOpenedPledge changes how who paid the pledge that a link opens is shown, or where their reward is sent.
func (h *Handlers) ChangeOpenedPledge(ctx context.Context, r api.ChangeOpenedPledgeRequestObject) (api.ChangeOpenedPledgeResponseObject, error) {
	opened, err := h.pledges.ChangeOpened(ctx, r.Body.Token, languages.OfQuery(ctx, r.Params.Language), changeOf(r.Body.Change))
	if err != nil {
		return nil, err
	}
	return api.ChangeOpenedPledge200JSONResponse(h.openedAnswer(opened)), nil
}

// RenewPledgeLink has a new link mailed, and does not say whether there was one.
func (h *Handlers) RenewPledgeLink(ctx context.Context, r api.RenewPledgeLinkRequestObject) (api.RenewPledgeLinkResponseObject, error) {
	if err := h.pledges.RenewLink(ctx, r.Body.Token, h.mayMail); err != nil {
		return nil, err
	}
	return api.RenewPledgeLink202Response{}, nil
}

// ClosePledgeLink ends a link.
func (h *Handlers) ClosePledgeLink(ctx context.Context, r api.ClosePledgeLinkRequestObject) (api.ClosePledgeLinkResponseObject, error) {
	if err := h.pledges.CloseLink(ctx, r.Body.Token); err != nil {
		return nil, err
	}
	return api.ClosePledgeLink204Response{}, nil
}

// openedAnswer is what a link opens. The order token lets its browser pay what waits, without a session.
func (h *Handlers) openedAnswer(o Opened) api.OpenedPledgeAnswer {
	a := api.OpenedPledgeAnswer{Pledge: o.answer(), OpenUntil: o.Until}
	if r := o.Raise; r != nil {
		a.Pledge.Choice.Raise.OrderToken = new(h.tokens.Make(ordertoken.Paying, r.ID, r.CreatedAt))
	}
	return a
}

// LinkedPledge shows one receipt to whoever has its link, and nothing of who has paid.
func (h *Handlers) LinkedPledge(ctx context.Context, r api.LinkedPledgeRequestObject) (api.LinkedPledgeResponseObject, error) {
	id, err := receiptlinks.Read(ctx, h.pledges.db, r.Body.Token, h.pledges.now())
	if err != nil {
		return nil, err
	}
	view, err := h.pledges.View(ctx, id, languages.OfQuery(ctx, r.Params.Language))
	if err != nil {
		return nil, err
	}
	p := answerOf(view).Pledge
	return api.LinkedPledge200JSONResponse{Pledge: api.LinkedPledge{CampaignID: p.CampaignID, RewardID: p.RewardID,
		Status: api.LinkedPledgeStatus(p.Status), Amount: p.Amount, AmountRefunded: p.AmountRefunded, AmountCharged: p.AmountCharged,
		AmountChangeRefunded: p.AmountChangeRefunded, Currency: p.Currency, Quantity: p.Quantity,
		Lines: p.Lines, RewardLanguage: p.RewardLanguage, VatIncluded: p.VatIncluded, VatPercentage: p.VatPercentage, ReceiptNumber: p.ReceiptNumber, PaidAt: p.PaidAt, PaymentMethod: p.PaymentMethod,
		FundingRule: api.FundingRule(view.FundingRule), Campaign: p.Campaign}}, nil
}
