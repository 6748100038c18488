package experiments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/request"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/customtexts"
	"talkoot.fi/content/internal/writing/presence"
)

// CreateExperiment begins an experiment of the signed-in person. Errors: NotAuthenticated; those of Begin.
func (h *Handlers) CreateExperiment(ctx context.Context, r api.CreateExperimentRequestObject) (
	api.CreateExperimentResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	d := Draft{UserID: who.UserID, Language: languages.OfQuery(ctx, nil)}
	if b := r.Body; b != nil {
		d.Language = languages.OfQuery(ctx, (*string)(b.Language))
		d.Title, d.ShortDescription = request.Value(b.Title), request.Value(b.ShortDescription)
		d.Location = locationOf(request.Value(b.GeographicLocation))
	}
	if r.Params.IdempotencyKey != nil {
		encoded, err := json.Marshal(r.Body)
		if err != nil {
			return nil, fmt.Errorf("hash request: %w", err)
		}
		d.Key, d.Hash = *r.Params.IdempotencyKey, idem.Hash(encoded)
	}
	begun, err := Begin(ctx, h.db, d, h.now())
	if err != nil {
		return nil, err
	}
	var answer api.CreateExperiment201JSONResponse
	answer.Experiment.ExperimentID, answer.Experiment.Slug, answer.Experiment.Version = begun.ID, begun.Slug, begun.Version
	return answer, nil
}

// ExperimentAdmin is all that editing needs. Errors: those of RequireEdit.
func (h *Handlers) ExperimentAdmin(ctx context.Context, r api.ExperimentAdminRequestObject) (
	api.ExperimentAdminResponseObject, error) {
	who, err := RequireEdit(ctx, h.db, r.ExperimentID)
	if err != nil {
		return nil, err
	}
	answer, err := h.answer(ctx, r.ExperimentID, languages.Of(r.Language))
	if err != nil {
		return nil, err
	}
	editor := presence.Editor{Entity: presence.Experiment, EntityID: r.ExperimentID, UserID: who.UserID}
	answer.Body.Writers, err = presence.Note(ctx, h.db, editor, r.Params.Here, h.now())
	return answer, err
}

// ExperimentHistory is who changed what of an experiment. Errors: those of RequireEdit.
func (h *Handlers) ExperimentHistory(ctx context.Context, r api.ExperimentHistoryRequestObject) (
	api.ExperimentHistoryResponseObject, error) {
	if _, err := RequireEdit(ctx, h.db, r.ExperimentID); err != nil {
		return nil, err
	}
	limit, offset := request.Page(r.Params.Limit, r.Params.Offset)
	list, total, err := changes.History(ctx, h.db, changes.OfEntity(entity, r.ExperimentID), limit, offset)
	if err != nil {
		return nil, err
	}
	return api.ExperimentHistory200JSONResponse(changes.Answer(list, total)), nil
}

// ExperimentHistoryValue answers the whole values that a field had before one change and after it, however long; the history leaves
// long ones out. Errors: those of RequireEdit and changes.Values.
func (h *Handlers) ExperimentHistoryValue(ctx context.Context, r api.ExperimentHistoryValueRequestObject) (
	api.ExperimentHistoryValueResponseObject, error) {
	if _, err := RequireEdit(ctx, h.db, r.ExperimentID); err != nil {
		return nil, err
	}
	before, after, err := changes.Values(ctx, h.db, changes.OfEntity(entity, r.ExperimentID), r.ChangeID, r.Path)
	if err != nil {
		return nil, err
	}
	return api.ExperimentHistoryValue200JSONResponse{Before: before, After: changes.OrAbsent(after)}, nil
}

// ChangeExperimentSettings changes stage, flags, place, language and team. Errors: those of RequireEdit and
// ChangeSettings.
func (h *Handlers) ChangeExperimentSettings(ctx context.Context, r api.ChangeExperimentSettingsRequestObject) (
	api.ChangeExperimentSettingsResponseObject, error) {
	b := r.Body
	wanted := SettingsChange{Stage: b.Stage, Disabled: b.Disabled, Agree: request.Value(b.Agree),
		Language: (*string)(b.Language), Team: b.Team, Invited: b.Invitations}
	if b.ShowIn != nil {
		wanted.FrontPage, wanted.Index = b.ShowIn.FrontPage, b.ShowIn.Index
	}
	if b.GeographicLocation != nil {
		location := locationOf(*b.GeographicLocation)
		wanted.Location = &location
	}
	answer, err := h.change(ctx, r.ExperimentID, r.Params.IfMatch, func(e Edit) error {
		return ChangeSettings(ctx, h.db, e, wanted)
	})
	return answer, err
}

// ChangeExperimentLanguage changes the texts of a language. Errors: those of RequireEdit and ChangeTexts.
func (h *Handlers) ChangeExperimentLanguage(ctx context.Context, r api.ChangeExperimentLanguageRequestObject) (
	api.ChangeExperimentLanguageResponseObject, error) {
	wanted := TextsChange{Title: r.Body.Title, ShortDescription: r.Body.ShortDescription, ImageAlt: r.Body.ImageAlt}
	if r.Body.JSONDescription != nil {
		wanted.Story = *r.Body.JSONDescription
	}
	answer, err := h.change(ctx, r.ExperimentID, r.Params.IfMatch, func(e Edit) error {
		return ChangeTexts(ctx, h.db, e, languages.Of(r.Language), wanted)
	})
	return answer, err
}

// ChangeExperimentCustomLanguage changes the experiment's own texts of a language. Errors: those of RequireEdit and
// ChangeCustomTexts.
func (h *Handlers) ChangeExperimentCustomLanguage(ctx context.Context,
	r api.ChangeExperimentCustomLanguageRequestObject) (api.ChangeExperimentCustomLanguageResponseObject, error) {
	wanted := map[string]customtexts.Text{}
	for key, text := range *r.Body {
		wanted[key] = customtexts.Text{Value: text.Value, Format: string(request.Value(text.Format))}
	}
	answer, err := h.change(ctx, r.ExperimentID, r.Params.IfMatch, func(e Edit) error {
		return ChangeCustomTexts(ctx, h.db, e, languages.Of(r.Language), wanted)
	})
	return answer, err
}

// ChangeExperimentImage changes the picture. Errors: those of RequireEdit and SetImage; InvalidFields for a picture
// that is not stored.
func (h *Handlers) ChangeExperimentImage(ctx context.Context, r api.ChangeExperimentImageRequestObject) (
	api.ChangeExperimentImageResponseObject, error) {
	name := r.Body.ImageCollection.Cover.Filename
	answer, err := h.change(ctx, r.ExperimentID, r.Params.IfMatch, func(e Edit) error {
		if name != "" {
			stored, err := h.isStored(ctx, name)
			if err != nil {
				return err
			}
			if !stored {
				return apperr.New(apperr.InvalidFields).WithField("image_collection.cover.filename", apperr.RuleUnknownPicture)
			}
		}
		return SetImage(ctx, h.db, e, name)
	})
	return answer, err
}

// ChangeExperimentFunding changes the goal and where the money comes from. Errors: those of RequireEdit, mayLink and
// ChangeFunding.
func (h *Handlers) ChangeExperimentFunding(ctx context.Context, r api.ChangeExperimentFundingRequestObject) (
	api.ChangeExperimentFundingResponseObject, error) {
	wanted := fundingOf(*r.Body)
	answer, err := h.change(ctx, r.ExperimentID, r.Params.IfMatch, func(e Edit) error {
		if wanted.Campaign != nil && *wanted.Campaign != 0 {
			if err := h.mayLink(ctx, *wanted.Campaign); err != nil {
				return err
			}
		}
		return ChangeFunding(ctx, h.db, e, wanted)
	})
	return answer, err
}

// mayLink checks that whoever shows a campaign's money as an experiment's may edit the campaign. Error: InvalidFields.
func (h *Handlers) mayLink(ctx context.Context, campaignID int64) error {
	rights, err := campaigns.Access(ctx, h.db, campaignID)
	rule := apperr.RuleUnknownCampaign
	switch {
	case err == nil && rights.CanEdit():
		return nil
	case err == nil:
		rule = apperr.RuleOthersCampaign
	case !errors.Is(err, campaigns.ErrUnknown):
		return err
	}
	return apperr.New(apperr.InvalidFields).WithField("sources.crowd.campaign_id", rule)
}

func fundingOf(b api.ExperimentFundingChange) FundingChange {
	wanted := FundingChange{Goal: b.Goal, Currency: (*string)(b.Currency)}
	if b.Sources == nil {
		return wanted
	}
	if crowd := b.Sources.Crowd; crowd != nil {
		wanted.Campaign = &crowd.CampaignID
	}
	if state := b.Sources.State; state != nil {
		wanted.State = &state.Raised
	}
	if parts := b.Sources.Organizations; parts != nil {
		wanted.OrganizationsRaised = parts.Raised
		if parts.List != nil {
			list := make([]WantedOrganization, len(*parts.List))
			for i, o := range *parts.List {
				list[i] = WantedOrganization(o)
			}
			wanted.Organizations = &list
		}
	}
	return wanted
}

// SetExperimentTags sets the tags. Errors: those of RequireEdit and SetTags.
func (h *Handlers) SetExperimentTags(ctx context.Context, r api.SetExperimentTagsRequestObject) (
	api.SetExperimentTagsResponseObject, error) {
	answer, err := h.change(ctx, r.ExperimentID, r.Params.IfMatch, func(e Edit) error {
		return SetTags(ctx, h.db, e, r.Body.Tags)
	})
	return answer, err
}

// SetExperimentLinks sets the links. Errors: those of RequireEdit and SetLinks.
func (h *Handlers) SetExperimentLinks(ctx context.Context, r api.SetExperimentLinksRequestObject) (
	api.SetExperimentLinksResponseObject, error) {
	list := make([]Link, len(r.Body.Links))
	for i, l := range r.Body.Links {
		list[i] = Link{URL: l.URL, Title: l.Title}
	}
	answer, err := h.change(ctx, r.ExperimentID, r.Params.IfMatch, func(e Edit) error {
		return SetLinks(ctx, h.db, e, list)
	})
	return answer, err
}

// MoveExperiment moves the experiment to its next stage. Errors: those of RequireEdit and Move.
func (h *Handlers) MoveExperiment(ctx context.Context, r api.MoveExperimentRequestObject) (
	api.MoveExperimentResponseObject, error) {
	answer, err := h.change(ctx, r.ExperimentID, r.Params.IfMatch, func(e Edit) error { return Move(ctx, h.db, e) })
	return answer, err
}

// change makes a change by the signed-in person and answers how the experiment is then, in the reader's language.
// Errors: those of RequireEdit and of the change.
func (h *Handlers) change(ctx context.Context, id int64, ifMatch *string, do func(Edit) error) (a adminAnswer, err error) {
	who, err := RequireEdit(ctx, h.db, id)
	if err != nil {
		return a, err
	}
	if err := do(Edit{ExperimentID: id, Known: changes.Known(ifMatch), By: who, Now: h.now()}); err != nil {
		return a, err
	}
	return h.answer(ctx, id, languages.OfQuery(ctx, nil))
}

func (h *Handlers) answer(ctx context.Context, id int64, language string) (a adminAnswer, err error) {
	who, _ := session.From(ctx)
	found, _, err := read(ctx, h.db, who, id, language)
	if err != nil {
		return a, err
	}
	texts, err := readWritten(ctx, h.db, found, h.now())
	if err != nil {
		return a, err
	}
	a.Headers.ETag = changes.ETag(found.Version)
	a.Body, err = found.admin(texts)
	return a, err
}

func locationOf(l api.GeographicLocation) Location {
	return Location{Place: l.Place, Latitude: l.Latitude, Longitude: l.Longitude}
}
