package experiments

import (
	"context"

	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
)

// OwnInvitations lists what the signed-in person is invited to. Error: NotAuthenticated.
func (h *Handlers) OwnInvitations(ctx context.Context, r api.OwnInvitationsRequestObject) (api.OwnInvitationsResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	list, err := ListInvitations(ctx, h.db, who.UserID, languages.Of(r.Language), h.now())
	if err != nil {
		return nil, err
	}
	answer := api.OwnInvitations200JSONResponse{Invitations: make([]api.OwnInvitation, len(list))}
	for i, one := range list {
		answer.Invitations[i] = api.OwnInvitation{ExperimentID: one.ExperimentID, Title: one.Title, InvitedBy: one.InvitedBy,
			AsOwner: one.AsOwner, ExpiresAt: one.ExpiresAt.UTC()}
	}
	return answer, nil
}

// AcceptExperimentInvitation puts the signed-in person into the team. Errors: NotAuthenticated; those of Accept.
func (h *Handlers) AcceptExperimentInvitation(ctx context.Context, r api.AcceptExperimentInvitationRequestObject) (
	api.AcceptExperimentInvitationResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	joined, err := Accept(ctx, h.db, Edit{ExperimentID: r.ExperimentID, By: who, Now: h.now()})
	if err != nil {
		return nil, err
	}
	var answer api.AcceptExperimentInvitation200JSONResponse
	answer.Experiment.ExperimentID, answer.Experiment.Slug, answer.Experiment.Version = joined.ID, joined.Slug, joined.Version
	return answer, nil
}

// DeclineExperimentInvitation ends the invitation of the signed-in person. Error: NotAuthenticated.
func (h *Handlers) DeclineExperimentInvitation(ctx context.Context, r api.DeclineExperimentInvitationRequestObject) (
	api.DeclineExperimentInvitationResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if err := Decline(ctx, h.db, Edit{ExperimentID: r.ExperimentID, By: who, Now: h.now()}); err != nil {
		return nil, err
	}
	return api.DeclineExperimentInvitation204Response{}, nil
}
