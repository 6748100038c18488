package paymentstest

import (
	"encoding/json"
	"fmt"
	"net/http"

	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/api/internalapi"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/contentclient"
)

// SetLimit is the content service's word that a person, who has just shown that it is them, wants to be charged so much in a calendar month
// at most, in euros.
func (w *World) SetLimit(user, amountMinor int64, pledges bool) []internalapi.SpendingLimit {
	w.T.Helper()
	return w.limits(http.MethodPut, user, "EUR", fmt.Sprintf(`{"amount_minor":%d,"counts_pledges":%t,"has_confirmed":true}`, amountMinor, pledges))
}

// SetLimitIn is SetLimit of another currency.
func (w *World) SetLimitIn(user int64, currency string, amountMinor int64) []internalapi.SpendingLimit {
	w.T.Helper()
	return w.limits(http.MethodPut, user, currency, fmt.Sprintf(`{"amount_minor":%d,"counts_pledges":false,"has_confirmed":true}`, amountMinor))
}

// EndLimit takes a person's limit in euros away.
func (w *World) EndLimit(user int64) []internalapi.SpendingLimit {
	w.T.Helper()
	return w.limits(http.MethodDelete, user, "EUR", "")
}

// Limits are a person's.
func (w *World) Limits(user int64) []internalapi.SpendingLimit {
	w.T.Helper()
	return w.limits(http.MethodGet, user, "", "")
}

func (w *World) limits(method string, user int64, currency, body string) []internalapi.SpendingLimit {
	w.T.Helper()
	path := fmt.Sprintf("/internal/spending-limits/%d", user)
	if currency != "" {
		path += "/" + currency
	}
	if method == http.MethodDelete {
		path += "?has_confirmed=true"
	}
	status, answer := w.TellBy(method, path, body, servicetoken.Payments)
	var a internalapi.SpendingLimits
	if err := json.Unmarshal(answer, &a); err != nil || status != http.StatusOK {
		w.T.Errorf("%s %s answered %d %s", method, path, status, answer)
	}
	return a.SpendingLimits
}

// Exceeded makes a call and wants it refused because a month would come above the limit; it gives what the refusal says.
func (w *World) Exceeded(call, body string) string {
	w.T.Helper()
	status, answer := w.SendJSON(call, body)
	var e struct {
		Status string
		Params struct {
			Currency   string
			LimitMinor int64 `json:"limit_minor"`
			TotalMinor int64 `json:"total_minor"`
			Month      string
		}
	}
	if err := json.Unmarshal(answer, &e); err != nil || status != http.StatusConflict || e.Status != "spending_limit_exceeded" {
		w.T.Errorf("%s answered %d %s", call, status, answer)
		return ""
	}
	return fmt.Sprintf("%s %d of %d %s", e.Params.Month, e.Params.TotalMinor, e.Params.LimitMinor, e.Params.Currency)
}

// Costing is an order of an amount a month.
func Costing(amountMinor int64) func(*contentclient.Order) {
	return func(o *contentclient.Order) {
		o.AmountMinor = amountMinor
		if o.Level != nil {
			o.Level.AmountMinor = amountMinor
		}
	}
}

// WithCallsPerPledge limits setups and the like of one pledge to n a minute.
func WithCallsPerPledge(n int) Option { return func(c *app.Config) { c.SetupPerPledgeMinute = n } }

// WithCallsPerAddress limits them to n a minute of one address.
func WithCallsPerAddress(n int) Option { return func(c *app.Config) { c.SetupPerMinute = n } }
