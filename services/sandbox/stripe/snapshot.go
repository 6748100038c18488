package stripe

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Snapshot is the whole state at one moment, with which a test compares a program's own records. Lists are oldest
// first, amounts in minor units, times in Unix seconds, currencies in lower case; a reference that is not set is
// empty.
type Snapshot struct {
	// Net is, per currency, what all balance transactions of ours add up to: amounts minus fees. Those of connected accounts are in no list here.
	Net                 map[string]int64
	Intents             []Intent
	Setups              []Setup
	Methods             []Method
	Charges             []Charge
	Refunds             []Refund
	Disputes            []Dispute
	BalanceTransactions []BalanceTransaction
	Payouts             []Payout
	Transfers           []Transfer
	Warnings            []Warning
	Topups              []Topup
	Sessions            []Session
}

// The types below are parts of the stored objects, decoded by the same JSON tags.

// Intent is a payment intent.
type Intent struct {
	ID             string            `json:"id"`
	Amount         int64             `json:"amount"`
	AmountReceived int64             `json:"amount_received"`
	Currency       string            `json:"currency"`
	Status         string            `json:"status"`
	Customer       string            `json:"customer"`
	LatestCharge   string            `json:"latest_charge"`
	TransferGroup  string            `json:"transfer_group"`
	Metadata       map[string]string `json:"metadata"`
	Created        int64             `json:"created"`
}

// Setup is a setup intent.
type Setup struct {
	ID            string            `json:"id"`
	Status        string            `json:"status"`
	Usage         string            `json:"usage"`
	Customer      string            `json:"customer"`
	PaymentMethod string            `json:"payment_method"`
	Mandate       string            `json:"mandate"`
	Metadata      map[string]string `json:"metadata"`
	Created       int64             `json:"created"`
}

// Method is a saved card.
type Method struct {
	ID       string `json:"id"`
	Customer string `json:"customer"`
	Card     struct {
		Last4    string `json:"last4"`
		ExpMonth int64  `json:"exp_month"`
		ExpYear  int64  `json:"exp_year"`
	} `json:"card"`
	Created int64 `json:"created"`
}

// Charge is an attempt to take or hold money, failed ones too. AmountRefunded leaves failed refunds out.
type Charge struct {
	ID                 string            `json:"id"`
	Intent             string            `json:"payment_intent"`
	Amount             int64             `json:"amount"`
	AmountCaptured     int64             `json:"amount_captured"`
	AmountRefunded     int64             `json:"amount_refunded"`
	Currency           string            `json:"currency"`
	Status             string            `json:"status"`
	Captured           bool              `json:"captured"`
	Disputed           bool              `json:"disputed"`
	Dispute            string            `json:"dispute"`
	BalanceTransaction string            `json:"balance_transaction"`
	Metadata           map[string]string `json:"metadata"`
	Created            int64             `json:"created"`
}

// Refund is a refund of a charge.
type Refund struct {
	ID                        string            `json:"id"`
	Charge                    string            `json:"charge"`
	Intent                    string            `json:"payment_intent"`
	Amount                    int64             `json:"amount"`
	Currency                  string            `json:"currency"`
	Status                    string            `json:"status"`
	FailureReason             string            `json:"failure_reason"`
	BalanceTransaction        string            `json:"balance_transaction"`
	FailureBalanceTransaction string            `json:"failure_balance_transaction"`
	Metadata                  map[string]string `json:"metadata"`
	Created                   int64             `json:"created"`
}

// Dispute is a charge taken back by its bank. Its fee is on its balance transactions.
type Dispute struct {
	ID       string            `json:"id"`
	Charge   string            `json:"charge"`
	Intent   string            `json:"payment_intent"`
	Amount   int64             `json:"amount"`
	Currency string            `json:"currency"`
	Status   string            `json:"status"`
	Reason   string            `json:"reason"`
	Metadata map[string]string `json:"metadata"`
	Created  int64             `json:"created"`
}

// Warning is an early fraud warning of a charge.
type Warning struct {
	ID         string `json:"id"`
	Charge     string `json:"charge"`
	Intent     string `json:"payment_intent"`
	FraudType  string `json:"fraud_type"`
	Actionable bool   `json:"actionable"`
	Created    int64  `json:"created"`
}

// BalanceTransaction is one movement of the account's balance; Net is Amount minus Fee.
type BalanceTransaction struct {
	ID                string `json:"id"`
	Type              string `json:"type"`
	ReportingCategory string `json:"reporting_category"`
	Source            string `json:"source"` // the charge, refund, dispute, payout or top-up that moved it
	Amount            int64  `json:"amount"`
	Fee               int64  `json:"fee"`
	Net               int64  `json:"net"`
	Currency          string `json:"currency"`
	AvailableOn       int64  `json:"available_on"`
	Created           int64  `json:"created"`
	Account           string `json:"_account"` // always "": see Snapshot
}

// Payout is a transfer from a balance to a bank.
type Payout struct {
	ID                        string            `json:"id"`
	Amount                    int64             `json:"amount"`
	Currency                  string            `json:"currency"`
	Status                    string            `json:"status"`
	Automatic                 bool              `json:"automatic"`
	ArrivalDate               int64             `json:"arrival_date"`
	FailureCode               string            `json:"failure_code"`
	BalanceTransaction        string            `json:"balance_transaction"`
	FailureBalanceTransaction string            `json:"failure_balance_transaction"` // of a canceled one too
	Metadata                  map[string]string `json:"metadata"`
	Created                   int64             `json:"created"`
	Account                   string            `json:"_account"` // the connected one whose money it is; "" for ours
}

// Transfer is money of ours that went to a connected account.
type Transfer struct {
	ID             string            `json:"id"`
	Amount         int64             `json:"amount"`
	AmountReversed int64             `json:"amount_reversed"`
	Destination    string            `json:"destination"`
	TransferGroup  string            `json:"transfer_group"`
	Metadata       map[string]string `json:"metadata"`
	Created        int64             `json:"created"`
}

// Topup is money from our bank on the balance.
type Topup struct {
	ID                 string            `json:"id"`
	Amount             int64             `json:"amount"`
	Currency           string            `json:"currency"`
	Status             string            `json:"status"`
	BalanceTransaction string            `json:"balance_transaction"`
	Metadata           map[string]string `json:"metadata"`
	Created            int64             `json:"created"`
}

// Session is a hosted checkout page.
type Session struct {
	ID            string            `json:"id"`
	Intent        string            `json:"payment_intent"`
	AmountTotal   int64             `json:"amount_total"`
	Currency      string            `json:"currency"`
	Status        string            `json:"status"`
	PaymentStatus string            `json:"payment_status"`
	Metadata      map[string]string `json:"metadata"`
	Created       int64             `json:"created"`
}

// Snapshot reads the state between two calls. It panics when the sandbox is closed: with an empty state tests would
// pass that should fail.
func (s *Sandbox) Snapshot() Snapshot {
	b := Snapshot{Net: map[string]int64{}}
	s.mustRead(func(c *call) error {
		return errors.Join(
			copyAll(c, intents, &b.Intents), copyAll(c, setups, &b.Setups), copyAll(c, methods, &b.Methods),
			copyAll(c, charges, &b.Charges), copyAll(c, refunds, &b.Refunds),
			copyAll(c, disputes, &b.Disputes), copyAll(c, warnings, &b.Warnings), copyAll(c, transactions, &b.BalanceTransactions),
			copyAll(c, payouts, &b.Payouts), copyAll(c, transfers, &b.Transfers), copyAll(c, topups, &b.Topups), copyAll(c, sessions, &b.Sessions),
		)
	})
	b.BalanceTransactions = slices.DeleteFunc(b.BalanceTransactions, func(t BalanceTransaction) bool { return t.Account != "" })
	for _, txn := range b.BalanceTransactions {
		b.Net[txn.Currency] += txn.Net
	}
	return b
}

// mustRead is read for methods that have no error to return.
func (s *Sandbox) mustRead(fn func(*call) error) {
	if err := s.read(&call{}, fn); err != nil {
		panic(fmt.Errorf("read the sandbox's state: %w", err))
	}
}

// copyAll reads every object of a kind into the part of it that U names.
func copyAll[T, U any](c *call, k kind[T], out *[]U) error {
	return k.Walk(c.tx, "", nil, true, func(id []byte) (bool, error) {
		u, err := partOf[U](k.Raw(c.tx, id))
		*out = append(*out, u)
		return err == nil, err
	})
}

// partOf decodes the fields of a stored object that U names.
func partOf[U any](raw []byte) (u U, err error) {
	if err := json.Unmarshal(raw, &u); err != nil {
		return u, fmt.Errorf("read stored object: %w", err)
	}
	return u, nil
}
