// Package mails renders and sends what the platform writes to people.
//
// A domain puts a mail into the outbox in the transaction that causes it (Kind… and its payload, ids only); the worker
// reads what is true at sending, renders it in the receiver's language from templates/<language>.<kind>.txt, and gives
// it to the SMTP server. Text is the source: the HTML part is the same text in a plain, calm frame.
package mails

// Kinds of mail, as the outbox names them.
const (
	KindReceipt       = "mail.receipt"        // a pledge is paid
	KindRefund        = "mail.refund"         // money went back
	KindPaymentFailed = "mail.payment_failed" // the bank refused after all
)

// PledgeMail is the payload of every mail about a pledge.
type PledgeMail struct {
	PledgeID string `json:"pledge_id"`
}
