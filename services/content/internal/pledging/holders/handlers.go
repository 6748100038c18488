package holders

import (
	"context"
	"errors"
	"net/http"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api/internalapi"
)

// Sessions tells whose a session is.
type Sessions interface {
	// ByHeader is the live session of an Authorization header. Errors with the HTTP status 401 when there is none.
	ByHeader(ctx context.Context, header string) (session.Identity, error)
	// Confirmed is no error while its person has just shown in it that it is them. Error: ConfirmationRequired.
	Confirmed(ctx context.Context, who session.Identity) error
}

// InternalHandlers answers the payment service, in the words of the internal contract.
type InternalHandlers struct {
	db       *gorm.DB
	sessions Sessions
}

// NewInternalHandlers makes the handlers; the service token's check belongs before them.
func NewInternalHandlers(db *gorm.DB, sessions Sessions) *InternalHandlers {
	return &InternalHandlers{db, sessions}
}

// OrderHolder says whether a browser's session is that of the person who holds some orders.
func (h *InternalHandlers) OrderHolder(ctx context.Context, r internalapi.OrderHolderRequestObject) (
	internalapi.OrderHolderResponseObject, error) {
	who, err := h.sessions.ByHeader(ctx, r.Body.Authorization)
	if fault, ok := errors.AsType[*apperr.Error](err); ok && fault.HTTP() == http.StatusUnauthorized {
		return internalapi.OrderHolder200JSONResponse{Holder: internalapi.SessionOver}, nil
	}
	if err != nil {
		return nil, err
	}
	held, err := Holds(ctx, h.db, who.UserID, string(r.Body.SubjectKind), r.Body.SubjectIds)
	if err != nil {
		return nil, err
	}
	if !held {
		return internalapi.OrderHolder200JSONResponse{Holder: internalapi.Other}, nil
	}
	err = h.sessions.Confirmed(ctx, who)
	if err != nil && !errors.Is(err, apperr.New(apperr.ConfirmationRequired)) {
		return nil, err
	}
	return internalapi.OrderHolder200JSONResponse{Holder: internalapi.Same, HasConfirmed: err == nil}, nil
}
