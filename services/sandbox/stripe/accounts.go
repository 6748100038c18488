package stripe

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"talkoot.fi/sandbox/standin"
)

const (
	capabilityActive   = "active"
	capabilityInactive = "inactive"
	capabilityPending  = "pending"

	linkLifetime = 5 * 60 // seconds
)

// expressEnd is where an account's own pages end.
const expressEnd = "/express"

// accountCountries are those that an account may be in: the EEA, Switzerland and the United Kingdom.
const accountCountries = "AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK"

func accountParams() fields {
	requested := hash(fields{"requested": boolean()})
	return fields{
		"business_profile": hash(fields{"mcc": text(), "name": text(), "product_description": text(), "support_email": text(), "support_phone": text(),
			"support_url": text(), "url": text()}),
		"business_type":    oneOf("company", "government_entity", "individual", "non_profit"),
		"capabilities":     hash(fields{"card_payments": requested, "transfers": requested}),
		"default_currency": text(), "email": text(), "metadata": metadata(),
		"settings": hash(fields{"payouts": hash(fields{"debit_negative_balances": boolean(), "statement_descriptor": textMax(22),
			"schedule": hash(fields{"delay_days": text(), "interval": oneOf("daily", "manual", "monthly", "weekly"), "monthly_anchor": integer(),
				"weekly_anchor": text()})})}),
	}
}

func connectCalls() []endpoint {
	link := fields{"account": text().must(), "type": oneOf("account_onboarding", "account_update").must(), "refresh_url": text(), "return_url": text(),
		"collection_options": hash(fields{"fields": oneOf("currently_due", "eventually_due"), "future_requirements": oneOf("include", "omit")})}
	return []endpoint{
		{"POST /v1/accounts", accountParams().with(fields{"country": text(), "type": oneOf("custom", "express", "standard"),
			"tos_acceptance": hash(fields{"service_agreement": oneOf("full", "recipient")})}), false, createAccount},
		{"GET /v1/accounts", listParams(nil), false, listAccounts},
		{"GET /v1/accounts/{id}", nil, false, func(c *call) (any, error) { return shownAccount(c.connected(c.id)) }},
		{"POST /v1/accounts/{id}", accountParams(), false, updateAccount},
		{"DELETE /v1/accounts/{id}", nil, false, deleteAccount},
		{"POST /v1/accounts/{id}/reject", fields{"reason": oneOf("fraud", "other", "terms_of_service").must()}, false, rejectAccount},
		{"POST /v1/accounts/{id}/login_links", nil, false, createLoginLink},
		{"POST /v1/account_links", link, false, createAccountLink},
	}
}

// connected is an account that we have access to.
func (c *call) connected(id string) (*storedAccount, error) {
	a, err := accounts.Find(c.tx, id)
	if err == nil && (a == nil || a.Gone) {
		err = invalidRequest(http.StatusForbidden, "account_invalid", "The provided key does not have access to account '"+id+
			"' (or that account does not exist). Application access may have been revoked.")
	}
	return a, err
}

func shownAccount(a *storedAccount, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return &a.connectedAccount, nil
}

func createAccount(c *call) (any, error) {
	country := cmp.Or(c.p.text("country"), "FI")
	if !slices.Contains(strings.Fields(accountCountries), country) {
		return nil, invalidParam("country", "country_unsupported", country+" is not currently supported by Stripe.")
	}
	wants := c.p.sub("capabilities")
	if !wants.sub("card_payments").yes("requested") && wants.sub("transfers").yes("requested") {
		return nil, badRequest("Your platform needs approval for accounts to have requested the `transfers` capability without the `card_payments` capability.")
	}
	a := &storedAccount{connectedAccount: connectedAccount{
		ID: c.newID("acct_1"), Object: "account", Capabilities: map[string]string{}, Country: country, Created: c.now,
		DefaultCurrency: strings.ToLower(cmp.Or(c.p.text("default_currency"), "eur")), FutureRequirements: noRequirements(), Type: cmp.Or(c.p.text("type"), "standard"),
		Settings: accountSettings{Payouts: payoutSettings{DebitNegativeBalances: c.p.text("type") != "custom", Schedule: payoutSchedule{DelayDays: 7, Interval: "daily"}}},
	}}
	a.TosAcceptance.ServiceAgreement = c.p.sub("tos_acceptance").text("service_agreement")
	a.ExternalAccounts = externalAccounts{Object: "list", Data: []bankDetails{}, URL: "/v1/accounts/" + a.ID + "/external_accounts"}
	if err := c.fillAccount(a); err != nil {
		return nil, err
	}
	a.begin()
	return &a.connectedAccount, accounts.Put(c.tx, a)
}

// fillAccount sets what the parameters name.
func (c *call) fillAccount(a *storedAccount) error {
	p, profile := c.p, c.p.sub("business_profile")
	if at := profile.text("url"); at != "" {
		if u, err := url.Parse(at); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return invalidParam("business_profile[url]", "url_invalid", "Not a valid URL")
		}
	}
	p.setText("business_type", &a.BusinessType)
	p.setText("email", &a.Email)
	for name, to := range map[string]**string{"mcc": &a.BusinessProfile.MCC, "name": &a.BusinessProfile.Name, "product_description": &a.BusinessProfile.ProductDescription,
		"support_email": &a.BusinessProfile.SupportEmail, "support_phone": &a.BusinessProfile.SupportPhone, "support_url": &a.BusinessProfile.SupportURL,
		"url": &a.BusinessProfile.URL} {
		profile.setText(name, to)
	}
	for _, name := range []string{"card_payments", "transfers"} {
		if p.sub("capabilities").sub(name).yes("requested") && a.Capabilities[name] == "" {
			a.Capabilities[name] = capabilityInactive
		}
	}
	payouts := p.sub("settings").sub("payouts")
	payouts.setText("statement_descriptor", &a.Settings.Payouts.StatementDescriptor)
	if payouts.has("debit_negative_balances") {
		a.Settings.Payouts.DebitNegativeBalances = payouts.yes("debit_negative_balances")
	}
	schedule := payouts.sub("schedule")
	a.Settings.Payouts.Schedule.Interval = cmp.Or(schedule.text("interval"), a.Settings.Payouts.Schedule.Interval)
	a.Metadata = p.mergeMetadata(a.Metadata)
	return nil
}

func listAccounts(c *call) (any, error) {
	created := c.p.createdFilter()
	out, err := listPage(c, accounts, "", func(a *storedAccount) bool { return !a.Gone && created(a.Created) })
	if err != nil {
		return nil, err
	}
	l := out.(list)
	for i, item := range l.Data {
		l.Data[i] = &item.(*storedAccount).connectedAccount
	}
	return l, nil
}

func updateAccount(c *call) (any, error) {
	a, err := c.connected(c.id)
	if err != nil {
		return nil, err
	}
	if c.p.has("business_type") && a.Type != "custom" {
		return nil, invalidParam("business_type", "", "You cannot change `business_type` of an account of this type once it has an account link.")
	}
	if err := c.changeAccount(a, func() error { return c.fillAccount(a) }); err != nil {
		return nil, err
	}
	return &a.connectedAccount, nil
}

func deleteAccount(c *call) (any, error) {
	a, err := c.connected(c.id)
	if err != nil {
		return nil, err
	}
	a.Gone = true
	return deletedObject{ID: a.ID, Object: "account", Deleted: true}, accounts.Put(c.tx, a)
}

func rejectAccount(c *call) (any, error) {
	a, err := c.connected(c.id)
	if err != nil {
		return nil, err
	}
	err = c.changeAccount(a, func() error {
		a.disable("rejected." + c.p.text("reason"))
		return nil
	})
	return &a.connectedAccount, err
}

func createLoginLink(c *call) (any, error) {
	a, err := c.connected(c.id)
	if err != nil {
		return nil, err
	}
	if a.Type != "express" || !a.DetailsSubmitted {
		return nil, badRequest("Cannot create a login link for an account that has not completed onboarding.")
	}
	// Of all that an account's own pages have, the one on which its bank account is given.
	id := c.randomText(24)
	link := storedLink{Account: a.ID, Refresh: expressEnd, Return: expressEnd, ExpiresAt: c.now + linkLifetime}
	return struct {
		Object  string `json:"object"`
		Created int64  `json:"created"`
		URL     string `json:"url"`
	}{"login_link", c.now, c.s.opts.PublicURL + "/setup/e/" + a.ID + "/" + id}, standin.PutJSON(c.tx, bucketLinks, id, link)
}

func createAccountLink(c *call) (any, error) {
	a, err := c.connected(c.p.text("account"))
	if err != nil {
		return nil, err
	}
	if c.p.text("type") == "account_update" && a.Type == "express" {
		return nil, invalidParam("type", "", "You cannot create `account_update` type Account Links for this account.")
	}
	for _, name := range []string{"refresh_url", "return_url"} {
		if u, err := url.Parse(c.p.text(name)); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, invalidParam(name, "url_invalid", "Not a valid URL")
		}
	}
	id := c.randomText(24)
	link := storedLink{Account: a.ID, Refresh: c.p.text("refresh_url"), Return: c.p.text("return_url"), ExpiresAt: c.now + linkLifetime}
	if err := standin.PutJSON(c.tx, bucketLinks, id, link); err != nil {
		return nil, err
	}
	return &accountLink{Object: "account_link", Created: c.now, ExpiresAt: link.ExpiresAt, URL: c.s.opts.PublicURL + "/setup/e/" + a.ID + "/" + id}, nil
}
