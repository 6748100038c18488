package taxdata_test

import (
	"net/http"
	"testing"
	"time"

	"talkoot.fi/kit/conf"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/providers/stripe"
)

// A key is replaced in three steps, and nothing is lost; one that was taken away too early is said.
func TestReseal_ReplacesTheKey(t *testing.T) {
	t.Parallel()
	const old, next = "an old secret of at least thirty-two bytes", "a next secret of at least thirty-two bytes"
	keys := func(all string) paymentstest.Option {
		return func(c *app.Config) { c.SealingKey = conf.Secret(all) }
	}
	w := newWorld(t, keys(old))
	w.put(who, said(0, nil))
	both, only := w.Another(w.Now, keys(next+","+old)), w.Another(w.Now, keys(next))
	if n, err := only.TaxData.Unopened(t.Context()); err != nil || n != 1 {
		t.Errorf("unopened: %d, %v", n, err)
	}
	if _, err := only.TaxData.Reseal(t.Context()); err == nil {
		t.Error("what nobody opens is sealed anew")
	}
	if n, err := both.TaxData.Reseal(t.Context()); err != nil || n != 1 {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := both.TaxData.Reseal(t.Context()); err != nil || n != 0 {
		t.Errorf("again: %d, %v", n, err)
	}
	if d, version, err := only.TaxData.Values(t.Context(), who); err != nil || d.TIN.Number != hetu || version != 1 {
		t.Errorf("%v, version %d", err, version)
	}
	if n, err := only.TaxData.Unopened(t.Context()); err != nil || n != 0 {
		t.Errorf("unopened: %d, %v", n, err)
	}
}

// A creator is reminded twice through the content service, which is told no word of what was said, and payouts wait 60 days after the first.
func TestReminders_AreTwo_AndThenPayoutsWait(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := 24 * time.Hour
	held := func() bool {
		t.Helper()
		var ref string
		w.Scan(&ref, `SELECT ref FROM payees WHERE user_id = 3`)
		is, err := w.App.TaxData.IsHeld(t.Context(), w.App.DB, stripe.Name, ref)
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	told := func() (n int) {
		t.Helper()
		if err := w.App.TaxData.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.Settle()
		for _, e := range w.Content.Payees() {
			if e.TaxReminder != nil {
				n++
			}
		}
		return n
	}
	for i, step := range []struct {
		after  time.Duration
		told   int
		isHeld bool
	}{{0, 0, false}, {7*day - time.Hour, 0, false}, {time.Hour, 1, false}, {29 * day, 1, false}, {day, 2, false}, {29 * day, 2, false}, {day + time.Hour, 2, true}, {300 * day, 2, true}} {
		w.Pass(step.after)
		if n, isHeld := told(), held(); n != step.told || isHeld != step.isHeld {
			t.Errorf("step %d: %d reminders, held %t", i, n, isHeld)
		}
	}
	var st api.TaxStanding
	if w.call(http.MethodGet, own, paymentstest.SessionOf(who, false), nil, &st); !st.IsHeld || st.By == nil || st.By.After(w.Now()) || st.RemindedAt == nil {
		t.Errorf("%+v", st)
	}
	w.put(who, said(0, nil))
	if held() {
		t.Error("what was said does not let payouts go on")
	}
}

// Who has been given an account and says it in time is not reminded; one whose account is closed neither.
func TestReminders_StopWhenItIsSaid_OrTheAccountIsClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.onboard(other)
	w.put(who, said(0, nil))
	if err := w.App.TaxData.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Exec(`UPDATE payees SET state = 'closed' WHERE user_id = ?`, other)
	w.Pass(400 * 24 * time.Hour)
	if err := w.App.TaxData.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := w.Count(`tax_records WHERE reminded_at IS NOT NULL`); n != 0 {
		t.Errorf("%d were reminded", n)
	}
}

// Two accounts of one person become one: what was said goes along, and the newer account's own word stays.
func TestMerge_TakesWhatWasSaidAlong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.onboard(other)
	w.put(who, said(0, nil))
	if err := w.App.TaxData.Merge(t.Context(), who, other); err != nil {
		t.Fatal(err)
	}
	if d, version, err := w.App.TaxData.Values(t.Context(), other); err != nil || d.FirstName != "Maija" || version != 1 {
		t.Errorf("%d, %v", version, err)
	}
	w.put(who, said(0, body{"first_name": "Toinen"}))
	for range 2 { // a repeat changes nothing
		if err := w.App.TaxData.Merge(t.Context(), who, other); err != nil {
			t.Fatal(err)
		}
	}
	if d, _, err := w.App.TaxData.Values(t.Context(), other); err != nil || d.FirstName != "Maija" || w.Count("tax_records") != 1 {
		t.Errorf("%v, %d rows", err, w.Count("tax_records"))
	}
}
