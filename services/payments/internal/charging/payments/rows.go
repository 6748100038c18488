package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// Errors about paying; test with errors.Is.
var (
	// ErrPaid means that the subject is paid already.
	ErrPaid = errors.New("already paid")
	// ErrNotPayable means that nobody shall pay the subject now.
	ErrNotPayable = errors.New("not payable")
	// ErrTooManyDeclines is the ErrNotPayable of a payment that has ended because too many cards were refused.
	ErrTooManyDeclines = fmt.Errorf("%w: too many cards were refused", ErrNotPayable)
)

// Subject is what a payment is for.
type Subject struct {
	Kind   string // a kind of the internal contract, or Unclaimed
	ID     string
	Period int // of a subscription: which month, from 1; 0 for what is paid once
}

// Trace is what work for the subject is traced as: the subject, and each further month by itself.
func (sub Subject) Trace() string {
	if sub.Period > 1 {
		return sub.ID + "/" + strconv.Itoa(sub.Period)
	}
	return sub.ID
}

const ofSubject = `WHERE subject_kind = @kind AND subject_id = @id AND period = @period`

// args are the arguments of ofSubject.
func (sub Subject) args() map[string]any {
	return map[string]any{"kind": sub.Kind, "id": sub.ID, "period": sub.Period}
}

// Unclaimed is the subject kind of payments made for charges that carry our tag but belong to no payment of ours.
const Unclaimed = "unclaimed"

// Payment is what is known of the payment of one subject.
type Payment struct {
	ID            string
	Subject       Subject `gorm:"embedded;embeddedPrefix:subject_"`
	Provider      string
	Status        Status
	Amount        money.Amount `gorm:"embedded;embeddedPrefix:amount_"`
	Refunded      money.Amount `gorm:"embedded;embeddedPrefix:refunded_"`
	FailureCode   string
	Method        string
	PaidAttemptID *int64
	Network       string // where it began, while it is open
	Refused       bool   // the content service does not want its money: whatever is left of it goes back
	ClosingAt     *time.Time
	ClosesAt      time.Time
	EventSequence int64
	CreatedAt     time.Time
	UpdatedAt     time.Time
	// The copy of its order.
	CampaignID   int64
	Description  string
	Title        string
	Language     string
	ReturnPath   string
	PayableUntil time.Time
	// Of a month of a subscription.
	Customer string // at the provider, who keeps the card that pays
	// The day that it is for; of the first month the one on which it was paid.
	PeriodDay    *time.Time
	PaidOn       *time.Time // the day in Finland on which the money of its success was taken
	BackerUserID *int64     // nil without an account
	TakenBack    bool       // its pledge was taken back: whatever is left of it, or is returned by a bank, is the backer's
	// Read with the row: its campaign is on hold; or has ended, and the run that gives its money back has been at this payment.
	OnHold, GoesBack bool

	taker string // who takes its cards, of one that has just begun: it need not be asked twice
}

// payable says whether an attempt may begin. Errors: ErrPaid, ErrNotPayable.
func (p Payment) payable(now time.Time) error {
	switch {
	case p.Status.IsPaid():
		return ErrPaid
	case p.FailureCode == TooManyDeclines:
		return ErrTooManyDeclines
	case !p.Status.IsOpen() || p.ClosingAt != nil || !now.Before(p.PayableUntil):
		return ErrNotPayable
	}
	return nil
}

// attempt is one object at the provider.
type attempt struct {
	ID              int64
	PaymentID       string
	Provider        string
	Method          Method
	Number          int
	IdempotencyKey  string
	Prefilled       bool
	Status          AttemptStatus
	ObjectRef       *string
	MoneyRef        *string
	PageURL         string
	PageExpiresAt   *time.Time
	ChargeRef       string
	Received        money.Amount `gorm:"embedded;embeddedPrefix:received_"`
	FeeMinor        *int64
	Tries           int
	FailureReported bool
	ActionRequired  bool
	Declines        int
	LastDecline     string
	Look            int64
	InstrumentRef   string // that was registered and is charged; "" when the payer brings one
	CallerKey       string // Charge.Key of the call that began it
	Keeps           bool   // the form's card is its person's, who keeps it, or has kept it before
	UpdatedAt       time.Time
	IsWarned        bool // its charge was reported as fraud; of readAttempts only
}

// Method of an attempt: one of the provider's, or unasked.
type Method = provider.Method

// unasked is the method of a charge that none of our calls began.
const unasked Method = "unasked"

// ref names the attempt's object at the provider.
func (a attempt) ref() provider.Ref {
	ref := provider.Ref{Method: a.Method}
	if a.ObjectRef != nil {
		ref.Object = *a.ObjectRef
	}
	if a.MoneyRef != nil {
		ref.Money = *a.MoneyRef
	}
	return ref
}

// is reports whether the attempt has this object of the provider.
func (a attempt) is(object string) bool {
	ref := a.ref()
	return object != "" && (ref.Object == object || ref.Money == object)
}

const (
	paymentColumns = `id, subject_kind, subject_id, period AS subject_period, provider, status, amount_minor, currency AS amount_currency,
		amount_refunded_minor AS refunded_minor, currency AS refunded_currency, failure_code, method, paid_attempt_id, network, refused, taken_back, closing_at, closes_at,
		event_sequence, created_at, updated_at, campaign_id, description, title, language, return_path, payable_until, period_day, paid_on, customer_ref AS customer,
		backer_user_id,
		coalesce((SELECT h.is_on_hold FROM campaign_holds h WHERE h.campaign_id = payments.campaign_id ORDER BY h.number DESC LIMIT 1), false) AS on_hold,
		subject_kind = 'pledge' AND EXISTS (SELECT FROM refund_runs r WHERE r.campaign_id = payments.campaign_id AND (r.done_at IS NOT NULL OR r.last_id >= payments.id))
		AS goes_back`
	attemptColumns = `id, payment_id, provider, method, number, idempotency_key, prefilled, status, object_ref, money_ref, page_url, page_expires_at,
		charge_ref, amount_minor AS received_minor, currency AS received_currency, fee_minor, tries, failure_reported, action_required, declines, last_decline, look, instrument_ref, caller_key, keeps, updated_at`
)

// readPayment reads one payment by a condition; zero and false when there is none.
func readPayment(ctx context.Context, db *gorm.DB, where string, args ...any) (Payment, bool, error) {
	var list []Payment
	if err := db.WithContext(ctx).Raw(`SELECT `+paymentColumns+` FROM payments `+where, args...).Scan(&list).Error; err != nil {
		return Payment{}, false, fmt.Errorf("read payment: %w", err)
	}
	if len(list) == 0 {
		return Payment{}, false, nil
	}
	return list[0], true, nil
}

// Payment reads a payment by its id. Error: NotFound.
func (s *Service) Payment(ctx context.Context, id string) (Payment, error) {
	return Read(ctx, s.db, id)
}

// Read is Payment within a transaction of the caller's.
func Read(ctx context.Context, db *gorm.DB, id string) (Payment, error) {
	p, found, err := readPayment(ctx, db, `WHERE id = ?`, id)
	if err == nil && !found {
		err = apperr.New(apperr.NotFound)
	}
	return p, err
}

// PaymentOf reads the payment of a subject; false when none has begun.
func (s *Service) PaymentOf(ctx context.Context, sub Subject) (Payment, bool, error) {
	return readPayment(ctx, s.db, ofSubject, sub.args())
}

// ofPayment is the condition of readAttempts for all attempts of a payment, in the order in which they began.
const ofPayment = `WHERE payment_id = ? ORDER BY id`

func readAttempts(ctx context.Context, db *gorm.DB, where string, args ...any) ([]attempt, error) {
	var list []attempt
	if err := db.WithContext(ctx).Raw(`SELECT `+attemptColumns+`, EXISTS (SELECT FROM fraud_warnings w WHERE w.attempt_id = attempts.id) AS is_warned
		FROM attempts `+where, args...).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	return list, nil
}

func (s *Service) attemptByID(ctx context.Context, id int64) (attempt, error) {
	list, err := readAttempts(ctx, s.db, `WHERE id = ?`, id)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("attempt %d is not there", id)
	}
	if err != nil {
		return attempt{}, err
	}
	return list[0], nil
}

// FindByRef finds the payment that objects of a provider belong to; false when none of our rows knows any. Indexes
// attempts_object and attempts_money serve it.
func (s *Service) FindByRef(ctx context.Context, provider string, refs ...string) (Payment, bool, error) {
	refs = slices.DeleteFunc(refs, func(ref string) bool { return ref == "" })
	if len(refs) == 0 {
		return Payment{}, false, nil
	}
	return readPayment(ctx, s.db, `WHERE id IN (SELECT payment_id FROM attempts WHERE provider = @provider AND object_ref IN @refs
		UNION SELECT payment_id FROM attempts WHERE provider = @provider AND money_ref IN @refs)`, map[string]any{"provider": provider, "refs": refs})
}

// AttemptStatuses tells how our attempts with the given payments of a provider stand; one that none names is left out.
func (s *Service) AttemptStatuses(ctx context.Context, provider string, money []string) (
	map[string]AttemptStatus, error) {
	out := map[string]AttemptStatus{}
	if len(money) == 0 {
		return out, nil
	}
	list, err := readAttempts(ctx, s.db, `WHERE provider = ? AND money_ref IN ?`, provider, money)
	for _, a := range list {
		out[*a.MoneyRef] = a.Status
	}
	return out, err
}
