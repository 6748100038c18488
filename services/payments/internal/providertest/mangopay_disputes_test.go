package providertest_test

import (
	"net/http"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/moneyback/refunds"
	sandbox "talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/standin"
)

// A bank takes from the platform's repudiation wallet: the campaign's wallet keeps the money until the bank has decided, and what is lost
// is then moved. What is won comes back to where it was taken.
func TestMangopay_ADispute_TakesFromTheRepudiationWallet_AndALostOneIsRepaidFromTheCampaigns(t *testing.T) {
	t.Parallel()
	for _, isLost := range []bool{true, false} {
		m := newMango(t)
		m.pay(frictionless)
		m.work(1)
		m.want(payments.StatusSucceeded, map[string]int64{wallet(m): 4200, "backer_funds:mangopay:7": -4200})
		d := m.dispute("CONTESTABLE", "FRAUD")
		m.work(2)
		m.want(payments.StatusDisputed, map[string]int64{wallet(m): 4200, repudiation: -4200, "dispute_hold:mangopay": 4200,
			"disputed_funds:mangopay:7": -4200})
		m.compare()
		m.pass(48 * time.Hour)
		if isLost {
			m.ok(m.at.DecideDispute(d, "LOST"))
			m.work(2)
			m.want(payments.StatusDisputed, map[string]int64{wallet(m): 0, repudiation: 0})
		} else {
			m.ok(m.at.DecideDispute(d, "WON"))
			m.work(2)
			m.want(payments.StatusSucceeded, map[string]int64{wallet(m): 4200, repudiation: 0, "backer_funds:mangopay:7": -4200})
		}
		if n := m.count("ledger_transactions WHERE kind = 'place_move'"); (n == 1) != isLost {
			t.Errorf("lost %t: %d moves", isLost, n)
		}
		m.compare()
		m.pass(48 * time.Hour)
		m.work(1)
		if n := m.count("disputes WHERE repay_at IS NOT NULL") + m.count("anomalies"); n != 0 {
			t.Errorf("lost %t: %d are still to be repaid, or open", isLost, n)
		}
	}
}

// A direct debit that came back for good is never on hold, and refunds that waited end with it.
func TestMangopay_ADebitThatComesBack_IsTakenAtOnceWithoutAHold(t *testing.T) {
	t.Parallel()
	for _, hasRefund := range []bool{false, true} {
		m := newMango(t)
		m.pay(frictionless)
		m.work(1)
		if hasRefund {
			m.ok(m.at.AddFault(sandbox.FaultRule{Kind: "503", Times: 100, Method: http.MethodPost, Path: "/payins/" + m.payIn()}))
			if _, _, err := m.service.Refund(t.Context(), m.payment().ID, refunds.Wish{AmountMinor: 1200, Reason: refunds.Requested}); err != nil {
				t.Fatal(err)
			}
		}
		m.dispute("NOT_CONTESTABLE", "LATE_FAILURE_INSUFFICIENT_FUNDS")
		m.work(2)
		m.want(payments.StatusDisputed, nil)
		if n := m.count("ledger_transactions WHERE kind IN ('dispute_opened', 'dispute_lost')"); n != 0 {
			t.Errorf("%d movements of a dispute", n)
		}
		if n := m.count("disputes WHERE status = 'returned' AND withdrawn_minor = 4200 AND repaid_minor = 4200 AND next_check_at IS NULL"); n != 1 {
			t.Error("the dispute does not stand as returned")
		}
		if n := m.count("refunds WHERE status <> 'canceled'"); n != 0 {
			t.Errorf("%d refunds go on", n)
		}
		m.ok(m.at.Calm())
		m.compare()
		m.pass(time.Hour)
		m.work(1)
		m.want(payments.StatusDisputed, nil)
	}
}

func TestMangopay_AQuestionOfABank_MovesNothing(t *testing.T) {
	t.Parallel()
	m := newMango(t)
	m.pay(frictionless)
	m.work(1)
	d := m.dispute("RETRIEVAL", "UNKNOWN")
	for _, status := range []string{"inquiry", "closed"} {
		m.work(1)
		m.want(payments.StatusSucceeded, map[string]int64{wallet(m): 4200, "backer_funds:mangopay:7": -4200})
		if n := m.count("disputes WHERE status = ?", status); n != 1 {
			t.Errorf("%d disputes are %s", n, status)
		}
		if status == "inquiry" {
			m.ok(m.at.DecideDispute(d, "VOID"))
		}
	}
	m.compare()
}

// Whatever becomes of the answers, and whenever the worker asks again, what a bank keeps is moved once.
func TestMangopay_TheAnswerToARepaymentIsLost_IsMovedOnce(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{standin.CutAfter, standin.CutBefore, "500_after", "503"} {
		for name, later := range map[string]time.Duration{"soon": 2 * time.Minute, "when the key is forgotten": 26 * time.Hour} {
			m := newMango(t)
			m.pay(frictionless)
			m.work(1)
			m.ok(m.at.AddFault(sandbox.FaultRule{Kind: fault, Times: 3, Method: http.MethodPost, Path: "/repudiations/"}))
			m.dispute("NOT_CONTESTABLE", "FRAUD")
			m.work(1)
			m.pass(later)
			for range 3 {
				m.work(1)
				m.pass(7 * time.Hour)
			}
			m.want(payments.StatusDisputed, nil)
			moves := 0
			for _, tx := range m.at.Snapshot().Transactions {
				if tx.Nature == "SETTLEMENT" {
					moves++
				}
			}
			if n := m.count("disputes WHERE repaid_minor = 4200 AND repay_at IS NULL"); moves != 1 || n != 1 {
				t.Errorf("%s, %s: %d moves, %d disputes repaid", fault, name, moves, n)
			}
			m.compare()
		}
	}
}

// When the campaign's wallet has less, nothing is moved and a person is told; once it has the money, it is moved by itself.
func TestMangopay_TheWalletHasLess_APersonIsTold_AndItIsMovedWhenTheMoneyIsThere(t *testing.T) {
	t.Parallel()
	m := newMango(t)
	m.pay(frictionless)
	m.work(1)
	elsewhere := m.newWallet(m.wallet.Owner)
	transfer := func(from, to string) {
		m.post("/transfers", map[string]any{"AuthorId": m.wallet.Owner, "DebitedWalletId": from, "CreditedWalletId": to,
			"DebitedFunds": map[string]any{"Currency": "EUR", "Amount": 4000}, "Fees": map[string]any{"Currency": "EUR", "Amount": 0}})
	}
	transfer(m.wallet.ID, elsewhere)
	m.dispute("NOT_CONTESTABLE", "FRAUD")
	m.work(1)
	if n := m.count("anomalies WHERE kind = 'dispute_stuck' AND resolved_at IS NULL"); n != 1 {
		t.Errorf("%d anomalies", n)
	}
	if n := m.count("disputes WHERE repay_refusals = 1 AND repaid_minor = 0 AND repay_at > ?", m.now()); n != 1 {
		t.Error("it is not tried again later")
	}
	m.work(1)
	if n := m.count("disputes WHERE repay_refusals = 1"); n != 1 {
		t.Error("it is tried again at once")
	}
	transfer(elsewhere, m.wallet.ID)
	m.pass(13 * time.Hour)
	m.work(1)
	m.want(payments.StatusDisputed, nil)
	if n := m.count("anomalies WHERE resolved_at IS NULL"); n != 0 {
		t.Errorf("%d anomalies are still open", n)
	}
}

// The pass takes up what no hook told: a dispute, its decision, and what was moved for it in the provider's own pages.
func TestMangopay_NothingIsTold_ThePassesTakeUpDisputesAndMoves(t *testing.T) {
	t.Parallel()
	m := newMango(t)
	m.pay(frictionless)
	m.work(1)
	d := m.dispute("NOT_CONTESTABLE", "LATE_FAILURE_CONTACT_USER")
	m.post("/repudiations/"+m.repudiation(d)+"/settlementtransfer", map[string]any{"AuthorId": m.wallet.Owner,
		"DebitedFunds": map[string]any{"Currency": "EUR", "Amount": 1200}, "Fees": map[string]any{"Currency": "EUR", "Amount": 0}})
	m.loseHooks()
	m.pass(10 * time.Minute)
	m.compare()
	m.loseHooks()
	m.work(1)
	m.want(payments.StatusDisputed, nil)
	if n := m.count("ledger_transactions WHERE kind = 'place_move'"); n != 2 {
		t.Errorf("%d moves, want theirs and the rest", n)
	}
	m.compare()
}

func (m *mango) repudiation(dispute string) string {
	m.t.Helper()
	for _, d := range m.at.Snapshot().Disputes {
		if d.ID == dispute {
			return d.RepudiationID
		}
	}
	m.t.Fatalf("no dispute %s", dispute)
	return ""
}
