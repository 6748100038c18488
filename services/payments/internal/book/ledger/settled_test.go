package ledger_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/migrations"
)

const creator = 31

// settle is the settlement of a charge of move's campaign: a fee of 5 % with 25.5 % of tax in it, and 5 % kept back.
func settle(charge string, minor int64) ledger.Movement {
	m := of(move(ledger.Settlement, charge, minor), charge)
	fee := minor / 20
	vat, err := money.New(fee, money.EUR).IncludedVAT(2550)
	if err != nil {
		panic(err)
	}
	m.Payee, m.Country = creator, "FI"
	m.Shares = ledger.Shares{Revenue: fee - vat.Minor, VAT: vat.Minor, Reserve: minor / 20}
	return m
}

func of(m ledger.Movement, charge string) ledger.Movement {
	m.Of = &ledger.Money{CampaignID: 7, Charge: charge}
	return m
}

// toCreator is a movement of many charges' money.
func toCreator(kind ledger.Kind, reference string, minor int64) ledger.Movement {
	m := move(kind, reference, minor)
	m.Of, m.Payee = nil, creator
	return m
}

func balances(t *testing.T, db *gorm.DB) map[string]int64 {
	t.Helper()
	var rows []struct {
		Name  string
		Minor int64
	}
	err := db.Raw(`SELECT a.name, sum(e.amount_minor) AS minor FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
		GROUP BY a.name HAVING sum(e.amount_minor) <> 0`).Scan(&rows).Error
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int64{}
	for _, r := range rows {
		out[r.Name] = r.Minor
	}
	return out
}

func expect(t *testing.T, db *gorm.DB, when string, want map[string]int64) {
	t.Helper()
	if got := balances(t, db); !maps.Equal(got, want) {
		t.Errorf("%s:", when)
		for _, name := range slices.Sorted(maps.Keys(want)) {
			t.Logf("  %s at %d, want %d", name, got[name], want[name])
			delete(got, name)
		}
		t.Fatalf("  and besides %v", got)
	}
}

// Two charges are settled, sent and paid out. Then the bank of one takes it back, and the creator pays what they owe by what was
// kept back, by a reversal, by their next campaign, and at last not at all.
func TestLife_PaidOutAndThenDisputed(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	for charge, fee := range map[string]int64{"ch_1": 175, "ch_2": 35} {
		mustPost(t, db, of(move(ledger.Charge, charge, map[string]int64{"ch_1": 10000, "ch_2": 5000}[charge]), charge))
		mustPost(t, db, of(move(ledger.ProviderFee, charge, fee), charge))
	}
	mustPost(t, db, settle("ch_1", 10000))
	mustPost(t, db, settle("ch_2", 5000))
	expect(t, db, "settled", map[string]int64{
		"provider_clearing:stripe:main": 14790, "provider_fees:stripe": 210, "platform_revenue": -597, "vat:FI": -153,
		"reserve:stripe:31": -750, "creator_payable:stripe:31": -13500,
	})
	mustPost(t, db, toCreator(ledger.Transfer, "tr_1", 13500))
	mustPost(t, db, toCreator(ledger.CreatorPayout, "po_1", 13500))
	mustPost(t, db, toCreator(ledger.CreatorPayoutReturned, "po_1", 13500))
	sent := map[string]int64{
		"provider_clearing:stripe:main": 1290, "provider_fees:stripe": 210, "platform_revenue": -597, "vat:FI": -153,
		"reserve:stripe:31": -750, "at_creator:stripe:31": 13500, "creator_held:stripe:31": -13500,
	}
	expect(t, db, "sent, and the payout came back", sent)

	mustPost(t, db, of(move(ledger.DisputeOpened, "dp_1", 10000), "ch_1"))
	opening, err := ledger.TransactionOf(t.Context(), db, "stripe", ledger.DisputeOpened, "dp_1")
	if err != nil {
		t.Fatal(err)
	}
	lost := of(move(ledger.DisputeLost, "dp_1", 10000), "ch_1")
	lost.Opening = opening
	mustPost(t, db, lost)
	if p := positionOf(t, db, "ch_1"); p != (ledger.Position{Debt: 9500}) {
		t.Errorf("the lost charge stands at %+v", p)
	}
	mustPost(t, db, of(move(ledger.ReserveUsed, "r_1", 750), "ch_1"))
	mustPost(t, db, toCreator(ledger.TransferReversed, "trr_1", 6000))
	mustPost(t, db, of(move(ledger.DebtOffset, "o_1", 6000), "ch_1"))
	expect(t, db, "lost, and paid as far as there is money", map[string]int64{
		"provider_clearing:stripe:main": -2710, "provider_fees:stripe": 210, "platform_revenue": -199, "vat:FI": -51,
		"creator_debt:stripe:31": 2750, "at_creator:stripe:31": 7500, "creator_held:stripe:31": -7500,
	})

	mustPost(t, db, of(move(ledger.Charge, "ch_3", 2000), "ch_3"))
	mustPost(t, db, settle("ch_3", 2000))
	if _, err := post(t, db, of(move(ledger.DebtOffset, "o_2", 1801), "ch_1")); !errors.Is(err, ledger.ErrOverdrawn) {
		t.Errorf("more than is payable pays a debt: %v", err)
	}
	mustPost(t, db, of(move(ledger.DebtOffset, "o_2", 1800), "ch_1"))
	if _, err := post(t, db, of(move(ledger.WriteOff, "w_1", 951), "ch_1")); !errors.Is(err, ledger.ErrOverdrawn) {
		t.Errorf("more than the debt is given up: %v", err)
	}
	mustPost(t, db, of(move(ledger.WriteOff, "w_1", 950), "ch_1"))
	expect(t, db, "the rest was given up", map[string]int64{
		"provider_clearing:stripe:main": -710, "provider_fees:stripe": 210, "platform_revenue": -279, "vat:FI": -71,
		"reserve:stripe:31": -100, "loss:write_off": 950, "at_creator:stripe:31": 7500, "creator_held:stripe:31": -7500,
	})
	if p := positionOf(t, db, "ch_1"); p != (ledger.Position{GivenUp: 950}) {
		t.Errorf("the charge stands at %+v: nothing of it is the creator's", p)
	}

	took, err := ledger.TransactionOf(t.Context(), db, "stripe", ledger.DisputeLost, "dp_1")
	if err != nil {
		t.Fatal(err)
	}
	appealed, won := of(move(ledger.DisputeLostReversed, "dp_1", 10000), "ch_1"), of(move(ledger.DisputeWon, "dp_1", 10000), "ch_1")
	appealed.Opening, won.Opening = took, opening
	mustPost(t, db, appealed)
	mustPost(t, db, won)
	expect(t, db, "won on appeal: what the creator has paid is theirs, what was given up is no loss", map[string]int64{
		"provider_clearing:stripe:main": 9290, "provider_fees:stripe": 210, "platform_revenue": -677, "vat:FI": -173, "creator_payable:stripe:31": -8550,
		"reserve:stripe:31": -100, "at_creator:stripe:31": 7500, "creator_held:stripe:31": -7500,
	})
}

// What is not the creator's cannot be sent, and what is not the campaign's cannot be settled.
func TestPost_SettlingAndSending_TakeWhatIsThere(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	for _, charge := range []string{"ch_1", "ch_2"} {
		mustPost(t, db, of(move(ledger.Charge, charge, 10000), charge))
	}
	mustPost(t, db, settle("ch_1", 10000))
	again := settle("ch_1", 10000)
	again.Reference = "ch_1 again"
	nobodys, stranger := settle("ch_2", 10000), settle("ch_1", 1)
	nobodys.Payee, stranger.Payee, stranger.Reference = 0, creator+1, "stranger"
	untaxed, greedy := settle("ch_2", 10000), settle("ch_2", 10000)
	untaxed.Country, greedy.Shares.Reserve = "", 10000
	whole := move(ledger.HeldReturned, "x", 100)
	whole.Of = nil
	for name, c := range map[string]struct {
		m    ledger.Movement
		want error
	}{
		"settled twice":              {again, ledger.ErrOverdrawn},
		"more than the charge":       {settle("ch_2", 10001), ledger.ErrOverdrawn},
		"for nobody":                 {nobodys, ledger.ErrMovement},
		"for another than before":    {stranger, ledger.ErrMovement},
		"of no country":              {untaxed, ledger.ErrMovement},
		"shares above the sum":       {greedy, ledger.ErrMovement},
		"more is sent":               {toCreator(ledger.Transfer, "tr_1", 9001), ledger.ErrOverdrawn},
		"more is released":           {toCreator(ledger.ReserveReleased, "r_1", 501), ledger.ErrOverdrawn},
		"a debt that is not there":   {of(move(ledger.DebtOffset, "o_1", 1), "ch_1"), ledger.ErrOverdrawn},
		"of all charges, not of one": {whole, ledger.ErrMovement},
		"sent of one charge":         {of(toCreator(ledger.Transfer, "tr_1", 100), "ch_1"), ledger.ErrMovement},
	} {
		if _, err := post(t, db, c.m); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	mustPost(t, db, toCreator(ledger.ReserveReleased, "r_1", 500))
	mustPost(t, db, toCreator(ledger.Transfer, "tr_1", 9500))
	if p := positionOf(t, db, "ch_1"); p != (ledger.Position{Creator: 9500, Revenue: 398, VAT: 102}) {
		t.Errorf("the settled charge stands at %+v", p)
	}
}

// Two transfers of the same money at once: one finds nothing left, although neither names a charge.
func TestPost_TwoSendTheSameMoney_OneIsRefused(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	for n := range 10 {
		charge := fmt.Sprint("ch_", n)
		mustPost(t, db, of(move(ledger.Charge, charge, 1000), charge))
		mustPost(t, db, settle(charge, 1000))
		results := make([]error, 2)
		var wait sync.WaitGroup
		for i := range results {
			wait.Go(func() { _, results[i] = post(t, db, toCreator(ledger.Transfer, fmt.Sprint("tr_", n, i), 900)) })
		}
		wait.Wait()
		refused := 0
		for _, err := range results {
			if errors.Is(err, ledger.ErrOverdrawn) {
				refused++
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if refused != 1 {
			t.Fatalf("%d were refused: %v", refused, results)
		}
	}
}

// Money moves between the places of a balance, and each place is a balance of its own.
func TestPost_PlaceMove(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	charge := of(move(ledger.Charge, "ch_1", 5000), "ch_1")
	charge.Place = "wallet-7"
	mustPost(t, db, charge)
	fee := move(ledger.PlaceMove, "mv_1", 750)
	fee.Of, fee.Place, fee.From = nil, "fees", "wallet-7"
	mustPost(t, db, fee)
	expect(t, db, "moved", map[string]int64{
		"provider_clearing:stripe:wallet-7": 4250, "provider_clearing:stripe:fees": 750, "backer_funds:stripe:7": -5000,
	})
	posted, err := ledger.Find(t.Context(), db, "stripe", []string{"mv_1"})
	if err != nil || len(posted) != 2 {
		t.Fatalf("%+v, %v", posted, err)
	}
	for _, p := range posted {
		if want := map[string]int64{"fees": 750, "wallet-7": -750}[p.Place]; p.Amount.Minor != want {
			t.Errorf("%s: %d, want %d", p.Place, p.Amount.Minor, want)
		}
	}
}
