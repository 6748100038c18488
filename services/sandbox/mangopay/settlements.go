package mangopay

// pendingSettlement lists the lost disputes that are not made good yet.
func pendingSettlement(c *call) (any, error) {
	var failed error
	out, err := listed(c, disputes, "", func(d *dispute) (any, bool) {
		if d.Status != disputeClosed || value(d.ResultCode) != disputeLost || d.RepudiationID == nil {
			return nil, false
		}
		good, err := c.madeGood(*d.RepudiationID)
		failed = firstOf(failed, err)
		return d.disputePublic, good < d.DisputedFunds.Amount
	})
	return out, firstOf(err, failed)
}

func (c *call) madeGood(repudiation string) (sum int64, err error) {
	err = each(c.tx, transactions, "settlement_of="+repudiation, func(t *transaction) bool {
		if t.Status == statusSucceeded {
			sum += t.CreditedFunds.Amount
		}
		return true
	})
	return sum, err
}

func getRepudiation(c *call) (any, error) {
	t, err := c.transaction("Repudiation", c.ids["id"], "", natureRepudiation)
	if err != nil {
		return nil, err
	}
	return t.shown(), nil
}

func getSettlement(c *call) (any, error) {
	t, err := c.transaction("Settlement", c.ids["id"], "", natureSettlement)
	if err != nil {
		return nil, err
	}
	return t.shown(), nil
}

func settleRepudiation(c *call) (any, error) {
	of, err := c.transaction("Repudiation", c.ids["id"], "", natureRepudiation)
	if err != nil {
		return nil, err
	}
	in, err := decode[struct {
		Tag          *string `json:"Tag" rule:"max=255"`
		AuthorID     string  `json:"AuthorId" rule:"required"`
		DebitedFunds Money   `json:"DebitedFunds" rule:"required"`
		Fees         Money   `json:"Fees" rule:"required"`
	}](c)
	if err != nil {
		return nil, err
	}
	d, err := get(c.tx, disputes, "Dispute", of.Repudiation.DisputeID)
	if err != nil {
		return nil, err
	}
	from, holder, err := c.userWallet(d.Wallet)
	if err != nil {
		return nil, err
	}
	good, err := c.madeGood(of.ID)
	if err != nil {
		return nil, err
	}
	switch {
	case holder.ID != in.AuthorID:
		return nil, paramError("AuthorId", "The user is not the owner of the wallet that had the pay-in.")
	case d.Status != disputeClosed || value(d.ResultCode) != disputeLost:
		return nil, paramError("Status", "The dispute is not lost.")
	case good+in.DebitedFunds.Amount-in.Fees.Amount > d.DisputedFunds.Amount:
		return nil, paramError("DebitedFunds", "The sum is more than what was taken back.")
	}
	if err := sameCurrency(in.DebitedFunds, in.Fees, from.Currency); err != nil {
		return nil, err
	}
	t := &transaction{txCommon: txCommon{Tag: in.Tag, AuthorID: in.AuthorID, DebitedFunds: in.DebitedFunds, Fees: in.Fees, Type: typeTransfer,
		Nature: natureSettlement, DebitedWalletID: &from.ID, CreditedWalletID: of.DebitedWalletID}, Settlement: &settlementPart{of.ID},
		Secret: txSecret{Dispute: d.ID}}
	if err := c.begin("settlement", t); err != nil {
		return nil, err
	}
	code := codeOK
	if lacks(from, in.DebitedFunds) {
		code = "001001"
	}
	return t.shownAfter(c.settle(t, code))
}
