package subscriptions

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/charging/holds"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

// Level is what is paid a month, as the content service put it into words. It is kept as JSON.
type Level contentclient.Level

// Value is its column.
func (l Level) Value() (driver.Value, error) {
	text, err := json.Marshal(l)
	return string(text), err
}

// Scan reads its column.
func (l *Level) Scan(value any) error {
	switch v := value.(type) {
	case string:
		return json.Unmarshal([]byte(v), l)
	case []byte:
		return json.Unmarshal(v, l)
	}
	return fmt.Errorf("a level cannot be read from %T", value)
}

// Is reports whether a level has the same amount and reward.
func (l Level) Is(other Level) bool {
	return l.AmountMinor == other.AmountMinor && (l.RewardID == nil) == (other.RewardID == nil) &&
		(l.RewardID == nil || *l.RewardID == *other.RewardID)
}

func (l Level) amount() (money.Amount, error) {
	currency, err := money.ParseCurrency(l.Currency)
	return money.New(l.AmountMinor, currency), err
}

// card is the kept card of a subscription; the migration says what its parts mean.
type card struct {
	Ref, Label, Expires string
	Refused             bool
	Warned              string
	GivenAt             *time.Time
}

func kept(c provider.Instrument) card {
	out := card{Ref: c.Ref, Label: c.Label}
	if c.ExpYear > 0 {
		out.Expires = fmt.Sprintf("%04d-%02d", c.ExpYear, c.ExpMonth)
	}
	return out
}

// lastDay of the card; false when the provider does not say.
func (c card) lastDay() (time.Time, bool) {
	month, err := time.Parse("2006-01", c.Expires)
	return month.AddDate(0, 1, -1), err == nil
}

// Subscription is one row.
type Subscription struct {
	ID            string
	Provider      string
	Status        Status
	CampaignID    int64
	PayeeUserID   *int64
	BackerUserID  *int64
	Description   string
	Title         string
	Language      string
	Level         Level
	NextLevel     *Level
	Customer      string
	Card          card `gorm:"embedded;embeddedPrefix:card_"`
	Setups        int
	SetupRef      string
	AnchorDay     *time.Time
	NextPeriod    int
	PaidPeriod    int
	EndsOn        *time.Time
	EndedBecause  Reason
	PastDueAt     *time.Time
	NotifyBefore  bool
	NoticedPeriod int
	HeldPeriod    int
	StepAt        *time.Time
	Faults        int
	EventSequence int64
	OnHold        bool       // its campaign is; read with the row, see holds.Lock
	LiftedAt      *time.Time // when it ceased to be
}

var columns = `id, provider, status, campaign_id, payee_user_id, backer_user_id, description, title, language, level, next_level,
	customer_ref AS customer, card_ref, card_label, card_expires, card_refused, card_warned, card_given_at, setups, setup_ref, anchor_day, next_period, paid_period,
	ends_on, ended_because, past_due_at, notify_before, noticed_period, held_period, step_at, faults, event_sequence, ` + fmt.Sprintf(holds.Columns, "subscriptions")

// month is a month whose payment has begun.
type month struct {
	Period      int
	Day         *time.Time
	PaymentID   string
	Status      monthStatus
	WaitsFor    provider.Remedy
	FailureCode string
	NextTryAt   *time.Time
	WeighedOn   *time.Time // when it was weighed last against the limit; it is charged in that calendar month only
	IsHeld      bool       // then it did not fit: it waits for its backer
	IsEnding    bool
	PaidCard    string // that paid it
	AmountMinor int64
	Processing  bool // the bank has it
	Unknown     bool // a try of ours is not answered
}

// takesCard reports whether another card is charged for the month at once: no charge is under way, and it does not wait for its backer.
func (m month) takesCard() bool { return !m.Processing && !m.Unknown && !m.IsHeld }

// months are those that something is still to be done about.
type months struct {
	due    *month
	ending []month
}

const monthColumns = `m.period, m.day, m.payment_id, m.status, m.waits_for, m.failure_code, m.next_try_at, m.weighed_on, m.is_held, m.is_ending, m.paid_card, p.amount_minor,
	p.status = 'processing' AS processing, EXISTS (SELECT FROM subscription_tries t WHERE t.subscription_id = m.subscription_id
		AND t.period = m.period AND t.outcome = 'unknown') AS unknown
	FROM subscription_periods m JOIN payments p ON p.id = m.payment_id`

func readMonths(ctx context.Context, db *gorm.DB, where string, args ...any) ([]month, error) {
	var list []month
	if err := db.WithContext(ctx).Raw(`SELECT `+monthColumns+` `+where, args...).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("read months: %w", err)
	}
	return list, nil
}

func readOpen(ctx context.Context, db *gorm.DB, id string) (m months, err error) {
	list, err := readMonths(ctx, db, `WHERE m.subscription_id = ? AND (m.status = 'open' OR m.is_ending) ORDER BY m.period`, id)
	for _, one := range list {
		if one.IsEnding {
			m.ending = append(m.ending, one)
		} else {
			m.due = &one
		}
	}
	return m, err
}

func read(ctx context.Context, db *gorm.DB, where string, args ...any) ([]Subscription, error) {
	var list []Subscription
	if err := db.WithContext(ctx).Raw(`SELECT `+columns+` FROM subscriptions `+where, args...).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("read subscriptions: %w", err)
	}
	return list, nil
}

func readOne(ctx context.Context, db *gorm.DB, where string, args ...any) (Subscription, bool, error) {
	list, err := read(ctx, db, where, args...)
	if err != nil || len(list) == 0 {
		return Subscription{}, false, err
	}
	return list[0], true, nil
}

// byID reads a subscription. Error: NotFound.
func byID(ctx context.Context, db *gorm.DB, id string) (Subscription, error) {
	sub, found, err := readOne(ctx, db, `WHERE id = ?`, id)
	if err == nil && !found {
		err = apperr.New(apperr.NotFound)
	}
	return sub, err
}

// try is one charge with a kept card.
type try struct {
	Number      int
	CardRef     string
	Outcome     outcome
	FailureCode string
	BegunAt     time.Time
}

func readTries(ctx context.Context, db *gorm.DB, id string, period int) ([]try, error) {
	var list []try
	err := db.WithContext(ctx).Raw(`SELECT number, card_ref, outcome, failure_code, begun_at FROM subscription_tries
		WHERE subscription_id = ? AND period = ? ORDER BY number`, id, period).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read tries: %w", err)
	}
	return list, nil
}
