package settlements_test

import (
	"context"
	"testing"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/providers/mangopay"
)

// A debt is given up by two people, as far as it stands, and what was kept back has paid it first.
func TestWriteOff_IsTwoPeoples(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100, 50)
	w.end()
	w.paid(w.propose())
	w.refund(w.payments[0], 3000)
	w.refund(w.payments[1], 1000)
	propose := func(minor int64, who, note string, want error) string {
		t.Helper()
		id, err := w.App.Settlements.ProposeWriteOff(t.Context(), mangopay.Name, owner, money.New(minor, money.EUR), who, note)
		if !isErr(err, want) {
			t.Fatalf("%d by %q: %v, want %v", minor, who, err, want)
		}
		return id
	}
	approve := func(id, who string, want error) {
		t.Helper()
		if _, err := w.App.Settlements.ApproveWriteOff(t.Context(), id, who, why); !isErr(err, want) {
			t.Errorf("%s by %q: %v, want %v", id, who, err, want)
		}
	}
	owes := func(minor int64) settlements.Debt {
		t.Helper()
		list, err := w.App.Settlements.Debts(t.Context())
		if err != nil || len(list) != 1 || list[0].Minor != minor || list[0].PayeeID != owner || list[0].Provider != mangopay.Name {
			t.Fatalf("they owe %+v (%v), want %d", list, err, minor)
		}
		return list[0]
	}
	owes(2850 + 950)
	propose(3800, maker, why, settlements.ErrNotOwed) // 750 are kept back
	propose(100, " ", why, settlements.ErrNoPerson)
	propose(100, maker, " ", settlements.ErrNoPerson)
	first := propose(2500, maker, why, nil)
	propose(1, approver, why, settlements.ErrOpenWriteOff)
	if d := owes(3050); d.WriteOff != first || d.Amount != 2500 || d.KeptMinor != 0 {
		t.Errorf("it is %+v", d)
	}
	for _, who := range []string{maker, " MAIJA "} {
		approve(first, who, settlements.ErrOwnProposal)
	}
	err := desk.Appoint(t.Context(), w.App.DB, desk.Operator{UserID: owner, Name: "Maija Meri", IsOperator: true, Actor: maker, Note: why, At: w.Now()})
	if err != nil {
		t.Fatal(err)
	}
	approve(first, "MAIJA meri", settlements.ErrOwnMoney) // who owes it
	approve("x", approver, settlements.ErrNoWriteOff)
	if n := w.Count("ledger_transactions WHERE kind = 'write_off'"); n != 0 {
		t.Fatalf("%d movements of what nobody has approved", n)
	}
	approve(first, approver, nil)
	approve(first, second, settlements.ErrNoWriteOff)
	owes(550) // the oldest is given up first: 2100 of the first charge, 400 of the second
	if n := w.Count("ledger_transactions WHERE kind = 'write_off' AND amount_minor IN (2100, 400)"); n != 2 {
		t.Errorf("%d movements", n)
	}
	rest := propose(550, maker, why, nil)
	if err := w.App.Settlements.CancelWriteOff(t.Context(), rest, maker, why); err != nil {
		t.Error(err)
	}
	approve(rest, approver, settlements.ErrNoWriteOff)
	owes(550)
	for what, query := range map[string]string{
		"an approval by who proposed it": `UPDATE debt_write_offs SET ended_by = ' Maija' WHERE state = 'approved'`,
		"an approval by nobody":          `UPDATE debt_write_offs SET ended_by = ' ' WHERE state = 'approved'`,
		"one that is open and over":      `UPDATE debt_write_offs SET state = 'proposed'`,
	} {
		if err := w.DB.Gorm.WithContext(t.Context()).Exec(query).Error; err == nil {
			t.Errorf("the database takes %s", what)
		}
	}
	w.Audit()
}

// What has paid a debt since it was proposed to be given up has it proposed anew, and an approval that is killed anywhere gives up all or nothing.
func TestWriteOff_ChangedOrKilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100, 50)
	w.end()
	w.paid(w.propose())
	w.refund(w.payments[0], 3000)
	id, err := w.App.Settlements.ProposeWriteOff(t.Context(), mangopay.Name, owner, money.New(2100, money.EUR), maker, why)
	if err != nil {
		t.Fatal(err)
	}
	killer := &paymentstest.Killer{}
	killed := w.Another(w.Now, func(c *app.Config) { c.Tracer = killer })
	kills := 0
	for statement := 1; ; statement++ {
		was := killer.Kill(t.Context(), statement, func(ctx context.Context) { _, _ = killed.Settlements.ApproveWriteOff(ctx, id, approver, why) })
		if !was {
			break
		}
		kills++
		w.Bury()
		if over, posted := w.Count("debt_write_offs WHERE state = 'approved'"), w.Count("ledger_transactions WHERE kind = 'write_off'"); over != posted {
			t.Fatalf("killed at %d: %d approved, %d given up", statement, over, posted)
		}
	}
	if n := w.Count("ledger_transactions WHERE kind = 'write_off' AND amount_minor = 2100"); n != 1 || kills < 5 {
		t.Errorf("%d given up after %d kills", n, kills)
	}
	w.refund(w.payments[1], 1000)
	id, err = w.App.Settlements.ProposeWriteOff(t.Context(), mangopay.Name, owner, money.New(950, money.EUR), maker, why)
	if err != nil {
		t.Fatal(err)
	}
	w.Exec(`UPDATE debt_write_offs SET amount_minor = 951 WHERE id = ?`, id)
	if _, err := w.App.Settlements.ApproveWriteOff(t.Context(), id, approver, why); !isErr(err, settlements.ErrNotOwed) {
		t.Errorf("more than is owed is given up: %v", err)
	}
	w.Audit()
}
