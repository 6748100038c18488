package campaigns

import (
	"context"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/request"
	"talkoot.fi/content/internal/writing/changes"
)

// ChangeCampaignLanguage changes a campaign's texts by language. Errors: those of RequireEdit and ChangeTexts.
func (h *Handlers) ChangeCampaignLanguage(ctx context.Context, r api.ChangeCampaignLanguageRequestObject) (
	api.ChangeCampaignLanguageResponseObject, error) {
	edit, err := h.edit(ctx, r.CampaignID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	wanted := map[string]TextsChange{}
	for language, texts := range map[string]*api.CampaignTextsChange{"fi": r.Body.Fi, "en": r.Body.En, "sv": r.Body.Sv} {
		if texts == nil {
			continue
		}
		change := TextsChange{Title: texts.Title, Tagline: texts.Tagline, ShortDescription: texts.ShortDescription,
			AboutCreator: texts.AboutCreator, PictureAlt: texts.ProjectPicAlt}
		if texts.JSONDescription != nil {
			change.Story = *texts.JSONDescription
		}
		wanted[language] = change
	}
	changed, texts, err := ChangeTexts(ctx, h.db, edit, wanted)
	if err != nil {
		return nil, err
	}
	body := api.CampaignLanguageAnswer{Slug: changed.Slug, Version: changed.Version}
	for language, field := range map[string]**api.CampaignTexts{"fi": &body.Language.Fi, "en": &body.Language.En,
		"sv": &body.Language.Sv} {
		if t, named := texts[language]; named {
			*field = t.answer()
		}
	}
	return api.ChangeCampaignLanguage200JSONResponse{
		Headers: api.ChangeCampaignLanguage200ResponseHeaders{ETag: changes.ETag(changed.Version)}, Body: body}, nil
}

func (t Texts) answer() *api.CampaignTexts {
	return &api.CampaignTexts{Title: t.Title, Tagline: t.Tagline, ShortDescription: t.ShortDescription,
		AboutCreator: t.AboutCreator, ProjectPicAlt: t.PictureAlt, JSONDescription: t.Story, UpdatedAt: t.UpdatedAt.UTC()}
}

// ChangeCampaignCustomLanguage changes a campaign's own texts of a language. Errors: those of RequireEdit and
// ChangeCustomTexts.
func (h *Handlers) ChangeCampaignCustomLanguage(ctx context.Context, r api.ChangeCampaignCustomLanguageRequestObject) (
	api.ChangeCampaignCustomLanguageResponseObject, error) {
	edit, err := h.edit(ctx, r.CampaignID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	wanted := map[string]CustomText{}
	for key, text := range *r.Body {
		wanted[key] = CustomText{Value: text.Value}
		if text.Format != nil {
			wanted[key] = CustomText{Value: text.Value, Format: string(*text.Format)}
		}
	}
	changed, all, err := ChangeCustomTexts(ctx, h.db, edit, languages.Of(r.Language), wanted)
	if err != nil {
		return nil, err
	}
	body := api.CustomLanguageAnswer{CustomLanguage: api.CustomTexts{}, Version: changed.Version}
	for key, t := range all {
		body.CustomLanguage[key] = api.CustomText{Value: t.Value, Format: api.CustomTextFormat(t.Format), HTML: t.HTML}
	}
	return api.ChangeCampaignCustomLanguage200JSONResponse{
		Headers: api.ChangeCampaignCustomLanguage200ResponseHeaders{ETag: changes.ETag(changed.Version)}, Body: body}, nil
}

// SetCampaignCategories sets a campaign's categories. Errors: those of RequireEdit and SetCategories.
func (h *Handlers) SetCampaignCategories(ctx context.Context, r api.SetCampaignCategoriesRequestObject) (
	api.SetCampaignCategoriesResponseObject, error) {
	edit, err := h.edit(ctx, r.CampaignID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	changed, ids, err := SetCategories(ctx, h.db, edit, r.Body.Categories)
	if err != nil {
		return nil, err
	}
	return api.SetCampaignCategories200JSONResponse{
		Headers: api.SetCampaignCategories200ResponseHeaders{ETag: changes.ETag(changed.Version)},
		Body:    api.CampaignCategoriesAnswer{Categories: ids, Version: changed.Version}}, nil
}

// SetCampaignTags sets a campaign's tags. Errors: those of RequireEdit and SetTags.
func (h *Handlers) SetCampaignTags(ctx context.Context, r api.SetCampaignTagsRequestObject) (
	api.SetCampaignTagsResponseObject, error) {
	edit, err := h.edit(ctx, r.CampaignID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	changed, err := SetTags(ctx, h.db, edit, r.Body.Tags)
	if err != nil {
		return nil, err
	}
	tags, err := taxonomy.TagsOf(ctx, h.db, r.CampaignID, languages.OfQuery(ctx, nil))
	if err != nil {
		return nil, err
	}
	body := api.CampaignTagsAnswer{Tags: make([]api.Tag, len(tags)), Version: changed.Version}
	for i, t := range tags {
		body.Tags[i] = api.Tag(t)
	}
	return api.SetCampaignTags200JSONResponse{
		Headers: api.SetCampaignTags200ResponseHeaders{ETag: changes.ETag(changed.Version)}, Body: body}, nil
}

// CampaignHistory is who changed what of a campaign, its rewards and its posts. Errors: those of RequireEdit.
func (h *Handlers) CampaignHistory(ctx context.Context, r api.CampaignHistoryRequestObject) (
	api.CampaignHistoryResponseObject, error) {
	if _, err := RequireEdit(ctx, h.db, r.CampaignID); err != nil {
		return nil, err
	}
	limit, offset := request.Page(r.Params.Limit, r.Params.Offset)
	list, total, err := changes.History(ctx, h.db, changes.OfCampaign(r.CampaignID), limit, offset)
	if err != nil {
		return nil, err
	}
	return api.CampaignHistory200JSONResponse(changes.Answer(list, total)), nil
}

// CampaignHistoryValue answers the whole values that a field had before one change and after it, however long; the history leaves
// long ones out. Errors: those of RequireEdit and changes.Values.
func (h *Handlers) CampaignHistoryValue(ctx context.Context, r api.CampaignHistoryValueRequestObject) (
	api.CampaignHistoryValueResponseObject, error) {
	if _, err := RequireEdit(ctx, h.db, r.CampaignID); err != nil {
		return nil, err
	}
	before, after, err := changes.Values(ctx, h.db, changes.OfCampaign(r.CampaignID), r.ChangeID, r.Path)
	if err != nil {
		return nil, err
	}
	return api.CampaignHistoryValue200JSONResponse{Before: before, After: changes.OrAbsent(after)}, nil
}

// refuseUnknownPictures refuses names of pictures that are not stored. Errors: InvalidFields; Unavailable when the
// store does not answer.
func (h *Handlers) refuseUnknownPictures(ctx context.Context, wanted SettingsChange) error {
	faults := apperr.New(apperr.InvalidFields)
	for _, f := range []struct {
		path string
		name *string
	}{{"project_pic", wanted.Picture}, {"creator_pic", wanted.CreatorPic}} {
		if f.name == nil || *f.name == "" {
			continue
		}
		stored, err := h.isStored(ctx, *f.name)
		if err != nil {
			return err
		}
		if !stored {
			faults = faults.WithField(f.path, apperr.RuleUnknownPicture)
		}
	}
	return faults.OrNil()
}
