package mangopay

import (
	"encoding/json"
	"fmt"

	"talkoot.fi/sandbox/standin"
)

// Snapshot is the whole state at one moment, with which a test compares a program's own records. Lists are oldest first,
// amounts in minor units, times in Unix seconds; what is not set is empty.
type Snapshot struct {
	Users        []User
	Wallets      []Wallet // the client's too
	Cards        []Card
	Mandates     []Mandate
	Transactions []Transaction
	Disputes     []Dispute
}

// User is a person or a company.
type User struct {
	ID           string `json:"Id"`
	Tag          string
	Email        string
	UserCategory string
	KYCLevel     string
	UserStatus   string
}

// Wallet is a user's, or without owners the client's.
type Wallet struct {
	ID      string `json:"Id"`
	Tag     string
	Owners  []string
	Balance Money
}

// Card is a registered card.
type Card struct {
	ID       string `json:"Id"`
	UserID   string `json:"UserId"`
	Alias    string
	Active   bool
	Validity string
}

// Mandate is one of a bank account.
type Mandate struct {
	ID            string `json:"Id"`
	UserID        string `json:"UserId"`
	BankAccountID string `json:"BankAccountId"`
	Status        string
}

// Transaction is a pay-in, a transfer, a refund, a repudiation or a settlement.
type Transaction struct {
	ID               string `json:"Id"`
	Tag              string
	Type, Nature     string
	Status           string
	ResultCode       string
	AuthorID         string `json:"AuthorId"`
	CreditedWalletID string `json:"CreditedWalletId"`
	DebitedWalletID  string `json:"DebitedWalletId"`
	DebitedFunds     Money
	CreditedFunds    Money
	Fees             Money
	CreationDate     int64
	ExecutionDate    int64
	PayIn            struct{ PaymentType, ExecutionType string }
	Refund           struct {
		InitialTransactionID string `json:"InitialTransactionId"`
	}
}

// Dispute is a bank that takes a pay-in back, or asks about it.
type Dispute struct {
	ID                   string `json:"Id"`
	InitialTransactionID string `json:"InitialTransactionId"`
	DisputeType          string
	DisputedFunds        Money
	Status               string
	ResultCode           string
	RepudiationID        string `json:"RepudiationId"`
}

// Snapshot reads the state between two calls. It panics when the sandbox is closed: with an empty state tests would pass
// that should fail.
func (s *Sandbox) Snapshot() Snapshot {
	var out Snapshot
	err := s.read(&call{}, func(c *call) error {
		return firstOf(copyAll(c, users, &out.Users), copyAll(c, wallets, &out.Wallets), copyAll(c, cards, &out.Cards),
			copyAll(c, mandates, &out.Mandates), copyAll(c, transactions, &out.Transactions), copyAll(c, disputes, &out.Disputes))
	})
	if err != nil {
		panic(fmt.Errorf("read the sandbox's state: %w", err))
	}
	return out
}

// copyAll reads every object of a kind into the part of it that U names.
func copyAll[T, U any](c *call, k standin.Kind[T], out *[]U) error {
	return k.Walk(c.tx, "", nil, true, func(id []byte) (bool, error) {
		var u U
		if err := json.Unmarshal(k.Raw(c.tx, id), &u); err != nil {
			return false, fmt.Errorf("read stored object: %w", err)
		}
		*out = append(*out, u)
		return true, nil
	})
}
