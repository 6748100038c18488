package payins_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
)

// early has a hook come when a charge has been made, before whoever made it has its answer, which may be lost.
type early struct {
	http.RoundTripper
	hook   func(object string)
	isLost bool
	reads  int // of pay-ins, one by one
}

func (e *early) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.Contains(r.URL.Path, "/payins/") && r.Method == http.MethodGet {
		e.reads++
	}
	answer, err := e.RoundTripper.RoundTrip(r)
	if err != nil || !strings.HasSuffix(r.URL.Path, "/payins/card/direct") {
		return answer, err
	}
	raw, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return nil, err
	}
	var made struct{ Id string } //nolint:revive // the wire's
	if err := json.Unmarshal(raw, &made); err != nil {
		return nil, err
	}
	if made.Id != "" {
		e.hook(made.Id)
	}
	if e.isLost {
		return nil, errors.New("the answer is lost")
	}
	answer.Body = io.NopCloser(bytes.NewReader(raw))
	return answer, nil
}

func newEarly(t *testing.T, isLost bool) (*paymentstest.B, *early) {
	t.Helper()
	e := &early{isLost: isLost}
	b := paymentstest.NewB(t, func(c *app.Config) { e.RoundTripper, c.MangopayTransport = c.MangopayTransport, e })
	e.hook = func(object string) { hear(b, object) }
	return b, e
}

// A hook that comes before the charge it is about is written down waits for that, and has the provider asked nothing.
func TestHook_ThatIsQuickerThanItsAnswer_Waits(t *testing.T) {
	t.Parallel()
	b, e := newEarly(t, false)
	pledge := b.Pledge()
	b.Pay(b.Order(pledge, paymentstest.PlainCard))
	b.WantStatus(pledge, "succeeded")
	b.Pass(10 * time.Second)
	if err := b.App.Webhooks.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if waiting := b.Count(`webhook_events WHERE status = 'received'`); e.reads != 0 || waiting != 0 {
		t.Errorf("read %d times, %d hooks wait", e.reads, waiting)
	}
	b.Settle()
	if got := b.Balance(); got != 5000 {
		t.Errorf("the wallet has %d", got)
	}
}

// When the answer is lost it is the hook that finds the money, seconds later.
func TestHook_OfAChargeWhoseAnswerIsLost_FindsIt(t *testing.T) {
	t.Parallel()
	b, e := newEarly(t, true)
	pledge := b.Pledge()
	if status, code := b.Call("payin", b.Order(pledge, paymentstest.PlainCard), nil, nil); status != http.StatusServiceUnavailable {
		t.Fatalf("%d %s", status, code)
	}
	b.Pass(10 * time.Second)
	if err := b.App.Webhooks.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := b.Count(`payments WHERE status = 'succeeded'`); got != 1 || e.reads == 0 {
		t.Errorf("%d payments are paid, the pay-in was read %d times", got, e.reads)
	}
	if got := b.Balance(); got != 5000 {
		t.Errorf("the wallet has %d", got)
	}
}
