package mangopay

import (
	"net/http"
	"time"
)

// refundPart is what a refund has.
type refundPart struct {
	InitialTransactionID     string       `json:"InitialTransactionId"`
	InitialTransactionType   string       `json:"InitialTransactionType"`
	InitialTransactionNature string       `json:"InitialTransactionNature"`
	RefundReason             refundReason `json:"RefundReason"`
	StatementDescriptor      *string      `json:"StatementDescriptor"`
}

type refundReason struct {
	RefundReasonMessage *string `json:"RefundReasonMessage"`
	RefundReasonType    string  `json:"RefundReasonType"`
}

type refundOrder struct {
	Tag          *string `json:"Tag" rule:"max=255"`
	AuthorID     string  `json:"AuthorId" rule:"required"`
	DebitedFunds *Money  `json:"DebitedFunds"`
	Fees         *Money  `json:"Fees"`
	Descriptor   *string `json:"StatementDescriptor"`
}

// refunding makes refunds of one type of transaction.
func refunding(noun, kind string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		in, err := decode[refundOrder](c)
		if err != nil {
			return nil, err
		}
		of, err := c.transaction(noun, c.ids["id"], kind, natureRegular)
		if err != nil {
			return nil, err
		}
		switch {
		case in.AuthorID != of.AuthorID:
			return nil, paramError("AuthorId", "The user is not the author of the transaction.")
		case of.Status != statusSucceeded:
			return nil, paramError("InitialTransactionId", "The transaction has not succeeded.")
		case (in.DebitedFunds == nil) != (in.Fees == nil):
			return nil, paramError("DebitedFunds", "DebitedFunds and Fees belong together.")
		}
		return c.refund(of, in)
	}
}

// refund gives back what a transaction moved, all of it or a part. Fees below 0 come out of the client's fees.
func (c *call) refund(of *transaction, in refundOrder) (any, error) {
	debited, fees := of.CreditedFunds, Money{of.Fees.Currency, -of.Fees.Amount}
	if in.DebitedFunds != nil {
		debited, fees = *in.DebitedFunds, *in.Fees
		if debited.Amount <= 0 || debited.Currency != of.DebitedFunds.Currency || fees.Currency != debited.Currency {
			return nil, paramError("DebitedFunds", "The sum is not valid.")
		}
	}
	t := &transaction{txCommon: txCommon{Tag: in.Tag, AuthorID: of.AuthorID, CreditedUserID: &of.AuthorID, DebitedFunds: debited, Fees: fees,
		Type: typePayOut, Nature: natureRefund, DebitedWalletID: of.CreditedWalletID},
		Refund: &refundPart{of.ID, of.Type, of.Nature, refundReason{nil, "INITIALIZED_BY_CLIENT"}, in.Descriptor}}
	if of.Type == typeTransfer {
		t.Type, t.CreditedWalletID = typeTransfer, of.DebitedWalletID
	}
	code, err := c.refundCode(of, t)
	if err != nil {
		return nil, err
	}
	if err := c.begin("refund", t); err != nil {
		return nil, err
	}
	return t.shownAfter(c.settle(t, code))
}

// refundCode is what becomes of a refund that has not begun.
func (c *call) refundCode(of, t *transaction) (string, error) {
	back, fees, same := int64(0), int64(0), false
	day := time.Unix(c.now, 0).UTC().Truncate(24 * time.Hour).Unix()
	err := each(c.tx, transactions, "refund_of="+of.ID, func(r *transaction) bool {
		if r.Status == statusSucceeded {
			back += r.CreditedFunds.Amount
			fees -= r.Fees.Amount
			same = same || r.CreationDate >= day && r.DebitedFunds == t.DebitedFunds
		}
		return true
	})
	if err != nil {
		return "", err
	}
	w, err := get(c.tx, wallets, "Wallet", value(t.DebitedWalletID))
	if err != nil {
		return "", err
	}
	gives := t.DebitedFunds.Amount - t.Fees.Amount
	switch {
	case of.Secret.Disputed:
		return "005408", nil
	case back >= of.DebitedFunds.Amount:
		return "001401", nil
	case of.Debit != nil && c.now-*of.ExecutionDate < debitRefundable:
		return "001405", nil
	case gives <= 0:
		return "001014", nil
	case back+gives > of.DebitedFunds.Amount:
		return "005403", nil
	case fees-t.Fees.Amount > of.Fees.Amount:
		return "005404", nil
	case same:
		return "005407", nil
	case lacks(w, t.DebitedFunds):
		return "001001", nil
	}
	return codeOK, nil
}

func getRefund(c *call) (any, error) {
	t, err := c.transaction("Refund", c.ids["id"], "", natureRefund)
	if err != nil {
		return nil, err
	}
	return t.shown(), nil
}

// refundsOf lists the refunds of one type of transaction.
func refundsOf(noun, kind, nature string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		of, err := c.transaction(noun, c.ids["id"], kind, nature)
		if err != nil {
			return nil, err
		}
		return listed(c, transactions, "refund_of="+of.ID, func(t *transaction) (any, bool) { return t.shown(), c.young(t) })
	}
}

func refundRoutes() []route {
	return []route{
		{http.MethodPost, "payins/{id}/refunds", refunding("PayIn", typePayIn)},
		{http.MethodGet, "payins/{id}/refunds", refundsOf("PayIn", typePayIn, natureRegular)},
		{http.MethodPost, "transfers/{id}/refunds", refunding("Transfer", typeTransfer)},
		{http.MethodGet, "transfers/{id}/refunds", refundsOf("Transfer", typeTransfer, natureRegular)},
		{http.MethodGet, "repudiations/{id}/refunds", refundsOf("Repudiation", "", natureRepudiation)},
		{http.MethodGet, "refunds/{id}", getRefund},
	}
}
