package settlements_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/paymentstest"
)

const owner = 3 // whose the campaign is

// shown are the payouts that a person sees, in short.
func (w *runs) shown(person int64) string {
	w.of.T.Helper()
	status, body := w.of.Send(http.MethodGet, w.of.API.URL+"/api/users/me/payouts", "", http.NoBody, map[string]string{"Authorization": paymentstest.SessionOf(person, false)})
	var got api.PayoutsAnswer
	if err := json.Unmarshal(body, &got); err != nil || status != http.StatusOK {
		w.of.T.Fatalf("%d %s: %v", status, body, err)
	}
	out := make([]string, len(got.Payouts))
	for i, p := range got.Payouts {
		out[i] = fmt.Sprintf("%d %s %d = %d (%d) + %d + %d + %d", p.CampaignID, p.Stage, p.CollectedMinor, p.FeeMinor, p.VatMinor, p.ReserveMinor, p.SetOffMinor, p.NetMinor)
		if p.Month != nil {
			out[i] += " " + *p.Month
		}
		if p.Carried != nil {
			out[i] += fmt.Sprintf(" waits %d of %d", p.Carried.SumMinor, p.Carried.MinimumMinor)
		}
		for _, at := range []*time.Time{p.CountedAt, p.ApprovedAt, p.SentAt, p.ArrivedAt} {
			if at != nil {
				out[i] += " ✓"
			}
		}
		if p.Bank != nil {
			out[i] += " " + p.Bank.Country + p.Bank.LastFour
		}
	}
	return strings.Join(out, "; ")
}

// A creator sees what their campaign's money is divided into and how far it is; nobody else sees it.
func TestOwnPayouts_FollowTheMoneyToItsBank(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	want := func(when, what string) {
		t.Helper()
		if got := w.shown(owner); got != what {
			t.Errorf("%s: %q, want %q", when, got, what)
		}
	}
	want("while it is open", "")
	w.end()
	want("nobody has begun", fmt.Sprintf("%d checking 0 = 0 (0) + 0 + 0 + 0", campaign))
	r := w.propose()
	sums := " 10000 = 500 (102) + 500 + 0 + 9000"
	is := func(stage string) string { return fmt.Sprintf("%d %s%s", campaign, stage, sums) }
	want("counted", is("checking")+" ✓")
	w.approve(r, approver, nil)
	if err := w.At.RevokeConsents(w.Wallet.Owner); err != nil {
		t.Fatal(err)
	}
	w.mustWork()
	want("its creator has revoked what they had allowed", is("needs_you")+" ✓ ✓")
	if err := w.At.Enrol(w.Wallet.Owner, true); err != nil {
		t.Fatal(err)
	}
	w.go_(r.ID)
	w.mustWork()
	want("on its way to the bank", is("paying")+" ✓ ✓ ✓ FI0785")
	w.arrive()
	want("there", is("arrived")+" ✓ ✓ ✓ ✓ FI0785")
	var out string
	w.Scan(&out, `SELECT ref FROM settlement_moves WHERE kind = 'payout'`)
	if err := w.At.ReturnPayOut(out, "BANKACCOUNT_HAS_BEEN_CLOSED", 0); err != nil {
		t.Fatal(err)
	}
	w.Pass(25 * time.Hour)
	w.mustWork()
	want("sent back", is("needs_you")+" ✓ ✓ ✓ FI0785")
	w.Bank("FI4950009420028730")
	want("they have given another account", is("leaving")+" ✓ ✓ ✓ FI0785")
	if got := w.shown(77); got != "" {
		t.Errorf("somebody else sees %q", got)
	}
	if err := w.App.Payees.Merge(t.Context(), owner, 77); err != nil {
		t.Fatal(err)
	}
	if got := w.shown(77); got != is("leaving")+" ✓ ✓ ✓ FI0785" {
		t.Errorf("who owns the account now sees %q", got)
	}
}
