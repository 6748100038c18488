package stripe

import (
	"fmt"
	"net/http"
)

type intentStatus string

const (
	statusRequiresMethod       intentStatus = "requires_payment_method"
	statusRequiresConfirmation intentStatus = "requires_confirmation"
	statusRequiresAction       intentStatus = "requires_action"
	statusProcessing           intentStatus = "processing"
	statusRequiresCapture      intentStatus = "requires_capture"
	statusSucceeded            intentStatus = "succeeded"
	statusCanceled             intentStatus = "canceled"
)

// intentMove is something that happens to a payment intent.
type intentMove string

const (
	moveGiveMethod intentMove = "give_method" // a method is set without confirming
	moveChallenge  intentMove = "challenge"   // confirmed; the holder must pass 3-D Secure
	moveProcess    intentMove = "process"     // confirmed; the outcome comes later
	moveHold       intentMove = "hold"        // confirmed; the money is held, not taken
	moveSucceed    intentMove = "succeed"     // confirmed or settled; the money is taken
	moveFail       intentMove = "fail"        // declined, or the challenge failed
	moveCapture    intentMove = "capture"     // the held money is taken
	moveCancel     intentMove = "cancel"
)

// intentMoves is the whole state machine: what may happen in which status, where it leads, and
// which event it emits.
func intentMoves() map[intentMove]struct {
	from  []intentStatus
	to    intentStatus
	event string
} {
	open := []intentStatus{statusRequiresMethod, statusRequiresConfirmation, statusRequiresAction}
	settling := append([]intentStatus{statusProcessing}, open...)
	return map[intentMove]struct {
		from  []intentStatus
		to    intentStatus
		event string
	}{
		moveGiveMethod: {open, statusRequiresConfirmation, ""},
		moveChallenge:  {open, statusRequiresAction, "payment_intent.requires_action"},
		moveProcess:    {open, statusProcessing, "payment_intent.processing"},
		moveHold:       {open, statusRequiresCapture, "payment_intent.amount_capturable_updated"},
		moveSucceed:    {settling, statusSucceeded, "payment_intent.succeeded"},
		moveFail:       {settling, statusRequiresMethod, "payment_intent.payment_failed"},
		moveCapture:    {[]intentStatus{statusRequiresCapture}, statusSucceeded, "payment_intent.succeeded"},
		moveCancel:     {append([]intentStatus{statusRequiresCapture}, open...), statusCanceled, "payment_intent.canceled"},
	}
}

// moveIntent is the only place where a payment intent changes status. It sets what belongs to the
// new status, stores the intent and emits the event. A move that the table lacks is
// payment_intent_unexpected_state and changes nothing.
func (c *call) moveIntent(pi *paymentIntent, move intentMove) error {
	if err := pi.permits(move); err != nil {
		return err
	}
	rule := intentMoves()[move]
	pi.Status, pi.NextAction = rule.to, pi.nextActionIn(rule.to)
	switch move {
	case moveSucceed, moveCapture:
		if move == moveSucceed {
			pi.AmountReceived = pi.Amount
		}
		pi.AmountCapturable, pi.LastPaymentError = 0, nil
	case moveHold:
		pi.AmountCapturable, pi.LastPaymentError = pi.Amount, nil
	case moveFail:
		pi.PaymentMethod = nil
	case moveCancel:
		now := c.now
		pi.CanceledAt, pi.AmountCapturable = &now, 0
	case moveGiveMethod, moveChallenge, moveProcess: // the status says it all
	}
	if err := intents.Put(c.tx, pi); err != nil {
		return err
	}
	if rule.event == "" {
		return nil
	}
	return c.emit(rule.event, pi, nil)
}

func (pi *paymentIntent) nextActionIn(s intentStatus) *nextAction {
	if s == statusRequiresAction {
		return pi.NextAction
	}
	return nil
}

// permits returns nil when the move is in the table for the intent's status.
func (pi *paymentIntent) permits(move intentMove) error {
	for _, s := range intentMoves()[move].from {
		if s == pi.Status {
			return nil
		}
	}
	return pi.unexpected(fmt.Sprintf("You cannot %s this PaymentIntent because it has a status of %s.", move.verb(), pi.Status))
}

func (m intentMove) verb() string {
	switch m {
	case moveCancel, moveCapture:
		return string(m)
	case moveGiveMethod:
		return "update"
	default:
		return "confirm"
	}
}

func (pi *paymentIntent) unexpected(message string) *apiError {
	e := invalidRequest(http.StatusBadRequest, codeUnexpectedState, message)
	e.body.PaymentIntent = pi
	return e
}
