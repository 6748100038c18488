package mangopay

import "talkoot.fi/sandbox/standin"

// The things that happen later.
const (
	actDropCard      = "drop_card"
	actExpirePayIn   = "expire_pay_in"
	actExpireMandate = "expire_mandate"
	actExpireUnused  = "expire_unused_mandate"
	actHearBank      = "hear_bank"
	actTakeBack      = "take_back"
	actEndContest    = "end_contest"
	actSendToBank    = "send_to_bank"
	actArrive        = "arrive"
	actReport        = "generate_report"
	actLookAt        = "look_at_document"
)

// perform does what is due. It does nothing when the object has moved on meanwhile.
func (c *call) perform(t standin.Task) error {
	switch t.Act {
	case actDropCard:
		return c.dropCard(t.ID)
	case actExpirePayIn:
		return c.expirePayIn(t.ID)
	case actExpireMandate:
		return c.expireMandate(t.ID, statusCreated)
	case actExpireUnused:
		return c.expireMandate(t.ID, mandateSubmitted)
	case actHearBank:
		return c.hearBank(t.ID)
	case actTakeBack:
		return c.takeBack(t.ID)
	case actEndContest:
		return c.endContest(t.ID)
	case actSendToBank:
		return c.sendToBank(t.ID)
	case actArrive:
		return c.arrive(t.ID)
	case actLookAt:
		return c.lookAt(t.ID)
	case actReport:
		return c.generate(t.ID)
	}
	return nil
}
