package desk

import (
	"fmt"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/sheets"
)

// mostDays is how many days one journal has.
const mostDays = 31

// journalHead names the columns, in the language in which the books are kept.
var journalHead = []string{ //nolint:gochecknoglobals // a constant that Go cannot have
	"Päivä", "Tosite", "Laji", "Maksupalvelu", "Viite", "Tili", "Debet", "Kredit", "Valuutta", "Maksu", "Tekijä", "Selite"}

// atMost refuses more days than a sheet has, and none.
func atMost(most int, from, to time.Time) error {
	if days := int(to.Sub(from).Hours()/24) + 1; days < 1 || days > most {
		return apperr.New(apperr.InvalidFields).WithField("to", apperr.RuleDate)
	}
	return nil
}

// DeskJournal gives the ledger's movements of some days.
func (h *Handlers) DeskJournal(c echo.Context, params api.DeskJournalParams) error {
	if _, err := h.staff(c); err != nil {
		return err
	}
	if err := atMost(mostDays, params.From.Time, params.To.Time); err != nil {
		return err
	}
	query := h.DB.WithContext(c.Request().Context()).Raw(`SELECT t.id, t.booked_at, t.kind, t.provider, t.reference, a.name, e.amount_minor, e.currency, coalesce(t.payment_id, ''),
			t.actor, t.note
		FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
		WHERE t.booked_at >= ? AND t.booked_at < ? ORDER BY t.booked_at, t.id, e.id`, calendar.Start(params.From.Time), calendar.Start(calendar.Add(params.To.Time, 1)))
	name := fmt.Sprintf("journal-%s-%s", params.From.Format(time.DateOnly), params.To.Format(time.DateOnly))
	return sheets.Answer(c, name, journalHead, query, func(scan func(...any) error) ([]string, error) {
		var id, minor int64
		var booked time.Time
		var kind, provider, reference, account, currency, payment, actor, note string
		if err := scan(&id, &booked, &kind, &provider, &reference, &account, &minor, &currency, &payment, &actor, &note); err != nil {
			return nil, err
		}
		debit, credit := sheets.Sum(minor), ""
		if minor < 0 {
			debit, credit = "", sheets.Sum(-minor)
		}
		return []string{sheets.Day(calendar.DayOf(booked)), fmt.Sprint(id), kind, provider, reference, account, debit, credit, currency, payment, actor, note}, nil
	})
}
