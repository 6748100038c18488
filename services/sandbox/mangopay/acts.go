package mangopay

import (
	"slices"

	"talkoot.fi/sandbox/standin"
)

// CardInput is what a payer types.
type CardInput struct {
	Number, Expiry, CVX string // Expiry is MMYY
}

// Tokenise is a payer's browser that sends a card's number to a registration's address: what it is answered, data=… or
// errorCode=….
func (s *Sandbox) Tokenise(registrationID string, in CardInput) (answer string, err error) {
	var r *registration
	err = s.read(&call{}, func(c *call) error {
		r, err = get(c.tx, registrations, "CardRegistration", registrationID)
		return err
	})
	if err != nil {
		return "", err
	}
	return s.tokenised(r.PreregistrationData, r.AccessKey, in.Number, in.Expiry, in.CVX)
}

// payIn runs fn with a pay-in.
func (s *Sandbox) payIn(id string, fn func(*call, *transaction) error) error {
	return s.write(&call{}, func(c *call) error {
		t, err := c.transaction("PayIn", id, typePayIn, natureRegular)
		if err != nil {
			return err
		}
		return fn(c, t)
	})
}

// AnswerChallenge is a payer at their bank's page. One that is over changes nothing.
func (s *Sandbox) AnswerChallenge(payInID string, pass bool) error {
	return s.payIn(payInID, func(c *call, t *transaction) error {
		if t.Card == nil {
			return paramError("pay_in", "It is not by card.")
		}
		return c.answerBank(t, pass)
	})
}

// PayOnPage is a payer at the hosted page of a pay-in; asked tells that their bank asks then (see AnswerChallenge).
func (s *Sandbox) PayOnPage(payInID string, in CardInput) (asked bool, err error) {
	err = s.payIn(payInID, func(c *call, t *transaction) error {
		if t.Web == nil || t.Status != statusCreated {
			return paramError("pay_in", "It does not wait on a page.")
		}
		next, code, err := c.payOnPage(t, in.Number, in.Expiry, in.CVX)
		asked = next != t.Web.ReturnURL
		if err == nil && code != "" {
			err = paramError("card", code)
		}
		return err
	})
	return asked && err == nil, err
}

// SettlePayIn ends a pay-in that has not ended, with a code: 000000 is a success.
func (s *Sandbox) SettlePayIn(id, code string) error {
	return s.payIn(id, func(c *call, t *transaction) error { return c.settle(t, code) })
}

// ForceCode makes the next card pay-in that reaches its bank end with a code; "" ends that.
func (s *Sandbox) ForceCode(code string) { s.forced.set(code) }

// ConfirmMandate is a payer at a mandate's page, who confirms or refuses. One that is over changes nothing.
func (s *Sandbox) ConfirmMandate(id string, confirm bool) error {
	return s.write(&call{}, func(c *call) error {
		m, err := get(c.tx, mandates, "Mandate", id)
		if err != nil {
			return err
		}
		return c.confirmMandate(m, confirm)
	})
}

// Enrol is an owner who sets strong authentication up, consenting to everything, or fails to.
func (s *Sandbox) Enrol(userID string, pass bool) error {
	return s.user(userID, func(c *call, u *user) error { return c.enrolled(u, pass, allConsents()) })
}

func (s *Sandbox) user(id string, fn func(*call, *user) error) error {
	return s.write(&call{}, func(c *call) error {
		u, err := c.person(id, "")
		if err != nil {
			return err
		}
		return fn(c, u)
	})
}

// RevokeConsents takes back all that an owner consented to.
func (s *Sandbox) RevokeConsents(userID string) error {
	return s.user(userID, func(c *call, u *user) error {
		revoked := u.Consents.events("REVOKED")
		u.agree(c.now, consents{})
		return firstOf(users.Put(c.tx, u), c.tell(u.ID, revoked...))
	})
}

// SetKYC makes an owner verified (REGULAR), or no longer so (LIGHT).
func (s *Sandbox) SetKYC(userID, level string) error {
	return s.user(userID, func(c *call, u *user) error {
		if !slices.Contains([]string{light, regular}, level) {
			return standin.BadControl("level must be LIGHT or REGULAR")
		}
		return c.setKYC(u, level)
	})
}

// BlockOutflows keeps a user's money from leaving, or no longer.
func (s *Sandbox) BlockOutflows(userID string, block bool) error {
	return s.user(userID, func(c *call, u *user) error {
		if u.Blocked.Outflows == block {
			return nil
		}
		u.Blocked.Outflows = block
		event := "USER_OUTFLOWS_UNBLOCKED"
		if block {
			event = "USER_OUTFLOWS_BLOCKED"
		}
		return firstOf(users.Put(c.tx, u), c.tell(u.ID, event))
	})
}

// AuthoriseTransfer is an owner at the page of a transfer. One that is over changes nothing.
func (s *Sandbox) AuthoriseTransfer(id string, pass bool) error {
	return s.write(&call{}, func(c *call) error {
		t, err := c.transaction("Transfer", id, typeTransfer, natureRegular)
		if err != nil {
			return err
		}
		return c.authorised(t, pass)
	})
}

// AnswerRecipient is an owner at the page of a recipient. One that is over changes nothing.
func (s *Sandbox) AnswerRecipient(id string, pass bool) error {
	return s.write(&call{}, func(c *call) error {
		o, err := get(c.tx, recipients, "Recipient", id)
		if err != nil {
			return err
		}
		return c.answerRecipient(o, pass)
	})
}

// EndVerification is an owner at the page of their verification, or Mangopay after it. One that is over changes nothing.
func (s *Sandbox) EndVerification(id string, pass bool) error {
	return s.write(&call{}, func(c *call) error {
		v, err := get(c.tx, verifications, "IdentityVerification", id)
		if err != nil {
			return err
		}
		return c.endVerification(v, pass)
	})
}

// SettlePayOut ends a payout that has not ended, with a code: 000000 is a success, 121009 a review that expired.
func (s *Sandbox) SettlePayOut(id, code string) error {
	return s.write(&call{}, func(c *call) error {
		t, err := c.transaction("PayOut", id, typePayOut, natureRegular)
		if err != nil {
			return err
		}
		return c.settle(t, code)
	})
}

// ReturnPayOut is a bank that sends a payout back after it had succeeded, with a RefundReasonType, less what banks have kept of it.
func (s *Sandbox) ReturnPayOut(id, reason string, kept int64) error {
	return s.write(&call{}, func(c *call) error {
		t, err := c.transaction("PayOut", id, typePayOut, natureRegular)
		if err != nil {
			return err
		}
		return c.returned(t, reason, kept)
	})
}

// OpenDispute is a bank that takes a pay-in back, or asks about it; the dispute's id.
func (s *Sandbox) OpenDispute(in DisputeOrder) (id string, err error) {
	err = s.write(&call{}, func(c *call) error {
		d, err := c.openDispute(in)
		if err == nil {
			id = d.ID
		}
		return err
	})
	return id, err
}

// DecideDispute is the bank's decision: WON, LOST or VOID.
func (s *Sandbox) DecideDispute(id, result string) error {
	return s.write(&call{}, func(c *call) error {
		if !slices.Contains([]string{disputeWon, disputeLost, disputeVoid}, result) {
			return standin.BadControl("result must be WON, LOST or VOID")
		}
		d, err := get(c.tx, disputes, "Dispute", id)
		if err != nil {
			return err
		}
		return c.decideDispute(d, result)
	})
}

// ReopenDispute is a bank that wants to see more of what was submitted.
func (s *Sandbox) ReopenDispute(id, message string) error {
	return s.write(&call{}, func(c *call) error {
		d, err := get(c.tx, disputes, "Dispute", id)
		if err != nil {
			return err
		}
		if d.Status != disputeSubmitted && d.Status != disputeAtBank {
			return standin.BadControl("the dispute has not been submitted")
		}
		d.Status, d.StatusMessage = disputeReopened, optional(message)
		deadline := c.now + contestTime
		d.ContestDeadlineDate = &deadline
		return firstOf(disputes.Put(c.tx, d), c.schedule(contestTime, actEndContest, d.ID), c.tell(d.ID, "DISPUTE_FURTHER_ACTION_REQUIRED"))
	})
}

// DecideDocument is Mangopay that has looked at a document that was handed in; without a RefusedReasonType it is good.
func (s *Sandbox) DecideDocument(id, refusal string) error {
	return s.write(&call{}, func(c *call) error {
		d, err := get(c.tx, documents, "Document", id)
		if err != nil {
			return err
		}
		if d.Status != documentAsked {
			return standin.BadControl("the document has not been handed in")
		}
		return c.decideDocument(d, refusal)
	})
}
