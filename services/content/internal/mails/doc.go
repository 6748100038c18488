// Package mails renders and sends what the platform writes to people.
//
// A domain puts a mail into the outbox in the transaction that causes it: Kind…, and a payload of ids and of the figures
// that belong to this very event, for the pledge may have moved on when its mail is sent. The worker reads the rest as it
// is then, renders it in the receiver's language from templates/<language>.<kind>.txt, and gives
// it to the SMTP server. Text is the source: the HTML part is the same
// text in a plain, calm frame, its prices in a table and its links as buttons.
package mails

// Kinds of mail, as the outbox names them.
const (
	KindReceipt       = "mail.receipt"        // a pledge is paid
	KindRefund        = "mail.refund"         // money went back
	KindPaymentFailed = "mail.payment_failed" // the bank refused after all
)

// PledgeMail is the payload of every mail about a pledge.
type PledgeMail struct {
	PledgeID string  `json:"pledge_id"`
	Refund   *Refund `json:"refund,omitempty"` // of KindRefund
}

// Refund is what a mail about a refund tells, in minor units of the pledge's currency.
type Refund struct {
	Minor      int64  `json:"minor"`              // what goes back now
	AllMinor   int64  `json:"all_minor"`          // with what went back before
	LeftMinor  int64  `json:"left_minor"`         // what stays charged
	Reason     string `json:"reason"`             // of the internal contract
	IsReleased bool   `json:"released,omitempty"` // the backer had given the pledge up
	IsDisputed bool   `json:"disputed,omitempty"` // what is left is at the backer's bank
}
