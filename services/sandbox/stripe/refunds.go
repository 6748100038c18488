package stripe

import "talkoot.fi/sandbox/standin"

import "fmt"

const (
	refundPending   = "pending"
	refundSucceeded = "succeeded"
	refundFailed    = "failed"
	refundCanceled  = "canceled"
	refundAction    = "requires_action"
)

// Why a refund failed (https://stripe.com/docs/refunds#failed-refunds).
const (
	refundCardExpired = "expired_or_canceled_card"
	refundCardLost    = "lost_or_stolen_card"
)

func refundFailureReasons() []string {
	return []string{
		refundCardLost, refundCardExpired, "charge_for_pending_refund_disputed", "insufficient_funds", "declined",
		"merchant_request", "unknown",
	}
}

func refundCalls() []endpoint {
	return []endpoint{
		{"POST /v1/refunds", fields{
			"charge": text(), "payment_intent": text(), "amount": integer(), "metadata": metadata(),
			"reason": oneOf("duplicate", "fraudulent", "requested_by_customer"), "currency": text(), "customer": text(),
			"instructions_email": text(), "origin": oneOf("customer_balance"),
			"refund_application_fee": boolean(), "reverse_transfer": boolean(),
		}, false, createRefund},
		{"GET /v1/refunds", listParams(fields{"charge": text(), "payment_intent": text()}), false, listRefunds},
		{"GET /v1/refunds/{id}", nil, false, func(c *call) (any, error) { return refunds.get(c.tx, c.id, "id") }},
		{"POST /v1/refunds/{id}", fields{"metadata": metadata()}, false, updateRefund},
		{"POST /v1/refunds/{id}/cancel", nil, false, cancelRefund},
	}
}

// refundedCharge finds the captured charge that a refund names by itself or by its intent.
func (c *call) refundedCharge() (*charge, error) {
	if id := c.p.text("charge"); id != "" {
		ch, err := charges.get(c.tx, id, "charge")
		if err == nil && c.p.has("payment_intent") && value(ch.PaymentIntent) != c.p.text("payment_intent") {
			return nil, invalidParam("charge", "", "The charge does not belong to the PaymentIntent.")
		}
		return ch, err
	}
	id := c.p.text("payment_intent")
	if id == "" {
		return nil, badRequest("One of the following params should be provided for this request: payment_intent or charge.")
	}
	pi, err := intents.get(c.tx, id, "payment_intent")
	if err != nil {
		return nil, err
	}
	if pi.Status != statusSucceeded {
		return nil, badRequest("This PaymentIntent (" + pi.ID + ") does not have a successful charge to refund.")
	}
	return charges.get(c.tx, value(pi.LatestCharge), "charge")
}

func createRefund(c *call) (any, error) {
	ch, err := c.refundedCharge()
	if err != nil {
		return nil, err
	}
	if c.p.yes("reverse_transfer") || c.p.yes("refund_application_fee") {
		return nil, badRequest("This charge has no transfer or application fee to give back.")
	}
	if ch.Status != "succeeded" || !ch.Captured {
		return nil, badRequest("Charge " + ch.ID + " has not been captured and cannot be refunded.")
	}
	if d, err := c.openDisputeOf(ch); err != nil {
		return nil, err
	} else if d != nil {
		return nil, invalidParam("", codeChargeDisputed, "Charge "+ch.ID+" has been charged back; cannot issue a refund.")
	}
	left := ch.Amount - ch.AmountRefunded
	if left == 0 {
		return nil, invalidParam("", "charge_already_refunded", "Charge "+ch.ID+" has already been refunded.")
	}
	amount := left
	if c.p.has("amount") {
		amount = c.p.integer("amount")
	}
	if amount < 1 {
		return nil, invalidParam("amount", "parameter_invalid_integer", "This value must be greater than or equal to 1.")
	}
	if amount > left {
		return nil, invalidParam("amount", "", fmt.Sprintf("Refund amount (%d) is greater than unrefunded amount on charge (%d).", amount, left))
	}
	pm, err := methods.get(c.tx, value(ch.PaymentMethod), "payment_method")
	if err != nil {
		return nil, err
	}
	card, _, err := c.cardOf(pm)
	if err != nil {
		return nil, err
	}
	r := &refund{
		ID: c.newID("re_3"), Object: "refund", Amount: amount, Charge: ch.ID, Created: c.now, Currency: ch.Currency,
		Metadata: c.p.mergeMetadata(nil), PaymentIntent: ch.PaymentIntent, Reason: optional(c.p.text("reason")), Status: refundSucceeded,
		DestinationDetails: &destination{Type: "card", Card: destinationCard{
			ReferenceStatus: "pending", ReferenceType: "acquirer_reference_number", Type: "refund",
		}},
	}
	if err := c.startRefund(r, card.refund); err != nil {
		return nil, err
	}
	ch.AmountRefunded += amount
	ch.Refunded = ch.AmountRefunded == ch.Amount
	if err := charges.Put(c.tx, ch); err != nil {
		return nil, err
	}
	if err := c.emit("refund.created", r, nil); err != nil {
		return nil, err
	}
	if err := c.emit("charge.refunded", ch, nil); err != nil {
		return nil, err
	}
	return r, c.endWarnings(ch)
}

// startRefund takes the refund from the balance and schedules the later outcome that its test card determines.
func (c *call) startRefund(r *refund, rule refundRule) error {
	txn, err := c.addRefundTransaction(r, balanceTransaction{
		Type: "refund", Amount: -r.Amount, Fee: c.s.refunds.now().Amount, Description: optional("REFUND FOR CHARGE"),
	})
	if err != nil {
		return err
	}
	r.BalanceTransaction = &txn.ID
	switch rule {
	case refundPendsFirst:
		r.Status = refundPending
		err = c.unit.Schedule(c.now+refundSettleDelay, standin.Task{Act: actSettleRefund, ID: r.ID})
	case refundFailsLater:
		err = c.unit.Schedule(c.now+refundSettleDelay, standin.Task{Act: actFailRefund, ID: r.ID})
	case refundAtOnce:
	}
	if err != nil {
		return err
	}
	return refunds.Put(c.tx, r)
}

// addRefundTransaction stores a balance transaction of a refund.
func (c *call) addRefundTransaction(r *refund, txn balanceTransaction) (*balanceTransaction, error) {
	txn.ReportingCategory, txn.Currency, txn.Source, txn.AvailableOn, txn.FeeDetails = txn.Type, r.Currency, &r.ID, c.now, []feeDetail{}
	if txn.Fee != 0 {
		txn.FeeDetails = []feeDetail{{Amount: txn.Fee, Currency: r.Currency, Description: "Refund fee", Type: "stripe_fee"}}
	}
	return c.addTransaction(txn)
}

// settleRefund turns a pending refund into a succeeded one.
func (c *call) settleRefund(r *refund) error {
	if r.Status != refundPending {
		return nil
	}
	r.Status = refundSucceeded
	return c.saveRefund(r)
}

// fails tells whether a refund can still fail: also one that succeeded may, days later.
func (r *refund) fails() bool { return r.Status == refundPending || r.Status == refundSucceeded }

// failRefund returns the money to the balance and the amount to the charge. It emits no event: see saveRefund.
func (c *call) failRefund(r *refund, reason string) error {
	back := balanceTransaction{Type: "refund_failure", Amount: r.Amount, Description: optional("REFUND FAILURE")}
	if c.s.refunds.now().Returned {
		taken, err := transactions.get(c.tx, *r.BalanceTransaction, "balance_transaction")
		if err != nil {
			return err
		}
		back.Fee = -taken.Fee
	}
	txn, err := c.addRefundTransaction(r, back)
	if err != nil {
		return err
	}
	r.Status, r.FailureReason, r.FailureBalanceTransaction = refundFailed, &reason, &txn.ID
	ch, err := charges.get(c.tx, r.Charge, "charge")
	if err != nil {
		return err
	}
	ch.AmountRefunded -= r.Amount
	ch.Refunded = false
	if err := charges.Put(c.tx, ch); err != nil {
		return err
	}
	return refunds.Put(c.tx, r)
}

// saveRefund stores a changed refund and emits the two events of a change.
func (c *call) saveRefund(r *refund) error {
	if err := refunds.Put(c.tx, r); err != nil {
		return err
	}
	if err := c.emit("charge.refund.updated", r, nil); err != nil {
		return err
	}
	return c.emit("refund.updated", r, nil)
}

func updateRefund(c *call) (any, error) {
	r, err := refunds.get(c.tx, c.id, "id")
	if err != nil {
		return nil, err
	}
	r.Metadata = c.p.mergeMetadata(r.Metadata)
	return r, c.saveRefund(r)
}

// cancelRefund is for refunds that wait for the customer; card refunds never do.
func cancelRefund(c *call) (any, error) {
	r, err := refunds.get(c.tx, c.id, "id")
	if err != nil {
		return nil, err
	}
	if r.Status != refundAction {
		return nil, badRequest("Refund " + r.ID + " cannot be canceled because it has a status of " + r.Status + ".")
	}
	r.Status = refundCanceled
	return r, c.saveRefund(r)
}

func listRefunds(c *call) (any, error) {
	passes, index := c.p.createdFilter(), ""
	pi, ch := c.p.text("payment_intent"), c.p.text("charge")
	if ch != "" {
		index = "charge=" + ch
	} else if pi != "" {
		index = "payment_intent=" + pi
	}
	return listPage(c, refunds, index, func(o *refund) bool {
		return passes(o.Created) && (pi == "" || value(o.PaymentIntent) == pi)
	})
}
