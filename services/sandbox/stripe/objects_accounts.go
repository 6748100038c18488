package stripe

// connectedAccount is an account of a creator's under ours. docs.stripe.com/api/accounts/object
type connectedAccount struct {
	ID                 string            `json:"id"`
	Object             string            `json:"object"`
	BusinessProfile    businessProfile   `json:"business_profile"`
	BusinessType       *string           `json:"business_type"`
	Capabilities       map[string]string `json:"capabilities"`
	ChargesEnabled     bool              `json:"charges_enabled"`
	Country            string            `json:"country"`
	Created            int64             `json:"created"`
	DefaultCurrency    string            `json:"default_currency"`
	DetailsSubmitted   bool              `json:"details_submitted"`
	Email              *string           `json:"email"`
	ExternalAccounts   externalAccounts  `json:"external_accounts"`
	FutureRequirements requirements      `json:"future_requirements"`
	Metadata           map[string]string `json:"metadata"`
	PayoutsEnabled     bool              `json:"payouts_enabled"`
	Requirements       requirements      `json:"requirements"`
	Settings           accountSettings   `json:"settings"`
	TosAcceptance      tosAcceptance     `json:"tos_acceptance"`
	Type               string            `json:"type"`
}

// storedAccount is one with what its calls do not tell.
type storedAccount struct {
	connectedAccount
	Gone     bool   `json:"_gone"` // its owner has disconnected it from us
	IBAN     string `json:"_iban"`
	IsAbroad bool   `json:"_abroad,omitempty"` // across a border that transfers do not pass
	Delay    int64  `json:"_delay,omitempty"`  // seconds until what was transferred to it is available
}

type businessProfile struct {
	AnnualRevenue        *string  `json:"annual_revenue"`
	EstimatedWorkerCount *int64   `json:"estimated_worker_count"`
	MCC                  *string  `json:"mcc"`
	Name                 *string  `json:"name"`
	ProductDescription   *string  `json:"product_description"`
	SupportAddress       *address `json:"support_address"`
	SupportEmail         *string  `json:"support_email"`
	SupportPhone         *string  `json:"support_phone"`
	SupportURL           *string  `json:"support_url"`
	URL                  *string  `json:"url"`
}

type externalAccounts struct {
	Object     string        `json:"object"`
	Data       []bankDetails `json:"data"`
	HasMore    bool          `json:"has_more"`
	TotalCount int           `json:"total_count"`
	URL        string        `json:"url"`
}

type bankDetails struct {
	ID                     string            `json:"id"`
	Object                 string            `json:"object"`
	Account                string            `json:"account"`
	AccountHolderName      *string           `json:"account_holder_name"`
	AccountHolderType      *string           `json:"account_holder_type"`
	AccountType            *string           `json:"account_type"`
	AvailablePayoutMethods []string          `json:"available_payout_methods"`
	BankName               *string           `json:"bank_name"`
	Country                string            `json:"country"`
	Currency               string            `json:"currency"`
	DefaultForCurrency     bool              `json:"default_for_currency"`
	Fingerprint            string            `json:"fingerprint"`
	Last4                  string            `json:"last4"`
	Metadata               map[string]string `json:"metadata"`
	RoutingNumber          *string           `json:"routing_number"`
	Status                 string            `json:"status"`
}

type requirements struct {
	Alternatives        []any              `json:"alternatives"`
	CurrentDeadline     *int64             `json:"current_deadline"`
	CurrentlyDue        []string           `json:"currently_due"`
	DisabledReason      *string            `json:"disabled_reason"`
	Errors              []requirementError `json:"errors"`
	EventuallyDue       []string           `json:"eventually_due"`
	PastDue             []string           `json:"past_due"`
	PendingVerification []string           `json:"pending_verification"`
}

type requirementError struct {
	Code        string `json:"code"`
	Reason      string `json:"reason"`
	Requirement string `json:"requirement"`
}

func noRequirements() requirements {
	return requirements{Alternatives: []any{}, CurrentlyDue: []string{}, Errors: []requirementError{}, EventuallyDue: []string{}, PastDue: []string{},
		PendingVerification: []string{}}
}

type accountSettings struct {
	BacsDebitPayments struct{}        `json:"bacs_debit_payments"`
	Branding          accountBranding `json:"branding"`
	CardIssuing       cardIssuing     `json:"card_issuing"`
	CardPayments      cardSettings    `json:"card_payments"`
	Dashboard         dashboard       `json:"dashboard"`
	Payments          statementWords  `json:"payments"`
	Payouts           payoutSettings  `json:"payouts"`
	SepaDebitPayments *struct{}       `json:"sepa_debit_payments"`
}

type accountBranding struct {
	Icon           *string `json:"icon"`
	Logo           *string `json:"logo"`
	PrimaryColor   *string `json:"primary_color"`
	SecondaryColor *string `json:"secondary_color"`
}

type cardIssuing struct {
	TosAcceptance struct {
		Date *int64  `json:"date"`
		IP   *string `json:"ip"`
	} `json:"tos_acceptance"`
}

type cardSettings struct {
	DeclineOn struct {
		AVSFailure bool `json:"avs_failure"`
		CVCFailure bool `json:"cvc_failure"`
	} `json:"decline_on"`
	StatementDescriptorPrefix      *string `json:"statement_descriptor_prefix"`
	StatementDescriptorPrefixKana  *string `json:"statement_descriptor_prefix_kana"`
	StatementDescriptorPrefixKanji *string `json:"statement_descriptor_prefix_kanji"`
}

type dashboard struct {
	DisplayName *string `json:"display_name"`
	Timezone    *string `json:"timezone"`
}

type statementWords struct {
	StatementDescriptor      *string `json:"statement_descriptor"`
	StatementDescriptorKana  *string `json:"statement_descriptor_kana"`
	StatementDescriptorKanji *string `json:"statement_descriptor_kanji"`
}

type payoutSettings struct {
	DebitNegativeBalances bool           `json:"debit_negative_balances"`
	Schedule              payoutSchedule `json:"schedule"`
	StatementDescriptor   *string        `json:"statement_descriptor"`
}

type payoutSchedule struct {
	DelayDays     int64   `json:"delay_days"`
	Interval      string  `json:"interval"`
	MonthlyAnchor *int64  `json:"monthly_anchor,omitempty"`
	WeeklyAnchor  *string `json:"weekly_anchor,omitempty"`
}

type tosAcceptance struct {
	Date             *int64  `json:"date"`
	IP               *string `json:"ip"`
	ServiceAgreement string  `json:"service_agreement,omitempty"`
	UserAgent        *string `json:"user_agent"`
}

// accountLink leads a creator to their page at Stripe, once. docs.stripe.com/api/account_links/object
type accountLink struct {
	Object    string `json:"object"`
	Created   int64  `json:"created"`
	ExpiresAt int64  `json:"expires_at"`
	URL       string `json:"url"`
}

// storedLink is a link, and the visit that it was used for.
type storedLink struct {
	Account, Refresh, Return string
	ExpiresAt                int64
	Visit                    string // "" until it is used
	Over                     bool
}
