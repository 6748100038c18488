package stripe

import "cmp"

// account is the caller's own, as far as who asks needs it: docs.stripe.com/api/accounts/object
type account struct {
	ID              string `json:"id"`
	Object          string `json:"object"`
	Country         string `json:"country"`
	DefaultCurrency string `json:"default_currency"`
	Type            string `json:"type"`
	ChargesEnabled  bool   `json:"charges_enabled"`
	PayoutsEnabled  bool   `json:"payouts_enabled"`
}

// defaultAccount is the account of a sandbox that Options give no other.
const defaultAccount = "acct_1SandboxTalkoot01"

func accountCalls() []endpoint {
	return []endpoint{{"GET /v1/account", nil, false, func(c *call) (any, error) {
		return account{ID: cmp.Or(c.s.opts.Account, defaultAccount), Object: "account", Country: "FI", DefaultCurrency: "eur", Type: "standard",
			ChargesEnabled: true, PayoutsEnabled: true}, nil
	}}}
}
