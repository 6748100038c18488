package sessions

import (
	"context"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/person/capabilities"
	"talkoot.fi/content/internal/person/secondstep"
)

// Reauthenticate has who is signed in show all that a sign-in takes: the password, unless the account has none, and,
// within confirmedFor, a second step if the account has one. Wrong passwords are counted as at sign-in. Errors:
// ErrUnconfirmed without the second step; ErrEnded; InvalidFields; TooManyRequests; ErrBusy.
func (s *Service) Reauthenticate(ctx context.Context, who session.Identity, password string) error {
	own, err := s.standing(ctx, who)
	if err != nil {
		return err
	}
	if own.lacksStep() {
		return ErrUnconfirmed
	}
	if !own.HasPassword {
		return s.Confirmed(ctx, who)
	}
	if password == "" {
		return apperr.New(apperr.InvalidFields).WithField("password", apperr.RuleRequired)
	}
	return s.Confirm(ctx, who, Confirmation{Password: password}, originOf(ctx))
}

// Erase ends all by which somebody acts for a person's account and removes all by which they sign in but the password's hash, in the caller's
// transaction; address is the one that they have confirmed, if any: failures on another one may be at somebody else's account.
func (s *Service) Erase(ctx context.Context, tx *gorm.DB, userID int64, address string) error {
	if _, err := secondstep.RemoveAll(ctx, tx, userID); err != nil {
		return err
	}
	if address != "" {
		if err := s.forget(ctx, tx, address); err != nil {
			return err
		}
	}
	return capabilities.End(ctx, tx, userID, "", s.now())
}
