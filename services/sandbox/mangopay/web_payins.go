package mangopay

// webPart is what a payment on the provider's own page has.
type webPart struct {
	RedirectURL string          `json:"RedirectURL"`
	ReturnURL   string          `json:"ReturnURL"`
	TemplateURL *string         `json:"TemplateURL"`
	CardType    string          `json:"CardType"`
	CardID      *string         `json:"CardId"`
	BankName    *string         `json:"BankName"`
	Options     *templateOption `json:"TemplateURLOptions"`
}

type templateOption struct {
	PAYLINE   *string `json:"PAYLINE"`
	PAYLINEV2 *string `json:"PAYLINEV2"`
}

type cardWebOrder struct {
	payInOrder
	PaymentType        *string         `json:"PaymentType" rule:"in=CARD"`
	ExecutionType      *string         `json:"ExecutionType" rule:"in=WEB"`
	ReturnURL          string          `json:"ReturnURL" rule:"required,url,max=220"`
	Culture            string          `json:"Culture" rule:"required,in=CS|DA|DE|EL|EN|ES|FI|FR|HU|IT|NL|NO|PL|PT|SK|SV"`
	CardType           string          `json:"CardType" rule:"required,in=CB_VISA_MASTERCARD|AMEX|MAESTRO|BCMC|DINERS|MASTERPASS|IDEAL|P24"`
	SecureMode         *string         `json:"SecureMode" rule:"in=DEFAULT|FORCE|NO_CHOICE"`
	Shipping           *partyAddress   `json:"Shipping"`
	TemplateURLOptions *templateOption `json:"TemplateURLOptions"`
}

func payWeb(c *call) (any, error) {
	in, err := decode[cardWebOrder](c)
	if err != nil {
		return nil, err
	}
	t, _, err := c.newPayIn(in.payInOrder)
	if err != nil {
		return nil, err
	}
	t.PayIn.PaymentType, t.PayIn.ExecutionType, t.PayIn.Culture = "CARD", "WEB", &in.Culture
	t.Card = &cardPart{SecureMode: "DEFAULT", Shipping: mustJSON(in.Shipping)}
	if in.SecureMode != nil {
		t.Card.SecureMode = *in.SecureMode
	}
	t.Web = &webPart{CardType: in.CardType, Options: in.TemplateURLOptions}
	code, err := c.refused(t)
	if err != nil {
		return nil, err
	}
	if err := c.begin("payin", t); err != nil {
		return nil, err
	}
	t.Web.ReturnURL = withID(in.ReturnURL, "transactionId", t.ID)
	if code != "" {
		return t.shownAfter(c.settle(t, code))
	}
	if t.Web.RedirectURL, err = c.newPage("payment", pageCard, t.ID); err != nil {
		return nil, err
	}
	return t.shownAfter(firstOf(transactions.Put(c.tx, t), c.schedule(pageLife, actExpirePayIn, t.ID)))
}

// payOnPage is a payer at the hosted page. next is where they go: back, to their bank, or nowhere when what they typed
// is wrong, which the code then says.
func (c *call) payOnPage(t *transaction, number, expiry, cvx string) (next, code string, err error) {
	typed, code := c.readCard(number, expiry, cvx)
	if code != "" {
		return "", registrationCode(code), nil
	}
	t.Card.CardInfo, t.Secret.Rule, t.Secret.Outcome = infoOf(typed), typed.Rule, typed.Outcome
	if c.asks(t) {
		if err := transactions.Put(c.tx, t); err != nil {
			return "", "", err
		}
		next, err = c.newPage("3ds", pageChallenge, t.ID)
		return next, "", err
	}
	t.Card.AuthenticationResult = &authenticationResult{"FRICTIONLESS"}
	return t.Web.ReturnURL, "", c.settle(t, c.cardCode(t))
}
