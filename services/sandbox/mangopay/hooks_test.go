package mangopay_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/sandbox/mangopay"
)

func TestHooks_AreGETsWithWhatHappenedInTheQuery(t *testing.T) {
	w := start(t)
	w.told()
	m := id(w.post("/mandates/directdebit/web", mandateOrder(w.account(w.payer("Maija")))))
	for _, d := range w.s.Deliveries() {
		w.must(w.s.Deliver(t.Context(), d.ID))
	}
	if want := "GET source=b&EventType=MANDATE_CREATED&RessourceId=" + m + "&Date=1793620800"; len(w.hooks) != 1 || w.hooks[0] != want {
		t.Errorf("%v, want %s", w.hooks, want)
	}
}

func TestHooks_AreMadeOneForEachEventTypeByTheAPI(t *testing.T) {
	w := startWith(t, mangopay.Options{})
	order := object{"EventType": "MANDATE_CREATED", "Url": "http://us.test/hook"}
	h := w.post("/hooks", order)
	if h["Status"] != "ENABLED" || h["Validity"] != "UNKNOWN" {
		t.Errorf("%v", h)
	}
	w.refuses(http.MethodPost, "/hooks", order, 400, "param_error", "EventType")
	w.refuses(http.MethodPost, "/hooks", object{"EventType": "SOMETHING", "Url": "http://us.test/hook"}, 400, "param_error", "EventType")
	account := w.account(w.payer("Maija"))
	w.post("/mandates/directdebit/web", mandateOrder(account))
	if told := w.told(); len(told) != 1 {
		t.Errorf("%v", told)
	}
	if got := w.get("/hooks/" + id(h)); got["Validity"] != "VALID" {
		t.Errorf("%v", got)
	}
	w.ok(http.MethodPut, "/hooks/"+id(h), object{"Status": "DISABLED"})
	w.post("/mandates/directdebit/web", mandateOrder(account))
	if told := w.told(); len(told) != 0 {
		t.Errorf("%v", told)
	}
	if all, _ := w.list("/events?EventType=MANDATE_CREATED"); len(all) != 2 || all[0]["ResourceId"] == nil {
		t.Errorf("events are recorded without a hook too: %v", all)
	}
	w.pass(45 * 24 * time.Hour)
	if all, _ := w.list("/events?EventType=MANDATE_CREATED"); len(all) != 0 {
		t.Errorf("%v", all)
	}
}

func TestHooks_ThatAreNotAnswered200AreRetriedForThreeDays(t *testing.T) {
	w := start(t)
	account := w.account(w.payer("Maija"))
	w.told()
	w.deaf = true
	began := w.now
	w.post("/mandates/directdebit/web", mandateOrder(account))
	var waits []time.Duration
	for {
		left := slices.DeleteFunc(w.s.Deliveries(), func(d mangopay.Delivery) bool { return d.Type != "MANDATE_CREATED" })
		if len(left) == 0 {
			break
		}
		waits = append(waits, left[0].Due.Sub(w.now))
		w.now = left[0].Due
		if err := w.s.Deliver(t.Context(), left[0].ID); !errors.Is(err, mangopay.ErrNotTaken) {
			t.Fatal(err)
		}
	}
	if len(waits) != 16 || waits[1] != 10*time.Minute || waits[6] != 10*time.Minute || waits[7] != 8*time.Hour || w.now.Sub(began) != 73*time.Hour {
		t.Errorf("%v", waits)
	}
}

func TestHooks_AreDisabledAfterAHundredFailuresInARow(t *testing.T) {
	w := start(t)
	account := w.account(w.payer("Maija"))
	w.told()
	hooks, _ := w.list("/hooks?EventType=MANDATE_CREATED")
	hook := id(hooks[0])
	w.deaf = true
	fail := func(n int) {
		for range n {
			w.post("/mandates/directdebit/web", mandateOrder(account))
			waiting := w.s.Deliveries()
			for _, d := range waiting {
				if d.Type == "MANDATE_CREATED" && d.Due.Equal(w.now) {
					_ = w.s.Deliver(t.Context(), d.ID)
					break
				}
			}
		}
	}
	fail(99)
	if got := w.get("/hooks/" + hook); got["Status"] != "ENABLED" {
		t.Fatalf("%v", got)
	}
	fail(1)
	if got := w.get("/hooks/" + hook); got["Status"] != "DISABLED" || got["Validity"] != "INVALID" {
		t.Errorf("%v", got)
	}
	w.deaf = false
	w.ok(http.MethodPut, "/hooks/"+hook, object{"Status": "ENABLED"})
	w.post("/mandates/directdebit/web", mandateOrder(account))
	if told := w.told(); !slices.ContainsFunc(told, func(s string) bool { return strings.HasPrefix(s, "MANDATE_CREATED ") }) {
		t.Errorf("%v", told)
	}
}

func TestDeliveries_CanBeHeldDroppedAndDuplicated(t *testing.T) {
	w := start(t)
	account := w.account(w.payer("Maija"))
	w.told()
	w.post("/mandates/directdebit/web", mandateOrder(account))
	first := w.s.Deliveries()[0].ID
	if _, err := w.s.DuplicateDelivery(first); err != nil {
		t.Fatal(err)
	}
	if told := w.told(); len(told) != 2 || told[0] != told[1] {
		t.Errorf("%v", told)
	}
	w.post("/mandates/directdebit/web", mandateOrder(account))
	w.must(w.s.DropDelivery(w.s.Deliveries()[0].ID))
	if told := w.told(); len(told) != 0 {
		t.Errorf("%v", told)
	}
}
