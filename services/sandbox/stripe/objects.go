package stripe

// The objects below carry every field of API version 2023-10-16, null where empty. A pointer is a
// field that may be null; amounts are minor units; times are Unix seconds.

type address struct {
	City       *string `json:"city"`
	Country    *string `json:"country"`
	Line1      *string `json:"line1"`
	Line2      *string `json:"line2"`
	PostalCode *string `json:"postal_code"`
	State      *string `json:"state"`
}

type shippingDetails struct {
	Address        *address `json:"address"`
	Carrier        *string  `json:"carrier"`
	Name           *string  `json:"name"`
	Phone          *string  `json:"phone"`
	TrackingNumber *string  `json:"tracking_number"`
}

type invoiceSettings struct {
	CustomFields         []any   `json:"custom_fields"`
	DefaultPaymentMethod *string `json:"default_payment_method"`
	Footer               *string `json:"footer"`
	RenderingOptions     *string `json:"rendering_options"`
}

type customer struct {
	ID                  string            `json:"id"`
	Object              string            `json:"object"`
	Address             *address          `json:"address"`
	Balance             int64             `json:"balance"`
	Created             int64             `json:"created"`
	Currency            *string           `json:"currency"`
	DefaultSource       *string           `json:"default_source"`
	Delinquent          bool              `json:"delinquent"`
	Description         *string           `json:"description"`
	Discount            *string           `json:"discount"`
	Email               *string           `json:"email"`
	InvoicePrefix       string            `json:"invoice_prefix"`
	InvoiceSettings     invoiceSettings   `json:"invoice_settings"`
	Livemode            bool              `json:"livemode"`
	Metadata            map[string]string `json:"metadata"`
	Name                *string           `json:"name"`
	NextInvoiceSequence int64             `json:"next_invoice_sequence"`
	Phone               *string           `json:"phone"`
	PreferredLocales    []string          `json:"preferred_locales"`
	Shipping            *shippingDetails  `json:"shipping"`
	TaxExempt           string            `json:"tax_exempt"`
	TestClock           *string           `json:"test_clock"`
	Deleted             bool              `json:"deleted,omitempty"`
}

type billingDetails struct {
	Address address `json:"address"`
	Email   *string `json:"email"`
	Name    *string `json:"name"`
	Phone   *string `json:"phone"`
}

type cardChecks struct {
	AddressLine1Check      *string `json:"address_line1_check"`
	AddressPostalCodeCheck *string `json:"address_postal_code_check"`
	CVCCheck               *string `json:"cvc_check"`
}

type cardNetworks struct {
	Available []string `json:"available"`
	Preferred *string  `json:"preferred"`
}

type secureUsage struct {
	Supported bool `json:"supported"`
}

// cardWallet says that a card came out of a wallet on its holder's device.
type cardWallet struct {
	DynamicLast4 *string   `json:"dynamic_last4"`
	GooglePay    *struct{} `json:"google_pay,omitempty"`
	Type         string    `json:"type"`
}

type methodCard struct {
	Brand             string       `json:"brand"`
	Checks            cardChecks   `json:"checks"`
	Country           string       `json:"country"`
	DisplayBrand      string       `json:"display_brand"`
	ExpMonth          int64        `json:"exp_month"`
	ExpYear           int64        `json:"exp_year"`
	Fingerprint       string       `json:"fingerprint"`
	Funding           string       `json:"funding"`
	GeneratedFrom     *string      `json:"generated_from"`
	Last4             string       `json:"last4"`
	Networks          cardNetworks `json:"networks"`
	ThreeDSecureUsage secureUsage  `json:"three_d_secure_usage"`
	Wallet            *cardWallet  `json:"wallet"`
}

type paymentMethod struct {
	ID             string            `json:"id"`
	Object         string            `json:"object"`
	BillingDetails billingDetails    `json:"billing_details"`
	Card           *methodCard       `json:"card,omitempty"`
	Created        int64             `json:"created"`
	Customer       *string           `json:"customer"`
	Livemode       bool              `json:"livemode"`
	Metadata       map[string]string `json:"metadata"`
	Type           string            `json:"type"`
}

type amountDetails struct {
	Tip struct{} `json:"tip"`
}

type automaticMethods struct {
	AllowRedirects string `json:"allow_redirects"`
	Enabled        bool   `json:"enabled"`
}

type redirectToURL struct {
	ReturnURL *string `json:"return_url"`
	URL       string  `json:"url"`
}

// sdkAction is opaque to callers; Stripe.js alone reads it.
type sdkAction struct {
	Type     string `json:"type"`
	StripeJS string `json:"stripe_js"`
	Source   string `json:"source"`
}

type nextAction struct {
	Type          string         `json:"type"`
	RedirectToURL *redirectToURL `json:"redirect_to_url,omitempty"`
	UseStripeSDK  *sdkAction     `json:"use_stripe_sdk,omitempty"`
}

type cardOptions struct {
	Installments         *string `json:"installments"`
	MandateOptions       *string `json:"mandate_options"`
	Network              *string `json:"network"`
	RequestThreeDSecure  string  `json:"request_three_d_secure"`
	CaptureMethod        string  `json:"capture_method,omitempty"`
	SetupFutureUsage     string  `json:"setup_future_usage,omitempty"`
	StatementSuffixKana  string  `json:"statement_descriptor_suffix_kana,omitempty"`
	StatementSuffixKanji string  `json:"statement_descriptor_suffix_kanji,omitempty"`
}

type methodOptions struct {
	Card *cardOptions `json:"card,omitempty"`
}

// errorObject is last_payment_error or last_setup_error: the error body of the failed attempt.
type errorObject = errorBody

type paymentIntent struct {
	ID                                string            `json:"id"`
	Object                            string            `json:"object"`
	Amount                            int64             `json:"amount"`
	AmountCapturable                  int64             `json:"amount_capturable"`
	AmountDetails                     amountDetails     `json:"amount_details"`
	AmountReceived                    int64             `json:"amount_received"`
	Application                       *string           `json:"application"`
	ApplicationFeeAmount              *int64            `json:"application_fee_amount"`
	AutomaticPaymentMethods           *automaticMethods `json:"automatic_payment_methods"`
	CanceledAt                        *int64            `json:"canceled_at"`
	CancellationReason                *string           `json:"cancellation_reason"`
	CaptureMethod                     string            `json:"capture_method"`
	ClientSecret                      string            `json:"client_secret"`
	ConfirmationMethod                string            `json:"confirmation_method"`
	Created                           int64             `json:"created"`
	Currency                          string            `json:"currency"`
	Customer                          *string           `json:"customer"`
	Description                       *string           `json:"description"`
	Invoice                           *string           `json:"invoice"`
	LastPaymentError                  *errorObject      `json:"last_payment_error"`
	LatestCharge                      *string           `json:"latest_charge"`
	Livemode                          bool              `json:"livemode"`
	Metadata                          map[string]string `json:"metadata"`
	NextAction                        *nextAction       `json:"next_action"`
	OnBehalfOf                        *string           `json:"on_behalf_of"`
	PaymentMethod                     *string           `json:"payment_method"`
	PaymentMethodConfigurationDetails *string           `json:"payment_method_configuration_details"`
	PaymentMethodOptions              methodOptions     `json:"payment_method_options"`
	PaymentMethodTypes                []string          `json:"payment_method_types"`
	Processing                        *string           `json:"processing"`
	ReceiptEmail                      *string           `json:"receipt_email"`
	Review                            *string           `json:"review"`
	SetupFutureUsage                  *string           `json:"setup_future_usage"`
	Shipping                          *shippingDetails  `json:"shipping"`
	Source                            *string           `json:"source"`
	StatementDescriptor               *string           `json:"statement_descriptor"`
	StatementDescriptorSuffix         *string           `json:"statement_descriptor_suffix"`
	Status                            intentStatus      `json:"status"`
	TransferData                      *string           `json:"transfer_data"`
	TransferGroup                     *string           `json:"transfer_group"`
}

// clientIntent is the reduced object a publishable key sees.
type clientIntent struct {
	ID                      string            `json:"id"`
	Object                  string            `json:"object"`
	Amount                  int64             `json:"amount"`
	AmountDetails           amountDetails     `json:"amount_details"`
	AutomaticPaymentMethods *automaticMethods `json:"automatic_payment_methods"`
	CanceledAt              *int64            `json:"canceled_at"`
	CancellationReason      *string           `json:"cancellation_reason"`
	CaptureMethod           string            `json:"capture_method"`
	ClientSecret            string            `json:"client_secret"`
	ConfirmationMethod      string            `json:"confirmation_method"`
	Created                 int64             `json:"created"`
	Currency                string            `json:"currency"`
	Description             *string           `json:"description"`
	LastPaymentError        *errorObject      `json:"last_payment_error"`
	Livemode                bool              `json:"livemode"`
	NextAction              *nextAction       `json:"next_action"`
	PaymentMethod           *string           `json:"payment_method"`
	PaymentMethodTypes      []string          `json:"payment_method_types"`
	Processing              *string           `json:"processing"`
	ReceiptEmail            *string           `json:"receipt_email"`
	SetupFutureUsage        *string           `json:"setup_future_usage"`
	Shipping                *shippingDetails  `json:"shipping"`
	Source                  *string           `json:"source"`
	Status                  intentStatus      `json:"status"`
}

func (pi *paymentIntent) client() *clientIntent {
	return &clientIntent{
		ID: pi.ID, Object: pi.Object, Amount: pi.Amount, AmountDetails: pi.AmountDetails,
		AutomaticPaymentMethods: pi.AutomaticPaymentMethods, CanceledAt: pi.CanceledAt,
		CancellationReason: pi.CancellationReason, CaptureMethod: pi.CaptureMethod,
		ClientSecret: pi.ClientSecret, ConfirmationMethod: pi.ConfirmationMethod, Created: pi.Created,
		Currency: pi.Currency, Description: pi.Description, LastPaymentError: clientError(pi.LastPaymentError),
		Livemode: pi.Livemode, NextAction: pi.NextAction, PaymentMethod: pi.PaymentMethod,
		PaymentMethodTypes: pi.PaymentMethodTypes, Processing: pi.Processing, ReceiptEmail: pi.ReceiptEmail,
		SetupFutureUsage: pi.SetupFutureUsage, Shipping: pi.Shipping, Source: pi.Source, Status: pi.Status,
	}
}

// clientError hides what a publishable key may not see: the method's customer and metadata.
func clientError(e *errorBody) *errorBody {
	if e == nil {
		return nil
	}
	out := *e
	if e.PaymentMethod != nil {
		method := *e.PaymentMethod
		method.Customer, method.Metadata = nil, map[string]string{}
		out.PaymentMethod = &method
	}
	if pi, full := e.PaymentIntent.(*paymentIntent); full {
		out.PaymentIntent = pi.client()
	}
	if si, full := e.SetupIntent.(*setupIntent); full {
		out.SetupIntent = si.client()
	}
	out.RequestLogURL = ""
	return &out
}
