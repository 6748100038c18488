package forum

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"
)

// Errors of SignIn.
var (
	ErrNone        = apperr.New(apperr.NoForum)
	ErrLink        = apperr.New(apperr.ForumLinkInvalid)
	ErrUsed        = apperr.New(apperr.ForumLinkUsed)
	ErrUnconfirmed = apperr.New(apperr.AddressUnconfirmed)
)

// Groups at the forum of the people who have a scope here; others are removed from them.
const (
	EditorsGroup = "talkoot_editors"
	AdminsGroup  = "talkoot_admins"
)

// nonceKept is how long an answered request is remembered. The forum itself refuses its requests after ten minutes.
const nonceKept = 7 * 24 * time.Hour

// avatarSize is the width and height in pixels of the picture that the forum fetches.
const avatarSize = "360x360"

// Service answers the forum's requests.
type Service struct {
	db        *gorm.DB
	log       *slog.Logger
	now       func() time.Time
	config    Config
	publicURL string
}

// Options are the parts of a Service.
type Options struct {
	DB  *gorm.DB
	Log *slog.Logger
	Now func() time.Time
	Config
	// PublicURL is the platform's address, without a final slash.
	PublicURL string
}

// New makes the service. Error: a faulty configuration.
func New(o Options) (*Service, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Service{db: o.DB, log: o.Log, now: o.Now, config: o.Config, publicURL: o.PublicURL}, nil
}

// Answer tells the forum who somebody is.
type Answer struct {
	Query     string // signed: sso and sig
	ReturnURL string // the forum's, which takes the query
}

// person is a row of users, as far as the forum is told of it.
type person struct {
	ID                         int64
	Email, FirstName, LastName string
	ShortDescription, Image    string
	Verified                   bool // has confirmed their address
}

// SignIn answers a request of the forum for a person, whose rights there follow the identity's scope: staff who have signed
// in without their second step have none. Errors: ErrNone; ErrLink for whatever is wrong with the request;
// ErrUnconfirmed, after which the same request can be brought again; ErrUsed for one that has been answered.
func (s *Service) SignIn(ctx context.Context, who session.Identity, sso, sig string) (Answer, error) {
	if len(s.config.Secret) == 0 {
		return Answer{}, ErrNone
	}
	r, err := s.config.read(sso, sig)
	if err != nil {
		s.log.WarnContext(ctx, "forum log-in refused", "user_id", who.UserID, "reason", err.Error())
		return Answer{}, ErrLink
	}
	var p person
	err = s.db.WithContext(ctx).Raw(`
		SELECT id, email, first_name, last_name, short_description, image, verified FROM users WHERE id = ?`,
		who.UserID).Scan(&p).Error
	if err != nil {
		return Answer{}, fmt.Errorf("read user %d: %w", who.UserID, err)
	}
	if !p.Verified {
		return Answer{}, ErrUnconfirmed
	}
	if err := s.use(ctx, r.nonce); err != nil {
		return Answer{}, err
	}
	s.log.InfoContext(ctx, "forum log-in", "user_id", who.UserID)
	return Answer{Query: s.config.signed(encode(s.fields(r.nonce, p, who))), ReturnURL: r.returnURL}, nil
}

// usedNonce is a row of forum_nonces.
type usedNonce struct {
	NonceHash []byte `gorm:"primaryKey"`
	UsedAt    time.Time
}

// TableName is GORM's.
func (usedNonce) TableName() string { return "forum_nonces" }

// use remembers a nonce. Error: ErrUsed, for all but one of the calls that bring the same, also at once.
func (s *Service) use(ctx context.Context, nonce string) error {
	hash := sha256.Sum256([]byte(nonce))
	used := s.db.WithContext(ctx).Clauses(clause.OnConflict{DoNothing: true}).
		Create(&usedNonce{NonceHash: hash[:], UsedAt: s.now().UTC()})
	if used.Error != nil {
		return fmt.Errorf("remember a log-in request of the forum: %w", used.Error)
	}
	if used.RowsAffected == 0 {
		return ErrUsed
	}
	return nil
}

// fields are what the forum is told of a person: of the profile what everybody sees, and the e-mail address.
func (s *Service) fields(nonce string, p person, who session.Identity) []field {
	var in, out []string
	for _, group := range []struct{ scope, name string }{{session.ScopeEdit, EditorsGroup}, {session.ScopeAdmin, AdminsGroup}} {
		if who.Has(group.scope) {
			in = append(in, group.name)
		} else {
			out = append(out, group.name)
		}
	}
	fields := []field{
		{"nonce", nonce}, {"name", strings.TrimSpace(p.FirstName + " " + p.LastName)}, {"username", username(p)},
		{"email", p.Email}, {"external_id", strconv.FormatInt(p.ID, 10)}, {"require_activation", "false"},
		{"bio", p.ShortDescription},
		{"admin", strconv.FormatBool(who.Has(session.ScopeAdmin))}, {"moderator", strconv.FormatBool(who.Has(session.ScopeEdit))},
		{"add_groups", strings.Join(in, ",")}, {"remove_groups", strings.Join(out, ",")},
	}
	// Drawn pictures are SVG, which forums do not take; a forum draws pictures of its own.
	if p.Image != "" && !strings.HasSuffix(p.Image, ".svg") {
		fields = append(fields, field{"avatar_url", s.publicURL + "/media/" + avatarSize + "/" + p.Image})
	}
	return fields
}

// Prune forgets old nonces.
func Prune(ctx context.Context, db *gorm.DB, now time.Time) error {
	if _, err := dbx.Prune(ctx, db, `forum_nonces`, `used_at < ?`, now.Add(-nonceKept).UTC()); err != nil {
		return fmt.Errorf("prune the forum's log-in requests: %w", err)
	}
	return nil
}
