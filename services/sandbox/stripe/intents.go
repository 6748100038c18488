package stripe

import (
	"crypto/subtle"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

const (
	maxAmount       = 99999999
	automaticMethod = "automatic"
	manualMethod    = "manual"
)

// minimumAmounts are Stripe's smallest charges, in minor units, of the currencies taken.
func minimumAmounts() map[string]int64 {
	return map[string]int64{"eur": 50, "usd": 50, "gbp": 30, "sek": 300, "nok": 300, "dkk": 250, "chf": 50, "pln": 200}
}

func checkAmount(amount int64, currency string) error {
	lowest, known := minimumAmounts()[currency]
	switch {
	case !known:
		return invalidParam("currency", "", "Invalid currency: "+currency+". The sandbox takes eur, usd, gbp, sek, nok, dkk, chf and pln.")
	case amount < 0:
		return invalidParam("amount", "parameter_invalid_integer", "This value must be greater than or equal to 1.")
	case amount < lowest:
		return invalidParam("amount", "amount_too_small", "Amount must be no less than the currency's minimum charge.")
	case amount > maxAmount:
		return invalidParam("amount", "amount_too_large", "Amount must be no more than 999,999.99.")
	}
	return nil
}

func (c *call) newIntent() *paymentIntent {
	pi := &paymentIntent{
		ID: c.newID("pi_3"), Object: "payment_intent", Created: c.now, Status: statusRequiresMethod,
		CaptureMethod: automaticMethod, ConfirmationMethod: automaticMethod, PaymentMethodTypes: []string{"card"},
		PaymentMethodOptions: methodOptions{Card: &cardOptions{RequestThreeDSecure: automaticMethod}},
		Metadata:             map[string]string{},
	}
	pi.ClientSecret = pi.ID + "_secret_" + c.randomText(24)
	return pi
}

func createIntent(c *call) (any, error) {
	p := c.p
	pi := c.newIntent()
	if v := p.text("confirmation_method"); v != "" {
		pi.ConfirmationMethod = v
	}
	if !p.has("payment_method_types") && (!p.has("automatic_payment_methods") || p.sub("automatic_payment_methods").yes("enabled")) {
		pi.AutomaticPaymentMethods = &automaticMethods{Enabled: true, AllowRedirects: "always"}
		if v := p.sub("automatic_payment_methods").text("allow_redirects"); v != "" {
			pi.AutomaticPaymentMethods.AllowRedirects = v
		}
	} else if p.sub("automatic_payment_methods").yes("enabled") {
		return nil, invalidParam("payment_method_types", "", "You may only specify one of these parameters: automatic_payment_methods, payment_method_types.")
	}
	if v := p.text("on_behalf_of"); v != "" {
		return nil, missingResource("account", v, "on_behalf_of")
	}
	if err := c.confirmOnly(); err != nil {
		return nil, err
	}
	if err := c.fillIntent(pi); err != nil {
		return nil, err
	}
	if err := intents.Put(c.tx, pi); err != nil {
		return nil, err
	}
	if err := c.emit("payment_intent.created", pi, nil); err != nil {
		return nil, err
	}
	if p.yes("confirm") {
		return pi, c.confirm(pi, c.confirmation())
	}
	if pi.PaymentMethod != nil {
		return pi, c.moveIntent(pi, moveGiveMethod)
	}
	return pi, nil
}

// confirmOnly refuses parameters that mean nothing without confirm=true.
func (c *call) confirmOnly() error {
	if c.p.yes("confirm") {
		return nil
	}
	for _, name := range []string{"off_session", "return_url", "mandate", "mandate_data", "error_on_requires_action"} {
		if c.p.text(name) != "" && c.p.text(name) != "false" || c.p.isHash(name) {
			return invalidParam(name, "", "The parameter "+name+" cannot be passed when creating a PaymentIntent unless confirm is set to true.")
		}
	}
	return nil
}

// fillIntent applies what create, update and confirm have in common.
func (c *call) fillIntent(pi *paymentIntent) error {
	p := c.p
	if v := p.text("currency"); v != "" {
		pi.Currency = strings.ToLower(v)
	}
	if p.has("amount") {
		pi.Amount = p.integer("amount")
	}
	if err := checkAmount(pi.Amount, pi.Currency); err != nil {
		return err
	}
	if err := c.refuseConnect(); err != nil {
		return err
	}
	if v := p.text("customer"); v != "" {
		if _, err := c.liveCustomer(v, "customer"); err != nil {
			return err
		}
	}
	p.setText("customer", &pi.Customer)
	p.setText("description", &pi.Description)
	p.setText("receipt_email", &pi.ReceiptEmail)
	p.setText("setup_future_usage", &pi.SetupFutureUsage)
	p.setText("statement_descriptor", &pi.StatementDescriptor)
	p.setText("statement_descriptor_suffix", &pi.StatementDescriptorSuffix)
	p.setText("transfer_group", &pi.TransferGroup)
	p.setShipping(&pi.Shipping)
	if v := p.text("capture_method"); v != "" {
		pi.CaptureMethod = v
	}
	if p.has("payment_method_types") {
		types := p.texts("payment_method_types")
		if len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return t != "card" }) {
			return invalidParam("payment_method_types", "payment_intent_invalid_parameter", "The sandbox's account takes the payment method type card only.")
		}
		pi.PaymentMethodTypes, pi.AutomaticPaymentMethods = types, nil
	}
	pi.PaymentMethodOptions.Card = p.cardOptions(pi.PaymentMethodOptions.Card)
	pi.Metadata = p.mergeMetadata(pi.Metadata)
	return c.chooseMethod(&pi.PaymentMethod, pi.Customer, "PaymentIntent")
}

// refuseConnect answers parameters that need connected accounts.
func (c *call) refuseConnect() error {
	if v := c.p.sub("transfer_data").text("destination"); v != "" {
		return invalidParam("transfer_data[destination]", "resource_missing", "No such destination: '"+v+"'")
	}
	if c.p.text("application_fee_amount") != "" {
		return invalidParam("application_fee_amount", "", "Can only apply an application_fee_amount when the PaymentIntent is attempting a direct payment or has a destination.")
	}
	if v := c.p.text("payment_method_configuration"); v != "" {
		return missingResource("payment_method_configuration", v, "payment_method_configuration")
	}
	return nil
}

func (p *params) cardOptions(old *cardOptions) *cardOptions {
	out := &cardOptions{RequestThreeDSecure: automaticMethod}
	if old != nil {
		*out = *old
	}
	card := p.sub("payment_method_options").sub("card")
	card.setText("network", &out.Network)
	for name, dst := range map[string]*string{
		"request_three_d_secure": &out.RequestThreeDSecure, "setup_future_usage": &out.SetupFutureUsage,
		"capture_method": &out.CaptureMethod, "statement_descriptor_suffix_kana": &out.StatementSuffixKana,
		"statement_descriptor_suffix_kanji": &out.StatementSuffixKanji,
	} {
		if v := card.text(name); v != "" {
			*dst = v
		}
	}
	return out
}

// chooseMethod sets *chosen from payment_method, or makes a method from payment_method_data; noun is the intent's in
// errors.
func (c *call) chooseMethod(chosen **string, customer *string, noun string) error {
	var pm *paymentMethod
	var err error
	switch {
	case c.p.text("payment_method") != "":
		pm, err = c.method(c.p.text("payment_method"), "payment_method")
	case c.p.isHash("payment_method_data"):
		pm, err = c.newMethod(c.p.sub("payment_method_data"), "payment_method_data")
	case c.p.has("payment_method"):
		*chosen = nil
		return nil
	default:
		return nil
	}
	if err != nil {
		return err
	}
	if owner := value(pm.Customer); owner != "" && owner != value(customer) {
		return invalidParam("payment_method", "", "The provided PaymentMethod belongs to Customer "+owner+". Please include that Customer in the `customer` parameter on the "+noun+".")
	}
	_, record, err := c.cardOf(pm)
	if err != nil {
		return err
	}
	if record.Consumed && pm.Customer == nil {
		return invalidParam("payment_method", "", "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again.")
	}
	*chosen = &pm.ID
	return nil
}

// intent returns the intent of the path; a publishable key must name its client_secret.
func (c *call) intent() (*paymentIntent, error) {
	pi, err := intents.get(c.tx, c.id, "intent")
	if err != nil {
		return nil, err
	}
	given := c.p.text("client_secret")
	if c.clientKey && given == "" {
		return nil, missingParam("client_secret")
	}
	if given != "" && subtle.ConstantTimeCompare([]byte(given), []byte(pi.ClientSecret)) != 1 {
		return nil, invalidParam("client_secret", "payment_intent_invalid_parameter", "The client_secret provided does not match the client_secret associated with the PaymentIntent.")
	}
	return pi, nil
}

func getIntent(c *call) (any, error) { return c.intent() }

func updateIntent(c *call) (any, error) {
	pi, err := c.intent()
	if err != nil {
		return nil, err
	}
	frozen := pi.Status == statusSucceeded || pi.Status == statusCanceled || pi.Status == statusRequiresCapture || pi.Status == statusProcessing
	if frozen {
		for _, name := range c.p.n.order {
			if !slices.Contains([]string{"description", "metadata", "receipt_email", "shipping", "transfer_group", "expand"}, name) {
				return nil, pi.unexpected("This PaymentIntent's " + name + " could not be updated because it has a status of " + string(pi.Status) + ".")
			}
		}
	}
	had := value(pi.PaymentMethod)
	if err := c.fillIntent(pi); err != nil {
		return nil, err
	}
	switch {
	case frozen || value(pi.PaymentMethod) == had && pi.Status != statusRequiresAction:
	case pi.PaymentMethod != nil && (c.p.has("payment_method") || c.p.has("payment_method_data") || c.p.has("amount")):
		return pi, c.moveIntent(pi, moveGiveMethod)
	case pi.PaymentMethod == nil:
		pi.Status, pi.NextAction = statusRequiresMethod, nil
	}
	return pi, intents.Put(c.tx, pi)
}

func confirmIntent(c *call) (any, error) {
	pi, err := c.intent()
	if err != nil {
		return nil, err
	}
	if err := pi.permits(moveSucceed); err != nil {
		return nil, err
	}
	if c.clientKey && pi.ConfirmationMethod == manualMethod {
		return nil, pi.unexpected("This PaymentIntent cannot be confirmed with a publishable key because its confirmation_method is manual.")
	}
	if pi.Status == statusProcessing {
		return nil, pi.permits(moveChallenge)
	}
	if err := c.fillIntent(pi); err != nil {
		return nil, err
	}
	return pi, c.confirm(pi, c.confirmation())
}

// confirmation is how a confirm was asked for.
type confirmation struct {
	offSession    bool
	returnURL     string
	useSDK        bool
	errorOnAction bool
	server        bool // made with a secret key
}

func (c *call) confirmation() confirmation {
	off := c.p.text("off_session")
	return confirmation{
		offSession: off != "" && off != "false", returnURL: c.p.text("return_url"), useSDK: c.p.yes("use_stripe_sdk"),
		errorOnAction: c.p.yes("error_on_requires_action"), server: !c.clientKey,
	}
}

// checkReturn checks where a redirected browser shall go back to; noun is the intent's in errors.
func (k confirmation) checkReturn(auto *automaticMethods, noun string) error {
	if k.returnURL != "" {
		u, err := url.Parse(k.returnURL)
		if err != nil || u.Scheme == "" || u.Host == "" && u.Scheme == "http" {
			return invalidParam("return_url", "url_invalid", "Not a valid URL")
		}
	}
	if k.server && auto != nil && auto.AllowRedirects == "always" && k.returnURL == "" && !k.useSDK {
		return invalidRequest(http.StatusBadRequest, "", "This "+noun+" is configured to accept payment methods that may redirect. Provide a return_url, or set automatic_payment_methods[allow_redirects] to never.")
	}
	return nil
}

func listIntents(c *call) (any, error) {
	passes, index := c.p.createdFilter(), ""
	if id := c.p.text("customer"); id != "" {
		index = "customer=" + id
	}
	return listPage(c, intents, index, func(o *paymentIntent) bool { return passes(o.Created) })
}

func searchIntents(c *call) (any, error) {
	return searchPage(c, intents, nil, map[string]func(*paymentIntent) string{
		"status":   func(o *paymentIntent) string { return string(o.Status) },
		"customer": func(o *paymentIntent) string { return value(o.Customer) },
		"currency": func(o *paymentIntent) string { return o.Currency },
	}, func(o *paymentIntent) (int64, map[string]string) { return o.Created, o.Metadata })
}
