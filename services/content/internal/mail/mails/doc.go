// Package mails renders and sends the platform's mails.
//
// A domain adds a mail to the outbox in the transaction that causes it: its kind, and a payload of ids and of the
// amounts of this event, because the pledge may have changed by the time the mail is sent. The worker reads the rest
// at that time, renders templates/<language>.<kind>.txt in the receiver's language, and sends it by SMTP. The template
// is plain text; the HTML part is made from it, with prices in a table and links as buttons.
package mails

import "time"

// Kinds of mail, as the outbox names them.
const (
	KindReceipt       = "mail.receipt"        // a pledge is paid
	KindRefund        = "mail.refund"         // money was refunded
	KindPaymentFailed = "mail.payment_failed" // the bank refused after all
	KindWithdrawal    = "mail.withdrawal"     // its backer has taken a pledge back: at once, with day and hour
	KindSent          = "mail.sent"           // its creator has sent its reward, and until when it can be taken back
	KindChanged       = "mail.pledge_changed" // its backer has changed what a pledge is for: what it was and is
	KindRaiseFailed   = "mail.raise_failed"   // the bank refused, after all, what a change came to more
	KindPledgeLink    = "mail.pledge_link"    // a new link to its page, in place of all earlier ones
	KindStranded      = "mail.stranded"       // where it was to be paid nothing begins any more; it can be paid another way
)

// PledgeMail is the payload of every mail about a pledge.
type PledgeMail struct {
	PledgeID string  `json:"pledge_id"`
	Refund   *Refund `json:"refund,omitempty"` // of KindRefund
	// Withdrawal is of KindWithdrawal.
	Withdrawal *Withdrawal `json:"withdrawal,omitempty"`
	Change     *Change     `json:"change,omitempty"` // of KindChanged
	Raise      *Raise      `json:"raise,omitempty"`  // of KindRaiseFailed
}

// Raise is what a mail says about a change to a higher sum that a bank has refused to pay, in minor units of the pledge's currency.
type Raise struct {
	Minor      int64 `json:"minor"`       // that was to be charged
	KeepsMinor int64 `json:"keeps_minor"` // what the pledge stays
}

// Change is what a mail says about a pledge that its backer has changed, in minor units of the pledge's currency.
type Change struct {
	At        time.Time `json:"at"`
	FromMinor int64     `json:"from_minor"`
	ToMinor   int64     `json:"to_minor"`
	Before    []Line    `json:"before"`
	After     []Line    `json:"after"`
	Method    string    `json:"method,omitempty"` // of what was charged further: Visa ···· 4242
	// HasFurther: it was charged more than once, so that what goes back may go to more than one place.
	HasFurther bool `json:"has_further,omitempty"`
}

// LessMinor is what goes back.
func (c Change) LessMinor() int64 { return max(c.FromMinor-c.ToMinor, 0) }

// MoreMinor is what was charged further.
func (c Change) MoreMinor() int64 { return max(c.ToMinor-c.FromMinor, 0) }

// Withdrawal is what a mail says about a pledge that its backer has taken back.
type Withdrawal struct {
	At    time.Time `json:"at"`
	Minor int64     `json:"minor"` // that goes back, in minor units of the pledge's currency
	// ContestedMinor is what a bank has of the pledge besides.
	ContestedMinor int64 `json:"contested_minor,omitempty"`
	IsProcessing   bool  `json:"processing,omitempty"` // its bank was still confirming it
	IsAfter        bool  `json:"after,omitempty"`      // its campaign had ended
	IsSent         bool  `json:"sent,omitempty"`       // its reward had been sent
}

// Refund is the amounts in a mail about a refund, in minor units of the pledge's currency.
type Refund struct {
	Minor      int64  `json:"minor"`              // refunded now
	AllMinor   int64  `json:"all_minor"`          // refunded in total
	LeftMinor  int64  `json:"left_minor"`         // still charged
	Reason     string `json:"reason"`             // of the internal contract
	IsReleased bool   `json:"released,omitempty"` // the backer had released the pledge
	IsDisputed bool   `json:"disputed,omitempty"` // a bank has the rest, or some of it
	IsRaise    bool   `json:"raise,omitempty"`    // of a further charge that was not taken: the pledge stays what it was
}
