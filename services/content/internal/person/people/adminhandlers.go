package people

import (
	"context"
	"encoding/json"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/request"
	"talkoot.fi/content/internal/writing/changes"
)

// PeopleAdmin is all accounts, the newest first. Errors: those of requireAdmin.
func (h *Handlers) PeopleAdmin(ctx context.Context, r api.PeopleAdminRequestObject) (
	api.PeopleAdminResponseObject, error) {
	if _, err := requireAdmin(ctx); err != nil {
		return nil, err
	}
	f := accountsFilter{keyword: request.Value(r.Params.Keyword), state: string(request.Value(r.Params.State))}
	f.limit, f.offset = request.Page(r.Params.Limit, r.Params.Offset)
	rows, total, err := accounts(ctx, h.db, f, languages.OfQuery(ctx, nil))
	if err != nil {
		return nil, err
	}
	answer := api.PeopleAdmin200JSONResponse{People: make([]api.PersonAdmin, len(rows))}
	answer.Total, answer.TotalIsMore = told(total, f.limit, f.offset)
	for i, row := range rows {
		answer.People[i] = row.answer()
	}
	return answer, nil
}

// PersonAdmin is one account. Errors: those of requireAdmin; ErrUnknown.
func (h *Handlers) PersonAdmin(ctx context.Context, r api.PersonAdminRequestObject) (
	api.PersonAdminResponseObject, error) {
	if _, err := requireAdmin(ctx); err != nil {
		return nil, err
	}
	found, err := readAccount(ctx, h.db, r.UserID, languages.OfQuery(ctx, nil))
	return api.PersonAdmin200JSONResponse{Headers: api.PersonAdmin200ResponseHeaders{ETag: changes.ETag(found.Version)},
		Body: api.PersonAdminAnswer{Person: found.answer()}}, err
}

// ChangePersonAdmin changes somebody's account. Rights and blocks take an admin who has just shown that it is them: a session that
// somebody has taken over makes no other admins. Errors: those of requireAdmin and changeByAdmin; ConfirmationRequired.
func (h *Handlers) ChangePersonAdmin(ctx context.Context, r api.ChangePersonAdminRequestObject) (
	api.ChangePersonAdminResponseObject, error) {
	who, err := requireAdmin(ctx)
	if err != nil {
		return nil, err
	}
	if r.Body.Scope != nil || r.Body.Blocked != nil {
		if err := h.confirmed(ctx, who); err != nil {
			return nil, err
		}
	}
	wanted := AdminChange{Blocked: r.Body.Blocked, Reason: r.Body.Reason}
	if r.Body.Settings != nil {
		wanted.Verified = r.Body.Settings.Verified
	}
	for _, scope := range request.Value(r.Body.Scope) {
		wanted.Scope = append(wanted.Scope, string(scope))
	}
	e := Edit{UserID: r.UserID, Known: changes.Known(r.Params.IfMatch), By: changes.User(who.UserID),
		Now: h.now().UTC().Truncate(time.Microsecond)}
	if _, err := changeByAdmin(ctx, h.db, e, who.UserID, wanted); err != nil {
		return nil, err
	}
	found, err := readAccount(ctx, h.db, r.UserID, languages.OfQuery(ctx, nil))
	return api.ChangePersonAdmin200JSONResponse{
		Headers: api.ChangePersonAdmin200ResponseHeaders{ETag: changes.ETag(found.Version)},
		Body:    api.PersonAdminAnswer{Person: found.answer()}}, err
}

func (a account) answer() api.PersonAdmin {
	p := api.PersonAdmin{UserID: a.ID, FirstName: a.FirstName, LastName: a.LastName, Email: a.Email,
		ShortDescription: a.ShortDescription, ImageFilename: profiles.Image(a.Image, a.ID), Scope: api.ACL(a.Scope),
		Campaigns: a.Campaigns, OpenCampaigns: a.OpenCampaigns, Experiments: a.Experiments, JoinedAt: a.CreatedAt.UTC(), Version: a.Version}
	p.Settings.Verified, p.Settings.EmailConfirmed = a.ProfileVerified, a.Verified
	_ = json.Unmarshal(a.Held, &p.HeldCampaigns) // made by accountSQL
	if p.HeldCampaigns == nil {
		p.HeldCampaigns = []api.HeldCampaign{}
	}
	if a.BlockedAt != nil {
		p.Blocked = &struct {
			At     time.Time `json:"at"`
			Reason string    `json:"reason"` // empty when it was done on the command line
		}{a.BlockedAt.UTC(), a.BlockReason}
	}
	return p
}
