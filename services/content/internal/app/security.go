package app

import (
	"context"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/session"
)

// security are the calls with events of their own: how people sign in, and what they sign in with.
var security = httpx.Security{Named: map[string]string{ //nolint:gochecknoglobals // a constant that Go cannot have
	"POST /users":                                   "account_registered",
	"POST /users/tokens":                            "sign_in",
	"DELETE /users/tokens":                          "sign_out",
	"POST /users/tokens/second_step":                "sign_in_second_step",
	"POST /users/tokens/passkey":                    "sign_in_passkey",
	"POST /users/verifications":                     "address_confirmed",
	"POST /users/me/password":                       "password_changed",
	"POST /users/password_resets":                   "password_reset_asked",
	"POST /users/password_changes":                  "password_reset",
	"POST /users/me/confirmations":                  "identity_confirmed",
	"POST /users/me/totp/confirmation":              "code_app_added",
	"DELETE /users/me/totp":                         "code_app_removed",
	"POST /users/me/backup_codes":                   "backup_codes_made",
	"POST /users/me/passkeys":                       "passkey_added",
	"DELETE /users/me/passkeys/:passkey_id":         "passkey_removed",
	"DELETE /users/me/sessions":                     "sessions_ended",
	"DELETE /users/me/sessions/:session_id":         "sessions_ended",
	"POST /users/me/erasure":                        "account_erased",
	"PATCH /users/:user_id/admin":                   "rights_changed",
	"POST /campaigns/:campaign_id/refunds":          "refund_asked",
	"POST /campaigns/invitations/:token":            "team_joined",
	"POST /users/sso/discourse":                     "forum_sign_in",
	"GET /users/me/data":                            "own_data_taken",
	"PUT /users/me/calendar-feed":                   "calendar_feed_opened",
	"DELETE /users/me/calendar-feed":                "calendar_feed_closed",
	"POST /campaigns/:campaign_id/review/decisions": "review_decided",
}, IsStaff: func(ctx context.Context) bool {
	who, ok := session.From(ctx)
	return ok && who.Has(session.ScopeEdit)
}}
