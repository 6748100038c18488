package desk

import (
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// balancesSQL reads a page of what the daily comparison has kept, with whose wallet a place is and the open anomaly of what differs. Indexes balance_days_newest and
// balance_days_differing serve it.
const balancesSQL = `SELECT b.provider, b.place, w.campaign_id, b.day, b.compared_at, b.currency, b.book_minor, b.objects_minor - b.foreign_minor AS objects_minor,
		b.balance_minor - b.foreign_minor AS balance_minor, b.foreign_minor, b.verdict, a.id AS anomaly_id
	FROM (SELECT * FROM balance_days WHERE %s ORDER BY day DESC, provider, place, currency LIMIT @limit OFFSET @offset) b
	LEFT JOIN campaign_wallets w ON w.ref = b.place AND w.ref <> ''
	LEFT JOIN anomalies a ON a.kind = @kind AND a.provider = b.provider AND a.reference = b.place AND a.resolved_at IS NULL AND b.verdict NOT IN ('agrees', 'unknown')
	ORDER BY b.day DESC, b.provider, b.place, b.currency`

// DeskBalances lists what was in each place of our balance at the end of each day, three ways. It asks no provider: a look costs nothing there.
func (h *Handlers) DeskBalances(c echo.Context, params api.DeskBalancesParams) error {
	ctx := c.Request().Context()
	if _, err := h.staff(c); err != nil {
		return err
	}
	which := "true"
	if or(params.Differing, false) {
		which = "verdict NOT IN ('agrees', 'unknown')" // what was not read differs in nothing that is known
	}
	var rows []struct {
		Provider, Place, Currency             string
		CampaignID, AnomalyID, BalanceMinor   *int64
		Day, ComparedAt                       time.Time
		BookMinor, ObjectsMinor, ForeignMinor int64
		Verdict                               string
	}
	out := api.DeskBalances{}
	err := h.DB.WithContext(ctx).Raw(fmt.Sprintf(balancesSQL, which), map[string]any{"limit": page, "offset": or(params.Offset, 0), "kind": anomalies.BalanceDifference}).Scan(&rows).Error
	if err == nil {
		err = h.DB.WithContext(ctx).Raw(`SELECT count(*) FROM (SELECT FROM balance_days WHERE `+which+` LIMIT ?) n`, countLimit).Scan(&out.Total).Error
	}
	if err != nil {
		return fmt.Errorf("read what was in the places of our balance: %w", err)
	}
	out.Days = make([]api.DeskBalanceDay, len(rows))
	for i, r := range rows {
		d := api.DeskBalanceDay{Provider: r.Provider, Place: r.Place, CampaignID: r.CampaignID, AsOf: calendar.Start(calendar.Add(r.Day, 1)).UTC(), ComparedAt: r.ComparedAt.UTC(),
			Currency: r.Currency, BookMinor: r.BookMinor, ObjectsMinor: r.ObjectsMinor, BalanceMinor: r.BalanceMinor, ForeignMinor: r.ForeignMinor,
			Verdict: api.DeskBalanceDayVerdict(r.Verdict), AnomalyID: r.AnomalyID}
		d.Day.Time = r.Day
		out.Days[i] = d
	}
	return c.JSON(http.StatusOK, out)
}
