package mangopay

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/sandbox/standin"
)

// A bank account is registered once per key, is told by our id whoever asks, and ends for good.
func TestBank_IsRegisteredOnceAndFoundByOurID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := provider.BankOrder{Key: "bank:1", ID: "01J1", Payee: w.wallet.Owner, Kind: provider.PayeeLegal, IBAN: "FR7630001007941234567890185", BusinessName: "EuroCorp",
		Address: provider.Address{Line1: "Opintie 14", City: "Pielavesi", PostalCode: "72400", Country: "FI"}}
	w.ok(w.at.AddFault(standin.FaultRule{Kind: standin.CutAfter, Times: 3, Method: http.MethodPost, Path: "/users/" + w.wallet.Owner + "/recipients"}))
	if _, err := w.NewBank(t.Context(), o); err == nil {
		t.Error("the answer was not lost")
	}
	w.ok(w.at.Calm())
	made, err := w.NewBank(t.Context(), o)
	w.ok(err)
	want := provider.PayeeBank{Ref: made.Ref, ID: "01J1", State: provider.BankPending, Name: provider.NameMatch}
	if made != want {
		t.Errorf("made %+v, want %+v", made, want)
	}
	list, err := w.Banks(t.Context(), w.wallet.Owner)
	if err != nil || len(list) != 1 || list[0] != want {
		t.Errorf("there are %+v, %v", list, err)
	}
	if of, err := w.PayeeOf(t.Context(), "recipients/"+made.Ref); err != nil || of != w.wallet.Owner {
		t.Errorf("it is of %s, %v", of, err)
	}
	step, err := w.BankStep(t.Context(), made.Ref, "https://talkoot.test/profile/me/payouts/?back=1")
	if err != nil || !strings.Contains(step, "returnUrl=https%3A%2F%2Ftalkoot.test") {
		t.Errorf("confirmed at %s, %v", step, err)
	}
	if err := w.CanPayOut(t.Context(), w.wallet.Owner, made.Ref); !errors.Is(err, provider.ErrRefused) {
		t.Errorf("before it is confirmed: %v", err)
	}
	w.ok(w.at.AnswerRecipient(made.Ref, true))
	w.ok(w.CanPayOut(t.Context(), w.wallet.Owner, made.Ref))
	if err := w.CanPayOut(t.Context(), "user_m_other", made.Ref); err == nil {
		t.Error("somebody else is paid out to it")
	}
	if step, err := w.BankStep(t.Context(), made.Ref, "https://talkoot.test/"); err != nil || step != "" {
		t.Errorf("confirmed again at %s, %v", step, err)
	}
	for range 2 {
		w.ok(w.EndBank(t.Context(), made.Ref))
	}
	if again, err := w.NewBank(t.Context(), o); err != nil || again.State != provider.BankEnded {
		t.Errorf("the same order is %+v, %v: not what it was first answered", again, err)
	}
	o.Key, o.IBAN = "bank:2", "FR7630001007941234567890186"
	if _, err := w.NewBank(t.Context(), o); !errors.Is(err, provider.ErrFinal) {
		t.Errorf("a wrong number: %v", err)
	}
}

func TestBankFields_AreThoseOfTheSchema(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for kind, want := range map[provider.PayeeKind]string{
		provider.PayeeNatural: "AddressLine1! AddressLine2 City! PostalCode! Region first_name! last_name!",
		provider.PayeeLegal:   "AddressLine1! AddressLine2 City! PostalCode! Region business_name!",
	} {
		list, err := w.BankFields(t.Context(), kind, "FI")
		w.ok(err)
		var got []string
		for _, f := range list {
			if f.IsRequired {
				f.Name += "!"
			}
			got = append(got, f.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v", kind, got)
		}
	}
	if _, err := w.BankFields(t.Context(), provider.PayeeNatural, "US"); err == nil {
		t.Error("a country that is none of SEPA's is taken")
	}
}
