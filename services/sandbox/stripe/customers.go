package stripe

import "strings"

func addressFields() fields {
	return fields{
		"city": text(), "country": text(), "line1": text(), "line2": text(), "postal_code": text(), "state": text(),
	}
}

func shippingFields() field {
	return hash(fields{
		"address": hash(addressFields()).must(), "name": text().must(), "phone": text(),
		"carrier": text(), "tracking_number": text(),
	})
}

func (p *params) address() *address {
	out := &address{}
	p.fillAddress(out)
	return out
}

func (p *params) fillAddress(a *address) {
	p.setText("city", &a.City)
	p.setText("country", &a.Country)
	p.setText("line1", &a.Line1)
	p.setText("line2", &a.Line2)
	p.setText("postal_code", &a.PostalCode)
	p.setText("state", &a.State)
}

// setShipping puts shipping[…] when it was sent; shipping= unsets it.
func (p *params) setShipping(dst **shippingDetails) {
	if !p.has("shipping") {
		return
	}
	if *dst = nil; p.isHash("shipping") {
		sh := p.sub("shipping")
		*dst = &shippingDetails{Address: sh.sub("address").address()}
		sh.setText("name", &(*dst).Name)
		sh.setText("phone", &(*dst).Phone)
		sh.setText("carrier", &(*dst).Carrier)
		sh.setText("tracking_number", &(*dst).TrackingNumber)
	}
}

func customerFields() fields {
	return fields{
		"address": hash(addressFields()), "balance": integer(), "description": text(), "email": textMax(512),
		"invoice_prefix": text(), "invoice_settings": hash(fields{"default_payment_method": text(), "footer": text()}),
		"metadata": metadata(), "name": textMax(256), "next_invoice_sequence": integer(), "phone": text(),
		"preferred_locales": listOf(text()), "shipping": shippingFields(), "tax_exempt": oneOf("none", "exempt", "reverse"),
	}
}

func customerCalls() []endpoint {
	return []endpoint{
		{"POST /v1/customers", customerFields().with(fields{"payment_method": text()}), false, createCustomer},
		{"GET /v1/customers", listParams(fields{"email": text()}), false, listCustomers},
		{"GET /v1/customers/search", searchParams(), false, searchCustomers},
		{"GET /v1/customers/{id}", nil, false, getCustomer},
		{"POST /v1/customers/{id}", customerFields(), false, updateCustomer},
		{"DELETE /v1/customers/{id}", nil, false, deleteCustomer},
		{"GET /v1/customers/{id}/payment_methods", listParams(fields{"type": text()}), false, listCustomerMethods},
		{"GET /v1/customers/{id}/payment_methods/{second}", nil, false, getCustomerMethod},
	}
}

func createCustomer(c *call) (any, error) {
	cus := &customer{
		ID: c.newID("cus_"), Object: "customer", Created: c.now, InvoicePrefix: strings.ToUpper(c.randomText(8)),
		NextInvoiceSequence: 1, PreferredLocales: []string{}, TaxExempt: "none", Metadata: map[string]string{},
	}
	if err := c.fillCustomer(cus); err != nil {
		return nil, err
	}
	if err := customers.Put(c.tx, cus); err != nil {
		return nil, err
	}
	if id := c.p.text("payment_method"); id != "" {
		pm, err := c.method(id, "payment_method")
		if err != nil {
			return nil, err
		}
		if err := c.attach(pm, cus.ID); err != nil {
			return nil, err
		}
	}
	return cus, c.emit("customer.created", cus, nil)
}

func (c *call) fillCustomer(cus *customer) error {
	p := c.p
	if email := p.text("email"); email != "" && !strings.Contains(email, "@") {
		return invalidParam("email", "email_invalid", "Invalid email address: "+email)
	}
	if p.has("address") {
		if cus.Address = nil; p.isHash("address") {
			cus.Address = p.sub("address").address()
		}
	}
	if p.has("balance") {
		cus.Balance = p.integer("balance")
	}
	p.setText("description", &cus.Description)
	p.setText("email", &cus.Email)
	p.setText("name", &cus.Name)
	p.setText("phone", &cus.Phone)
	p.setShipping(&cus.Shipping)
	if v := p.text("invoice_prefix"); v != "" {
		cus.InvoicePrefix = v
	}
	if v := p.integer("next_invoice_sequence"); v > 0 {
		cus.NextInvoiceSequence = v
	}
	if p.has("preferred_locales") {
		cus.PreferredLocales = append([]string{}, p.texts("preferred_locales")...)
	}
	if v := p.text("tax_exempt"); v != "" {
		cus.TaxExempt = v
	}
	settings := p.sub("invoice_settings")
	settings.setText("footer", &cus.InvoiceSettings.Footer)
	if id := settings.text("default_payment_method"); id != "" {
		pm, err := methods.get(c.tx, id, "invoice_settings[default_payment_method]")
		if err != nil {
			return err
		}
		if value(pm.Customer) != cus.ID {
			return invalidParam("invoice_settings[default_payment_method]", "", "The customer does not have a payment method with the ID "+id+".")
		}
	}
	settings.setText("default_payment_method", &cus.InvoiceSettings.DefaultPaymentMethod)
	cus.Metadata = p.mergeMetadata(cus.Metadata)
	return nil
}

// liveCustomer returns a customer that exists and is not deleted.
func (c *call) liveCustomer(id, param string) (*customer, error) {
	cus, err := customers.get(c.tx, id, param)
	if err == nil && cus.Deleted {
		return nil, missingResource(customers.noun, id, param)
	}
	return cus, err
}

func getCustomer(c *call) (any, error) {
	cus, err := customers.get(c.tx, c.id, "id")
	if err == nil && cus.Deleted {
		return deletedObject{ID: cus.ID, Object: "customer", Deleted: true}, nil
	}
	return cus, err
}

func updateCustomer(c *call) (any, error) {
	cus, err := c.liveCustomer(c.id, "id")
	if err != nil {
		return nil, err
	}
	before, err := snapshot(cus)
	if err != nil {
		return nil, err
	}
	if err := c.fillCustomer(cus); err != nil {
		return nil, err
	}
	if err := customers.Put(c.tx, cus); err != nil {
		return nil, err
	}
	return cus, c.emit("customer.updated", cus, before)
}

func deleteCustomer(c *call) (any, error) {
	cus, err := c.liveCustomer(c.id, "id")
	if err != nil {
		return nil, err
	}
	held, _, err := methods.page(c.tx, pageQuery{limit: 1000, index: "customer=" + cus.ID}, nil)
	if err != nil {
		return nil, err
	}
	for _, pm := range held {
		if err := c.detach(pm); err != nil {
			return nil, err
		}
	}
	if err := c.emit("customer.deleted", cus, nil); err != nil {
		return nil, err
	}
	// What is kept is only what a later retrieve shows; personal data goes.
	err = customers.Put(c.tx, &customer{
		ID: cus.ID, Object: "customer", Created: cus.Created, Deleted: true,
		Metadata: map[string]string{}, PreferredLocales: []string{}, TaxExempt: "none",
	})
	return deletedObject{ID: cus.ID, Object: "customer", Deleted: true}, err
}

func listCustomers(c *call) (any, error) {
	passes, index := c.p.createdFilter(), ""
	if email := c.p.text("email"); email != "" {
		index = "email=" + email
	}
	return listPage(c, customers, index, func(o *customer) bool { return !o.Deleted && passes(o.Created) })
}

func searchCustomers(c *call) (any, error) {
	return searchPage(c, customers, func(o *customer) bool { return !o.Deleted }, map[string]func(*customer) string{
		"email": func(o *customer) string { return value(o.Email) },
		"name":  func(o *customer) string { return value(o.Name) },
		"phone": func(o *customer) string { return value(o.Phone) },
	}, func(o *customer) (int64, map[string]string) { return o.Created, o.Metadata })
}
