package provider

import (
	"net/http"
	"net/url"
	"time"
)

// Delivery is what came to our webhook address.
type Delivery struct {
	Header http.Header
	Query  url.Values
	Body   []byte
	At     time.Time
}

// About is what a hook is about.
type About string

// What hooks are about.
const (
	AboutPayment    About = "payment"
	AboutRefund     About = "refund"
	AboutDispute    About = "dispute"
	AboutWarning    About = "warning" // a charge was reported as fraud
	AboutInstrument About = "card"    // a kept one was renewed or is kept no longer; Object is the instrument
	// AboutPayer: a payer was deleted; Object is the payer.
	AboutPayer About = "customer"
	// AboutPayee: a creator's account has changed; Object leads to it (Payees.PayeeOf).
	AboutPayee About = "payee"
	// AboutPayeeGone: a creator has disconnected their account.
	AboutPayeeGone About = "payee_gone"
	// AboutSent: a transfer to a creator or a payout of theirs has changed; Object is it.
	AboutSent    About = "sent"
	AboutNothing About = "" // of ours
)

// Hook is what we read of a delivery.
type Hook struct {
	// Key makes it unique: the provider's own id, or the type and the object.
	Key        string
	Type       string
	About      About
	Object     string
	Money      string // "" when it does not say
	APIVersion string
	Live       bool
	// Foreign says that it is of another mode than our key's; WrongVersion that it was made in another version of the
	// API than the one agreed.
	Foreign      bool
	WrongVersion bool
}
