package stripe

import "cmp"

// leaveToBank leaves a confirmed payment to a bank that takes days to say whether the money comes. Meanwhile its charge is
// pending, nothing is on the balance, and nobody can cancel it; a hosted page is complete and unpaid.
func (c *call) leaveToBank(pi *paymentIntent, pm *paymentMethod) error {
	ch := c.newCharge(pi, pm, false)
	ch.Status, ch.Paid, ch.Outcome = "pending", false, nil
	if err := charges.put(c.tx, ch); err != nil {
		return err
	}
	if err := c.emit("charge.pending", ch, nil); err != nil {
		return err
	}
	pi.LatestCharge, pi.LastPaymentError = &ch.ID, nil
	if err := c.schedule(c.now+bankDelay, task{Act: actHearBank, ID: pi.ID}); err != nil {
		return err
	}
	if err := c.moveIntent(pi, moveProcess); err != nil {
		return err
	}
	return c.completeSessionOf(pi)
}

// hearBank ends a payment's processing as its card says.
func (c *call) hearBank(pi *paymentIntent) error {
	ch, err := charges.get(c.tx, value(pi.LatestCharge), "charge")
	if err != nil {
		return err
	}
	pm, err := methods.get(c.tx, value(ch.PaymentMethod), "payment_method")
	if err != nil {
		return err
	}
	card, _, err := c.cardOf(pm)
	if err != nil {
		return err
	}
	if card.bank == bankRefusesLater {
		return c.bankRefuses(pi, pm, ch)
	}
	ch.Status, ch.Paid, ch.Captured, ch.AmountCaptured = "succeeded", true, true, ch.Amount
	ch.ReceiptURL = optional("https://pay.stripe.com/receipts/" + ch.ID)
	if err := c.addChargeTransaction(ch, ch.Amount); err != nil {
		return err
	}
	if err := charges.put(c.tx, ch); err != nil {
		return err
	}
	if err := c.emit("charge.succeeded", ch, nil); err != nil {
		return err
	}
	if err := c.moveIntent(pi, moveSucceed); err != nil {
		return err
	}
	return c.tellSession(pi, "paid", "checkout.session.async_payment_succeeded")
}

// bankRefuses has the intent wait for another method; a page that made it is over.
func (c *call) bankRefuses(pi *paymentIntent, pm *paymentMethod, ch *charge) error {
	reason := insufficientFunds()
	ch.fail(reason)
	if err := charges.put(c.tx, ch); err != nil {
		return err
	}
	if err := c.emit("charge.failed", ch, nil); err != nil {
		return err
	}
	last := cardError(reason.code, reason.declineCode, reason.message).body
	last.Charge, last.PaymentMethod = ch.ID, pm
	pi.LastPaymentError = &last
	if err := c.moveIntent(pi, moveFail); err != nil {
		return err
	}
	return c.tellSession(pi, "", "checkout.session.async_payment_failed")
}

// tellSession tells of an outcome that came after the hosted page was complete; an empty status changes nothing.
func (c *call) tellSession(pi *paymentIntent, paymentStatus, eventType string) error {
	found, _, err := sessions.page(c.tx, pageQuery{limit: 1, index: "payment_intent=" + pi.ID}, nil)
	if err != nil || len(found) == 0 {
		return err
	}
	o := found[0]
	o.PaymentStatus = cmp.Or(paymentStatus, o.PaymentStatus)
	if err := sessions.put(c.tx, o); err != nil {
		return err
	}
	return c.emit(eventType, &o.checkoutSession, nil)
}
