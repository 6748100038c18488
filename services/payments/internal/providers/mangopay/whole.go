package mangopay

// An answer that lacks what the API always answers is no answer, whatever it is: a proxy's page, half an object, a success without its code.
// Nothing counts as paid by it, and nothing as refused: it is asked again.

// whole is what tells of itself whether it has what it always has.
type whole interface{ isWhole() bool }

func isWhole(out any) bool {
	w, tells := out.(whole)
	return !tells || w.isWhole()
}

func (f funds) isWhole() bool { return f.Currency != "" && f.Amount > 0 }

func (p payIn) isWhole() bool { return p.Id != "" && p.Status != "" && p.DebitedFunds.isWhole() }

func (r refund) isWhole() bool { return r.Id != "" && r.Status != "" && r.DebitedFunds.isWhole() }

func (t transaction) isWhole() bool { return t.Id != "" && t.Status != "" && t.DebitedFunds.isWhole() }

func (d dispute) isWhole() bool { return d.Id != "" && d.Status != "" && d.DisputedFunds.isWhole() }

func (d disputeDocument) isWhole() bool { return d.Id != "" && d.Status != "" }

func (m mandate) isWhole() bool { return m.Id != "" && m.Status != "" }

func (r registration) isWhole() bool {
	return r.Id != "" && r.Status != "" && (r.Status != registrationValid || r.CardId != "")
}

func (k card) isWhole() bool { return k.Id != "" }

func (o owner) isWhole() bool { return o.Id != "" && o.UserStatus != "" }

func (a bankAccount) isWhole() bool { return a.Id != "" }

// named is what was made, of which the id is all that is read.
type named struct{ Id string } //nolint:revive // the wire's

func (n named) isWhole() bool { return n.Id != "" }

// outcome is what has become of money: it has succeeded or failed only with what belongs to that, and else it may yet do either.
func outcome(status, result string, executed *int64) string {
	switch {
	case status == succeeded && result == resultSuccess && executed != nil:
		return succeeded
	case status == failed && result != "" && result != resultSuccess:
		return failed
	}
	return created
}

func (p payIn) outcome() string { return outcome(p.Status, p.ResultCode, p.ExecutionDate) }

func (r refund) outcome() string { return outcome(r.Status, r.ResultCode, r.ExecutionDate) }

func (t transaction) outcome() string { return outcome(t.Status, t.ResultCode, t.ExecutionDate) }
