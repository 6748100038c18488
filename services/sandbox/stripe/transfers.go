package stripe

import (
	"fmt"
	"net/http"
	"strings"
)

// codeNoTransfers is Stripe's, though not in its list of codes.
const codeNoTransfers = "insufficient_capabilities_for_transfer"

func transferCalls() []endpoint {
	return []endpoint{
		{"POST /v1/transfers", fields{
			"amount": integer().must(), "currency": text().must(), "description": text(), "destination": text().must(), "metadata": metadata(),
			"source_transaction": text(), "source_type": oneOf("bank_account", "card", "fpx"), "transfer_group": text(),
		}, false, createTransfer},
		{"GET /v1/transfers", listParams(fields{"destination": text(), "transfer_group": text()}), false, listTransfers},
		{"GET /v1/transfers/{id}", nil, false, func(c *call) (any, error) { return transfers.get(c.tx, c.id, "transfer") }},
		{"POST /v1/transfers/{id}", fields{"metadata": metadata(), "description": text()}, false, updateTransfer},
		{"POST /v1/transfers/{id}/reversals", fields{
			"amount": integer(), "description": text(), "metadata": metadata(), "refund_application_fee": boolean(),
		}, false, createReversal},
		{"GET /v1/transfers/{id}/reversals", listParams(nil), false, listReversals},
		{"GET /v1/transfers/{id}/reversals/{second}", nil, false, getReversal},
	}
}

// createTransfer moves available money to a connected account, where it is available as its account says.
func createTransfer(c *call) (any, error) {
	p := c.p
	if p.has("source_transaction") {
		return nil, invalidParam("source_transaction", "", "The sandbox makes no transfers of a single charge.")
	}
	if v := p.text("source_type"); v != "" && v != "card" {
		return nil, invalidParam("source_type", "transfer_source_balance_parameters_mismatch", "The sandbox's account has a balance of source type card only.")
	}
	amount, currency := p.integer("amount"), strings.ToLower(p.text("currency"))
	if _, known := minimumAmounts()[currency]; !known {
		return nil, invalidParam("currency", "", "Invalid currency: "+currency)
	}
	if amount < 1 {
		return nil, invalidParam("amount", "parameter_invalid_integer", "This value must be greater than or equal to 1.")
	}
	to, err := c.destination(p.text("destination"), currency)
	if err != nil {
		return nil, err
	}
	available, _, err := c.balanceNow("")
	if err != nil {
		return nil, err
	}
	if available[currency] < amount {
		return nil, invalidRequest(http.StatusBadRequest, codeBalanceInsufficient, "You have insufficient available funds in your Stripe account.")
	}
	o := &transfer{ID: c.newID("tr_1"), Object: "transfer", Amount: amount, Created: c.now, Currency: currency, Destination: to.ID,
		DestinationPayment: c.newID("py_1"), Metadata: p.mergeMetadata(nil), SourceType: "card"}
	o.Reversals = reversalList{Object: "list", Data: []transferReversal{}, URL: "/v1/transfers/" + o.ID + "/reversals"}
	p.setText("description", &o.Description)
	p.setText("transfer_group", &o.TransferGroup)
	ours, err := c.addTransaction(balanceTransaction{Type: "transfer", ReportingCategory: "transfer", Amount: -amount, Currency: currency, Source: &o.ID,
		Description: o.Description, AvailableOn: c.now, FeeDetails: []feeDetail{}})
	if err != nil {
		return nil, err
	}
	_, err = c.addTransaction(balanceTransaction{Account: to.ID, Type: "payment", ReportingCategory: "charge", Amount: amount, Currency: currency,
		Source: &o.DestinationPayment, AvailableOn: c.now + to.Delay, FeeDetails: []feeDetail{}})
	if err != nil {
		return nil, err
	}
	o.BalanceTransaction = ours.ID
	if err := transfers.Put(c.tx, o); err != nil {
		return nil, err
	}
	return o, c.emit("transfer.created", o, nil)
}

// destination is an account that takes a transfer in a currency.
func (c *call) destination(id, currency string) (*storedAccount, error) {
	to, err := accounts.Find(c.tx, id)
	switch {
	case err != nil:
		return nil, err
	case to == nil || to.Gone:
		refused := missingResource("destination", id, "destination")
		refused.status = http.StatusBadRequest
		return nil, refused
	case to.Capabilities["transfers"] != capabilityActive:
		return nil, invalidRequest(http.StatusBadRequest, codeNoTransfers, "Your destination account needs to have at least one of the following capabilities "+
			"enabled: transfers, crypto_transfers, legacy_payments")
	case to.IsAbroad:
		return nil, badRequest("Cannot create transfers to account " + id + ": funds can't be sent to accounts located in " + to.Country + ".")
	case to.DefaultCurrency != currency:
		return nil, invalidParam("currency", "", "The sandbox converts no money: the account is in "+to.DefaultCurrency+".")
	}
	return to, nil
}

func updateTransfer(c *call) (any, error) {
	o, err := transfers.get(c.tx, c.id, "transfer")
	if err != nil {
		return nil, err
	}
	o.Metadata = c.p.mergeMetadata(o.Metadata)
	c.p.setText("description", &o.Description)
	if err := transfers.Put(c.tx, o); err != nil {
		return nil, err
	}
	return o, c.emit("transfer.updated", o, nil)
}

func listTransfers(c *call) (any, error) {
	passes, index := c.p.createdFilter(), ""
	group, to := c.p.text("transfer_group"), c.p.text("destination")
	if group != "" {
		index = "transfer_group=" + group
	} else if to != "" {
		index = "destination=" + to
	}
	return listPage(c, transfers, index, func(o *transfer) bool { return passes(o.Created) && (to == "" || o.Destination == to) })
}

// reversalsShown is how many of its newest reversals a transfer carries. docs.stripe.com/api/transfer_reversals/list
const reversalsShown = 10

// createReversal takes a part of a transfer back, as far as the account has it available.
func createReversal(c *call) (any, error) {
	o, err := transfers.get(c.tx, c.id, "transfer")
	if err != nil {
		return nil, err
	}
	if c.p.yes("refund_application_fee") {
		return nil, badRequest("This transfer has no application fee to give back.")
	}
	amount := o.Amount - o.AmountReversed
	if c.p.has("amount") {
		amount = c.p.integer("amount")
	}
	r := &transferReversal{Amount: amount, Metadata: c.p.mergeMetadata(nil)}
	return r, c.reverse(o, r)
}

// reverse takes what a reversal says back of a transfer.
func (c *call) reverse(o *transfer, r *transferReversal) error {
	left := o.Amount - o.AmountReversed
	switch {
	case r.Amount < 1:
		return invalidParam("amount", "parameter_invalid_integer", "This value must be greater than or equal to 1.")
	case r.Amount > left:
		return invalidParam("amount", "", fmt.Sprintf("Transfer reversal amount (%d) is greater than unreversed amount on transfer (%d).", r.Amount, left))
	}
	available, _, err := c.balanceNow(o.Destination)
	if err != nil {
		return err
	}
	if available[o.Currency] < r.Amount {
		return invalidRequest(http.StatusBadRequest, codeBalanceInsufficient, "The connected account has insufficient available funds to reverse this transfer.")
	}
	r.ID, r.Object, r.Created, r.Currency, r.Transfer = c.newID("trr_1"), "transfer_reversal", c.now, o.Currency, o.ID
	r.DestinationPaymentRefund = c.newID("pyr_1")
	ours, err := c.addTransaction(balanceTransaction{Type: "transfer_refund", ReportingCategory: "transfer_reversal", Amount: r.Amount, Currency: o.Currency,
		Source: &r.ID, AvailableOn: c.now, FeeDetails: []feeDetail{}})
	if err != nil {
		return err
	}
	_, err = c.addTransaction(balanceTransaction{Account: o.Destination, Type: "payment_refund", ReportingCategory: "refund", Amount: -r.Amount, Currency: o.Currency,
		Source: &r.DestinationPaymentRefund, AvailableOn: c.now, FeeDetails: []feeDetail{}})
	if err != nil {
		return err
	}
	r.BalanceTransaction = ours.ID
	if err := reversals.Put(c.tx, r); err != nil {
		return err
	}
	o.AmountReversed += r.Amount
	o.Reversed = o.AmountReversed == o.Amount
	o.Reversals.TotalCount++
	o.Reversals.Data = append([]transferReversal{*r}, o.Reversals.Data...)
	if len(o.Reversals.Data) > reversalsShown {
		o.Reversals.Data, o.Reversals.HasMore = o.Reversals.Data[:reversalsShown], true
	}
	if err := transfers.Put(c.tx, o); err != nil {
		return err
	}
	return c.emit("transfer.reversed", o, nil)
}

func listReversals(c *call) (any, error) {
	if _, err := transfers.get(c.tx, c.id, "transfer"); err != nil {
		return nil, err
	}
	return listPage(c, reversals, "transfer="+c.id, func(*transferReversal) bool { return true })
}

func getReversal(c *call) (any, error) {
	r, err := reversals.get(c.tx, c.secondID, "id")
	if err == nil && r.Transfer != c.id {
		err = missingResource("transfer reversal", c.secondID, "id")
	}
	return r, err
}
