//go:build unix

package accounts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/pledging/accounts"
	"talkoot.fi/content/internal/pledging/closing"
)

const maija = 1

func newWorld(t *testing.T) *contenttest.World {
	t.Helper()
	w := contenttest.New(t)
	if id := w.Person("Maija", "view"); id != maija {
		t.Fatalf("is user %d", id)
	}
	return w
}

func event(sequence int64, state internalapi.PayeeEventState, needs ...string) internalapi.PayeeEvent {
	return internalapi.PayeeEvent{EventID: fmt.Sprintf("e%d", sequence), Sequence: sequence, UserID: maija, Provider: "mangopay", AccountID: "user_m_1",
		WalletID: "wlt_1", State: state, Needs: append([]string{}, needs...)}
}

func tell(t *testing.T, w *contenttest.World, e internalapi.PayeeEvent) string {
	t.Helper()
	answer, err := accounts.NewInternalHandlers(w.DB).PayeeEvent(t.Context(), internalapi.PayeeEventRequestObject{Body: &e})
	if err != nil {
		t.Fatal(err)
	}
	return string(answer.(internalapi.PayeeEvent200JSONResponse).Outcome)
}

func scan(t *testing.T, w *contenttest.World, query string) (text string) {
	t.Helper()
	if err := w.DB.Raw(query).Scan(&text).Error; err != nil {
		t.Fatal(err)
	}
	return text
}

func TestPayeeEvent_CountsOnceAndInItsOrder(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		e       internalapi.PayeeEvent
		outcome string
		is      string
	}{
		{event(1, "begun", "enrollment", "identity"), "applied", "begun {enrollment,identity}"},
		{event(3, "ready"), "applied", "ready {}"},
		{event(2, "checking", "identity"), "ignored", "ready {}"}, // it comes late
		{event(3, "ready"), "ignored", "ready {}"},
		{event(4, "restricted", "identity"), "applied", "restricted {identity}"},
	} {
		if got := tell(t, w, c.e); got != c.outcome {
			t.Errorf("%d: %s, want %s", c.e.Sequence, got, c.outcome)
		}
		if got := scan(t, w, `SELECT state || ' ' || needs::text FROM payout_accounts`); got != c.is {
			t.Errorf("after %d: %s, want %s", c.e.Sequence, got, c.is)
		}
	}
	if got := scan(t, w, `SELECT string_agg(payload ->> 'state', ' ' ORDER BY id) FROM outbox WHERE kind = 'mail.payee'`); got != "ready restricted" {
		t.Errorf("mailed of %s", got)
	}
}

func TestPayeeEvent_OfWhoHasGone_KeepsNothing(t *testing.T) {
	w := newWorld(t)
	e := event(1, "ready")
	e.UserID = 99
	if got := tell(t, w, e); got != "ignored" || scan(t, w, `SELECT count(*) FROM payout_accounts`) != "0" || scan(t, w, `SELECT count(*) FROM outbox`) != "0" {
		t.Errorf("%s, %s accounts", got, scan(t, w, `SELECT count(*) FROM payout_accounts`))
	}
}

// The payment service is told by which accounts a campaign is paid as it is when the message leaves: also that it has been handed over.
func TestCampaignsAccounts_AreToldThePaymentService(t *testing.T) {
	w := newWorld(t)
	id := w.ReadyDraft("sauna", maija)
	tell(t, w, event(1, "ready"))
	address := fmt.Sprintf("/campaigns/%d/set_payment_account/", id)
	for range 2 { // the second changes nothing
		if got := w.Post(address, `{"mangopay_user_id": "user_m_1", "mangopay_wallet_id": "wlt_1"}`, maija); got.Status != http.StatusOK {
			t.Fatal(got.Status, got.Body)
		}
	}
	var told []string
	payments := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		var body map[string]any
		_ = json.NewDecoder(r.Body).Decode(&body)
		told = append(told, fmt.Sprintf("%s %v", r.URL.Path, body))
		rw.WriteHeader(http.StatusNoContent)
	}))
	defer payments.Close()
	client, err := closing.NewClient(closing.ClientConfig{URL: payments.URL, Secret: []byte(strings.Repeat("s", 32)), Now: w.Now})
	if err != nil {
		t.Fatal(err)
	}
	handle := closing.SendAccounts(w.DB, client)
	deliver := func() {
		t.Helper()
		var messages []outbox.Message
		if err := w.DB.Raw(`SELECT id, kind, payload FROM outbox WHERE kind = ?`, closing.KindAccounts).Scan(&messages).Error; err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			if err := handle(context.WithoutCancel(t.Context()), m); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.DB.Exec(`DELETE FROM outbox`).Error; err != nil {
			t.Fatal(err)
		}
	}
	deliver()
	if want := fmt.Sprintf("[/internal/campaigns/%d/accounts map[mangopay_user_id:user_m_1 number:1 stripe_account_id:]]", id); fmt.Sprint(told) != want {
		t.Errorf("told %v, want %s", told, want)
	}
}

// A bank account of a creator's, what has become of a payout to it, and what the law asks of them is told to them, once, whatever else the event says.
func TestPayeeEvent_OfABankAccountAPayoutOrTaxData_IsMailed(t *testing.T) {
	w := newWorld(t)
	tell(t, w, event(1, "ready"))
	e := event(2, "ready")
	e.Bank = &internalapi.PayeeBankChange{Change: internalapi.BankReplaced, Country: "FI", LastFour: "0785"}
	out := event(3, "ready")
	out.Payout = &internalapi.PayeePayout{Outcome: internalapi.PayoutReturned, CampaignID: 7, AmountMinor: 9000, Currency: "EUR", Country: "FI", LastFour: "0785"}
	first, second := event(4, "ready"), event(5, "ready")
	first.TaxReminder, second.TaxReminder = &internalapi.PayeeTaxReminder{Number: 1, HeldFrom: w.Now()}, &internalapi.PayeeTaxReminder{Number: 2, HeldFrom: w.Now()}
	for range 2 {
		tell(t, w, e)
		tell(t, w, out)
		tell(t, w, first)
		tell(t, w, second)
	}
	if got := scan(t, w, `SELECT string_agg(payload ->> 'state' || coalesce(' ' || (payload -> 'bank' ->> 'last_four'), ' ' || (payload -> 'payout' ->> 'amount_minor'), ''),
			', ' ORDER BY id) FROM outbox WHERE kind = 'mail.payee'`); got != "ready, bank_replaced 0785, payout_returned 9000, tax_missing, tax_missing_still" {
		t.Errorf("mailed of %s", got)
	}
}
