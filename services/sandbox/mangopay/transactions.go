package mangopay

import (
	"bytes"
	"time"
)

const (
	statusCreated   = "CREATED"
	statusSucceeded = "SUCCEEDED"
	statusFailed    = "FAILED"

	typePayIn    = "PAYIN"
	typeTransfer = "TRANSFER"
	typePayOut   = "PAYOUT"

	natureRegular     = "REGULAR"
	natureRefund      = "REFUND"
	natureRepudiation = "REPUDIATION"
	natureSettlement  = "SETTLEMENT"

	codeOK = "000000"
)

// txCommon is what every movement of money has.
type txCommon struct {
	ID               string  `json:"Id"`
	Tag              *string `json:"Tag"`
	CreationDate     int64   `json:"CreationDate"`
	AuthorID         string  `json:"AuthorId"`
	CreditedUserID   *string `json:"CreditedUserId"`
	DebitedFunds     Money   `json:"DebitedFunds"`
	CreditedFunds    Money   `json:"CreditedFunds"`
	Fees             Money   `json:"Fees"`
	Status           string  `json:"Status"`
	ResultCode       *string `json:"ResultCode"`
	ResultMessage    *string `json:"ResultMessage"`
	ExecutionDate    *int64  `json:"ExecutionDate"`
	Type             string  `json:"Type"`
	Nature           string  `json:"Nature"`
	CreditedWalletID *string `json:"CreditedWalletId"`
	DebitedWalletID  *string `json:"DebitedWalletId"`
}

// transaction is a pay-in, a transfer, a refund, a repudiation or a settlement; the parts are of its kind.
type transaction struct {
	txCommon
	PayIn       *payInPart       `json:",omitempty"`
	Card        *cardPart        `json:",omitempty"`
	Direct      *directPart      `json:",omitempty"`
	Web         *webPart         `json:",omitempty"`
	Debit       *debitPart       `json:",omitempty"`
	Recurring   *recurringPart   `json:",omitempty"`
	PayOut      *payOutPart      `json:",omitempty"`
	Transfer    *transferPart    `json:",omitempty"`
	Refund      *refundPart      `json:",omitempty"`
	Repudiation *repudiationPart `json:",omitempty"`
	Settlement  *settlementPart  `json:",omitempty"`

	Secret txSecret // not on the wire
}

// txSecret is what the sandbox knows of a transaction.
type txSecret struct {
	Rule     string // of the card: whether its bank asks
	Outcome  string // code that it ends with, whatever the amount
	Disputed bool   // or, of a payout, returned
	Taken    bool   // of a payout: its sum has left the wallet
	Back     int64  // of a payout: how much of it a bank has sent back
	Dispute  string // of a settlement: its dispute, whose list it is in
}

// entries are the lists that a transaction is in.
func (t *transaction) entries() []string {
	out := []string{"type=" + t.Type + "/" + t.Nature, "user=" + t.AuthorID}
	if u := value(t.CreditedUserID); u != "" && u != t.AuthorID {
		out = append(out, "user="+u)
	}
	for _, w := range []*string{t.CreditedWalletID, t.DebitedWalletID} {
		if w != nil {
			out = append(out, "wallet="+*w)
		}
	}
	switch {
	case t.Refund != nil:
		out = append(out, "refund_of="+t.Refund.InitialTransactionID)
	case t.Repudiation != nil:
		out = append(out, "dispute="+t.Repudiation.DisputeID)
	case t.Settlement != nil:
		out = append(out, "settlement_of="+t.Settlement.RepudiationID, "dispute="+t.Secret.Dispute)
	case t.Debit != nil:
		out = append(out, "mandate="+t.Debit.MandateID)
	}
	return out
}

// shown is a transaction as its own call shows it.
func (t *transaction) shown() any {
	parts := [][]byte{mustJSON(t.txCommon)}
	add := func(there bool, part any) {
		if there {
			parts = append(parts, mustJSON(part))
		}
	}
	add(t.PayIn != nil, t.PayIn)
	add(t.Card != nil, t.Card)
	add(t.Direct != nil, t.Direct)
	add(t.Web != nil, t.Web)
	add(t.Debit != nil, t.Debit)
	add(t.Recurring != nil, t.Recurring)
	add(t.PayOut != nil, t.PayOut)
	add(t.Transfer != nil, t.Transfer)
	add(t.Refund != nil, t.Refund)
	add(t.Repudiation != nil, t.Repudiation)
	add(t.Settlement != nil, t.Settlement)
	return joined(parts)
}

// rawObject is JSON as it is sent.
type rawObject []byte

func (r rawObject) MarshalJSON() ([]byte, error) { return r, nil }

// joined makes one object of several.
func joined(parts [][]byte) rawObject {
	inner := make([][]byte, len(parts))
	for i, part := range parts {
		inner[i] = part[1 : len(part)-1]
	}
	return append(append([]byte{'{'}, bytes.Join(inner, []byte{','})...), '}')
}

// young tells whether a transaction can still be read: older ones are gone after 13 months.
func (c *call) young(t *transaction) bool {
	return t.CreationDate >= time.Unix(c.now, 0).UTC().AddDate(0, -13, 0).Unix()
}

// youngTransaction shows a transaction in a list, without what is of its kind only.
func (c *call) youngTransaction(t *transaction) (any, bool) { return t.txCommon, c.young(t) }

// transaction finds one by id, type and nature ("" for any).
func (c *call) transaction(noun, id, kind, nature string) (*transaction, error) {
	t, err := get(c.tx, transactions, noun, id)
	if err == nil && (kind != "" && t.Type != kind || nature != "" && t.Nature != nature || !c.young(t)) {
		return nil, notFound(noun, id)
	}
	return t, err
}

// begin stores a new transaction and tells that it is there.
func (c *call) begin(prefix string, t *transaction) error {
	t.ID, t.CreationDate, t.Status = c.newID(prefix), c.now, statusCreated
	t.CreditedFunds = t.DebitedFunds.plus(-t.Fees.Amount)
	if err := transactions.Put(c.tx, t); err != nil {
		return err
	}
	return c.tellOf(t, statusCreated)
}

// settle ends a transaction with a code, and moves its money when that is a success. One that has ended stays as it is.
func (c *call) settle(t *transaction, code string) error {
	if t.Status != statusCreated {
		return nil
	}
	t.ResultCode, t.ResultMessage, t.Status = &code, optional(resultText(code)), statusFailed
	pay := func(*transaction) error { return nil }
	if code == codeOK {
		t.Status, t.ExecutionDate, pay = statusSucceeded, &c.now, c.pay
	}
	if t.PayOut != nil {
		pay = c.paidOut
	}
	if err := pay(t); err != nil {
		return err
	}
	if err := transactions.Put(c.tx, t); err != nil {
		return err
	}
	if err := c.settled(t); err != nil {
		return err
	}
	return c.tellOf(t, t.Status)
}

// pay moves a transaction's money.
func (c *call) pay(t *transaction) error {
	if t.DebitedWalletID != nil {
		if err := c.move(*t.DebitedWalletID, -t.DebitedFunds.Amount); err != nil {
			return err
		}
	}
	if t.CreditedWalletID != nil {
		if err := c.move(*t.CreditedWalletID, t.CreditedFunds.Amount); err != nil {
			return err
		}
	}
	fees, err := c.clientWallet(fundsFees, t.Fees.Currency)
	if err != nil {
		return err
	}
	return c.move(fees, t.Fees.Amount)
}

// settled does what an ended transaction brings about elsewhere.
func (c *call) settled(t *transaction) error {
	if t.Recurring != nil {
		if err := c.recurred(t); err != nil {
			return err
		}
	}
	if t.Status != statusSucceeded || t.Type != typePayIn {
		return nil
	}
	switch {
	case t.Direct != nil:
		return c.proveCard(t.Direct.CardID)
	case t.Debit != nil:
		return c.useMandate(t)
	}
	return nil
}

// tellOf tells of a transaction's status.
func (c *call) tellOf(t *transaction, status string) error {
	family := ""
	switch {
	case t.Nature == natureRegular:
		family = t.Type + "_NORMAL_"
	case t.Nature == natureRefund && t.Refund.InitialTransactionNature == natureRegular:
		family = t.Refund.InitialTransactionType + "_REFUND_"
	case t.Nature == natureRepudiation:
		family = "PAYIN_REPUDIATION_"
	case t.Nature == natureSettlement:
		family = "TRANSFER_SETTLEMENT_"
	default: // the refund of a repudiation has no event of its own: its dispute has
		return nil
	}
	return c.tell(t.ID, family+status)
}

// lacks tells whether a wallet has less than a sum.
func lacks(w *wallet, m Money) bool { return w.Balance.Amount < m.Amount }

// sameCurrency refuses sums that are not in one currency, not more than nothing, or with fees below 0.
func sameCurrency(debited, fees Money, currencies ...string) error {
	faults := map[string]string{}
	if debited.Amount <= 0 {
		faults["DebitedFunds.Amount"] = "The amount must be more than 0."
	}
	if fees.Amount < 0 {
		faults["Fees.Amount"] = "The amount must not be negative."
	}
	if fees.Currency != debited.Currency {
		faults["Fees.Currency"] = "The currency is not that of DebitedFunds."
	}
	for _, other := range currencies {
		if other != debited.Currency {
			faults["DebitedFunds.Currency"] = "The currency is not " + other + "."
		}
	}
	if len(faults) > 0 {
		return paramErrors(faults)
	}
	return nil
}
