package secondstep

import (
	"context"
	"errors"
	"strings"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
)

// Handlers answers the calls by which people set up second steps. All but renaming need a session whose person has just
// shown that it is them, by a second step if the account has one.
type Handlers struct {
	steps     *Service
	confirmed func(context.Context, session.Identity) error
}

// NewHandlers makes the handlers; confirmed is sessions.Service.Confirmed.
func NewHandlers(steps *Service, confirmed func(context.Context, session.Identity) error) *Handlers {
	return &Handlers{steps, confirmed}
}

// PersonRules are the rate limits by signed-in person: each call of these mails or writes.
func PersonRules(limit ratelimit.Limit) ratelimit.Rules {
	rules := ratelimit.Rules{}
	for _, call := range []string{"POST /users/me/totp", "DELETE /users/me/totp", "POST /users/me/totp/confirmation",
		"POST /users/me/backup_codes", "POST /users/me/passkeys", "POST /users/me/passkeys/challenge",
		"PATCH /users/me/passkeys/:passkey_id", "DELETE /users/me/passkeys/:passkey_id"} {
		rules[call] = []ratelimit.Rule{{Name: "second_steps", Limit: limit}}
	}
	return rules
}

// who is the signed-in person, who has confirmed that it is them. Errors: NotAuthenticated; ConfirmationRequired.
func (h *Handlers) who(ctx context.Context) (session.Identity, error) {
	who, err := session.Require(ctx)
	if err == nil {
		err = h.confirmed(ctx, who)
	}
	return who, err
}

// BeginTotp makes a secret for a code app.
func (h *Handlers) BeginTotp(ctx context.Context, _ api.BeginTotpRequestObject) (api.BeginTotpResponseObject, error) {
	who, err := h.who(ctx)
	if err != nil {
		return nil, err
	}
	key, err := h.steps.BeginTOTP(ctx, who.UserID)
	if err != nil {
		return nil, err
	}
	return api.BeginTotp201JSONResponse{Secret: key.Secret(), URI: key.URL()}, nil
}

// ConfirmTotp takes the app into use.
func (h *Handlers) ConfirmTotp(ctx context.Context, r api.ConfirmTotpRequestObject) (api.ConfirmTotpResponseObject, error) {
	who, err := h.who(ctx)
	if err != nil {
		return nil, err
	}
	codes, err := h.steps.ConfirmTOTP(ctx, who.UserID, who.SessionID, r.Body.Code)
	if errors.Is(err, ErrCode) {
		return nil, apperr.New(apperr.InvalidFields).WithField("code", apperr.RuleCodeWrong)
	}
	if err != nil {
		return nil, err
	}
	return api.ConfirmTotp200JSONResponse(addedOf(codes)), nil
}

// RemoveTotp removes the app.
func (h *Handlers) RemoveTotp(ctx context.Context, _ api.RemoveTotpRequestObject) (api.RemoveTotpResponseObject, error) {
	who, err := h.who(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.steps.RemoveTOTP(ctx, who.UserID); err != nil {
		return nil, err
	}
	return api.RemoveTotp204Response{}, nil
}

// MakeBackupCodes makes new backup codes.
func (h *Handlers) MakeBackupCodes(ctx context.Context, _ api.MakeBackupCodesRequestObject) (api.MakeBackupCodesResponseObject, error) {
	who, err := h.who(ctx)
	if err != nil {
		return nil, err
	}
	codes, err := h.steps.MakeBackupCodes(ctx, who.UserID)
	if err != nil {
		return nil, err
	}
	return api.MakeBackupCodes200JSONResponse(addedOf(codes)), nil
}

// BeginPasskey begins to add a passkey.
func (h *Handlers) BeginPasskey(ctx context.Context, _ api.BeginPasskeyRequestObject) (api.BeginPasskeyResponseObject, error) {
	who, err := h.who(ctx)
	if err != nil {
		return nil, err
	}
	token, options, err := h.steps.BeginPasskey(ctx, who.UserID, who.SessionID)
	if err != nil {
		return nil, err
	}
	return api.BeginPasskey201JSONResponse{Challenge: token, Options: options}, nil
}

// AddPasskey adds it.
func (h *Handlers) AddPasskey(ctx context.Context, r api.AddPasskeyRequestObject) (api.AddPasskeyResponseObject, error) {
	who, err := h.who(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkName(r.Body.Name); err != nil {
		return nil, err
	}
	codes, err := h.steps.AddPasskey(ctx, who.UserID, who.SessionID, r.Body.Challenge, r.Body.Name, r.Body.Passkey)
	if errors.Is(err, ErrPasskey) {
		return nil, apperr.New(apperr.InvalidFields).WithField("passkey", apperr.RulePasskeyWrong).Wrap(err)
	}
	if err != nil {
		return nil, err
	}
	return api.AddPasskey201JSONResponse(addedOf(codes)), nil
}

// RenamePasskey names a passkey.
func (h *Handlers) RenamePasskey(ctx context.Context, r api.RenamePasskeyRequestObject) (api.RenamePasskeyResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkName(r.Body.Name); err != nil {
		return nil, err
	}
	if err := h.steps.RenamePasskey(ctx, who.UserID, r.PasskeyID, r.Body.Name); err != nil {
		return nil, err
	}
	return api.RenamePasskey204Response{}, nil
}

// RemovePasskey removes a passkey.
func (h *Handlers) RemovePasskey(ctx context.Context, r api.RemovePasskeyRequestObject) (api.RemovePasskeyResponseObject, error) {
	who, err := h.who(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.steps.RemovePasskey(ctx, who.UserID, r.PasskeyID); err != nil {
		return nil, err
	}
	return api.RemovePasskey204Response{}, nil
}

func checkName(name string) error {
	if strings.TrimSpace(name) == "" {
		return apperr.New(apperr.InvalidFields).WithField("name", apperr.RuleRequired)
	}
	return nil
}

func addedOf(codes []string) (answer api.SecondStepAdded) {
	if codes != nil {
		answer.BackupCodes = &codes
	}
	return answer
}
