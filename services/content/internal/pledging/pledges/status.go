package pledges

import "slices"

// Status is where a pledge stands. The constraint pledges_status lists the same values.
type Status string

// The statuses of a pledge.
const (
	Created         Status = "created"          // made, its reward held
	AwaitingPayment Status = "awaiting_payment" // the backer has a payment open
	Processing      Status = "processing"       // paid, the bank still confirms it
	Paid            Status = "paid"
	Failed          Status = "failed"  // the bank said no in the end
	Expired         Status = "expired" // not paid while the reward was held, or given up
	Refunded        Status = "refunded"
	PartlyRefunded  Status = "partly_refunded"
	Disputed        Status = "disputed"
	Withdrawn       Status = "withdrawn" // taken back by its backer; what was paid, or is paid yet, is on its way back
)

// transitions lists where each status may go. Expired and failed pledges may still become paid, because money can arrive
// after we stopped waiting for it. Every pledge may become refunded: money that cannot be taken (no stock, another
// amount, a campaign that has ended, a pledge that was given up) goes back from wherever the pledge stands. A second part
// refund keeps the status, and so do one of a disputed pledge and what goes back because a pledge was changed, also when all that it came to is back. A step that is allowed here may still be refused:
// succeed does not accept money for a pledge that its backer released (released_at). What was taken back keeps its status while a part of
// its money is back, and fails when the bank refuses what it was confirming. Only a pledge that has money can be disputed, and
// only one of which no bank has everything is taken back then (withdrawalOf). A dispute about
// money that was not accepted is no step of the pledge, but that it fails one whose bank was waited for.
var transitions = map[Status][]Status{
	Created:         {AwaitingPayment, Processing, Paid, Failed, Expired, Refunded},
	AwaitingPayment: {Processing, Paid, Failed, Expired, Refunded},
	Processing:      {Paid, Failed, Refunded, Withdrawn},
	Failed:          {Paid, Refunded},
	Expired:         {Paid, Refunded},
	Paid:            {Paid, PartlyRefunded, Refunded, Disputed, Withdrawn},
	PartlyRefunded:  {PartlyRefunded, Refunded, Disputed, Withdrawn},
	Disputed:        {Paid, PartlyRefunded, Refunded, Disputed, Withdrawn},
	Withdrawn:       {Withdrawn, Failed, Refunded},
	Refunded:        {Refunded},
}

// CanMove reports whether the table allows the step.
func (s Status) CanMove(to Status) bool { return slices.Contains(transitions[s], to) }

// Waiting reports whether the pledge still waits for a payment to be made.
func (s Status) Waiting() bool { return s == Created || s == AwaitingPayment }

// HasMoney reports whether the backer's money has been here and has not all been refunded.
func (s Status) HasMoney() bool { return s == Paid || s == PartlyRefunded || s == Disputed }

// HoldsStock reports whether a pledge of this status keeps its reward from others.
func (s Status) HoldsStock() bool {
	switch s {
	case Created, AwaitingPayment, Processing, Paid, PartlyRefunded, Disputed:
		return true
	case Failed, Expired, Refunded, Withdrawn:
		return false
	}
	return false
}
