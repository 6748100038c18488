package stripe

import (
	"strings"
)

// payment is what a payer sent from the hosted page.
type payment struct {
	name, email, number, month, year, cvc string
}

// submitPayment makes or reuses the session's intent and confirms it with the card. The returned
// intent tells where the browser goes next; a 402 means the payer may try again.
func (c *call) submitPayment(sessionID string, pay payment) (*storedSession, *paymentIntent, error) {
	o, err := sessions.get(c.tx, sessionID, "session")
	if err != nil {
		return nil, nil, err
	}
	if o.Status != sessionOpen {
		return o, nil, badRequest("This Checkout Session is no longer open.")
	}
	if o.CustomerEmail != nil {
		pay.email = *o.CustomerEmail // what the page shows and does not let change
	}
	// The card comes through the same rules as the API's payment_method_data.
	form := &node{}
	form.set([]string{"type"}, "card")
	for name, v := range map[string]string{"number": pay.number, "exp_month": pay.month, "exp_year": pay.year, "cvc": pay.cvc} {
		form.set([]string{"card", name}, v)
	}
	form.set([]string{"billing_details", "name"}, pay.name)
	form.set([]string{"billing_details", "email"}, pay.email)
	p, refused := checkParams(form, methodDataFields())
	if refused != nil {
		return o, nil, refused
	}
	pm, err := c.newMethod(p, "")
	if err != nil {
		return o, nil, undo(err)
	}
	pi, err := c.sessionIntent(o)
	if err != nil {
		return o, nil, err
	}
	o.CustomerDetails = &customerDetails{
		Address: &address{}, Email: optional(pay.email), Name: optional(pay.name), TaxExempt: "none", TaxIDs: []string{},
	}
	if err := c.sessionCustomer(o, pi, pay); err != nil {
		return o, nil, err
	}
	if err := sessions.Put(c.tx, o); err != nil {
		return nil, nil, err
	}
	pi.PaymentMethod = &pm.ID
	err = c.confirm(pi, confirmation{returnURL: c.s.opts.PublicURL + "/c/return/" + o.ID})
	return o, pi, err
}

// undo turns a card error into one that keeps nothing.
func undo(err error) error {
	if e, isAPI := err.(*apiError); isAPI { //nolint:errorlint // made by newMethod, never wrapped
		e.commits = false
	}
	return err
}

func (c *call) sessionIntent(o *storedSession) (*paymentIntent, error) {
	if o.PaymentIntent != nil {
		return intents.get(c.tx, *o.PaymentIntent, "payment_intent")
	}
	pi, d := c.newIntent(), o.IntentData
	pi.Amount, pi.Currency, pi.Customer = o.AmountTotal, o.Currency, o.Customer
	pi.Metadata, pi.Description, pi.ReceiptEmail = d.Metadata, d.Description, d.ReceiptEmail
	pi.SetupFutureUsage, pi.Shipping, pi.TransferGroup = d.SetupFutureUsage, d.Shipping, d.TransferGroup
	pi.StatementDescriptor, pi.StatementDescriptorSuffix = d.StatementDescriptor, d.StatementDescriptorSuffix
	if d.CaptureMethod != "" {
		pi.CaptureMethod = d.CaptureMethod
	}
	if o.PaymentMethodOptions.Card != nil {
		pi.PaymentMethodOptions = o.PaymentMethodOptions
	}
	o.PaymentIntent = &pi.ID
	if err := intents.Put(c.tx, pi); err != nil {
		return nil, err
	}
	return pi, c.emit("payment_intent.created", pi, nil)
}

// sessionCustomer makes a customer when the session asks for one or the method is to be kept.
func (c *call) sessionCustomer(o *storedSession, pi *paymentIntent, pay payment) error {
	wanted := value(o.CustomerCreation) == "always" || pi.SetupFutureUsage != nil
	if o.Customer != nil || !wanted {
		return nil
	}
	cus := &customer{
		ID: c.newID("cus_"), Object: "customer", Created: c.now, Email: optional(pay.email), Name: optional(pay.name),
		InvoicePrefix: strings.ToUpper(c.randomText(8)), NextInvoiceSequence: 1, PreferredLocales: []string{},
		TaxExempt: "none", Metadata: map[string]string{},
	}
	o.Customer, pi.Customer = &cus.ID, &cus.ID
	if err := customers.Put(c.tx, cus); err != nil {
		return err
	}
	return c.emit("customer.created", cus, nil)
}

// completeSessionOf closes the session that made this intent, if one did.
func (c *call) completeSessionOf(pi *paymentIntent) error {
	found, _, err := sessions.page(c.tx, pageQuery{limit: 1, index: "payment_intent=" + pi.ID}, nil)
	if err != nil || len(found) == 0 || found[0].Status != sessionOpen {
		return err
	}
	o := found[0]
	o.Status, o.URL = sessionComplete, nil
	if pi.Status == statusSucceeded {
		o.PaymentStatus = "paid"
	}
	if err := sessions.Put(c.tx, o); err != nil {
		return err
	}
	return c.emit("checkout.session.completed", &o.checkoutSession, nil)
}

// successAddress is where a payer goes after paying.
func (o *storedSession) successAddress() string {
	return strings.ReplaceAll(value(o.SuccessURL), "{CHECKOUT_SESSION_ID}", o.ID)
}
