package stripe

import "encoding/json"

type chargeOutcome struct {
	NetworkStatus string  `json:"network_status"`
	Reason        *string `json:"reason"`
	RiskLevel     string  `json:"risk_level"`
	RiskScore     int     `json:"risk_score"`
	SellerMessage string  `json:"seller_message"`
	Type          string  `json:"type"`
}

type secureResult struct {
	AuthenticationFlow    *string `json:"authentication_flow"`
	ElectronicCommerceInd *string `json:"electronic_commerce_indicator"`
	ExemptionIndicator    *string `json:"exemption_indicator"`
	Result                string  `json:"result"`
	ResultReason          *string `json:"result_reason"`
	TransactionID         *string `json:"transaction_id"`
	Version               string  `json:"version"`
}

type chargeCard struct {
	AmountAuthorized      int64         `json:"amount_authorized"`
	Brand                 string        `json:"brand"`
	CaptureBefore         *int64        `json:"capture_before,omitempty"`
	Checks                cardChecks    `json:"checks"`
	Country               string        `json:"country"`
	ExpMonth              int64         `json:"exp_month"`
	ExpYear               int64         `json:"exp_year"`
	ExtendedAuthorization *statusOnly   `json:"extended_authorization"`
	Fingerprint           string        `json:"fingerprint"`
	Funding               string        `json:"funding"`
	Incremental           *statusOnly   `json:"incremental_authorization"`
	Installments          *string       `json:"installments"`
	Last4                 string        `json:"last4"`
	Mandate               *string       `json:"mandate"`
	Multicapture          *statusOnly   `json:"multicapture"`
	Network               string        `json:"network"`
	NetworkToken          *tokenUse     `json:"network_token"`
	Overcapture           *overcapture  `json:"overcapture"`
	ThreeDSecure          *secureResult `json:"three_d_secure"`
	Wallet                *cardWallet   `json:"wallet"`
}

type statusOnly struct {
	Status string `json:"status"`
}

type tokenUse struct {
	Used bool `json:"used"`
}

type overcapture struct {
	MaximumAmountCapturable int64  `json:"maximum_amount_capturable"`
	Status                  string `json:"status"`
}

type chargeMethodDetails struct {
	Card *chargeCard `json:"card,omitempty"`
	Type string      `json:"type"`
}

type charge struct {
	ID                            string              `json:"id"`
	Object                        string              `json:"object"`
	Amount                        int64               `json:"amount"`
	AmountCaptured                int64               `json:"amount_captured"`
	AmountRefunded                int64               `json:"amount_refunded"`
	Application                   *string             `json:"application"`
	ApplicationFee                *string             `json:"application_fee"`
	ApplicationFeeAmount          *int64              `json:"application_fee_amount"`
	BalanceTransaction            *string             `json:"balance_transaction"`
	BillingDetails                billingDetails      `json:"billing_details"`
	CalculatedStatementDescriptor *string             `json:"calculated_statement_descriptor"`
	Captured                      bool                `json:"captured"`
	Created                       int64               `json:"created"`
	Currency                      string              `json:"currency"`
	Customer                      *string             `json:"customer"`
	Description                   *string             `json:"description"`
	Destination                   *string             `json:"destination"`
	Dispute                       *string             `json:"dispute"`
	Disputed                      bool                `json:"disputed"`
	FailureBalanceTransaction     *string             `json:"failure_balance_transaction"`
	FailureCode                   *string             `json:"failure_code"`
	FailureMessage                *string             `json:"failure_message"`
	FraudDetails                  struct{}            `json:"fraud_details"`
	Invoice                       *string             `json:"invoice"`
	Livemode                      bool                `json:"livemode"`
	Metadata                      map[string]string   `json:"metadata"`
	OnBehalfOf                    *string             `json:"on_behalf_of"`
	Order                         *string             `json:"order"`
	Outcome                       *chargeOutcome      `json:"outcome"`
	Paid                          bool                `json:"paid"`
	PaymentIntent                 *string             `json:"payment_intent"`
	PaymentMethod                 *string             `json:"payment_method"`
	PaymentMethodDetails          chargeMethodDetails `json:"payment_method_details"`
	ReceiptEmail                  *string             `json:"receipt_email"`
	ReceiptNumber                 *string             `json:"receipt_number"`
	ReceiptURL                    *string             `json:"receipt_url"`
	Refunded                      bool                `json:"refunded"`
	Review                        *string             `json:"review"`
	Shipping                      *shippingDetails    `json:"shipping"`
	Source                        *string             `json:"source"`
	SourceTransfer                *string             `json:"source_transfer"`
	StatementDescriptor           *string             `json:"statement_descriptor"`
	StatementDescriptorSuffix     *string             `json:"statement_descriptor_suffix"`
	Status                        string              `json:"status"`
	TransferData                  *string             `json:"transfer_data"`
	TransferGroup                 *string             `json:"transfer_group"`
}

type refund struct {
	ID                        string            `json:"id"`
	Object                    string            `json:"object"`
	Amount                    int64             `json:"amount"`
	BalanceTransaction        *string           `json:"balance_transaction"`
	Charge                    string            `json:"charge"`
	Created                   int64             `json:"created"`
	Currency                  string            `json:"currency"`
	Description               *string           `json:"description,omitempty"`
	DestinationDetails        *destination      `json:"destination_details"`
	FailureBalanceTransaction *string           `json:"failure_balance_transaction,omitempty"`
	FailureReason             *string           `json:"failure_reason,omitempty"`
	Metadata                  map[string]string `json:"metadata"`
	PaymentIntent             *string           `json:"payment_intent"`
	Reason                    *string           `json:"reason"`
	ReceiptNumber             *string           `json:"receipt_number"`
	SourceTransferReversal    *string           `json:"source_transfer_reversal"`
	Status                    string            `json:"status"`
	TransferReversal          *string           `json:"transfer_reversal"`
}

type evidenceDetails struct {
	DueBy           int64 `json:"due_by"`
	HasEvidence     bool  `json:"has_evidence"`
	PastDue         bool  `json:"past_due"`
	SubmissionCount int64 `json:"submission_count"`
}

type disputeCard struct {
	Brand             string  `json:"brand"`
	NetworkReasonCode *string `json:"network_reason_code"`
}

type disputeMethod struct {
	Card disputeCard `json:"card"`
	Type string      `json:"type"`
}

type dispute struct {
	ID                   string               `json:"id"`
	Object               string               `json:"object"`
	Amount               int64                `json:"amount"`
	BalanceTransactions  []balanceTransaction `json:"balance_transactions"`
	Charge               string               `json:"charge"`
	Created              int64                `json:"created"`
	Currency             string               `json:"currency"`
	Evidence             map[string]*string   `json:"evidence"`
	EvidenceDetails      evidenceDetails      `json:"evidence_details"`
	IsChargeRefundable   bool                 `json:"is_charge_refundable"`
	Livemode             bool                 `json:"livemode"`
	Metadata             map[string]string    `json:"metadata"`
	NetworkReasonCode    *string              `json:"network_reason_code"`
	PaymentIntent        *string              `json:"payment_intent"`
	PaymentMethodDetails disputeMethod        `json:"payment_method_details"`
	Reason               string               `json:"reason"`
	Status               string               `json:"status"`
}

type destination struct {
	Card destinationCard `json:"card"`
	Type string          `json:"type"`
}

type destinationCard struct {
	ReferenceStatus string `json:"reference_status"`
	ReferenceType   string `json:"reference_type"`
	Type            string `json:"type"`
}

type feeDetail struct {
	Amount      int64   `json:"amount"`
	Application *string `json:"application"`
	Currency    string  `json:"currency"`
	Description string  `json:"description"`
	Type        string  `json:"type"`
}

type balanceTransaction struct {
	ID                string      `json:"id"`
	Object            string      `json:"object"`
	Amount            int64       `json:"amount"`
	AvailableOn       int64       `json:"available_on"`
	Created           int64       `json:"created"`
	Currency          string      `json:"currency"`
	Description       *string     `json:"description"`
	ExchangeRate      *float64    `json:"exchange_rate"`
	Fee               int64       `json:"fee"`
	FeeDetails        []feeDetail `json:"fee_details"`
	Net               int64       `json:"net"`
	ReportingCategory string      `json:"reporting_category"`
	Source            *string     `json:"source"` // null for a transaction without a source object
	Status            string      `json:"status"`
	Type              string      `json:"type"`

	Account string `json:"_account,omitempty"` // the connected one whose balance it is of
}

type eventRequest struct {
	ID             *string `json:"id"`
	IdempotencyKey *string `json:"idempotency_key"`
}

type eventData struct {
	Object             json.RawMessage            `json:"object"`
	PreviousAttributes map[string]json.RawMessage `json:"previous_attributes,omitempty"`
}

type event struct {
	ID              string       `json:"id"`
	Object          string       `json:"object"`
	Account         string       `json:"account,omitempty"` // of a connected one
	APIVersion      string       `json:"api_version"`
	Created         int64        `json:"created"`
	Data            eventData    `json:"data"`
	Livemode        bool         `json:"livemode"`
	PendingWebhooks int          `json:"pending_webhooks"`
	Request         eventRequest `json:"request"`
	Type            string       `json:"type"`
}

type webhookEndpoint struct {
	ID            string            `json:"id"`
	Object        string            `json:"object"`
	APIVersion    *string           `json:"api_version"`
	Application   *string           `json:"application"`
	Connect       bool              `json:"_connect,omitempty"` // it hears of connected accounts, and of nothing else
	Created       int64             `json:"created"`
	Description   *string           `json:"description"`
	EnabledEvents []string          `json:"enabled_events"`
	Livemode      bool              `json:"livemode"`
	Metadata      map[string]string `json:"metadata"`
	Secret        string            `json:"secret,omitempty"`
	Status        string            `json:"status"`
	URL           string            `json:"url"`
}
