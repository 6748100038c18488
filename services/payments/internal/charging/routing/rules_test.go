package routing

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/payout/payees"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
	"talkoot.fi/payments/internal/providers/stripe"
)

func said(list []Offer) string {
	var out []string
	for _, o := range list {
		out = append(out, fmt.Sprintf("%s:%s", o.Method, o.Provider))
	}
	return strings.Join(out, " ")
}

func TestOffered_FollowsFromAccountsSumsAndSwitches(t *testing.T) {
	t.Parallel()
	const onA, onB = "card:stripe page:stripe", "card:mangopay debit:mangopay page:mangopay"
	both := map[string]bool{stripe.Name: true, mangopay.Name: true}
	for name, tc := range map[string]struct {
		accounts map[string]payees.State
		off      []string
		has      map[string]bool
		minor    int64
		currency money.Currency
		held     bool
		want     string
		why      Reason
	}{
		"without an account it is provider A's":      {want: onA},
		"an account at A that is not ready yet":      {accounts: map[string]payees.State{stripe.Name: payees.Begun}, want: onA},
		"on hold":                                    {held: true, why: OnHold},
		"on hold, on B":                              {accounts: map[string]payees.State{mangopay.Name: payees.Ready}, held: true, why: OnHold},
		"on B":                                       {accounts: map[string]payees.State{mangopay.Name: payees.Ready}, want: onB},
		"on both, cards are A's":                     {accounts: map[string]payees.State{stripe.Name: payees.Ready, mangopay.Name: payees.Ready}, want: "card:stripe debit:mangopay page:stripe"},
		"on both, A is off":                          {accounts: map[string]payees.State{stripe.Name: payees.Ready, mangopay.Name: payees.Ready}, off: []string{stripe.Name}, want: onB},
		"on both, B is off":                          {accounts: map[string]payees.State{stripe.Name: payees.Ready, mangopay.Name: payees.Ready}, off: []string{mangopay.Name}, want: onA},
		"on B, which is off":                         {accounts: map[string]payees.State{mangopay.Name: payees.Ready}, off: []string{mangopay.Name}, why: ProviderOff},
		"on A, which is off":                         {off: []string{stripe.Name}, why: ProviderOff},
		"on B, and not verified any more":            {accounts: map[string]payees.State{mangopay.Name: payees.Restricted}, why: NotReady},
		"on B, and not verified yet":                 {accounts: map[string]payees.State{mangopay.Name: payees.Checking}, why: NotReady},
		"on both, B is not verified":                 {accounts: map[string]payees.State{stripe.Name: payees.Ready, mangopay.Name: payees.Begun}, want: onA},
		"the largest debit":                          {accounts: map[string]payees.State{mangopay.Name: payees.Ready}, minor: maxDebitMinor, want: onB},
		"more than a debit takes":                    {accounts: map[string]payees.State{mangopay.Name: payees.Ready}, minor: maxDebitMinor + 1, want: "card:mangopay page:mangopay"},
		"B takes euros only":                         {accounts: map[string]payees.State{mangopay.Name: payees.Ready}, currency: "SEK", why: NotReady},
		"on B, of which there is no key":             {accounts: map[string]payees.State{mangopay.Name: payees.Ready}, has: map[string]bool{stripe.Name: true}, why: ProviderOff},
		"of which there is no key, and not verified": {accounts: map[string]payees.State{mangopay.Name: payees.Closed}, has: map[string]bool{stripe.Name: true}, why: NotReady},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := Facts{Has: both, IsOff: map[string]bool{}, Accounts: tc.accounts, OnHold: tc.held}
			if tc.has != nil {
				f.Has = tc.has
			}
			for _, off := range tc.off {
				f.IsOff[off] = true
			}
			currency := money.EUR
			if tc.currency != "" {
				currency = tc.currency
			}
			list, why := Offered(f, money.New(tc.minor, currency))
			if said(list) != tc.want || why != tc.why {
				t.Errorf("%q, %q", said(list), why)
			}
		})
	}
}

func TestTaker_SaysWhyNobodyTakesAMethod(t *testing.T) {
	t.Parallel()
	f := Facts{Has: map[string]bool{stripe.Name: true, mangopay.Name: true}, IsOff: map[string]bool{}, Accounts: map[string]payees.State{mangopay.Name: payees.Ready}}
	euros := money.New(5000, money.EUR)
	if name, err := taker(f, euros, provider.MethodCard, false); err != nil || name != mangopay.Name {
		t.Errorf("%s, %v", name, err)
	}
	if _, err := taker(f, euros, provider.MethodCard, true); !errors.Is(err, apperr.New(apperr.PaymentMethodUnsupported)) {
		t.Errorf("monthly at B: %v", err)
	}
	code := func(err error) string {
		fault, _ := errors.AsType[*apperr.Error](err)
		return fault.Code
	}
	f.IsOff[mangopay.Name] = true
	if _, err := taker(f, euros, provider.MethodCard, false); code(err) != "provider_off" {
		t.Error(err)
	}
	f.Accounts[mangopay.Name] = payees.Restricted
	if _, err := taker(f, euros, provider.MethodCard, false); code(err) != "payee_not_ready" {
		t.Error(err)
	}
}
