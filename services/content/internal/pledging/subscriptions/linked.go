package subscriptions

import (
	"context"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/pledging/supportlinks"
)

// LinkedReceipt is the receipt that a mailed link shows, with the subscription that it is of, for readers of a language. Error:
// supportlinks.ErrLink, also for a link to something else.
func (s *Service) LinkedReceipt(ctx context.Context, token, language string) (View, Charge, error) {
	link, err := supportlinks.Read(ctx, s.db, token, s.now())
	if err != nil {
		return View{}, Charge{}, err
	}
	if link.Act != supportlinks.Receipt {
		return View{}, Charge{}, supportlinks.ErrLink
	}
	view, err := s.View(ctx, link.SubscriptionID, language)
	if err != nil {
		return View{}, Charge{}, err
	}
	for _, c := range view.Charges {
		if c.Period == link.Period {
			return view, c, nil
		}
	}
	return View{}, Charge{}, supportlinks.ErrLink
}

// LinkedReceipt shows one receipt to whoever has its link, and nothing of who supports.
func (h *Handlers) LinkedReceipt(ctx context.Context, r api.LinkedReceiptRequestObject) (api.LinkedReceiptResponseObject, error) {
	view, charge, err := h.subscriptions.LinkedReceipt(ctx, r.Body.Token, languages.OfQuery(ctx, r.Params.Language))
	if err != nil {
		return nil, err
	}
	return api.LinkedReceipt200JSONResponse{Receipt: charge.answer(), Currency: string(view.Currency), RewardTitle: some(charge.Title),
		RewardLanguage: some(charge.TitleLanguage), Campaign: view.Preview}, nil
}

// SubscriptionLink says what the link of a mail allows.
func (h *InternalHandlers) SubscriptionLink(ctx context.Context, r internalapi.SubscriptionLinkRequestObject) (
	internalapi.SubscriptionLinkResponseObject, error) {
	s := h.subscriptions
	link, err := supportlinks.Read(ctx, s.db, r.Body.Token, s.now())
	if err != nil {
		return nil, err
	}
	return internalapi.SubscriptionLink200JSONResponse{SubscriptionID: link.SubscriptionID,
		Act: internalapi.SubscriptionLinkAct(link.Act), Period: link.Period, Sequence: link.Sequence}, nil
}
