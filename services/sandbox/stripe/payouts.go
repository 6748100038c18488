package stripe

import (
	"net/http"
	"strings"

	"talkoot.fi/sandbox/standin"
)

const (
	payoutPending   = "pending"    // not yet handed to the bank: can be canceled
	payoutInTransit = "in_transit" // with the bank
	payoutPaid      = "paid"       // a bank may still send it back
	payoutFailed    = "failed"
	payoutCanceled  = "canceled"

	payoutSubmitDelay = 12 * 3600 // seconds until a payout is handed to the bank
	payoutArrival     = 2 * day   // seconds until it is expected there, rounded down to a day

	// bankAccount is the only place money is paid out to.
	bankAccount = "ba_1SandboxBankAccount"
)

func payoutCalls() []endpoint {
	return []endpoint{
		{"POST /v1/payouts", fields{
			"amount": integer().must(), "currency": text().must(), "description": text(), "destination": text(),
			"metadata": metadata(), "method": oneOf("standard", "instant"), "source_type": oneOf("bank_account", "card", "fpx"),
			"statement_descriptor": textMax(22),
		}, false, createPayout},
		{"GET /v1/payouts", listParams(fields{
			"arrival_date": ranged(), "destination": text(),
			"status": oneOf(payoutPending, payoutInTransit, payoutPaid, payoutFailed, payoutCanceled),
		}), false, listPayouts},
		{"GET /v1/payouts/{id}", nil, false, func(c *call) (any, error) { return c.payout(c.id) }},
		{"POST /v1/payouts/{id}", fields{"metadata": metadata()}, false, updatePayout},
		{"POST /v1/payouts/{id}/cancel", nil, false, cancelPayout},
	}
}

func createPayout(c *call) (any, error) {
	p := c.p
	if p.text("method") == "instant" {
		return nil, invalidParam("method", "", "The sandbox's bank account takes standard payouts only.")
	}
	if v := p.text("source_type"); v != "" && v != "card" {
		return nil, invalidParam("source_type", "", "The sandbox's account has a balance of source type card only.")
	}
	to, fails, err := c.payoutBank()
	if err != nil {
		return nil, err
	}
	if v := p.text("destination"); v != "" && v != to {
		return nil, missingResource("external account", v, "destination")
	}
	currency, amount := strings.ToLower(p.text("currency")), p.integer("amount")
	if _, known := minimumAmounts()[currency]; !known {
		return nil, invalidParam("currency", "", "Invalid currency: "+currency)
	}
	if amount < 1 {
		return nil, invalidParam("amount", "parameter_invalid_integer", "This value must be greater than or equal to 1.")
	}
	po := c.newPayout(amount, currency)
	po.Account, po.Destination, po.Fails = c.account, &to, fails
	po.Metadata = p.mergeMetadata(nil)
	p.setText("description", &po.Description)
	p.setText("statement_descriptor", &po.StatementDescriptor)
	return po, c.startPayout(po)
}

// payout is one of the caller's.
func (c *call) payout(id string) (*payout, error) {
	po, err := payouts.get(c.tx, id, "payout")
	if err == nil && po.Account != c.account {
		err = missingResource("payout", id, "payout")
	}
	return po, err
}

// payoutBank is the bank account to which the caller's payouts go, and the code with which that bank sends them back; "" for none.
func (c *call) payoutBank() (id, fails string, err error) {
	if c.account == "" {
		return bankAccount, "", nil
	}
	a, err := c.connected(c.account)
	switch {
	case err != nil:
		return "", "", err
	case !a.PayoutsEnabled:
		return "", "", invalidRequest(http.StatusBadRequest, "payouts_not_allowed", "Payouts are not enabled for this account.")
	case len(a.ExternalAccounts.Data) == 0:
		return "", "", badRequest("Sorry, you don't have any external accounts in that currency (eur).")
	}
	bank := a.ExternalAccounts.Data[0]
	if bank.Status == "errored" {
		return "", "", invalidRequest(http.StatusBadRequest, "bank_account_unusable", "The bank account cannot be used for payouts.")
	}
	return bank.ID, failingIBANs()[a.IBAN], nil
}

// failingIBANs are those of Stripe's documentation to which nothing can be paid. docs.stripe.com/connect/testing
func failingIBANs() map[string]string {
	return map[string]string{"DE62370400440532013001": "no_account", "DE89370400440532013002": "account_closed", "DE89370400440532013003": "insufficient_funds",
		"DE89370400440532013004": "debit_not_authorized", "DE89370400440532013005": "invalid_currency"}
}

func (c *call) newPayout(amount int64, currency string) *payout {
	destination := bankAccount
	return &payout{
		ID: c.newID("po_1"), Object: "payout", Amount: amount, ArrivalDate: (c.now + payoutArrival) / day * day, Created: c.now,
		Currency: currency, Destination: &destination, Metadata: map[string]string{}, Method: "standard",
		ReconciliationStatus: "not_applicable", SourceType: "card", Status: payoutPending, Type: "bank_account",
	}
}

// startPayout takes the money from the available balance and schedules the next steps.
func (c *call) startPayout(po *payout) error {
	available, _, err := c.balanceNow(po.Account)
	if err != nil {
		return err
	}
	if available[po.Currency] < po.Amount {
		return invalidRequest(http.StatusBadRequest, codeBalanceInsufficient,
			"You have insufficient available funds in your Stripe account for this payout.")
	}
	txn, err := c.addTransaction(balanceTransaction{
		Account: po.Account, Type: "payout", ReportingCategory: "payout", Amount: -po.Amount, Currency: po.Currency, Source: &po.ID,
		Description: optional("STRIPE PAYOUT"), AvailableOn: c.now, FeeDetails: []feeDetail{},
	})
	if err != nil {
		return err
	}
	po.BalanceTransaction = &txn.ID
	if err := c.unit.Schedule(c.now+payoutSubmitDelay, standin.Task{Act: actMovePayout, ID: po.ID}); err != nil {
		return err
	}
	return c.savePayout(po, "payout.created")
}

func (c *call) savePayout(po *payout, eventType string) error {
	if err := payouts.Put(c.tx, po); err != nil {
		return err
	}
	return c.emitOf(po.Account, eventType, po, nil)
}

// movePayoutOn hands a pending payout to the bank, and marks one in transit as paid.
func (c *call) movePayoutOn(po *payout) error {
	switch po.Status {
	case payoutPending:
		po.Status = payoutInTransit
		if err := c.unit.Schedule(max(po.ArrivalDate, c.now), standin.Task{Act: actMovePayout, ID: po.ID}); err != nil {
			return err
		}
		return c.savePayout(po, "payout.updated")
	case payoutInTransit:
		if po.Fails != "" {
			return c.failPayout(po, po.Fails)
		}
		po.Status = payoutPaid
		return c.savePayout(po, "payout.paid")
	}
	return nil // failed or canceled meanwhile
}

// failPayout is a bank sending a payout back.
func (c *call) failPayout(po *payout, code string) error {
	po.FailureCode = &code
	po.FailureMessage = optional("The bank has sent the payout back: " + strings.ReplaceAll(code, "_", " ") + ".")
	return c.returnPayout(po, payoutFailed, "payout_failure")
}

// returnPayout brings the money of a payout that failed or was canceled back to the balance.
func (c *call) returnPayout(po *payout, status, transactionType string) error {
	txn, err := c.addTransaction(balanceTransaction{
		Account: po.Account, Type: transactionType, ReportingCategory: "payout_reversal", Amount: po.Amount, Currency: po.Currency, Source: &po.ID,
		Description: optional(strings.ToUpper("PAYOUT " + status)), AvailableOn: c.now, FeeDetails: []feeDetail{},
	})
	if err != nil {
		return err
	}
	po.Status, po.FailureBalanceTransaction = status, &txn.ID
	return c.savePayout(po, "payout."+status)
}

func updatePayout(c *call) (any, error) {
	po, err := c.payout(c.id)
	if err != nil {
		return nil, err
	}
	po.Metadata = c.p.mergeMetadata(po.Metadata)
	return po, c.savePayout(po, "payout.updated")
}

func cancelPayout(c *call) (any, error) {
	po, err := c.payout(c.id)
	if err != nil {
		return nil, err
	}
	if po.Status != payoutPending || po.Automatic {
		return nil, badRequest("Payouts can only be canceled while they are pending and were made by hand: " + po.ID + " is " + po.Status + ".")
	}
	return po, c.returnPayout(po, payoutCanceled, "payout_cancel")
}

func listPayouts(c *call) (any, error) {
	created, arrives := c.p.createdFilter(), c.p.rangeFilter("arrival_date")
	status, destination := c.p.text("status"), c.p.text("destination")
	index := ""
	if c.account != "" {
		index = "account=" + c.account
	}
	return listPage(c, payouts, index, func(o *payout) bool {
		return o.Account == c.account && created(o.Created) && arrives(o.ArrivalDate) && (status == "" || o.Status == status) &&
			(destination == "" || value(o.Destination) == destination)
	})
}

// paidOutWith is the id of the automatic payout that includes a balance transaction, or empty.
func (c *call) paidOutWith(transactionID string) string {
	return string(c.tx.Bucket([]byte(bucketPaidOut)).Get([]byte(transactionID)))
}

// payOutAutomatically pays out the available balance transactions of a currency that no automatic payout included
// before, and notes that this one includes them, and its own transaction.
func (c *call) payOutAutomatically(currency string) (*payout, error) {
	var taken []string
	sum := int64(0)
	_, _, err := transactions.page(c.tx, pageQuery{limit: 1}, func(o *balanceTransaction) bool {
		if o.Account == "" && o.Currency == currency && o.AvailableOn <= c.now && c.paidOutWith(o.ID) == "" {
			taken, sum = append(taken, o.ID), sum+o.Net
		}
		return false
	})
	if err != nil {
		return nil, err
	}
	if sum < 1 {
		return nil, standin.BadControl("nothing is available in " + currency)
	}
	po := c.newPayout(sum, currency)
	po.Automatic, po.ReconciliationStatus = true, "completed"
	if err := c.startPayout(po); err != nil {
		return nil, err
	}
	for _, id := range append(taken, *po.BalanceTransaction) {
		if err := c.tx.Bucket([]byte(bucketPaidOut)).Put([]byte(id), []byte(po.ID)); err != nil {
			return nil, err
		}
	}
	return po, c.emit("payout.reconciliation_completed", po, nil)
}
