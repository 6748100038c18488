package stripe

type totalDetails struct {
	AmountDiscount int64 `json:"amount_discount"`
	AmountShipping int64 `json:"amount_shipping"`
	AmountTax      int64 `json:"amount_tax"`
}

type customerDetails struct {
	Address   *address `json:"address"`
	Email     *string  `json:"email"`
	Name      *string  `json:"name"`
	Phone     *string  `json:"phone"`
	TaxExempt string   `json:"tax_exempt"`
	TaxIDs    []string `json:"tax_ids"`
}

type enabledOnly struct {
	Enabled bool `json:"enabled"`
}

type automaticTax struct {
	Enabled   bool    `json:"enabled"`
	Liability *string `json:"liability"`
	Status    *string `json:"status"`
}

type customText struct {
	AfterSubmit              *string `json:"after_submit"`
	ShippingAddress          *string `json:"shipping_address"`
	Submit                   *string `json:"submit"`
	TermsOfServiceAcceptance *string `json:"terms_of_service_acceptance"`
}

type invoiceData struct {
	AccountTaxIDs    *string           `json:"account_tax_ids"`
	CustomFields     *string           `json:"custom_fields"`
	Description      *string           `json:"description"`
	Footer           *string           `json:"footer"`
	Issuer           *string           `json:"issuer"`
	Metadata         map[string]string `json:"metadata"`
	RenderingOptions *string           `json:"rendering_options"`
}

type invoiceCreation struct {
	Enabled     bool        `json:"enabled"`
	InvoiceData invoiceData `json:"invoice_data"`
}

type checkoutSession struct {
	ID                                string            `json:"id"`
	Object                            string            `json:"object"`
	AfterExpiration                   *string           `json:"after_expiration"`
	AllowPromotionCodes               *bool             `json:"allow_promotion_codes"`
	AmountSubtotal                    int64             `json:"amount_subtotal"`
	AmountTotal                       int64             `json:"amount_total"`
	AutomaticTax                      automaticTax      `json:"automatic_tax"`
	BillingAddressCollection          *string           `json:"billing_address_collection"`
	CancelURL                         *string           `json:"cancel_url"`
	ClientReferenceID                 *string           `json:"client_reference_id"`
	ClientSecret                      *string           `json:"client_secret"`
	Consent                           *string           `json:"consent"`
	ConsentCollection                 *string           `json:"consent_collection"`
	Created                           int64             `json:"created"`
	Currency                          string            `json:"currency"`
	CurrencyConversion                *string           `json:"currency_conversion"`
	CustomFields                      []string          `json:"custom_fields"`
	CustomText                        customText        `json:"custom_text"`
	Customer                          *string           `json:"customer"`
	CustomerCreation                  *string           `json:"customer_creation"`
	CustomerDetails                   *customerDetails  `json:"customer_details"`
	CustomerEmail                     *string           `json:"customer_email"`
	ExpiresAt                         int64             `json:"expires_at"`
	Invoice                           *string           `json:"invoice"`
	InvoiceCreation                   invoiceCreation   `json:"invoice_creation"`
	Livemode                          bool              `json:"livemode"`
	Locale                            *string           `json:"locale"`
	Metadata                          map[string]string `json:"metadata"`
	Mode                              string            `json:"mode"`
	PaymentIntent                     *string           `json:"payment_intent"`
	PaymentLink                       *string           `json:"payment_link"`
	PaymentMethodCollection           string            `json:"payment_method_collection"`
	PaymentMethodConfigurationDetails *string           `json:"payment_method_configuration_details"`
	PaymentMethodOptions              methodOptions     `json:"payment_method_options"`
	PaymentMethodTypes                []string          `json:"payment_method_types"`
	PaymentStatus                     string            `json:"payment_status"`
	PhoneNumberCollection             enabledOnly       `json:"phone_number_collection"`
	RecoveredFrom                     *string           `json:"recovered_from"`
	RedirectOnCompletion              *string           `json:"redirect_on_completion,omitempty"`
	ReturnURL                         *string           `json:"return_url,omitempty"`
	SetupIntent                       *string           `json:"setup_intent"`
	ShippingAddressCollection         *string           `json:"shipping_address_collection"`
	ShippingCost                      *string           `json:"shipping_cost"`
	ShippingDetails                   *shippingDetails  `json:"shipping_details"`
	ShippingOptions                   []string          `json:"shipping_options"`
	Status                            string            `json:"status"`
	SubmitType                        *string           `json:"submit_type"`
	Subscription                      *string           `json:"subscription"`
	SuccessURL                        *string           `json:"success_url"`
	TotalDetails                      totalDetails      `json:"total_details"`
	UIMode                            string            `json:"ui_mode"`
	URL                               *string           `json:"url"`
}

type lineItemPrice struct {
	ID         string            `json:"id"`
	Object     string            `json:"object"`
	Active     bool              `json:"active"`
	Created    int64             `json:"created"`
	Currency   string            `json:"currency"`
	Livemode   bool              `json:"livemode"`
	Metadata   map[string]string `json:"metadata"`
	Product    string            `json:"product"`
	Type       string            `json:"type"`
	UnitAmount int64             `json:"unit_amount"`
}

type lineItem struct {
	ID             string        `json:"id"`
	Object         string        `json:"object"`
	AmountDiscount int64         `json:"amount_discount"`
	AmountSubtotal int64         `json:"amount_subtotal"`
	AmountTax      int64         `json:"amount_tax"`
	AmountTotal    int64         `json:"amount_total"`
	Currency       string        `json:"currency"`
	Description    string        `json:"description"`
	Price          lineItemPrice `json:"price"`
	Quantity       int64         `json:"quantity"`
}

// intentData is payment_intent_data, kept until the payer submits and the intent is made.
type intentData struct {
	CaptureMethod             string            `json:"capture_method"`
	Description               *string           `json:"description"`
	Metadata                  map[string]string `json:"metadata"`
	ReceiptEmail              *string           `json:"receipt_email"`
	SetupFutureUsage          *string           `json:"setup_future_usage"`
	Shipping                  *shippingDetails  `json:"shipping"`
	StatementDescriptor       *string           `json:"statement_descriptor"`
	StatementDescriptorSuffix *string           `json:"statement_descriptor_suffix"`
	TransferGroup             *string           `json:"transfer_group"`
}

// storedSession is a session with what no API answer shows.
type storedSession struct {
	checkoutSession
	Items      []lineItem `json:"_items"`
	IntentData intentData `json:"_intent_data"`
}
