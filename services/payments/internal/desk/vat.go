package desk

import (
	"fmt"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/sheets"
)

// mostVATDays is how many days one sheet of value added tax has: a year.
const mostVATDays = 366

// vatHead names the columns, in the language in which the books are kept.
var vatHead = []string{ //nolint:gochecknoglobals // a constant that Go cannot have
	"Kuukausi", "Myynti tai osto", "Maa", "Verokanta %", "Valuutta", "Veroton", "Vero", "Yhteensä", "Tositteita"}

// vatSQL adds up by month what was sold (our fees, by the rate of the run that settled their charge; what of them went back with a backer's money
// lowers them) and what was bought (providers' bills with their tax). What providers keep without a bill has no tax of ours.
const vatSQL = `SELECT to_char(month, 'YYYY-MM'), is_sale, country, points, currency, sum(net)::bigint, sum(tax)::bigint, count(*) FROM (
		SELECT date_trunc('month', t.booked_at AT TIME ZONE 'Europe/Helsinki') AS month, t.currency,
			bool_or(a.class IN ('vat', 'platform_revenue')) AS is_sale,
			coalesce(max(split_part(a.name, ':', 2)) FILTER (WHERE a.class = 'vat'), '') AS country,
			CASE WHEN bool_or(a.class IN ('vat', 'platform_revenue')) THEN (SELECT s.vat_points FROM settlement_lines l JOIN settlement_runs r ON r.id = l.run_id AND r.version = l.version
				JOIN settlement_rates s ON s.from_day = r.rates_from
				WHERE r.provider = t.provider AND l.charge_ref = t.charge_ref AND l.booked_at IS NOT NULL ORDER BY l.booked_at DESC LIMIT 1) END AS points,
			sum(e.amount_minor * CASE WHEN a.class IN ('vat', 'platform_revenue') THEN -1 ELSE 1 END) FILTER (WHERE a.class IN ('platform_revenue', 'provider_fees')) AS net,
			sum(e.amount_minor * CASE WHEN a.class = 'vat' THEN -1 ELSE 1 END) FILTER (WHERE a.class IN ('vat', 'vat_input')) AS tax
		FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
		WHERE t.booked_at >= ? AND t.booked_at < ? AND a.class IN ('platform_revenue', 'vat', 'provider_fees', 'vat_input')
		GROUP BY t.id HAVING bool_or(a.class IN ('platform_revenue', 'vat', 'vat_input'))) t
	GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2 DESC, 3, 4, 5`

// DeskVat gives the value added tax of some days by month.
func (h *Handlers) DeskVat(c echo.Context, params api.DeskVatParams) error {
	if _, err := h.staff(c); err != nil {
		return err
	}
	if err := atMost(mostVATDays, params.From.Time, params.To.Time); err != nil {
		return err
	}
	query := h.DB.WithContext(c.Request().Context()).Raw(vatSQL, calendar.Start(params.From.Time), calendar.Start(calendar.Add(params.To.Time, 1)))
	name := fmt.Sprintf("vat-%s-%s", params.From.Format(time.DateOnly), params.To.Format(time.DateOnly))
	return sheets.Answer(c, name, vatHead, query, func(scan func(...any) error) ([]string, error) {
		var month, country, currency string
		var isSale bool
		var points, net, tax *int64
		var documents int64
		if err := scan(&month, &isSale, &country, &points, &currency, &net, &tax, &documents); err != nil {
			return nil, err
		}
		is, rate := "osto", ""
		if isSale {
			is = "myynti"
		}
		if points != nil {
			rate = sheets.Sum(*points)
		}
		return []string{month, is, country, rate, currency, sheets.Sum(orNone(net)), sheets.Sum(orNone(tax)), sheets.Sum(orNone(net) + orNone(tax)), fmt.Sprint(documents)}, nil
	})
}

func orNone(minor *int64) int64 {
	if minor == nil {
		return 0
	}
	return *minor
}
