package pledges

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
)

// Payment is what is known of the payment of one pledge.
type Payment struct {
	ID                  string
	PledgeID            string
	Provider            string
	Status              Status
	AmountMinor         int64
	Currency            money.Currency
	AmountRefundedMinor int64
	FailureCode         string
	Method              string
	PaidAttemptID       *int64
	Alert               string
	ClosingAt           *time.Time
	ClosesAt            time.Time
	EventSequence       int64
	CreatedAt           time.Time
	UpdatedAt           time.Time
	// From its order.
	CampaignID    int64
	Description   string
	CampaignTitle string
	Language      string
	ReservedUntil time.Time
}

// Amount is the sum to be paid.
func (p Payment) Amount() money.Amount { return money.New(p.AmountMinor, p.Currency) }

// payable says whether an attempt may begin. Errors: PledgeAlreadyPaid, PledgeNotPayable.
func (p Payment) payable(now time.Time) error {
	switch {
	case p.Status.IsPaid():
		return apperr.New(apperr.PledgeAlreadyPaid)
	case !p.Status.IsOpen() || p.ClosingAt != nil || p.Alert != "" || !now.Before(p.ReservedUntil):
		return apperr.New(apperr.PledgeNotPayable)
	}
	return nil
}

// attempt is one object at the provider.
type attempt struct {
	ID              int64
	PaymentID       string
	Kind            Kind
	Number          int
	IdempotencyKey  string
	Status          AttemptStatus
	ProviderID      *string
	IntentID        *string
	PageURL         string
	PageExpiresAt   *time.Time
	ChargeID        string
	AmountMinor     int64
	FeeMinor        *int64
	Tries           int
	FailureReported bool
	ActionRequired  bool
	ObservedAt      time.Time
}

// intentID is the id of the attempt's payment intent, empty until there is one.
func (a attempt) intentID() string {
	switch {
	case a.Kind == KindSession && a.IntentID != nil:
		return *a.IntentID
	case a.Kind == KindIntent && a.ProviderID != nil:
		return *a.ProviderID
	}
	return ""
}

// is reports whether the attempt has this object of the provider.
func (a attempt) is(objectID string) bool {
	return objectID != "" && (a.ProviderID != nil && *a.ProviderID == objectID || a.IntentID != nil && *a.IntentID == objectID)
}

type refundRow struct {
	ID          string
	PaymentID   string
	AttemptID   int64
	AmountMinor int64
	Currency    money.Currency
	Reason      Reason
	Status      RefundStatus
	Try         int
	ProviderID  *string
	CreatedAt   time.Time
}

const (
	paymentColumns = `p.id, p.pledge_id, p.provider, p.status, p.amount_minor, p.currency, p.amount_refunded_minor, p.failure_code,
		p.method, p.paid_attempt_id, p.alert, p.closing_at, p.closes_at, p.event_sequence, p.created_at, p.updated_at,
		o.campaign_id, o.description, o.campaign_title, o.language, o.reserved_until`
	paymentFrom    = ` FROM payments p JOIN orders o ON o.pledge_id = p.pledge_id `
	attemptColumns = `id, payment_id, kind, number, idempotency_key, status, provider_id, intent_id, page_url, page_expires_at,
		charge_id, amount_minor, fee_minor, tries, failure_reported, action_required, observed_at`
	refundColumns = `id, payment_id, attempt_id, amount_minor, currency, reason, status, try, provider_id, created_at`
)

// readPayment reads one payment by a condition; zero and false when there is none.
func readPayment(ctx context.Context, db *gorm.DB, where string, args ...any) (Payment, bool, error) {
	var p Payment
	err := db.WithContext(ctx).Raw(`SELECT `+paymentColumns+paymentFrom+where, args...).Take(&p).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return Payment{}, false, nil
	}
	if err != nil {
		return Payment{}, false, fmt.Errorf("read payment: %w", err)
	}
	return p, true, nil
}

// Payment reads a payment by its id. Error: NotFound.
func (s *Service) Payment(ctx context.Context, id string) (Payment, error) {
	p, found, err := readPayment(ctx, s.DB, `WHERE p.id = ?`, id)
	if err == nil && !found {
		err = apperr.New(apperr.NotFound)
	}
	return p, err
}

func readAttempts(ctx context.Context, db *gorm.DB, paymentID string) ([]attempt, error) {
	var list []attempt
	err := db.WithContext(ctx).Raw(`SELECT `+attemptColumns+` FROM attempts WHERE payment_id = ? ORDER BY id`, paymentID).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read attempts of payment %s: %w", paymentID, err)
	}
	return list, nil
}

func (s *Service) attemptByID(ctx context.Context, id int64) (attempt, error) {
	var a attempt
	err := s.DB.WithContext(ctx).Raw(`SELECT `+attemptColumns+` FROM attempts WHERE id = ?`, id).Take(&a).Error
	if err != nil {
		return attempt{}, fmt.Errorf("read attempt %d: %w", id, err)
	}
	return a, nil
}

func readRefunds(ctx context.Context, db *gorm.DB, paymentID string) ([]refundRow, error) {
	var list []refundRow
	err := db.WithContext(ctx).Raw(`SELECT `+refundColumns+` FROM refunds WHERE payment_id = ? ORDER BY created_at, id`, paymentID).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read refunds of payment %s: %w", paymentID, err)
	}
	return list, nil
}

// FindByProviderID finds the payment that an object of the provider (intent or session) belongs to; empty when none
// of our rows knows it. Indexes attempts_provider_id and attempts_intent_id serve it.
func (s *Service) FindByProviderID(ctx context.Context, objectID, intentID string) (string, error) {
	var ids []string
	err := s.DB.WithContext(ctx).Raw(`SELECT payment_id FROM attempts WHERE provider_id IN (@object, @intent)
		UNION SELECT payment_id FROM attempts WHERE intent_id = @intent`,
		map[string]any{"object": objectID, "intent": intentID}).Scan(&ids).Error
	if err != nil {
		return "", fmt.Errorf("find the payment of %s: %w", objectID, err)
	}
	if len(ids) == 0 {
		return "", nil
	}
	return ids[0], nil
}

// RefundStatuses tells how our rows of the provider's refunds stand; one that none of them names is left out.
func (s *Service) RefundStatuses(ctx context.Context, providerIDs []string) (map[string]RefundStatus, error) {
	out := map[string]RefundStatus{}
	if len(providerIDs) == 0 {
		return out, nil
	}
	var rows []refundRow
	err := s.DB.WithContext(ctx).Raw(`SELECT `+refundColumns+` FROM refunds WHERE provider_id IN ?`, providerIDs).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read %d refunds: %w", len(providerIDs), err)
	}
	for _, r := range rows {
		out[*r.ProviderID] = r.Status
	}
	return out, nil
}

// AttemptStatuses tells how our attempts with the given intents stand; an intent that none of them names is left out.
func (s *Service) AttemptStatuses(ctx context.Context, intentIDs []string) (map[string]AttemptStatus, error) {
	out := map[string]AttemptStatus{}
	if len(intentIDs) == 0 {
		return out, nil
	}
	var rows []struct {
		ID     string
		Status AttemptStatus
	}
	err := s.DB.WithContext(ctx).Raw(`SELECT provider_id AS id, status FROM attempts WHERE provider_id IN @ids
		UNION ALL SELECT intent_id, status FROM attempts WHERE intent_id IN @ids`, map[string]any{"ids": intentIDs}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the attempts of %d intents: %w", len(intentIDs), err)
	}
	for _, r := range rows {
		out[r.ID] = r.Status
	}
	return out, nil
}
