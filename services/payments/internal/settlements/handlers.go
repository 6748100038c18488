package settlements

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/oapi-codegen/runtime/types"

	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/holders"
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
	return ratelimit.Rules{"GET /api/users/me/payouts": {{Name: "payouts_address", Limit: ratelimit.Per(120, time.Minute)}}}
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
		out := api.Payout{CampaignID: p.CampaignID, Stage: api.PayoutStage(p.Stage), Currency: p.Currency, CollectedMinor: p.Collected, FeeMinor: p.Fee,
			VatMinor: p.VAT, ReserveMinor: p.Reserve, SetOffMinor: p.SetOff, ReleasedMinor: p.Released, NetMinor: p.Net, Kept: make([]api.PayoutKept, len(p.Kept)),
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
		answer.Payouts[i] = out
	}
	return c.JSON(http.StatusOK, answer)
}
