package subscriptions_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

// wantCard wants a card kept at the provider, or not.
func wantCard(w *paymentstest.World, what, card string, want bool) {
	w.T.Helper()
	var method struct{ Customer *string }
	if w.At("/v1/payment_methods/"+card, &method); (method.Customer != nil) != want {
		w.T.Errorf("%s is kept: %t, want %t", what, !want, want)
	}
}

// wantCustomer wants a customer at the provider, or one that was deleted.
func wantCustomer(w *paymentstest.World, customer string, want bool) {
	w.T.Helper()
	var one struct{ Deleted bool }
	if w.At("/v1/customers/"+customer, &one); one.Deleted == want {
		w.T.Errorf("customer %s is deleted: %t", customer, one.Deleted)
	}
}

func customerOf(w *paymentstest.World, id string) (ref string) {
	w.T.Helper()
	w.Scan(&ref, `SELECT customer_ref FROM payments WHERE subject_id = ? LIMIT 1`, id)
	return ref
}

func putCard(w *paymentstest.World, id, setup string) (int, string) {
	w.T.Helper()
	status, code, _ := w.Act(http.MethodPut, id, "/card", `{"setup_intent":"`+setup+`"}`)
	return status, code
}

func mustPutCard(w *paymentstest.World, id, setup string) {
	w.T.Helper()
	if status, code := putCard(w, id, setup); status != http.StatusOK {
		w.T.Fatalf("the card of %s answered %d %s", id, status, code)
	}
	w.Settle()
}

// sharing is two subscriptions of one person that charge one card.
func sharing(w *paymentstest.World) (one, two string) {
	w.T.Helper()
	one, two = w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11)), w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11))
	setup := w.SetupCardOf(one, paymentstest.Visa)
	mustPutCard(w, one, setup)
	mustPutCard(w, two, setup)
	return one, two
}

func erase(w *paymentstest.World, user int64) {
	w.T.Helper()
	status, body := w.TellBy(http.MethodDelete, "/internal/payers/"+strconv.FormatInt(user, 10), "", servicetoken.Payments)
	if status != http.StatusNoContent {
		w.T.Fatalf("erasing answered %d %s", status, body)
	}
}

// merge merges two accounts, the first with these subscriptions.
func merge(w *paymentstest.World, from, into string, ids ...string) {
	mergeAt(w, from, into, w.Now(), ids...)
}

func mergeAt(w *paymentstest.World, from, into string, at time.Time, ids ...string) {
	w.T.Helper()
	status, body := w.Tell("/internal/payers/merge", `{"from_user_id":`+from+`,"into_user_id":`+into+`,"subject_ids":["`+strings.Join(ids, `","`)+
		`"],"merged_at":"`+at.Format(time.RFC3339Nano)+`"}`,
		servicetoken.Payments)
	if status != http.StatusNoContent {
		w.T.Fatalf("merging answered %d %s", status, body)
	}
}

func TestReplacedCard_IsForgottenAtTheProvider_WhenNoOtherSubscriptionHasIt(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	one, two := sharing(w)
	old := w.CardOf(one)
	mustPutCard(w, one, w.SetupCardOf(one, paymentstest.Mastercard))
	wantCard(w, "the card of the other one", old, true)
	mustPutCard(w, two, w.SetupCardOf(two, paymentstest.Mastercard))
	wantCard(w, "the card that nobody has", old, false)
	wantCard(w, "the card of one", w.CardOf(one), true)
	wantCard(w, "the card of two", w.CardOf(two), true)

	// The card of a month that the backer pays in the form takes the place of the one before.
	refused := w.CardOf(two)
	w.BankSays(two, paymentstest.Lost)
	overDays(w, day(2027, 2, 11))
	w.PayMonth(two, paymentstest.Visa)
	wantCard(w, "the refused card", refused, false)
	wantCard(w, "the card that has paid", w.CardOf(two), true)
	w.Audit()
}

func TestCardOfALinkInAMail_ChangesNoOtherSubscription(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	one, two := sharing(w)
	old := w.CardOf(one)
	setup := w.SetupCardOf(one, paymentstest.Mastercard)
	w.MustLink("act", w.Link(one, contentclient.Card, 1), `,"setup_intent":"`+setup+`"`)
	w.Settle()
	if got := w.CardOf(two); got != old {
		t.Errorf("the other one charges %s, want %s", got, old)
	}
	if w.CardOf(one) == old {
		t.Error("the card is not changed")
	}
	wantCard(w, "the card of the other one", old, true)
}

func TestCardThatIsBeingForgotten_IsNotTakenIntoUse(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	w.GoTo(noon(anchor))
	one, two := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11)), w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11))
	setup := w.SetupCardOf(one, paymentstest.Visa)
	mustPutCard(w, one, setup)
	had, forgotten := w.CardOf(two), w.CardOf(one)
	var done atomic.Bool
	b.Set(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, forgotten+"/detach") && done.CompareAndSwap(false, true) {
			if status, code := putCard(w, two, setup); status != http.StatusConflict || code != "subscription_card_needed" {
				t.Errorf("the card that goes answered %d %s", status, code)
			}
		}
		return false
	}, nil)
	w.MustAct(one, "cancel", `{"at":"now"}`)
	w.Settle()
	if !done.Load() {
		t.Fatal("the card was not forgotten")
	}
	wantCard(w, "the forgotten card", forgotten, false)
	wantCard(w, "the card of the other one", had, true)
	overDays(w, day(2027, 2, 11))
	wantMonths(w, two, 2)
	w.Audit()
}

func TestCardThatIsTakenIntoUseMeanwhile_IsNotForgotten(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	for range 4 {
		one, two := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11)), w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11))
		setup := w.SetupCardOf(one, paymentstest.Visa)
		mustPutCard(w, one, setup)
		w.MustAct(one, "cancel", `{"at":"now"}`)
		taken := make(chan struct{})
		go func() { defer close(taken); putCard(w, two, setup) }()
		w.Settle()
		<-taken
		w.Settle()
		wantCard(w, "the card that is charged", w.CardOf(two), true)
	}
}

func TestSetup_ThatIsNotUsed_IsEndedWithItsSubscription_AndItsCardForgottenWhenAnotherBegins(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa)
	setup := w.SetupCardOf(id, paymentstest.Mastercard) // and the page was closed then
	var kept struct {
		Status, Customer string
		PaymentMethod    string `json:"payment_method"`
	}
	w.At("/v1/setup_intents/"+setup, &kept)
	wantCard(w, "what was kept", kept.PaymentMethod, true)
	var next struct {
		Stripe struct {
			SetupIntent struct{ ID string } `json:"setup_intent"`
		}
	}
	if status, code := w.Post("/api/subscriptions/"+id+"/card", nil, &next); status != http.StatusOK {
		t.Fatalf("another setup answered %d %s", status, code)
	}
	w.Settle()
	wantCard(w, "what nobody took into use", kept.PaymentMethod, false)
	w.MustAct(id, "cancel", `{"at":"now"}`)
	w.Settle()
	if w.At("/v1/setup_intents/"+next.Stripe.SetupIntent.ID, &kept); kept.Status != "canceled" {
		t.Errorf("the open setup of what is over is %s", kept.Status)
	}
}

func TestSupportWithoutAnAccount_LeavesNothingOfItsPayer_WhenItIsOver(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	paid, unpaid := w.Subscribed(paymentstest.Visa), w.Subscription()
	w.SetupMonth(unpaid)
	card, customer := w.CardOf(paid), customerOf(w, paid)
	w.Fault("500", 3, http.MethodDelete, "/v1/customers/") // it is repeated until the provider is well again
	w.CloseSubscription(paid, "campaign_closed")
	w.CloseSubscription(unpaid, "released")
	overDays(w, day(2027, 1, 12))
	wantCard(w, "the card", card, false)
	wantCustomer(w, customer, false)
	wantCustomer(w, customerOf(w, unpaid), false)
	if n := w.Count(`subscriptions WHERE card_ref || card_label || card_expires || customer_ref || setup_ref <> ''`); n != 0 {
		t.Errorf("%d subscriptions keep something of their payer", n)
	}
	w.Audit()
}

func TestErasedPayer_IsForgottenHereAndAtTheProvider_AndPaymentsStay(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	one, two := sharing(w)
	other := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(12))
	customer, cards := customerOf(w, one), []string{w.CardOf(one), w.SetupCardOf(two, paymentstest.Mastercard)}
	w.CloseSubscription(one, "person_erased")
	w.Fault("500", 2, http.MethodDelete, "/v1/customers/")
	for range 2 { // the closing of the second has not come yet
		erase(w, 11)
	}
	overDays(w, day(2027, 1, 12))
	erase(w, 11)
	w.CloseSubscription(two, "person_erased")
	overDays(w, day(2027, 2, 11))
	wantStatus(w, one, "canceled")
	wantStatus(w, two, "canceled")
	wantCustomer(w, customer, false)
	wantCard(w, "the card", cards[0], false)
	if n := w.Count(`subscriptions WHERE backer_user_id = 11 OR id <> ? AND card_ref || card_label || customer_ref || setup_ref <> ''`, other); n != 0 {
		t.Errorf("%d subscriptions know of the person", n)
	}
	if n := w.Count(`payments WHERE subject_id IN (?, ?) AND status = 'succeeded' AND method <> ''`, one, two); n != 2 {
		t.Errorf("%d payments stay", n)
	}
	wantCustomer(w, customerOf(w, other), true)
	wantMonths(w, other, 2)
	w.Audit()
}

func TestMergedPayers_AreOne_AndKeepTheirCards_UntilTheyAreErased(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	one, two, other := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11)), w.Subscribed(paymentstest.Visa, paymentstest.OfUser(12)),
		w.Subscribed(paymentstest.Visa, paymentstest.OfUser(13))
	for range 2 {
		merge(w, "11", "12", one)
	}
	erase(w, 11) // who has nothing any more
	w.Settle()
	if n := w.Count(`subscriptions WHERE backer_user_id = 12`); n != 2 {
		t.Errorf("%d subscriptions are the person's", n)
	}
	// The account that was merged may begin anew: the provider still knows its customer by its key.
	again := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11))
	w.CloseSubscription(again, "person_erased")
	erase(w, 11)
	overDays(w, day(2027, 2, 11))
	wantStatus(w, again, "canceled")
	wantMonths(w, one, 2)
	wantMonths(w, two, 2)
	erase(w, 12) // the closings come after it here
	w.CloseSubscription(one, "person_erased")
	w.CloseSubscription(two, "person_erased")
	overDays(w, day(2027, 3, 11))
	for _, id := range []string{one, two, again} {
		wantStatus(w, id, "canceled")
		wantCustomer(w, customerOf(w, id), false)
	}
	wantMonths(w, other, 3)
	w.Audit()
}

// The message of a merge is delivered late, or once more, after its person has begun something new in the first account.
func TestMerge_DeliveredLate_TakesNothingThatHasBegunSince(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(21))
	merged := w.Now()
	merge(w, "21", "22", id)
	w.Pass(48 * time.Hour)
	later := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(21))
	w.SetLimit(21, 1000, false)
	mergeAt(w, "21", "22", merged, id) // the answer to the first was lost
	if got := w.Limits(21); len(got) != 1 {
		t.Errorf("the limit of the first account is %+v", got)
	}
	erase(w, 22)
	w.Settle()
	wantStatus(w, later, "active")
}

func TestMerge_TakesTheLongestListOfTheContract(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(21))
	merge(w, "21", "22", append(slices.Repeat([]string{"01arz3ndektsv4rrffq69g5fav"}, 499), id)...)
	if n := w.Count(`subscriptions WHERE backer_user_id = 22`); n != 1 {
		t.Error("the last one has not moved")
	}
}

// The payment service was away, and its clock is ahead: what the first account had is known by its ids.
func TestMerge_DeliveredLate_TakesMonthsThatHaveBegunSince_AndKeepsANewerLimit(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(21))
	w.SetLimit(21, 1500, false)
	merged := w.Now()
	overDays(w, day(2027, 2, 11))
	w.SetLimit(22, 5000, false) // chosen since
	mergeAt(w, "21", "22", merged.Add(-5*time.Minute), id)
	if n := w.Count(`payments WHERE subject_id = ? AND backer_user_id = 22`, id); n != 2 {
		t.Errorf("%d months are the other account's", n)
	}
	mergeAt(w, "21", "22", merged, id)
	if got := w.Limits(22); len(got) != 1 || got[0].AmountMinor != 5000 {
		t.Errorf("the limit is %+v", got)
	}
	w.Audit()
}

// The order was read before the merge, the subscription is written after it.
func TestMerge_WhileSupportBegins_EndsNoneWithTheEmptiedAccount(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	w.GoTo(noon(anchor))
	id := w.Subscription(paymentstest.OfUser(21))
	done := false
	b.Set(func(_ http.ResponseWriter, r *http.Request) bool {
		if !done && r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/v1/customers") {
			done = true
			merge(w, "21", "22", id)
		}
		return false
	}, nil)
	w.PayMonth(id, paymentstest.Visa)
	if !done {
		t.Fatal("no customer was made")
	}
	erase(w, 21) // the emptied account; the content service has the support under 22
	w.Settle()
	wantStatus(w, id, "active")
}

// Money of the form that comes when its month was left out goes back; the card that the form has kept is nobody's.
func TestCard_OfUnwantedMoney_IsForgotten(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.BankSays(id, paymentstest.Lost)
	w.GoTo(calendar.At(day(2027, 2, 10), 9).Add(time.Second))
	w.Settle()
	w.LoseWebhooks()
	a := w.SetupMonth(id)
	w.Confirm(a, paymentstest.Mastercard)
	var intent struct {
		PaymentMethod string `json:"payment_method"`
	}
	w.At("/v1/payment_intents/"+a.Stripe.PaymentIntent.ID, &intent)
	w.MustAct(id, "cancel", `{"at":"now"}`)
	w.Pass(time.Minute)
	w.Settle()
	if n := w.Count(`payments WHERE subject_id = ? AND period = 2 AND refused`, id); n != 1 {
		t.Fatalf("%d months were given back", n)
	}
	w.Pass(time.Hour)
	w.Settle()
	wantStatus(w, id, "canceled")
	wantCard(w, "the card of unwanted money, "+intent.PaymentMethod, intent.PaymentMethod, false)
	w.Audit()
}

// A month's object was promised and never made, and its payer is gone from the provider: nothing can be left open there.
func TestMonth_WhosePayerIsForgottenBeforeItsObjectIsMade_IsEnded(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	customer := customerOf(w, id)
	isGone := false
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		isGone = isGone || r.Method == http.MethodDelete && strings.HasSuffix(r.URL.Path, customer)
		return !isGone && r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/v1/payment_intents") &&
			paymentstest.Refuse(rw, http.StatusInternalServerError, `{"type":"api_error"}`)
	}, nil)
	overDays(w, day(2027, 2, 10))
	w.MustAct(id, "cancel", `{"at":"now"}`)
	w.Pass(time.Hour)
	w.Settle()
	wantCustomer(w, customer, false)
	if n := w.Count(`payments WHERE subject_id = ? AND period = 2 AND status = 'canceled'`, id); n != 1 {
		t.Error("the month's payment stays open")
	}
	w.Audit()
}
