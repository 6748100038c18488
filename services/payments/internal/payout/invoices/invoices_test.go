package invoices_test

import (
	"errors"
	"testing"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/invoices"
)

// An invoice is one movement, whoever asks how often; what differs is refused, and a mistake is taken back by a row of its own.
func TestBook_IsOnceByItsKeyAndByItsNumber_AndACorrectionIsAnotherRow(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	now := time.Date(2026, 12, 3, 9, 0, 0, 0, time.UTC)
	november := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	whole := invoices.Invoice{Provider: "mangopay", Number: "MG-11", Period: november, Amount: money.New(10000, money.EUR), VATMinor: 2550,
		Key: "november", Actor: "anna", Note: "the month's fees"}
	with := func(change func(i *invoices.Invoice)) invoices.Invoice {
		i := whole
		change(&i)
		return i
	}
	credit := func(number string, amount, vat int64) invoices.Invoice {
		return with(func(i *invoices.Invoice) {
			i.Number, i.Corrects, i.Key, i.Amount.Minor, i.VATMinor = number, "MG-11", number, amount, vat
		})
	}
	for _, step := range []struct {
		what  string
		in    invoices.Invoice
		isNew bool
		err   error
	}{
		{"nobody books it", with(func(i *invoices.Invoice) { i.Actor = " " }), false, invoices.ErrIncomplete},
		{"for no reason", with(func(i *invoices.Invoice) { i.Note = "" }), false, invoices.ErrIncomplete},
		{"without a key", with(func(i *invoices.Invoice) { i.Key = "" }), false, invoices.ErrIncomplete},
		{"without a number", with(func(i *invoices.Invoice) { i.Number = "" }), false, invoices.ErrIncomplete},
		{"of nothing", with(func(i *invoices.Invoice) { i.Amount.Minor = 0 }), false, invoices.ErrIncomplete},
		{"with less than no tax", with(func(i *invoices.Invoice) { i.VATMinor = -1 }), false, invoices.ErrIncomplete},
		{"with more tax than there is", with(func(i *invoices.Invoice) { i.VATMinor = 2701 }), false, invoices.ErrIncomplete},
		{"of a month that has not begun", with(func(i *invoices.Invoice) { i.Period = november.AddDate(0, 2, 0) }), false, invoices.ErrIncomplete},
		{"of a day", with(func(i *invoices.Invoice) { i.Period = november.AddDate(0, 0, 1) }), false, invoices.ErrIncomplete},
		{"a credit of nothing", credit("MG-K0", 100, 0), false, invoices.ErrCorrects},

		{"booked", whole, true, nil},
		{"again", whole, false, nil},
		{"again by another request", with(func(i *invoices.Invoice) { i.Key = "once more" }), false, nil},
		{"the number with another sum", with(func(i *invoices.Invoice) { i.Key, i.Amount.Minor = "x", 10001 }), false, invoices.ErrDiffers},
		{"the number with another tax", with(func(i *invoices.Invoice) { i.Key, i.VATMinor = "x", 0 }), false, invoices.ErrDiffers},
		{"the number of another month", with(func(i *invoices.Invoice) { i.Key, i.Period = "x", november.AddDate(0, -1, 0) }), false, invoices.ErrDiffers},
		{"the number, paid another way", with(func(i *invoices.Invoice) { i.Key, i.IsDeducted = "x", true }), false, invoices.ErrDiffers},
		{"the key with another number", with(func(i *invoices.Invoice) { i.Number = "MG-12" }), false, invoices.ErrDiffers},

		{"a part is taken back", credit("MG-K1", 4000, 1020), true, nil},
		{"again", credit("MG-K1", 4000, 1020), false, nil},
		{"another part", credit("MG-K2", 6000, 1530), true, nil},
		{"more than is left", credit("MG-K3", 1, 0), false, invoices.ErrCorrects},
		{"a credit of a credit", with(func(i *invoices.Invoice) {
			i.Number, i.Corrects, i.Key, i.Amount.Minor, i.VATMinor = "MG-K4", "MG-K1", "k4", 1, 0
		}), false,
			invoices.ErrCorrects},
		{"right this time", with(func(i *invoices.Invoice) { i.Number, i.Key, i.Amount.Minor, i.VATMinor = "MG-11b", "right", 9000, 0 }), true, nil},
		{"one that was deducted", with(func(i *invoices.Invoice) {
			i.Number, i.Key, i.Amount.Minor, i.VATMinor, i.IsDeducted = "MG-12", "december", 500, 0, true
		}), true, nil},
		{"back to where it was taken", with(func(i *invoices.Invoice) {
			i.Number, i.Corrects, i.Key, i.Amount.Minor, i.VATMinor = "MG-K5", "MG-12", "k5", 200, 0
		}), true, nil},
	} {
		isNew, err := invoices.Book(t.Context(), w.App.DB, step.in, now)
		if isNew != step.isNew || !errors.Is(err, step.err) {
			t.Errorf("%s: new %t, %v; want %t, %v", step.what, isNew, err, step.isNew, step.err)
		}
	}
	w.WantLedger(map[string]int64{"provider_fees:mangopay": 9300, "vat_input:mangopay": 0, "bank": -9000, "suspense:mangopay": -300})
	list, err := invoices.List(t.Context(), w.App.DB)
	if err != nil || len(list) != 6 || list[0].Number != "MG-K5" || list[0].Corrects != "MG-12" || !list[0].IsDeducted {
		t.Errorf("%d rows, %+v, %v", len(list), list, err)
	}
	if err := w.DB.Gorm.Exec(`UPDATE provider_invoices SET note = 'x'`).Error; err == nil {
		t.Error("an invoice can be changed")
	}
	w.Audit()
}
