package desk

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/typed"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/calendar"
)

// mostDays is how many days one journal has.
const mostDays = 31

// journalHead names the columns, in the language in which the books are kept.
const journalHead = "\ufeffPäivä;Tosite;Laji;Maksupalvelu;Viite;Tili;Debet;Kredit;Valuutta;Maksu;Tekijä;Selite\r\n"

// DeskJournal gives the ledger's movements of some days, which spreadsheets of Finland open as they are: a mark, semicolons, decimal commas. A
// fault in the middle cuts the connection off, so that nobody takes a part for the whole.
func (h *Handlers) DeskJournal(c echo.Context, params api.DeskJournalParams) error {
	if _, err := h.staff(c); err != nil {
		return err
	}
	days := int(params.To.Sub(params.From.Time).Hours()/24) + 1
	if days < 1 || days > mostDays {
		return apperr.New(apperr.InvalidFields).WithField("to", apperr.RuleDate)
	}
	rows, err := h.DB.WithContext(c.Request().Context()).Raw(`SELECT t.id, t.booked_at, t.kind, t.provider, t.reference, a.name, e.amount_minor, e.currency, coalesce(t.payment_id, ''),
			t.actor, t.note
		FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
		WHERE t.booked_at >= ? AND t.booked_at < ? ORDER BY t.booked_at, t.id, e.id`, calendar.Start(params.From.Time), calendar.Start(calendar.Add(params.To.Time, 1))).Rows()
	if err != nil {
		return fmt.Errorf("read the journal: %w", err)
	}
	defer func() { _ = rows.Close() }()
	res := c.Response()
	res.Header().Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	res.Header().Set(echo.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="journal-%s-%s.csv"`, params.From.Format(time.DateOnly), params.To.Format(time.DateOnly)))
	res.WriteHeader(http.StatusOK)
	if _, err := res.Write([]byte(journalHead)); err != nil {
		return err
	}
	for rows.Next() {
		var id, minor int64
		var booked time.Time
		var kind, provider, reference, account, currency, payment, actor, note string
		if err := rows.Scan(&id, &booked, &kind, &provider, &reference, &account, &minor, &currency, &payment, &actor, &note); err != nil {
			panic(http.ErrAbortHandler)
		}
		debit, credit := major(minor), ""
		if minor < 0 {
			debit, credit = "", major(-minor)
		}
		line := []string{calendar.DayOf(booked).Format("02.01.2006"), fmt.Sprint(id), kind, provider, reference, account, debit, credit, currency, payment, actor, note}
		for i, cell := range line {
			line[i] = quoted(cell)
		}
		if _, err := res.Write([]byte(strings.Join(line, ";") + "\r\n")); err != nil {
			return err
		}
	}
	if rows.Err() != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

// major is a sum of cents with a decimal comma.
func major(minor int64) string { return fmt.Sprintf("%d,%02d", minor/100, minor%100) }

// quoted is a cell: no spreadsheet reads one as a formula.
func quoted(cell string) string {
	cell = typed.Cell(cell)
	if strings.ContainsAny(cell, "\";\r\n") {
		return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
	}
	return cell
}
