package subscriptions_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/paymentstest"
)

// wantNobody wants nothing to lead to Aino.
func wantNobody(w *paymentstest.World) {
	w.T.Helper()
	w.Settle()
	if n := w.Count(`payments WHERE backer_user_id = ?`, aino) + w.Count(`subscriptions WHERE backer_user_id = ?`, aino) +
		w.Count(`payers WHERE owner = 'user:' || CAST(? AS bigint)`, aino); n != 0 {
		w.T.Errorf("%d rows have the number of who was erased", n)
	}
	if n := w.Held("customers"); n != 0 {
		w.T.Errorf("%d customers are left at the provider", n)
	}
}

// Support begins while its person is erased, after the order was read.
func TestErasedWhileSupportBegins_LeavesNoNumberAndNoCustomer(t *testing.T) {
	t.Parallel()
	for name, when := range map[string]func(w *paymentstest.World, b *paymentstest.Between, fn func()){
		"as the order was read": func(w *paymentstest.World, _ *paymentstest.Between, fn func()) { w.Content.SinceRead(fn) },
		"as the customer is made": func(_ *paymentstest.World, b *paymentstest.Between, fn func()) {
			b.Set(func(_ http.ResponseWriter, r *http.Request) bool {
				if strings.HasSuffix(r.URL.Path, "/v1/customers") {
					fn()
				}
				return false
			}, nil)
		},
		"as the customer was made": func(_ *paymentstest.World, b *paymentstest.Between, fn func()) {
			b.Set(nil, func(r *http.Request, body []byte) []byte {
				if strings.HasSuffix(r.URL.Path, "/v1/customers") {
					fn()
				}
				return body
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, b := paymentstest.NewBetween(t)
			id := w.Subscription(paymentstest.OfUser(aino))
			when(w, b, func() { erase(w, aino) })
			if a := w.SetupMonth(id); a.Status != http.StatusServiceUnavailable {
				t.Errorf("the setup answered %+v", a)
			}
			wantNobody(w)
			b.Set(nil, nil)
			w.Content.SinceRead(nil)
			w.Audit()
		})
	}
}

func TestErasedWhileAPledgeBegins_LeavesNoNumber(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := pledgeOf(w, 5000)
	w.Content.SinceRead(func() { erase(w, aino) })
	if a := w.Setup(pledge); a.Status != http.StatusServiceUnavailable {
		t.Errorf("the setup answered %+v", a)
	}
	wantNobody(w)
	w.Content.SinceRead(nil)
	w.MustSetup(w.Pledge())
	w.Pass(25 * time.Hour)
	if err := w.App.Payments.PruneErased(t.Context()); err != nil || w.Count(`erased_backers`) != 0 {
		t.Errorf("%d numbers are kept, %v", w.Count(`erased_backers`), err)
	}
	w.Audit()
}
