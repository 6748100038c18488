package routing

import (
	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/payout/payees"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
	"talkoot.fi/payments/internal/providers/stripe"
)

// maxDebitMinor is the largest direct debit that Mangopay takes, in cents.
const maxDebitMinor = 2500_00

// Offer is a method with who takes it.
type Offer struct {
	Method   provider.Method
	Provider string
	// MaxMinor is the largest sum; 0 for any.
	MaxMinor int64
	// Monthly: it can be charged again while its payer is away.
	Monthly bool
}

// offers are all that there is, in the order in which a page shows them; of one method the first that fits counts.
var offers = []Offer{ //nolint:gochecknoglobals // a constant that Go cannot have
	{Method: provider.MethodCard, Provider: stripe.Name, Monthly: true},
	{Method: provider.MethodCard, Provider: mangopay.Name},
	{Method: provider.MethodDebit, Provider: mangopay.Name, MaxMinor: maxDebitMinor},
	{Method: provider.MethodPage, Provider: stripe.Name},
	{Method: provider.MethodPage, Provider: mangopay.Name},
}

// Facts are what the methods of a campaign follow from.
type Facts struct {
	// Has are the providers that we have a key of; IsOff those that operators have switched off.
	Has, IsOff map[string]bool
	// Accounts are those that the campaign is paid by, by provider, as they are now. A campaign without any is provider A's, whose
	// account its creator may still make.
	Accounts map[string]payees.State
	// OnHold: operators look into it, and nothing begins anywhere.
	OnHold bool
}

// Reason is why a campaign has no method.
type Reason string

// The reasons.
const (
	None        Reason = ""
	ProviderOff Reason = "provider_off"
	NotReady    Reason = "not_ready" // its creator's account takes no money
	OnHold      Reason = "on_hold"
)

// Offered are the methods of a campaign for a sum (0 for any), and why there are none.
func Offered(f Facts, amount money.Amount) ([]Offer, Reason) {
	if f.OnHold {
		return nil, OnHold
	}
	var out []Offer
	reason := NotReady
	seen := map[provider.Method]bool{}
	for _, o := range offers {
		why := f.keeps(o.Provider, amount.Currency)
		if why == ProviderOff {
			reason = ProviderOff
		}
		if why != None || seen[o.Method] || o.MaxMinor > 0 && amount.Minor > o.MaxMinor {
			continue
		}
		seen[o.Method] = true
		out = append(out, o)
	}
	if len(out) > 0 {
		reason = None
	}
	return out, reason
}

// keeps says what keeps a campaign from taking money at a provider.
func (f Facts) keeps(name string, currency money.Currency) Reason {
	state, isLinked := f.Accounts[name]
	switch {
	case name == stripe.Name && !isLinked && len(f.Accounts) > 0: // it is paid by others alone
		return NotReady
	case name == mangopay.Name && (state != payees.Ready || currency != money.EUR):
		return NotReady
	case !f.Has[name] || f.IsOff[name]:
		return ProviderOff
	}
	return None
}

// taker names who takes a method now. Errors: ConfigurationError (provider_off, payee_not_ready), CampaignOnHold,
// PaymentMethodUnsupported.
func taker(f Facts, amount money.Amount, method provider.Method, isMonthly bool) (string, error) {
	list, reason := Offered(f, amount)
	for _, o := range list {
		if o.Method == method && (o.Monthly || !isMonthly) {
			return o.Provider, nil
		}
	}
	switch reason {
	case ProviderOff:
		return "", apperr.New(apperr.ConfigurationError).WithCode("provider_off")
	case NotReady:
		return "", apperr.New(apperr.ConfigurationError).WithCode("payee_not_ready")
	case OnHold:
		return "", apperr.New(apperr.CampaignOnHold)
	case None:
	}
	return "", apperr.New(apperr.PaymentMethodUnsupported)
}
