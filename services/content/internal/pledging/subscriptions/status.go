package subscriptions

import (
	"slices"

	"talkoot.fi/content/internal/campaign/campaigns"
)

// Status is where a subscription stands. The constraint subscriptions_status lists the same values.
type Status string

// The statuses of a subscription.
const (
	Created  Status = "created" // made; its first month waits to be paid
	Active   Status = "active"
	PastDue  Status = "past_due" // a month is not paid, and is tried no more
	Paused   Status = "paused"
	Canceled Status = "canceled"
	Expired  Status = "expired" // never paid
)

// transitions lists where each status may go. An event may have overtaken the one before it, so what lies between may be
// left out. Expired ones may still become active, because a payment that was made in time can be told late. Canceled is the
// last one.
var transitions = map[Status][]Status{
	Created:  {Active, PastDue, Paused, Canceled, Expired},
	Expired:  {Active, PastDue, Paused, Canceled},
	Active:   {PastDue, Paused, Canceled},
	PastDue:  {Active, Paused, Canceled},
	Paused:   {Active, PastDue, Canceled},
	Canceled: {},
}

// CanMove reports whether the table allows the step.
func (s Status) CanMove(to Status) bool { return slices.Contains(transitions[s], to) }

// IsLive reports whether money may still be charged. The index subscriptions_live lists the same.
func (s Status) IsLive() bool { return s != Canceled && s != Expired }

// contribution is what a subscription adds to its campaign's totals. It is the one definition of them; campaigns.Recompute says
// the same in SQL, to check it.
func contribution(s Status, amountMinor int64) campaigns.TotalsChange {
	if s != Active {
		return campaigns.TotalsChange{}
	}
	return campaigns.TotalsChange{Subscriptions: 1, SubscriptionsMinor: amountMinor}
}

// supports is how many supporters a subscription of this status is for its reward.
func supports(s Status) int { return contribution(s, 0).Subscriptions }
