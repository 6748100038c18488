package app

import (
	"context"
	"strings"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/httpx"
)

// desk is below what only operators may do.
const deskPath = "/api/admin/"

// security are the calls with events of their own: where people are paid to, and the desk, where every change is one.
func security(c *contract.Contract) httpx.Security {
	named := map[string]string{
		"DELETE /api/users/me/cards/:card_id":                         "card_forgotten",
		"POST /api/users/stripe/onboard":                              "payout_account_begun",
		"POST /api/users/stripe/onboard/:id":                          "payout_account_linked",
		"POST /api/users/mangopay/create-creator-account":             "payout_account_begun",
		"POST /api/users/mangopay/payout-banks":                       "payout_bank_added",
		"POST /api/users/mangopay/payout-banks/:bank_id/confirmation": "payout_bank_confirmed",
		"DELETE /api/users/mangopay/payout-banks/:bank_id":            "payout_bank_removed",
		"PUT /api/users/me/tax-data":                                  "tax_data_changed",
		"GET /api/users/me/tax-data/values":                           "tax_data_read",
		"GET /api/users/me/tax-reports/:year":                         "tax_data_read",
	}
	for _, operation := range c.Operations() {
		if operation.Method != "GET" && strings.HasPrefix(operation.Route, deskPath) && operation.ID != "deskSearch" {
			named[operation.Method+" "+operation.Route] = "staff_act"
		}
	}
	return httpx.Security{Named: named}
}

// NoteOperator writes a security event: what was done at the command line. What with, and why, is in the history of operators' acts.
func (a *App) NoteOperator(ctx context.Context, command, actor string, failed error) {
	a.log.InfoContext(ctx, "security event", "event", "operator_command", "command", command, "actor", actor, "failed", failed != nil)
}
