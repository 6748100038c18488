package sessions

import (
	"context"
	"encoding/json"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/person/secondstep"
)

// TakeSecondStep finishes a sign-in.
func (h *Handlers) TakeSecondStep(ctx context.Context, r api.TakeSecondStepRequestObject) (api.TakeSecondStepResponseObject, error) {
	proof, err := proofOf(r.Body.Code, r.Body.BackupCode, r.Body.Passkey)
	if err != nil {
		return nil, err
	}
	p, err := h.sessions.TakeSecondStep(ctx, r.Body.Challenge, proof, originOf(ctx))
	if err != nil {
		return nil, err
	}
	return api.TakeSecondStep200JSONResponse(answerOf(ctx, p)), nil
}

// BeginPasskeySignIn begins a sign-in with a passkey alone.
func (h *Handlers) BeginPasskeySignIn(ctx context.Context, _ api.BeginPasskeySignInRequestObject) (api.BeginPasskeySignInResponseObject, error) {
	token, options, err := h.sessions.steps.AskPasskey(ctx)
	if err != nil {
		return nil, err
	}
	return api.BeginPasskeySignIn201JSONResponse{Challenge: token, Options: options}, nil
}

// SignInWithPasskey finishes it.
func (h *Handlers) SignInWithPasskey(ctx context.Context, r api.SignInWithPasskeyRequestObject) (api.SignInWithPasskeyResponseObject, error) {
	p, err := h.sessions.SignInWithPasskey(ctx, r.Body.Challenge, r.Body.Passkey, originOf(ctx))
	if err != nil {
		return nil, err
	}
	return api.SignInWithPasskey200JSONResponse(answerOf(ctx, p)), nil
}

// BeginConfirmation begins a confirmation by passkey.
func (h *Handlers) BeginConfirmation(ctx context.Context, _ api.BeginConfirmationRequestObject) (api.BeginConfirmationResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	token, options, err := h.sessions.steps.AskToConfirm(ctx, who.UserID, who.SessionID)
	if err != nil {
		return nil, err
	}
	return api.BeginConfirmation201JSONResponse{Challenge: token, Options: options}, nil
}

// ConfirmIdentity notes that it is still them.
func (h *Handlers) ConfirmIdentity(ctx context.Context, r api.ConfirmIdentityRequestObject) (api.ConfirmIdentityResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	c := Confirmation{Password: valueOf(r.Body.Password), Challenge: valueOf(r.Body.Challenge)}
	switch {
	case c.Password == "":
		c.Proof, err = proofOf(r.Body.Code, r.Body.BackupCode, r.Body.Passkey)
	case r.Body.Code != nil || r.Body.BackupCode != nil || r.Body.Passkey != nil:
		err = apperr.New(apperr.InvalidFields).WithField("password", apperr.RuleOneOf)
	}
	if err != nil {
		return nil, err
	}
	if err := h.sessions.Confirm(ctx, who, c, originOf(ctx)); err != nil {
		return nil, err
	}
	return api.ConfirmIdentity204Response{}, nil
}

// OwnSecurity is the person's second steps, and what this session allows.
func (h *Handlers) OwnSecurity(ctx context.Context, _ api.OwnSecurityRequestObject) (api.OwnSecurityResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	own, err := h.sessions.standing(ctx, who)
	if err != nil {
		return nil, err
	}
	state, err := h.sessions.steps.Read(ctx, h.sessions.db, who.UserID)
	if err != nil {
		return nil, err
	}
	answer := api.OwnSecurity200JSONResponse{HasPassword: own.HasPassword, BackupCodesLeft: state.BackupCodes, IsRequired: own.IsStaff,
		SessionHasSecondStep: own.HasSecondStep, ConfirmedUntil: own.ConfirmedUntil, Passkeys: []api.Passkey{}}
	if state.App != nil {
		answer.Totp = &api.TotpState{AddedAt: state.App.AddedAt, UsedAt: state.App.UsedAt}
	}
	for _, key := range state.Passkeys {
		answer.Passkeys = append(answer.Passkeys, api.Passkey{PasskeyID: key.ID, Name: key.Name, AddedAt: key.AddedAt, UsedAt: key.UsedAt})
	}
	return answer, nil
}

func askedOf(asked secondstep.Asked) (answer api.SecondStepAnswer) {
	answer.SecondStep = api.SecondStep{Challenge: asked.Token, ExpiresAt: asked.ExpiresAt}
	for _, method := range asked.Methods {
		answer.SecondStep.Methods = append(answer.SecondStep.Methods, api.SecondStepMethod(method))
	}
	if asked.Options != nil {
		answer.SecondStep.Passkey = (*json.RawMessage)(&asked.Options)
	}
	return answer
}

// proofOf is the one thing that is shown. Error: InvalidFields for none and for several.
func proofOf(code, backupCode *string, passkey *json.RawMessage) (secondstep.Proof, error) {
	shown := 0
	for _, is := range []bool{code != nil, backupCode != nil, passkey != nil} {
		if is {
			shown++
		}
	}
	if shown != 1 {
		return secondstep.Proof{}, apperr.New(apperr.InvalidFields).WithField("code", apperr.RuleOneOf)
	}
	proof := secondstep.Proof{Code: valueOf(code), BackupCode: valueOf(backupCode)}
	if passkey != nil {
		proof.Passkey = *passkey
	}
	return proof, nil
}

func valueOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
