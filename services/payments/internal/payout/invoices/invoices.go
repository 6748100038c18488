// Package invoices books what providers bill: provider B takes no fee of a charge and sends an invoice each month.
//
// It owns provider_invoices. Invariants: a row is one movement in the ledger, written with it; it is never changed, and a mistake is taken
// back by a row of its own; the same request and the same number of a provider are the same invoice, whatever is said of it later.
package invoices

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
)

// maxVAT is the highest rate of tax in the union, in percent: more is a slip of the pen.
const maxVAT = 27

// Errors of booking; test with errors.Is.
var (
	// ErrIncomplete means that an invoice lacks a part, or that its sums or its month cannot be.
	ErrIncomplete = errors.New("an invoice needs a provider, a number, a month that has begun, a positive amount with its tax, a key, " +
		"who books it (actor) and why (note)")
	// ErrDiffers means that the key or the number was booked before with something else.
	ErrDiffers = errors.New("it was booked differently before; take it back by a row that corrects it")
	// ErrCorrects means that a credit takes back what is not there: no such invoice, another currency, or more than is left of it.
	ErrCorrects = errors.New("it corrects no invoice, or more than is left of one")
)

// Invoice is what a provider has billed, or with Corrects what is taken back of it.
type Invoice struct {
	Provider, Number string
	// Corrects is the number of the invoice that this one takes back, wholly or in part; "" for an invoice.
	Corrects string
	Period   time.Time // the first day of its month, in UTC
	// Amount is without its tax, which is VATMinor.
	Amount   money.Amount `gorm:"embedded"`
	VATMinor int64
	// IsDeducted says that the provider took it from our balance there, where it stands in suspense; else our bank paid it. A credit goes
	// back to where its invoice was paid from.
	IsDeducted  bool
	Key         string // of the request
	Actor, Note string
}

// Gross is the amount with its tax.
func (i Invoice) Gross() money.Amount { return money.New(i.Amount.Minor+i.VATMinor, i.Amount.Currency) }

func (i Invoice) isWhole(now time.Time) bool {
	for _, text := range []string{i.Provider, i.Number, i.Key, i.Actor, i.Note} {
		if strings.TrimSpace(text) == "" {
			return false
		}
	}
	firstDay := i.Period.Equal(time.Date(i.Period.Year(), i.Period.Month(), 1, 0, 0, 0, 0, time.UTC))
	return firstDay && i.Period.Before(now) && i.Amount.Minor > 0 && i.Amount.Currency != "" && i.VATMinor >= 0 &&
		i.VATMinor*100 <= i.Amount.Minor*maxVAT+50
}

// row is an invoice as it is kept.
type row struct {
	ID, Provider, Number, Corrects string
	Period                         time.Time
	Amount                         money.Amount `gorm:"embedded"`
	VATMinor                       int64
	IsDeducted                     bool
	RequestKey                     string
}

const rowsSQL = `SELECT i.id, i.provider, i.number, coalesce(c.number, '') AS corrects, i.period, i.amount_minor AS minor, i.currency, i.vat_minor, i.is_deducted,
	i.request_key FROM provider_invoices i LEFT JOIN provider_invoices c ON c.id = i.corrects `

func (r row) isSame(i Invoice) bool {
	return r.Provider == i.Provider && r.Number == i.Number && r.Corrects == i.Corrects && r.Period.Equal(i.Period) && r.Amount == i.Amount &&
		r.VATMinor == i.VATMinor && r.IsDeducted == i.IsDeducted
}

// Book books an invoice, or a credit of one, and reports whether it is new. Errors: ErrIncomplete, ErrDiffers, ErrCorrects.
func Book(ctx context.Context, db *gorm.DB, i Invoice, now time.Time) (isNew bool, err error) {
	if !i.isWhole(now) {
		return false, ErrIncomplete
	}
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		tx = tx.WithContext(ctx)
		isNew = false
		if err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended('provider_invoices', 0))`).Error; err != nil { // a few a month
			return err
		}
		var of row
		if i.Corrects != "" {
			if of, err = corrected(tx, i); err != nil {
				return err
			}
			i.IsDeducted = of.IsDeducted
		}
		var before []row
		if err := tx.Raw(rowsSQL+`WHERE i.request_key = ? OR i.provider = ? AND i.number = ?`, i.Key, i.Provider, i.Number).Scan(&before).Error; err != nil {
			return err
		}
		for _, r := range before {
			if !r.isSame(i) {
				return fmt.Errorf("%s of %s is booked as %s of %s: %w", i.Number, i.Provider, r.Number, r.Amount, ErrDiffers)
			}
		}
		if len(before) > 0 {
			return nil
		}
		isNew = true
		return i.write(ctx, tx, of, now)
	})
	if err != nil {
		return false, fmt.Errorf("book an invoice: %w", err)
	}
	return isNew, nil
}

// corrected is the invoice that a credit takes back, of which enough is left beside what others have taken back. Error: ErrCorrects.
func corrected(tx *gorm.DB, i Invoice) (of row, err error) {
	var list []row
	if err := tx.Raw(rowsSQL+`WHERE i.provider = ? AND i.number = ? AND i.corrects IS NULL`, i.Provider, i.Corrects).Scan(&list).Error; err != nil {
		return of, err
	}
	if len(list) == 0 {
		return of, ErrCorrects
	}
	var left struct{ Amount, VAT int64 }
	err = tx.Raw(`SELECT coalesce(sum(amount_minor), 0)::bigint AS amount, coalesce(sum(vat_minor), 0)::bigint AS vat FROM provider_invoices
		WHERE corrects = ? AND number <> ?`, list[0].ID, i.Number).Scan(&left).Error
	if err == nil && (list[0].Amount.Currency != i.Amount.Currency || left.Amount+i.Amount.Minor > list[0].Amount.Minor || left.VAT+i.VATMinor > list[0].VATMinor) {
		err = ErrCorrects
	}
	return list[0], err
}

// write keeps the invoice with its movement. It happened when its month ended, or now when that has not ended.
func (i Invoice) write(ctx context.Context, tx *gorm.DB, of row, now time.Time) error {
	now = now.UTC().Truncate(time.Microsecond)
	m := ledger.Movement{Kind: ledger.ProviderInvoice, Provider: i.Provider, Reference: i.Number, Amount: i.Gross(), To: ledger.Bank,
		Shares: ledger.Shares{VAT: i.VATMinor}, Happened: i.Period.AddDate(0, 1, 0), Booked: now, Actor: i.Actor, Note: i.Note}
	if i.IsDeducted {
		m.To = ledger.Suspense
	}
	if m.Happened.After(now) {
		m.Happened = now
	}
	var corrects *string
	if of.ID != "" {
		opening, err := ledger.TransactionOf(ctx, tx, i.Provider, ledger.ProviderInvoice, i.Corrects)
		if err != nil {
			return err
		}
		m.Kind, m.Opening, corrects = ledger.ProviderCredit, opening, &of.ID
	}
	err := tx.Exec(`INSERT INTO provider_invoices (provider, number, corrects, period, amount_minor, vat_minor, currency, is_deducted, request_key, actor, note, at)
		VALUES (@provider, @number, CAST(@corrects AS bigint), @period, @amount, @vat, @currency, @deducted, @key, @actor, @note, @at)`, map[string]any{
		"provider": i.Provider, "number": i.Number, "corrects": corrects, "period": i.Period, "amount": i.Amount.Minor, "vat": i.VATMinor,
		"currency": i.Amount.Currency, "deducted": i.IsDeducted, "key": i.Key, "actor": i.Actor, "note": i.Note, "at": now}).Error
	if err != nil {
		return err
	}
	_, err = ledger.Post(ctx, tx, m)
	return err
}

// Booked is an invoice or credit with when and by whom it was booked.
type Booked struct {
	Provider, Number, Corrects string
	Period                     time.Time
	Amount                     money.Amount `gorm:"embedded"`
	VATMinor                   int64
	IsDeducted                 bool
	Actor, Note                string
	At                         time.Time
}

// List is what was booked, the newest first.
func List(ctx context.Context, db *gorm.DB) (list []Booked, err error) {
	err = db.WithContext(ctx).Raw(`SELECT i.provider, i.number, coalesce(c.number, '') AS corrects, i.period, i.amount_minor AS minor, i.currency, i.vat_minor,
		i.is_deducted, i.actor, i.note, i.at FROM provider_invoices i LEFT JOIN provider_invoices c ON c.id = i.corrects ORDER BY i.id DESC`).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list invoices: %w", err)
	}
	return list, nil
}
