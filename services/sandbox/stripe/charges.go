package stripe

import "strconv"

// Stripe's list price in Finland for cards of the European Economic Area.
const (
	feePerMille = 15
	feeFixed    = 25 // minor units
)

// newCharge is an attempt that succeeds.
func (c *call) newCharge(pi *paymentIntent, pm *paymentMethod, passed bool) *charge {
	return &charge{
		ID: c.newID("ch_3"), Object: "charge", Amount: pi.Amount, BillingDetails: pm.BillingDetails,
		CalculatedStatementDescriptor: optional("TALKOOT TEST"), Created: c.now, Currency: pi.Currency, Customer: pi.Customer,
		Description: pi.Description, Metadata: pi.Metadata, PaymentIntent: &pi.ID, PaymentMethod: &pm.ID,
		PaymentMethodDetails: chargeMethodDetails{Type: "card", Card: pm.chargeCard(pi.Amount, passed)},
		ReceiptEmail:         pi.ReceiptEmail, Shipping: pi.Shipping, StatementDescriptor: pi.StatementDescriptor,
		StatementDescriptorSuffix: pi.StatementDescriptorSuffix, Status: "succeeded", Paid: true,
		TransferGroup: pi.TransferGroup,
		Outcome: &chargeOutcome{
			NetworkStatus: "approved_by_network", RiskLevel: "normal", RiskScore: 20,
			SellerMessage: "Payment complete.", Type: "authorized",
		},
	}
}

// addCharge records an attempt: failed when reason is given, held for a manual intent, else
// captured with its balance transaction.
func (c *call) addCharge(pi *paymentIntent, pm *paymentMethod, reason *declineReason, passed bool) (*string, error) {
	ch := c.newCharge(pi, pm, passed)
	ch.ReceiptURL = optional("https://pay.stripe.com/receipts/" + ch.ID)
	eventType := "charge.succeeded"
	switch {
	case reason != nil:
		ch.fail(reason)
		eventType = "charge.failed"
	case pi.holds():
		before := c.now + holdLifetime
		ch.PaymentMethodDetails.Card.CaptureBefore = &before
	default:
		ch.Captured, ch.AmountCaptured = true, ch.Amount
		if err := c.addChargeTransaction(ch, ch.Amount); err != nil {
			return nil, err
		}
	}
	if err := charges.Put(c.tx, ch); err != nil {
		return nil, err
	}
	return &ch.ID, c.emit(eventType, ch, nil)
}

func (ch *charge) fail(reason *declineReason) {
	ch.Status, ch.Paid, ch.ReceiptURL = "failed", false, nil
	ch.FailureCode, ch.FailureMessage = &reason.code, &reason.message
	ch.Outcome = &chargeOutcome{
		NetworkStatus: "declined_by_network", Reason: optional(reason.declineCode), RiskLevel: "normal", RiskScore: 20,
		SellerMessage: "The bank did not return any further details with this decline.", Type: "issuer_declined",
	}
}

func (pm *paymentMethod) chargeCard(amount int64, passed bool) *chargeCard {
	card := &chargeCard{
		AmountAuthorized: amount, Brand: pm.Card.Brand, Checks: pm.Card.Checks, Country: pm.Card.Country,
		ExpMonth: pm.Card.ExpMonth, ExpYear: pm.Card.ExpYear, ExtendedAuthorization: &statusOnly{"disabled"},
		Fingerprint: pm.Card.Fingerprint, Funding: pm.Card.Funding, Incremental: &statusOnly{"unavailable"},
		Last4: pm.Card.Last4, Multicapture: &statusOnly{"unavailable"}, Network: pm.Card.Brand,
		NetworkToken: &tokenUse{}, Overcapture: &overcapture{MaximumAmountCapturable: amount, Status: "unavailable"}, Wallet: pm.Card.Wallet,
	}
	if passed {
		card.ThreeDSecure = &secureResult{AuthenticationFlow: optional("challenge"), Result: "authenticated", Version: "2.2.0"}
	}
	return card
}

// captureCharge takes amount of a held charge and releases the rest.
func (c *call) captureCharge(ch *charge, amount int64) error {
	ch.Captured, ch.AmountCaptured = true, amount
	if err := c.addChargeTransaction(ch, amount); err != nil {
		return err
	}
	if amount < ch.Amount {
		ch.AmountRefunded = ch.Amount - amount
	}
	if err := charges.Put(c.tx, ch); err != nil {
		return err
	}
	return c.emit("charge.captured", ch, nil)
}

// releaseCharge gives a hold back.
func (c *call) releaseCharge(ch *charge, amount int64) error {
	ch.AmountRefunded, ch.Refunded = amount, true
	if err := charges.Put(c.tx, ch); err != nil {
		return err
	}
	return c.emit("charge.refunded", ch, nil)
}

func (c *call) addChargeTransaction(ch *charge, amount int64) error {
	pm, err := methods.get(c.tx, value(ch.PaymentMethod), "payment_method")
	if err != nil {
		return err
	}
	card, _, err := c.cardOf(pm)
	if err != nil {
		return err
	}
	available := (c.now + settlementDelay) / day * day
	if card.available {
		available = c.now
	}
	fee := (amount*feePerMille+500)/1000 + feeFixed // half a cent rounds up
	txn, err := c.addTransaction(balanceTransaction{
		Type: "charge", ReportingCategory: "charge", Amount: amount, Fee: fee, Currency: ch.Currency, Source: &ch.ID,
		Description: ch.Description, AvailableOn: available,
		FeeDetails: []feeDetail{{Amount: fee, Currency: ch.Currency, Description: "Stripe processing fees", Type: "stripe_fee"}},
	})
	if err == nil {
		ch.BalanceTransaction = &txn.ID
	}
	return err
}

func chargeCalls() []endpoint {
	return []endpoint{
		{"GET /v1/charges", listParams(fields{
			"customer": text(), "payment_intent": text(), "transfer_group": text(),
		}), false, listCharges},
		{"GET /v1/charges/search", searchParams(), false, searchCharges},
		{"GET /v1/charges/{id}", nil, false, func(c *call) (any, error) { return charges.get(c.tx, c.id, "id") }},
		{"POST /v1/charges/{id}", fields{
			"customer": text(), "description": text(), "metadata": metadata(), "receipt_email": text(),
			"shipping": shippingFields(), "transfer_group": text(),
			"fraud_details": hash(fields{"user_report": oneOf("fraudulent", "safe")}),
		}, false, updateCharge},
		{"GET /v1/charges/{id}/refunds", listParams(nil), false, func(c *call) (any, error) {
			return listPage(c, refunds, "charge="+c.id, nil)
		}},
	}
}

func updateCharge(c *call) (any, error) {
	ch, err := charges.get(c.tx, c.id, "id")
	if err != nil {
		return nil, err
	}
	before, err := snapshot(ch)
	if err != nil {
		return nil, err
	}
	if v := c.p.text("customer"); v != "" {
		return nil, badRequest("The customer of a charge made by a PaymentIntent cannot be changed.")
	}
	c.p.setText("description", &ch.Description)
	c.p.setText("receipt_email", &ch.ReceiptEmail)
	c.p.setText("transfer_group", &ch.TransferGroup)
	c.p.setShipping(&ch.Shipping)
	ch.Metadata = c.p.mergeMetadata(ch.Metadata)
	if err := charges.Put(c.tx, ch); err != nil {
		return nil, err
	}
	return ch, c.emit("charge.updated", ch, before)
}

func listCharges(c *call) (any, error) {
	passes, index := c.p.createdFilter(), ""
	pi, cus, group := c.p.text("payment_intent"), c.p.text("customer"), c.p.text("transfer_group")
	if pi != "" {
		index = "payment_intent=" + pi
	} else if cus != "" {
		index = "customer=" + cus
	}
	return listPage(c, charges, index, func(o *charge) bool {
		return passes(o.Created) && (cus == "" || value(o.Customer) == cus) && (group == "" || value(o.TransferGroup) == group)
	})
}

func searchCharges(c *call) (any, error) {
	return searchPage(c, charges, nil, map[string]func(*charge) string{
		"status":   func(o *charge) string { return o.Status },
		"customer": func(o *charge) string { return value(o.Customer) },
		"currency": func(o *charge) string { return o.Currency },
		"refunded": func(o *charge) string { return strconv.FormatBool(o.Refunded) },
		"disputed": func(o *charge) string { return strconv.FormatBool(o.Disputed) },
	}, func(o *charge) (int64, map[string]string) { return o.Created, o.Metadata })
}
