package mangopay

import (
	"errors"
	"net/http"
	"testing"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/sandbox/standin"
)

// What was sent to an owner's own wallet is taken back from there once per key, and found again beside what others have taken back. A line says so at the
// wallet in which it is now.
func TestReverse_IsMadeOncePerKeyAndListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.paid(1, w.card(frictionless), 15000)
	own, err := w.NewWallet(t.Context(), provider.WalletOrder{Key: "own-wallet-of-the-test", Payee: w.wallet.Owner, Tag: "payee:1", Description: "own", Currency: money.EUR})
	w.ok(err)
	sent, err := w.Transfer(t.Context(), provider.TransferOrder{Key: "settle:r:transfer:1", Tag: "settlement=r&try=1", Payee: w.wallet.Owner, From: w.wallet.ID, To: own,
		Amount: eur(13500), Fee: eur(750), Since: w.clock})
	w.ok(err)
	begun := w.clock
	of := provider.Sent{Transfer: sent.Ref, Payee: w.wallet.Owner, At: own, Since: w.clock}
	if list, err := w.Reversals(t.Context(), of); err != nil || len(list) != 0 {
		t.Errorf("before: %+v, %v", list, err)
	}
	o := provider.ReversalOrder{Key: "settle:r:reversal:1", Tag: "reversal=1", Sent: of, To: w.wallet.ID, Amount: eur(2850)}
	w.ok(w.at.AddFault(standin.FaultRule{Kind: standin.CutAfter, Times: 3, Method: http.MethodPost, Path: "/transfers"}))
	if _, err := w.Reverse(t.Context(), o); err == nil {
		t.Error("the answer was not lost")
	}
	w.ok(w.at.Calm())
	made, err := w.Reverse(t.Context(), o)
	w.ok(err)
	if made.State != provider.OutgoingDone || made.Amount != eur(2850) || made.Fee.Minor != 0 {
		t.Errorf("made %+v", made)
	}
	more := o
	more.Key, more.Tag, more.Amount = "settle:r:reversal:2", "reversal=2", eur(99999)
	if refused, err := w.Reverse(t.Context(), more); err != nil || refused.State != provider.OutgoingRefused || refused.Code != resultBalanceShort {
		t.Errorf("more than there is: %+v, %v", refused, err)
	}
	undo := map[string]any{"AuthorId": w.wallet.Owner, "DebitedFunds": fundsOf(eur(380)), "Fees": fundsOf(eur(-20))}
	var undone outgoing
	_, err = w.post(t.Context(), "undo", "/transfers/"+sent.Ref+"/refunds", "undo-of-the-test", undo, &undone)
	w.ok(err)
	list, err := w.Reversals(t.Context(), of)
	w.ok(err)
	byRef := map[string]provider.Reversal{}
	for _, r := range list {
		byRef[r.Ref] = r
	}
	if got := byRef[made.Ref]; len(list) != 3 || got.Tag != o.Tag || got.Place != w.wallet.ID || got.Amount != eur(2850) {
		t.Errorf("listed %+v", list)
	}
	if got := byRef[undone.Id]; got.Transfer != sent.Ref || got.Amount != eur(380) || got.Fee.Minor != -20 || got.Place != w.wallet.ID || got.State != provider.OutgoingDone {
		t.Errorf("what undoes it is %+v", got)
	}
	if there, err := w.Balance(t.Context(), w.wallet.ID); err != nil || there.All != eur(750+2850+400) {
		t.Errorf("the campaign's wallet has %+v, %v", there, err)
	}
	back := map[string]int64{}
	sum := int64(0)
	w.ok(w.EachLine(t.Context(), begun, begun.AddDate(0, 0, 1), func(l provider.Line) error {
		if l.Place == w.wallet.ID {
			sum += l.Amount.Minor
			if l.Kind == provider.LineTransferBack {
				back[l.Ref] += l.Amount.Minor
				if l.From != own || l.Money != own {
					t.Errorf("a line is %+v", l)
				}
			}
		}
		return nil
	}))
	if len(back) != 2 || back[made.Ref] != 2850 || back[undone.Id] != 380 || sum != 750+2850+400 {
		t.Errorf("lines say that %v came back, %d in all", back, sum)
	}
	w.ok(w.at.RevokeConsents(w.wallet.Owner))
	if _, err := w.Reversals(t.Context(), of); !errors.Is(err, provider.ErrRefused) {
		t.Errorf("without the owner's consent: %v", err)
	}
	if about, err := w.MoneyOf(t.Context(), provider.AboutSent, "transfers/"+made.Ref); err != nil || about != own {
		t.Errorf("a transfer has left %s, %v", about, err)
	}
	if about, err := w.MoneyOf(t.Context(), provider.AboutSent, undone.Id); err != nil || about != sent.Ref {
		t.Errorf("what was undone is %s, %v", about, err)
	}
}
