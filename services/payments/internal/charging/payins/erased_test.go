package payins_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
)

// between is the way to provider B, on which something happens before or after a payer is made.
type between struct {
	next          http.RoundTripper
	before, after func()
}

func (b *between) RoundTrip(r *http.Request) (*http.Response, error) {
	isPayer := r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/users/natural")
	if isPayer {
		b.before()
	}
	answer, err := b.next.RoundTrip(r)
	if isPayer {
		b.after()
	}
	return answer, err
}

// newestPayer is who was made last at provider B.
func newestPayer(b *paymentstest.B) (id string) {
	for _, u := range b.At.Snapshot().Users {
		if u.UserCategory == "PAYER" {
			id = u.ID
		}
	}
	return id
}

// Of a person who is erased while a card is registered for their pledge nothing is left; who is brought into another account goes on.
func TestErasedOrMergedWhileACardIsRegistered_LeavesNoPayer(t *testing.T) {
	t.Parallel()
	nothing := func() {}
	way := &between{before: nothing, after: nothing}
	b := paymentstest.NewB(t, func(c *app.Config) { way.next, c.MangopayTransport = c.MangopayTransport, way })
	tell := func(method, path, body string) {
		if status, answer := b.TellBy(method, path, body, servicetoken.Payments); status != http.StatusNoContent {
			t.Errorf("%s: %d %s", path, status, answer)
		}
	}
	erase := func(user int64) { tell(http.MethodDelete, fmt.Sprintf("/internal/payers/%d", user), "") }
	for i, c := range []struct {
		what     string
		when     func(fn func())
		isMerged bool
		isErased bool
	}{
		{"erased as the order was read", func(fn func()) { b.Content.SinceRead(fn) }, false, true},
		{"erased as the payer is made", func(fn func()) { way.before = fn }, false, true},
		{"erased as the payer was made", func(fn func()) { way.after = fn }, false, true},
		{"merged as the payer is made", func(fn func()) { way.before = fn }, true, false},
		{"merged as the payer was made, and the emptied account erased", func(fn func()) { way.after = fn }, true, true},
	} {
		user := int64(300 + 10*i)
		pledge := pledgeOf(b, user)
		done := false
		c.when(func() {
			if done {
				return
			}
			done = true
			if c.isMerged {
				tell(http.MethodPost, "/internal/payers/merge", fmt.Sprintf(`{"from_user_id":%d,"into_user_id":%d,"subject_ids":[%q],"merged_at":%q}`, user, user+1,
					pledge, b.Now().Format("2006-01-02T15:04:05.999999999Z07:00")))
			}
			if c.isErased {
				erase(user)
			}
		})
		status, _ := b.Call("card-registration-data", map[string]any{"pledgeId": pledge}, nil, nil)
		b.Content.SinceRead(nil)
		way.before, way.after = nothing, nothing
		if status != http.StatusServiceUnavailable || !done {
			t.Errorf("%s: answered %d", c.what, status)
		}
		made := newestPayer(b)
		b.Settle()
		if n := b.Count(`payers WHERE owner = ? OR ref = ?`, fmt.Sprintf("user:%d", user), made); n != 0 {
			t.Errorf("%s: %d payers are left", c.what, n)
		}
		if n := b.Count(`forgotten WHERE ref = ?`, made); made != "" && n != 1 {
			t.Errorf("%s: payer %s is not forgotten", c.what, made)
		}
		if n := b.Count(`payments WHERE backer_user_id = ?`, user); n != 0 {
			t.Errorf("%s: %d payments have the number", c.what, n)
		}
		if !c.isMerged {
			continue
		}
		if paid := b.Pay(b.Order(pledge, paymentstest.PlainCard)); paid.PayIn.Status != "SUCCEEDED" {
			t.Errorf("%s: %+v", c.what, paid)
		}
	}
	b.Audit()
}

// Whether a campaign takes money here is asked first.
func TestRegistration_OfACampaignWithoutAWallet_CostsNoOtherCall(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	b.Exec(`DELETE FROM campaign_wallets`)
	b.Fails("503", 100, http.MethodPost, "/wallets")
	pledge := b.Pledge()
	if status, code := b.Call("card-registration-data", map[string]any{"pledgeId": pledge}, nil, nil); status < 500 {
		t.Errorf("answered %d %s", status, code)
	}
	if made := newestPayer(b); made != "" {
		t.Errorf("payer %s was made", made)
	}
	if err := b.At.Calm(); err != nil {
		t.Fatal(err)
	}
	if r := b.Begin(pledge); r.CreditedWalletID != b.Wallet.ID {
		t.Errorf("the wallet is %s, was %s", r.CreditedWalletID, b.Wallet.ID)
	}
}
