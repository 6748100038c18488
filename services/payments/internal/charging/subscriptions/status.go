package subscriptions

import "slices"

// Status of a subscription.
type Status string

// The statuses; the contract says what each means.
const (
	StatusCreated  Status = "created"
	StatusActive   Status = "active"
	StatusPastDue  Status = "past_due"
	StatusPaused   Status = "paused"
	StatusCanceled Status = "canceled"
	StatusExpired  Status = "expired"
)

// next is the whole state machine; "" is before it is written.
func (s Status) next() []Status {
	switch s {
	case "":
		return []Status{StatusCreated}
	case StatusCreated:
		return []Status{StatusActive, StatusExpired}
	case StatusActive:
		return []Status{StatusPastDue, StatusPaused, StatusCanceled}
	case StatusPastDue:
		return []Status{StatusActive, StatusCanceled}
	case StatusPaused:
		return []Status{StatusActive, StatusCanceled}
	case StatusCanceled, StatusExpired:
	}
	return nil
}

// MayBecome reports whether the state machine has this step.
func (s Status) MayBecome(to Status) bool { return slices.Contains(s.next(), to) }

// IsOver reports whether nothing is charged ever again.
func (s Status) IsOver() bool { return s == StatusCanceled || s == StatusExpired }

// Reason of the end of a subscription.
type Reason string

// The reasons.
const (
	Asked          Reason = "asked"
	CampaignClosed Reason = "campaign_closed"
	// CampaignOnHold ends what waits for its first payment; support that goes on is held.
	CampaignOnHold Reason = "campaign_on_hold"
	Unpaid         Reason = "unpaid"
	PersonBlocked  Reason = "person_blocked"
	PersonErased   Reason = "person_erased"
	// FraudDisputed: a bank has decided that the card's owner did not know of a charge.
	FraudDisputed Reason = "fraud_disputed"
	// Released is the content service's word that the first month was not paid in time; it ends nothing that was.
	Released Reason = "released"
)

// monthStatus is how far a month is whose payment has begun; the migration says what each means.
type monthStatus string

const (
	monthOpen    monthStatus = "open"
	monthPaid    monthStatus = "paid"
	monthSkipped monthStatus = "skipped"
	monthClosed  monthStatus = "closed"
)

type outcome string

const (
	unknown  outcome = "unknown"
	taken    outcome = "taken"
	declined outcome = "declined"
	void     outcome = "void"
)
