package mangopay

import (
	"net/http"
	"slices"
	"strings"
)

const (
	recipientPending     = "PENDING"
	recipientCanceled    = "CANCELED"
	recipientDeactivated = "DEACTIVATED"

	pageRecipient = "recipient"
)

type individualRecipient struct {
	FirstName string  `json:"FirstName" rule:"required,max=100"`
	LastName  string  `json:"LastName" rule:"required,max=100"`
	Address   address `json:"Address" rule:"required"`
}

type businessRecipient struct {
	BusinessName string  `json:"BusinessName" rule:"required,max=255"`
	Address      address `json:"Address" rule:"required"`
}

type localTransfer struct {
	EUR *struct {
		IBAN string `json:"IBAN" rule:"required"`
	} `json:"EUR" rule:"required"`
}

// payeeCheck is whether a bank knows the name of an account.
type payeeCheck struct {
	ID      string `json:"RecipientVerificationId"`
	Check   string `json:"RecipientVerificationCheck"`
	Message string `json:"RecipientVerificationMessage"`
}

type recipientOrder struct {
	DisplayName         string               `json:"DisplayName" rule:"required,max=50"`
	PayoutMethodType    string               `json:"PayoutMethodType" rule:"required,in=LocalBankTransfer"`
	RecipientType       string               `json:"RecipientType" rule:"required,in=Individual|Business"`
	Currency            string               `json:"Currency" rule:"required,in=EUR"`
	Country             string               `json:"Country" rule:"required,country"`
	RecipientScope      *string              `json:"RecipientScope" rule:"in=PAYOUT|PAYIN"`
	IndividualRecipient *individualRecipient `json:"IndividualRecipient"`
	BusinessRecipient   *businessRecipient   `json:"BusinessRecipient"`
	LocalBankTransfer   localTransfer        `json:"LocalBankTransfer" rule:"required"`
	Tag                 *string              `json:"Tag" rule:"max=255"`
}

// recipient is a bank account to which a user's money can be paid out.
type recipient struct {
	ID                string         `json:"Id"`
	CreationDate      int64          `json:"CreationDate"`
	UserID            string         `json:"UserId"`
	Status            string         `json:"Status"`
	PendingUserAction *pendingAction `json:"PendingUserAction"`
	PayeeCheck        *payeeCheck    `json:"RecipientVerificationOfPayee"`
	International     *struct{}      `json:"InternationalBankTransfer"` // none here
	recipientOrder
}

// readRecipient checks the body of a recipient.
func readRecipient(c *call) (in recipientOrder, context string, err error) {
	var body struct {
		recipientOrder
		ScaContext *string `json:"ScaContext" rule:"in=USER_PRESENT|USER_NOT_PRESENT"`
	}
	if err := c.decodeInto(&body, false); err != nil {
		return in, "", err
	}
	in, context = body.recipientOrder, scaContext(body.ScaContext)
	faults := map[string]string{}
	if strings.ContainsAny(in.DisplayName, "&,'/") {
		faults["DisplayName"] = "The name has a character that it may not have."
	}
	if (in.RecipientType == "Individual") != (in.IndividualRecipient != nil) || (in.RecipientType == "Business") != (in.BusinessRecipient != nil) {
		faults[in.RecipientType+"Recipient"] = "Give the part of the recipient's type, and no other."
	}
	if iban := in.iban(); !validIBAN(iban) || iban[:2] != in.Country {
		faults["LocalBankTransfer.EUR.IBAN"] = "The IBAN is not valid, or of another country."
	}
	if len(faults) > 0 {
		return in, context, paramErrors(faults)
	}
	return in, context, nil
}

func (o recipientOrder) iban() string {
	return strings.ReplaceAll(o.LocalBankTransfer.EUR.IBAN, " ", "")
}

func validateRecipient(c *call) (any, error) {
	if _, err := c.person(c.ids["user"], ""); err != nil {
		return nil, err
	}
	_, _, err := readRecipient(c)
	return nil, err
}

func addRecipient(c *call) (any, error) {
	u, err := c.person(c.ids["user"], "")
	if err != nil {
		return nil, err
	}
	in, context, err := readRecipient(c)
	if err != nil {
		return nil, err
	}
	if context == "USER_NOT_PRESENT" && !u.Consents.RecipientRegistration {
		return nil, noConsent("RecipientRegistration")
	}
	if in.RecipientScope == nil {
		in.RecipientScope = optional("PAYOUT")
	}
	o := &recipient{ID: c.newID("rec"), CreationDate: c.now, UserID: u.ID, Status: recipientPending, recipientOrder: in}
	o.PayeeCheck = &payeeCheck{c.s.engine.IDs.ID("vop_"), "NO_MATCH", "The name is not the account's."}
	if in.BusinessRecipient != nil && in.BusinessRecipient.BusinessName == "EuroCorp" && in.iban() == "FR7630001007941234567890185" {
		o.PayeeCheck.Check, o.PayeeCheck.Message = "MATCH", "The name is the account's."
	}
	if u.skips() || context == "USER_NOT_PRESENT" {
		return o, c.answerRecipient(o, true)
	}
	at, err := c.newPage("sca", pageRecipient, o.ID)
	o.PendingUserAction = &pendingAction{at}
	return o, firstOf(err, recipients.Put(c.tx, o))
}

// answerRecipient is the user at its page.
func (c *call) answerRecipient(o *recipient, pass bool) error {
	if o.Status != recipientPending {
		return nil
	}
	event := "RECIPIENT_ACTIVE"
	o.Status, o.PendingUserAction = active, nil
	if !pass {
		o.Status, event = recipientCanceled, "RECIPIENT_CANCELED"
	}
	return firstOf(recipients.Put(c.tx, o), c.tell(o.ID, event))
}

func getRecipient(c *call) (any, error) { return get(c.tx, recipients, "Recipient", c.ids["id"]) }

func changeRecipient(c *call) (any, error) {
	o, err := get(c.tx, recipients, "Recipient", c.ids["id"])
	if err != nil {
		return nil, err
	}
	in, err := decode[struct {
		Status string `json:"Status" rule:"required,in=DEACTIVATED"`
	}](c)
	if err != nil {
		return nil, err
	}
	o.Status = in.Status
	return o, firstOf(recipients.Put(c.tx, o), c.tell(o.ID, "RECIPIENT_DEACTIVATED"))
}

func listRecipients(c *call) (any, error) {
	u, err := c.person(c.ids["user"], "")
	if err != nil {
		return nil, err
	}
	scope := c.query.Get("recipientscope")
	return listed(c, recipients, "user="+u.ID, func(o *recipient) (any, bool) { return o, scope == "" || value(o.RecipientScope) == scope })
}

func payoutMethods(*call) (any, error) {
	return map[string][]string{"AvailablePayoutMethods": {"LocalBankTransfer"}}, nil
}

// needed says how a field of a recipient is filled in.
type needed struct {
	Required       bool     `json:"Required"`
	MaxLength      *int     `json:"MaxLength"`
	MinLength      *int     `json:"MinLength"`
	Pattern        *string  `json:"Pattern"`
	AllowedValues  []string `json:"AllowedValues"`
	Label          *string  `json:"Label"`
	EndUserDisplay *string  `json:"EndUserDisplay"`
}

func must(allowed ...string) needed { return needed{Required: true, AllowedValues: allowed} }

// recipientSchema says what a recipient of these kinds has.
func recipientSchema(c *call) (any, error) {
	kind, country := c.query.Get("recipienttype"), c.query.Get("country")
	faults := map[string]string{}
	for name, want := range map[string]string{"payoutMethodType": "LocalBankTransfer", "recipientType": "Individual|Business", "currency": "EUR"} {
		if said := c.query.Get(strings.ToLower(name)); !slices.Contains(strings.Split(want, "|"), said) {
			faults[name] = "The value is not one of " + want + "."
		}
	}
	if ibanLengths[country] == 0 {
		faults["country"] = "The country is not one of SEPA."
	}
	if len(faults) > 0 {
		return nil, paramErrors(faults)
	}
	home := map[string]needed{"AddressLine1": must(), "AddressLine2": {}, "City": must(), "Region": {}, "PostalCode": must(), "Country": must()}
	out := map[string]any{"DisplayName": must(), "Currency": must("EUR"), "Country": must(country), "RecipientType": must(kind),
		"PayoutMethodType": must("LocalBankTransfer"), "RecipientScope": needed{AllowedValues: []string{"PAYOUT", "PAYIN"}}, "Tag": needed{},
		"LocalBankTransfer":         map[string]any{"EUR": map[string]needed{"IBAN": must()}},
		"InternationalBankTransfer": nil, "IndividualRecipient": nil, "BusinessRecipient": nil}
	if kind == "Individual" {
		out["IndividualRecipient"] = map[string]any{"FirstName": must(), "LastName": must(), "Address": home}
	} else {
		out["BusinessRecipient"] = map[string]any{"BusinessName": must(), "Address": home}
	}
	return out, nil
}

func recipientRoutes() []route {
	return []route{
		{http.MethodGet, "recipients/payout-methods", payoutMethods},
		{http.MethodGet, "recipients/schema", recipientSchema},
		{http.MethodPost, "users/{user}/recipients/validate", validateRecipient},
		{http.MethodPost, "users/{user}/recipients", addRecipient},
		{http.MethodGet, "users/{user}/recipients", listRecipients},
		{http.MethodGet, "recipients/{id}", getRecipient},
		{http.MethodPut, "recipients/{id}", changeRecipient},
	}
}
