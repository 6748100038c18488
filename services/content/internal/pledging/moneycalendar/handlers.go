package moneycalendar

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/oapi-codegen/runtime/types"

	"talkoot.fi/kit/money"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
)

// Handlers answers the calls about the calendar.
type Handlers struct{ calendar *Service }

// feedsOfPerson limits how often one person turns their feed on, because each time is mailed.
var feedsOfPerson = ratelimit.Limit{Rate: 10, Period: 24 * time.Hour, Burst: 5}

// PersonRules are the rate limits by signed-in person.
func PersonRules() ratelimit.Rules {
	return ratelimit.Rules{"PUT /users/me/calendar-feed": {{Name: "calendar_feed", Limit: feedsOfPerson}}}
}

// NewHandlers makes the handlers; PersonRules belong before them.
func NewHandlers(calendar *Service) *Handlers { return &Handlers{calendar} }

// MoneyCalendar is the signed-in person's.
func (h *Handlers) MoneyCalendar(ctx context.Context, r api.MoneyCalendarRequestObject) (api.MoneyCalendarResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	supports, err := h.calendar.Of(ctx, who.UserID, languages.Of(r.Language))
	if err != nil {
		return nil, err
	}
	url, err := h.calendar.FeedURL(ctx, who.UserID)
	if err != nil {
		return nil, err
	}
	answer := api.MoneyCalendar200JSONResponse{Today: types.Date{Time: h.calendar.today()},
		Supports: make([]api.CalendarSupport, len(supports))}
	if url != "" {
		answer.FeedURL = &url
	}
	for i, s := range supports {
		one := api.CalendarSupport{SubscriptionID: s.SubscriptionID, Status: api.CalendarSupportStatus(s.Status),
			Currency: string(s.Currency), IsInLimit: s.IsInLimit, Campaign: s.Preview, Charges: make([]api.CalendarCharge, len(s.Charges))}
		if s.NextTryOn != nil {
			one.NextTryOn = &types.Date{Time: *s.NextTryOn}
		}
		if s.PaymentMethod != "" {
			one.PaymentMethod = &s.PaymentMethod
		}
		for n, c := range s.Charges {
			one.Charges[n] = api.CalendarCharge{Period: c.Period, Day: types.Date{Time: c.Day}, Amount: money.Decimal(c.AmountMinor),
				State: api.CalendarChargeState(c.State)}
		}
		answer.Supports[i] = one
	}
	return answer, nil
}

// RenewCalendarFeed turns the feed on, at another address.
func (h *Handlers) RenewCalendarFeed(ctx context.Context, _ api.RenewCalendarFeedRequestObject) (api.RenewCalendarFeedResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	url, err := h.calendar.RenewFeed(ctx, who)
	if err != nil {
		return nil, err
	}
	return api.RenewCalendarFeed200JSONResponse{FeedURL: url}, nil
}

// EndCalendarFeed turns the feed off.
func (h *Handlers) EndCalendarFeed(ctx context.Context, _ api.EndCalendarFeedRequestObject) (api.EndCalendarFeedResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.calendar.EndFeed(ctx, who.UserID); err != nil {
		return nil, err
	}
	return api.EndCalendarFeed204Response{}, nil
}

// CalendarFeed is what a calendar program reads, at its secret address.
func (h *Handlers) CalendarFeed(ctx context.Context, r api.CalendarFeedRequestObject) (api.CalendarFeedResponseObject, error) {
	body, err := h.calendar.Feed(ctx, r.Token)
	if err != nil {
		return nil, err
	}
	return feedAnswer(body), nil
}

// feedAnswer is a feed that the program may keep for a quarter of an hour, and nobody between.
type feedAnswer []byte

// VisitCalendarFeedResponse writes it.
func (f feedAnswer) VisitCalendarFeedResponse(w http.ResponseWriter) error {
	h := w.Header()
	h.Set("Content-Type", "text/calendar; charset=utf-8")
	h.Set("Content-Disposition", `inline; filename="talkoot.ics"`)
	h.Set("Cache-Control", "private, max-age=900")
	h.Set("Content-Length", strconv.Itoa(len(f)))
	_, err := w.Write(f)
	return err
}
