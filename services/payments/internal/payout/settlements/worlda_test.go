package settlements_test

import (
	"testing"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/endings"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/stripe"
	sandbox "talkoot.fi/sandbox/stripe"
)

// worldA is a campaign that is paid at provider A.
type worldA struct {
	*paymentstest.World
	runs
	account string // the creator's
}

const (
	// ripe is longer than the money of a charge is pending at the stand-in.
	ripe = 8 * 24 * time.Hour
	// arrives is longer than a payout is on its way there.
	arrives = 3 * 24 * time.Hour
)

// newWorldA makes a campaign whose creator can be paid, with a paid pledge of each sum whose money can be sent on.
func newWorldA(t *testing.T, euros ...int64) *worldA {
	t.Helper()
	w := &worldA{World: paymentstest.New(t, func(c *app.Config) { c.StripePause, c.StripeBreakAfter = time.Millisecond, 1000 })}
	w.of = w.World
	w.appoint()
	w.onboard(owner)
	w.paidBy(campaign)
	for _, e := range euros {
		w.pay(campaign, e)
	}
	w.Pass(ripe)
	return w
}

// onboard makes a person's account, which can be paid.
func (w *worldA) onboard(user int64) {
	w.T.Helper()
	made, err := w.App.Payees.Make(w.T.Context(), user, stripe.Name, &provider.PayeeOrder{Kind: provider.PayeeNatural, Email: "maija@example.com", AcceptedTerms: true,
		Currency: money.EUR, Country: "FI", Type: "individual", Website: "https://talkoot.example/profile/3/"})
	w.ok(err)
	w.account = made.Ref
	w.ok(w.Sandbox.OnboardAccount(w.account))
	w.Settle()
}

func (w *worldA) ok(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatal(err)
	}
}

func (w *worldA) paidBy(campaign int64) {
	w.T.Helper()
	w.ok(w.App.Payees.SetAccounts(w.T.Context(), campaign, 1, map[string]string{stripe.Name: w.account, "mangopay": ""}))
}

func (w *worldA) pay(campaign, euros int64) {
	w.T.Helper()
	pledge := w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.AmountMinor, o.CampaignID = euros*100, campaign })
	form := w.MustSetup(pledge)
	w.MustPay(form)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.payments = append(w.payments, form.Payment.ID)
}

// endOther ends another campaign with all its money.
func (w *worldA) endOther(campaign int64) {
	w.T.Helper()
	var paid struct {
		Pledges int
		Minor   int64
	}
	w.Scan(&paid, `SELECT count(*) AS pledges, sum(amount_minor)::bigint AS minor FROM payments WHERE campaign_id = ?`, campaign)
	w.ok(w.App.Endings.End(w.T.Context(), endings.Ending{CampaignID: campaign, Outcome: endings.Reached, GoesTo: endings.ToCreator, EndedAt: w.Now(),
		Accepted: paid.Pledges, AcceptedMinor: paid.Minor, Currency: "EUR"}))
}

// arrive has payouts reach the bank, and the worker see it.
func (w *worldA) arrive() {
	w.T.Helper()
	w.runDue(arrives)
	w.mustWork()
}

// runDue lets time pass at the provider.
func (w *worldA) runDue(d time.Duration) {
	w.T.Helper()
	w.Pass(d)
	for range 4 { // what is done may make something due
		_, err := w.Sandbox.RunDue(w.T.Context())
		w.ok(err)
	}
}

// payout is the newest one of a run.
func (w *worldA) payout() (ref string) {
	w.T.Helper()
	w.Scan(&ref, `SELECT ref FROM settlement_moves WHERE kind = 'payout' ORDER BY at DESC, try DESC LIMIT 1`)
	return ref
}

func (w *worldA) failPayout(code string) {
	w.T.Helper()
	_, err := w.Sandbox.FailPayout(sandbox.PayoutFailure{Payout: w.payout(), Code: code})
	w.ok(err)
}

// audit is what must be true at the end of every story: the book is the provider's, line by line, and the creator's account has what it says.
func (w *worldA) audit() {
	w.T.Helper()
	w.Audit()
	found, err := w.App.Reconcile.Lines(w.T.Context(), w.Stripe(), time.Now().Add(-time.Hour), w.Now().Add(time.Hour))
	if err != nil || found.Differ > 0 {
		var detail []string
		w.Scan(&detail, `SELECT reference || ' ' || detail::text FROM anomalies WHERE resolved_at IS NULL`)
		w.T.Errorf("the book differs from provider A %d times (%v): %v", found.Differ, err, detail)
	}
	booked := func(account string) (minor int64) {
		w.Scan(&minor, `SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.name = ?`, account)
		return minor
	}
	if ours, theirs := booked("provider_clearing:stripe:main"), w.Sandbox.Snapshot().Net["eur"]; ours != theirs {
		w.T.Errorf("our balance is %d in the book, the provider has %d", ours, theirs)
	}
	available, pending := w.Sandbox.AccountBalance(w.account)
	if at := booked("at_creator:stripe:3"); at != available+pending && w.Count(`settlement_moves WHERE state = 'open' AND kind = 'payout'`) == 0 {
		w.T.Errorf("the creator's account has %d in the book, the provider %d and %d", at, available, pending)
	}
	if held := booked("at_creator:stripe:3") + booked("creator_held:stripe:3"); held != 0 {
		w.T.Errorf("custody is off by %d", held)
	}
	sent, out := int64(0), int64(0)
	for _, t := range w.Sandbox.Snapshot().Transfers {
		sent += t.Amount - t.AmountReversed
	}
	for _, p := range w.Sandbox.Snapshot().Payouts {
		if p.Account != "" && p.Status == "paid" {
			out += p.Amount
		}
	}
	var booksSent, booksOut int64
	w.Scan(&booksSent, `SELECT coalesce(sum(amount_minor), 0)::bigint - (SELECT coalesce(sum(amount_minor), 0) FROM transfer_reversals WHERE state = 'done')
		FROM settlement_moves WHERE kind = 'transfer' AND state = 'done'`)
	w.Scan(&booksOut, `SELECT coalesce(sum(amount_minor), 0)::bigint FROM settlement_moves WHERE kind = 'payout' AND state = 'done'`)
	if n := w.Count(`transfer_reversals v WHERE state = 'done' AND (NOT EXISTS (SELECT FROM ledger_transactions t
			WHERE (t.provider, t.kind, t.reference, t.amount_minor, t.payee_id) = (v.provider, 'transfer_reversed', v.ref, v.amount_minor, v.payee_id))
		OR paid_minor <> (SELECT coalesce(sum(t.amount_minor), 0) FROM ledger_transactions t WHERE t.kind = 'debt_offset' AND split_part(t.reference, ':', 1) = v.id))`); n > 0 {
		w.T.Errorf("%d reversals are not in the book as they are", n)
	}
	if sent != booksSent || out != booksOut {
		w.T.Errorf("%d transferred and %d paid out there, our runs say %d and %d", sent, out, booksSent, booksOut)
	}
}
