package stripe

import "talkoot.fi/sandbox/standin"

import "cmp"

// startProcessing leaves a confirmed payment processing, as methods do whose bank answers days later. Meanwhile its
// charge is pending, nothing is on the balance, and the intent cannot be canceled; a hosted page is complete and
// unpaid.
func (c *call) startProcessing(pi *paymentIntent, pm *paymentMethod) error {
	ch := c.newCharge(pi, pm, false)
	ch.Status, ch.Paid, ch.Outcome = "pending", false, nil
	if err := charges.Put(c.tx, ch); err != nil {
		return err
	}
	if err := c.emit("charge.pending", ch, nil); err != nil {
		return err
	}
	pi.LatestCharge, pi.LastPaymentError = &ch.ID, nil
	if err := c.unit.Schedule(c.now+bankDelay, standin.Task{Act: actEndProcessing, ID: pi.ID}); err != nil {
		return err
	}
	if err := c.moveIntent(pi, moveProcess); err != nil {
		return err
	}
	return c.completeSessionOf(pi)
}

// endProcessing ends a payment's processing with the bank's answer, which its test card determines.
func (c *call) endProcessing(pi *paymentIntent) error {
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
		return c.failProcessing(pi, pm, ch)
	}
	ch.Status, ch.Paid, ch.Captured, ch.AmountCaptured = "succeeded", true, true, ch.Amount
	ch.ReceiptURL = optional("https://pay.stripe.com/receipts/" + ch.ID)
	if err := c.addChargeTransaction(ch, ch.Amount); err != nil {
		return err
	}
	if err := charges.Put(c.tx, ch); err != nil {
		return err
	}
	if err := c.emit("charge.succeeded", ch, nil); err != nil {
		return err
	}
	if err := c.moveIntent(pi, moveSucceed); err != nil {
		return err
	}
	return c.updateSession(pi, "paid", "checkout.session.async_payment_succeeded")
}

// failProcessing fails the charge; the intent waits for another method, but the session that made it stays complete.
func (c *call) failProcessing(pi *paymentIntent, pm *paymentMethod, ch *charge) error {
	reason := insufficientFunds()
	ch.fail(reason)
	if err := charges.Put(c.tx, ch); err != nil {
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
	return c.updateSession(pi, "", "checkout.session.async_payment_failed")
}

// updateSession emits the event of an outcome that came after the intent's session was complete, and sets the
// session's payment status unless paymentStatus is empty. It does nothing for an intent without a session.
func (c *call) updateSession(pi *paymentIntent, paymentStatus, eventType string) error {
	found, _, err := sessions.page(c.tx, pageQuery{limit: 1, index: "payment_intent=" + pi.ID}, nil)
	if err != nil || len(found) == 0 {
		return err
	}
	o := found[0]
	o.PaymentStatus = cmp.Or(paymentStatus, o.PaymentStatus)
	if err := sessions.Put(c.tx, o); err != nil {
		return err
	}
	return c.emit(eventType, &o.checkoutSession, nil)
}
