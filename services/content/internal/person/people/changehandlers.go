package people

import (
	"context"

	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/request"
	"talkoot.fi/content/internal/writing/changes"
)

// PersonRules limit by person how often they change themselves and others: each change is kept in the audit log.
func PersonRules(limit ratelimit.Limit) ratelimit.Rules {
	rules := ratelimit.Rules{}
	for _, call := range []string{"PATCH /users/me/profile", "PATCH /users/me/profile/image_collection",
		"POST /users/me/links", "POST /users/me/skills", "POST /users/me/tags", "PATCH /users/me/settings",
		"PATCH /users/:user_id/admin"} {
		rules[call] = []ratelimit.Rule{{Name: "edit", Limit: limit}}
	}
	return rules
}

// ChangeProfile changes the reader's names, introduction and phone number. Errors: NotAuthenticated; those of
// changeProfile.
func (h *Handlers) ChangeProfile(ctx context.Context, r api.ChangeProfileRequestObject) (
	api.ChangeProfileResponseObject, error) {
	e, err := h.ofOneself(ctx, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	wanted := ProfileChange{FirstName: r.Body.FirstName, LastName: r.Body.LastName, ShortDescription: r.Body.ShortDescription}
	if r.Body.Meta != nil {
		wanted.Phone = r.Body.Meta.Phone
	}
	changed, err := changeProfile(ctx, h.db, e, wanted)
	if err != nil {
		return nil, err
	}
	body, tag, err := h.ownAnswer(ctx, changed, r.Params.Language)
	return api.ChangeProfile200JSONResponse{Headers: api.ChangeProfile200ResponseHeaders{ETag: tag}, Body: body}, err
}

// ChangeProfileImage changes the reader's picture. Errors: NotAuthenticated; those of refuseUnknownPicture and
// changeImage.
func (h *Handlers) ChangeProfileImage(ctx context.Context, r api.ChangeProfileImageRequestObject) (
	api.ChangeProfileImageResponseObject, error) {
	e, err := h.ofOneself(ctx, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	name := r.Body.ImageCollection.Profile.Filename
	if err := h.refuseUnknownPicture(ctx, name); err != nil {
		return nil, err
	}
	changed, err := changeImage(ctx, h.db, e, name)
	if err != nil {
		return nil, err
	}
	body, tag, err := h.ownAnswer(ctx, changed, r.Params.Language)
	return api.ChangeProfileImage200JSONResponse{Headers: api.ChangeProfileImage200ResponseHeaders{ETag: tag}, Body: body}, err
}

// SetProfileLinks sets the reader's links. Errors: NotAuthenticated; those of setLinks.
func (h *Handlers) SetProfileLinks(ctx context.Context, r api.SetProfileLinksRequestObject) (
	api.SetProfileLinksResponseObject, error) {
	e, err := h.ofOneself(ctx, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	rows := make([]profiles.Link, len(r.Body.Links))
	for i, row := range r.Body.Links {
		rows[i] = profiles.Link{URL: request.Value(row.URL), Title: request.Value(row.Title)}
	}
	changed, err := setLinks(ctx, h.db, e, rows)
	if err != nil {
		return nil, err
	}
	body, tag, err := h.ownAnswer(ctx, changed, r.Params.Language)
	return api.SetProfileLinks200JSONResponse{Headers: api.SetProfileLinks200ResponseHeaders{ETag: tag}, Body: body}, err
}

// SetProfileSkills sets the reader's skills. Errors: NotAuthenticated; those of setSkills.
func (h *Handlers) SetProfileSkills(ctx context.Context, r api.SetProfileSkillsRequestObject) (
	api.SetProfileSkillsResponseObject, error) {
	e, err := h.ofOneself(ctx, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	changed, err := setSkills(ctx, h.db, e, r.Body.Skills)
	if err != nil {
		return nil, err
	}
	body, tag, err := h.ownAnswer(ctx, changed, r.Params.Language)
	return api.SetProfileSkills200JSONResponse{Headers: api.SetProfileSkills200ResponseHeaders{ETag: tag}, Body: body}, err
}

// SetProfileTags sets the reader's tags. Errors: NotAuthenticated; those of setTags.
func (h *Handlers) SetProfileTags(ctx context.Context, r api.SetProfileTagsRequestObject) (
	api.SetProfileTagsResponseObject, error) {
	e, err := h.ofOneself(ctx, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	changed, err := setTags(ctx, h.db, e, r.Body.Tags)
	if err != nil {
		return nil, err
	}
	body, tag, err := h.ownAnswer(ctx, changed, r.Params.Language)
	return api.SetProfileTags200JSONResponse{Headers: api.SetProfileTags200ResponseHeaders{ETag: tag}, Body: body}, err
}

// ChangeSettings changes the reader's settings. Errors: NotAuthenticated; those of changeSettings.
func (h *Handlers) ChangeSettings(ctx context.Context, r api.ChangeSettingsRequestObject) (
	api.ChangeSettingsResponseObject, error) {
	e, err := h.ofOneself(ctx, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	wanted := SettingsChange{Language: mapped(r.Body.Language, languages.Of), ShowsBacked: r.Body.ShowBacked}
	if r.Body.Mail != nil {
		wanted.WantsLetters = r.Body.Mail.Letters
	}
	changed, err := changeSettings(ctx, h.db, e, wanted)
	if err != nil {
		return nil, err
	}
	body, tag, err := h.ownAnswer(ctx, changed, r.Params.Language)
	return api.ChangeSettings200JSONResponse{Headers: api.ChangeSettings200ResponseHeaders{ETag: tag}, Body: body}, err
}

// ofOneself is a change that the reader makes of themself. Error: NotAuthenticated.
func (h *Handlers) ofOneself(ctx context.Context, ifMatch *string) (Edit, error) {
	who, err := session.Require(ctx)
	return Edit{UserID: who.UserID, Known: changes.Known(ifMatch), By: changes.User(who.UserID), Now: h.now()}, err
}

// ownAnswer is the answer to the calls about oneself, and its ETag.
func (h *Handlers) ownAnswer(ctx context.Context, r record, language *string) (api.ProfileAnswer, *string, error) {
	profile, err := own(ctx, h.db, r, languages.OfQuery(ctx, language))
	return api.ProfileAnswer{Profile: profile}, changes.ETag(r.Version), err
}
