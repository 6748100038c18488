package stripe

import (
	"slices"
	"strings"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/payments/internal/provider"
)

// payeeOf tells how an account is, in our words. docs.stripe.com/connect/handling-api-verification
func payeeOf(a *sdk.Account) provider.Payee {
	out := provider.Payee{Ref: a.ID, State: provider.PayeeChecking}
	if a.Deleted {
		out.State = provider.PayeeClosed
		return out
	}
	asked := a.Requirements
	if asked == nil { // as of an account of which Stripe tells little
		asked = &sdk.AccountRequirements{}
	}
	out.Needs, out.Bank = needsOf(asked), bankOf(a)
	reason := string(asked.DisabledReason)
	if held := heldBy(reason); held != "" {
		out.Needs = []provider.Need{{Code: held}}
	}
	if !isPayable(a) {
		out.Needs = []provider.Need{{Code: provider.NeedSupport}}
	} else if a.DefaultCurrency != "" && a.DefaultCurrency != euros {
		out.Needs = append(out.Needs, provider.Need{Code: provider.NeedCurrency})
	}
	canBePaid := a.DetailsSubmitted && a.PayoutsEnabled && a.Capabilities != nil && a.Capabilities.Transfers == sdk.AccountCapabilityStatusActive && reason == ""
	switch {
	case canBePaid && isPayable(a) && a.DefaultCurrency == euros:
		out.State = provider.PayeeReady
	case hasStep(a):
		out.State = provider.PayeeBegun
	}
	return out
}

// bankOf is the bank account to which an account's euros are paid out; nil when there is none.
func bankOf(a *sdk.Account) (found *provider.OwnBank) {
	if a.ExternalAccounts == nil {
		return nil
	}
	for _, one := range a.ExternalAccounts.Data {
		b := one.BankAccount
		if b == nil || b.Currency != euros || found != nil && !b.DefaultForCurrency {
			continue
		}
		found = &provider.OwnBank{Ref: b.ID, Country: b.Country, LastFour: b.Last4}
	}
	return found
}

// hasStep tells whether there is something that its owner can do at Stripe's page.
func hasStep(a *sdk.Account) bool {
	if a.Deleted || !isPayable(a) || a.Requirements == nil || heldBy(string(a.Requirements.DisabledReason)) != "" {
		return false
	}
	return !a.DetailsSubmitted || len(a.Requirements.CurrentlyDue)+len(a.Requirements.PastDue) > 0 || a.DefaultCurrency != euros
}

// isPayable tells that we answer for an account's balance, as was agreed. Of one of another type it is unknown who does.
func isPayable(a *sdk.Account) bool {
	return a.Type == sdk.AccountTypeExpress || a.Type == sdk.AccountTypeCustom
}

const euros = sdk.CurrencyEUR

// heldBy is what an account is stopped for that its owner cannot mend by filling something in; "" for nothing.
func heldBy(reason string) string {
	switch {
	case reason == "", strings.HasPrefix(reason, "requirements."), strings.HasPrefix(reason, "action_required."):
		return ""
	case strings.HasPrefix(reason, "rejected."):
		return provider.NeedRejected
	case reason == "platform_paused":
		return provider.NeedSupport
	}
	return provider.NeedReview // under_review, listed, other, and what is told later
}

// needsOf says what is missing: one need of a kind, with the earliest time, in the order in which a creator can do them.
func needsOf(r *sdk.AccountRequirements) []provider.Need {
	var by *time.Time
	if r.CurrentDeadline > 0 {
		at := time.Unix(r.CurrentDeadline, 0).UTC()
		by = &at
	}
	failed := map[string]bool{}
	for _, e := range r.Errors {
		failed[e.Requirement] = true
	}
	found := map[string]bool{}
	for _, field := range slices.Concat(r.PastDue, r.CurrentlyDue) {
		code := needOf(field)
		if code == provider.NeedIdentity && failed[field] {
			code = provider.NeedIdentityAgain
		}
		found[code] = true
	}
	var out []provider.Need
	for _, code := range needOrder {
		if found[code] && (code != provider.NeedIdentity || !found[provider.NeedIdentityAgain]) {
			out = append(out, provider.Need{Code: code, By: by})
		}
	}
	return out
}

var needOrder = []string{provider.NeedPerson, provider.NeedCompany, provider.NeedOwners, provider.NeedIdentityAgain, provider.NeedIdentity, provider.NeedAddress, //nolint:gochecknoglobals // a constant that Go cannot have
	provider.NeedCompanyPapers, provider.NeedBusiness, provider.NeedBank, provider.NeedTerms, provider.NeedDetails}

// needOf is the kind of what Stripe asks for, by the name of the field. docs.stripe.com/connect/required-verification-information
func needOf(field string) string {
	begins := func(with ...string) bool {
		return slices.ContainsFunc(with, func(prefix string) bool { return strings.HasPrefix(field, prefix) })
	}
	has := func(part string) bool { return strings.Contains(field, part) }
	switch {
	case begins("external_account", "bank_account"):
		return provider.NeedBank
	case begins("tos_acceptance"):
		return provider.NeedTerms
	case begins("business_profile", "business_type", "settings"):
		return provider.NeedBusiness
	case begins("company", "documents.") && (has(".verification") || begins("documents.")):
		return provider.NeedCompanyPapers
	case field == "company.owners_provided", field == "company.directors_provided", field == "company.executives_provided", begins("owners", "directors", "executives"):
		return provider.NeedOwners
	case begins("company"):
		return provider.NeedCompany
	case has(".verification.additional_document"):
		return provider.NeedAddress
	case has(".verification"), has(".id_number"), has(".ssn_last_4"):
		return provider.NeedIdentity
	case begins("individual", "representative", "person", "legal_guardian"):
		return provider.NeedPerson
	}
	return provider.NeedDetails
}
