package mangopay

import (
	"errors"
	"net/http"
	"testing"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
	sandbox "talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/standin"
)

// What a bank does moves the platform's own wallet, never the campaign's, and each kind of dispute has its state.
func TestDisputes_EachKindHasItsState_AndTheBankTakesFromTheRepudiationWallet(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind, reason, result string
		state                provider.DisputeState
		moved                []int64
	}{
		"open":              {"CONTESTABLE", "FRAUD", "", provider.DisputeOpen, []int64{-3000}},
		"lost":              {"CONTESTABLE", "FRAUD", "LOST", provider.DisputeLost, []int64{-3000}},
		"won":               {"CONTESTABLE", "FRAUD", "WON", provider.DisputeWon, []int64{-3000, 3000}},
		"void":              {"CONTESTABLE", "FRAUD", "VOID", provider.DisputeClosed, []int64{-3000, 3000}},
		"a question":        {"RETRIEVAL", "UNKNOWN", "", provider.DisputeInquiry, nil},
		"an answered one":   {"RETRIEVAL", "UNKNOWN", "VOID", provider.DisputeClosed, nil},
		"a late failure":    {"NOT_CONTESTABLE", "LATE_FAILURE_BANKACCOUNT_CLOSED", "", provider.DisputeReturned, []int64{-3000}},
		"not to be debated": {"NOT_CONTESTABLE", "FRAUD", "", provider.DisputeLost, []int64{-3000}},
	} {
		w := newWorld(t)
		paid := w.paid(1, w.card(frictionless), 3000)
		d := w.disputed(paid, c.kind, c.reason)
		if c.result != "" {
			w.ok(w.at.DecideDispute(d.Ref, c.result))
			d = w.dispute(paid)
		}
		if d.State != c.state || len(d.Movements) != len(c.moved) || len(d.Repayments) > 0 {
			t.Errorf("%s: %+v", name, d)
			continue
		}
		for i, m := range d.Movements {
			if m.Amount.Minor != c.moved[i] || m.Place != "repudiation" || m.Ref == "" || m.Happened.IsZero() || i > 0 && m.Ref == d.Movements[0].Ref {
				t.Errorf("%s: movement %d is %+v", name, i, m)
			}
		}
	}
}

// Whatever becomes of the answers, what a bank keeps is moved once.
func TestRepay_AnswersAreLost_IsMovedOnce(t *testing.T) {
	t.Parallel()
	for _, effect := range []string{standin.CutAfter, standin.CutBefore, "500", "500_after"} {
		w := newWorld(t)
		paid := w.paid(1, w.card(frictionless), 3000)
		d := w.disputed(paid, "CONTESTABLE", "FRAUD")
		o := provider.RepayOrder{Key: "dispute:1:repay", Dispute: d.Ref, Amount: money.New(2000, money.EUR)}
		if err := w.Repay(t.Context(), o); !errors.Is(err, provider.ErrRefused) {
			t.Errorf("%s: before the bank has decided: %v", effect, err)
		}
		w.ok(w.at.DecideDispute(d.Ref, "LOST"))
		w.ok(w.at.AddFault(sandbox.FaultRule{Kind: effect, Times: 3, Method: http.MethodPost, Path: "/repudiations/"}))
		err := w.Repay(t.Context(), o)
		for range 3 {
			if err == nil {
				break
			}
			if !errors.Is(err, apperr.New(apperr.ProviderUnavailable)) && !errors.Is(err, provider.ErrBurned) {
				t.Fatalf("%s: %v", effect, err)
			}
			err = w.Repay(t.Context(), o)
		}
		d = w.dispute(paid)
		if err != nil || len(d.Repayments) != 1 || d.Repayments[0].Amount.Minor != 2000 || d.Repayments[0].From != w.wallet.ID ||
			d.Repayments[0].To != "repudiation" {
			t.Errorf("%s: %+v, %v", effect, d.Repayments, err)
		}
	}
}

func TestRepay_TheWalletHasLess_IsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid := w.paid(1, w.card(frictionless), 3000)
	d := w.disputed(paid, "NOT_CONTESTABLE", "FRAUD")
	var own struct{ Id string } //nolint:revive // the wire's
	w.must(w.post(t.Context(), "wallet", "/wallets", "the creator's own", map[string]any{"Owners": []string{w.wallet.Owner}, "Currency": "EUR",
		"Description": "Theirs"}, &own))
	w.must(w.post(t.Context(), "transfer", "/transfers", "money that was sent", map[string]any{"AuthorId": w.wallet.Owner, "DebitedWalletId": w.wallet.ID,
		"CreditedWalletId": own.Id, "DebitedFunds": funds{"EUR", 2000}, "Fees": funds{"EUR", 0}}, nil))
	o := provider.RepayOrder{Key: "dispute:1:repay", Dispute: d.Ref, Amount: money.New(3001, money.EUR)}
	if err := w.Repay(t.Context(), o); !errors.Is(err, provider.ErrRefused) {
		t.Errorf("more than the bank took: %v", err)
	}
	o.Key, o.Amount = "dispute:1:repay:2", money.New(3000, money.EUR)
	if err := w.Repay(t.Context(), o); !errors.Is(err, provider.ErrRefused) || errors.Is(err, provider.ErrFinal) {
		t.Errorf("more than the wallet has: %v", err)
	}
	if d = w.dispute(paid); len(d.Repayments) > 0 {
		t.Errorf("%+v", d.Repayments)
	}
}
