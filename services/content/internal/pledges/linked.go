package pledges

import (
	"context"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/receiptlinks"
)

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
		Status: api.LinkedPledgeStatus(p.Status), Amount: p.Amount, AmountRefunded: p.AmountRefunded, Currency: p.Currency, Quantity: p.Quantity,
		Lines: p.Lines, VatIncluded: p.VatIncluded, VatPercentage: p.VatPercentage, ReceiptNumber: p.ReceiptNumber, PaidAt: p.PaidAt, PaymentMethod: p.PaymentMethod,
		FundingRule: api.FundingRule(view.FundingRule), Campaign: p.Campaign}}, nil
}
