package mangopay

import "time"

// debitPart is what a payment by mandate has.
type debitPart struct {
	MandateID  string `json:"MandateId"`
	ChargeDate *int64 `json:"ChargeDate"`
}

const (
	debitLeast      = 100           // minor units
	debitMost       = 2500_00       //
	debitRefundable = 7 * 24 * 3600 // seconds until a debit can be refunded
	fickleDelay     = 2 * 24 * 3600 // seconds until a fickle payer's bank takes a debit back
)

// chargeDate is the midnight of the day on which a bank is asked: tomorrow, of an order before half past five in
// Central Europe, else the day after. Weekends count like other days.
func chargeDate(now int64) int64 {
	t := time.Unix(now, 0).UTC().Add(time.Hour) // Central European Time, without summer
	days := 2
	if t.Hour() < 5 || t.Hour() == 5 && t.Minute() < 30 {
		days = 1
	}
	return time.Date(t.Year(), t.Month(), t.Day()+days, 0, 0, 0, 0, time.UTC).Unix()
}

func payByDebit(c *call) (any, error) {
	in, err := decode[struct {
		payInOrder
		MandateID     string  `json:"MandateId" rule:"required"`
		PaymentType   *string `json:"PaymentType" rule:"in=DIRECT_DEBIT"`
		ExecutionType *string `json:"ExecutionType" rule:"in=DIRECT"`
	}](c)
	if err != nil {
		return nil, err
	}
	t, _, err := c.newPayIn(in.payInOrder)
	if err != nil {
		return nil, err
	}
	m, err := get(c.tx, mandates, "Mandate", in.MandateID)
	if err != nil {
		return nil, err
	}
	if m.UserID != in.AuthorID {
		return nil, paramError("MandateId", "The mandate is not the author's.")
	}
	if in.DebitedFunds.Currency != "EUR" {
		return nil, paramError("DebitedFunds.Currency", "Direct debits are in EUR.")
	}
	t.PayIn.PaymentType, t.PayIn.ExecutionType, t.Debit = mandateKind, "DIRECT", &debitPart{MandateID: m.ID}
	code, err := c.refused(t)
	if err != nil {
		return nil, err
	}
	switch {
	case code != "":
	case !m.usable():
		code = "001833"
	case in.DebitedFunds.Amount > debitMost:
		code = "001011"
	case in.DebitedFunds.Amount < debitLeast:
		code = "001012"
	default:
		at := chargeDate(c.now)
		t.Debit.ChargeDate = &at
	}
	if err := c.begin("payin", t); err != nil {
		return nil, err
	}
	if code != "" {
		return t.shownAfter(c.settle(t, code))
	}
	return t.shownAfter(c.schedule(*t.Debit.ChargeDate+24*3600-c.now, actHearBank, t.ID))
}

// hearBank ends a debit as the first name of its payer says.
func (c *call) hearBank(id string) error {
	t, err := transactions.Find(c.tx, id)
	if err != nil || t == nil || t.Status != statusCreated {
		return err
	}
	u, err := c.person(t.AuthorID, "")
	if err != nil {
		return err
	}
	switch u.firstName() {
	case "Penniless":
		return c.settle(t, "001830")
	case "Fickle":
		return firstOf(c.settle(t, codeOK), c.schedule(fickleDelay, actTakeBack, t.ID))
	}
	return c.settle(t, codeOK)
}

// takeBack is a fickle payer's bank, days after the success.
func (c *call) takeBack(id string) error {
	t, err := transactions.Find(c.tx, id)
	if err != nil || t == nil {
		return err
	}
	_, err = c.openDispute(DisputeOrder{PayIn: t.ID, Type: notContestable, Reason: "LATE_FAILURE_INSUFFICIENT_FUNDS"})
	if _, refused := err.(*apiError); refused { //nolint:errorlint // ours, unwrapped: refunded or disputed meanwhile
		return nil
	}
	return err
}
