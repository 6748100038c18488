package payins_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
)

const (
	aino  int64 = 41
	eetu  int64 = 42
	third       = "4970105191923460"
)

func pledgeOf(b *paymentstest.B, user int64) string {
	return b.Content.Pledge(b.Now(), func(o *contentclient.Order) { o.BackerUserID = &user })
}

// keep registers a card that is to be kept, for another pledge of a person, and gives its id.
func keep(b *paymentstest.B, user int64, number string) string {
	b.T.Helper()
	pledge := pledgeOf(b, user)
	return b.Finish(pledge, b.Begin(pledge), paymentstest.CardOf(number), true).CardID
}

// keptBy are the ids of a person's cards, in their order.
func keptBy(b *paymentstest.B, user int64) (ids []string) {
	b.T.Helper()
	list, err := b.App.Payments.Kept(b.T.Context(), user, mangopay.Name)
	if err != nil {
		b.T.Fatal(err)
	}
	for _, c := range list {
		ids = append(ids, mangopay.IDIn(c.Ref))
	}
	return ids
}

func (w cardWorld) wantKept(user int64, ids ...string) {
	w.T.Helper()
	if got := keptBy(w.B, user); !slices.Equal(got, ids) {
		w.T.Errorf("%d has kept %v, not %v", user, got, ids)
	}
}

func (w cardWorld) wantActive(card string, want bool) {
	w.T.Helper()
	w.Settle()
	var c struct{ Active bool }
	w.Provide(http.MethodGet, "/cards/"+card, "", &c)
	if c.Active != want {
		w.T.Errorf("card %s at the provider: active is %v", card, c.Active)
	}
}

type cardWorld struct{ *paymentstest.B }

func newCardWorld(t *testing.T) cardWorld {
	t.Helper()
	return cardWorld{paymentstest.NewB(t)}
}

// payWith charges a kept card for another pledge of a person.
func (w cardWorld) payWith(user int64, card string) paymentstest.PayIn {
	w.T.Helper()
	pledge := pledgeOf(w.B, user)
	return w.Pay(paymentstest.OrderBy(pledge, w.Begin(pledge), card))
}

func TestKeptCard_PaysAgain_AndTheOneUsedLastComesFirst(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	first := keep(w.B, aino, paymentstest.PlainCard)
	w.Pass(time.Minute)
	second := keep(w.B, aino, paymentstest.OtherCard)
	w.wantKept(aino, second, first)
	w.Pass(time.Minute)
	if paid := w.payWith(aino, first); paid.PayIn.Status != "SUCCEEDED" {
		t.Fatalf("%+v", paid)
	}
	w.wantKept(aino, first, second)
	list, err := w.App.Payments.Kept(t.Context(), aino, mangopay.Name)
	if err != nil || list[0].Label != "Visa ···· 1119" || list[0].ExpYear != 2035 || list[0].ExpMonth != 12 || list[0].UsedAt == nil || list[1].UsedAt != nil {
		t.Errorf("%+v, %v", list, err)
	}
	w.wantKept(eetu)
}

// Whoever has a link of a mail pays with a card of theirs: it is not kept for the pledge's person, and none that they have kept pays. Of the
// person, in their session, both are as ever.
func TestKeptCard_ByAMailedLink_IsNone(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	own := keep(w.B, aino, paymentstest.PlainCard)
	pledge := pledgeOf(w.B, aino)
	link := map[string]string{ordertoken.Header: w.OrderToken(ordertoken.Paying, pledge), "Authorization": ""}
	theirs := func() string {
		w.T.Helper()
		r := w.Begin(pledge)
		answer, err := w.At.Tokenise(r.CardRegistration.ID, paymentstest.CardOf(paymentstest.OtherCard))
		if err != nil {
			t.Fatal(err)
		}
		var out paymentstest.Registered
		body := map[string]any{"pledgeId": pledge, "registrationId": r.CardRegistration.ID, "registrationData": answer, "keep": true}
		if status, code := w.Call("finish-card-registration", body, link, &out); status != http.StatusOK {
			t.Fatalf("%d %s", status, code)
		}
		return out.CardID
	}
	readers := theirs()
	w.wantKept(aino, own)
	if status, code := w.Call("payin", paymentstest.OrderBy(pledge, w.Begin(pledge), own), link, nil); status != http.StatusForbidden || code != "not_your_order" {
		t.Errorf("with the card of the pledge's person: %d %s", status, code)
	}
	link["Authorization"] = paymentstest.SessionOf(aino, false)
	w.wantKept(aino, theirs(), own)
	link["Authorization"] = paymentstest.SessionOf(eetu, false)
	var paid paymentstest.PayIn
	if status, code := w.Call("payin", paymentstest.OrderBy(pledge, w.Begin(pledge), readers), link, &paid); status != http.StatusOK || paid.PayIn.Status != "SUCCEEDED" {
		t.Errorf("with their own: %d %s, %+v", status, code, paid)
	}
}

func TestKeptCard_NeverAGuests_NorWithoutBeingAsked(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	guests := w.Pledge()
	if done := w.Finish(guests, w.Begin(guests), paymentstest.CardOf(paymentstest.PlainCard), true); done.CardID == "" {
		t.Fatalf("%+v", done)
	}
	w.Order(pledgeOf(w.B, aino), paymentstest.PlainCard)
	if n := w.Count("kept_cards"); n != 0 {
		t.Errorf("%d are kept", n)
	}
}

// The same card that is registered once more takes the place of the one before, which the provider forgets.
func TestKeptCard_TheSameAgain_IsOneCard(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	old, young := keep(w.B, aino, paymentstest.PlainCard), keep(w.B, aino, paymentstest.PlainCard)
	w.wantKept(aino, young)
	w.wantActive(old, false)
	w.wantActive(young, true)
}

// Some refusals say that the card is of no use: it is offered no more, and the provider forgets it. Others leave it.
func TestKeptCard_RefusedForGood_IsForgotten(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	for code, isCleared := range map[string]bool{"101101": true, "101105": true, "009499": true, "101399": false} {
		card := keep(w.B, aino, third)
		w.At.ForceCode(code)
		if refused := w.payWith(aino, card); refused.PayIn.ResultCode != code {
			t.Fatalf("%+v", refused)
		}
		if has := slices.Contains(keptBy(w.B, aino), card); has == isCleared {
			t.Errorf("%s: kept is %v", code, has)
		}
		w.wantActive(card, !isCleared)
	}
}

// So is one that is refused after its bank has asked, when nobody waits for the answer.
func TestKeptCard_RefusedAfterTheBankAsked_IsForgotten(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	card := keep(w.B, aino, paymentstest.AskedCard)
	asked := w.payWith(aino, card)
	w.At.ForceCode("101101")
	if err := w.At.AnswerChallenge(asked.PayIn.ID, true); err != nil {
		t.Fatal(err)
	}
	w.wantKept(aino, card)
	if _, err := w.App.Payments.Advance(t.Context(), asked.Payment.ID, payments.SignalWebhook); err != nil {
		t.Fatal(err)
	}
	w.wantKept(aino)
	w.wantActive(card, false)
}

func (w cardWorld) remove(card, authorization string) int {
	w.T.Helper()
	status, answer := w.Send(http.MethodDelete, w.API.URL+"/api/users/me/cards/"+card, "", nil, map[string]string{"Authorization": authorization})
	if authorization == "" && !strings.Contains(string(answer), `"not_authenticated"`) {
		w.T.Errorf("without a session: %s", answer)
	}
	return status
}

// What checkout offers is what pays and what its person removes: one id, from the call that lists it to the calls that take it.
func TestKeptCard_AsOffered_PaysAndIsRemoved(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	keep(w.B, aino, paymentstest.PlainCard)
	session := map[string]string{"Authorization": paymentstest.SessionOf(aino, false)}
	status, raw := w.Send(http.MethodGet, w.API.URL+"/api/campaigns/7/methods", "", nil, session)
	var offered api.MethodsAnswer
	if err := json.Unmarshal(raw, &offered); err != nil || status != http.StatusOK || len(offered.SavedCards) != 1 {
		t.Fatalf("%d %s, %v", status, raw, err)
	}
	card := offered.SavedCards[0].CardID
	if paid := w.payWith(aino, card); paid.PayIn.Status != "SUCCEEDED" {
		t.Errorf("%q: %+v", card, paid)
	}
	if got := w.remove(card, session["Authorization"]); got != http.StatusNoContent {
		t.Errorf("remove %q: %d", card, got)
	}
	w.wantKept(aino)
}

// Removing a card is its person's; of another's nothing is told and nothing changes.
func TestForgetKeptCard_IsItsPersonsOnly(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	card := keep(w.B, aino, paymentstest.PlainCard)
	if got := w.remove(card, paymentstest.SessionOf(eetu, false)); got != http.StatusNoContent {
		t.Errorf("by a stranger: %d", got)
	}
	if got := w.remove(card, ""); got != http.StatusUnauthorized {
		t.Errorf("without a session: %d", got)
	}
	if got := w.remove(card, "Bearer nobody"); got != http.StatusUnauthorized {
		t.Errorf("by no session: %d", got)
	}
	w.wantKept(aino, card)
	w.wantActive(card, true)
	for range 2 {
		if got := w.remove(card, paymentstest.SessionOf(aino, false)); got != http.StatusNoContent {
			t.Errorf("by its person: %d", got)
		}
	}
	w.wantKept(aino)
	w.wantActive(card, false)
}

// A card that the provider charges no more leaves the list when it is used.
func TestKeptCard_GoneAtTheProvider_IsOfferedNoMore(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	card := keep(w.B, aino, paymentstest.PlainCard)
	w.Provide(http.MethodPut, "/cards/"+card, `{"Active": false}`, nil)
	pledge := pledgeOf(w.B, aino)
	if status, code := w.Call("payin", paymentstest.OrderBy(pledge, w.Begin(pledge), card), nil, nil); status != http.StatusNotFound {
		t.Errorf("%d %s", status, code)
	}
	w.wantKept(aino)
}

func (w cardWorld) tell(method, path, body string) {
	w.T.Helper()
	if status, answer := w.TellBy(method, path, body, servicetoken.Payments); status != http.StatusNoContent {
		w.T.Fatalf("%s: %d %s", path, status, answer)
	}
}

// An account that is erased leaves no card, also not one whose registration ends afterwards.
func TestKeptCards_OfAnErasedAccount_AreGone(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	card := keep(w.B, aino, paymentstest.PlainCard)
	pledge := pledgeOf(w.B, aino)
	late := w.Begin(pledge)
	seen, err := w.App.Payments.FinishCard(t.Context(), payments.Subject{Kind: "pledge", ID: pledge}, mangopay.RegistrationRef(late.CardRegistration.ID), w.typed(late, third))
	if err != nil {
		t.Fatal(err)
	}
	w.tell(http.MethodDelete, fmt.Sprintf("/internal/payers/%d", aino), "")
	if err := w.App.Payments.KeepCard(t.Context(), payments.Subject{Kind: "pledge", ID: pledge}, *seen.Instrument); err != nil {
		t.Error(err)
	}
	w.Exec(`UPDATE payments SET backer_user_id = ? WHERE subject_id = ?`, aino, pledge) // its number was taken away in a step of its own
	if err := w.App.Payments.KeepCard(t.Context(), payments.Subject{Kind: "pledge", ID: pledge}, *seen.Instrument); err != nil {
		t.Error(err)
	}
	if n := w.Count("kept_cards"); n != 0 {
		t.Errorf("%d are kept", n)
	}
	w.wantActive(card, false)
	if _, err := w.App.Providers[mangopay.Name].Instrument(t.Context(), seen.Instrument.Ref); !errors.Is(err, provider.ErrNotFound) {
		t.Errorf("the other card: %v", err)
	}
}

func (w cardWorld) typed(r paymentstest.Registration, number string) string {
	w.T.Helper()
	answer, err := w.At.Tokenise(r.CardRegistration.ID, paymentstest.CardOf(number))
	if err != nil {
		w.T.Fatal(err)
	}
	return answer
}

// Two accounts of one person become one: its cards are those that its payer at the provider can pay with.
func TestKeptCards_OfMergedAccounts_AreThoseThatCanPay(t *testing.T) {
	t.Parallel()
	for _, hasOwn := range []bool{false, true} {
		w := newCardWorld(t)
		card, own := keep(w.B, aino, paymentstest.PlainCard), ""
		if hasOwn {
			own = keep(w.B, eetu, paymentstest.OtherCard)
		}
		w.tell(http.MethodPost, "/internal/payers/merge", fmt.Sprintf(`{"from_user_id": %d, "into_user_id": %d, "subject_ids": [], "merged_at": %q}`, aino, eetu, w.Now().Format(time.RFC3339)))
		w.wantKept(aino)
		if hasOwn {
			w.wantKept(eetu, own)
			w.wantActive(card, false)
			continue
		}
		w.wantKept(eetu, card)
		if paid := w.payWith(eetu, card); paid.PayIn.Status != "SUCCEEDED" {
			t.Errorf("%+v", paid)
		}
	}
}

// A card that never paid is offered for a day, since the provider ends it then; one that has paid until its last month is over.
func TestKeptCard_IsOfferedWhileItCanPay(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	unused := keep(w.B, aino, paymentstest.OtherCard)
	used := keep(w.B, aino, paymentstest.PlainCard)
	w.Pass(time.Minute)
	w.payWith(aino, used)
	w.wantKept(aino, used, unused)
	w.Pass(25 * time.Hour)
	w.wantKept(aino, used)
	month := w.Now().Year()*12 + int(w.Now().Month()) - 1 // this month, from 0
	w.Exec(`UPDATE kept_cards SET exp_year = ?, exp_month = ?`, month/12, month%12+1)
	w.wantKept(aino, used)
	w.Exec(`UPDATE kept_cards SET exp_year = ?, exp_month = ?`, (month-1)/12, (month-1)%12+1)
	w.wantKept(aino)
}

// What people are offered says nothing that could pay.
func TestKeptCard_IsKeptWithoutItsNumber(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	keep(w.B, aino, paymentstest.PlainCard)
	var row string
	w.Scan(&row, `SELECT kept_cards::text FROM kept_cards`)
	if strings.Contains(row, paymentstest.PlainCard) || !strings.Contains(row, "1119") {
		t.Error(row)
	}
}
