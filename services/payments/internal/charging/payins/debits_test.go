package payins_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

const aNumber = "FI21 1234 5600 0007 85"

type account struct {
	ID           string `json:"Id"`
	OwnerName    string
	OwnerAddress struct{ AddressLine1, City, PostalCode, Country string }
	Details      struct{ IBAN string }
	HasMandate   bool `json:"has_mandate"`
}

type mandate struct {
	ID                                             string `json:"Id"`
	Status, RedirectURL, ResultCode, ResultMessage string
}

func newAccount(pledge, iban string) map[string]any {
	return map[string]any{"pledgeId": pledge, "OwnerName": "Aino Aalto", "IBAN": iban,
		"OwnerAddress": map[string]any{"AddressLine1": "Katu 1", "City": "Oulu", "PostalCode": "90100", "Country": "FI"}}
}

func add(b *paymentstest.B, pledge, iban string) account {
	b.T.Helper()
	var a struct{ BankAccount account }
	b.MustCall("create-bank-account", newAccount(pledge, iban), &a)
	return a.BankAccount
}

func accounts(b *paymentstest.B, pledge string) []account {
	b.T.Helper()
	var a struct{ BankAccounts []account }
	b.MustCall("get-bank-accounts", map[string]any{"pledgeId": pledge}, &a)
	return a.BankAccounts
}

func mandateFor(pledge, account string) map[string]any {
	return map[string]any{"pledgeId": pledge, "bankAccountId": account, "language": "fi", "returnURL": paymentstest.PublicURL + "/en/payment-return/?pledge=" + pledge}
}

func allow(b *paymentstest.B, pledge, account string) mandate {
	b.T.Helper()
	var a struct{ Mandate mandate }
	b.MustCall("create-mandate", mandateFor(pledge, account), &a)
	return a.Mandate
}

// named is a pledge of a person by name, by which the stand-in's banks go.
func named(b *paymentstest.B, name string) string {
	return b.Content.Pledge(b.Now(), func(o *contentclient.Order) { o.Name = name })
}

// A debit is on its way for days; then its bank has paid, or has not, which the content service hears either way.
func TestDebit_IsOnItsWay_ThenPaidOrNot(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Successful Saari": "succeeded", "Penniless Puro": "failed"} {
		b := paymentstest.NewB(t)
		pledge := named(b, name)
		a := add(b, pledge, aNumber)
		if a.Details.IBAN != "FI•• 0785" || a.HasMandate || a.OwnerName != "Aino Aalto" || a.OwnerAddress.City != "Oulu" {
			t.Fatalf("%+v", a)
		}
		m := allow(b, pledge, a.ID)
		if m.Status != "CREATED" || m.RedirectURL == "" {
			t.Fatalf("%+v", m)
		}
		debit := map[string]any{"pledgeId": pledge, "mandateId": m.ID}
		for _, body := range []map[string]any{debit, {"pledgeId": pledge}} {
			if status, code := b.Call("payin-direct-debit", body, nil, nil); status != http.StatusConflict || code != "mandate_not_confirmed" {
				t.Errorf("before it is confirmed: %d %s", status, code)
			}
		}
		if back := atPage(b, m.RedirectURL, "pass"); back != paymentstest.PublicURL+"/en/payment-return/?pledge="+pledge+"&MandateId="+m.ID {
			t.Errorf("comes back to %s", back)
		}
		if list := accounts(b, pledge); len(list) != 1 || !list[0].HasMandate {
			t.Errorf("%+v", list)
		}
		if again := allow(b, pledge, a.ID); again.ID != m.ID || again.Status != "SUBMITTED" || again.RedirectURL != "" {
			t.Errorf("another mandate of the account: %+v", again)
		}
		for _, body := range []map[string]any{{"pledgeId": pledge}, debit, debit} {
			var made paymentstest.PayIn
			b.MustCall("payin-direct-debit", body, &made)
			if made.PayIn.Status != "CREATED" || made.PayIn.SecureModeNeeded || made.Payment.Status != "processing" {
				t.Fatalf("%+v", made)
			}
		}
		for call, body := range map[string]map[string]any{"card-registration-data": {"pledgeId": pledge}, "create-bank-account": newAccount(pledge, aNumber)} {
			if status, code := b.Call(call, body, nil, nil); status != http.StatusConflict || code != "pledge_not_payable" {
				t.Errorf("%s while the bank has it in hand: %d %s", call, status, code)
			}
		}
		for range 10 {
			b.Pass(24 * time.Hour)
			b.RunDue()
		}
		b.Settle()
		got := b.Payment(pledge)
		if got.Status != want || (b.Balance() == 5000) != (want == "succeeded") {
			t.Errorf("%s: is %+v, the wallet has %d", name, got, b.Balance())
		}
		heard := b.Content.Heard(pledge)
		if len(heard) != 3 || heard[1].Type != contentclient.PaymentProcessing || strings.TrimPrefix(string(heard[2].Type), "payment.") != want {
			t.Errorf("%s: content heard %+v", name, heard)
		}
	}
}

// The bank takes a debit back days after it has paid it.
func TestDebit_TakenBackLate_IsDisputed(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := named(b, "Fickle Forss")
	m := allow(b, pledge, add(b, pledge, aNumber).ID)
	atPage(b, m.RedirectURL, "pass")
	b.MustCall("payin-direct-debit", map[string]any{"pledgeId": pledge}, nil)
	paid := false
	for range 20 {
		b.Pass(24 * time.Hour)
		b.RunDue()
		paid = paid || b.Payment(pledge).Status == "succeeded"
	}
	if !paid {
		t.Fatal("it was never paid")
	}
	if _, err := b.App.Payments.Advance(t.Context(), b.Payment(pledge).ID, "dispute"); err != nil {
		t.Fatal(err)
	}
	if got := b.Payment(pledge); got.Status != "disputed" {
		t.Errorf("is %+v", got)
	}
}

// A mandate that its payer refuses debits nothing; the next one may.
func TestMandate_Refused_DebitsNothing(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := named(b, "Successful Saari")
	a := add(b, pledge, aNumber)
	m := allow(b, pledge, a.ID)
	atPage(b, m.RedirectURL, "fail")
	for _, body := range []map[string]any{{"pledgeId": pledge}, {"pledgeId": pledge, "mandateId": m.ID}} {
		if status, code := b.Call("payin-direct-debit", body, nil, nil); status != http.StatusConflict || code != "mandate_not_confirmed" {
			t.Errorf("%d %s", status, code)
		}
	}
	next := allow(b, pledge, a.ID)
	if next.ID == m.ID || next.Status != "CREATED" {
		t.Errorf("%+v", next)
	}
	atPage(b, next.RedirectURL, "pass")
	b.MustCall("payin-direct-debit", map[string]any{"pledgeId": pledge}, nil)
	if got := b.Payment(pledge); got.Status != "processing" {
		t.Errorf("is %+v", got)
	}
}

// A guest's accounts are those of their pledge; an account's person has those with every pledge that they asked to keep.
func TestBankAccounts_AreOfWhoeverPays(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	if list := accounts(b, b.Pledge()); len(list) != 0 {
		t.Errorf("of who has none: %+v", list)
	}
	mine, theirs := b.Pledge(), b.Pledge()
	a := add(b, mine, aNumber)
	if again := add(b, mine, strings.ToLower(strings.ReplaceAll(aNumber, " ", "-"))); again != a {
		t.Errorf("the same number again: %+v", again)
	}
	if list := accounts(b, theirs); len(list) != 0 {
		t.Errorf("another guest's: %+v", list)
	}
	m := allow(b, mine, a.ID)
	atPage(b, m.RedirectURL, "pass")
	add(b, theirs, "DE89370400440532013000")
	if status, code := b.Call("create-mandate", mandateFor(theirs, a.ID), nil, nil); status != http.StatusNotFound {
		t.Errorf("a mandate of another's account: %d %s", status, code)
	}
	if status, code := b.Call("payin-direct-debit", map[string]any{"pledgeId": theirs, "mandateId": m.ID}, nil, nil); status != http.StatusNotFound {
		t.Errorf("a debit by another's mandate: %d %s", status, code)
	}
	user := int64(41)
	of := func() string {
		return b.Content.Pledge(b.Now(), func(o *contentclient.Order) { o.BackerUserID = &user })
	}
	first, second := of(), of()
	own := add(b, first, aNumber)
	if list := append(accounts(b, first), accounts(b, second)...); len(list) != 0 {
		t.Errorf("offered without being asked: %+v", list)
	}
	keeping := newAccount(second, aNumber)
	keeping["keep"] = true
	b.MustCall("create-bank-account", keeping, nil)
	if list := accounts(b, of()); len(list) != 1 || list[0] != own {
		t.Errorf("with the next pledge: %+v", list)
	}
	b.Pass(25 * time.Hour) // the provider remembers no key for so long
	if again := add(b, of(), aNumber); again != own {
		t.Errorf("the same number days later: %+v", again)
	}
	if list := accounts(b, of()); len(list) != 0 {
		t.Errorf("added again without being asked to be kept: %+v", list)
	}
}

// Whoever has a link of a mail may pay that pledge, with what is theirs: the mandates of its account's person are not.
func TestDebit_ByAMailedLink_IsNone(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	user := int64(41)
	of := func() string {
		return b.Content.Pledge(b.Now(), func(o *contentclient.Order) { o.BackerUserID, o.Name = &user, "Successful Saari" })
	}
	first, second := of(), of()
	own := add(b, first, aNumber)
	m := allow(b, first, own.ID)
	atPage(b, m.RedirectURL, "pass")
	link := map[string]string{ordertoken.Header: b.OrderToken(ordertoken.Paying, second), "Authorization": ""}
	if status, code := b.Call("card-registration-data", map[string]any{"pledgeId": second}, link, nil); status != http.StatusOK {
		t.Errorf("a card of theirs: %d %s", status, code)
	}
	for call, body := range map[string]map[string]any{"payin-direct-debit": {"pledgeId": second}, "get-bank-accounts": {"pledgeId": second},
		"create-bank-account": newAccount(second, aNumber), "create-mandate": mandateFor(second, own.ID)} {
		if status, code := b.Call(call, body, link, nil); status != http.StatusForbidden || code != "not_your_order" {
			t.Errorf("%s: %d %s", call, status, code)
		}
	}
	b.MustCall("payin-direct-debit", map[string]any{"pledgeId": second}, nil)
}

// An account that is erased leaves no bank account and no mandate that could be debited at the provider.
func TestBankAccounts_OfAnErasedAccount_AreEnded(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	pledge := pledgeOf(w.B, aino)
	own := add(w.B, pledge, aNumber)
	m := allow(w.B, pledge, own.ID)
	atPage(w.B, m.RedirectURL, "pass")
	var payer string
	w.Scan(&payer, fmt.Sprintf(`SELECT ref FROM payers WHERE owner = 'user:%d'`, aino))
	w.tell(http.MethodDelete, fmt.Sprintf("/internal/payers/%d", aino), "")
	w.Settle()
	var account struct{ Active bool }
	w.Provide(http.MethodGet, "/users/"+payer+"/bankaccounts/"+own.ID, "", &account)
	var made struct{ Status string }
	w.Provide(http.MethodGet, "/mandates/"+m.ID, "", &made)
	if account.Active || made.Status != "FAILED" {
		t.Errorf("the account is %+v, the mandate %+v", account, made)
	}
}

func TestBankAccount_IsOneThatCanBeDebited(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	for iban, rule := range map[string]string{
		"FI2112345600000786": "iban", "FI21123456000007": "iban", "FI2112345600000785X": "iban", "00000": "iban", "FI21-1234-5600-0007-8Ä": "iban",
		"US64SVBKUS6S3300958879": "iban_country", "GG12BARC20201530093459": "iban_country",
		"DK5000400440116243": "iban_debit", "SE4550000000058398257466": "iban_debit",
	} {
		status, answer := b.Raw("create-bank-account", newAccount(pledge, iban))
		if status != http.StatusUnprocessableEntity || !strings.Contains(answer, `"path":"IBAN","rule":"`+rule+`"`) || strings.Contains(answer, iban) {
			t.Errorf("%s: %d %s", iban, status, answer)
		}
	}
	body := newAccount(pledge, aNumber)
	body["OwnerAddress"].(map[string]any)["Country"] = "US"
	if status, answer := b.Raw("create-bank-account", body); status != http.StatusUnprocessableEntity || !strings.Contains(answer, `"OwnerAddress.Country"`) {
		t.Errorf("an owner outside of the area: %d %s", status, answer)
	}
	for field, unseen := range map[string]string{"OwnerName": " \u200b", "AddressLine1": "\u202e", "City": "\r\n", "PostalCode": "\x00"} {
		body := newAccount(pledge, aNumber)
		if _, is := body[field]; is {
			body[field] = unseen
		} else {
			body["OwnerAddress"].(map[string]any)[field] = unseen
		}
		if status, answer := b.Raw("create-bank-account", body); status != http.StatusUnprocessableEntity || !strings.Contains(answer, field+`","rule":"required"`) {
			t.Errorf("%s that nobody sees: %d %s", field, status, answer)
		}
	}
	body["OwnerAddress"].(map[string]any)["Country"] = "GG"
	if status, answer := b.Raw("create-bank-account", body); status != http.StatusOK {
		t.Errorf("an owner in Guernsey: %d %s", status, answer)
	}
}

func TestMandate_SendsBackToOurOwnPages(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	body := mandateFor(pledge, add(b, pledge, aNumber).ID)
	for _, address := range []string{"https://evil.example/", "http://talkoot.example/", "https://talkoot.example.evil.example/fi/"} {
		body["returnURL"] = address
		if status, answer := b.Raw("create-mandate", body); status != http.StatusUnprocessableEntity || !strings.Contains(answer, `"returnURL"`) {
			t.Errorf("%s: %d %s", address, status, answer)
		}
	}
}

// An answer that is lost debits once.
func TestDebit_TheAnswerIsLost_IsMadeOnce(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := named(b, "Successful Saari")
	atPage(b, allow(b, pledge, add(b, pledge, aNumber).ID).RedirectURL, "pass")
	b.Fails("cut_after", 3, http.MethodPost, "/payins/directdebit/direct")
	for range 4 {
		if status, _ := b.Call("payin-direct-debit", map[string]any{"pledgeId": pledge}, nil, nil); status == http.StatusOK {
			break
		}
		b.Pass(time.Minute)
	}
	for range 10 {
		b.Pass(24 * time.Hour)
		b.RunDue()
	}
	if got := b.Payment(pledge); got.Status != "succeeded" || b.Balance() != 5000 {
		t.Errorf("is %+v, the wallet has %d", got, b.Balance())
	}
}
