package rewards

import (
	"context"
	"fmt"
	"strconv"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/pledging/withdrawal"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// CreateReward begins a reward, hidden and empty. Errors: those of campaigns.RequireEdit and Begin.
func (h *Handlers) CreateReward(ctx context.Context, r api.CreateRewardRequestObject) (
	api.CreateRewardResponseObject, error) {
	who, err := campaigns.RequireEdit(ctx, h.db, r.CampaignID)
	if err != nil {
		return nil, err
	}
	var key idem.Key
	if r.Params.IdempotencyKey != nil {
		key = idem.Key{Scope: idem.Scope("rewards", strconv.FormatInt(who.UserID, 10)), Key: *r.Params.IdempotencyKey,
			Hash: idem.Hash(strconv.AppendInt(nil, r.CampaignID, 10))}
	}
	var answer api.CreateReward201JSONResponse
	answer.Reward.RewardID, answer.Reward.Version, err = Begin(ctx, h.db, r.CampaignID, key, changes.User(who.UserID), h.now())
	return answer, err
}

// CopyReward begins a hidden reward that says and costs what another one does. Errors: those of edit and CopyOne.
func (h *Handlers) CopyReward(ctx context.Context, r api.CopyRewardRequestObject) (api.CopyRewardResponseObject, error) {
	edit, err := h.edit(ctx, r.RewardID, nil)
	if err != nil {
		return nil, err
	}
	var key idem.Key
	if r.Params.IdempotencyKey != nil {
		key = idem.Key{Scope: idem.Scope("rewards", strconv.FormatInt(*edit.By.UserID, 10)), Key: *r.Params.IdempotencyKey,
			Hash: idem.Hash([]byte("copy"), strconv.AppendInt(nil, r.RewardID, 10))}
	}
	var answer api.CopyReward201JSONResponse
	answer.Reward.RewardID, answer.Reward.Version, err = CopyOne(ctx, h.db, edit, key)
	return answer, err
}

// RewardAdmin is all that editing a reward needs. Errors: those of edit.
func (h *Handlers) RewardAdmin(ctx context.Context, r api.RewardAdminRequestObject) (
	api.RewardAdminResponseObject, error) {
	if _, err := h.edit(ctx, r.RewardID, nil); err != nil {
		return nil, err
	}
	reward, err := Read(ctx, h.db, r.RewardID)
	if err != nil {
		return nil, err
	}
	return api.RewardAdmin200JSONResponse{Headers: api.RewardAdmin200ResponseHeaders{ETag: changes.ETag(reward.Version)},
		Body: reward.answer()}, nil
}

// ChangeReward changes a reward. Errors: those of edit and Apply.
func (h *Handlers) ChangeReward(ctx context.Context, r api.ChangeRewardRequestObject) (
	api.ChangeRewardResponseObject, error) {
	edit, err := h.edit(ctx, r.RewardID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	wanted, err := h.changeOf(ctx, *r.Body)
	if err != nil {
		return nil, err
	}
	reward, err := Apply(ctx, h.db, edit, wanted)
	if err != nil {
		return nil, err
	}
	return api.ChangeReward200JSONResponse{Headers: api.ChangeReward200ResponseHeaders{ETag: changes.ETag(reward.Version)},
		Body: reward.answer()}, nil
}

// ChangeRewardLanguage changes a reward's texts. Errors: those of edit and ApplyTexts.
func (h *Handlers) ChangeRewardLanguage(ctx context.Context, r api.ChangeRewardLanguageRequestObject) (
	api.ChangeRewardLanguageResponseObject, error) {
	edit, err := h.edit(ctx, r.RewardID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	wanted := map[string]TextChange{}
	for language, texts := range map[string]*api.RewardTextsChange{"fi": r.Body.Fi, "en": r.Body.En, "sv": r.Body.Sv} {
		if texts == nil {
			continue
		}
		change := TextChange{Title: texts.Title, Description: texts.Description, ImageAlt: texts.ImageAlt}
		if texts.CustomQuestions != nil {
			change.Questions = &QuestionTexts{}
			for _, question := range *texts.CustomQuestions {
				*change.Questions = append(*change.Questions, question.Text)
			}
		}
		wanted[language] = change
	}
	reward, err := ApplyTexts(ctx, h.db, edit, wanted)
	if err != nil {
		return nil, err
	}
	return api.ChangeRewardLanguage200JSONResponse{
		Headers: api.ChangeRewardLanguage200ResponseHeaders{ETag: changes.ETag(reward.Version)}, Body: reward.answer()}, nil
}

// DeleteReward deletes a reward. Errors: those of edit and Delete.
func (h *Handlers) DeleteReward(ctx context.Context, r api.DeleteRewardRequestObject) (
	api.DeleteRewardResponseObject, error) {
	edit, err := h.edit(ctx, r.RewardID, nil)
	if err != nil {
		return nil, err
	}
	if err := Delete(ctx, h.db, edit); err != nil {
		return nil, err
	}
	return api.DeleteReward204Response{}, nil
}

// edit checks that the reader may change the reward. Errors: NotAuthenticated, ErrUnknown, those of RequireEdit.
func (h *Handlers) edit(ctx context.Context, rewardID int64, ifMatch *string) (Edit, error) {
	if _, err := session.Require(ctx); err != nil {
		return Edit{}, err
	}
	campaignID, err := CampaignOf(ctx, h.db, rewardID)
	if err != nil {
		return Edit{}, err
	}
	who, err := campaigns.RequireEdit(ctx, h.db, campaignID)
	return Edit{RewardID: rewardID, Known: changes.Known(ifMatch), By: changes.User(who.UserID), Now: h.now()}, err
}

// changeOf reads a change from its body. Errors: InvalidFields; that of the store of pictures.
func (h *Handlers) changeOf(ctx context.Context, b api.RewardChange) (c Change, err error) {
	faults := apperr.New(apperr.InvalidFields)
	c = Change{Stock: b.Stock, Active: (*int)(b.Active), Image: b.Image, Delivery: b.Delivery, Kind: (*withdrawal.Kind)(b.Kind)}
	if b.Amount != nil {
		minor := money.Decimal(*b.Amount * 100)
		c.AmountMinor = &minor
	}
	if len(b.VatPercentage) > 0 {
		vat, ok := ParseVAT(string(b.VatPercentage))
		if c.VAT = &vat; !ok {
			faults = faults.WithField("vat_percentage", apperr.RuleOneDecimal)
		}
	}
	if b.AddedCosts != nil {
		c.AddedCosts = &AddedCosts{}
		for i, cost := range *b.AddedCosts {
			amount, bad := money.FromInput(fmt.Sprintf("added_costs[%d].amount", i), cost.Amount, "")
			faults = faults.WithFields(bad)
			added := AddedCost{AmountMinor: amount.Minor, Description: map[string]string{}}
			for language, text := range map[string]*string{"FI": cost.Description.Fi, "EN": cost.Description.En,
				"SV": cost.Description.Sv} {
				if text != nil && richtext.Line(*text) != "" {
					added.Description[language] = richtext.Line(*text)
				}
			}
			added.WithoutAddress = cost.WithoutAddress != nil && *cost.WithoutAddress
			*c.AddedCosts = append(*c.AddedCosts, added)
		}
	}
	if b.Image != nil && *b.Image != "" {
		if c.ImageExists, err = h.hasPicture(ctx, *b.Image); err != nil {
			return c, err
		}
	}
	return c, faults.OrNil()
}

// answer is the reward under the contract's names.
func (a Admin) answer() (answer api.RewardAdminAnswer) {
	r := &answer.Reward
	*r = api.RewardAdmin{RewardID: a.ID, CampaignID: a.CampaignID, Version: a.Version, Amount: int(a.AmountMinor / 100),
		Kind:          api.RewardKind(a.Kind),
		Stock:         a.Stock,
		StockReserved: a.StockReserved, Active: api.RewardAdminActive(a.Active), VatPercentage: a.VATTenths.Percent(),
		Delivery: a.Delivery, Image: a.Image, Backers: a.Backers, Texts: a.Texts.answer()}
	if r.IsMonthly = a.IsMonthly; a.IsMonthly {
		r.Stock, r.StockReserved = 0, 0
	}
	r.AddedCosts, r.Bought = a.addedCosts(), []api.BoughtReward{}
	for _, s := range a.Sold {
		r.Bought = append(r.Bought, api.BoughtReward{Amount: int(s.AmountMinor / 100),
			VatPercentage: VAT{s.VATTenths, s.VATTenths > 0}.Percent(),
			Language:      s.Language, Title: s.Title, Description: s.Description, Delivery: s.Delivery, Backers: s.Backers,
			FirstAt: s.FirstAt, LastAt: s.LastAt})
	}
	return answer
}

func (a Admin) addedCosts() []api.AddedCostTexts {
	list := []api.AddedCostTexts{}
	for _, cost := range a.AddedCosts {
		texts := api.AddedCostTexts{Amount: money.Decimal(cost.AmountMinor)}
		for language, into := range map[string]**string{"FI": &texts.Description.Fi, "EN": &texts.Description.En,
			"SV": &texts.Description.Sv} {
			if text, ok := cost.Description[language]; ok {
				*into = &text
			}
		}
		if cost.WithoutAddress {
			texts.WithoutAddress = &cost.WithoutAddress
		}
		list = append(list, texts)
	}
	return list
}

func (t Texts) answer() (answer api.RewardTextsByLanguage) {
	for language, into := range map[string]**api.RewardTexts{"fi": &answer.Fi, "en": &answer.En, "sv": &answer.Sv} {
		text, ok := t[language]
		if !ok {
			continue
		}
		texts := api.RewardTexts{Title: text.Title, Description: text.Description, ImageAlt: text.ImageAlt,
			CustomQuestions: []api.CustomQuestion{}}
		for _, q := range text.Questions.Keyed() {
			texts.CustomQuestions = append(texts.CustomQuestions, api.CustomQuestion{Key: q.Key, Text: q.Text})
		}
		*into = &texts
	}
	return answer
}
