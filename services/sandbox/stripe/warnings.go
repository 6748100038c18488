package stripe

import (
	"cmp"
	"slices"
	"strings"

	"talkoot.fi/sandbox/standin"
)

const (
	actWarn      = "warn_of_fraud"
	warningDelay = 10 // seconds until a charge of card 4000 0000 0000 5423 is reported as fraud
)

// fraudWarning is a card network's word that the holder has reported a charge as fraud, which most often comes before a dispute.
type fraudWarning struct {
	ID            string  `json:"id"`
	Object        string  `json:"object"`
	Actionable    bool    `json:"actionable"`
	Charge        string  `json:"charge"`
	Created       int64   `json:"created"`
	FraudType     string  `json:"fraud_type"`
	Livemode      bool    `json:"livemode"`
	PaymentIntent *string `json:"payment_intent"`
}

// fraudTypes are what issuers say of a charge (https://stripe.com/docs/api/radar/early_fraud_warnings/object).
func fraudTypes() []string {
	return []string{
		"card_never_received", "fraudulent_card_application", "made_with_counterfeit_card", "made_with_lost_card",
		"made_with_stolen_card", "misc", "unauthorized_use_of_card",
	}
}

func warningCalls() []endpoint {
	return []endpoint{
		{"GET /v1/radar/early_fraud_warnings", listParams(fields{"charge": text(), "payment_intent": text()}), false, listWarnings},
		{"GET /v1/radar/early_fraud_warnings/{id}", nil, false, func(c *call) (any, error) {
			return warnings.get(c.tx, c.id, "early_fraud_warning")
		}},
	}
}

func listWarnings(c *call) (any, error) {
	passes, index := c.p.createdFilter(), ""
	pi, ch := c.p.text("payment_intent"), c.p.text("charge")
	if ch != "" {
		index = "charge=" + ch
	} else if pi != "" {
		index = "payment_intent=" + pi
	}
	return listPage(c, warnings, index, func(o *fraudWarning) bool {
		return passes(o.Created) && (pi == "" || value(o.PaymentIntent) == pi)
	})
}

// comesLater schedules what some test cards bring about after a charge.
func (c *call) comesLater(card testCard, chargeID string) error {
	if card.reported {
		return c.unit.Schedule(c.now+warningDelay, standin.Task{Act: actWarn, ID: chargeID})
	}
	return c.disputeLater(card, chargeID)
}

// warn stores a warning of a charge. One that is disputed already, or has gone back, is not actionable from the start.
func (c *call) warn(ch *charge, fraudType string) (*fraudWarning, error) {
	w := &fraudWarning{
		ID: c.newID("issfr_1"), Object: "radar.early_fraud_warning", Actionable: ch.mayAct(), Charge: ch.ID, Created: c.now,
		FraudType: fraudType, PaymentIntent: ch.PaymentIntent,
	}
	if err := warnings.Put(c.tx, w); err != nil {
		return nil, err
	}
	return w, c.emit("radar.early_fraud_warning.created", w, nil)
}

// mayAct tells whether a refund could still avoid a dispute of the charge.
func (ch *charge) mayAct() bool { return !ch.Disputed && !ch.Refunded }

// endWarnings makes the warnings of a charge not actionable, when it has gone back wholly or is disputed.
func (c *call) endWarnings(ch *charge) error {
	if ch.mayAct() {
		return nil
	}
	found, _, err := warnings.page(c.tx, pageQuery{limit: 100, index: "charge=" + ch.ID}, func(w *fraudWarning) bool { return w.Actionable })
	if err != nil {
		return err
	}
	for _, w := range found {
		before, err := snapshot(w)
		if err != nil {
			return err
		}
		w.Actionable = false
		if err := warnings.Put(c.tx, w); err != nil {
			return err
		}
		if err := c.emit("radar.early_fraud_warning.updated", w, before); err != nil {
			return err
		}
	}
	return nil
}

// WarningOrder has a holder report a charge as fraud.
type WarningOrder struct {
	Charge    string `json:"charge"`
	FraudType string `json:"fraud_type"` // Stripe's; empty: unauthorized_use_of_card
}

// Warn is a card network's early fraud warning of a captured charge, as it comes soon for card 4000 0000 0000 5423.
func (s *Sandbox) Warn(in WarningOrder) (Warning, error) {
	in.FraudType = cmp.Or(in.FraudType, "unauthorized_use_of_card")
	if types := fraudTypes(); !slices.Contains(types, in.FraudType) {
		return Warning{}, standin.BadControl("fraud_type must be one of " + strings.Join(types, ", "))
	}
	return act(s, func(c *call) (Warning, error) {
		ch, err := charges.Find(c.tx, in.Charge)
		if err != nil {
			return Warning{}, err
		}
		if ch == nil || !ch.Captured {
			return Warning{}, standin.BadControl("no captured charge: " + in.Charge)
		}
		w, err := c.warn(ch, in.FraudType)
		if err != nil {
			return Warning{}, err
		}
		return shown[Warning](c, warnings, w.ID, nil)
	})
}
