package stripe

import (
	"slices"

	"talkoot.fi/sandbox/standin"
)

const (
	actPastDue = "account_past_due"

	// documentDeadline is how many seconds there are to hand a document in that is asked for later.
	documentDeadline = 14 * 24 * 3600
	document         = "individual.verification.document"
)

// begin has a new account ask for everything.
func (a *storedAccount) begin() {
	who := "individual"
	due := []string{"business_profile.product_description", "business_profile.support_phone", "external_account"}
	if t := value(a.BusinessType); t != "" && t != who {
		who = "representative"
		due = append(due, "company.address.city", "company.address.line1", "company.address.postal_code", "company.name", "company.tax_id",
			"owners.first_name", "representative.relationship.title")
	}
	for _, field := range []string{"address.city", "address.line1", "address.postal_code", "dob.day", "dob.month", "dob.year", "email", "first_name", "last_name"} {
		due = append(due, who+"."+field)
	}
	due = append(due, "tos_acceptance.date", "tos_acceptance.ip")
	slices.Sort(due)
	a.Requirements = noRequirements()
	a.Requirements.CurrentlyDue, a.Requirements.PastDue, a.Requirements.EventuallyDue = due, due, due
	a.Requirements.DisabledReason = optional("requirements.past_due")
}

// submit is its owner having filled everything in; iban is where they are paid.
func (a *storedAccount) submit(c *call, iban string) {
	a.DetailsSubmitted, a.TosAcceptance.Date = true, &c.now
	a.setBank(c, iban)
	a.BusinessProfile.ProductDescription = optional("Crowdfunding")
	a.enable()
}

// setBank is its owner giving the bank account to which they are paid, in the place of the one before; one that is the same stays.
func (a *storedAccount) setBank(c *call, iban string) {
	if a.IBAN == iban {
		return
	}
	a.IBAN = iban
	holder := "company"
	if value(a.BusinessType) == "individual" {
		holder = "individual"
	}
	a.ExternalAccounts.Data = []bankDetails{{ID: c.newID("ba_1"), Object: "bank_account", Account: a.ID, AccountHolderType: &holder,
		AvailablePayoutMethods: []string{"standard"}, BankName: optional("STRIPE TEST BANK"), Country: iban[:2], Currency: a.DefaultCurrency,
		DefaultForCurrency: true, Fingerprint: c.randomText(16), Last4: iban[len(iban)-4:], Metadata: map[string]string{}, Status: "new"}}
	a.ExternalAccounts.TotalCount = 1
}

// enable has an account lack nothing.
func (a *storedAccount) enable() {
	a.Requirements = noRequirements()
	a.set(capabilityActive)
}

// check has a document looked at.
func (a *storedAccount) check() {
	a.Requirements = noRequirements()
	a.Requirements.PendingVerification = []string{document}
	a.Requirements.DisabledReason = optional("requirements.pending_verification")
	a.set(capabilityPending)
}

// require has an account lack something by a time; 0 is none.
func (a *storedAccount) require(due []string, deadline int64) {
	a.Requirements.CurrentlyDue, a.Requirements.EventuallyDue = due, due
	if a.Requirements.CurrentDeadline = nil; deadline > 0 {
		a.Requirements.CurrentDeadline = &deadline
	}
}

// disable ends what an account may do.
func (a *storedAccount) disable(reason string) {
	a.Requirements.DisabledReason = &reason
	a.set(capabilityInactive)
}

func (a *storedAccount) set(status string) {
	a.ChargesEnabled, a.PayoutsEnabled = status == capabilityActive, status == capabilityActive
	for name := range a.Capabilities {
		a.Capabilities[name] = status
	}
}

// changeAccount changes an account and tells of it.
func (c *call) changeAccount(a *storedAccount, change func() error) error {
	before, err := snapshot(&a.connectedAccount)
	if err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	if err := accounts.Put(c.tx, a); err != nil {
		return err
	}
	if at := a.Requirements.CurrentDeadline; at != nil && a.PayoutsEnabled {
		if err := c.unit.Schedule(*at, standin.Task{Act: actPastDue, ID: a.ID}); err != nil {
			return err
		}
	}
	return c.emitOf(a.ID, "account.updated", &a.connectedAccount, before)
}

// passDeadline restricts an account that has not handed in what was due.
func (c *call) passDeadline(id string) error {
	a, err := accounts.Find(c.tx, id)
	if err != nil || a == nil || a.Gone {
		return err
	}
	if at := a.Requirements.CurrentDeadline; at == nil || *at > c.now || !a.PayoutsEnabled {
		return nil
	}
	return c.changeAccount(a, func() error {
		a.Requirements.PastDue = a.Requirements.CurrentlyDue
		a.disable("requirements.past_due")
		return nil
	})
}
