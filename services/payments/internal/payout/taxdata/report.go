package taxdata

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/sheets"
)

// creatorsClasses are the accounts of the book that say what is a creator's: payable, kept back, and less what they owe.
const creatorsClasses = `('creator_payable', 'reserve', 'creator_debt')`

// payeeOf is the number of the creator whose account of the book it is.
const payeeOf = `CASE WHEN a.class IN ` + creatorsClasses + ` THEN CAST(split_part(a.name, ':', 3) AS bigint) END`

// unreported are the movements of these accounts that are no consideration: money that was the creator's before reaches them, and a loss of ours.
const unreported = `('transfer', 'transfer_reversed', 'write_off')`

// quartersSQL adds up by creator, currency, year and quarter (in Finland, by the day on which it was booked) what was credited to them less what went
// back, what of it we kept with its tax, and how many payments of backers were settled. What only moves between their accounts cancels out.
const quartersSQL = `quarters AS (
	SELECT payee, currency, CAST(extract(year FROM at) AS int) AS year, CAST(extract(quarter FROM at) AS int) AS quarter, CAST(sum(-minor) AS bigint) AS consideration,
		CAST(sum(fee) AS bigint) AS fee, count(DISTINCT charge_ref) FILTER (WHERE kind = 'settlement') AS activities
	FROM (
		SELECT ` + payeeOf + ` AS payee, t.currency, t.booked_at AT TIME ZONE 'Europe/Helsinki' AS at, t.kind, t.charge_ref, sum(e.amount_minor) AS minor,
			(SELECT coalesce(-sum(o.amount_minor), 0) FROM ledger_entries o JOIN ledger_accounts f ON f.id = o.account_id AND f.class IN ('platform_revenue', 'vat')
				WHERE o.transaction_id = t.id) AS fee
		FROM ledger_accounts a JOIN ledger_entries e ON e.account_id = a.id JOIN ledger_transactions t ON t.id = e.transaction_id
		WHERE a.class IN ` + creatorsClasses + ` AND t.kind NOT IN ` + unreported + ` AND t.booked_at >= @from AND t.booked_at < @to %s
		GROUP BY 1, t.id) movements
	GROUP BY 1, 2, 3, 4)`

// Quarter is what is reported of a quarter, in minor units.
type Quarter struct {
	Consideration int64 `json:"consideration_minor"`
	Fee           int64 `json:"fee_minor"`
	Activities    int   `json:"payments"`
}

// Year is what is reported of a creator for a year.
type Year struct {
	Year     int       `json:"year"`
	Currency string    `json:"currency"`
	Quarters []Quarter `json:"quarters"` // four
}

// Reports are what is reported of a person's account, the newest year first.
func (s *Service) Reports(ctx context.Context, userID int64) (years []Year, err error) {
	var rows []struct {
		Currency      string
		Year, Quarter int
		Quarters      Quarter `gorm:"embedded"`
	}
	err = s.DB.WithContext(ctx).Raw(`WITH `+fmt.Sprintf(quartersSQL, `AND `+payeeOf+` IN `+numbersSQL)+`
		SELECT currency, year, quarter, CAST(sum(consideration) AS bigint) AS consideration, CAST(sum(fee) AS bigint) AS fee, CAST(sum(activities) AS bigint) AS activities
		FROM quarters GROUP BY 1, 2, 3 ORDER BY 2 DESC, 1, 3`,
		map[string]any{"user": userID, "from": time.Unix(0, 0).UTC(), "to": s.Now().Add(day)}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("add up what is reported of account %d: %w", userID, err)
	}
	for _, r := range rows {
		if n := len(years); n == 0 || years[n-1].Year != r.Year || years[n-1].Currency != r.Currency {
			years = append(years, Year{Year: r.Year, Currency: r.Currency, Quarters: make([]Quarter, 4)})
		}
		years[len(years)-1].Quarters[r.Quarter-1] = r.Quarters
	}
	return years, nil
}

// sheetSQL is a row for each creator and currency of a year. A number of the book is the account's that has it, or had it until it was erased.
const sheetSQL = `WITH %s, owners AS (
	SELECT DISTINCT ON (number) number, user_id FROM (
		SELECT unnest(payee_numbers) AS number, user_id, 1 AS rank FROM tax_records WHERE erased_at IS NOT NULL
		UNION ALL SELECT r.payee_id, p.user_id, 2 FROM settlement_runs r JOIN payees p ON p.provider = r.provider AND p.ref = r.payee_ref
			WHERE p.user_id IS NOT NULL AND p.ref <> '') known ORDER BY number, rank, user_id),
	sums AS (SELECT coalesce(o.user_id, q.payee) AS user_id, q.currency%s FROM quarters q LEFT JOIN owners o ON o.number = q.payee GROUP BY 1, 2)
	SELECT s.*, coalesce(r.version, 0), coalesce(r.key_id, ''), r.sealed FROM sums s LEFT JOIN tax_records r ON r.user_id = s.user_id ORDER BY s.user_id, s.currency`

// sumsSQL are the columns of the four quarters.
var sumsSQL = func() string { //nolint:gochecknoglobals // a constant that Go cannot have
	var columns strings.Builder
	for quarter := 1; quarter <= 4; quarter++ {
		for _, what := range []string{"consideration", "fee", "activities"} {
			fmt.Fprintf(&columns, ", CAST(coalesce(sum(q.%s) FILTER (WHERE q.quarter = %d), 0) AS bigint)", what, quarter)
			fmt.Fprintf(&columns, " AS %s_%d", what, quarter)
		}
	}
	return columns.String()
}()

// sheet asks for the rows of a year: of all creators, or of one's account.
func (s *Service) sheet(ctx context.Context, year int, userID int64) *gorm.DB {
	args := map[string]any{"from": calendar.Start(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)), "to": calendar.Start(time.Date(year+1, 1, 1, 0, 0, 0, 0, time.UTC))}
	only := ""
	if userID != 0 {
		args["user"], only = userID, `AND `+payeeOf+` IN `+numbersSQL
	}
	return s.DB.WithContext(ctx).Raw(fmt.Sprintf(sheetSQL, fmt.Sprintf(quartersSQL, only), sumsSQL), args)
}

// Answer writes the report of a year as a table: of all creators, or with an account's id of that one alone.
func (s *Service) Answer(c echo.Context, year int, language string, userID int64) error {
	head := slices.Clone(heads[language])
	for quarter := 1; quarter <= 4; quarter++ {
		for _, what := range quarterHeads[language] {
			head = append(head, fmt.Sprintf("%d/%d %s", quarter, year, what))
		}
	}
	head = append(head, missingHead[language])
	return sheets.Answer(c, fmt.Sprintf("tax-report-%d", year), head, s.sheet(c.Request().Context(), year, userID), func(scan func(...any) error) ([]string, error) {
		return s.cells(scan, language)
	})
}

func (s *Service) cells(scan func(...any) error, language string) ([]string, error) {
	var userID, version int64
	var currency, keyID string
	var box []byte
	var sums [12]int64
	into := []any{&userID, &currency}
	for i := range sums {
		into = append(into, &sums[i])
	}
	if err := scan(append(into, &version, &keyID, &box)...); err != nil {
		return nil, err
	}
	d, isLost, err := s.said(record{UserID: userID, Version: version, KeyID: keyID, Sealed: box})
	if err != nil {
		return nil, err
	}
	missing := d.Missing()
	tin, place, born := TIN{}, "", ""
	if d.TIN != nil {
		tin = *d.TIN
	}
	if d.BirthPlace != nil {
		place = d.BirthPlace.City + ", " + d.BirthPlace.Country
	}
	if at, err := time.Parse(time.DateOnly, d.BirthDate); err == nil {
		born = sheets.Day(at)
	}
	row := []string{fmt.Sprint(userID), kindNames[language][d.Kind], d.LastName, d.FirstName, d.LegalName, born, place, d.Address.Street, d.Address.PostalCode, d.Address.City,
		d.Address.Country, tin.Country, tin.Number, d.VAT, d.RegistrationNumber, currency}
	for i, sum := range sums {
		if i%3 == 2 {
			row = append(row, fmt.Sprint(sum))
		} else {
			row = append(row, sheets.Sum(sum))
		}
	}
	names := make([]string, len(missing))
	for i, part := range missing {
		names[i] = partNames[language][part]
	}
	if isLost {
		names = []string{lostWords[language]}
	}
	return append(row, strings.Join(names, ", ")), nil
}
