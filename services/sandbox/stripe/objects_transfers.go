package stripe

// transfer is money of ours on its way to a connected account. docs.stripe.com/api/transfers/object
type transfer struct {
	ID                 string            `json:"id"`
	Object             string            `json:"object"`
	Amount             int64             `json:"amount"`
	AmountReversed     int64             `json:"amount_reversed"`
	BalanceTransaction string            `json:"balance_transaction"`
	Created            int64             `json:"created"`
	Currency           string            `json:"currency"`
	Description        *string           `json:"description"`
	Destination        string            `json:"destination"`
	DestinationPayment string            `json:"destination_payment"`
	Livemode           bool              `json:"livemode"`
	Metadata           map[string]string `json:"metadata"`
	Reversals          reversalList      `json:"reversals"`
	Reversed           bool              `json:"reversed"` // wholly
	SourceTransaction  *string           `json:"source_transaction"`
	SourceType         string            `json:"source_type"`
	TransferGroup      *string           `json:"transfer_group"`
}

type reversalList struct {
	Object     string             `json:"object"`
	Data       []transferReversal `json:"data"`
	HasMore    bool               `json:"has_more"`
	TotalCount int                `json:"total_count"`
	URL        string             `json:"url"`
}

// transferReversal is a part of a transfer that came back. docs.stripe.com/api/transfer_reversals/object
type transferReversal struct {
	ID                       string            `json:"id"`
	Object                   string            `json:"object"`
	Amount                   int64             `json:"amount"`
	BalanceTransaction       string            `json:"balance_transaction"`
	Created                  int64             `json:"created"`
	Currency                 string            `json:"currency"`
	DestinationPaymentRefund string            `json:"destination_payment_refund"`
	Metadata                 map[string]string `json:"metadata"`
	SourceRefund             *string           `json:"source_refund"`
	Transfer                 string            `json:"transfer"`
}
