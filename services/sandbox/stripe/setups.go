package stripe

import (
	"crypto/subtle"
	"net/http"
	"slices"

	"talkoot.fi/sandbox/standin"
)

func setupCalls() []endpoint {
	client := clientFields()
	shared := fields{
		"customer": text(), "description": text(), "flow_directions": listOf(oneOf("inbound", "outbound")), "metadata": metadata(),
		"payment_method": text(), "payment_method_configuration": text(), "payment_method_data": hash(methodDataFields()),
		"payment_method_options": setupOptionFields(), "payment_method_types": listOf(text()),
	}
	return []endpoint{
		{"POST /v1/setup_intents", shared.with(fields{
			"automatic_payment_methods": hash(fields{"enabled": boolean().must(), "allow_redirects": oneOf("always", "never")}),
			"confirm":                   boolean(), "mandate_data": mandateFields(), "on_behalf_of": text(), "return_url": text(),
			"usage": oneOf("off_session", "on_session"), "use_stripe_sdk": boolean(),
		}), false, createSetup},
		{"GET /v1/setup_intents", listParams(fields{"customer": text(), "payment_method": text()}), false, listSetups},
		{"GET /v1/setup_intents/{id}", client, true, getSetup},
		{"POST /v1/setup_intents/{id}", shared, false, updateSetup},
		{"POST /v1/setup_intents/{id}/confirm", fields{
			"mandate_data": mandateFields(), "payment_method": text(), "payment_method_data": hash(methodDataFields().with(client)),
			"payment_method_options": setupOptionFields(), "return_url": text(), "use_stripe_sdk": boolean(),
		}.with(client), true, confirmSetup},
		{"POST /v1/setup_intents/{id}/cancel", fields{
			"cancellation_reason": oneOf("abandoned", "requested_by_customer", "duplicate"),
		}, false, cancelSetup},
		{"GET /v1/mandates/{id}", nil, false, getMandate},
	}
}

func setupOptionFields() field {
	return hash(fields{"card": hash(fields{
		"moto": boolean(), "network": text(), "request_three_d_secure": oneOf("any", "automatic", "challenge"),
	})})
}

func createSetup(c *call) (any, error) {
	p := c.p
	si := &setupIntent{
		ID: c.newID("seti_1"), Object: "setup_intent", Created: c.now, Status: statusRequiresMethod,
		PaymentMethodTypes: []string{"card"}, Usage: "off_session", Metadata: map[string]string{},
		PaymentMethodOptions: setupOptions{Card: &setupCardOptions{RequestThreeDSecure: automaticMethod}},
	}
	si.ClientSecret = si.ID + "_secret_" + c.randomText(24)
	if v := p.text("usage"); v != "" {
		si.Usage = v
	}
	switch auto := p.sub("automatic_payment_methods"); {
	case !p.has("payment_method_types") && (!p.has("automatic_payment_methods") || auto.yes("enabled")):
		si.AutomaticPaymentMethods = &automaticMethods{Enabled: true, AllowRedirects: "always"}
		if v := auto.text("allow_redirects"); v != "" {
			si.AutomaticPaymentMethods.AllowRedirects = v
		}
	case auto.yes("enabled"):
		return nil, invalidParam("payment_method_types", "", "You may only specify one of these parameters: automatic_payment_methods, payment_method_types.")
	}
	if v := p.text("on_behalf_of"); v != "" {
		return nil, missingResource("account", v, "on_behalf_of")
	}
	if !p.yes("confirm") {
		for _, name := range []string{"mandate_data", "return_url"} {
			if p.text(name) != "" || p.isHash(name) {
				return nil, invalidParam(name, "", "The parameter "+name+" cannot be passed when creating a SetupIntent unless confirm is set to true.")
			}
		}
	}
	if err := c.fillSetup(si); err != nil {
		return nil, err
	}
	if err := setups.Put(c.tx, si); err != nil {
		return nil, err
	}
	if err := c.emit("setup_intent.created", si, nil); err != nil {
		return nil, err
	}
	if p.yes("confirm") {
		return si, c.confirmSetup(si, c.confirmation())
	}
	if si.PaymentMethod != nil {
		return si, c.moveSetup(si, setupGiveMethod)
	}
	return si, nil
}

// fillSetup applies what create, update and confirm have in common.
func (c *call) fillSetup(si *setupIntent) error {
	p := c.p
	if v := p.text("customer"); v != "" {
		if _, err := c.liveCustomer(v, "customer"); err != nil {
			return err
		}
	}
	p.setText("customer", &si.Customer)
	p.setText("description", &si.Description)
	if v := p.text("payment_method_configuration"); v != "" {
		return missingResource("payment_method_configuration", v, "payment_method_configuration")
	}
	if p.has("payment_method_types") {
		types := p.texts("payment_method_types")
		if len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return t != "card" }) {
			return invalidParam("payment_method_types", "setup_intent_invalid_parameter", "The sandbox's account takes the payment method type card only.")
		}
		si.PaymentMethodTypes, si.AutomaticPaymentMethods = types, nil
	}
	if p.has("flow_directions") {
		si.FlowDirections = p.texts("flow_directions")
	}
	card := p.sub("payment_method_options").sub("card")
	card.setText("network", &si.PaymentMethodOptions.Card.Network)
	if v := card.text("request_three_d_secure"); v != "" {
		si.PaymentMethodOptions.Card.RequestThreeDSecure = v
	}
	si.Metadata = p.mergeMetadata(si.Metadata)
	return c.chooseMethod(&si.PaymentMethod, si.Customer, "SetupIntent")
}

// setup returns the setup intent of the path; a publishable key must name its client_secret.
func (c *call) setup() (*setupIntent, error) {
	si, err := setups.get(c.tx, c.id, "intent")
	if err != nil {
		return nil, err
	}
	given := c.p.text("client_secret")
	if c.clientKey && given == "" {
		return nil, missingParam("client_secret")
	}
	if given != "" && subtle.ConstantTimeCompare([]byte(given), []byte(si.ClientSecret)) != 1 {
		return nil, invalidParam("client_secret", "setup_intent_invalid_parameter", "The client_secret provided does not match the client_secret associated with the SetupIntent.")
	}
	return si, nil
}

func getSetup(c *call) (any, error) { return c.setup() }

func updateSetup(c *call) (any, error) {
	si, err := c.setup()
	if err != nil {
		return nil, err
	}
	if err := si.permits(setupGiveMethod); err != nil {
		return nil, err
	}
	had := value(si.PaymentMethod)
	if err := c.fillSetup(si); err != nil {
		return nil, err
	}
	switch now := value(si.PaymentMethod); {
	case now != "" && now != had:
		return si, c.moveSetup(si, setupGiveMethod)
	case now == "":
		si.Status, si.NextAction = statusRequiresMethod, nil
	}
	return si, setups.Put(c.tx, si)
}

func confirmSetup(c *call) (any, error) {
	si, err := c.setup()
	if err != nil {
		return nil, err
	}
	if err := si.permits(setupSucceed); err != nil {
		return nil, err
	}
	if err := c.fillSetup(si); err != nil {
		return nil, err
	}
	return si, c.confirmSetup(si, c.confirmation())
}

// confirmSetup makes a method ready for later charges, after its holder's challenge where the card asks for one. On a
// decline it returns a 402 that commits.
func (c *call) confirmSetup(si *setupIntent, k confirmation) error {
	if si.PaymentMethod == nil {
		return si.unexpected("You cannot confirm this SetupIntent because it's missing a payment method. Update the SetupIntent with a payment method and then confirm it again.")
	}
	if err := k.checkReturn(si.AutomaticPaymentMethods, "SetupIntent"); err != nil {
		return err
	}
	pm, err := methods.get(c.tx, *si.PaymentMethod, "payment_method")
	if err != nil {
		return err
	}
	card, record, err := c.cardOf(pm)
	if err != nil {
		return err
	}
	if c.p.isHash("mandate_data") {
		if err := c.addMandate(si, pm); err != nil {
			return err
		}
	}
	asked := si.PaymentMethodOptions.Card.RequestThreeDSecure
	if card.needsChallenge(false, record.SetUp) || asked == "any" || asked == "challenge" {
		action, err := c.startChallenge(si.ID, pm, k)
		if err != nil {
			return err
		}
		si.NextAction = action
		return c.moveSetup(si, setupChallenge)
	}
	return c.finishSetup(si, pm, false)
}

// finishSetup keeps the method for later, or declines. passed tells that the holder has just passed 3-D Secure.
func (c *call) finishSetup(si *setupIntent, pm *paymentMethod, passed bool) error {
	card, record, err := c.cardOf(pm)
	if err != nil {
		return err
	}
	if card.decline != nil && !card.attaches || pm.isExpired(c.now) {
		reason := card.decline
		if reason == nil {
			reason = expiredCard()
		}
		e := cardError(reason.code, reason.declineCode, reason.message)
		e.body.PaymentMethod = pm
		last := e.body
		si.LastSetupError = &last
		if err := c.moveSetup(si, setupFail); err != nil {
			return err
		}
		e.body.SetupIntent = si
		return e
	}
	if si.Customer != nil {
		if err := c.attach(pm, *si.Customer); err != nil {
			return err
		}
	}
	record.SetUp = record.SetUp || passed && si.Usage == "off_session"
	if err := standin.PutJSON(c.tx, bucketCards, pm.ID, record); err != nil {
		return err
	}
	return c.moveSetup(si, setupSucceed)
}

func cancelSetup(c *call) (any, error) {
	si, err := c.setup()
	if err != nil {
		return nil, err
	}
	if err := si.permits(setupCancel); err != nil {
		return nil, err
	}
	si.CancellationReason = optional(c.p.text("cancellation_reason"))
	return si, c.moveSetup(si, setupCancel)
}

func listSetups(c *call) (any, error) {
	passes, index := c.p.createdFilter(), ""
	if id := c.p.text("customer"); id != "" {
		index = "customer=" + id
	}
	method := c.p.text("payment_method")
	return listPage(c, setups, index, func(o *setupIntent) bool {
		return passes(o.Created) && (method == "" || value(o.PaymentMethod) == method)
	})
}

// addMandate writes down that the holder agrees to later charges, from mandate_data.
func (c *call) addMandate(si *setupIntent, pm *paymentMethod) error {
	given := c.p.sub("mandate_data").sub("customer_acceptance")
	at := c.now
	if given.has("accepted_at") {
		at = given.integer("accepted_at")
	}
	m := &mandate{
		ID: c.newID("mandate_1"), Object: "mandate", PaymentMethod: pm.ID, Status: "active", Type: "multi_use", Created: c.now,
		CustomerAcceptance:   customerAcceptance{AcceptedAt: &at, Type: given.text("type")},
		PaymentMethodDetails: mandateDetails{Type: pm.Type},
	}
	switch m.CustomerAcceptance.Type {
	case "online":
		online := given.sub("online")
		if online.text("ip_address") == "" || online.text("user_agent") == "" {
			return missingParam("mandate_data[customer_acceptance][online]")
		}
		m.CustomerAcceptance.Online = &onlineAcceptance{optional(online.text("ip_address")), optional(online.text("user_agent"))}
	case "offline":
		m.CustomerAcceptance.Offline = &struct{}{}
	}
	si.Mandate = &m.ID
	return mandates.Put(c.tx, m)
}

// endMandates makes a detached method's mandates inactive.
func (c *call) endMandates(pm *paymentMethod) error {
	held, _, err := mandates.page(c.tx, pageQuery{limit: 100, index: "payment_method=" + pm.ID}, nil)
	if err != nil {
		return err
	}
	for _, m := range held {
		if m.Status != "active" {
			continue
		}
		before, err := snapshot(m)
		if err != nil {
			return err
		}
		m.Status = "inactive"
		if err := mandates.Put(c.tx, m); err != nil {
			return err
		}
		if err := c.emit("mandate.updated", m, before); err != nil {
			return err
		}
	}
	return nil
}

func getMandate(c *call) (any, error) {
	m, err := mandates.Find(c.tx, c.id)
	if err == nil && m == nil {
		return nil, missingResource(mandates.noun, c.id, "mandate")
	}
	return m, err
}

// setupFailure is last_setup_error after a challenge that was not passed.
func setupFailure(pm *paymentMethod) *errorBody {
	e := invalidRequest(http.StatusBadRequest, "setup_intent_authentication_failure",
		"The latest attempt to set up the payment method has failed because authentication failed.")
	e.body.PaymentMethod = pm
	return &e.body
}
