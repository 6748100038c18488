package holders

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/api/internalapi"
)

// WhoseSession says whose a browser's session is.
func (h *InternalHandlers) WhoseSession(ctx context.Context, r internalapi.WhoseSessionRequestObject) (internalapi.WhoseSessionResponseObject, error) {
	who, err := h.sessions.ByHeader(ctx, r.Body.Authorization)
	if fault, ok := errors.AsType[*apperr.Error](err); ok && fault.HTTP() == http.StatusUnauthorized {
		return internalapi.WhoseSession200JSONResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	var person struct {
		Email    string
		Verified bool
	}
	if err := h.db.WithContext(ctx).Raw(`SELECT email, verified FROM users WHERE id = ?`, who.UserID).Scan(&person).Error; err != nil {
		return nil, fmt.Errorf("read whose a session is: %w", err)
	}
	err = h.sessions.Confirmed(ctx, who)
	if err != nil && !errors.Is(err, apperr.New(apperr.ConfirmationRequired)) {
		return nil, err
	}
	hasConfirmed := err == nil
	return internalapi.WhoseSession200JSONResponse{IsLive: true, UserID: &who.UserID, Email: &person.Email, HasConfirmedEmail: &person.Verified,
		HasConfirmed: &hasConfirmed}, nil
}
