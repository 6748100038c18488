package mangopay

import (
	"errors"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/sandbox/standin"
)

func eur(minor int64) money.Amount { return money.New(minor, money.EUR) }

// bank gives the campaign's creator a bank account, which they confirm.
func (w *world) bank(iban string) (id string) {
	w.t.Helper()
	made, err := w.NewBank(w.t.Context(), provider.BankOrder{Key: "bank:" + iban, ID: "01J" + iban, Payee: w.wallet.Owner, Kind: provider.PayeeNatural, IBAN: iban,
		FirstName: "Maija", LastName: "Meri", Address: provider.Address{Line1: "Opintie 14", City: "Pielavesi", PostalCode: "72400", Country: "FI"}})
	w.ok(err)
	w.ok(w.at.AnswerRecipient(made.Ref, true))
	return made.Ref
}

// What is settled goes from the campaign's wallet to its owner's own and from there to their bank, each once per key, and is found again.
func TestMoneyOut_IsSentOncePerKeyAndFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.paid(1, w.card(frictionless), 15000)
	own, err := w.NewWallet(t.Context(), provider.WalletOrder{Key: "own-wallet-of-the-test", Payee: w.wallet.Owner, Tag: "payee:1", Description: "own", Currency: money.EUR})
	w.ok(err)
	var missing provider.NotReadyError
	if err := w.CanPayOut(t.Context(), w.wallet.Owner, ""); !errors.As(err, &missing) || missing.Need != provider.NeedBankAccount {
		t.Errorf("without a bank account: %v", err)
	}
	bank := w.bank("FI2112345600000785")
	w.ok(w.CanPayOut(t.Context(), w.wallet.Owner, bank))
	o := provider.TransferOrder{Key: "settle:r:transfer:1", Tag: "settlement=r&try=1", Payee: w.wallet.Owner, From: w.wallet.ID, To: own, Amount: eur(13500),
		Fee: eur(750), Since: w.clock}
	if found, err := w.FindTransfer(t.Context(), o); err != nil || found != nil {
		t.Errorf("before it was made: %+v, %v", found, err)
	}
	begun := w.clock
	w.ok(w.at.AddFault(standin.FaultRule{Kind: standin.CutAfter, Times: 3, Method: http.MethodPost, Path: "/transfers"}))
	if _, err := w.Transfer(t.Context(), o); err == nil {
		t.Error("the answer was not lost")
	}
	w.ok(w.at.Calm())
	found, err := w.FindTransfer(t.Context(), o)
	w.ok(err)
	made, err := w.Transfer(t.Context(), o)
	w.ok(err)
	if found == nil || !reflect.DeepEqual(*found, made) || made.State != provider.OutgoingDone || made.Amount != o.Amount || made.Fee != o.Fee || made.FeePlace != placeFees {
		t.Errorf("found %+v, made %+v", found, made)
	}
	for place, want := range map[string]int64{w.wallet.ID: 750, own: 13500} {
		if there, err := w.Balance(t.Context(), place); err != nil || there.All != eur(want) || there.Available != eur(want) {
			t.Errorf("%s has %s, want %d (%v)", place, there.All, want, err)
		}
	}
	more := o
	more.Key, more.Tag, more.Amount = "settle:r:transfer:2", "settlement=r&try=2", eur(100000)
	if refused, err := w.Transfer(t.Context(), more); err != nil || refused.State != provider.OutgoingRefused || refused.Code != resultBalanceShort {
		t.Errorf("more than there is: %+v, %v", refused, err)
	}

	out := provider.PayOutOrder{Key: "settle:r:payout:1", Tag: "settlement=r&try=1", Payee: w.wallet.Owner, From: own, Destination: bank, Amount: eur(13500), Since: w.clock}
	first, err := w.PayOut(t.Context(), out)
	w.ok(err)
	again, err := w.PayOut(t.Context(), out)
	w.ok(err)
	if first.State != provider.OutgoingPending || again.Ref != first.Ref {
		t.Errorf("paid out %+v, then %+v", first, again)
	}
	if found, err := w.FindPayOut(t.Context(), out); err != nil || found == nil || found.Ref != first.Ref {
		t.Errorf("found %+v, %v", found, err)
	}
	w.ok(w.sleep(t.Context(), 25*time.Hour))
	if now, err := w.PaidOut(t.Context(), w.wallet.Owner, first.Ref); err != nil || now.State != provider.OutgoingDone || now.Amount != eur(13500) || len(now.Returned) > 0 {
		t.Errorf("a day later: %+v, %v", now, err)
	}
	w.ok(w.at.ReturnPayOut(first.Ref, "BANKACCOUNT_HAS_BEEN_CLOSED", 0))
	now, err := w.PaidOut(t.Context(), w.wallet.Owner, first.Ref)
	w.ok(err)
	if len(now.Returned) != 1 || now.Returned[0].Amount != eur(13500) || now.Returned[0].Code != "BANKACCOUNT_HAS_BEEN_CLOSED" || now.Returned[0].Ref == first.Ref {
		t.Errorf("when it has come back: %+v", now.Returned)
	}

	var kinds []provider.LineKind
	w.ok(w.EachLine(t.Context(), begun.Add(-time.Hour), w.clock.Add(time.Hour), func(l provider.Line) error {
		if l.Place == w.wallet.ID || l.Place == placeFees {
			kinds = append(kinds, l.Kind)
		}
		return nil
	}))
	slices.Sort(kinds)
	if want := []provider.LineKind{provider.LineCharge, provider.LineTransfer, provider.LineTransferFee, provider.LineTransferFee}; !slices.Equal(kinds, want) {
		t.Errorf("our lines are %v, want %v", kinds, want)
	}
	w.ok(w.at.RevokeConsents(w.wallet.Owner))
	if _, err := w.Balance(t.Context(), own); !errors.Is(err, provider.ErrRefused) {
		t.Errorf("without the owner's consent: %v", err)
	}
}
