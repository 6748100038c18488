package stripe

type payout struct {
	ID                        string            `json:"id"`
	Object                    string            `json:"object"`
	Amount                    int64             `json:"amount"`
	ArrivalDate               int64             `json:"arrival_date"`
	Automatic                 bool              `json:"automatic"`
	BalanceTransaction        *string           `json:"balance_transaction"`
	Created                   int64             `json:"created"`
	Currency                  string            `json:"currency"`
	Description               *string           `json:"description"`
	Destination               *string           `json:"destination"`
	FailureBalanceTransaction *string           `json:"failure_balance_transaction"`
	FailureCode               *string           `json:"failure_code"`
	FailureMessage            *string           `json:"failure_message"`
	Livemode                  bool              `json:"livemode"`
	Metadata                  map[string]string `json:"metadata"`
	Method                    string            `json:"method"`
	OriginalPayout            *string           `json:"original_payout"`
	ReconciliationStatus      string            `json:"reconciliation_status"`
	ReversedBy                *string           `json:"reversed_by"`
	SourceType                string            `json:"source_type"`
	StatementDescriptor       *string           `json:"statement_descriptor"`
	Status                    string            `json:"status"`
	Type                      string            `json:"type"`

	Account string `json:"_account,omitempty"` // the connected one whose money it is
	Fails   string `json:"_fails,omitempty"`   // with which code its bank will send it back
}

type topup struct {
	ID                       string            `json:"id"`
	Object                   string            `json:"object"`
	Amount                   int64             `json:"amount"`
	BalanceTransaction       *string           `json:"balance_transaction"`
	Created                  int64             `json:"created"`
	Currency                 string            `json:"currency"`
	Description              *string           `json:"description"`
	ExpectedAvailabilityDate *int64            `json:"expected_availability_date"`
	FailureCode              *string           `json:"failure_code"`
	FailureMessage           *string           `json:"failure_message"`
	Livemode                 bool              `json:"livemode"`
	Metadata                 map[string]string `json:"metadata"`
	Source                   *string           `json:"source"`
	StatementDescriptor      *string           `json:"statement_descriptor"`
	Status                   string            `json:"status"`
	TransferGroup            *string           `json:"transfer_group"`
}
