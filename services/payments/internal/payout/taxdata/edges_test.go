package taxdata_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/conf"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
)

// No cache keeps an answer of these calls, refusals included.
func TestTaxData_IsKeptInNoCache(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put(who, said(0, nil))
	for _, session := range []string{"", paymentstest.SessionOf(who, false), paymentstest.SessionOf(who, true), paymentstest.SessionOf(other, true)} {
		for _, path := range []string{own, own + "/values", "/api/users/me/tax-reports", "/api/users/me/tax-reports/2026?language=fi", "/api/users/me/tax-reports/1?language=fi"} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.API.URL+path, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			w.Identify(r)
			r.Header.Set("Authorization", session)
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if got := answer.Header.Get("Cache-Control"); !strings.Contains(got, "no-store") {
				t.Errorf("%s of %q: %d, Cache-Control %q", path, session, answer.StatusCode, got)
			}
		}
	}
}

// Keys are replaced while creators write: nothing is lost, and what was said last is what is kept.
func TestReseal_WhileCreatorsWrite_LosesNothing(t *testing.T) {
	t.Parallel()
	const old, next = "an old secret of at least thirty-two bytes", "a next secret of at least thirty-two bytes"
	keys := func(all string) paymentstest.Option {
		return func(c *app.Config) { c.SealingKey = conf.Secret(all) }
	}
	w := newWorld(t, keys(old+","+next)) // knows the next one already, and seals by the old one
	w.put(who, said(0, nil))
	both := w.Another(w.Now, keys(next+","+old))
	stop, done := make(chan struct{}), make(chan error)
	go func() {
		var err error
		for err == nil {
			select {
			case <-stop:
				done <- nil
				return
			default:
				_, err = both.TaxData.Reseal(t.Context())
			}
		}
		<-stop
		done <- err
	}()
	const times = 15
	for i := range times {
		if st := w.put(who, said(int64(i+1), body{"last_name": fmt.Sprintf("Nimi %d", i), "tin": body{"issued_by": "FI"}})); st.Given.Name != fmt.Sprintf("Maija Nimi %d", i) {
			t.Errorf("%+v", st.Given)
		}
	}
	close(stop)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if _, err := both.TaxData.Reseal(t.Context()); err != nil {
		t.Fatal(err)
	}
	d, version, err := w.Another(w.Now, keys(next)).TaxData.Values(t.Context(), who)
	if err != nil || version != times+1 || d.TIN == nil || d.TIN.Number != hetu || d.LastName != fmt.Sprintf("Nimi %d", times-1) {
		t.Errorf("version %d, %v", version, err)
	}
}

// Without the key of before the service starts and says so; a creator whose key is gone says it anew.
func TestTaxData_WhoseKeyIsGone_IsSaidAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *app.Config) { c.SealingKey = "a lost secret of at least thirty-two bytes" })
	w.put(who, said(0, nil))
	handler, err := w.Another(w.Now, func(c *app.Config) { c.SealingKey = "" }).Handler()
	if err != nil {
		t.Fatal(err)
	}
	w.API = httptest.NewServer(handler)
	t.Cleanup(w.API.Close)
	session := paymentstest.SessionOf(who, true)
	var st api.TaxStanding
	if status, fault, _ := w.call(http.MethodGet, own, session, nil, &st); status != http.StatusOK || st.Version != 1 || len(st.Missing) == 0 || st.Given != nil || st.IsHeld || st.By != nil {
		t.Errorf("standing: %d %s %+v", status, fault, st)
	}
	if status, _, raw := w.call(http.MethodGet, own+"/values", session, nil, nil); status < 400 || strings.Contains(raw, "Maija") {
		t.Errorf("values: %d %s", status, raw)
	}
	if status, fault, _ := w.call(http.MethodPut, own, session, said(1, body{"tin": body{"issued_by": "FI"}}), nil); status/100 != 4 || fault != "invalid_fields tin.number:required" {
		t.Errorf("without the number: %d %s", status, fault)
	}
	if st := w.put(who, said(1, body{"last_name": "Uusi"})); st.Version != 2 || st.Given.Name != "Maija Uusi" {
		t.Errorf("%+v", st)
	}
}

// The file of one's own data and the joining of two accounts go on without what does not open any more, and say so.
func TestTaxData_WhoseKeyIsGone_KeepsNobodyFromTheRest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *app.Config) { c.SealingKey = "a lost secret of at least thirty-two bytes" })
	w.onboard(other)
	w.put(who, said(0, nil))
	data := w.Another(w.Now, func(c *app.Config) { c.SealingKey = "" }).TaxData
	if mine, err := data.Own(t.Context(), who); err != nil || mine.IsLost == nil || !*mine.IsLost || mine.Said != nil || mine.GivenAt == nil {
		t.Errorf("own data: %+v, %v", mine, err)
	}
	if err := data.Merge(t.Context(), who, other); err != nil {
		t.Fatal(err)
	}
	if st, err := data.Standing(t.Context(), other); err != nil || st.Version != 0 || len(st.Missing) == 0 || st.By == nil {
		t.Errorf("who stays is asked anew: %+v, %v", st, err)
	}
}

// Whoever was away: the days are counted from when a reminder left, never twice, by however many workers.
func TestReminders_OfAWorkerThatWasAway_AreCountedFromWhenTheyLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const day = 24 * time.Hour
	sweep := func() {
		t.Helper()
		errs := make(chan error, 4)
		for range cap(errs) {
			go func() { errs <- w.App.TaxData.Sweep(t.Context()) }()
		}
		for range cap(errs) {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
	}
	told := func() (n int) {
		w.Settle()
		for _, e := range w.Content.Payees() {
			if e.TaxReminder != nil {
				n++
			}
		}
		return n
	}
	sweep()
	for i, one := range []struct {
		after time.Duration
		told  int
	}{{200 * day, 1}, {29 * day, 1}, {200 * day, 2}, {13 * day, 2}, {400 * day, 2}} {
		w.Pass(one.after)
		sweep()
		if n := told(); n != one.told {
			t.Errorf("step %d: told %d times", i, n)
		}
		st, err := w.App.TaxData.Standing(t.Context(), who)
		if want := i == 4; err != nil || st.IsHeld != want {
			t.Errorf("step %d: held %t, %v", i, st.IsHeld, err)
		}
	}
}
