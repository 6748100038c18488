package stripe

import (
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"talkoot.fi/sandbox/standin"
)

const (
	sessionOpen     = "open"
	sessionComplete = "complete"
	sessionExpired  = "expired"
)

func (o *storedSession) lineItemList() list {
	l := list{Object: "list", Data: make([]any, 0, len(o.Items)), URL: "/v1/checkout/sessions/" + o.ID + "/line_items"}
	for _, item := range o.Items {
		l.Data = append(l.Data, item)
	}
	return l
}

func sessionCalls() []endpoint {
	priceData := hash(fields{
		"currency": text().must(), "unit_amount": integer(), "unit_amount_decimal": text(), "product": text(),
		"product_data": hash(fields{
			"name": text().must(), "description": text(), "images": listOf(text()), "metadata": metadata(), "tax_code": text(),
		}),
		"tax_behavior": oneOf("exclusive", "inclusive", "unspecified"),
	})
	return []endpoint{
		{"POST /v1/checkout/sessions", fields{
			"mode": oneOf("payment", "setup", "subscription"), "success_url": text(), "cancel_url": text(),
			"client_reference_id": textMax(200), "customer": text(), "customer_email": text(),
			"customer_creation": oneOf("always", "if_required"), "expires_at": integer(), "locale": text(), "metadata": metadata(),
			"line_items": listOf(hash(fields{
				"price": text(), "price_data": priceData, "quantity": integer(),
				"adjustable_quantity": hash(fields{"enabled": boolean(), "maximum": integer(), "minimum": integer()}),
			})),
			"payment_intent_data": hash(fields{
				"capture_method": oneOf("automatic", "automatic_async", "manual"), "description": text(), "metadata": metadata(),
				"receipt_email": text(), "setup_future_usage": oneOf("off_session", "on_session"), "shipping": shippingFields(),
				"statement_descriptor": textMax(22), "statement_descriptor_suffix": textMax(22), "transfer_group": text(),
				"application_fee_amount": integer(), "on_behalf_of": text(),
				"transfer_data": hash(fields{"destination": text(), "amount": integer()}),
			}),
			"payment_method_types": listOf(text()), "payment_method_options": methodOptionFields(),
			"allow_promotion_codes": boolean(), "billing_address_collection": oneOf("auto", "required"),
			"phone_number_collection": hash(fields{"enabled": boolean()}),
			"submit_type":             oneOf("auto", "book", "donate", "pay"), "ui_mode": oneOf("hosted", "embedded"),
		}, false, createSession},
		{"GET /v1/checkout/sessions", listParams(fields{
			"payment_intent": text(), "customer": text(), "subscription": text(), "payment_link": text(),
			"status":           oneOf("open", "complete", "expired"),
			"customer_details": hash(fields{"email": text()}),
		}), false, listSessions},
		{"GET /v1/checkout/sessions/{id}", nil, false, getSession},
		{"POST /v1/checkout/sessions/{id}/expire", nil, false, expireSessionCall},
		{"GET /v1/checkout/sessions/{id}/line_items", fields{
			"limit": integer(), "starting_after": text(), "ending_before": text(),
		}, false, func(c *call) (any, error) {
			o, err := sessions.get(c.tx, c.id, "session")
			if err != nil {
				return nil, err
			}
			return o.lineItemList(), nil
		}},
	}
}

func createSession(c *call) (any, error) {
	p := c.p
	o := &storedSession{checkoutSession: checkoutSession{
		ID: c.newID("cs_test_a1"), Object: "checkout.session", Created: c.now, Mode: "payment", Status: sessionOpen,
		PaymentStatus: "unpaid", PaymentMethodTypes: []string{"card"}, PaymentMethodCollection: "if_required",
		CustomerCreation: optional("if_required"), CustomFields: []string{}, ShippingOptions: []string{},
		ExpiresAt: c.now + sessionMaxLifetime, UIMode: "hosted", Metadata: p.mergeMetadata(nil),
		InvoiceCreation: invoiceCreation{InvoiceData: invoiceData{Metadata: map[string]string{}}},
	}}
	if mode := p.text("mode"); mode != "payment" {
		if mode == "" {
			return nil, missingParam("mode")
		}
		return nil, invalidParam("mode", "", "The sandbox offers mode payment only.")
	}
	if p.text("ui_mode") == "embedded" {
		return nil, invalidParam("ui_mode", "", "The sandbox offers the hosted page only.")
	}
	if err := c.fillSession(o); err != nil {
		return nil, err
	}
	if err := c.fillItems(o); err != nil {
		return nil, err
	}
	c.fillIntentData(o)
	o.URL = optional(c.s.opts.PublicURL + "/c/pay/" + o.ID)
	if err := sessions.Put(c.tx, o); err != nil {
		return nil, err
	}
	return &o.checkoutSession, c.unit.Schedule(o.ExpiresAt, standin.Task{Act: actExpireSession, ID: o.ID})
}

// validEmail accepts ASCII only, which may be stricter than Stripe.
func validEmail(email string) bool {
	parsed, err := mail.ParseAddress(email)
	return err == nil && parsed.Address == email && !strings.ContainsFunc(email, func(r rune) bool { return r > unicode.MaxASCII })
}

func (c *call) fillSession(o *storedSession) error {
	p := c.p
	for _, name := range []string{"success_url", "cancel_url"} {
		if v := p.text(name); v != "" {
			if u, err := url.Parse(v); err != nil || u.Scheme == "" || u.Host == "" {
				return invalidParam(name, "url_invalid", "Not a valid URL")
			}
		}
	}
	if p.text("success_url") == "" {
		return missingParam("success_url")
	}
	p.setText("success_url", &o.SuccessURL)
	p.setText("cancel_url", &o.CancelURL)
	p.setText("client_reference_id", &o.ClientReferenceID)
	p.setText("customer", &o.Customer)
	p.setText("customer_email", &o.CustomerEmail)
	if email := value(o.CustomerEmail); email != "" && !validEmail(email) {
		return invalidParam("customer_email", "email_invalid", "Invalid email address: "+email)
	}
	p.setText("customer_creation", &o.CustomerCreation)
	p.setText("locale", &o.Locale)
	p.setText("billing_address_collection", &o.BillingAddressCollection)
	p.setText("submit_type", &o.SubmitType)
	o.PhoneNumberCollection.Enabled = p.sub("phone_number_collection").yes("enabled")
	o.PaymentMethodOptions.Card = nil
	if p.isHash("payment_method_options") {
		o.PaymentMethodOptions.Card = p.cardOptions(nil)
	}
	if o.Customer != nil {
		if o.CustomerEmail != nil {
			return invalidParam("customer_email", "", "You may only specify one of these parameters: customer, customer_email.")
		}
		if _, err := c.liveCustomer(*o.Customer, "customer"); err != nil {
			return err
		}
		o.CustomerCreation = nil
	}
	for _, t := range p.texts("payment_method_types") {
		if t != "card" {
			return invalidParam("payment_method_types", "", "The sandbox's account takes the payment method type card only.")
		}
	}
	if p.has("expires_at") {
		o.ExpiresAt = p.integer("expires_at")
		if life := o.ExpiresAt - c.now; life < sessionMinLifetime || life > sessionMaxLifetime {
			return invalidParam("expires_at", "", "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.")
		}
	}
	return nil
}

func (c *call) fillItems(o *storedSession) error {
	items := c.p.subs("line_items")
	if len(items) == 0 {
		return missingParam("line_items")
	}
	for i, p := range items {
		at := join("line_items", strconv.Itoa(i))
		if price := p.text("price"); price != "" {
			return missingResource("price", price, join(at, "price"))
		}
		data := p.sub("price_data")
		if !data.has("unit_amount") {
			return missingParam(join(join(at, "price_data"), "unit_amount"))
		}
		if !data.has("product_data") {
			return missingParam(join(join(at, "price_data"), "product_data"))
		}
		currency := strings.ToLower(data.text("currency"))
		if o.Currency != "" && o.Currency != currency {
			return invalidParam(join(join(at, "price_data"), "currency"), "", "All line items must have the same currency.")
		}
		o.Currency = currency
		unit, quantity := data.integer("unit_amount"), p.integer("quantity")
		if unit < 0 || unit > maxAmount || quantity < 1 || quantity > 999999 {
			return invalidParam(join(at, "quantity"), "parameter_invalid_integer", "Quantity and unit_amount must be positive and within Stripe's limits.")
		}
		total := unit * quantity
		o.Items = append(o.Items, lineItem{
			ID: c.newID("li_1"), Object: "item", AmountSubtotal: total, AmountTotal: total, Currency: currency,
			Description: data.sub("product_data").text("name"), Quantity: quantity,
			Price: lineItemPrice{
				ID: c.newID("price_1"), Object: "price", Created: c.now, Currency: currency, Metadata: map[string]string{},
				Product: c.newID("prod_"), Type: "one_time", UnitAmount: unit,
			},
		})
		o.AmountSubtotal += total
	}
	o.AmountTotal = o.AmountSubtotal
	return checkAmount(o.AmountTotal, o.Currency)
}

func (c *call) fillIntentData(o *storedSession) {
	p := c.p.sub("payment_intent_data")
	d := &o.IntentData
	d.CaptureMethod, d.Metadata = p.text("capture_method"), p.mergeMetadata(nil)
	p.setText("description", &d.Description)
	p.setText("receipt_email", &d.ReceiptEmail)
	p.setText("setup_future_usage", &d.SetupFutureUsage)
	p.setText("statement_descriptor", &d.StatementDescriptor)
	p.setText("statement_descriptor_suffix", &d.StatementDescriptorSuffix)
	p.setText("transfer_group", &d.TransferGroup)
	p.setShipping(&d.Shipping)
}

func getSession(c *call) (any, error) {
	o, err := sessions.get(c.tx, c.id, "session")
	if err != nil {
		return nil, err
	}
	return &o.checkoutSession, nil
}

func listSessions(c *call) (any, error) {
	passes, index := c.p.createdFilter(), ""
	if v := c.p.text("payment_intent"); v != "" {
		index = "payment_intent=" + v
	} else if v := c.p.text("customer"); v != "" {
		index = "customer=" + v
	}
	wanted, email := c.p.text("status"), c.p.sub("customer_details").text("email")
	out, err := listPage(c, sessions, index, func(o *storedSession) bool {
		return passes(o.Created) && (wanted == "" || o.Status == wanted) &&
			(email == "" || o.CustomerDetails != nil && value(o.CustomerDetails.Email) == email)
	})
	if err != nil {
		return nil, err
	}
	l := out.(list)
	for i, item := range l.Data {
		l.Data[i] = &item.(*storedSession).checkoutSession
	}
	return l, nil
}

func expireSessionCall(c *call) (any, error) {
	o, err := sessions.get(c.tx, c.id, "session")
	if err != nil {
		return nil, err
	}
	if o.Status != sessionOpen {
		return nil, badRequest("Only Checkout Sessions with a status in [\"open\"] can be expired. This Checkout Session has a status of " + o.Status + ".")
	}
	return &o.checkoutSession, c.expireSession(o)
}

// expireSession closes an open session; an intent it made is canceled with it.
func (c *call) expireSession(o *storedSession) error {
	o.Status, o.URL = sessionExpired, nil
	if err := sessions.Put(c.tx, o); err != nil {
		return err
	}
	if o.PaymentIntent != nil {
		pi, err := intents.get(c.tx, *o.PaymentIntent, "payment_intent")
		if err != nil {
			return err
		}
		if pi.permits(moveCancel) == nil {
			if err := c.cancelIntent(pi, "abandoned"); err != nil {
				return err
			}
		}
	}
	return c.emit("checkout.session.expired", &o.checkoutSession, nil)
}
