package mangopay

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/netip"
	"regexp"
	"time"
)

// payInPart is what pay-ins of every way have.
type payInPart struct {
	PaymentType         string          `json:"PaymentType"`
	ExecutionType       string          `json:"ExecutionType"`
	StatementDescriptor *string         `json:"StatementDescriptor"`
	Culture             *string         `json:"Culture"`
	FlowDescriptor      *flowDescriptor `json:"FlowDescriptor"`
}

type flowDescriptor struct {
	Beneficiaries []beneficiary `json:"Beneficiaries" rule:"required"`
}

type beneficiary struct {
	UserID string `json:"UserId" rule:"required"`
}

// cardPart is what pay-ins by card have.
type cardPart struct {
	SecureMode           string                `json:"SecureMode"`
	CardInfo             *cardInfo             `json:"CardInfo"`
	AuthenticationResult *authenticationResult `json:"AuthenticationResult"`
	Shipping             json.RawMessage       `json:"Shipping"`
}

type cardInfo struct {
	BIN               string `json:"BIN"`
	IssuingBank       string `json:"IssuingBank"`
	IssuerCountryCode string `json:"IssuerCountryCode"`
	Type              string `json:"Type"`
	Brand             string `json:"Brand"`
	SubType           string `json:"SubType"`
}

func infoOf(t tokenised) *cardInfo {
	return &cardInfo{BIN: t.BIN, IssuingBank: "SANDBOX BANK", IssuerCountryCode: "FR", Type: "CREDIT", Brand: t.Provider, SubType: "STANDARD"}
}

type authenticationResult struct {
	AuthenticationType string `json:"AuthenticationType"`
}

type securityInfo struct {
	AVSResult string `json:"AVSResult"`
}

// directPart is what a payment with a registered card has.
type directPart struct {
	CardID                string          `json:"CardId"`
	SecureModeReturnURL   *string         `json:"SecureModeReturnURL"`
	SecureModeRedirectURL *string         `json:"SecureModeRedirectURL"`
	SecureModeNeeded      bool            `json:"SecureModeNeeded"`
	Billing               json.RawMessage `json:"Billing"`
	SecurityInfo          securityInfo    `json:"SecurityInfo"`
	BrowserInfo           browserInfo     `json:"BrowserInfo"`
	IPAddress             string          `json:"IpAddress"`
	Requested3DSVersion   *string         `json:"Requested3DSVersion"`
	Applied3DSVersion     *string         `json:"Applied3DSVersion"`
	PreferredCardNetwork  *string         `json:"PreferredCardNetwork"`
	PaymentCategory       string          `json:"PaymentCategory"`
}

type browserInfo struct {
	AcceptHeader      string          `json:"AcceptHeader" rule:"required"`
	JavaEnabled       *bool           `json:"JavaEnabled" rule:"required"`
	Language          string          `json:"Language" rule:"required,max=8"`
	ColorDepth        int64           `json:"ColorDepth" rule:"required"`
	ScreenHeight      int64           `json:"ScreenHeight" rule:"required"`
	ScreenWidth       int64           `json:"ScreenWidth" rule:"required"`
	TimeZoneOffset    json.RawMessage `json:"TimeZoneOffset" rule:"required"` // a number or a string
	UserAgent         string          `json:"UserAgent" rule:"required"`
	JavascriptEnabled *bool           `json:"JavascriptEnabled" rule:"required"`
}

func (b *browserInfo) check() error {
	if tz := b.TimeZoneOffset; tz[0] != '"' && tz[0] != '-' && (tz[0] < '0' || tz[0] > '9') {
		return paramError("BrowserInfo.TimeZoneOffset", "The value is not a number.")
	}
	return nil
}

// payInOrder is what every pay-in is asked with.
type payInOrder struct {
	Tag                 *string         `json:"Tag" rule:"max=255"`
	AuthorID            string          `json:"AuthorId" rule:"required"`
	CreditedWalletID    string          `json:"CreditedWalletId" rule:"required"`
	CreditedUserID      *string         `json:"CreditedUserId"`
	DebitedFunds        Money           `json:"DebitedFunds" rule:"required"`
	Fees                Money           `json:"Fees" rule:"required"`
	StatementDescriptor *string         `json:"StatementDescriptor"`
	FlowDescriptor      *flowDescriptor `json:"FlowDescriptor"`
}

type partyAddress struct {
	FirstName *string  `json:"FirstName" rule:"max=100"`
	LastName  *string  `json:"LastName" rule:"max=100"`
	Address   *address `json:"Address"`
}

type cardDirectOrder struct {
	payInOrder
	PaymentType          *string       `json:"PaymentType" rule:"in=CARD"`     // said by the call too, as in the other orders
	ExecutionType        *string       `json:"ExecutionType" rule:"in=DIRECT"` // so too
	CardID               string        `json:"CardId" rule:"required"`
	SecureModeReturnURL  string        `json:"SecureModeReturnURL" rule:"required,url,max=255"`
	SecureMode           *string       `json:"SecureMode" rule:"in=DEFAULT|FORCE|NO_CHOICE"`
	BrowserInfo          browserInfo   `json:"BrowserInfo" rule:"required"`
	IPAddress            string        `json:"IpAddress" rule:"required"`
	Culture              *string       `json:"Culture" rule:"in=CS|DA|DE|EL|EN|ES|FI|FR|HU|IT|NL|NO|PL|PT|SK|SV"`
	Billing              *partyAddress `json:"Billing"`
	Shipping             *partyAddress `json:"Shipping"`
	Requested3DSVersion  *string       `json:"Requested3DSVersion" rule:"in=V1|V2_1"`
	PreferredCardNetwork *string       `json:"PreferredCardNetwork" rule:"in=VISA|MASTERCARD|CB|MAESTRO"`
	PaymentCategory      *string       `json:"PaymentCategory" rule:"in=ECommerce|TelephoneOrder"`
}

var descriptor = regexp.MustCompile(`^[A-Za-z0-9 ]*$`)

// longDescriptors is when statement descriptors may have 22 characters instead of 10.
var longDescriptors = time.Date(2026, time.August, 17, 0, 0, 0, 0, time.UTC).Unix()

// newPayIn checks what every pay-in is asked with, and gives the transaction and whose the money will be.
func (c *call) newPayIn(in payInOrder) (*transaction, *wallet, error) {
	if _, err := c.person(in.AuthorID, ""); err != nil {
		return nil, nil, err
	}
	w, holder, err := c.userWallet(in.CreditedWalletID)
	if err != nil {
		return nil, nil, err
	}
	if err := sameCurrency(in.DebitedFunds, in.Fees, w.Currency); err != nil {
		return nil, nil, err
	}
	if in.CreditedUserID != nil && *in.CreditedUserID != holder.ID {
		return nil, nil, paramError("CreditedUserId", "The user is not the owner of the wallet.")
	}
	most := 10
	if c.now >= longDescriptors {
		most = 22
	}
	if text := value(in.StatementDescriptor); len(text) > most || !descriptor.MatchString(text) {
		return nil, nil, paramError("StatementDescriptor", "The value may have letters, digits and spaces, and not so many.")
	}
	if f := in.FlowDescriptor; f != nil && (len(f.Beneficiaries) == 0 || len(f.Beneficiaries) > 5) {
		return nil, nil, paramError("FlowDescriptor.Beneficiaries", "There must be 1 to 5 beneficiaries.")
	}
	return &transaction{txCommon: txCommon{Tag: in.Tag, AuthorID: in.AuthorID, CreditedUserID: &holder.ID, DebitedFunds: in.DebitedFunds,
		Fees: in.Fees, Type: typePayIn, Nature: natureRegular, CreditedWalletID: &w.ID},
		PayIn: &payInPart{StatementDescriptor: in.StatementDescriptor, FlowDescriptor: in.FlowDescriptor}}, w, nil
}

// refused is the code with which a pay-in fails whatever it is paid with: those who get the money have to be verified.
func (c *call) refused(t *transaction) (string, error) {
	if t.DebitedFunds.Amount-t.Fees.Amount <= 0 {
		return "001014", nil
	}
	if t.PayIn.FlowDescriptor == nil {
		holder, err := c.person(*t.CreditedUserID, "")
		if err == nil && holder.UserCategory != payer && !holder.verified() {
			return "002951", nil
		}
		return "", err
	}
	for _, b := range t.PayIn.FlowDescriptor.Beneficiaries {
		u, err := c.person(b.UserID, "")
		if err != nil {
			return "", err
		}
		if !u.verified() {
			return "002951", nil
		}
	}
	return "", nil
}

// verified tells whether money may come in for the user.
func (u *user) verified() bool { return u.UserCategory == owner && u.KYCLevel == regular }

func payDirect(c *call) (any, error) {
	in, err := decode[cardDirectOrder](c)
	if err != nil {
		return nil, err
	}
	t, _, err := c.newPayIn(in.payInOrder)
	if err != nil {
		return nil, err
	}
	o, err := get(c.tx, cards, "Card", in.CardID)
	if err != nil {
		return nil, err
	}
	if o.UserID != in.AuthorID {
		return nil, paramError("CardId", "The card is not the author's.")
	}
	if err := sameCurrency(in.DebitedFunds, in.Fees, o.Currency); err != nil {
		return nil, err
	}
	if _, err := netip.ParseAddr(in.IPAddress); err != nil {
		return nil, paramError("IpAddress", "The value is not an IP address.")
	}
	if err := in.BrowserInfo.check(); err != nil {
		return nil, err
	}
	t.PayIn.PaymentType, t.PayIn.ExecutionType, t.PayIn.Culture = "CARD", "DIRECT", in.Culture
	t.Card = &cardPart{SecureMode: "DEFAULT", CardInfo: infoOf(o.Typed), Shipping: mustJSON(in.Shipping),
		AuthenticationResult: &authenticationResult{"FRICTIONLESS"}}
	if in.SecureMode != nil {
		t.Card.SecureMode = *in.SecureMode
	}
	t.Direct = &directPart{CardID: o.ID, Billing: mustJSON(in.Billing), SecurityInfo: securityInfo{"NO_CHECK"}, BrowserInfo: in.BrowserInfo,
		IPAddress: in.IPAddress, Requested3DSVersion: in.Requested3DSVersion, Applied3DSVersion: optional("V2_1"), PreferredCardNetwork: in.PreferredCardNetwork, PaymentCategory: cmp.Or(value(in.PaymentCategory), "ECommerce")}
	t.Secret.Rule, t.Secret.Outcome = o.Typed.Rule, o.Typed.Outcome
	code, err := c.refused(t)
	if err != nil {
		return nil, err
	}
	if err := c.begin("payin", t); err != nil {
		return nil, err
	}
	switch {
	case code != "":
	case !o.Active:
		code = "101410"
	case c.past(o.ExpirationDate):
		code = "101105"
	case c.asks(t):
		return c.ask(t, in.SecureModeReturnURL)
	default:
		code = c.cardCode(t)
	}
	return t.shownAfter(c.settle(t, code))
}

// shownAfter is the transaction unless something failed.
func (t *transaction) shownAfter(err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return t.shown(), nil
}

func getPayIn(c *call) (any, error) {
	t, err := c.transaction("PayIn", c.ids["id"], typePayIn, natureRegular)
	if err != nil {
		return nil, err
	}
	return t.shown(), nil
}

func payInRoutes() []route {
	return []route{
		{http.MethodPost, "payins/card/direct", payDirect},
		{http.MethodPost, "payins/card/web", payWeb},
		{http.MethodPost, "payins/directdebit/direct", payByDebit},
		{http.MethodGet, "payins/{id}", getPayIn},
		{http.MethodGet, "payins/{id}/disputes", disputesOf("payin=", func(c *call, id string) error {
			_, err := c.transaction("PayIn", id, typePayIn, natureRegular)
			return err
		})},
	}
}
