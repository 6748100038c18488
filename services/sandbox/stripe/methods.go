package stripe

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"talkoot.fi/sandbox/standin"
)

// cardRecord is what the sandbox knows of a method beyond the public object. The number is always
// one of the published test numbers.
type cardRecord struct {
	Number   string `json:"number"`
	SetUp    bool   `json:"set_up"`   // a challenge was passed while saving it for later
	Consumed bool   `json:"consumed"` // charged without a customer: may not be used again
}

// walletToken is the token with which the form's stand-in for a wallet pays, and walletCard the card in the wallet.
const (
	walletToken = "tok_google_pay" // #nosec G101 -- stands in a public script
	walletCard  = "4242424242424242"
)

func billingFields() field {
	return hash(fields{"address": hash(addressFields()), "email": text(), "name": text(), "phone": text()})
}

// methodDataFields are the parameters of a new method, alone or inside payment_method_data.
func methodDataFields() fields {
	return fields{
		"type":            oneOf("card").must(),
		"billing_details": billingFields(),
		"card": hash(fields{
			"number": text(), "exp_month": integer(), "exp_year": integer(), "cvc": text(), "token": text(),
			"networks": hash(fields{"preferred": text()}),
		}),
		"metadata":        metadata(),
		"radar_options":   hash(fields{"session": text()}),
		"allow_redisplay": oneOf("always", "limited", "unspecified"),
	}
}

func methodCalls() []endpoint {
	client := fields{ // sent by Stripe.js for its own statistics
		"key": text(), "guid": text(), "muid": text(), "sid": text(), "payment_user_agent": text(),
		"referrer": text(), "time_on_page": integer(),
	}
	return []endpoint{
		{"POST /v1/payment_methods", methodDataFields().with(client), true, createMethod},
		{"GET /v1/payment_methods", listParams(fields{"customer": text(), "type": text()}), false, listMethods},
		{"GET /v1/payment_methods/{id}", nil, false, getMethod},
		{"POST /v1/payment_methods/{id}", fields{
			"billing_details": billingFields(), "metadata": metadata(),
			"card": hash(fields{"exp_month": integer(), "exp_year": integer(), "networks": hash(fields{"preferred": text()})}),
		}, false, updateMethod},
		{"POST /v1/payment_methods/{id}/attach", fields{"customer": text().must()}, false, attachMethod},
		{"POST /v1/payment_methods/{id}/detach", nil, false, detachMethod},
	}
}

func createMethod(c *call) (any, error) { return c.newMethod(c.p, "") }

// newMethod makes a payment method from type, card[…] and billing_details[…]; at names the
// parameter they were sent in.
func (c *call) newMethod(p *params, at string) (*paymentMethod, error) {
	cardParams := p.sub("card")
	if !p.has("card") {
		return nil, missingParam(join(at, "card"))
	}
	number := digitsOnly(cardParams.text("number"))
	if token := cardParams.text("token"); token == walletToken {
		pm := c.methodOf(c.s.deck.byNumber[walletCard], 12, int64(time.Unix(c.now, 0).UTC().Year())+3)
		pm.Card.Wallet = &cardWallet{GooglePay: &struct{}{}, Type: "google_pay"}
		p.sub("billing_details").fillBilling(&pm.BillingDetails)
		return pm, c.saveNewMethod(pm, walletCard)
	} else if token != "" {
		return nil, missingResource("token", token, join(join(at, "card"), "token"))
	}
	if number == "" {
		return nil, missingParam(join(join(at, "card"), "number"))
	}
	card, known := c.s.deck.byNumber[number]
	if !luhn(number) || !known {
		return nil, refuse("incorrect_number", "number", "Your card number is incorrect.")
	}
	month, year := cardParams.integer("exp_month"), cardParams.integer("exp_year")
	if err := c.checkExpiry(month, year); err != nil {
		return nil, err
	}
	cvc := cardParams.text("cvc")
	if cardParams.has("cvc") && (len(cvc) < 3 || len(cvc) > 4 || digitsOnly(cvc) != cvc || !allDigits(cvc)) {
		return nil, refuse("invalid_cvc", "cvc", "Your card's security code is invalid.")
	}
	pm := c.methodOf(card, month, fullYear(year))
	if cvc != "" {
		pm.Card.Checks.CVCCheck = optional("unchecked")
	}
	p.sub("billing_details").fillBilling(&pm.BillingDetails)
	pm.Metadata = p.mergeMetadata(nil)
	return pm, c.saveNewMethod(pm, number)
}

// refuse is a card error about the card's data, before any charge.
func refuse(code, param, message string) *apiError {
	e := cardError(code, "", message)
	e.body.Param = param
	return e
}

func (c *call) checkExpiry(month, year int64) error {
	now := time.Unix(c.now, 0).UTC()
	switch {
	case month < 1 || month > 12:
		return refuse("invalid_expiry_month", "exp_month", "Your card's expiration month is invalid.")
	case fullYear(year) < int64(now.Year()) || year > int64(now.Year())+50:
		return refuse("invalid_expiry_year", "exp_year", "Your card's expiration year is invalid.")
	case fullYear(year) == int64(now.Year()) && month < int64(now.Month()):
		return refuse("invalid_expiry_month", "exp_month", "Your card's expiration month is invalid.")
	}
	return nil
}

// isExpired tells whether the month on the card is over.
func (pm *paymentMethod) isExpired(now int64) bool {
	at := time.Unix(now, 0).UTC()
	return pm.Card.ExpYear*12+pm.Card.ExpMonth < int64(at.Year())*12+int64(at.Month())
}

func fullYear(year int64) int64 {
	if year >= 0 && year < 100 {
		return 2000 + year
	}
	return year
}

func allDigits(v string) bool {
	_, err := strconv.ParseUint(v, 10, 64)
	return err == nil
}

func (p *params) fillBilling(b *billingDetails) {
	if p.has("address") {
		p.sub("address").fillAddress(&b.Address)
	}
	p.setText("email", &b.Email)
	p.setText("name", &b.Name)
	p.setText("phone", &b.Phone)
}

func (c *call) methodOf(card testCard, month, year int64) *paymentMethod {
	sum := sha256.Sum256([]byte(card.number))
	return &paymentMethod{
		ID: c.newID("pm_1"), Object: "payment_method", Created: c.now, Type: "card", Metadata: map[string]string{},
		Card: &methodCard{
			Brand: card.brand, Country: card.country, DisplayBrand: card.brand, ExpMonth: month, ExpYear: year,
			Fingerprint: hex.EncodeToString(sum[:8]), Funding: card.funding, Last4: card.number[len(card.number)-4:],
			Networks:          cardNetworks{Available: []string{card.brand}},
			ThreeDSecureUsage: secureUsage{Supported: true},
		},
	}
}

func (c *call) saveNewMethod(pm *paymentMethod, number string) error {
	if err := standin.PutJSON(c.tx, bucketCards, pm.ID, cardRecord{Number: number}); err != nil {
		return err
	}
	return methods.Put(c.tx, pm)
}

// method finds a payment method; a ready-made id (pm_card_…) makes a new one each time.
func (c *call) method(id, param string) (*paymentMethod, error) {
	card, readyMade := c.s.deck.byMethod[id]
	if !readyMade {
		return methods.get(c.tx, id, param)
	}
	pm := c.methodOf(card, 12, int64(time.Unix(c.now, 0).UTC().Year())+3)
	return pm, c.saveNewMethod(pm, card.number)
}

func (c *call) cardOf(pm *paymentMethod) (testCard, cardRecord, error) {
	var record cardRecord
	if _, err := standin.GetJSON(c.tx, bucketCards, pm.ID, &record); err != nil {
		return testCard{}, record, err
	}
	return c.s.deck.byNumber[record.Number], record, nil
}

func (c *call) attach(pm *paymentMethod, customerID string) error {
	if value(pm.Customer) == customerID {
		return nil
	}
	card, record, err := c.cardOf(pm)
	if err != nil {
		return err
	}
	if pm.Customer != nil || record.Consumed {
		return badRequest("This PaymentMethod was previously used without being attached to a Customer or belongs to another Customer, and may not be used again.")
	}
	if card.decline != nil && !card.attaches {
		e := cardError(card.decline.code, card.decline.declineCode, card.decline.message)
		e.commits = false
		return e
	}
	pm.Customer = &customerID
	if pm.Card.Checks.CVCCheck != nil {
		pm.Card.Checks.CVCCheck = optional("pass")
	}
	if err := methods.Put(c.tx, pm); err != nil {
		return err
	}
	return c.emit("payment_method.attached", pm, nil)
}

func (c *call) detach(pm *paymentMethod) error {
	before, err := snapshot(pm)
	if err != nil {
		return err
	}
	_, record, err := c.cardOf(pm)
	if err != nil {
		return err
	}
	record.Consumed = true
	if err := standin.PutJSON(c.tx, bucketCards, pm.ID, record); err != nil {
		return err
	}
	pm.Customer = nil
	if err := methods.Put(c.tx, pm); err != nil {
		return err
	}
	if err := c.emit("payment_method.detached", pm, before); err != nil {
		return err
	}
	return c.endMandates(pm)
}

func attachMethod(c *call) (any, error) {
	cus, err := c.liveCustomer(c.p.text("customer"), "customer")
	if err != nil {
		return nil, err
	}
	pm, err := c.method(c.id, "payment_method")
	if err != nil {
		return nil, err
	}
	return pm, c.attach(pm, cus.ID)
}

func detachMethod(c *call) (any, error) {
	pm, err := methods.get(c.tx, c.id, "payment_method")
	if err != nil {
		return nil, err
	}
	if pm.Customer == nil {
		return nil, badRequest("The payment method you provided is not attached to a customer so detachment is impossible.")
	}
	return pm, c.detach(pm)
}

func updateMethod(c *call) (any, error) {
	pm, err := methods.get(c.tx, c.id, "payment_method")
	if err != nil {
		return nil, err
	}
	if pm.Customer == nil {
		return nil, badRequest("You must save this PaymentMethod to a customer before you can update it.")
	}
	before, err := snapshot(pm)
	if err != nil {
		return nil, err
	}
	if c.p.has("card") {
		card := c.p.sub("card")
		if card.has("exp_month") {
			pm.Card.ExpMonth = card.integer("exp_month")
		}
		if card.has("exp_year") {
			pm.Card.ExpYear = fullYear(card.integer("exp_year"))
		}
		if err := c.checkExpiry(pm.Card.ExpMonth, pm.Card.ExpYear); err != nil {
			return nil, err
		}
	}
	c.p.sub("billing_details").fillBilling(&pm.BillingDetails)
	pm.Metadata = c.p.mergeMetadata(pm.Metadata)
	if err := methods.Put(c.tx, pm); err != nil {
		return nil, err
	}
	return pm, c.emit("payment_method.updated", pm, before)
}

func getMethod(c *call) (any, error) {
	if card, readyMade := c.s.deck.byMethod[c.id]; readyMade { // shown, not made
		pm := c.methodOf(card, 12, int64(time.Unix(c.now, 0).UTC().Year())+3)
		pm.ID = c.id
		return pm, nil
	}
	return methods.get(c.tx, c.id, "payment_method")
}

func listMethods(c *call) (any, error) {
	id := c.p.text("customer")
	if id == "" {
		return nil, missingParam("customer")
	}
	return c.methodsOf(id)
}

func (c *call) methodsOf(customerID string) (any, error) {
	if _, err := c.liveCustomer(customerID, "customer"); err != nil {
		return nil, err
	}
	wanted := c.p.text("type")
	return listPage(c, methods, "customer="+customerID, func(o *paymentMethod) bool { return wanted == "" || o.Type == wanted })
}

func listCustomerMethods(c *call) (any, error) { return c.methodsOf(c.id) }

func getCustomerMethod(c *call) (any, error) {
	pm, err := methods.get(c.tx, c.secondID, "payment_method")
	if err == nil && value(pm.Customer) != c.id {
		return nil, missingResource(methods.noun, c.secondID, "payment_method")
	}
	return pm, err
}
