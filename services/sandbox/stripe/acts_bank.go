package stripe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"talkoot.fi/sandbox/standin"
)

// DisputeOrder opens a dispute; amount 0 is all that is left of the charge.
type DisputeOrder struct {
	Charge string `json:"charge"`
	Amount int64  `json:"amount"` // minor units
	Reason string `json:"reason"` // Stripe's: product_not_received, …; empty: fraudulent
}

// OpenDispute is the holder's bank taking a captured charge back, as it does soon for card 4000 0000 0000 0259.
func (s *Sandbox) OpenDispute(in DisputeOrder) (Dispute, error) {
	return act(s, func(c *call) (Dispute, error) {
		ch, err := charges.Find(c.tx, in.Charge)
		if err != nil {
			return Dispute{}, err
		}
		if ch == nil || !ch.Captured {
			return Dispute{}, standin.BadControl("no captured charge: " + in.Charge)
		}
		if in.Amount == 0 {
			in.Amount = ch.AmountCaptured - ch.AmountRefunded
		}
		if in.Amount < 1 || in.Amount > ch.AmountCaptured { // a bank may also ask for what was refunded
			return Dispute{}, standin.BadControl(fmt.Sprintf("amount must be between 1 and %d", ch.AmountCaptured))
		}
		err = c.openDispute(ch, in.Amount, cmp.Or(in.Reason, disputeFraudulent))
		return shown[Dispute](c, disputes, value(ch.Dispute), err)
	})
}

// DisputeDecision closes a dispute, or decides an appeal.
type DisputeDecision struct {
	Dispute string `json:"dispute"`
	Status  string `json:"status"`   // won or lost
	KeepFee bool   `json:"keep_fee"` // of one that is won, as for accounts whose fee never comes back
}

// DecideDispute is the bank's decision on an open dispute, or, of one that was decided the other way, its decision on an
// appeal: a lost one that is won after all gives the money back, and one that was won takes it again.
func (s *Sandbox) DecideDispute(in DisputeDecision) (Dispute, error) {
	if in.Status != disputeWon && in.Status != disputeLost {
		return Dispute{}, standin.BadControl("status must be won or lost")
	}
	return act(s, func(c *call) (Dispute, error) {
		d, err := disputes.Find(c.tx, in.Dispute)
		if err != nil {
			return Dispute{}, err
		}
		if d == nil || d.Status == in.Status {
			return Dispute{}, standin.BadControl("no dispute that is not " + in.Status + " yet: " + in.Dispute)
		}
		err = c.decideDispute(d, in.Status, in.KeepFee)
		return shown[Dispute](c, disputes, d.ID, err)
	})
}

// DisputeReturn is a part of what a lost dispute took.
type DisputeReturn struct {
	Dispute string `json:"dispute"`
	Amount  int64  `json:"amount"` // minor units, less than what the bank has
}

// ReturnDisputed is the bank giving a part back of a dispute that stays lost.
func (s *Sandbox) ReturnDisputed(in DisputeReturn) (Dispute, error) {
	return act(s, func(c *call) (Dispute, error) {
		d, err := disputes.Find(c.tx, in.Dispute)
		if err != nil {
			return Dispute{}, err
		}
		if d == nil || d.Status != disputeLost {
			return Dispute{}, standin.BadControl("no lost dispute: " + in.Dispute)
		}
		if has, _ := d.taken(); in.Amount < 1 || in.Amount >= has {
			return Dispute{}, standin.BadControl(fmt.Sprintf("amount must be between 1 and %d", has-1))
		}
		if err := c.returnDisputed(d, in.Amount, 0); err != nil {
			return Dispute{}, err
		}
		if err := disputes.Put(c.tx, d); err != nil {
			return Dispute{}, err
		}
		return shown[Dispute](c, disputes, d.ID, c.emit("charge.dispute.funds_reinstated", d, nil))
	})
}

// RefundFailure makes a refund fail that is pending or has succeeded, however long ago.
type RefundFailure struct {
	Refund string `json:"refund"`
	Reason string `json:"reason"` // Stripe's failure_reason; empty: lost_or_stolen_card
	Silent bool   `json:"silent"` // without events, so that only polling finds it
}

// FailRefund is the holder's bank sending a refund back: its amount returns to the balance and to the charge.
func (s *Sandbox) FailRefund(in RefundFailure) (Refund, error) {
	in.Reason = cmp.Or(in.Reason, refundCardLost)
	if reasons := refundFailureReasons(); !slices.Contains(reasons, in.Reason) {
		return Refund{}, standin.BadControl("reason must be one of " + strings.Join(reasons, ", "))
	}
	return act(s, func(c *call) (Refund, error) {
		r, err := refunds.Find(c.tx, in.Refund)
		if err != nil {
			return Refund{}, err
		}
		if r == nil || !r.fails() {
			return Refund{}, standin.BadControl("no pending or succeeded refund: " + in.Refund)
		}
		if err = c.failRefund(r, in.Reason); err == nil && !in.Silent {
			err = c.saveRefund(r)
		}
		return shown[Refund](c, refunds, r.ID, err)
	})
}

// PayoutOrder asks for an automatic payout.
type PayoutOrder struct {
	Currency string `json:"currency"` // empty: eur
}

// PayOut is Stripe's payout schedule: all that is available in the currency goes to our bank, and the list of balance
// transactions can be filtered by it.
func (s *Sandbox) PayOut(in PayoutOrder) (Payout, error) {
	return act(s, func(c *call) (Payout, error) {
		po, err := c.payOutAutomatically(cmp.Or(in.Currency, "eur"))
		if err != nil {
			return Payout{}, err
		}
		return shown[Payout](c, payouts, po.ID, nil)
	})
}

// payoutFailureCodes are why banks send payouts back (https://stripe.com/docs/api#payout_failures).
func payoutFailureCodes() []string {
	return []string{
		"account_closed", "account_frozen", "bank_account_restricted", "bank_ownership_changed", "could_not_process",
		"debit_not_authorized", "declined", "incorrect_account_holder_address", "incorrect_account_holder_name",
		"incorrect_account_holder_tax_id", "insufficient_funds", "invalid_account_number", "invalid_currency",
		"no_account", "unsupported_card",
	}
}

// PayoutArrival names a payout.
type PayoutArrival struct {
	Payout string `json:"payout"`
}

// SettlePayout has a payout of ours, or of a connected account, be handed to its bank and arrive there, before its day. It fails if it is
// of an account whose bank takes nothing.
func (s *Sandbox) SettlePayout(in PayoutArrival) (Payout, error) {
	return act(s, func(c *call) (Payout, error) {
		po, err := payouts.Find(c.tx, in.Payout)
		if err != nil {
			return Payout{}, err
		}
		if po == nil || po.Status != payoutPending && po.Status != payoutInTransit {
			return Payout{}, standin.BadControl("no payout that is on its way: " + in.Payout)
		}
		po.ArrivalDate = min(po.ArrivalDate, c.now)
		for err == nil && (po.Status == payoutPending || po.Status == payoutInTransit) {
			err = c.movePayoutOn(po)
		}
		return shown[Payout](c, payouts, po.ID, err)
	})
}

// PayoutFailure makes a payout fail: pending, in transit, or after it was paid.
type PayoutFailure struct {
	Payout string `json:"payout"`
	Code   string `json:"code"` // Stripe's failure_code; empty: account_closed
}

// FailPayout is a bank sending a payout of ours, or of a connected account, back: its amount returns to the balance.
func (s *Sandbox) FailPayout(in PayoutFailure) (Payout, error) {
	in.Code = cmp.Or(in.Code, "account_closed")
	if codes := payoutFailureCodes(); !slices.Contains(codes, in.Code) {
		return Payout{}, standin.BadControl("code must be one of " + strings.Join(codes, ", "))
	}
	return act(s, func(c *call) (Payout, error) {
		po, err := payouts.Find(c.tx, in.Payout)
		if err != nil {
			return Payout{}, err
		}
		if po == nil || po.Status == payoutFailed || po.Status == payoutCanceled {
			return Payout{}, standin.BadControl("no payout that can fail: " + in.Payout)
		}
		err = c.failPayout(po, in.Code)
		return shown[Payout](c, payouts, po.ID, err)
	})
}

// CardChange is what a card's bank does to a card that a backer has saved.
type CardChange struct {
	Method string `json:"method"`
	// Card is the test number that the card has from now on, and behaves as; empty keeps it.
	Card string `json:"card"`
	// ExpMonth and ExpYear are the new expiry; 0 keeps it.
	ExpMonth int64 `json:"exp_month"`
	ExpYear  int64 `json:"exp_year"`
	// Announced says that the network tells, as it does of a card that was replaced: the method goes on with the new
	// number, and payment_method.automatically_updated is emitted. Otherwise the next charge shows it.
	Announced bool `json:"announced"`
}

// ChangeCard replaces a saved card, or makes it decline from now on.
func (s *Sandbox) ChangeCard(in CardChange) (Method, error) {
	return act(s, func(c *call) (Method, error) {
		pm, err := methods.Find(c.tx, in.Method)
		if err != nil {
			return Method{}, err
		}
		if pm == nil {
			return Method{}, standin.BadControl("no saved card: " + in.Method)
		}
		before, err := snapshot(pm)
		if err != nil {
			return Method{}, err
		}
		if in.Card != "" {
			err = c.renumber(pm, in.Card, in.Announced)
		}
		if err != nil {
			return Method{}, err
		}
		pm.Card.ExpMonth, pm.Card.ExpYear = cmp.Or(in.ExpMonth, pm.Card.ExpMonth), fullYear(cmp.Or(in.ExpYear, pm.Card.ExpYear))
		if err := methods.Put(c.tx, pm); err != nil {
			return Method{}, err
		}
		if in.Announced {
			err = c.emit("payment_method.automatically_updated", pm, before)
		}
		return shown[Method](c, methods, pm.ID, err)
	})
}

// renumber lets a method stand for another test card; only what the network tells is seen in the method.
func (c *call) renumber(pm *paymentMethod, number string, announced bool) error {
	card, known := c.s.deck.byNumber[digitsOnly(number)]
	if !known {
		return standin.BadControl("not a test card: " + number)
	}
	_, record, err := c.cardOf(pm)
	if err != nil {
		return err
	}
	record.Number = card.number
	if announced {
		shown := c.methodOf(card, pm.Card.ExpMonth, pm.Card.ExpYear).Card
		shown.Checks, shown.Wallet = pm.Card.Checks, pm.Card.Wallet
		pm.Card = shown
	}
	return standin.PutJSON(c.tx, bucketCards, pm.ID, record)
}
