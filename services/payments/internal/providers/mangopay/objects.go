package mangopay

import (
	"net/url"
	"strings"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// funds is a sum on the wire, in minor units.
type funds struct {
	Currency string
	Amount   int64
}

func fundsOf(a money.Amount) funds { return funds{string(a.Currency), a.Minor} }

func (f funds) amount() money.Amount { return money.New(f.Amount, money.Currency(f.Currency)) }

// at is a moment on the wire, in seconds.
func at(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }

// States of what is made.
const (
	created   = "CREATED"
	succeeded = "SUCCEEDED"
	failed    = "FAILED"
)

// Places of our balance besides the campaigns' wallets.
const (
	placeFees        = "fees"
	placeRepudiation = "repudiation"
)

// Names of the wire. docs.mangopay.com/api-reference/payins/payin-object
//
//nolint:revive // the wire's
type payIn struct {
	Id               string
	Tag              string
	CreationDate     int64
	ExecutionDate    *int64
	AuthorId         string
	CreditedUserId   string
	CreditedWalletId string
	DebitedFunds     funds
	CreditedFunds    funds
	Fees             funds
	Status           string
	ResultCode       string
	ResultMessage    string
	PaymentType      string // CARD, DIRECT_DEBIT
	ExecutionType    string // DIRECT, WEB

	CardId                string
	MandateId             string
	SecureModeNeeded      bool
	SecureModeRedirectURL string
	RedirectURL           string
}

func (p payIn) method() provider.Method {
	switch {
	case p.PaymentType == "DIRECT_DEBIT":
		return provider.MethodDebit
	case p.ExecutionType == "WEB":
		return provider.MethodPage
	}
	return provider.MethodCard
}

// tagOf reads what we wrote on an object; of another system's it is empty.
func tagOf(text string) provider.Tag {
	q, err := url.ParseQuery(text)
	if err != nil {
		return provider.Tag{}
	}
	return provider.Tag{Payment: q.Get("payment"), Attempt: q.Get("attempt"), Subject: q.Get("subject"), Campaign: q.Get("campaign")}
}

// tagText is a tag in at most 255 signs.
func tagText(t provider.Tag) string {
	return url.Values{"payment": {t.Payment}, "attempt": {t.Attempt}, "subject": {t.Subject}, "campaign": {t.Campaign}}.Encode()
}

// Where objects are; with the id behind it, such a path is our reference to an instrument or a setup, which is of one of two kinds.
const (
	cardsAt         = "cards/"
	registrationsAt = "cardregistrations/"
	mandatesAt      = "mandates/"
	transfersAt     = "transfers/"
)

// CardRef is our reference to a card of Mangopay's.
func CardRef(id string) string { return cardsAt + id }

// RegistrationRef is our reference to the registration of a card.
func RegistrationRef(id string) string { return registrationsAt + id }

// MandateRef is our reference to a mandate.
func MandateRef(id string) string { return mandatesAt + id }

// IDIn is Mangopay's id in a reference of ours.
func IDIn(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// idAt is the id in a reference; "" in one of another kind, or of anything that is no id.
func idAt(kind, ref string) string {
	id, is := strings.CutPrefix(ref, kind)
	if !is || !isID(id) {
		return ""
	}
	return id
}

// isID reports whether a text may be an id of Mangopay's: it goes into an address.
func isID(text string) bool {
	return text != "" && len(text) <= 128 && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}
