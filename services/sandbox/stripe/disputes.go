package stripe

import (
	"slices"

	"talkoot.fi/sandbox/standin"
)

const (
	disputeNeedsResponse = "needs_response"
	disputeUnderReview   = "under_review"
	disputeWon           = "won"
	disputeLost          = "lost"

	disputeFee        = 1500          // minor units, Stripe's list price in Finland
	disputeAnswerTime = 7 * 24 * 3600 // seconds until a response is due
)

// What evidence[uncategorized_text] decides a test-mode dispute (https://stripe.com/docs/testing#disputes).
const (
	winningEvidence = "winning_evidence"
	losingEvidence  = "losing_evidence"
)

// evidenceTexts are the fields of a dispute's evidence, files by their id.
func evidenceTexts() []string {
	return []string{
		"access_activity_log", "billing_address", "cancellation_policy", "cancellation_policy_disclosure",
		"cancellation_rebuttal", "customer_communication", "customer_email_address", "customer_name",
		"customer_purchase_ip", "customer_signature", "duplicate_charge_documentation",
		"duplicate_charge_explanation", "duplicate_charge_id", "product_description", "receipt", "refund_policy",
		"refund_policy_disclosure", "refund_refusal_explanation", "service_date", "service_documentation",
		"shipping_address", "shipping_carrier", "shipping_date", "shipping_documentation",
		"shipping_tracking_number", "uncategorized_file", "uncategorized_text",
	}
}

func evidenceFields() fields {
	out := fields{}
	for _, name := range evidenceTexts() {
		out[name] = textMax(20_000)
	}
	return out
}

func disputeCalls() []endpoint {
	return []endpoint{
		{"GET /v1/disputes", listParams(fields{"charge": text(), "payment_intent": text()}), false, listDisputes},
		{"GET /v1/disputes/{id}", nil, false, func(c *call) (any, error) { return disputes.get(c.tx, c.id, "dispute") }},
		{"POST /v1/disputes/{id}", fields{
			"evidence": hash(evidenceFields()), "metadata": metadata(), "submit": boolean(),
		}, false, updateDispute},
		{"POST /v1/disputes/{id}/close", nil, false, closeDispute},
	}
}

// disputeLater schedules the dispute that some test cards cause.
func (c *call) disputeLater(card testCard, chargeID string) error {
	if !card.disputed {
		return nil
	}
	return c.unit.Schedule(c.now+disputeDelay, standin.Task{Act: actOpenDispute, ID: chargeID})
}

// disputeFraudulent is the reason of a holder who does not know of a charge.
const disputeFraudulent = "fraudulent"

// openDispute takes amount of a captured charge back from the balance, with a fee.
func (c *call) openDispute(ch *charge, amount int64, reason string) error {
	reasonCode := optional("83") // Visa's old code of fraud without the card, which test mode still shows
	evidence := map[string]*string{}
	for _, name := range evidenceTexts() {
		evidence[name] = nil
	}
	d := &dispute{
		ID: c.newID("dp_1"), Object: "dispute", Amount: amount, Charge: ch.ID, Created: c.now, Currency: ch.Currency,
		Evidence: evidence, EvidenceDetails: evidenceDetails{DueBy: c.now + disputeAnswerTime},
		Metadata: map[string]string{}, NetworkReasonCode: reasonCode, PaymentIntent: ch.PaymentIntent,
		PaymentMethodDetails: disputeMethod{Type: "card", Card: disputeCard{Brand: ch.PaymentMethodDetails.Card.Brand, NetworkReasonCode: reasonCode}},
		Reason:               reason, Status: disputeNeedsResponse,
	}
	if err := c.withdrawDisputed(d); err != nil {
		return err
	}
	ch.Disputed, ch.Dispute = true, &d.ID
	if err := charges.Put(c.tx, ch); err != nil {
		return err
	}
	if err := disputes.Put(c.tx, d); err != nil {
		return err
	}
	if err := c.emit("charge.dispute.created", d, nil); err != nil {
		return err
	}
	if err := c.emit("charge.dispute.funds_withdrawn", d, nil); err != nil {
		return err
	}
	return c.endWarnings(ch)
}

// moveDisputedMoney stores a balance transaction of a dispute and adds it to the dispute.
func (c *call) moveDisputedMoney(d *dispute, txn balanceTransaction) error {
	txn.Type, txn.Currency, txn.Source, txn.AvailableOn = "adjustment", d.Currency, &d.ID, c.now
	txn.FeeDetails = []feeDetail{}
	if txn.Fee != 0 {
		txn.FeeDetails = []feeDetail{{Amount: txn.Fee, Currency: d.Currency, Description: "Dispute fee", Type: "stripe_fee"}}
	}
	booked, err := c.addTransaction(txn)
	if err != nil {
		return err
	}
	d.BalanceTransactions = append(d.BalanceTransactions, *booked)
	return nil
}

func (d *dispute) isClosed() bool { return d.Status == disputeWon || d.Status == disputeLost }

// taken is what a dispute keeps from the balance: money, and a fee.
func (d *dispute) taken() (amount, fee int64) {
	for _, txn := range d.BalanceTransactions {
		amount, fee = amount-txn.Amount, fee+txn.Fee
	}
	return amount, fee
}

// withdrawDisputed takes a dispute's money from the balance, and its fee unless that of an earlier withdrawal was
// kept.
func (c *call) withdrawDisputed(d *dispute) error {
	_, kept := d.taken()
	return c.moveDisputedMoney(d, balanceTransaction{
		ReportingCategory: "dispute", Amount: -d.Amount, Fee: disputeFee - kept, Description: optional("Chargeback withdrawal for " + d.Charge),
	})
}

// returnDisputed returns amount of a dispute's money and fee of its fee to the balance, in minor units.
func (c *call) returnDisputed(d *dispute, amount, fee int64) error {
	return c.moveDisputedMoney(d, balanceTransaction{
		ReportingCategory: "dispute_reversal", Amount: amount, Fee: -fee, Description: optional("Chargeback reversal for " + d.Charge),
	})
}

// decideDispute closes a dispute, or, when it was decided the other way before, decides an appeal. A won one brings back
// what the bank has, and the fee unless it is kept; one that is lost after it was won takes both again.
func (c *call) decideDispute(d *dispute, status string, keepFee bool) error {
	d.Status = status
	amount, fee := d.taken()
	var err error
	moved := ""
	switch {
	case status == disputeWon:
		if keepFee {
			fee = 0
		}
		moved, err = "charge.dispute.funds_reinstated", c.returnDisputed(d, amount, fee)
	case amount == 0:
		moved, err = "charge.dispute.funds_withdrawn", c.withdrawDisputed(d)
	}
	if err != nil {
		return err
	}
	if err := disputes.Put(c.tx, d); err != nil {
		return err
	}
	if err := c.emit("charge.dispute.closed", d, nil); err != nil || moved == "" {
		return err
	}
	return c.emit(moved, d, nil)
}

// openDisputeOf finds the dispute that keeps a charge's money away, nil when there is none or all were won.
func (c *call) openDisputeOf(ch *charge) (*dispute, error) {
	if !ch.Disputed {
		return nil, nil
	}
	found, _, err := disputes.page(c.tx, pageQuery{limit: 1, index: "charge=" + ch.ID}, func(d *dispute) bool { return d.Status != disputeWon })
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// updateDispute takes evidence. Submitting it puts the dispute under review; the two texts of test mode decide it at
// once.
func updateDispute(c *call) (any, error) {
	d, err := disputes.get(c.tx, c.id, "dispute")
	if err != nil {
		return nil, err
	}
	before, err := snapshot(d)
	if err != nil {
		return nil, err
	}
	d.Metadata = c.p.mergeMetadata(d.Metadata)
	submits := c.p.has("evidence") && (!c.p.has("submit") || c.p.yes("submit")) || c.p.yes("submit")
	if c.p.has("evidence") || submits {
		if d.Status != disputeNeedsResponse {
			return nil, badRequest("This dispute is " + d.Status + ": it takes no evidence.")
		}
		given := c.p.sub("evidence")
		for _, name := range evidenceTexts() {
			if given.has(name) {
				d.Evidence[name] = optional(given.text(name))
			}
		}
		d.EvidenceDetails.HasEvidence = slices.ContainsFunc(evidenceTexts(), func(name string) bool { return d.Evidence[name] != nil })
	}
	if submits {
		d.Status = disputeUnderReview
		d.EvidenceDetails.SubmissionCount++
	}
	if err := disputes.Put(c.tx, d); err != nil {
		return nil, err
	}
	if err := c.emit("charge.dispute.updated", d, before); err != nil || !submits {
		return d, err
	}
	switch value(d.Evidence["uncategorized_text"]) {
	case winningEvidence:
		return d, c.decideDispute(d, disputeWon, false)
	case losingEvidence:
		return d, c.decideDispute(d, disputeLost, false)
	}
	return d, nil
}

// closeDispute accepts a dispute as lost.
func closeDispute(c *call) (any, error) {
	d, err := disputes.get(c.tx, c.id, "dispute")
	if err != nil {
		return nil, err
	}
	if d.isClosed() {
		return nil, badRequest("This dispute is already closed.")
	}
	return d, c.decideDispute(d, disputeLost, false)
}

func listDisputes(c *call) (any, error) {
	passes, index := c.p.createdFilter(), ""
	pi, ch := c.p.text("payment_intent"), c.p.text("charge")
	if ch != "" {
		index = "charge=" + ch
	} else if pi != "" {
		index = "payment_intent=" + pi
	}
	return listPage(c, disputes, index, func(o *dispute) bool {
		return passes(o.Created) && (pi == "" || value(o.PaymentIntent) == pi)
	})
}
