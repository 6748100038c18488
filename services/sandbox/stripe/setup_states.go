package stripe

import (
	"fmt"
	"net/http"
	"slices"
)

// setupMove is something that happens to a setup intent.
type setupMove string

const (
	setupGiveMethod setupMove = "give_method" // a method is set without confirming
	setupChallenge  setupMove = "challenge"   // confirmed; the holder must pass 3-D Secure
	setupSucceed    setupMove = "succeed"     // the method is ready for later charges
	setupFail       setupMove = "fail"        // declined, or the challenge failed
	setupCancel     setupMove = "cancel"
)

// setupMoves is the whole state machine: all moves start from the open statuses; where they lead and which event they emit.
func setupMoves() map[setupMove]struct {
	to    intentStatus
	event string
} {
	return map[setupMove]struct {
		to    intentStatus
		event string
	}{
		setupGiveMethod: {statusRequiresConfirmation, ""},
		setupChallenge:  {statusRequiresAction, "setup_intent.requires_action"},
		setupSucceed:    {statusSucceeded, "setup_intent.succeeded"},
		setupFail:       {statusRequiresMethod, "setup_intent.setup_failed"},
		setupCancel:     {statusCanceled, "setup_intent.canceled"},
	}
}

// moveSetup is the only place where a setup intent changes status. It stores the intent and emits the event. A move of
// one that has ended is setup_intent_unexpected_state and changes nothing.
func (c *call) moveSetup(si *setupIntent, move setupMove) error {
	if err := si.permits(move); err != nil {
		return err
	}
	rule := setupMoves()[move]
	si.Status = rule.to
	if move != setupChallenge {
		si.NextAction = nil
	}
	switch move {
	case setupSucceed:
		si.LastSetupError = nil
	case setupFail:
		si.PaymentMethod = nil
	case setupGiveMethod, setupChallenge, setupCancel: // the status says it all
	}
	if err := setups.Put(c.tx, si); err != nil {
		return err
	}
	if rule.event == "" {
		return nil
	}
	return c.emit(rule.event, si, nil)
}

// permits returns nil while the setup intent is open, which every move needs.
func (si *setupIntent) permits(move setupMove) error {
	open := []intentStatus{statusRequiresMethod, statusRequiresConfirmation, statusRequiresAction}
	if slices.Contains(open, si.Status) {
		return nil
	}
	verb := map[setupMove]string{setupCancel: "cancel", setupGiveMethod: "update"}[move]
	if verb == "" {
		verb = "confirm"
	}
	return si.unexpected(fmt.Sprintf("You cannot %s this SetupIntent because it has a status of %s.", verb, si.Status))
}

func (si *setupIntent) unexpected(message string) *apiError {
	e := invalidRequest(http.StatusBadRequest, codeSetupUnexpectedState, message)
	e.body.SetupIntent = si
	return e
}
