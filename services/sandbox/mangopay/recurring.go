package mangopay

import (
	"cmp"
	"net/http"
)

const (
	recurringNeeded   = "AUTHENTICATION_NEEDED"
	recurringProgress = "IN_PROGRESS"
	recurringEnded    = "ENDED"

	mostRecurring = 99 // pay-ins of one registration
)

// recurring lets a card be charged while its payer is away, once they have confirmed a first payment.
type recurring struct {
	ID                    string         `json:"Id"`
	Tag                   *string        `json:"Tag"`
	CreationDate          int64          `json:"CreationDate"`
	Status                string         `json:"Status"`
	ResultCode            *string        `json:"ResultCode"`
	ResultMessage         *string        `json:"ResultMessage"`
	RecurringType         string         `json:"RecurringType"`
	PaymentType           string         `json:"PaymentType"`
	TotalAmount           *Money         `json:"TotalAmount"`
	CycleNumber           *int64         `json:"CycleNumber"`
	AuthorID              string         `json:"AuthorId"`
	CardID                string         `json:"CardId"`
	CreditedWalletID      string         `json:"CreditedWalletId"`
	CreditedUserID        *string        `json:"CreditedUserId"`
	FirstTransactionFunds Money          `json:"FirstTransactionDebitedFunds"`
	FirstTransactionFees  Money          `json:"FirstTransactionFees"`
	NextTransactionFunds  *Money         `json:"NextTransactionDebitedFunds"`
	NextTransactionFees   *Money         `json:"NextTransactionFees"`
	Frequency             *string        `json:"Frequency"`
	EndDate               *int64         `json:"EndDate"`
	FixedNextAmount       bool           `json:"FixedNextAmount"`
	FractionedPayment     bool           `json:"FractionedPayment"`
	Migration             bool           `json:"Migration"`
	Billing               *partyAddress  `json:"Billing"`
	Shipping              *partyAddress  `json:"Shipping"`
	CurrentState          recurringState `json:"CurrentState"`
}

type recurringState struct {
	PayinsLinked           int64   `json:"PayinsLinked"`
	CumulatedDebitedAmount Money   `json:"CumulatedDebitedAmount"`
	CumulatedFeesAmount    Money   `json:"CumulatedFeesAmount"`
	LastPayinID            *string `json:"LastPayinId"`
}

// recurringPart is what a pay-in of a registration has.
type recurringPart struct {
	RegistrationID string `json:"RecurringPayinRegistrationId"`
}

func beginRecurring(c *call) (any, error) {
	in, err := decode[struct {
		Tag                   *string       `json:"Tag" rule:"max=255"`
		AuthorID              string        `json:"AuthorId" rule:"required"`
		CardID                string        `json:"CardId" rule:"required"`
		CreditedWalletID      string        `json:"CreditedWalletId" rule:"required"`
		CreditedUserID        *string       `json:"CreditedUserId"`
		FirstTransactionFunds Money         `json:"FirstTransactionDebitedFunds" rule:"required"`
		FirstTransactionFees  Money         `json:"FirstTransactionFees" rule:"required"`
		NextTransactionFunds  *Money        `json:"NextTransactionDebitedFunds"`
		NextTransactionFees   *Money        `json:"NextTransactionFees"`
		Frequency             *string       `json:"Frequency" rule:"in=Daily|Weekly|TwiceAMonth|Monthly|Bimonthly|Quarterly|Semiannual|Annual|Biannual"`
		EndDate               *int64        `json:"EndDate"`
		FixedNextAmount       bool          `json:"FixedNextAmount"`
		Billing               *partyAddress `json:"Billing"`
		Shipping              *partyAddress `json:"Shipping"`
		FractionedPayment     bool          `json:"FractionedPayment"`
		Migration             bool          `json:"Migration"`
		PaymentType           *string       `json:"PaymentType" rule:"in=CARD_DIRECT"`
	}](c)
	if err != nil {
		return nil, err
	}
	if _, _, err := c.newPayIn(payInOrder{AuthorID: in.AuthorID, CreditedWalletID: in.CreditedWalletID, CreditedUserID: in.CreditedUserID,
		DebitedFunds: in.FirstTransactionFunds, Fees: in.FirstTransactionFees}); err != nil {
		return nil, err
	}
	o, err := get(c.tx, cards, "Card", in.CardID)
	if err != nil {
		return nil, err
	}
	if o.UserID != in.AuthorID || !o.Active {
		return nil, paramError("CardId", "The card is not the author's, or not active.")
	}
	none := Money{Currency: in.FirstTransactionFunds.Currency}
	r := &recurring{ID: c.newID("recpayinreg"), CreationDate: c.now, Status: statusCreated, Tag: in.Tag, AuthorID: in.AuthorID, CardID: in.CardID,
		CreditedWalletID: in.CreditedWalletID, CreditedUserID: in.CreditedUserID, FirstTransactionFunds: in.FirstTransactionFunds,
		FirstTransactionFees: in.FirstTransactionFees, NextTransactionFunds: in.NextTransactionFunds, NextTransactionFees: in.NextTransactionFees,
		Frequency: in.Frequency, EndDate: in.EndDate, FixedNextAmount: in.FixedNextAmount, Billing: in.Billing,
		Shipping: in.Shipping, FractionedPayment: in.FractionedPayment, Migration: in.Migration, RecurringType: "CUSTOM", PaymentType: "CARD_DIRECT",
		CurrentState: recurringState{CumulatedDebitedAmount: none, CumulatedFeesAmount: none}}
	return r, firstOf(recurrings.Put(c.tx, r), c.tell(r.ID, "RECURRING_REGISTRATION_CREATED"))
}

func getRecurring(c *call) (any, error) {
	return get(c.tx, recurrings, "RecurringPayinRegistration", c.ids["id"])
}

func changeRecurring(c *call) (any, error) {
	r, err := get(c.tx, recurrings, "RecurringPayinRegistration", c.ids["id"])
	if err != nil {
		return nil, err
	}
	in, err := decode[struct {
		Status *string       `json:"Status" rule:"in=ENDED"`
		CardID *string       `json:"CardId"`
		Bill   *partyAddress `json:"Billing"`
		Ship   *partyAddress `json:"Shipping"`
	}](c)
	switch {
	case err != nil:
		return nil, err
	case r.Status == recurringEnded:
		return nil, paramError("Status", "The registration has ended.")
	case in.CardID != nil:
		if o, err := get(c.tx, cards, "Card", *in.CardID); err != nil || o.UserID != r.AuthorID {
			return nil, errOr(err, paramError("CardId", "The card is not the author's."))
		}
		r.CardID = *in.CardID
		if err := c.moveRecurring(r, recurringNeeded); err != nil {
			return nil, err
		}
	}
	if in.Bill != nil {
		r.Billing = in.Bill
	}
	if in.Ship != nil {
		r.Shipping = in.Ship
	}
	if in.Status != nil {
		return r, c.moveRecurring(r, recurringEnded)
	}
	return r, recurrings.Put(c.tx, r)
}

// moveRecurring changes a registration's status, and tells of it.
func (c *call) moveRecurring(r *recurring, status string) error {
	if r.Status == status {
		return recurrings.Put(c.tx, r)
	}
	r.Status = status
	event := map[string]string{recurringNeeded: "AUTH_NEEDED", recurringProgress: "IN_PROGRESS", recurringEnded: "ENDED"}[status]
	return firstOf(recurrings.Put(c.tx, r), c.tell(r.ID, "RECURRING_REGISTRATION_"+event))
}

// payRecurring is one payment of a registration: the first, and one after a refusal, in front of the payer.
func payRecurring(c *call) (any, error) {
	in, err := decode[struct {
		RegistrationID      string          `json:"RecurringPayinRegistrationId" rule:"required"`
		Tag                 *string         `json:"Tag" rule:"max=255"`
		DebitedFunds        *Money          `json:"DebitedFunds"`
		Fees                *Money          `json:"Fees"`
		StatementDescriptor *string         `json:"StatementDescriptor"`
		SecureModeReturnURL *string         `json:"SecureModeReturnURL" rule:"url,max=255"`
		BrowserInfo         *browserInfo    `json:"BrowserInfo"`
		IPAddress           *string         `json:"IpAddress"`
		FlowDescriptor      *flowDescriptor `json:"FlowDescriptor"`
		PaymentCategory     *string         `json:"PaymentCategory" rule:"in=ECommerce|TelephoneOrder"`
	}](c)
	if err != nil {
		return nil, err
	}
	if in.BrowserInfo != nil {
		if err := in.BrowserInfo.check(); err != nil {
			return nil, err
		}
	}
	r, err := get(c.tx, recurrings, "RecurringPayinRegistration", in.RegistrationID)
	if err != nil {
		return nil, err
	}
	present := in.BrowserInfo != nil && in.IPAddress != nil && in.SecureModeReturnURL != nil
	funds, fees := &r.FirstTransactionFunds, &r.FirstTransactionFees
	if r.Status == recurringProgress {
		funds, fees = r.NextTransactionFunds, r.NextTransactionFees
	}
	if in.DebitedFunds != nil {
		funds, fees = in.DebitedFunds, in.Fees
	}
	switch {
	case r.Status == recurringEnded || r.CurrentState.PayinsLinked >= mostRecurring:
		return nil, paramError("RecurringPayinRegistrationId", "The registration has ended.")
	case r.Status != recurringProgress && !present:
		return nil, paramError("BrowserInfo", "The payer has to be present.")
	case funds == nil || fees == nil:
		return nil, paramError("DebitedFunds", "DebitedFunds and Fees are required.")
	}
	t, _, err := c.newPayIn(payInOrder{Tag: in.Tag, AuthorID: r.AuthorID, CreditedWalletID: r.CreditedWalletID, CreditedUserID: r.CreditedUserID,
		DebitedFunds: *funds, Fees: *fees, StatementDescriptor: in.StatementDescriptor, FlowDescriptor: in.FlowDescriptor})
	if err != nil {
		return nil, err
	}
	o, err := get(c.tx, cards, "Card", r.CardID)
	if err != nil {
		return nil, err
	}
	t.PayIn.PaymentType, t.PayIn.ExecutionType = "CARD", "DIRECT"
	t.Card = &cardPart{SecureMode: "DEFAULT", CardInfo: infoOf(o.Typed), Shipping: mustJSON(nil), AuthenticationResult: &authenticationResult{"FRICTIONLESS"}}
	t.Direct = &directPart{CardID: o.ID, Billing: mustJSON(r.Billing), SecurityInfo: securityInfo{"NO_CHECK"}, Applied3DSVersion: optional("V2_1"),
		PaymentCategory: cmp.Or(value(in.PaymentCategory), "ECommerce")}
	t.Recurring = &recurringPart{r.ID}
	t.Secret.Outcome = o.Typed.Outcome
	if code := recurringCode(*funds, r.Billing); code != "" {
		t.Secret.Outcome = code
	}
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
	case r.Status != recurringProgress:
		t.Direct.BrowserInfo, t.Direct.IPAddress = *in.BrowserInfo, *in.IPAddress
		return c.ask(t, *in.SecureModeReturnURL)
	default:
		code = c.cardCode(t)
	}
	return t.shownAfter(c.settle(t, code))
}

// recurringCode is the code that an amount and a line of the payer's address ask for.
func recurringCode(funds Money, billing *partyAddress) string {
	if funds.Amount != 33501 || billing == nil || billing.Address == nil {
		return ""
	}
	return map[string]string{"01100": "101101", "01116": "101199", "01125": "101106", "01131": "101305", "03022": "101301"}[value(billing.Address.AddressLine2)]
}

// recurred is what an ended payment does to its registration.
func (c *call) recurred(t *transaction) error {
	r, err := get(c.tx, recurrings, "RecurringPayinRegistration", t.Recurring.RegistrationID)
	if err != nil || r.Status == recurringEnded {
		return err
	}
	r.CurrentState.LastPayinID = &t.ID
	if t.Status != statusSucceeded {
		return c.moveRecurring(r, recurringNeeded)
	}
	r.CurrentState.PayinsLinked++
	r.CurrentState.CumulatedDebitedAmount = r.CurrentState.CumulatedDebitedAmount.plus(t.DebitedFunds.Amount)
	r.CurrentState.CumulatedFeesAmount = r.CurrentState.CumulatedFeesAmount.plus(t.Fees.Amount)
	return c.moveRecurring(r, recurringProgress)
}

func recurringRoutes() []route {
	return []route{
		{http.MethodPost, "recurringpayinregistrations", beginRecurring},
		{http.MethodGet, "recurringpayinregistrations/{id}", getRecurring},
		{http.MethodPut, "recurringpayinregistrations/{id}", changeRecurring},
		{http.MethodPost, "payins/recurring/card/direct", payRecurring},
	}
}
