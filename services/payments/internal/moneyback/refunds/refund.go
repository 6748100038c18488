package refunds

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
)

// Errors of refunds; test with errors.Is.
var (
	// ErrNothingLeft means that all of the charge has gone back or is on its way.
	ErrNothingLeft = errors.New("nothing is left to give back")
	// ErrExceeds means that less is left of the charge than should be given back.
	ErrExceeds = errors.New("refund exceeds what is left of the charge")
	// ErrKey means that the request's key was used for another refund.
	ErrKey = errors.New("the key was used for another refund")
	// ErrNotFailed means that only a failed refund can be repeated or paid by hand.
	ErrNotFailed = errors.New("refund has not failed")
)

// Status is how far a refund is; the migration says what each means.
type Status string

// The states of a refund.
const (
	Creating  Status = "creating"
	Pending   Status = "pending"
	Succeeded Status = "succeeded"
	Failed    Status = "failed"
	Repeated  Status = "repeated"
	Canceled  Status = "canceled"
	ByHand    Status = "by_hand"
)

// isSettled reports whether the backer has the money by this row.
func (s Status) isSettled() bool { return s == Succeeded || s == ByHand }

// Failure codes of our own, of refunds whose sum the backer got another way. All other codes are the provider's.
const (
	byDispute     = "charge_disputed"  // their bank gave it back
	byDisputeOnce = "dispute_appealed" // byDispute, until the loss was reversed; another row refunds it since
	madeElsewhere = "made_elsewhere"   // in the provider's own pages
	madeTwice     = "made_twice"       // it had gone out already: the provider made two, or more went back than was left
)

// Reason of a refund, as the content service knows it.
type Reason string

// The reasons of refunds. Those that follow from what happened are begun once for a charge; the wishes of people (isWish) once for a key.
const (
	RewardGone       Reason = "reward_gone"
	PledgeClosed     Reason = "pledge_closed"
	Requested        Reason = "requested"
	Withdrawn        Reason = "withdrawn" // its backer has taken the pledge back
	Duplicate        Reason = "duplicate"
	CampaignFailed   Reason = "campaign_failed"   // its goal was missed, and the money is backers'
	CampaignCanceled Reason = "campaign_canceled" // it was closed before its last day was over
	Claim            Reason = "claim"             // what a claim came to
	ByCreator        Reason = "by_creator"        // the creator gives it back without a claim
	Changed          Reason = "changed"           // its backer has changed the pledge to a smaller sum
)

// isWish reports whether people want such a refund, of which a charge may have several. Index refunds_automatic says the same.
func (r Reason) isWish() bool { return r == Requested || r == Claim || r == ByCreator || r == Changed }

// IsOfCampaign reports whether all pledges of a campaign are given back for such a reason.
func (r Reason) IsOfCampaign() bool { return r == CampaignFailed || r == CampaignCanceled }

// Source is the charge that a refund gives back.
type Source struct {
	ledger.Money
	AttemptID int64
	Provider  string
	MoneyRef  string // the provider's payment
	Amount    money.Amount
	// Counts says that the charge is its payment's success; any other's money is owed or held from the beginning.
	Counts bool
}

// Refund is one row.
type Refund struct {
	ID          string
	PaymentID   string
	AttemptID   int64
	Provider    string
	Amount      money.Amount `gorm:"embedded"`
	Reason      Reason
	Status      Status
	Repeats     *string
	RequestKey  string
	Owed        bool
	Bookings    int
	Try         int
	Failures    int
	ProviderRef *string
	FailureCode string
	MadeTwice   bool
	CoveredBy   string     // the lost dispute that gave its sum back, or a part of it
	SentAt      *time.Time // since when the provider has had it without settling it
	CreatedAt   time.Time
	sendAt      time.Time // of one that has just been begun, when its turn is
}

// waits reports whether the row has nothing at the provider yet, as far as we know.
func (r Refund) waits() bool { return r.Status == Creating }

const columns = `id, payment_id, attempt_id, provider, amount_minor AS minor, currency, reason, status, repeats, request_key, owed, bookings, try,
	failures, provider_ref, failure_code, made_twice, covered_by, sent_at, created_at`

func read(ctx context.Context, db *gorm.DB, where string, args ...any) ([]Refund, error) {
	var list []Refund
	if err := db.WithContext(ctx).Raw(`SELECT `+columns+` FROM refunds `+where, args...).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("read refunds: %w", err)
	}
	return list, nil
}

// OfAttempt reads the refunds of a charge, oldest first.
func OfAttempt(ctx context.Context, db *gorm.DB, attemptID int64) ([]Refund, error) {
	return read(ctx, db, `WHERE attempt_id = ? ORDER BY created_at, id`, attemptID)
}

// ByID reads one; false when there is none.
func ByID(ctx context.Context, db *gorm.DB, id string) (Refund, bool, error) {
	list, err := read(ctx, db, `WHERE id = ?`, id)
	if err != nil || len(list) == 0 {
		return Refund{}, false, err
	}
	return list[0], true, nil
}

// Statuses tells how our rows of a provider's refunds stand; one that none of them names is left out.
func Statuses(ctx context.Context, db *gorm.DB, provider string, refs []string) (map[string]Status, error) {
	out := map[string]Status{}
	if len(refs) == 0 {
		return out, nil
	}
	list, err := read(ctx, db, `WHERE provider = ? AND provider_ref IN ?`, provider, refs)
	for _, r := range list {
		out[*r.ProviderRef] = r.Status
	}
	return out, err
}

// Sums is what has gone back of a charge.
type Sums struct {
	Minor   int64
	Changed int64  // of it, because the pledge was changed to a smaller sum
	Reason  Reason // of the newest
}

// Total adds up what has gone back of a charge.
func Total(ctx context.Context, db *gorm.DB, attemptID int64) (sums Sums, err error) {
	list, err := OfAttempt(ctx, db, attemptID)
	for _, r := range list {
		if !r.Status.isSettled() {
			continue
		}
		sums.Minor, sums.Reason = sums.Minor+r.Amount.Minor, r.Reason
		if r.Reason == Changed {
			sums.Changed += r.Amount.Minor
		}
	}
	return sums, err
}

// save writes what a row has become. A final one needs the worker no more.
func save(ctx context.Context, tx *gorm.DB, r Refund, next *time.Time, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`UPDATE refunds SET status = @status, owed = @owed, bookings = @bookings, try = @try, failures = @failures,
		provider_ref = @ref, failure_code = @code, made_twice = @twice, covered_by = @covered,
		sent_at = CASE WHEN @status = 'pending' THEN coalesce(sent_at, @now) ELSE sent_at END, next_check_at = @next, updated_at = @now,
		settled_at = CASE WHEN @settled THEN coalesce(settled_at, @now) ELSE settled_at END WHERE id = @id`, map[string]any{
		"status": r.Status, "owed": r.Owed, "bookings": r.Bookings, "try": r.Try, "failures": r.Failures,
		"ref":  r.ProviderRef,
		"code": r.FailureCode, "twice": r.MadeTwice, "covered": r.CoveredBy, "next": next, "now": now,
		"settled": r.Status.isSettled(), "id": r.ID,
	}).Error
	if err != nil {
		return fmt.Errorf("save refund %s: %w", r.ID, err)
	}
	return nil
}
