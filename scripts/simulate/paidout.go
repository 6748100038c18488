package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	content "talkoot.fi/content/inproc"
	"talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/stripe"
)

// payingOut is about what comes after a campaign's end: its money on its way to its creator, and back from there.
func payingOut() theme {
	return theme{again: "WHAT=payouts ", operations: 150, rounds: mostRefusedRounds, takesB: true, kinds: payoutKinds(), begin: (*simulation).beginPayingOut,
		alongside: []string{"run settlements", "run settlements", "what was kept back", "what was kept back", "what was kept back", "drain webhooks", "tidy",
			"let a settlement go on", "propose a settlement", "approve a settlement", "reconcile", "relay payment events"},
		openings: []string{"propose a settlement", "propose a settlement", "approve a settlement", "approve a settlement", "run settlements", "run settlements",
			"the providers' own time"}}
}

// beginPayingOut makes three campaigns of one creator that keep what was raised, at provider A and two at B, with paid pledges, and lets them end.
func (sim *simulation) beginPayingOut(ctx context.Context) error {
	err := sim.begin(ctx, func(i int, creator int64, spec *content.CampaignSpec) (atA, atB bool) {
		spec.LastDay, spec.KeepWhatIsRaised, spec.CreatorID = startTime, true, creator
		return i == 0, i > 0
	})
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(sim.seed, streamBegin)) // #nosec G404 -- repeatable
	for i := range uint32(9) {
		form := operation{n: [4]uint32{i % 3, random.Uint32(), random.Uint32(), 1}}
		sim.clock.pass(rest)
		sim.createPledge(ctx, form)
		if i%3 == 0 {
			sim.setUp(ctx, operation{n: [4]uint32{newest, 0, 0, 0}})
			sim.confirmGood(ctx, operation{n: [4]uint32{newest, 0, 0, 0}})
		} else {
			sim.payByCard(ctx, operation{n: [4]uint32{newest, 0, 3, 0}}) // by a card that pays
		}
		sim.everyStep(ctx)
	}
	for range 4 { // until what cards have paid at provider A can be sent on
		sim.clock.pass(3 * 24 * time.Hour)
		sim.everyStep(ctx)
	}
	return nil
}

// payoutKinds is the table of all operations in runs about payouts.
func payoutKinds() []kind {
	return []kind{
		// Backers, mostly before the end.
		{"create a pledge", 2, (*simulation).createPledge},
		{"set up the form", 2, (*simulation).setUp},
		{"confirm with a good card", 3, (*simulation).confirmGood},
		{"pledge and pay at B", 3, (*simulation).pledgeAndPay},
		{"pay by a debit at B", 2, (*simulation).payByDebit},
		{"a bank decides about a debit", 3, (*simulation).endPayIn},
		// What goes back after it.
		{"refund a part", 16, (*simulation).refundCovered},
		{"refund at the provider", 3, (*simulation).refundAtProvider},
		{"refund at provider B", 3, (*simulation).refundAtB},
		{"fail a refund", 3, (*simulation).failRefund},
		{"open a dispute", 4, (*simulation).openDispute},
		{"decide a dispute", 5, (*simulation).decideDispute},
		{"appeal a dispute", 3, (*simulation).appeal},
		{"open a dispute at B", 4, (*simulation).openDisputeAtB},
		{"decide a dispute at B", 5, (*simulation).decideDisputeAtB},
		{"a bank returns a debit", 3, (*simulation).returnDebit},
		// Payouts.
		{"end campaigns", 8, (*simulation).endCampaigns},
		{"propose a settlement", 14, (*simulation).proposeSettlement},
		{"approve a settlement", 16, (*simulation).approveSettlement},
		{"run settlements", 24, (*simulation).runSettlements},
		{"what was kept back", 14, (*simulation).runReserves},
		{"a payout to a creator fails", 14, (*simulation).failCreatorsPayout},
		{"let a settlement go on", 7, (*simulation).goOn},
		{"somebody takes back what was sent", 5, (*simulation).takeBackByHand},
		{"a debt is given up", 1, (*simulation).giveUp},
		// Signals and workers.
		{"deliver the oldest webhook", 14, (*simulation).deliverOldest},
		{"deliver any webhook", 8, (*simulation).deliverAny},
		{"lose a webhook", 6, (*simulation).loseWebhook},
		{"double a webhook", 3, (*simulation).doubleWebhook},
		{"the providers' own time", 10, (*simulation).runProvider},
		{"drain webhooks", 14, (*simulation).drain},
		{"relay payment events", 14, (*simulation).relayPayments},
		{"relay content's messages", 12, (*simulation).relayContent},
		{"tidy", 14, (*simulation).tidy},
		{"sweep", 5, (*simulation).sweep},
		{"reconcile", 4, (*simulation).reconcile},
		{"ask about creators' accounts", 2, (*simulation).sweepPayees},
		// Time.
		{"seconds pass", 6, (*simulation).passSeconds},
		{"minutes pass", 6, (*simulation).passMinutes},
		{"hours pass", 6, (*simulation).passHours},
		{"days pass", 10, (*simulation).passDays},
		// Faults.
		{"a call about payouts fails", 12, (*simulation).failPayoutCall},
		{"a call to the provider fails", 2, (*simulation).failCall},
		{"a call to provider B fails", 2, (*simulation).failCallToB},
		{"a host goes down", 1, (*simulation).goDown},
		{"hosts come back", 8, (*simulation).comeBack},
		{"payments dies", 10, (*simulation).killPayments},
		{"content dies", 1, (*simulation).killContent},
		{atOnce, 18, nil},
	}
}

// refundCovered gives a part of a payment back, or all of it, as a person does who has looked whether it can leave: at provider B from its campaign's wallet, with
// what is taken back from the creator's own. A refund that cannot is refused for days.
func (sim *simulation) refundCovered(ctx context.Context, o operation) {
	list := sim.rows(ctx, `SELECT p.id || ' ' || p.amount_minor - p.amount_refunded_minor || ' ' || coalesce((SELECT split_part(c.name, ':', 3) FROM ledger_transactions t
			JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts c ON c.id = e.account_id AND c.class = 'provider_clearing'
			WHERE t.kind = 'charge' AND t.provider = a.provider AND t.reference = a.charge_ref), 'main')
		FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id WHERE p.status IN ('succeeded', 'partly_refunded') ORDER BY p.id`)
	one, some := pick(list, o.n[0])
	var id, place string
	var minor int64
	if _, err := fmt.Sscan(one, &id, &minor, &place); err != nil || !some {
		return
	}
	if o.n[1]%4 > 0 {
		minor = min(minor, 100*int64(1+o.n[1]%25))
	}
	if place != "main" && sim.inWallet(place)-sim.leaving(ctx) < minor && (sim.inWallet(sim.payeeWallet) < 2*minor || sim.inWallet(place)-sim.leaving(ctx) < minor/10) {
		sim.note("not covered")
		return
	}
	key := sim.key()
	sim.operate("refund of a part", func(p *process) error { return p.payments.Refund(ctx, id, minor, key, operator) })
}

// inWallet is what a wallet at provider B has.
func (sim *simulation) inWallet(id string) int64 {
	for _, w := range sim.mangopay.Snapshot().Wallets {
		if w.ID == id {
			return w.Balance.Amount
		}
	}
	return 0
}

// leaving is what is still to leave from wallets at provider B.
func (sim *simulation) leaving(ctx context.Context) (minor int64) {
	list := sim.rows(ctx, `SELECT coalesce(sum(r.amount_minor), 0)::text FROM refunds r JOIN attempts a ON a.id = r.attempt_id WHERE a.provider = 'mangopay' AND r.status = 'creating'`)
	if len(list) > 0 {
		_, _ = fmt.Sscan(list[0], &minor)
	}
	return minor
}

// failCreatorsPayout is a bank that does not take a payout to a creator, or sends it back after it had arrived.
func (sim *simulation) failCreatorsPayout(_ context.Context, o operation) {
	var sent []func() error
	for _, t := range sim.mangopay.Snapshot().Transactions {
		if t.Type != "PAYOUT" || t.Nature != "REGULAR" || t.DebitedWalletID != sim.payeeWallet {
			continue
		}
		switch t.Status {
		case "CREATED":
			sent = append(sent, func() error { return sim.mangopay.SettlePayOut(t.ID, []string{"121004", "130006", "121030"}[o.n[1]%3]) })
		case "SUCCEEDED":
			sent = append(sent, func() error { return sim.mangopay.ReturnPayOut(t.ID, "OTHER", int64(o.n[2]%3)*7) })
		}
	}
	for _, p := range sim.sandbox.Snapshot().Payouts {
		if p.Account != "" && p.Status != "failed" && p.Status != "canceled" {
			sent = append(sent, func() error {
				_, err := sim.sandbox.FailPayout(stripe.PayoutFailure{Payout: p.ID})
				return err //nolint:wrapcheck // it is noted
			})
		}
	}
	if one, some := pick(sent, o.n[0]<<2|o.n[3]&3); some {
		err := one()
		sim.noteResult("failed", err)
		if err == nil {
			sim.count("payouts", "failed")
		}
	}
}

// takeBackByHand is somebody who takes a part of what was sent back in a provider's pages.
func (sim *simulation) takeBackByHand(ctx context.Context, o operation) {
	part := int64(1 + o.n[1]%1500)
	transfers := sim.sandbox.Snapshot().Transfers
	if t, some := pick(transfers, o.n[0]); some && o.n[2]%2 == 0 {
		err := sim.sandbox.ReverseTransfer(stripe.ReversalOrder{Transfer: t.ID, Amount: part})
		sim.noteResult("taken back", err)
		if err == nil {
			sim.count("payouts", "taken back by hand at A")
		}
		return
	}
	var places, undoable []string
	for _, t := range sim.mangopay.Snapshot().Transactions {
		if t.Type == "TRANSFER" && t.Nature == "REGULAR" && t.CreditedWalletID == sim.payeeWallet && t.Status == "SUCCEEDED" {
			places, undoable = append(places, t.DebitedWalletID), append(undoable, t.ID)
		}
	}
	to, some := pick(places, o.n[0])
	if !some {
		return
	}
	path, body := "/transfers", map[string]any{"AuthorId": sim.payee, "DebitedFunds": euros(part), "Fees": euros(int64(o.n[3]) % 2 * (part / 10)),
		"DebitedWalletId": sim.payeeWallet, "CreditedWalletId": to}
	if o.n[3]%3 == 0 {
		of, _ := pick(undoable, o.n[0])
		path, body = "/transfers/"+of+"/refunds", map[string]any{"AuthorId": sim.payee, "DebitedFunds": euros(part), "Fees": euros(0)}
	}
	_, err := sim.callB(ctx, path, body)
	sim.noteResult("taken back", err)
	if err == nil {
		sim.count("payouts", "taken back by hand at B")
	}
}

// giveUp has two people give up a part of what a creator owes.
func (sim *simulation) giveUp(ctx context.Context, o operation) {
	sim.onRuns("given up", func(p *process) error {
		list, err := p.payments.CreatorDebts(ctx)
		if err != nil || len(list) == 0 {
			return err
		}
		return p.payments.WriteOff(ctx, list[0], 1+int64(o.n[0])%list[0].Minor, operator, second)
	})
}

// failPayoutCall makes the next calls about payouts fail, at one of the providers.
func (sim *simulation) failPayoutCall(_ context.Context, o operation) {
	times := 1 + int(o.n[2]%4)
	kind, target := "", struct{ method, path string }{}
	var err error
	if o.n[3]%2 == 0 {
		kind = []string{"500", "500_stored", "409", "429", "cut_before", "cut_after", "cut_after", "cut_after", "503"}[o.n[0]%9]
		target.method, target.path = "POST", []string{"/v1/transfers", "/v1/payouts", "/v1/transfers/", ""}[o.n[1]%4]
		err = sim.sandbox.AddFault(stripe.FaultRule{Kind: kind, Times: times, Method: target.method, Path: target.path})
	} else {
		kind = []string{"429", "500", "500_after", "500_after", "500_stored", "503", "cut_before", "cut_after", "cut_after"}[o.n[0]%9]
		target.method, target.path = []string{"POST", ""}[o.n[1]>>4%2], []string{"/transfers", "/transfers", "/payouts", "/wallets/", "/users/"}[o.n[1]%5]
		err = sim.mangopay.AddFault(mangopay.FaultRule{Kind: kind, Times: times, Method: target.method, Path: target.path})
	}
	if err != nil {
		sim.find("the simulation works", "%v", err)
	}
	sim.note("%s, %d times, %s %s", kind, times, target.method, target.path)
	sim.count("faults", "of payouts: "+kind)
}
