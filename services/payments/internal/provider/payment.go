package provider

import (
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
)

// Method is how a backer pays an attempt.
type Method string

// The methods.
const (
	MethodCard Method = "card" // a card, in the provider's fields on our page or registered before
	MethodPage Method = "page" // a page of the provider's, with whatever it offers
	// MethodDebit is a direct debit by a mandate: it is Processing for days, and may be taken back weeks after its success.
	MethodDebit Method = "debit"
)

// Methods are all of them.
var Methods = []Method{MethodCard, MethodDebit, MethodPage} //nolint:gochecknoglobals // a constant that Go cannot have

// Ref names an attempt's object at the provider.
type Ref struct {
	Method Method
	// Object is the id of what Begin made.
	Object string
	// Money is the id of the payment itself: the same for a card, "" for a page that nobody has submitted.
	Money string
}

// Tag is what every object of ours carries at the provider; ids only.
type Tag struct {
	Payment  string // our payment
	Attempt  string // the attempt's key
	Subject  string // what is paid, for people who look at the provider's pages
	Campaign string
}

// IsOurs reports whether we made the tag: other systems on the same account may use the same words, but not our ids.
func (t Tag) IsOurs() bool {
	_, err := ids.Parse(t.Payment)
	return err == nil
}

// Order is what Begin needs.
type Order struct {
	Key         string // of the attempt's row, in our alphabet
	Method      Method
	Amount      money.Amount
	Title       string // the line that the backer sees
	Description string
	Language    string // fi, en or sv
	Tag         Tag
	// Payer keeps the instrument that pays; "" keeps none. Present: it is charged again only while its payer is there, and one that they
	// have kept may pay.
	Payer   string
	Present bool
	// Instrument is one of the payer's that is charged at once. Without a Browser that is off session: the answer is as
	// ChargeInstrument's, and ErrInstrumentGone is one more error. "" waits for the payer. A payer who pays after all, when that was
	// declined, has their card kept as well. A repeat is no second charge for as long as the key is known (Traits.KeyLife); what may
	// take longer begins without one, and ChargeInstrument follows.
	Instrument string
	// Kept is what the caller has just read of Instrument, or nil.
	Kept *Instrument
	// Into is where the caller has just found that the money goes; without one it is looked for.
	Into Wallet
	// Browser is the payer's, who is there: their bank may want a confirmation (NeedsPayer, with a Redirect), and sends them back to
	// ReturnURL. It is part of the call, but not of what its key stands for.
	Browser   *Browser
	ReturnURL string
	// Of a page.
	Email     string // of the backer, filled in for them; "" asks for it
	CancelURL string
	ExpiresAt time.Time
}

// Wallet is where a campaign's money goes, and who owns it there, of a provider that has wallets.
type Wallet struct{ ID, Owner string }

// Browser is what a bank is told of the browser in front of which a payer sits, as EMV 3-D Secure has it.
type Browser struct {
	IP             string
	Accept         string // its Accept header
	UserAgent      string
	Language       string // as RFC 5646 has it
	Java           bool
	JavaScript     bool
	ColorDepth     int // in bits
	ScreenHeight   int // in pixels
	ScreenWidth    int
	TimeZoneOffset int // minutes by which UTC is ahead of local time
}

// State is how far an object is, in the steps that matter to us.
type State string

// The states of an object.
const (
	Open       State = "open"        // waits for the payer, or for another card after a decline
	NeedsPayer State = "needs_payer" // has a challenge of the bank before them
	Processing State = "processing"
	Succeeded  State = "succeeded" // with its Charge
	Ended      State = "ended"     // unpaid, and nobody can pay it
)

// Snapshot is an object as the provider has it now.
type Snapshot struct {
	Ref      Ref
	State    State
	Next     Next         // of one that waits for the payer
	Amount   money.Amount // asked for
	Received money.Amount // really charged; zero before success
	// FailureCode is a code of payment_failed, from the last decline; "" without one.
	FailureCode string
	// LastDecline names the last refusal of a card: when it is another than before, Declines has news. "" without one.
	LastDecline string
	// Remedy is what may help after that decline.
	Remedy  Remedy
	Result  Result  // of a try that is over
	Charge  *Charge // of a success
	Tag     Tag
	Created time.Time
	// IsNew is of one that the call itself has made: nothing has gone back of it yet, and nothing was refused of it before.
	IsNew bool
	// IsBrief is of one in a list that says no more than Ref and State: for the rest it is looked at.
	IsBrief bool
}

// Result is how something ended in the provider's own words, for a caller that speaks them. It is never kept.
type Result struct {
	Code, Message string
	// IsSpent says that what was paid with is not to be offered again; Instrument is that, where the attempt does not say it.
	IsSpent    bool
	Instrument string
}

// Decline is one card that its bank refused.
type Decline struct {
	Ref string
	// Card is the provider's fingerprint of the card number, the same for whoever uses it; "" when it gives none.
	Card string
}

// Charge is the money of a success.
type Charge struct {
	Ref        string
	Label      string        // 'Visa ···· 4242'
	Place      string        // the part of our balance that has it; "" where there is only one
	Instrument *Instrument   // when it is kept for the payments to come
	Fee        *money.Amount // nil until the provider knows it
	Happened   time.Time
	// Refunded and Disputed say that there is something to ask for.
	Refunded bool
	Disputed bool
}
