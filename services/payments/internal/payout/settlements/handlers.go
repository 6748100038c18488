package settlements

import (
	"cmp"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/oapi-codegen/runtime/types"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/holders"
	"talkoot.fi/payments/internal/sheets"
)

// Handlers answers creators about their payouts.
type Handlers struct {
	settlements *Service
	whose       holders.Whose
}

// NewHandlers makes the handlers; Rules belong before them.
func NewHandlers(settlements *Service, whose holders.Whose) *Handlers {
	return &Handlers{settlements, whose}
}

// Rules are the limits by address.
func Rules() ratelimit.Rules {
	byAddress := []ratelimit.Rule{{Name: "payouts_address", Limit: ratelimit.Per(120, time.Minute)}}
	return ratelimit.Rules{"GET /api/users/me/payouts": byAddress, "GET /api/users/me/payouts/:run_id": byAddress,
		"GET /api/users/me/payouts/:run_id/lines": byAddress}
}

// OwnPayouts lists the payouts of whose the session is.
func (h *Handlers) OwnPayouts(c echo.Context) error {
	ctx := c.Request().Context()
	who, err := h.whose(ctx, c.Request().Header.Get(echo.HeaderAuthorization))
	if err != nil {
		return err
	}
	list, err := h.settlements.Of(ctx, who.UserID)
	if err != nil {
		return err
	}
	answer := api.PayoutsAnswer{Payouts: make([]api.Payout, len(list))}
	for i, p := range list {
		answer.Payouts[i] = shown(p)
	}
	return c.JSON(http.StatusOK, answer)
}

// PayoutStatement gives the statement of a payout of whose the session is.
func (h *Handlers) PayoutStatement(c echo.Context, runID api.RunID) error {
	st, err := h.statement(c, runID)
	if err != nil {
		return err
	}
	answer := api.PayoutStatement{Payout: shown(st.Payout), Days: make([]api.StatementDay, len(st.Days)), Credits: make([]api.FeeCredit, len(st.Credits))}
	for i, d := range st.Days {
		answer.Days[i] = api.StatementDay{Day: types.Date{Time: d.Day}, Charges: d.Charges, CollectedMinor: d.Gross, FeeMinor: d.Fee, ReserveMinor: d.Reserve,
			NetMinor: d.Net}
	}
	if f := st.Fee; f != nil {
		answer.Fee = &api.FeeDocument{Number: f.Name(), IssuedOn: types.Date{Time: f.IssuedOn}, NetMinor: f.NetMinor, VatMinor: f.VatMinor,
			VatPercent: float64(f.VatPoints) / 100}
	}
	for i, credit := range st.Credits {
		answer.Credits[i] = api.FeeCredit{Number: credit.Number, Day: types.Date{Time: credit.Day}, NetMinor: credit.NetMinor, VatMinor: credit.VatMinor}
	}
	return c.JSON(http.StatusOK, answer)
}

func (h *Handlers) statement(c echo.Context, runID string) (Statement, error) {
	ctx := c.Request().Context()
	who, err := h.whose(ctx, c.Request().Header.Get(echo.HeaderAuthorization))
	if err != nil {
		return Statement{}, err
	}
	st, err := h.settlements.StatementOf(ctx, who.UserID, runID)
	if errors.Is(err, ErrNoRun) {
		err = apperr.New(apperr.NotFound)
	}
	return st, err
}

// linesHead names the columns of PayoutLines.
var linesHead = map[api.PayoutLinesParamsLanguage][]string{ //nolint:gochecknoglobals // a constant that Go cannot have
	api.InFinnish: {"Päivä", "Maksutapa", "Maksettu", "Palvelumaksumme ilman veroa", "Arvonlisävero", "Varalla", "Sinulle", "Valuutta", "Maksun tunnus"},
	api.InEnglish: {"Day", "Paid by", "Paid", "Our fee without tax", "VAT", "Kept back", "To you", "Currency", "Payment id"},
	api.InSwedish: {"Dag", "Betalsätt", "Betalt", "Vår avgift utan moms", "Moms", "Hålls kvar", "Till dig", "Valuta", "Betalningens id"},
}

// methodNames are the ways to pay in the same languages. What was paid on a page of the provider's may have been a card, or not.
var methodNames = map[api.PayoutLinesParamsLanguage]map[string]string{ //nolint:gochecknoglobals // a constant that Go cannot have
	api.InFinnish: {"card": "Kortti", "debit": "Suoraveloitus", "page": "Maksusivu"},
	api.InEnglish: {"card": "Card", "debit": "Direct debit", "page": "Payment page"},
	api.InSwedish: {"card": "Kort", "debit": "Autogiro", "page": "Betalsida"},
}

// PayoutLines gives each payment of a payout of whose the session is.
func (h *Handlers) PayoutLines(c echo.Context, runID api.RunID, params api.PayoutLinesParams) error {
	st, err := h.statement(c, runID)
	if err != nil {
		return err
	}
	lines := h.settlements.statementLines(c.Request().Context(), runID)
	return sheets.Answer(c, "payout-"+runID, linesHead[params.Language], lines, func(scan func(...any) error) ([]string, error) {
		var day time.Time
		var method, payment string
		var s Share
		if err := scan(&day, &method, &s.Gross, &s.Fee, &s.VAT, &s.Reserve, &s.Net, &payment); err != nil {
			return nil, err
		}
		return []string{sheets.Day(day), cmp.Or(methodNames[params.Language][method], method), sheets.Sum(s.Gross), sheets.Sum(s.Fee - s.VAT), sheets.Sum(s.VAT), sheets.Sum(s.Reserve), sheets.Sum(s.Net),
			st.Payout.Currency, payment}, nil
	})
}

// shown is a payout in the contract's words.
func shown(p Payout) api.Payout {
	out := api.Payout{CampaignID: p.CampaignID, Stage: api.PayoutStage(p.Stage), Currency: p.Currency, CollectedMinor: p.Collected, FeeMinor: p.Fee,
		VatMinor: p.VAT, ReserveMinor: p.Reserve, SetOffMinor: p.SetOff, BankKeptMinor: p.BankKept, ReversedMinor: p.Reversed, ReleasedMinor: p.Released, NetMinor: p.Net, Kept: make([]api.PayoutKept, len(p.Kept)),
		EndedAt: p.EndedAt, CountedAt: p.CountedAt, ApprovedAt: p.ApprovedAt, SentAt: p.SentAt, ArrivedAt: p.PaidAt}
	for i, k := range p.Kept {
		out.Kept[i] = api.PayoutKept{DueOn: types.Date{Time: k.DueOn}, KeptMinor: k.KeptMinor, UsedMinor: k.UsedMinor, ReleasedMinor: k.ReleasedMinor}
	}
	if p.Month != nil {
		month := p.Month.Format("2006-01")
		out.Month = &month
	}
	if p.Stage == StageCarried {
		out.Carried = &api.PayoutCarried{SumMinor: p.Carried, MinimumMinor: p.Minimum}
	}
	if p.BankLastFour != "" {
		out.Bank = &api.PayoutBankName{Country: p.BankCountry, LastFour: p.BankLastFour}
	}
	if p.IsBooked() {
		out.StatementID = &p.RunID
	}
	return out
}
