package personaldata

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/internal/paymentsclient"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/internal/pledging/payers"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/subscriptions"
)

var (
	// ErrBlocked: something is open that needs the person; Look says what.
	ErrBlocked = apperr.New(apperr.ErasureBlocked)
	errEmail   = apperr.New(apperr.InvalidFields).WithField("email", apperr.RuleOwnEmail)
)

// Service is what the rules need.
type Service struct {
	db       *gorm.DB
	now      func() time.Time
	pledges  *pledges.Service
	monthly  *subscriptions.Service
	sessions *sessions.Service
	payments *paymentsclient.Client
	reading  reading
}

// Options are the parts of a Service; all are needed.
type Options struct {
	DB       *gorm.DB
	Now      func() time.Time
	Pledges  *pledges.Service
	Monthly  *subscriptions.Service
	Sessions *sessions.Service
	// Payments calls the payment service with a service token (closing.NewClient).
	Payments *paymentsclient.Client
}

// New makes the service.
func New(o Options) *Service {
	return &Service{db: o.DB, pledges: o.Pledges, monthly: o.Monthly, sessions: o.Sessions, payments: o.Payments,
		reading: reading{people: map[int64]bool{}},
		now:     func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) }} // what PostgreSQL keeps
}

// person is what erasing needs to know of an account.
type person struct {
	Email               string
	FirstName, LastName string
	Language            string
	Verified            bool
	IsTheirs            bool          // the address: it is confirmed, or nobody else has it
	Scope               dbx.TextArray `gorm:"type:text[]"`
}

// address is the one that the person has confirmed; pledges and invitations with another one may be a stranger's.
func (p person) address() string {
	if !p.Verified {
		return ""
	}
	return p.Email
}

// names are the texts that tell who they are, also when they stand in what others wrote.
func (p person) names() (list []string) {
	if address := p.address(); address != "" {
		list = append(list, address, team.Masked(address))
	}
	if p.FirstName != "" && p.LastName != "" {
		list = append(list, p.FirstName+" "+p.LastName, p.LastName+" "+p.FirstName)
	}
	return list
}

// namesOf are the names of several people.
func namesOf(ctx context.Context, tx *gorm.DB, ids []int64) (list []string, err error) {
	for _, id := range ids {
		p, err := read(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		list = append(list, p.names()...)
	}
	return list, nil
}

func (p person) isStaff() bool { return campaigns.IsStaff(session.Identity{Scope: p.Scope}) }

// read reads an account. Error: sessions.ErrEnded for one that is erased.
func read(ctx context.Context, db *gorm.DB, userID int64) (p person, err error) {
	found := db.WithContext(ctx).Raw(`
		SELECT email, first_name, last_name, language, verified, scope,
		       verified OR NOT EXISTS (SELECT FROM users o WHERE lower(o.email) = lower(u.email) AND o.id <> u.id) AS is_theirs
		FROM users u WHERE id = ? AND erased_at IS NULL`, userID).Scan(&p)
	if found.Error != nil {
		return p, fmt.Errorf("read user %d: %w", userID, found.Error)
	}
	if found.RowsAffected == 0 {
		return p, sessions.ErrEnded
	}
	return p, nil
}

// Reason is why an account cannot be erased yet.
type Reason string

// The reasons.
const (
	OfCampaign Reason = "campaign" // the creator's, which collects or is not settled
	OfPayment  Reason = "payment"  // a bank decides
	OfStaff    Reason = "staff"
)

// Blocker is one of the things that keep an account from being erased, with the campaign that it is about.
type Blocker struct {
	Reason      Reason
	CampaignID  int64
	Slug, Title string
}

// Outlook is what erasing would leave, and what stands in its way.
type Outlook struct {
	pledges.Kept
	Monthly  []subscriptions.Running // ends
	Blockers []Blocker
}

// Look says what erasing an account would do now; texts are for readers of a language.
func (s *Service) Look(ctx context.Context, userID int64, language string) (o Outlook, err error) {
	p, err := read(ctx, s.db, userID)
	if err != nil {
		return o, err
	}
	decided, err := decided(ctx, s.pledges, s.monthly, s.payments, userID, p.address())
	if err != nil {
		return o, err
	}
	if o.Kept, err = s.pledges.KeptOf(ctx, userID, p.address(), decided, language); err != nil {
		return o, err
	}
	monthly, err := s.monthly.KeptOf(ctx, userID, p.address(), decided, language)
	if err != nil {
		return o, err
	}
	o.add(monthly)
	unfinished, err := campaigns.UnfinishedOf(ctx, s.db, userID, language)
	if err != nil {
		return o, err
	}
	for _, c := range unfinished {
		o.Blockers = append(o.Blockers, Blocker{OfCampaign, c.CampaignID, c.Slug, c.Title})
	}
	for _, u := range o.Undecided {
		o.Blockers = append(o.Blockers, Blocker{OfPayment, u.CampaignID, u.Slug, u.Title})
	}
	if p.isStaff() {
		o.Blockers = append(o.Blockers, Blocker{Reason: OfStaff})
	}
	return o, nil
}

// add adds what would be left of subscriptions to what would be of pledges.
func (o *Outlook) add(k subscriptions.Kept) {
	o.Receipts += k.Receipts
	o.Monthly = k.Running
	if k.Until != nil && (o.Until == nil || k.Until.After(*o.Until)) {
		o.Until = k.Until
	}
	for _, u := range k.Undecided {
		o.Undecided = append(o.Undecided, pledges.Undecided(u))
	}
}

// Erase erases the account of who is signed in, who has typed its address and password. Errors: InvalidFields; those of
// sessions.Reauthenticate; ErrBlocked; Unavailable; sessions.ErrEnded when it was erased meanwhile.
func (s *Service) Erase(ctx context.Context, who session.Identity, email, password string) error {
	p, err := read(ctx, s.db, who.UserID)
	if err != nil {
		return err
	}
	if !strings.EqualFold(profiles.NormalEmail(email), p.Email) {
		return errEmail
	}
	if err := s.sessions.Reauthenticate(ctx, who, password); err != nil {
		return err
	}
	decided, err := decided(ctx, s.pledges, s.monthly, s.payments, who.UserID, p.address())
	if err != nil {
		return err
	}
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		if err := profiles.LockAddress(ctx, tx, p.Email); err != nil {
			return err
		}
		return s.erase(ctx, tx, who.UserID, decided)
	})
}

// Tidy erases pledges and subscriptions that were made, under an erased account, by requests that were under way at its end.
func Tidy(ctx context.Context, db *gorm.DB, support *pledges.Service, monthly *subscriptions.Service, payments *paymentsclient.Client) error {
	var late []int64
	err := db.WithContext(ctx).Raw(`
		SELECT u.id FROM users u WHERE u.erased_at IS NOT NULL AND (EXISTS (SELECT FROM pledges WHERE user_id = u.id)
		    OR EXISTS (SELECT FROM subscriptions WHERE user_id = u.id))
		ORDER BY u.id`).Scan(&late).Error
	if err != nil {
		return fmt.Errorf("look for what erased people pay for: %w", err)
	}
	for _, id := range late {
		decided, err := decided(ctx, support, monthly, payments, id, "")
		if err != nil {
			return err
		}
		err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
			held, err := support.Lock(ctx, tx, id, "", decided)
			var given, supported []string
			if err == nil {
				var erased pledges.Erased
				erased, err = support.Erase(ctx, tx, held)
				given = erased.IDs
			}
			var monthlyHeld subscriptions.Locked
			if err == nil {
				monthlyHeld, err = monthly.Lock(ctx, tx, id, "", decided)
			}
			if err == nil {
				var ended subscriptions.Erased
				ended, err = monthly.Erase(ctx, tx, monthlyHeld)
				supported = ended.IDs
			}
			if err == nil {
				err = payers.Erase(ctx, tx, id)
			}
			if err == nil {
				err = campaigns.RecountPeople(ctx, tx, slices.Concat(given, supported))
			}
			return err
		})
		if err != nil && !errors.Is(err, pledges.ErrUndecided) && !errors.Is(err, subscriptions.ErrUndecided) { // that one waits for the bank
			return err
		}
	}
	return nil
}
