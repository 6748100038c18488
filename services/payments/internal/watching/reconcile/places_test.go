package reconcile_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/watching/reconcile"
)

// day is what the last day of a place says.
type placeDay struct {
	BookMinor, ObjectsMinor, ForeignMinor int64
	BalanceMinor                          *int64
	Verdict                               reconcile.Verdict
}

func lastDay(w *paymentstest.World) (d placeDay) {
	w.T.Helper()
	w.Scan(&d, `SELECT book_minor, objects_minor, foreign_minor, balance_minor, verdict FROM balance_days WHERE place = 'main' ORDER BY day DESC LIMIT 1`)
	return d
}

// nextNight passes a day and compares.
func nextNight(w *paymentstest.World) placeDay {
	w.T.Helper()
	w.Pass(24 * time.Hour)
	w.Compare()
	return lastDay(w)
}

// A day's money is the same by the book, by the provider's list and by its balance, also when more moves while they are compared.
func TestPlaces_AgreeThreeWays_WhileMoneyIsUnderWay(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	w.Paid()
	if d := nextNight(w); d.Verdict != reconcile.Agrees || d.BookMinor != 5000-paymentstest.Fee || d.ObjectsMinor != d.BookMinor || *d.BalanceMinor != d.BookMinor {
		t.Fatalf("a paid pledge: %+v", d)
	}
	// Of today: none of it belongs to the day that has ended.
	w.Paid()
	asked := 0
	b.Set(func(_ http.ResponseWriter, r *http.Request) bool {
		if paymentstest.IsCall(r, http.MethodGet, "/v1/balance_transactions") && asked < 2 {
			asked++
			foreign(w) // and while the list is read
		}
		return false
	}, nil)
	w.Compare()
	b.Set(nil, nil)
	if d := lastDay(w); d.Verdict != reconcile.Agrees {
		t.Errorf("while money moves: %+v", d)
	}
	if n := w.Anomalies("balance_difference"); n != 0 {
		t.Errorf("%d anomalies", n)
	}
}

// Another system's money is taken off on each day that is compared anew, also in the evening, when the third day before has begun more than three
// times 24 hours ago.
func TestPlaces_ForeignMoneyStaysForeignOnEachDayThatIsComparedAnew(t *testing.T) {
	t.Parallel()
	w, _ := paymentstest.NewBetween(t)
	morning := calendar.Start(calendar.Add(calendar.DayOf(w.Now()), 1)).Add(9 * time.Hour)
	w.Pass(morning.Sub(w.Now()))
	w.Paid()
	foreign(w)
	for _, wait := range []time.Duration{24 * time.Hour, 24 * time.Hour, 34 * time.Hour, 24 * time.Hour} {
		w.Pass(wait)
		w.Compare()
		if d := lastDay(w); d.Verdict != reconcile.Agrees || d.ForeignMinor == 0 {
			t.Errorf("%s: %+v", w.Now(), d)
		}
		if n := w.Anomalies("balance_difference"); n != 0 {
			t.Errorf("%s: %d anomalies", w.Now(), n)
		}
	}
}

// What was on the account before the first day that is compared, and that no line of these days tells of, is nobody's fault.
func TestPlaces_MoneyOfBeforeTheFirstComparisonIsNotOurs(t *testing.T) {
	t.Parallel()
	w, _ := paymentstest.NewBetween(t)
	foreign(w)
	w.Pass(5 * 24 * time.Hour)
	w.Paid()
	for range 2 {
		if d := nextNight(w); d.Verdict != reconcile.Agrees || d.ForeignMinor == 0 || d.BookMinor != 5000-paymentstest.Fee {
			t.Errorf("%+v", d)
		}
	}
	if n := w.Anomalies("balance_difference"); n != 0 {
		t.Errorf("%d anomalies", n)
	}
}

// The first comparison of all begins long before, so that another system's money of before it is known as theirs, also when we had booked something by then.
func TestPlaces_TheFirstComparisonKnowsAnotherSystemsMoneyOfBeforeIt(t *testing.T) {
	t.Parallel()
	w, _ := paymentstest.NewBetween(t)
	w.Paid()
	foreign(w)
	w.Pass(8 * 24 * time.Hour)
	for range 2 {
		if d := nextNight(w); d.Verdict != reconcile.Agrees || d.ForeignMinor == 0 || d.BookMinor != 5000-paymentstest.Fee {
			t.Errorf("%+v", d)
		}
	}
	if n := w.Anomalies("balance_difference"); n != 0 {
		t.Errorf("%d anomalies", n)
	}
}

// What one of the three sources says otherwise is found and named, a person is called once, and it closes itself when it is gone.
func TestPlaces_NameTheSourceThatDiffers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		plant func(w *paymentstest.World, b *paymentstest.Between)
		mend  func(w *paymentstest.World, b *paymentstest.Between)
		want  reconcile.Verdict
	}{
		"the book": {func(w *paymentstest.World, _ *paymentstest.Between) {
			w.Exec(`ALTER TABLE ledger_entries DISABLE TRIGGER ALL`)
			w.Exec(`UPDATE ledger_entries SET amount_minor = amount_minor + sign(amount_minor) * 300 WHERE id IN (SELECT e.id FROM ledger_entries e
				JOIN ledger_transactions t ON t.id = e.transaction_id WHERE t.kind = 'charge')`)
		}, func(w *paymentstest.World, _ *paymentstest.Between) {
			w.Exec(`UPDATE ledger_entries SET amount_minor = amount_minor - sign(amount_minor) * 300 WHERE id IN (SELECT e.id FROM ledger_entries e
				JOIN ledger_transactions t ON t.id = e.transaction_id WHERE t.kind = 'charge')`)
		}, reconcile.BookDiffers},
		"what is listed": {func(_ *paymentstest.World, b *paymentstest.Between) {
			b.Set(nil, changed("/v1/balance_transactions", `"amount":5000`, `"amount":5300`))
		}, func(_ *paymentstest.World, b *paymentstest.Between) { b.Set(nil, nil) }, reconcile.ObjectsDiffer},
		"the balance": {func(_ *paymentstest.World, b *paymentstest.Between) {
			b.Set(nil, changed("/v1/balance", `"amount":4900`, `"amount":5200`))
		}, func(_ *paymentstest.World, b *paymentstest.Between) { b.Set(nil, nil) }, reconcile.BalanceDiffers},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, b := paymentstest.NewBetween(t)
			w.Paid()
			tt.plant(w, b)
			d := nextNight(w)
			if d.Verdict != tt.want || w.Anomalies("balance_difference") != 1 {
				t.Errorf("%+v, %d anomalies", d, w.Anomalies("balance_difference"))
			}
			w.Compare()
			if n := w.Count(`anomalies WHERE kind = 'balance_difference' AND times = 1`); n != 1 {
				t.Errorf("compared again: %d", n)
			}
			tt.mend(w, b)
			if d := nextNight(w); d.Verdict != reconcile.Agrees || w.Anomalies("balance_difference") != 0 {
				t.Errorf("mended: %+v, %d anomalies", d, w.Anomalies("balance_difference"))
			}
		})
	}
}

// changed has an answer of a path say something else.
func changed(path, from, to string) func(r *http.Request, body []byte) []byte {
	return func(r *http.Request, body []byte) []byte {
		if r.URL.Path != path {
			return body
		}
		return []byte(strings.ReplaceAll(strings.ReplaceAll(string(body), " ", ""), from, to))
	}
}

// What another system moves on the same account is in what the provider says, and never a difference.
func TestPlaces_LeaveOutWhatAnotherSystemMoves(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	foreign(w)
	w.Paid()
	if d := nextNight(w); d.Verdict != reconcile.Agrees || d.ForeignMinor == 0 || d.ObjectsMinor-d.ForeignMinor != d.BookMinor {
		t.Errorf("%+v", d)
	}
	foreign(w)
	if d := nextNight(w); d.Verdict != reconcile.Agrees || w.Anomalies("") != 0 {
		t.Errorf("the next day: %+v", d)
	}
}
