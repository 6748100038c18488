//go:build unix

package e2e

import (
	"strings"
	"testing"

	"talkoot.fi/scripts/harness"
)

// operate runs an operator's command and returns its output.
func (s scene) operate(command string, args ...string) string {
	s.Helper()
	said, err := world.Operate(s.ctx, command, args...)
	s.must(err)
	return said
}

func TestOperatorRefundsInPartsOnceForEachKey(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.pay(v, made.ID)
	s.await(v, made.ID, "paid")
	payment, err := v.ReadPayment(s.ctx, made.ID)
	s.must(err)
	part := []string{"-payment", payment.ID, "-amount", "10", "-key", made.ID, "-note", "half of it never came"}
	first := s.operate("refund", part...)
	s.await(v, made.ID, "partly_refunded")
	if again := s.operate("refund", part...); strings.Fields(again)[1] != strings.Fields(first)[1] {
		t.Errorf("the same key gave %q and %q", first, again)
	}
	s.must(s.until(func() (bool, error) {
		page, err := v.Campaign(s.ctx, c.ID)
		return err == nil && page.FundingReached == 15, err
	}))
	if _, err := world.Operate(s.ctx, "refund", "-payment", payment.ID, "-amount", "15.01", "-key", "more "+payment.ID,
		"-note", "too much"); err == nil {
		t.Error("more than was paid goes back")
	}
	s.operate("refund", "-payment", payment.ID, "-all", "-key", "rest "+payment.ID, "-note", "the rest of it never came either")
	s.await(v, made.ID, "refunded")
	s.wantCharges(made.ID, harness.Money{Charges: 1, Charged: 2500, Returned: 2500})
}

func TestRefundThatFailsAtTheBankIsRepeatedByAnOperator(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.pay(v, made.ID)
	s.await(v, made.ID, "paid")
	payment, err := v.ReadPayment(s.ctx, made.ID)
	s.must(err)
	s.operate("refund", "-payment", payment.ID, "-all", "-key", "back "+payment.ID, "-note", "wanted back")
	s.await(v, made.ID, "refunded")
	var ours, theirs string
	s.must(world.Payments.QueryRow(s.ctx, `SELECT id, provider_ref FROM refunds WHERE payment_id = $1`, payment.ID).Scan(&ours, &theirs))
	s.must(world.FailRefund(s.ctx, theirs))
	s.must(s.until(func() (bool, error) { return strings.Contains(s.operate("anomalies"), ours), nil }))
	s.operate("refund", "-repeat", ours, "-note", "the bank can take it now")
	s.must(s.until(func() (bool, error) {
		n, err := harness.Number(s.ctx, world.Payments, `SELECT count(*) FROM refunds WHERE repeats = $1 AND status = 'succeeded'`, ours)
		return n == 1, err
	}))
	if list := s.operate("anomalies"); strings.Contains(list, ours) {
		t.Errorf("its anomaly is still open:\n%s", list)
	}
	s.wantCharges(made.ID, harness.Money{Charges: 1, Charged: 2500, Returned: 2500})
}
