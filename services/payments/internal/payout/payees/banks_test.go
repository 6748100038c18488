package payees_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/providers/mangopay"
	sandbox "talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/standin"
)

const (
	creator   = 3 // of the world's campaign, who is verified
	firstIBAN = "FI2112345600000785"
	otherIBAN = "FI4950009420028730"
	banksCall = "/api/users/mangopay/payout-banks"
)

func bankBody(iban string, changes map[string]any) map[string]any {
	out := map[string]any{"IBAN": iban, "first_name": "Maija", "last_name": "Meri", "return_url": paymentstest.PublicURL + "/profile/me/payouts/?back=1",
		"address": map[string]any{"AddressLine1": "Opintie 14", "City": "Pielavesi", "PostalCode": "72400", "Country": "FI"}}
	for k, v := range changes {
		if out[k] = v; v == nil {
			delete(out, k)
		}
	}
	return out
}

// banks is a creator with an account that can be paid.
type banks struct{ *paymentstest.B }

func newBanks(t *testing.T) banks { t.Parallel(); return banks{paymentstest.NewB(t)} } //nolint:thelper // it makes the world

func (b banks) add(iban string) api.PayoutBankAnswer {
	b.T.Helper()
	var a api.PayoutBankAnswer
	status, fault := call(b.World, http.MethodPost, banksCall, paymentstest.SessionOf(creator, true), bankBody(iban, nil), &a)
	if status != http.StatusOK {
		b.T.Fatalf("%d %s", status, fault)
	}
	return a
}

// shown are the bank accounts that the creator sees, in short.
func (b banks) shown() string {
	b.T.Helper()
	var out []string
	for _, p := range own(b.B, creator) {
		if p.Banks == nil {
			continue
		}
		for _, one := range *p.Banks {
			out = append(out, fmt.Sprintf("%s%s %s", one.Country, one.LastFour, one.State))
		}
	}
	return strings.Join(out, ", ")
}

func (b banks) want(what string) {
	b.T.Helper()
	if got := b.shown(); got != what {
		b.T.Errorf("shown %q, want %q", got, what)
	}
}

type there struct {
	ID     string `json:"Id"`
	Status string
}

// atProvider are the bank accounts there, the oldest first.
func (b banks) atProvider() (list []there) {
	b.T.Helper()
	b.Provide(http.MethodGet, "/users/"+b.Wallet.Owner+"/recipients?per_page=100", "", &list)
	return list
}

func (b banks) must(err error) {
	b.T.Helper()
	if err != nil {
		b.T.Fatal(err)
	}
}

// told is what the content service heard of bank accounts.
func (b banks) told() string {
	b.T.Helper()
	b.Settle()
	var out []string
	for _, e := range b.Content.Payees() {
		if e.Bank != nil {
			out = append(out, string(e.Bank.Change)+" "+e.Bank.Country+e.Bank.LastFour)
		}
	}
	return strings.Join(out, ", ")
}

// A creator gives an account, confirms it, and replaces it: one is in use at a time, and each change is told.
func TestBank_FromTheFormToUseAndToItsReplacement(t *testing.T) {
	b := newBanks(t)
	b.want("")
	a := b.add(firstIBAN)
	if a.Bank.State != api.BankPending || a.RedirectURL == nil || !strings.Contains(*a.RedirectURL, "returnUrl=") {
		t.Fatalf("%+v", a)
	}
	var again api.PayoutBankAnswer
	status, fault := call(b.World, http.MethodPost, banksCall+"/"+a.Bank.BankID+"/confirmation", paymentstest.SessionOf(creator, false),
		map[string]any{"returnUrl": paymentstest.PublicURL + "/profile/me/payouts/?back=1"}, &again)
	if status != http.StatusOK || again.RedirectURL == nil || *again.RedirectURL != *a.RedirectURL {
		t.Errorf("who left the page goes on at %v: %d %s", again.RedirectURL, status, fault)
	}
	b.must(b.At.AnswerRecipient(b.atProvider()[0].ID, true))
	hook(b.B, "RECIPIENT_ACTIVE", b.atProvider()[0].ID)
	b.Settle()
	b.want("FI0785 active")
	if in, err := b.App.Payees.BankOf(t.Context(), b.App.DB, mangopay.Name, b.Wallet.Owner); err != nil || !in.IsFirst() || in.Ref != b.atProvider()[0].ID {
		t.Errorf("paid out to %+v, %v", in, err)
	}

	b.add(otherIBAN)
	b.Pass(6 * time.Second)
	b.want("FI8730 pending, FI0785 active") // until it is confirmed the one before is in use
	b.must(b.At.AnswerRecipient(b.atProvider()[1].ID, true))
	b.Pass(6 * time.Second) // its hook is lost: the page asks
	b.want("FI8730 active")
	in, err := b.App.Payees.BankOf(t.Context(), b.App.DB, mangopay.Name, b.Wallet.Owner)
	if err != nil || in.LastFour != "8730" || in.IsFirst() || !in.PaysFrom.Equal(in.ActiveAt.AddDate(0, 0, 3)) {
		t.Errorf("paid out to %+v, %v", in, err)
	}
	if list := b.atProvider(); len(list) != 2 || list[0].Status != "DEACTIVATED" || list[1].Status != "ACTIVE" {
		t.Errorf("the provider has %+v", list)
	}
	if got := b.told(); got != "added FI0785, replaced FI8730" {
		t.Errorf("told %q", got)
	}
	if got := strings.Join([]string{b.Logged()}, ""); strings.Contains(got, firstIBAN) || b.Count(`payee_banks WHERE payee_banks::text LIKE '%`+otherIBAN[4:12]+`%'`) > 0 {
		t.Error("a number is kept or logged")
	}

	// Their session alone does not end it; a fresh proof does, and it is told.
	var id string
	b.Scan(&id, `SELECT id FROM payee_banks WHERE state = 'active'`)
	if status, fault := call(b.World, http.MethodDelete, banksCall+"/"+id, paymentstest.SessionOf(creator, false), nil, nil); fault != "confirmation_required" {
		t.Errorf("%d %s", status, fault)
	}
	for range 2 {
		if status, fault := call(b.World, http.MethodDelete, banksCall+"/"+id, paymentstest.SessionOf(creator, true), nil, nil); status != http.StatusNoContent {
			t.Errorf("%d %s", status, fault)
		}
	}
	b.want("FI8730 ended")
	if got := b.told(); got != "added FI0785, replaced FI8730, removed FI8730" {
		t.Errorf("told %q", got)
	}
	// Whoever adds one after that does not have the first one.
	b.add(firstIBAN)
	b.must(b.At.AnswerRecipient(b.atProvider()[2].ID, true))
	b.Pass(6 * time.Second)
	b.want("FI0785 active")
	if in, err := b.App.Payees.BankOf(t.Context(), b.App.DB, mangopay.Name, b.Wallet.Owner); err != nil || in.IsFirst() {
		t.Errorf("after one was removed another is the first: %v", err)
	}
}

func TestBank_IsOfWhoHasJustShownThatItIsThem(t *testing.T) {
	b := newBanks(t)
	me, fresh := paymentstest.SessionOf(creator, false), paymentstest.SessionOf(creator, true)
	for name, tc := range map[string]struct {
		session string
		body    map[string]any
		fault   string
	}{
		"without a session":            {"", bankBody(firstIBAN, nil), "not_authenticated"},
		"by the session alone":         {me, bankBody(firstIBAN, nil), "confirmation_required"},
		"without a confirmed address":  {paymentstest.SessionOf(paymentstest.Unconfirmed, true), bankBody(firstIBAN, nil), "address_unconfirmed"},
		"without an account":           {paymentstest.SessionOf(person, true), bankBody(firstIBAN, nil), "payout_bank_not_ready"},
		"a number with a wrong sign":   {fresh, bankBody("FI2112345600000786", nil), "invalid_fields IBAN:iban"},
		"of another part of the world": {fresh, bankBody("BR1800360305000010009795493C1", nil), "invalid_fields IBAN:iban_payout"},
		"without what the schema asks": {fresh, bankBody(firstIBAN, map[string]any{"last_name": nil, "address": map[string]any{"AddressLine1": "Opintie 14", "City": " ",
			"Country": "FI"}}), "invalid_fields address.City:required address.PostalCode:required last_name:required"},
		"back to another site": {fresh, bankBody(firstIBAN, map[string]any{"return_url": "https://evil.example/"}), "invalid_fields return_url:of_this_site"},
	} {
		if status, fault := call(b.World, http.MethodPost, banksCall, tc.session, tc.body, nil); fault != tc.fault {
			t.Errorf("%s: %d %s", name, status, fault)
		}
	}
	a := b.add(firstIBAN)
	for name, path := range map[string]string{"confirms": "/confirmation", "ends": ""} {
		method := http.MethodPost
		if path == "" {
			method = http.MethodDelete
		}
		status, fault := call(b.World, method, banksCall+"/"+a.Bank.BankID+path, paymentstest.SessionOf(person, true), map[string]any{"returnUrl": paymentstest.PublicURL + "/"}, nil)
		if status != http.StatusNotFound {
			t.Errorf("somebody else %s it: %d %s", name, status, fault)
		}
	}
	// Its owner fails at the page, or the provider does not take it.
	b.must(b.At.AnswerRecipient(b.atProvider()[0].ID, false))
	b.Pass(6 * time.Second)
	b.want("FI0785 canceled")
	b.Fails("403", 1, http.MethodPost, "/users/"+b.Wallet.Owner+"/recipients")
	if status, fault := call(b.World, http.MethodPost, banksCall, fresh, bankBody(otherIBAN, nil), nil); fault != "payee_refused" {
		t.Errorf("%d %s", status, fault)
	}
	b.want("FI8730 refused")
	if got := b.told(); got != "" {
		t.Errorf("told %q", got)
	}
}

// The answer to the call is lost, or we die before it: what came of it is looked up, and there is one bank account at the provider.
func TestBank_WhoseAnswerIsLost_IsFoundAndNotMadeTwice(t *testing.T) {
	b := newBanks(t)
	at, fresh := "/users/"+b.Wallet.Owner+"/recipients", paymentstest.SessionOf(creator, true)
	lose := func(kind string) {
		t.Helper()
		b.must(b.At.AddFault(sandbox.FaultRule{Kind: kind, Times: 3, Method: http.MethodPost, Path: at}))
		if status, fault := call(b.World, http.MethodPost, banksCall, fresh, bankBody(firstIBAN, nil), nil); fault != "provider_unavailable" {
			t.Fatalf("%d %s: a lost answer is told as something else", status, fault)
		}
		b.must(b.At.Calm())
	}
	lose(standin.CutAfter)
	// Pressed again: the first is found before anything else is asked for, and given up for the second.
	if status, fault := call(b.World, http.MethodPost, banksCall, fresh, bankBody(firstIBAN, nil), nil); status != http.StatusOK {
		t.Fatalf("%d %s", status, fault)
	}
	if list := b.atProvider(); len(list) != 2 || list[0].Status != "DEACTIVATED" || list[1].Status != "PENDING" {
		t.Errorf("the provider has %+v", list)
	}
	lose(standin.CutBefore)
	if status, fault := call(b.World, http.MethodPost, banksCall, fresh, bankBody(firstIBAN, nil), nil); fault != "provider_unavailable" {
		t.Errorf("another while a call may be on its way: %d %s", status, fault)
	}
	b.want("FI0785 asking")
	var asking string
	b.Scan(&asking, `SELECT id FROM payee_banks WHERE state = 'asking'`)
	if status, fault := call(b.World, http.MethodDelete, banksCall+"/"+asking, fresh, nil, nil); fault != "provider_unavailable" {
		t.Errorf("one of which nothing is known is said to have ended: %d %s", status, fault)
	}
	b.Pass(3 * time.Minute) // the worker's sweep
	b.must(b.App.Payees.Sweep(t.Context()))
	b.want("FI0785 unmade")

	lose(standin.CutAfter)
	b.Pass(time.Minute)
	b.must(b.App.Payees.Sweep(t.Context()))
	b.want("FI0785 pending")
	live := 0
	for _, one := range b.atProvider() {
		if one.Status == "PENDING" {
			live++
		}
	}
	if live != 1 {
		t.Errorf("%d bank accounts can be confirmed, want one", live)
	}
}

// That the provider does not find the account is not believed at once, and says nothing of its bank account.
func TestBank_OfAnAccountThatIsNotFound_StaysUntilThatIsBelieved(t *testing.T) {
	b := newBanks(t)
	b.Bank(firstIBAN)
	b.want("FI0785 active")
	b.must(b.At.AddFault(sandbox.FaultRule{Kind: "404", Times: 1000, Path: "/users/" + b.Wallet.Owner}))
	for range 5 {
		b.Pass(time.Hour)
		b.must(b.App.Payees.Changed(t.Context(), mangopay.Name, b.Wallet.Owner, false))
	}
	if n := b.Count(`payee_banks WHERE state = 'active'`); n != 1 {
		t.Error("its bank account has ended by a wrong answer")
	}
	b.Pass(time.Hour)
	b.must(b.App.Payees.Changed(t.Context(), mangopay.Name, b.Wallet.Owner, false))
	if n := b.Count(`payees WHERE state = 'closed' AND ref = ?`, b.Wallet.Owner); n != 1 {
		t.Error("after six hours it is not closed")
	}
	if n := b.Count(`payee_banks WHERE state = 'ended'`); n != 1 {
		t.Error("its bank account is in use though the account is closed")
	}
}

// One that the provider does not end keeps none of the others in use there.
func TestBank_ThatDoesNotEnd_StopsNoOther(t *testing.T) {
	b := newBanks(t)
	b.add(firstIBAN)
	stuck := b.atProvider()[0].ID
	b.must(b.At.AddFault(sandbox.FaultRule{Kind: "403", Times: 1000, Method: http.MethodPut, Path: "/recipients/" + stuck}))
	b.add(firstIBAN)
	b.add(firstIBAN)
	if list := b.atProvider(); len(list) != 3 || list[0].Status != "PENDING" || list[1].Status != "DEACTIVATED" || list[2].Status != "PENDING" {
		t.Errorf("the provider has %+v", list)
	}
	if n := b.Count(`payee_banks WHERE state = 'ending' AND ref = ?`, stuck); n != 1 {
		t.Error("it is not tried again")
	}
}

// One that others have registered at the provider is never paid to, and one of who has erased themselves ends there.
func TestBank_OfOthersOrOfWhoHasGone_IsNotPaidTo(t *testing.T) {
	b := newBanks(t)
	b.Provide(http.MethodPost, "/users/"+b.Wallet.Owner+"/recipients", `{"DisplayName":"Tili","PayoutMethodType":"LocalBankTransfer","RecipientType":"Individual",
		"Currency":"EUR","Country":"FI","IndividualRecipient":{"FirstName":"Maija","LastName":"Meri","Address":{"AddressLine1":"Opintie 14","City":"Pielavesi",
		"PostalCode":"72400","Country":"FI"}},"LocalBankTransfer":{"EUR":{"IBAN":"FI2112345600000785"}},"ScaContext":"USER_NOT_PRESENT"}`, nil)
	b.must(b.App.Payees.Changed(t.Context(), mangopay.Name, "recipients/"+b.atProvider()[0].ID, false))
	if in, err := b.App.Payees.BankOf(t.Context(), b.App.DB, mangopay.Name, b.Wallet.Owner); err != nil || in.ID != "" {
		t.Errorf("paid out to %+v, %v", in, err)
	}
	b.Bank(otherIBAN)
	b.must(b.App.Payees.Erase(t.Context(), creator))
	if n := b.Count(`payee_banks WHERE country <> '' OR last_four <> '' OR state = 'active'`); n != 0 {
		t.Errorf("%d bank accounts are known of who was erased", n)
	}
	b.must(b.App.Payees.Sweep(t.Context()))
	if list := b.atProvider(); list[1].Status != "DEACTIVATED" {
		t.Errorf("the provider has %+v", list)
	}
}
