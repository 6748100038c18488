package sessions

import (
	"context"

	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
)

// ChangePassword sets a new password of the signed-in person.
func (h *Handlers) ChangePassword(ctx context.Context, r api.ChangePasswordRequestObject) (api.ChangePasswordResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.sessions.ChangePassword(ctx, who, r.Body.OldPassword, r.Body.NewPassword, originOf(ctx)); err != nil {
		return nil, err
	}
	return api.ChangePassword204Response{}, nil
}

// AskPasswordReset mails a link, if the address has an account.
func (h *Handlers) AskPasswordReset(ctx context.Context, r api.AskPasswordResetRequestObject) (api.AskPasswordResetResponseObject, error) {
	if err := h.sessions.AskReset(ctx, r.Body.Email); err != nil {
		return nil, err
	}
	return api.AskPasswordReset202Response{}, nil
}

// ResetPassword uses the link.
func (h *Handlers) ResetPassword(ctx context.Context, r api.ResetPasswordRequestObject) (api.ResetPasswordResponseObject, error) {
	cookie, err := h.sessions.ResetPassword(ctx, r.Body.Email, r.Body.Token, r.Body.NewPassword, originOf(ctx))
	if err != nil {
		return nil, err
	}
	deviceIn(ctx).gets = cookie
	return api.ResetPassword204Response{}, nil
}

// OwnSessions is where the person is signed in.
func (h *Handlers) OwnSessions(ctx context.Context, _ api.OwnSessionsRequestObject) (api.OwnSessionsResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	list, err := h.sessions.List(ctx, who.UserID)
	if err != nil {
		return nil, err
	}
	answer := api.OwnSessions200JSONResponse{Sessions: []api.OwnSession{}}
	for _, own := range list {
		kind, browser, system := own.Device()
		answer.Sessions = append(answer.Sessions, api.OwnSession{SessionID: own.ID, Kind: api.OwnSessionKind(kind), Browser: browser,
			System: system, CreatedAt: own.CreatedAt, SeenAt: own.SeenAt, IsCurrent: own.ID == who.SessionID})
	}
	return answer, nil
}

// EndOtherSessions signs out everywhere else.
func (h *Handlers) EndOtherSessions(ctx context.Context, _ api.EndOtherSessionsRequestObject) (api.EndOtherSessionsResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.sessions.EndOthers(ctx, who); err != nil {
		return nil, err
	}
	return api.EndOtherSessions204Response{}, nil
}

// EndSession ends one session of the person. Error: NotFound.
func (h *Handlers) EndSession(ctx context.Context, r api.EndSessionRequestObject) (api.EndSessionResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.sessions.End(ctx, who.UserID, r.SessionID); err != nil {
		return nil, err
	}
	return api.EndSession204Response{}, nil
}
