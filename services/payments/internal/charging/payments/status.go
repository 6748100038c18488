package payments

import "slices"

// Status of a payment.
type Status string

// The states of a payment. With cards a decline leaves it open, and failed is only what was processing before.
const (
	StatusCreated        Status = "created"
	StatusRequiresAction Status = "requires_action"
	StatusProcessing     Status = "processing"
	StatusSucceeded      Status = "succeeded"
	StatusFailed         Status = "failed"
	StatusCanceled       Status = "canceled"
	StatusRefunded       Status = "refunded"
	StatusPartlyRefunded Status = "partly_refunded"
	StatusDisputed       Status = "disputed"
)

// next is the whole state machine: where a payment may go from a state; "" is before it is written. Money may arrive
// late, so failed and canceled can become succeeded. Among the states of a paid payment, standing decides.
func (s Status) next() []Status {
	switch s {
	case "":
		return []Status{StatusCreated}
	case StatusCreated:
		return []Status{StatusRequiresAction, StatusProcessing, StatusSucceeded, StatusFailed, StatusCanceled}
	case StatusRequiresAction: // back to created after a declined or abandoned challenge
		return []Status{StatusCreated, StatusProcessing, StatusSucceeded, StatusFailed, StatusCanceled}
	case StatusProcessing: // back to created: of a month, which may be tried again
		return []Status{StatusCreated, StatusSucceeded, StatusFailed, StatusCanceled}
	case StatusFailed, StatusCanceled:
		return []Status{StatusSucceeded}
	case StatusSucceeded:
		return []Status{StatusPartlyRefunded, StatusRefunded, StatusDisputed}
	case StatusPartlyRefunded:
		return []Status{StatusRefunded, StatusDisputed}
	case StatusDisputed:
		return []Status{StatusSucceeded, StatusPartlyRefunded, StatusRefunded}
	case StatusRefunded:
	}
	return nil
}

// MayBecome reports whether the state machine has this step.
func (s Status) MayBecome(to Status) bool { return slices.Contains(s.next(), to) }

// IsOpen reports whether the backer can still pay.
func (s Status) IsOpen() bool {
	return s == StatusCreated || s == StatusRequiresAction || s == StatusProcessing
}

// IsPaid reports whether money came, whatever happened to it later.
func (s Status) IsPaid() bool {
	return s == StatusSucceeded || s == StatusPartlyRefunded || s == StatusRefunded || s == StatusDisputed
}

// AttemptStatus is how far an attempt is; the migration says what each means.
type AttemptStatus string

// The states of an attempt.
const (
	AttemptCreating  AttemptStatus = "creating"
	AttemptOpen      AttemptStatus = "open"
	AttemptSucceeded AttemptStatus = "succeeded"
	AttemptCanceled  AttemptStatus = "canceled"
	AttemptAbandoned AttemptStatus = "abandoned"
	AttemptHeld      AttemptStatus = "held"
)

// isLive reports whether the attempt can still become money by the backer's hand.
func (s AttemptStatus) isLive() bool { return s == AttemptCreating || s == AttemptOpen }

// tookMoney reports whether the attempt is money that we have booked.
func (s AttemptStatus) tookMoney() bool { return s == AttemptSucceeded || s == AttemptHeld }

// Signal is what made us look at a payment; it is kept as the cause of a transition.
type Signal string

// The signals. Money signals also look at refunds and disputes of what is paid already.
const (
	SignalWebhook      Signal = "webhook"
	SignalBrowser      Signal = "browser"
	SignalSetup        Signal = "setup"
	SignalCharge       Signal = "charge" // of a kept card
	SignalSweep        Signal = "sweep"
	SignalClose        Signal = "close"
	SignalMoneyWebhook Signal = "money_webhook"
	SignalMoneySweep   Signal = "money_sweep"
	SignalRefund       Signal = "refund"
	SignalDispute      Signal = "dispute"
	SignalWarning      Signal = "warning"
	SignalOperator     Signal = "operator"
)

func (s Signal) isAboutMoney() bool {
	return s == SignalMoneyWebhook || s == SignalMoneySweep || s == SignalRefund || s == SignalDispute ||
		s == SignalWarning || s == SignalOperator
}
