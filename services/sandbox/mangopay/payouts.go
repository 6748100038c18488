package mangopay

import (
	"cmp"
	"net/http"

	"talkoot.fi/sandbox/standin"
)

const (
	modeStandard = "STANDARD"
	modeInstant  = "INSTANT_PAYMENT"
	modeOnly     = "INSTANT_PAYMENT_ONLY"
	modePending  = "PENDING_RESPONSE"

	noInstantIBAN = "FR541558929750ZZZZZZAC01915" // of a bank that takes no instant payments

	payOutDelay   = 24 * 3600 // seconds until a payout has arrived
	payOutInstant = 60
)

// payOutPart is what a payout has.
type payOutPart struct {
	PaymentType    string          `json:"PaymentType"`
	BankAccountID  *string         `json:"BankAccountId"` // the one of the two that was given
	RecipientID    *string         `json:"RecipientId"`
	BankWireRef    *string         `json:"BankWireRef"`
	ModeRequested  string          `json:"ModeRequested"`
	ModeApplied    string          `json:"ModeApplied"`
	FallbackReason *fallbackReason `json:"FallbackReason"`
	PaymentRef     *paymentRef     `json:"PaymentRef"`
	ChargeBearer   *string         `json:"ChargeBearer"`
	PayeeCheck     *payeeCheck     `json:"RecipientVerificationOfPayee"`
}

type fallbackReason struct {
	Code    string `json:"Code"`
	Message string `json:"Message"`
}

// paymentRef names what a payout gives back; here none does.
type paymentRef struct {
	ReasonType  string `json:"ReasonType"`
	ReferenceID string `json:"ReferenceId"`
}

// to is where a payout goes.
func (p *payOutPart) to() string { return cmp.Or(value(p.RecipientID), value(p.BankAccountID)) }

func payOut(c *call) (any, error) {
	in, err := decode[struct {
		Tag             *string `json:"Tag" rule:"max=255"`
		AuthorID        string  `json:"AuthorId" rule:"required"`
		DebitedWalletID string  `json:"DebitedWalletId" rule:"required"`
		DebitedFunds    Money   `json:"DebitedFunds" rule:"required"`
		Fees            Money   `json:"Fees" rule:"required"`
		RecipientID     *string `json:"RecipientId"`
		BankAccountID   *string `json:"BankAccountId"`
		BankWireRef     *string `json:"BankWireRef" rule:"max=140"`
		Mode            *string `json:"PayoutModeRequested" rule:"in=STANDARD|INSTANT_PAYMENT|INSTANT_PAYMENT_ONLY|RTGS_PAYMENT"`
		ChargeBearer    *string `json:"ChargeBearer" rule:"in=OUR|SHA"`
		PaymentType     *string `json:"PaymentType" rule:"in=BANK_WIRE"`
	}](c)
	if err != nil {
		return nil, err
	}
	author, err := c.person(in.AuthorID, "")
	if err != nil {
		return nil, err
	}
	w, holder, err := c.userWallet(in.DebitedWalletID)
	if err != nil {
		return nil, err
	}
	if in.RecipientID != nil {
		in.BankAccountID = nil
	}
	r, err := get(c.tx, recipients, "Recipient", cmp.Or(value(in.RecipientID), value(in.BankAccountID)))
	if err != nil {
		return nil, err
	}
	switch {
	case holder.ID != author.ID:
		return nil, paramError("AuthorId", "The user is not the owner of the wallet.")
	case r.UserID != author.ID || r.Status != active || value(r.RecipientScope) != "PAYOUT":
		return nil, paramError("RecipientId", "The recipient is not active, or not the author's.")
	}
	if err := sameCurrency(in.DebitedFunds, in.Fees, w.Currency); err != nil {
		return nil, err
	}
	t := &transaction{txCommon: txCommon{Tag: in.Tag, AuthorID: author.ID, DebitedFunds: in.DebitedFunds, Fees: in.Fees, Type: typePayOut,
		Nature: natureRegular, DebitedWalletID: &w.ID},
		PayOut: &payOutPart{PaymentType: "BANK_WIRE", BankAccountID: in.BankAccountID, RecipientID: in.RecipientID, BankWireRef: in.BankWireRef, ModeRequested: modeStandard,
			ModeApplied: modePending, ChargeBearer: in.ChargeBearer, PayeeCheck: r.PayeeCheck}}
	if in.Mode != nil {
		t.PayOut.ModeRequested = *in.Mode
	}
	switch {
	case author.UserCategory == payer:
		t.Secret.Outcome = "002701"
	case author.KYCLevel != regular:
		t.Secret.Outcome = "002996"
	case author.Blocked.Outflows:
		t.Secret.Outcome = "121004"
	case t.DebitedFunds.Amount-t.Fees.Amount <= 0:
		t.Secret.Outcome = "001014"
	case lacks(w, in.DebitedFunds):
		t.Secret.Outcome = "121003"
	case t.PayOut.ModeRequested == modeOnly && r.iban() == noInstantIBAN:
		t.Secret.Outcome = "130011"
	default: // the money leaves the wallet at once
		t.Secret.Taken = true
		if err := c.move(w.ID, -in.DebitedFunds.Amount); err != nil {
			return nil, err
		}
	}
	if err := c.begin("payout", t); err != nil {
		return nil, err
	}
	wait := int64(payOutDelay)
	if t.PayOut.ModeRequested != modeStandard || t.Secret.Outcome != "" {
		wait = payOutInstant
	}
	return t.shownAfter(c.schedule(wait, actArrive, t.ID))
}

// arrive ends a payout that nothing else has ended.
func (c *call) arrive(id string) error {
	t, err := transactions.Find(c.tx, id)
	if err != nil || t == nil || t.Status != statusCreated {
		return err
	}
	if t.Secret.Outcome != "" {
		return c.settle(t, t.Secret.Outcome)
	}
	r, err := get(c.tx, recipients, "Recipient", t.PayOut.to())
	if err != nil {
		return err
	}
	if t.PayOut.ModeRequested != modeStandard && t.PayOut.ModeApplied == modePending {
		if r.iban() == noInstantIBAN {
			t.PayOut.ModeApplied, t.PayOut.FallbackReason = modeStandard, &fallbackReason{"001999", "The bank takes no instant payments"}
			return firstOf(transactions.Put(c.tx, t), c.tell(t.ID, "INSTANT_PAYOUT_FALLBACKED"), c.schedule(payOutDelay, actArrive, t.ID))
		}
		t.PayOut.ModeApplied = t.PayOut.ModeRequested
		if err := c.tell(t.ID, "INSTANT_PAYOUT_SUCCEEDED"); err != nil {
			return err
		}
	}
	return c.settle(t, codeOK)
}

// paidOut moves what is left to move of a payout that has ended.
func (c *call) paidOut(t *transaction) error {
	if t.Status == statusFailed {
		if !t.Secret.Taken {
			return nil
		}
		t.Secret.Taken = false
		return c.move(*t.DebitedWalletID, t.DebitedFunds.Amount)
	}
	if t.PayOut.ModeApplied == modePending {
		t.PayOut.ModeApplied = modeStandard
	}
	fees, err := c.clientWallet(fundsFees, t.Fees.Currency)
	if err != nil {
		return err
	}
	return c.move(fees, t.Fees.Amount)
}

// returned is a bank that sends a payout back after it had succeeded, less what banks have kept of it; once more while something is missing.
func (c *call) returned(of *transaction, reason string, kept int64) error {
	if of.Status != statusSucceeded {
		return standin.BadControl("the payout has not succeeded")
	}
	came := Money{Currency: of.CreditedFunds.Currency, Amount: of.CreditedFunds.Amount - kept}
	if came.Amount <= 0 {
		return standin.BadControl("of the payout nothing would come back")
	}
	if of.Secret.Back > 0 && of.Secret.Back+came.Amount > of.CreditedFunds.Amount {
		return standin.BadControl("the payout was returned")
	}
	of.Secret.Back += came.Amount
	t := &transaction{txCommon: txCommon{AuthorID: of.AuthorID, DebitedFunds: came, Fees: Money{Currency: of.Fees.Currency},
		Type: typePayOut, Nature: natureRefund, CreditedWalletID: of.DebitedWalletID},
		Refund: &refundPart{of.ID, of.Type, of.Nature, refundReason{optional("Returned by the bank"), reason}, nil}}
	return firstOf(transactions.Put(c.tx, of), c.begin("refund", t), c.settle(t, codeOK))
}

func getPayOut(c *call) (any, error) {
	t, err := c.transaction("PayOut", c.ids["id"], typePayOut, natureRegular)
	if err != nil {
		return nil, err
	}
	return t.shown(), nil
}

func reachability(c *call) (any, error) {
	in, err := decode[struct {
		Tag             *string `json:"Tag"`
		AuthorID        string  `json:"AuthorId" rule:"required"`
		DebitedWalletID string  `json:"DebitedWalletId" rule:"required"`
		DebitedFunds    Money   `json:"DebitedFunds" rule:"required"`
		Fees            *Money  `json:"Fees"`
		RecipientID     *string `json:"RecipientId"`
		BankAccountID   *string `json:"BankAccountId"`
		BankWireRef     *string `json:"BankWireRef"`
		Mode            string  `json:"PayoutModeRequested" rule:"required,in=STANDARD|INSTANT_PAYMENT|INSTANT_PAYMENT_ONLY|RTGS_PAYMENT"`
		PaymentType     *string `json:"PaymentType" rule:"in=BANK_WIRE"`
	}](c)
	if err != nil {
		return nil, err
	}
	r, err := get(c.tx, recipients, "Recipient", cmp.Or(value(in.RecipientID), value(in.BankAccountID)))
	if err != nil {
		return nil, err
	}
	type instant struct {
		IsReachable       bool            `json:"IsReachable"`
		UnreachableReason *fallbackReason `json:"UnreachableReason"`
	}
	out := instant{IsReachable: true}
	if r.iban() == noInstantIBAN {
		out = instant{false, &fallbackReason{"001999", "The bank takes no instant payments"}}
	}
	return map[string]instant{"InstantPayout": out}, nil
}

func payOutRoutes() []route {
	return []route{
		{http.MethodPost, "payouts/bankwire", payOut},
		{http.MethodPost, "payouts/reachability", reachability},
		{http.MethodGet, "payouts/{id}", getPayOut},
		{http.MethodGet, "payouts/bankwire/{id}", getPayOut},
		{http.MethodGet, "payouts/{id}/refunds", refundsOf("PayOut", typePayOut, natureRegular)},
	}
}
