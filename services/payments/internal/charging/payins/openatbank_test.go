package payins_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/providers/mangopay"
)

// A campaign's cards are taken by another provider from now on, and a bank of the one before still asks its payer: the form says so, and by
// when that ends, and is there once it has.
func TestForm_WhileABankOfTheOtherProviderAsks_SaysSo(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	asked := b.Pay(b.Order(pledge, paymentstest.AskedCard))
	if err := b.App.Payees.SetAccounts(t.Context(), 7, 2, map[string]string{mangopay.Name: "", "stripe": "acct_1"}); err != nil {
		t.Fatal(err)
	}
	b.Fails("403", 2, http.MethodGet, "/payins/") // which says nothing of the payment
	if a := b.Setup(pledge); a.Status != http.StatusServiceUnavailable && a.Status != http.StatusBadGateway {
		t.Errorf("while the provider shows us nothing: %d %s", a.Status, a.Code)
	}
	if err := b.At.Calm(); err != nil {
		t.Fatal(err)
	}
	status, raw := b.Send(http.MethodPost, b.API.URL+"/api/pledges/"+pledge+"/setup/", "application/json", strings.NewReader("{}"), nil)
	var fault struct {
		Status string
		Params struct{ Until time.Time }
	}
	if err := json.Unmarshal(raw, &fault); err != nil {
		t.Fatal(err)
	}
	var until time.Time
	b.Scan(&until, `SELECT payable_until FROM payments WHERE subject_id = ?`, pledge)
	if status != http.StatusConflict || fault.Status != "payment_open_at_bank" || !fault.Params.Until.Equal(until) {
		t.Errorf("%d %s; until %s", status, raw, until)
	}
	atPage(b, asked.PayIn.SecureModeRedirectURL, "fail")
	if a := b.Setup(pledge); a.Status != http.StatusOK || a.Stripe.PaymentIntent.ClientSecret == "" {
		t.Errorf("afterwards: %+v", a)
	}
}
