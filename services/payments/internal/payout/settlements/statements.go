package settlements

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/payments/internal/charging/calendar"
)

// FeeDocument is our fee of a run, as a document for its creator's books.
type FeeDocument struct {
	RunID              string
	Year, Number       int // the number is that of the year's series
	IssuedOn           time.Time
	Currency           string
	NetMinor, VatMinor int64
	VatPoints          int64 // hundredths of a percent
	VatCountry         string
}

// Name is its number as its creator's books have it.
func (d FeeDocument) Name() string { return fmt.Sprintf("%d-%d", d.Year, d.Number) }

// issue writes the document of a run whose booking has just ended; none without a fee. Who issues another waits until this transaction has ended,
// so that no number is left out.
func (s *Service) issue(ctx context.Context, tx *gorm.DB, r Run) error {
	if r.FeeMinor == 0 {
		return nil
	}
	rates, err := RatesOn(ctx, tx, *r.RatesFrom)
	if err != nil {
		return err
	}
	day := calendar.DayOf(r.UpdatedAt)
	if err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock(hashtextextended('fee_documents', 0))`).Error; err != nil {
		return fmt.Errorf("wait for other fee documents: %w", err)
	}
	err = tx.WithContext(ctx).Exec(`INSERT INTO fee_documents (run_id, year, number, issued_on, currency, net_minor, vat_minor, vat_points, vat_country)
		SELECT @run, @year, coalesce(max(number), 0) + 1, @day, @currency, @net, @vat, @points, @country FROM fee_documents WHERE year = @year`,
		map[string]any{"run": r.ID, "year": day.Year(), "day": day.Format(time.DateOnly), "currency": r.Currency, "net": r.FeeMinor - r.VatMinor, "vat": r.VatMinor,
			"points": rates.VATPoints, "country": rates.VATCountry}).Error
	if err != nil {
		return fmt.Errorf("issue the fee document of run %s: %w", r.ID, err)
	}
	return nil
}

// Statement is what a creator keeps for their books of one payout.
type Statement struct {
	Payout  Payout
	Days    []StatementDay
	Fee     *FeeDocument // nil without a fee
	Credits []FeeCredit
}

// StatementDay is what was taken on a day.
type StatementDay struct {
	Day                           time.Time
	Charges                       int
	Gross, Fee, VAT, Reserve, Net int64 // minor units, as of Payout
}

// FeeCredit is what of a fee has gone back since, because a backer got their money back: a movement of the book, whose number it has.
type FeeCredit struct {
	Number             int64
	Day                time.Time
	NetMinor, VatMinor int64
}

// StatementOf gives the statement of a payout of a person's, once its lines are booked. Error: ErrNoRun.
func (s *Service) StatementOf(ctx context.Context, userID int64, runID string) (st Statement, err error) {
	list, err := s.payouts(ctx, userID, runID)
	if err != nil {
		return st, err
	}
	if len(list) != 1 || !list[0].IsBooked() {
		return st, fmt.Errorf("statement of %s: %w", runID, ErrNoRun)
	}
	st.Payout = list[0]
	params := map[string]any{"run": runID}
	err = s.DB.WithContext(ctx).Raw(`SELECT p.paid_on AS day, count(*) AS charges, sum(l.gross_minor)::bigint AS gross, sum(l.fee_minor)::bigint AS fee,
			sum(l.vat_minor)::bigint AS vat, sum(l.reserve_minor)::bigint AS reserve, sum(l.net_minor)::bigint AS net
		FROM `+bookedLines+` JOIN payments p ON p.id = l.payment_id WHERE l.gross_minor > 0 GROUP BY 1 ORDER BY 1`, params).Scan(&st.Days).Error
	if err != nil {
		return st, fmt.Errorf("read the days of run %s: %w", runID, err)
	}
	var fees []FeeDocument
	if err := s.DB.WithContext(ctx).Raw(`SELECT * FROM fee_documents WHERE run_id = @run`, params).Scan(&fees).Error; err != nil {
		return st, fmt.Errorf("read the fee document of run %s: %w", runID, err)
	}
	if len(fees) > 0 {
		st.Fee = &fees[0]
	}
	st.Credits, err = s.credits(ctx, runID)
	return st, err
}

// bookedLines are the lines of a run that were booked.
const bookedLines = `settlement_runs r JOIN settlement_lines l ON l.run_id = r.id AND l.run_id = @run AND l.version = r.version AND l.booked_at IS NOT NULL`

// statementLines asks for each payment of a run's, for its creator: the day, how it was paid, and its share of the payout.
func (s *Service) statementLines(ctx context.Context, runID string) *gorm.DB {
	return s.DB.WithContext(ctx).Raw(`SELECT p.paid_on, a.method, l.gross_minor, l.fee_minor, l.vat_minor, l.reserve_minor, l.net_minor, p.id
		FROM `+bookedLines+` JOIN payments p ON p.id = l.payment_id JOIN attempts a ON a.id = p.paid_attempt_id
		WHERE l.gross_minor > 0 ORDER BY p.paid_on, l.charge_ref`, map[string]any{"run": runID})
}

// credits lists what of a run's fee has gone back since. A charge that was settled twice, because a bank gave it back, is the later run's from then on.
func (s *Service) credits(ctx context.Context, runID string) (list []FeeCredit, err error) {
	err = s.DB.WithContext(ctx).Raw(`
		SELECT t.id AS number, t.booked_at AS day, sum(e.amount_minor) FILTER (WHERE a.class = 'platform_revenue')::bigint AS net_minor,
			coalesce(sum(e.amount_minor) FILTER (WHERE a.class = 'vat'), 0)::bigint AS vat_minor
		FROM `+bookedLines+`
		JOIN ledger_transactions t ON t.provider = r.provider AND t.charge_ref = l.charge_ref AND t.kind <> 'settlement' AND t.booked_at >= l.booked_at
		JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id AND a.class IN ('platform_revenue', 'vat')
		WHERE NOT EXISTS (SELECT FROM settlement_lines o JOIN settlement_runs n ON n.id = o.run_id AND n.version = o.version
			WHERE o.charge_ref = l.charge_ref AND o.run_id <> l.run_id AND o.gross_minor > 0 AND o.booked_at > l.booked_at AND o.booked_at <= t.booked_at)
		GROUP BY t.id HAVING sum(e.amount_minor) FILTER (WHERE a.class = 'platform_revenue') <> 0 ORDER BY t.id`, map[string]any{"run": runID}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read what of the fee of run %s went back: %w", runID, err)
	}
	for i := range list {
		list[i].Day = calendar.DayOf(list[i].Day)
	}
	return list, nil
}
