package mangopay

import "net/http"

type transferPart struct {
	ScaContext        string         `json:"ScaContext"`
	PendingUserAction *pendingAction `json:"PendingUserAction"`
}

func transfer(c *call) (any, error) {
	in, err := decode[struct {
		Tag              *string `json:"Tag" rule:"max=255"`
		AuthorID         string  `json:"AuthorId" rule:"required"`
		DebitedWalletID  string  `json:"DebitedWalletId" rule:"required"`
		CreditedWalletID string  `json:"CreditedWalletId" rule:"required"`
		CreditedUserID   *string `json:"CreditedUserId"`
		DebitedFunds     Money   `json:"DebitedFunds" rule:"required"`
		Fees             Money   `json:"Fees" rule:"required"`
		ScaContext       *string `json:"ScaContext" rule:"in=USER_PRESENT|USER_NOT_PRESENT"`
	}](c)
	if err != nil {
		return nil, err
	}
	author, err := c.person(in.AuthorID, "")
	if err != nil {
		return nil, err
	}
	from, holder, err := c.userWallet(in.DebitedWalletID)
	if err != nil {
		return nil, err
	}
	to, receiver, err := c.userWallet(in.CreditedWalletID)
	if err != nil {
		return nil, err
	}
	switch {
	case holder.ID != author.ID:
		return nil, paramError("AuthorId", "The user is not the owner of the debited wallet.")
	case from.ID == to.ID:
		return nil, paramError("CreditedWalletId", "The wallets are the same.")
	case in.CreditedUserID != nil && *in.CreditedUserID != receiver.ID:
		return nil, paramError("CreditedUserId", "The user is not the owner of the credited wallet.")
	}
	if err := sameCurrency(in.DebitedFunds, in.Fees, from.Currency, to.Currency); err != nil {
		return nil, err
	}
	between := author.UserCategory == owner && receiver.UserCategory == owner && author.ID != receiver.ID
	context := scaContext(in.ScaContext)
	if between && context == "USER_NOT_PRESENT" && !author.Consents.Transfer {
		return nil, noConsent("Transfer")
	}
	t := &transaction{txCommon: txCommon{Tag: in.Tag, AuthorID: author.ID, CreditedUserID: &receiver.ID, DebitedFunds: in.DebitedFunds,
		Fees: in.Fees, Type: typeTransfer, Nature: natureRegular, CreditedWalletID: &to.ID, DebitedWalletID: &from.ID},
		Transfer: &transferPart{ScaContext: context}}
	if err := c.begin("xfer", t); err != nil {
		return nil, err
	}
	code, err := c.transferCode(t)
	if err != nil {
		return nil, err
	}
	if code == codeOK && between && context == "USER_PRESENT" && !author.skips() {
		at, err := c.newPage("sca", pageTransfer, t.ID)
		if err != nil {
			return nil, err
		}
		t.Transfer.PendingUserAction = &pendingAction{at}
		return t.shownAfter(transactions.Put(c.tx, t))
	}
	return t.shownAfter(c.settle(t, code))
}

// transferCode is what becomes of a transfer now.
func (c *call) transferCode(t *transaction) (string, error) {
	from, _, err := c.userWallet(*t.DebitedWalletID)
	if err != nil {
		return "", err
	}
	receiver, err := c.person(*t.CreditedUserID, "")
	if err != nil {
		return "", err
	}
	switch {
	case t.CreditedFunds.Amount <= 0:
		return "001014", nil
	case receiver.UserCategory == payer:
		return "002702", nil
	case !receiver.verified():
		return "002951", nil
	case lacks(from, t.DebitedFunds):
		return "001001", nil
	}
	return codeOK, nil
}

// authorised is the owner at the page of a transfer.
func (c *call) authorised(t *transaction, pass bool) error {
	if t.Status != statusCreated {
		return nil
	}
	t.Transfer.PendingUserAction = nil
	if !pass {
		return c.settle(t, "001032")
	}
	code, err := c.transferCode(t)
	if err != nil {
		return err
	}
	return c.settle(t, code)
}

func getTransfer(c *call) (any, error) {
	t, err := c.transaction("Transfer", c.ids["id"], typeTransfer, natureRegular)
	if err != nil {
		return nil, err
	}
	return t.shown(), nil
}

func transferRoutes() []route {
	return []route{{http.MethodPost, "transfers", transfer}, {http.MethodGet, "transfers/{id}", getTransfer}}
}
