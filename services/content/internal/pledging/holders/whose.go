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
	scope := make([]internalapi.SessionPersonScope, len(who.Scope))
	for i, one := range who.Scope {
		scope[i] = internalapi.SessionPersonScope(one)
	}
	return internalapi.WhoseSession200JSONResponse{IsLive: true, UserID: &who.UserID, Email: &person.Email, HasConfirmedEmail: &person.Verified,
		HasConfirmed: &hasConfirmed, Scope: &scope}, nil
}

// ofAddressSQL finds what was made with an address: by accounts that have it, and without one. Each part has an index of its own.
const ofAddressSQL = `
	WITH people AS (SELECT id FROM users WHERE lower(email) = lower(@email))
	SELECT id FROM (
		SELECT id, created_at FROM pledges WHERE user_id IN (SELECT id FROM people)
		UNION SELECT id, created_at FROM pledges WHERE user_id IS NULL AND lower(email) = lower(@email) AND status NOT IN ('created', 'awaiting_payment', 'expired')
		UNION SELECT id, created_at FROM subscriptions WHERE user_id IN (SELECT id FROM people)
		UNION SELECT id, created_at FROM subscriptions WHERE user_id IS NULL AND lower(email) = lower(@email)
	) orders ORDER BY created_at DESC, id LIMIT @limit`

// ordersOfAddress is how many orders of one address are given.
const ordersOfAddress = 200

// OrdersOfAddress finds the orders that were made with a mail address.
func (h *InternalHandlers) OrdersOfAddress(ctx context.Context, r internalapi.OrdersOfAddressRequestObject) (internalapi.OrdersOfAddressResponseObject, error) {
	found := []string{}
	err := h.db.WithContext(ctx).Raw(ofAddressSQL, map[string]any{"email": r.Body.Email, "limit": ordersOfAddress}).Scan(&found).Error
	if err != nil {
		return nil, fmt.Errorf("find the orders of an address: %w", err)
	}
	return internalapi.OrdersOfAddress200JSONResponse{SubjectIds: found}, nil
}
