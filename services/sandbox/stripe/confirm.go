package stripe

import "talkoot.fi/sandbox/standin"

import "fmt"

// confirm takes an intent through one attempt. On a decline it returns a 402 that commits, after
// the failed charge and the events are written.
func (c *call) confirm(pi *paymentIntent, k confirmation) error {
	if err := pi.permits(moveChallenge); err != nil {
		return err
	}
	if pi.PaymentMethod == nil {
		return pi.unexpected("You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.")
	}
	if err := k.checkReturn(pi.AutomaticPaymentMethods, "PaymentIntent"); err != nil {
		return err
	}
	if k.offSession && pi.futureUsage() != "" {
		return invalidParam("off_session", "", "You cannot confirm with the `off_session` parameter when `setup_future_usage` is also set on the PaymentIntent, because you cannot set up future usages when processing payments off-session.")
	}
	pm, err := methods.get(c.tx, *pi.PaymentMethod, "payment_method")
	if err != nil {
		return err
	}
	card, record, err := c.cardOf(pm)
	if err != nil {
		return err
	}
	asked := pi.PaymentMethodOptions.Card.RequestThreeDSecure
	forced := !k.offSession && (asked == "any" || asked == "challenge")
	switch {
	case !card.needsChallenge(k.offSession, record.SetUp) && !forced:
		return c.charge(pi, pm, false)
	case k.offSession || k.errorOnAction:
		return c.decline(pi, pm, &declineReason{
			"authentication_required", "authentication_required",
			"Your card was declined. This transaction requires authentication.",
		})
	}
	if pi.NextAction, err = c.startChallenge(pi.ID, pm, k); err != nil {
		return err
	}
	return c.moveIntent(pi, moveChallenge)
}

// charge takes or holds the money, or declines. passed tells that the holder has just passed
// 3-D Secure.
func (c *call) charge(pi *paymentIntent, pm *paymentMethod, passed bool) error {
	card, record, err := c.cardOf(pm)
	if err != nil {
		return err
	}
	if card.decline != nil {
		return c.decline(pi, pm, card.decline)
	}
	if pm.isExpired(c.now) {
		return c.decline(pi, pm, expiredCard())
	}
	if err := c.keepMethod(pi, pm, record, passed); err != nil {
		return err
	}
	if card.bank != bankAtOnce && !pi.holds() {
		return c.startProcessing(pi, pm)
	}
	if pi.LatestCharge, err = c.addCharge(pi, pm, nil, passed); err != nil {
		return err
	}
	if pi.holds() {
		if err := c.unit.Schedule(c.now+holdLifetime, standin.Task{Act: actReleaseHold, ID: pi.ID}); err != nil {
			return err
		}
		if err := c.moveIntent(pi, moveHold); err != nil {
			return err
		}
	} else if err := c.moveIntent(pi, moveSucceed); err != nil {
		return err
	} else if err := c.comesLater(card, *pi.LatestCharge); err != nil {
		return err
	}
	return c.completeSessionOf(pi)
}

func (pi *paymentIntent) holds() bool {
	return pi.CaptureMethod == manualMethod || pi.PaymentMethodOptions.Card.CaptureMethod == manualMethod
}

// futureUsage is how the method that pays is to be used later; "" when it is not.
func (pi *paymentIntent) futureUsage() string {
	if v := pi.PaymentMethodOptions.Card.SetupFutureUsage; v != "" && v != "none" {
		return v
	}
	return value(pi.SetupFutureUsage)
}

// keepMethod attaches the method to the customer when the intent asks for later use, and otherwise
// marks it as used up.
func (c *call) keepMethod(pi *paymentIntent, pm *paymentMethod, record cardRecord, passed bool) error {
	usage := pi.futureUsage()
	if pm.Card.Checks.CVCCheck != nil {
		pm.Card.Checks.CVCCheck = optional("pass")
		if err := methods.Put(c.tx, pm); err != nil {
			return err
		}
	}
	if usage != "" && pi.Customer != nil {
		if err := c.attach(pm, *pi.Customer); err != nil {
			return err
		}
	}
	record.SetUp = record.SetUp || passed && usage == "off_session"
	record.Consumed = pm.Customer == nil
	return standin.PutJSON(c.tx, bucketCards, pm.ID, record)
}

// decline leaves a failed charge and the intent waiting for another method; the returned 402 keeps
// both.
func (c *call) decline(pi *paymentIntent, pm *paymentMethod, reason *declineReason) error {
	chargeID, err := c.addCharge(pi, pm, reason, false)
	if err != nil {
		return err
	}
	pi.LatestCharge = chargeID
	e := cardError(reason.code, reason.declineCode, reason.message)
	e.body.Charge, e.body.PaymentMethod = *chargeID, pm
	last := e.body
	pi.LastPaymentError = &last
	if err := c.moveIntent(pi, moveFail); err != nil {
		return err
	}
	e.body.PaymentIntent = pi
	return e
}

func captureIntent(c *call) (any, error) {
	pi, err := c.intent()
	if err != nil {
		return nil, err
	}
	if err := pi.permits(moveCapture); err != nil {
		return nil, err
	}
	amount := pi.AmountCapturable
	if c.p.has("amount_to_capture") {
		amount = c.p.integer("amount_to_capture")
	}
	if amount < 1 || amount > pi.AmountCapturable {
		return nil, invalidParam("amount_to_capture", "amount_too_large", fmt.Sprintf("The amount_to_capture must be between 1 and %d.", pi.AmountCapturable))
	}
	if err := c.refuseConnect(); err != nil {
		return nil, err
	}
	ch, err := charges.get(c.tx, value(pi.LatestCharge), "charge")
	if err != nil {
		return nil, err
	}
	if err := c.captureCharge(ch, amount); err != nil {
		return nil, err
	}
	pm, err := methods.get(c.tx, value(ch.PaymentMethod), "payment_method")
	if err != nil {
		return nil, err
	}
	card, _, err := c.cardOf(pm)
	if err != nil {
		return nil, err
	}
	if err := c.comesLater(card, ch.ID); err != nil {
		return nil, err
	}
	pi.AmountReceived = amount
	c.p.setText("statement_descriptor", &pi.StatementDescriptor)
	c.p.setText("statement_descriptor_suffix", &pi.StatementDescriptorSuffix)
	pi.Metadata = c.p.mergeMetadata(pi.Metadata)
	return pi, c.moveIntent(pi, moveCapture)
}

func cancelIntentCall(c *call) (any, error) {
	pi, err := c.intent()
	if err != nil {
		return nil, err
	}
	return pi, c.cancelIntent(pi, c.p.text("cancellation_reason"))
}

func (c *call) cancelIntent(pi *paymentIntent, reason string) error {
	if err := pi.permits(moveCancel); err != nil {
		return err
	}
	if pi.Status == statusRequiresCapture {
		ch, err := charges.get(c.tx, value(pi.LatestCharge), "charge")
		if err != nil {
			return err
		}
		if err := c.releaseCharge(ch, ch.Amount); err != nil {
			return err
		}
	}
	pi.CancellationReason = optional(reason)
	return c.moveIntent(pi, moveCancel)
}
