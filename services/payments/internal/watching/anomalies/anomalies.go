// Package anomalies keeps what no rule can settle, until a person closes it or it has mended itself.
//
// There is one row for each kind and reference: seen again while it is open, it gets a new time and detail; seen after
// it was closed, it is opened anew. Opening one is written in the transaction that found it. Each kind has a page in
// proto-docs/runbooks that says what to do.
package anomalies

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
)

// Kind of an anomaly.
type Kind string

// The kinds; constraint anomalies_kind has the same.
const (
	HeldMoney         Kind = "held_money"         // a charge does not fit its payment
	UnknownCharge     Kind = "unknown_charge"     // the provider has money under our name that no order explains
	RefundFailed      Kind = "refund_failed"      // a backer still waits for money that we promised
	RefundStuck       Kind = "refund_stuck"       // the provider does not take a refund, or does not settle it
	DisputeStuck      Kind = "dispute_stuck"      // a bank does not give back what it has said to
	PaymentStuck      Kind = "payment_stuck"      // a payment is open long after its time
	LedgerDifference  Kind = "ledger_difference"  // the book and the provider's balance differ
	BalanceDifference Kind = "balance_difference" // a place of our balance has another sum by the book, the provider's list or its balance
	LedgerRefused     Kind = "ledger_refused"     // the book refused a movement that happened
	CardTesting       Kind = "card_testing"       // more cards are refused than people mistype
	PayeeMissing      Kind = "payee_missing"      // a provider says that it does not have a creator's account
	RefundsUncovered  Kind = "refunds_uncovered"  // there is too little at a provider to give a campaign's money back
)

// Kinds are all of them.
func Kinds() []Kind {
	return []Kind{HeldMoney, UnknownCharge, RefundFailed, RefundStuck, DisputeStuck, PaymentStuck, LedgerDifference, BalanceDifference,
		LedgerRefused, CardTesting, PayeeMissing, RefundsUncovered}
}

// Itself is the name under resolved_by of an anomaly that was closed by the service, because its cause is gone.
const Itself = "service"

// Anomaly is a thing for a person to look at.
type Anomaly struct {
	ID         int64
	Kind       Kind
	Provider   string
	Reference  string // the provider's id, or ours
	PaymentID  *string
	Detail     map[string]string `gorm:"-"`
	FoundAt    time.Time
	SeenAt     time.Time
	Times      int
	ResolvedAt *time.Time
	ResolvedBy string
	Note       string
}

// Open keeps an anomaly in the caller's transaction, or outside one, and reports whether that is news: it was not open.
func Open(ctx context.Context, db *gorm.DB, a Anomaly, now time.Time) (bool, error) {
	detail, err := json.Marshal(a.Detail)
	if err != nil {
		return false, fmt.Errorf("encode anomaly: %w", err)
	}
	var wasOpen []bool
	err = db.WithContext(ctx).Raw(`WITH before AS (
			SELECT resolved_at IS NULL AS open FROM anomalies WHERE kind = @kind AND provider = @provider AND reference = @reference)
		INSERT INTO anomalies (kind, provider, reference, payment_id, detail, found_at, seen_at)
		VALUES (@kind, @provider, @reference, @payment, @detail, @now, @now)
		ON CONFLICT (kind, provider, reference) DO UPDATE SET seen_at = excluded.seen_at, detail = excluded.detail, resolved_at = NULL,
			resolved_by = '', times = anomalies.times + CASE WHEN anomalies.resolved_at IS NULL THEN 0 ELSE 1 END,
			payment_id = coalesce(excluded.payment_id, anomalies.payment_id)
		RETURNING coalesce((SELECT open FROM before), false)`, map[string]any{
		"kind": a.Kind, "provider": a.Provider, "reference": a.Reference, "payment": a.PaymentID, "detail": string(detail),
		"now": now,
	}).Scan(&wasOpen).Error
	if err != nil {
		return false, fmt.Errorf("open %s of %s: %w", a.Kind, a.Reference, err)
	}
	return len(wasOpen) == 1 && !wasOpen[0], nil
}

// Mend closes an anomaly whose cause is gone. One that is not open is left as it is.
func Mend(ctx context.Context, db *gorm.DB, kind Kind, provider, reference, note string, now time.Time) error {
	return resolve(ctx, db, `kind = @kind AND provider = @provider AND reference = @reference`,
		map[string]any{"kind": kind, "provider": provider, "reference": reference}, Itself, note, now)
}

// MendPayment closes what was wrong with a payment, for whichever provider it was opened: while it is open, a payment goes from one to another.
func MendPayment(ctx context.Context, db *gorm.DB, kind Kind, paymentID, note string, now time.Time) error {
	return resolve(ctx, db, `kind = @kind AND reference = @reference`, map[string]any{"kind": kind, "reference": paymentID}, Itself, note, now)
}

// Settle closes what is open of a kind and reference because a person has dealt with it.
func Settle(ctx context.Context, db *gorm.DB, kind Kind, provider, reference, actor, note string, now time.Time) error {
	return resolve(ctx, db, `kind = @kind AND provider = @provider AND reference = @reference`,
		map[string]any{"kind": kind, "provider": provider, "reference": reference}, actor, note, now)
}

// Resolve closes one by its id at a person's word. Error: NotFound.
func Resolve(ctx context.Context, db *gorm.DB, id int64, actor, note string, now time.Time) error {
	a, err := ByID(ctx, db, id)
	if err != nil || a.ResolvedAt != nil {
		return err
	}
	return resolve(ctx, db, `id = @id`, map[string]any{"id": id}, actor, note, now)
}

func resolve(ctx context.Context, db *gorm.DB, which string, args map[string]any, by, note string,
	now time.Time) error {
	args["by"], args["note"], args["now"] = by, note, now
	err := db.WithContext(ctx).Exec(`UPDATE anomalies SET resolved_at = @now, resolved_by = @by, note = @note
		WHERE resolved_at IS NULL AND `+which, args).Error
	if err != nil {
		return fmt.Errorf("close anomalies: %w", err)
	}
	return nil
}

// Was reports whether an anomaly was ever opened, closed or not.
func Was(ctx context.Context, db *gorm.DB, kind Kind, provider, reference string) (was bool, err error) {
	err = db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM anomalies WHERE kind = ? AND provider = ? AND reference = ?)`, kind, provider, reference).Scan(&was).Error
	if err != nil {
		return false, fmt.Errorf("look for %s of %s: %w", kind, reference, err)
	}
	return was, nil
}

// ByID reads one. Error: NotFound.
func ByID(ctx context.Context, db *gorm.DB, id int64) (Anomaly, error) {
	list, err := read(ctx, db, `WHERE id = ?`, id)
	if err == nil && len(list) == 0 {
		err = apperr.New(apperr.NotFound)
	}
	if err != nil {
		return Anomaly{}, err
	}
	return list[0], nil
}

// List reads the open ones, oldest first, or all of them, newest first.
func List(ctx context.Context, db *gorm.DB, all bool) ([]Anomaly, error) {
	if all {
		return read(ctx, db, `ORDER BY found_at DESC, id DESC`)
	}
	return read(ctx, db, `WHERE resolved_at IS NULL ORDER BY found_at, id`)
}

// Page reads some of those that are open, the oldest first, or of those that are closed, the latest first, and says how many there are.
func Page(ctx context.Context, db *gorm.DB, isClosed bool, limit, offset int) (list []Anomaly, total int, err error) {
	where, order := `WHERE resolved_at IS NULL `, `ORDER BY found_at, id LIMIT ? OFFSET ?`
	if isClosed {
		where, order = `WHERE resolved_at IS NOT NULL `, `ORDER BY resolved_at DESC, id DESC LIMIT ? OFFSET ?`
	}
	if err = db.WithContext(ctx).Raw(`SELECT count(*) FROM anomalies ` + where).Scan(&total).Error; err != nil {
		return nil, 0, fmt.Errorf("count anomalies: %w", err)
	}
	list, err = read(ctx, db, where+order, limit, offset)
	return list, total, err
}

// OfPayment reads those of a payment, closed or not.
func OfPayment(ctx context.Context, db *gorm.DB, paymentID string) ([]Anomaly, error) {
	return read(ctx, db, `WHERE payment_id = ? ORDER BY found_at, id`, paymentID)
}

// OpenOf reads the open ones of a kind.
func OpenOf(ctx context.Context, db *gorm.DB, kind Kind, provider string) ([]Anomaly, error) {
	return read(ctx, db, `WHERE resolved_at IS NULL AND kind = ? AND provider = ? ORDER BY id`, kind, provider)
}

func read(ctx context.Context, db *gorm.DB, where string, args ...any) ([]Anomaly, error) {
	var rows []struct {
		Anomaly
		DetailJSON []byte
	}
	err := db.WithContext(ctx).Raw(`SELECT id, kind, provider, reference, payment_id, detail AS detail_json, found_at, seen_at, times,
		resolved_at, resolved_by, note FROM anomalies `+where, args...).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read anomalies: %w", err)
	}
	out := make([]Anomaly, len(rows))
	for i, r := range rows {
		out[i] = r.Anomaly
		if err := json.Unmarshal(r.DetailJSON, &out[i].Detail); err != nil {
			return nil, fmt.Errorf("read anomaly %d: %w", r.ID, err)
		}
	}
	return out, nil
}
